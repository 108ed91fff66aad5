package anchor

import (
	"path"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"chitta/internal/code"
	"chitta/internal/expr"
	"chitta/internal/memory"
)

// called is something that a text calls by a name as code is called.
type called struct {
	name  string
	line  int      // of a file, or 0
	file  bool     // it is written as a file; one without a folder may be a symbol all the same
	kinds kindsFor // of symbols that it can mean
	weak  bool     // a word like any other, in quotes: code only in a file that is named
	// at and end are where it stands in the text.
	at, end int
}

// kindsFor says which kinds of symbols a name can mean; nil is all.
type kindsFor func(code.Kind) bool

func callableOrType(k code.Kind) bool { return k.Callable() || k.Type() }

// valueToo is for names that nobody writes in prose.
func valueToo(k code.Kind) bool {
	return callableOrType(k) || k == code.Constant || k == code.Variable
}

const (
	// maxCalled bounds the names of one text that are looked up.
	maxCalled = 400
	// maxCalledText is how much of a text is looked at.
	maxCalledText = 32 << 10
	// maxCalledName is the length of the longest name, in bytes.
	maxCalledName = 200
)

var (
	placePart  = expr.New(`^(.+?)(?::(\d{1,7})(?::\d+)?(?:-\d+)?|#L(\d{1,7})(?:-L?\d+)?)$`)
	inFilePart = expr.New(`^(.+\.[a-z][a-z+]{0,10})(?:::?|#)([\pL_$].*)$`)
	symbolPart = expr.New(`^[\pL_$][\pL\d_$]*(?:(?:\.|::|#|->)~?[\pL_$][\pL\d_$]*)*(?:\(\))?$`)
)

// calledIn returns what a text calls by name, in its order, and whether that is
// all. In quotes every name counts that can be told from a word, elsewhere what
// is written like code: a path, a qualified name, one of several words, one with
// parentheses behind it.
func calledIn(text string) (out []called, all bool) {
	all = len(text) <= maxCalledText
	text = memory.FirstBytes(text, maxCalledText)
	parts, at := strings.Split(text, "`"), 0
	for i, part := range parts {
		words := wordsOf(part)
		quoted := i%2 == 1 && i < len(parts)-1 && len(words) == 1
		for _, w := range words {
			from, to := at+w[0], at+w[1]
			for _, c := range calledBy(text[from:to], quoted) {
				c.at, c.end = from, to
				if i := strings.Index(text[from:to], c.name); c.file && i >= 0 {
					c.at, c.end = from+i, from+i+len(c.name)
				}
				if !c.decide(text, quoted) {
					continue
				}
				if len(out) == maxCalled {
					return out, false
				}
				out = append(out, c)
			}
		}
		at += len(part) + 1
	}
	return out, all
}

// wordsOf returns where the words of a text begin and end.
func wordsOf(text string) (out [][2]int) {
	begin := -1
	for i, r := range text {
		gap := unicode.IsSpace(r) || unicode.IsControl(r) || strings.ContainsRune(`"'“”‘’«»<>[]{},;|=*!?`, r)
		switch {
		case gap && begin >= 0:
			out, begin = append(out, [2]int{begin, i}), -1
		case !gap && begin < 0:
			begin = i
		}
	}
	if begin >= 0 {
		out = append(out, [2]int{begin, len(text)})
	}
	return out
}

// calledBy reads one word: most are one name, FILE:NAME are two.
func calledBy(word string, quoted bool) []called {
	word = strings.TrimLeft(strings.TrimRight(word, ".:"), "(")
	if strings.Count(word, "(") < strings.Count(word, ")") {
		word = strings.TrimRight(word, ").:")
	}
	if at := strings.IndexByte(word, '('); at > 0 {
		word = word[:at] + "()" // parse(text, …
	}
	if len(word) < 2 || len(word) > maxCalledName || !utf8.ValidString(word) || strings.Contains(word, "://") {
		return nil
	}
	if m := placePart.FindStringSubmatch(word); m != nil && isFileName(m[1]) {
		line, _ := strconv.Atoi(m[2] + m[3])
		return []called{{name: m[1], line: line, file: true}}
	}
	if m := inFilePart.FindStringSubmatch(word); m != nil && symbolPart.MatchString(m[2]) {
		return []called{{name: m[1], file: true}, {name: symbolName(m[2])}}
	}
	if isFileName(word) {
		return []called{{name: word, file: true}}
	}
	if !symbolPart.MatchString(word) {
		return nil
	}
	c := called{name: symbolName(word)}
	switch {
	case strings.Contains(c.name, ".") || strings.HasSuffix(word, "()"):
	case compound(c.name) && !quoted:
		if c.kinds = callableOrType; strings.Contains(c.name, "_") || unicode.IsLower(firstRune(c.name)) {
			c.kinds = valueToo
		}
		if wellKnown[strings.ToLower(c.name)] {
			return nil
		}
	case compound(c.name):
	case !quoted:
		return nil
	default:
		c.kinds, c.weak = callableOrType, oneCase(c.name)
	}
	return []called{c}
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// oneCase says that a name has only small letters, or only capitals.
func oneCase(name string) bool {
	return strings.ToLower(name) == name || strings.ToUpper(name) == name
}

// isFileName says whether a word is written as a file is: with a short ending,
// or in a folder.
func isFileName(word string) bool {
	base := path.Base(strings.ReplaceAll(word, `\`, "/"))
	ext := path.Ext(base)
	if strings.Contains(word, "::") || strings.Contains(word, "->") {
		return false
	}
	const longest = 12 // ".properties"
	if len(ext) >= 2 && len(ext) <= longest && len(base) > len(ext) && strings.ToLower(ext) == ext && !strings.HasSuffix(word, "()") {
		return true
	}
	return strings.ContainsAny(word, `/\`)
}

// symbolName writes a qualified name with dots.
func symbolName(word string) string {
	word = strings.TrimSuffix(word, "()")
	for _, mark := range []string{"::", "->", "#"} {
		word = strings.ReplaceAll(word, mark, ".")
	}
	return word
}

// compound says whether a name is made of several words: with an underscore
// between them, or a capital behind a small letter.
func compound(name string) bool {
	if strings.Contains(strings.Trim(name, "_"), "_") {
		return true
	}
	small := false
	for _, r := range name {
		if small && unicode.IsUpper(r) {
			return true
		}
		small = unicode.IsLower(r)
	}
	return false
}

// lastName is the last part of a qualified name.
func lastName(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }
