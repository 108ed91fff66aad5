package graph

import (
	"strings"
	"unicode/utf8"
)

// operatorKind is the shape of an operator.
type operatorKind string

const (
	arrow operatorKind = "→"
	colon operatorKind = "::"
	tilde operatorKind = "~"
	named operatorKind = "-[…]->"
)

// operator is a place in a line where notation connects two names.
type operator struct {
	kind      operatorKind
	predicate string
	from, to  int

	spaced bool // has blanks on both sides
	code   bool // is written with signs that code uses as well
}

// alone reports whether the operator does not mix with others in a chain.
func (o operator) alone() bool { return o.kind == colon || o.kind == tilde }

// operators finds the operators of a line. If some have blanks around them or
// cannot be anything else, those without are parts of names, as in
// std::vector.growth → iterator.invalid.
func operators(line string) []operator {
	all := scanOperators(line)
	certain := 0
	for _, o := range all {
		if o.spaced || !o.code {
			all[certain] = o
			certain++
		}
	}
	if certain == 0 {
		return all
	}
	return all[:certain]
}

// scanOperators finds everything in a line that may be an operator.
func scanOperators(line string) []operator {
	var all []operator
	for i := 0; i < len(line); {
		var o operator
		ok := false
		switch line[i] {
		case '-', '=', ':', '~', "→"[0]: // the other arrows begin with the same byte
			o, ok = operatorAt(line, i)
		}
		if !ok {
			i++
			continue
		}
		o.from = i
		o.spaced = (i == 0 || isBlank(line[i-1])) && (o.to == len(line) || isBlank(line[o.to]))
		all = append(all, o)
		i = o.to
	}
	return all
}

// fixed lists the operators of one spelling each.
var fixed = []struct {
	sign      string
	kind      operatorKind
	predicate string
	code      bool
}{
	{"→", arrow, "causes", false},
	{"⟶", arrow, "causes", false},
	{"⇒", arrow, "causes", false},
	{"->", arrow, "causes", true},
	{"=>", arrow, "causes", true},
	{"::", colon, "is_a", true},
	{"~", tilde, "related_to", true},
}

// operatorAt reads the operator that begins at i. Signs that go on, like
// --> or :::, are none.
func operatorAt(line string, i int) (operator, bool) {
	rest := line[i:]
	if strings.HasPrefix(rest, "-[") {
		return namedAt(line, i)
	}
	for _, f := range fixed {
		if !strings.HasPrefix(rest, f.sign) {
			continue
		}
		to := i + len(f.sign)
		if f.code && (i > 0 && strings.IndexByte("-=<:~>.", line[i-1]) >= 0 || to < len(line) && strings.IndexByte("-=>:~", line[to]) >= 0) {
			return operator{}, false
		}
		return operator{kind: f.kind, predicate: f.predicate, to: to, code: f.code}, true
	}
	return operator{}, false
}

// namedAt reads -[predicate]-> at i.
func namedAt(line string, i int) (operator, bool) {
	from := i + len("-[")
	// no predicate is longer, so no more is looked at for the end of one
	window := line[from:min(len(line), from+(MaxPredicate+1)*utf8.UTFMax)]
	end := strings.IndexAny(window, "[]")
	if end < 0 || window[end] != ']' {
		return operator{}, false
	}
	tail := line[from+end:]
	for _, ending := range []string{"]->", "]→"} {
		if strings.HasPrefix(tail, ending) {
			return operator{kind: named, predicate: window[:end], to: from + end + len(ending)}, true
		}
	}
	return operator{}, false
}
