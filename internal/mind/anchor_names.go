package mind

import (
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"chitta/internal/expr"
)

// called is something that a text calls by a name as code is called.
type called struct {
	name   string
	line   int  // of a file, or 0
	file   bool // it is written as a file; one without a folder may be a symbol all the same
	strict bool // a plain word in quotes: only what can be called or is a type
}

const (
	// maxCalled bounds the names of one text that are looked up: what lists more
	// is an index, and speaks of none of them.
	maxCalled = 40
	// maxCalledText is how much of a text is looked at.
	maxCalledText = 32 << 10
	// maxCalledName is the length of the longest name, in bytes.
	maxCalledName = 200
)

var (
	placePart  = expr.New(`^(.+?)(?::(\d{1,7})(?::\d+)?(?:-\d+)?|#L(\d{1,7})(?:-L?\d+)?)$`)
	symbolPart = expr.New(`^[\pL_$][\pL\d_$]*(?:(?:\.|::|#|->)~?[\pL_$][\pL\d_$]*)*(?:\(\))?$`)
)

// calledIn returns what a text calls by name, in its order. In quotes every name
// counts, elsewhere what is written like code: a path, a qualified name, one of
// several words, one with parentheses behind it.
func calledIn(text string) []called {
	text = firstBytes(text, maxCalledText)
	var out []called
	add := func(c called, ok bool) {
		if ok && len(out) < maxCalled && !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	parts := strings.Split(text, "`")
	for i, part := range parts {
		quoted := i%2 == 1 && i < len(parts)-1
		words := strings.FieldsFunc(part, func(r rune) bool {
			return unicode.IsSpace(r) || unicode.IsControl(r) || strings.ContainsRune(`"'“”‘’«»<>[]{},;|=*!?`, r)
		})
		for _, w := range words {
			add(calledBy(w, quoted && len(words) == 1))
		}
	}
	return out
}

// calledBy reads one word.
func calledBy(word string, quoted bool) (called, bool) {
	word = strings.TrimLeft(strings.TrimRight(word, ".:"), "(")
	if strings.Count(word, "(") < strings.Count(word, ")") {
		word = strings.TrimRight(word, ").:")
	}
	if at := strings.IndexByte(word, '('); at > 0 {
		word = word[:at] + "()" // parse(text, …
	}
	if len(word) < 2 || len(word) > maxCalledName || !utf8.ValidString(word) || strings.Contains(word, "://") {
		return called{}, false
	}
	if m := placePart.FindStringSubmatch(word); m != nil && isFileName(m[1]) {
		line, _ := strconv.Atoi(m[2] + m[3])
		return called{name: m[1], line: line, file: true}, true
	}
	if isFileName(word) {
		return called{name: word, file: true}, true
	}
	if !symbolPart.MatchString(word) {
		return called{}, false
	}
	name := symbolName(word)
	codelike := strings.Contains(name, ".") || strings.HasSuffix(word, "()") || compound(name)
	return called{name: name, strict: !codelike}, quoted || codelike
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
