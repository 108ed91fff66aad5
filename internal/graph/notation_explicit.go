package graph

import (
	"errors"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxWords is how many words a name in free text may have: a noun and what
// narrows it down. With more it is part of a sentence.
const maxWords = 4

// errBeside says why an explicit statement in a sentence is not read.
var errBeside = errors.New("a name beside the operator cannot be told from the words around it; write it with dots, or the statement on a line of its own")

// errBlank says why a predicate of two words is not read: between brackets in a
// sentence it may as well be anything else.
var errBlank = errors.New("the predicate has a blank in it; write one word, as in -[leads_to]->, or the statement on a line of its own")

// explicit reads the statements of a line by the operator that names its
// predicate, and reports whether there were any to read.
func (r *reader) explicit(text string, n int) bool {
	masked := maskCode(text)
	var ops, chain []operator
	for _, o := range scanOperators(masked) {
		if !o.spaced {
			continue
		}
		if o.kind == named {
			ops = append(ops, o)
		}
		if o.kind == named || o.kind == arrow {
			chain = append(chain, o)
		}
	}
	if len(ops) == 0 || tableRow(masked) {
		return false
	}
	lead := r.leading(text)
	if !strings.HasSuffix(r.lead, ":") {
		r.lead = ""
	}
	if all, beside, ok := wholeLine(text, chain); ok {
		if doubted(lead, beside, "") {
			r.problems = append(r.problems, Problem{n, shown(text), errDoubt.Error()})
		} else {
			r.take(all, n)
		}
		return true
	}
	for i, o := range ops {
		from, to := 0, len(text)
		if i > 0 {
			from = ops[i-1].to
		}
		if i+1 < len(ops) {
			to = ops[i+1].from
		}
		all, err := inSentence(text[from:o.from], o, text[o.to:to])
		if left, right := around(text, o); err == nil && doubted(lead, left, right) {
			err = errDoubt
		}
		if err != nil {
			r.problems = append(r.problems, Problem{n, shown(text[from:to]), err.Error()})
			continue
		}
		r.take(all, n)
	}
	return true
}

func (r *reader) take(all []Statement, n int) {
	for i := range all {
		all[i].Line = n
	}
	r.found = append(r.found, all...)
}

// around returns what stands in a line before the subject of a statement and
// behind its object.
func around(text string, o operator) (left, right string) {
	left = strings.TrimRight(text[:o.from], " \t")
	left = left[:len(left)-len(lastWord(left))]
	object, right := firstWord(text[o.to:])
	if end := len(strings.TrimRight(object, ".,;:!?)]}\"'”’*`")); end < len(object) {
		right = object[end:] + right
	}
	return left, right
}

// wholeLine reads a line that holds nothing but one chain. beside is the words
// that stand beside its names and are no part of them.
func wholeLine(text string, ops []operator) (all []Statement, beside string, ok bool) {
	if len(text) > maxLine {
		return nil, "", false
	}
	start := len(text) - len(trimOrdinal(trimBullet(text)))
	line := strings.TrimSuffix(text[start:], ".")
	moved := make([]operator, len(ops))
	names := make([]string, len(ops)+1)
	sure := make([]float64, len(ops)+1)
	from := 0
	for i := range names {
		to := len(line)
		if i < len(ops) {
			moved[i] = ops[i]
			moved[i].from, moved[i].to = ops[i].from-start, ops[i].to-start
			to = moved[i].from
		}
		if to < from {
			return nil, "", false
		}
		s, c, err := cutConfidence(line[from:to])
		if err != nil || i == 0 && c != 0 || !isPhrase(s) {
			return nil, "", false
		}
		name, words := besideOperator(unadorned(s), i == 0, i == len(ops))
		beside += words + " "
		if names[i], err = CanonicalName(name); err != nil {
			return nil, "", false
		}
		sure[i] = c
		if i < len(ops) {
			from = moved[i].to
		}
	}
	// A and B are what the notation is explained with
	if !slices.ContainsFunc(names, func(n string) bool { return utf8.RuneCountInString(n) >= minLetters }) {
		return nil, "", false
	}
	all, err := linkNames(line, moved, names, sure)
	return all, beside, err == nil
}

// besideOperator returns the name in a phrase: a dotted one that stands beside
// the operator is the whole name, with other words around it.
func besideOperator(s string, first, last bool) (name, words string) {
	word, rest := lastWord(s), ""
	if first {
		rest = s[:len(s)-len(word)]
	} else if last {
		word, rest = firstWord(s)
	}
	if first == last || rest == "" || !strings.Contains(strings.Trim(word, "."), ".") {
		return s, ""
	}
	return unadorned(word), rest
}

// trimOrdinal takes the number of a list item off.
func trimOrdinal(s string) string {
	rest := strings.TrimLeft(s, "0123456789")
	if len(rest) == len(s) || len(rest) < 2 || rest[0] != '.' && rest[0] != ')' || rest[1] != ' ' {
		return s
	}
	return rest[2:]
}

// inSentence reads one statement among other words. There a name is the one
// word beside the operator, and its form must show that it is a name: where a
// phrase begins and ends cannot be told.
func inSentence(left string, o operator, right string) ([]Statement, error) {
	subject := unadorned(strings.TrimLeft(lastWord(left), "([{"))
	word, rest := firstWord(right)
	object := unadorned(strings.TrimRight(word, ".,;:!?)]}\"'”’*`"))
	if strings.ContainsAny(strings.TrimSpace(o.predicate), " \t") {
		return nil, errBlank
	}
	if !isJoined(subject) || !isJoined(object) && !isNumber(object) {
		return nil, errBeside
	}
	sure := 0.0
	if mark, _ := firstWord(rest); strings.HasPrefix(mark, "(") {
		if end := strings.IndexByte(mark, ')'); end > 0 {
			var err error
			if _, sure, err = cutConfidence(mark[:end+1]); err != nil {
				return nil, err
			}
		}
	}
	a, err := CanonicalName(subject)
	if err != nil {
		return nil, err
	}
	b, err := CanonicalName(object)
	if err != nil {
		return nil, err
	}
	text := a + " -[" + o.predicate + "]-> " + b
	return linkNames(text, []operator{o}, []string{a, b}, []float64{0, sure})
}

// lastWord returns the word before an operator.
func lastWord(s string) string {
	s = strings.TrimRight(s, " \t")
	return s[strings.LastIndexAny(s, " \t")+1:]
}

// firstWord returns the word behind an operator, and what follows it.
func firstWord(s string) (word, rest string) {
	s = strings.TrimLeft(s, " \t")
	if i := strings.IndexAny(s, " \t"); i >= 0 {
		return s[:i], s[i:]
	}
	return s, ""
}

// unadorned takes emphasis and quotes off.
func unadorned(s string) string { return strings.Trim(s, " \t*_`\"'“”‘’") }

// isPhrase reports whether s is a short name in words: no sentence, no code.
func isPhrase(s string) bool {
	words := strings.Fields(unadorned(s))
	if len(words) == 0 || len(words) > maxWords {
		return false
	}
	letters := false
	for _, w := range words {
		if len(words) > 1 && functionWords[strings.ToLower(w)] {
			return false
		}
		for _, r := range w {
			if !isNameRune(r) {
				return false
			}
			letters = letters || unicode.IsLetter(r)
		}
	}
	return letters
}

// isJoined reports whether s is one word that is plainly a name: several
// parts with a separator between them.
func isJoined(s string) bool {
	return len(s) <= maxLine && isPhrase(s) && strings.IndexFunc(s, unicode.IsSpace) < 0 &&
		strings.ContainsAny(strings.Trim(s, "._-/"), "._-/")
}

// isNumber reports whether s is a number or a version, which only an object can
// be: with a name before it, it cannot be anything else.
func isNumber(s string) bool {
	digits := strings.TrimPrefix(s, "v")
	return len(s) <= maxLine && digits != "" && digits[0] >= '0' && digits[0] <= '9' && strings.IndexFunc(s, func(r rune) bool { return !isNameRune(r) }) < 0
}

// isNameRune reports whether r may stand in a name in free text.
func isNameRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || strings.ContainsRune("._-/+#@'", r) ||
		unicode.Is(unicode.So, r) || unicode.Is(unicode.Join_Control, r)
}

