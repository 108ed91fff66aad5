package past

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode"

	"chitta/internal/keyword"
	"chitta/internal/memory"
)

// parseExpression understands a regular expression.
func parseExpression(a keyword.Analyzer, expr string) (*query, error) {
	re, err := regexp.Compile(expr)
	if err != nil {
		why := err.Error()
		if e := (*syntax.Error)(nil); errors.As(err, &e) {
			why = fmt.Sprintf("%s: %s", e.Code, e.Expr)
		}
		return nil, &memory.InputError{Field: "query", Problem: "is not a regular expression: " + why, Hint: `write \( for a bracket that is meant as such; the syntax is RE2, see go doc regexp/syntax`}
	}
	if re.MatchString("") {
		return nil, &memory.InputError{Field: "query", Problem: fmt.Sprintf("/%s/ matches nothing at all, and so everything", expr), Hint: "let it ask for at least one character"}
	}
	q := &query{re: re}
	tree, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return nil, err
	}
	for _, l := range required(tree.Simplify()) {
		q.require(a, l.inner())
		if plain := l.transparent(); len(plain) > len(q.literal) {
			q.literal = plain
		}
	}
	return q, nil
}

// literal is a text that every match of an expression has in it.
type literal struct {
	text string
	fold bool // in upper or lower case
}

// required returns texts that every match has in it.
func required(re *syntax.Regexp) []literal {
	switch re.Op {
	case syntax.OpLiteral:
		return []literal{{text: string(re.Rune), fold: re.Flags&syntax.FoldCase != 0}}
	case syntax.OpCapture, syntax.OpPlus:
		return required(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return required(re.Sub[0])
		}
	case syntax.OpConcat:
		var out []literal
		for _, sub := range re.Sub {
			out = append(out, required(sub)...)
		}
		return out
	}
	return nil
}

// inner is the part of the text that stands between spaces, and so consists
// of whole words whatever stands around the text.
func (l *literal) inner() string {
	first, last := strings.IndexFunc(l.text, unicode.IsSpace), strings.LastIndexFunc(l.text, unicode.IsSpace)
	if first == last {
		return ""
	}
	return l.text[first:last] + " "
}

// leastLiteral is how long a text has to be to be worth looking for first.
const leastLiteral = 3

// transparent returns the longest run of the text that stands in a record of
// JSON as it is, whoever wrote it.
func (l *literal) transparent() string {
	if l.fold {
		return ""
	}
	best := ""
	for _, run := range strings.FieldsFunc(l.text, func(r rune) bool {
		return !transparent(r)
	}) {
		if len(run) > len(best) {
			best = run
		}
	}
	if len(best) < leastLiteral {
		return ""
	}
	return best
}
