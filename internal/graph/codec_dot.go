package graph

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"unicode"
)

// dotLine writes a triple as an edge between its concepts, with the predicate
// as its label and everything else as attributes.
func dotLine(r *Record, all []field) string {
	var b strings.Builder
	fmt.Fprintf(&b, "  %s -> %s [label=%s", dotQuote(r.Subject), dotQuote(r.Object), dotQuote(r.Predicate))
	for _, f := range all {
		switch f.name {
		case "subject", "predicate", "object":
			continue
		}
		if value := f.get(r); value != "" {
			fmt.Fprintf(&b, ", %s=%s", f.name, dotQuote(value))
		}
	}
	b.WriteString("];\n")
	return b.String()
}

// dotQuote writes a text as a quoted id. Backslashes are doubled too: in labels
// they would begin an escape, and at the end of a text hide the quote.
func dotQuote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// readDOT reads graphs with one edge to a line, as chitta writes them. It is no
// reader of all that Graphviz knows.
func readDOT(r io.Reader) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		begun, ended, all := false, false, fields()
		last := 0
		goOn := true
		eachLine(r, func(line int, text string, err error) bool {
			last = line
			var rec Record
			text = strings.TrimSpace(text)
			switch {
			case err != nil:
			case text == "" || strings.HasPrefix(text, "//") || strings.HasPrefix(text, "#"):
				return true
			case ended:
				err = errors.New("the graph has ended before")
			case !begun:
				begun = strings.HasPrefix(text, "digraph") && strings.HasSuffix(text, "{")
				if !begun {
					yield(Record{}, &LineError{line, errors.New(`the graph must begin with "digraph NAME {"`)})
					goOn = false
				}
				return begun
			case text == "}":
				ended = true
				return true
			default:
				if rec, err = dotRecord(text, all); err == nil {
					err = rec.check(all)
				}
			}
			if err != nil {
				rec, err = Record{}, &LineError{line, err}
			}
			goOn = yield(rec, err)
			return goOn
		})
		if goOn && !ended {
			yield(Record{}, &LineError{last, errors.New("the graph is not closed with }; part of the file may be missing")})
		}
	}
}

// dotRecord reads one edge: "a" -> "b" [name="value", …];
func dotRecord(text string, all []field) (Record, error) {
	var r Record
	d := dotText(text)
	var ok bool
	if r.Subject, ok = d.word(); !ok || !d.mark("->") {
		return r, errors.New(`not an edge such as "a" -> "b" [label="causes"];`)
	}
	if r.Object, ok = d.word(); !ok || !d.mark("[") {
		return r, errors.New(`the edge needs an object and attributes such as [label="causes"]`)
	}
	for first := true; !d.mark("]"); first = false {
		if !first && !d.mark(",") {
			return r, errors.New("attributes must be separated by commas and end with ]")
		}
		name, ok := d.word()
		if !ok || !d.mark("=") {
			return r, errors.New("an attribute must be NAME=VALUE")
		}
		value, ok := d.word()
		if !ok {
			return r, fmt.Errorf("attribute %s has no value, or its quote is not closed", name)
		}
		if name == "label" {
			name = "predicate"
		}
		if err := r.set(all, name, value); err != nil {
			return r, fmt.Errorf("%s: %w", name, err)
		}
	}
	d.mark(";")
	if d != "" {
		return r, fmt.Errorf("%q behind the edge", string(d))
	}
	return r, nil
}

// dotText is what is left of a line.
type dotText string

// mark takes a mark away if it comes next.
func (d *dotText) mark(m string) bool {
	rest, ok := strings.CutPrefix(strings.TrimLeft(string(*d), " \t"), m)
	if ok {
		*d = dotText(strings.TrimLeft(rest, " \t"))
	}
	return ok
}

// word takes a text away that comes next, in quotes or of letters and digits.
func (d *dotText) word() (string, bool) {
	s := strings.TrimLeft(string(*d), " \t")
	if !strings.HasPrefix(s, `"`) {
		end := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '.' })
		if end < 0 {
			end = len(s)
		}
		*d = dotText(s[end:])
		return s[:end], end > 0
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '"':
			*d = dotText(s[i+1:])
			return b.String(), true
		case s[i] == '\\' && i+1 < len(s) && (s[i+1] == '"' || s[i+1] == '\\'):
			i++
		}
		b.WriteByte(s[i])
	}
	return "", false
}
