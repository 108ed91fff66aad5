package graph

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"
)

func csvHead(all []field) string {
	names := make([]string, len(all))
	for i, f := range all {
		names[i] = f.name
	}
	return strings.Join(names, ",") + "\n"
}

func csvLine(r *Record, all []field) string {
	cells := make([]string, len(all))
	for i, f := range all {
		cells[i] = csvCell(f.get(r))
	}
	return strings.Join(cells, ",") + "\n"
}

// formulaStart are the characters that make spreadsheets take a cell for a
// formula, the wide ones included.
const formulaStart = "=+-@＝＋－＠"

func startsFormula(s string) bool {
	first, _ := utf8.DecodeRuneInString(s)
	return s != "" && strings.ContainsRune(formulaStart, first)
}

// csvCell writes a text as a cell. An apostrophe keeps spreadsheets from
// running it; one that was there already gets another, so that reading is
// exact.
func csvCell(s string) string {
	if startsFormula(s) || strings.HasPrefix(s, "'") {
		s = "'" + s
	}
	if strings.ContainsAny(s, `",`) || strings.HasPrefix(s, " ") || strings.HasSuffix(s, " ") {
		return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
	}
	return s
}

// unguard takes the apostrophe of csvCell away.
func unguard(s string) string {
	if rest, ok := strings.CutPrefix(s, "'"); ok && (startsFormula(rest) || strings.HasPrefix(rest, "'")) {
		return rest
	}
	return s
}

// splitCSV splits a line into cells. A cell in quotes may not go over several
// lines: no property of a triple does, and one forgotten quote would swallow
// the rest of the file.
func splitCSV(line string) ([]string, error) {
	var cells []string
	for {
		var cell string
		if quoted, ok := strings.CutPrefix(line, `"`); ok {
			var b strings.Builder
			for {
				end := strings.IndexByte(quoted, '"')
				if end < 0 {
					return nil, errors.New(`a quote (") is not closed in its line`)
				}
				b.WriteString(quoted[:end])
				quoted = quoted[end+1:]
				if !strings.HasPrefix(quoted, `"`) {
					break
				}
				b.WriteByte('"')
				quoted = quoted[1:]
			}
			cell, line = b.String(), quoted
			if line != "" && line[0] != ',' {
				return nil, errors.New(`a quote (") is followed by something other than a comma`)
			}
		} else {
			end := strings.IndexByte(line, ',')
			if end < 0 {
				end = len(line)
			}
			cell, line = line[:end], line[end:]
		}
		cells = append(cells, unguard(cell))
		if line == "" {
			return cells, nil
		}
		line = line[1:]
	}
}

func readCSV(r io.Reader) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		var head []string
		all := fields()
		eachLine(r, func(line int, text string, err error) bool {
			if err == nil && strings.TrimSpace(text) == "" {
				return true
			}
			if err == nil && head == nil {
				if head, err = csvColumns(text, all); err == nil {
					return true
				}
				yield(Record{}, &LineError{line, err})
				return false // without columns nothing can be understood
			}
			var rec Record
			if err == nil {
				rec, err = csvRecord(text, head, all)
			}
			if err != nil {
				return yield(Record{}, &LineError{line, err})
			}
			return yield(rec, nil)
		})
	}
}

// csvColumns reads the first line: the names of the columns, in any order.
func csvColumns(text string, all []field) ([]string, error) {
	head, err := splitCSV(text)
	if err != nil {
		return nil, err
	}
	for i, name := range head {
		head[i] = strings.ToLower(strings.TrimSpace(name))
		if err := (&Record{}).set(all, head[i], ""); err != nil {
			return nil, fmt.Errorf("column %w", err)
		}
		if slices.Contains(head[:i], head[i]) {
			return nil, fmt.Errorf("column %q is there twice", head[i])
		}
	}
	for _, needed := range []string{"subject", "predicate", "object"} {
		if !slices.Contains(head, needed) {
			return nil, fmt.Errorf("the first line must name the columns, and there is no %q", needed)
		}
	}
	return head, nil
}

func csvRecord(text string, head []string, all []field) (Record, error) {
	var r Record
	cells, err := splitCSV(text)
	if err != nil {
		return r, err
	}
	if len(cells) != len(head) {
		return r, fmt.Errorf("%d columns instead of %d", len(cells), len(head))
	}
	for i, cell := range cells {
		if err := r.set(all, head[i], cell); err != nil {
			return r, fmt.Errorf("%s: %w", head[i], err)
		}
	}
	return r, r.check(all)
}
