package graph

import (
	"strings"
	"unicode"
)

// minLetters is the length of the shortest name in free text: what is shorter
// is a variable.
const minLetters = 2

// bare reads a line by the operators that code and prose use as well, and
// reports whether it did. What it finds waits for the end of the block.
func (r *reader) bare(item string, n int) bool {
	if !maybeNotation(item) {
		return false
	}
	var all []Statement
	ok := false
	if len(item) <= maxLine {
		all, ok = bareStatements(item)
	}
	if ok && !r.introducesOther() {
		for i := range all {
			all[i].Line = n
		}
		r.waiting = append(r.waiting, all...)
		return true
	}
	if masked := maskCode(item); hasSign(masked) {
		r.prose = true
	}
	return false
}

// hasSign reports whether a text uses arrows or double colons. Tildes say
// nothing of how others are meant: they stand before every rough number.
func hasSign(s string) bool {
	for _, o := range scanOperators(s) {
		if o.kind == arrow || o.kind == colon {
			return true
		}
	}
	return false
}

// bareStatements reads a line that must hold nothing but notation.
func bareStatements(item string) ([]Statement, bool) {
	var all []Statement
	item = strings.TrimSuffix(item, ".")
	for piece := range strings.SplitSeq(item, ";") {
		piece = strings.TrimSpace(piece)
		ops := operators(piece)
		// canonical names have no blanks: blanks that became dots were words.
		// That tells most prose, so it is looked at before anything else
		if len(strings.Fields(maskOperators(piece, ops))) != len(ops)+1+confidences(piece) {
			return nil, false
		}
		// names are compared as they were written: quoted is code
		if strings.ContainsFunc(piece, func(r rune) bool { return isQuote(r) || isInvisible(r) || r == '\'' }) {
			return nil, false
		}
		s, err := statements(piece, ops)
		if err != nil || !plainlyMeant(ops, s) {
			return nil, false
		}
		all = append(all, s...)
	}
	return all, true
}

// plainlyMeant reports whether statements by bare operators cannot well be
// code or prose.
func plainlyMeant(ops []operator, all []Statement) bool {
	chain := ops[0].kind == tilde && len(all) > 1
	seen := map[string]bool{}
	for i, s := range all {
		if !isTerm(s.Subject) || !isTerm(s.Object) || ops[i].kind == arrow && isRename(s.Subject, s.Object) {
			return false
		}
		dots := 0
		for _, name := range []string{s.Subject, s.Object} {
			if strings.Contains(name, ".") {
				dots++
			}
		}
		op := ops[i]
		switch {
		case op.kind == named || op.kind == arrow && op.code && (dots < 2 || !op.spaced) || dots < 1 && !chain:
			return false
		case isCode(s.Subject) && isCode(s.Object) || op.kind == colon && namespaces[s.Subject]:
			return false
		}
		// what comes round again is a cycle or an ornament
		seen[Key(s.Subject)] = true
		if seen[Key(s.Object)] {
			return false
		}
	}
	return true
}

// maskOperators leaves only the names of a piece.
func maskOperators(piece string, ops []operator) string {
	var b strings.Builder
	from := 0
	for _, o := range ops {
		b.WriteString(piece[from:o.from])
		b.WriteByte(' ')
		from = o.to
	}
	b.WriteString(piece[from:])
	return b.String()
}

// confidences counts the numbers in parentheses that stand apart.
func confidences(piece string) int { return strings.Count(piece, " (") }

// isTerm reports whether a name is written the canonical way: lower-case
// words with single separators between them, and not the name of something
// that only code and prose point at.
func isTerm(name string) bool {
	letters, last := 0, '.'
	for _, r := range name {
		switch {
		case unicode.IsUpper(r) || unicode.IsTitle(r):
			return false
		case unicode.IsLetter(r):
			letters++
		case unicode.IsDigit(r) || unicode.IsMark(r):
			if letters == 0 {
				return false
			}
		case r == '.' || r == '-' || r == '_':
			if last == '.' || last == '-' || last == '_' {
				return false
			}
		default:
			return false
		}
		last = r
	}
	return letters >= minLetters && !isSeparator(last) && !isForeign(name)
}

// introducesOther reports whether the text just before announces arrows of
// another meaning.
func (r *reader) introducesOther() bool {
	heading := strings.HasPrefix(r.intro, "#")
	if r.intro == "" || r.apart && !heading && !strings.HasSuffix(strings.TrimRight(r.intro, "*_ "), ":") {
		return false
	}
	words := strings.FieldsFunc(strings.ToLower(r.intro[:min(len(r.intro), maxLine)]), func(c rune) bool { return !unicode.IsLetter(c) })
	for _, w := range words {
		for _, stem := range otherStems {
			if strings.HasPrefix(w, stem) {
				return true
			}
		}
	}
	return false
}
