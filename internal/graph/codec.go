package graph

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Format is a way to write triples down.
type Format string

// The formats. All of them hold everything that a [Record] says, one triple to
// a line.
const (
	DOT    Format = "dot"     // Graphviz, to be drawn
	JSONLD Format = "json-ld" // statements as linked data
	CSV    Format = "csv"     // tables
)

// Formats returns all formats.
func Formats() []Format { return []Format{DOT, JSONLD, CSV} }

// Record is a triple outside of chitta.
type Record struct {
	ID, Realm                  string
	Subject, Predicate, Object string
	Confidence                 float64 // 0 = none said
	Source                     string
	Memory, Session, Message   string    // where it was read
	ValidFrom, ValidUntil      time.Time // zero: not said, still valid
	Recorded                   time.Time
	ClosedBy                   string // what ended it: the id of a triple or a memory
	Assertions                 string // all it rests on, as a JSON list, where that is more than the above
	// Other names of the two concepts, as [JoinNames] writes them.
	SubjectAliases, ObjectAliases string
}

// JoinNames writes names as one text: with | between them, and a backslash
// before one that is part of a name.
func JoinNames(names []string) string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = strings.NewReplacer(`\`, `\\`, `|`, `\|`).Replace(n)
	}
	return strings.Join(out, "|")
}

// SplitNames reads what [JoinNames] writes. Blanks around a name and empty names
// are left out.
func SplitNames(s string) []string {
	var out []string
	var b strings.Builder
	take := func() {
		if n := strings.TrimSpace(b.String()); n != "" {
			out = append(out, n)
		}
		b.Reset()
	}
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '|':
			take()
			continue
		case s[i] == '\\' && i+1 < len(s):
			i++
		}
		b.WriteByte(s[i])
	}
	take()
	return out
}

// LineError says in which line of a file something is wrong.
type LineError struct {
	Line int // counted from 1
	Err  error
}

func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

func (e *LineError) Unwrap() error { return e.Err }

// maxRecord bounds a line, so that a file without line ends does not fill the
// memory. The longest record chitta writes, of a fact with thousands of
// assertions, is a fraction of it.
const maxRecord = 8 << 20

var errTooLong = fmt.Errorf("longer than %d bytes; a record is one line", maxRecord)

// field is one property of a record, as text.
type field struct {
	name string
	get  func(r *Record) string
	set  func(r *Record, s string) error
}

// fields lists the properties of a record in the order they are written in.
func fields() []field {
	text := func(name string, at func(*Record) *string) field {
		return field{name, func(r *Record) string { return *at(r) }, func(r *Record, s string) error { *at(r) = s; return nil }}
	}
	when := func(name string, at func(*Record) *time.Time) field {
		return field{name, func(r *Record) string { return formatTime(*at(r)) }, func(r *Record, s string) (err error) {
			*at(r), err = parseTime(s)
			return err
		}}
	}
	return []field{
		text("id", func(r *Record) *string { return &r.ID }),
		text("realm", func(r *Record) *string { return &r.Realm }),
		text("subject", func(r *Record) *string { return &r.Subject }),
		text("predicate", func(r *Record) *string { return &r.Predicate }),
		text("object", func(r *Record) *string { return &r.Object }),
		{"confidence", formatConfidence, parseConfidence},
		text("source", func(r *Record) *string { return &r.Source }),
		text("memory", func(r *Record) *string { return &r.Memory }),
		text("session", func(r *Record) *string { return &r.Session }),
		text("message", func(r *Record) *string { return &r.Message }),
		when("valid_from", func(r *Record) *time.Time { return &r.ValidFrom }),
		when("valid_until", func(r *Record) *time.Time { return &r.ValidUntil }),
		when("recorded", func(r *Record) *time.Time { return &r.Recorded }),
		text("closed_by", func(r *Record) *string { return &r.ClosedBy }),
		text("assertions", func(r *Record) *string { return &r.Assertions }),
		text("subject_aliases", func(r *Record) *string { return &r.SubjectAliases }),
		text("object_aliases", func(r *Record) *string { return &r.ObjectAliases }),
	}
}

func formatTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}

func parseTime(s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		t, err = time.Parse(time.DateOnly, s)
	}
	if err != nil {
		return t, fmt.Errorf("%q is not a time such as 2026-01-31T12:00:00Z or 2026-01-31", s)
	}
	return t.UTC(), nil
}

func formatConfidence(r *Record) string {
	if r.Confidence == 0 {
		return ""
	}
	return strconv.FormatFloat(r.Confidence, 'g', -1, 64)
}

func parseConfidence(r *Record, s string) (err error) {
	if s == "" {
		r.Confidence = 0
		return nil
	}
	if r.Confidence, err = strconv.ParseFloat(s, 64); err != nil {
		return fmt.Errorf("%q is not a number between 0 and 1", s)
	}
	return nil
}

// check says what is wrong with a record.
func (r *Record) check(all []field) error {
	for _, f := range all {
		s := f.get(r)
		if !utf8.ValidString(s) || strings.IndexFunc(s, unicode.IsControl) >= 0 {
			return fmt.Errorf("%s %q is not a line of text", f.name, s)
		}
	}
	switch {
	case r.Subject == "" || r.Predicate == "" || r.Object == "":
		return errors.New("subject, predicate and object are needed")
	case !(r.Confidence >= 0 && r.Confidence <= 1):
		return fmt.Errorf("confidence %v is not between 0 and 1", r.Confidence)
	case !r.ValidUntil.IsZero() && r.ValidUntil.Before(r.ValidFrom):
		return fmt.Errorf("valid_until %s is before valid_from %s", formatTime(r.ValidUntil), formatTime(r.ValidFrom))
	}
	for _, t := range []time.Time{r.ValidFrom, r.ValidUntil, r.Recorded} {
		if y := t.UTC().Year(); y < 0 || y > 9999 {
			return fmt.Errorf("the year %d has no four digits", y)
		}
	}
	return nil
}

// Writer writes records in a format. Nothing is complete before Close.
type Writer struct {
	out    *bufio.Writer
	format Format
	fields []field
	n      int
}

// NewWriter begins a file.
func NewWriter(f Format, w io.Writer) (*Writer, error) {
	out := &Writer{out: bufio.NewWriter(w), format: f, fields: fields()}
	var head string
	switch f {
	case DOT:
		head = "digraph chitta {\n"
	case JSONLD:
		head = jsonldHead
	case CSV:
		head = csvHead(out.fields)
	default:
		return nil, fmt.Errorf("format %q is not one of %v", f, Formats())
	}
	_, err := out.out.WriteString(head)
	return out, err
}

// Write adds a record.
func (w *Writer) Write(r Record) error {
	if err := r.check(w.fields); err != nil {
		return fmt.Errorf("triple %s: %w", r.ID, err)
	}
	var line string
	switch w.format {
	case DOT:
		line = dotLine(&r, w.fields)
	case JSONLD:
		line = jsonldLine(&r, w.fields, w.n == 0)
	default:
		line = csvLine(&r, w.fields)
	}
	w.n++
	_, err := w.out.WriteString(line)
	return err
}

// Close ends the file; closing what it is written to is for the caller.
func (w *Writer) Close() error {
	tail := map[Format]string{DOT: "}\n", JSONLD: "\n]}\n"}[w.format]
	if _, err := w.out.WriteString(tail); err != nil {
		return err
	}
	return w.out.Flush()
}

// Read returns the records of a file one after another, without holding more
// than one. Where one is wrong there is a [LineError] instead, and reading goes
// on behind it if that is possible; the caller may stop.
func Read(f Format, r io.Reader) iter.Seq2[Record, error] {
	switch f {
	case DOT:
		return readDOT(r)
	case JSONLD:
		return readJSONLD(r)
	case CSV:
		return readCSV(r)
	}
	return func(yield func(Record, error) bool) {
		yield(Record{}, fmt.Errorf("format %q is not one of %v", f, Formats()))
	}
}

// eachLine calls fn with every line, until it returns false.
func eachLine(r io.Reader, fn func(line int, text string, err error) bool) {
	in := bufio.NewScanner(r)
	in.Buffer(nil, maxRecord)
	n := 0
	for in.Scan() {
		n++
		text := in.Text()
		if n == 1 {
			text = strings.TrimPrefix(text, "\ufeff") // as some programs begin a file
		}
		if !fn(n, text, nil) {
			return
		}
	}
	if err := in.Err(); errors.Is(err, bufio.ErrTooLong) {
		fn(n+1, "", errTooLong)
	} else if err != nil {
		fn(n+1, "", err)
	}
}

// set fills in a record by the names of its properties.
func (r *Record) set(all []field, name, value string) error {
	for _, f := range all {
		if f.name == name {
			return f.set(r, value)
		}
	}
	names := make([]string, len(all))
	for i, f := range all {
		names[i] = f.name
	}
	return fmt.Errorf("%q is not one of %s", name, strings.Join(names, ", "))
}