// functionWords hold sentences together, so that a phrase with one in it is
// a part of a sentence.
var functionWords = wordSet(`a an the this that these those it its he she they we you i my our your their his her
	is are was were be been being am do does did has have had can could will would shall should may might must
	and or but nor so because since while when where which who whom whose what why how if then than as
	of in on at by for from to with without into onto about over under between through during not no
	there here very also just only now still yet already again found know think see saw means note`)

// tableRow reports whether a line is a row of a table.
func tableRow(s string) bool { return s[0] == '|' || strings.Contains(s, " | ") }

// maskCode blanks inline code out, byte for byte, so that places stay. Where
// a span is not closed on its line, the rest of the line is taken for code.
func maskCode(s string) string {
	if strings.IndexByte(s, '`') < 0 {
		return s
	}
	b := []byte(s)
	for i := 0; i < len(b); {
		if b[i] != '`' {
			i++
			continue
		}
		run := i
		for run < len(b) && b[run] == '`' {
			run++
		}
		end := closing(s, run, run-i)
		for ; i < end; i++ {
			b[i] = 'x'
		}
	}
	return string(b)
}

// closing returns where the span of code ends that n backticks before from
// open.
func closing(s string, from, n int) int {
	for i := from; i < len(s); i++ {
		run := i
		for run < len(s) && s[run] == '`' {
			run++
		}
		if run-i == n {
			return run
		}
		if run > i {
			i = run - 1
		}
	}
	return len(s)
}
