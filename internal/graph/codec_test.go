package graph

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func encodedRecords(t interface{ Fatal(...any) }, f Format, records ...Record) string {
	var b bytes.Buffer
	w, err := NewWriter(f, &b)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records {
		if err := w.Write(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func decodedRecords(f Format, text string) (records []Record, errs []string) {
	for r, err := range Read(f, strings.NewReader(text)) {
		if err != nil {
			errs = append(errs, err.Error())
		} else {
			records = append(records, r)
		}
	}
	return records, errs
}

// TestCodecs shows what is written.
func TestCodecs(t *testing.T) {
	r := Record{ID: "t_1", Realm: "p", Subject: `nc "x"`, Predicate: "causes", Object: "=cmd()", Confidence: 0.9, Source: `a,\`, ValidFrom: netTime}
	for f, want := range map[Format]string{
		DOT: "digraph chitta {\n" + `  "nc \"x\"" -> "=cmd()" [label="causes", id="t_1", realm="p", confidence="0.9", source="a,\\", valid_from="2026-02-03T00:00:00Z"];` + "\n}\n",
		CSV: "id,realm,subject,predicate,object,confidence,source,memory,session,message,valid_from,valid_until,recorded,closed_by,assertions,subject_aliases,object_aliases\n" +
			`t_1,p,"nc ""x""",causes,'=cmd(),0.9,"a,\",,,,2026-02-03T00:00:00Z,,,,,,` + "\n",
		JSONLD: jsonldHead + "\n" + `{"@type": "Statement", "@id": "urn:chitta:t_1", "realm": "p", "subject": "nc \"x\"", "predicate": "causes", "object": "=cmd()", "confidence": 0.9, "source": "a,\\", "valid_from": "2026-02-03T00:00:00Z"}` + "\n]}\n",
	} {
		if diff := gocmp.Diff(want, encodedRecords(t, f, r)); diff != "" {
			t.Errorf("%s: %s", f, diff)
		}
	}
}

// TestRoundTrip: what is written is read again as it was, whatever is in it.
func TestRoundTrip(t *testing.T) {
	odd := []string{"", "a", "=1+1", "'", "''", "'=x", "@a", "-", "＝x", `"`, `\`, `a\`, `\"`, `\N`, "a,b", " a ", "a;b", "->", "[x]", "]; }", "<b>", "שלום", "🧠", "\u2028", "#x", "//x", "}", "null", "\ufeffa"}
	text := rapid.OneOf(rapid.SampledFrom(odd), rapid.StringOf(rapid.RuneFrom([]rune(`ab"\'=,;->[]{}<>#/ é字🧠`))))
	when := rapid.Custom(func(t *rapid.T) time.Time {
		if rapid.Bool().Draw(t, "unset") {
			return time.Time{}
		}
		return time.UnixMilli(rapid.Int64Range(-1e12, 4e12).Draw(t, "ms")).UTC()
	})
	rapid.Check(t, func(t *rapid.T) {
		var records []Record
		for range rapid.IntRange(0, 4).Draw(t, "records") {
			r := Record{ID: text.Draw(t, "id"), Realm: text.Draw(t, "realm"), Subject: "s" + text.Draw(t, "subject"), Predicate: "p" + text.Draw(t, "predicate"),
				Object: text.Draw(t, "object"), Confidence: rapid.Float64Range(0, 1).Draw(t, "confidence"), Source: text.Draw(t, "source"),
				Memory: text.Draw(t, "memory"), Session: text.Draw(t, "session"), Message: text.Draw(t, "message"),
				ValidFrom: when.Draw(t, "from"), ValidUntil: when.Draw(t, "until"), Recorded: when.Draw(t, "recorded")}
			if r.Object == "" {
				r.Object = "'="
			}
			if !r.ValidUntil.IsZero() && r.ValidUntil.Before(r.ValidFrom) {
				r.ValidFrom, r.ValidUntil = r.ValidUntil, r.ValidFrom
			}
			records = append(records, r)
		}
		for _, f := range Formats() {
			out := encodedRecords(t, f, records...)
			got, errs := decodedRecords(f, out)
			if errs != nil || !gocmp.Equal(records, got) {
				t.Fatalf("%s: %v\n%s\n%s", f, errs, gocmp.Diff(records, got), out)
			}
			if f == JSONLD && !json.Valid([]byte(out)) {
				t.Fatalf("not JSON: %s", out)
			}
		}
		// another reader of CSV sees the same cells, none of them a formula
		rows, err := csv.NewReader(strings.NewReader(encodedRecords(t, CSV, records...))).ReadAll()
		if err != nil || len(rows) != len(records)+1 {
			t.Fatalf("%v %v", rows, err)
		}
		for _, row := range rows {
			for _, cell := range row {
				if startsFormula(cell) {
					t.Fatalf("%q would be run", cell)
				}
			}
		}
	})
}

func TestReadErrors(t *testing.T) {
	head := "subject,predicate,object,confidence,valid_from,valid_until\n"
	statement := func(s string) string { return `{"@context": {}, "@graph": [` + "\n" + s + "\n]}" }
	for _, c := range []struct {
		name   string
		format Format
		text   string
		read   int
		want   []string // parts of the errors
	}{
		{"other columns and order", CSV, "Object, subject,predicate\nc,a,b\n\n", 1, nil},
		{"a mark at the beginning, Windows line ends", CSV, "\ufeffsubject,predicate,object\r\na,b,c\r\n", 1, nil},
		{"empty", CSV, "", 0, nil},
		{"no columns", CSV, "a,b,c\nd,e,f\n", 0, []string{`line 1: column "a" is not one of`}},
		{"column missing", CSV, "subject,object\na,b\n", 0, []string{`line 1: the first line must name the columns, and there is no "predicate"`}},
		{"column twice", CSV, "subject,subject\n", 0, []string{`line 1: column "subject" is there twice`}},
		{"too few cells", CSV, head + "a,b,c\nx,causes,y,,,\n", 1, []string{"line 2: 3 columns instead of 6"}},
		{"open quote", CSV, head + "\"a,b,c,,,\nx,causes,y,,,\n", 1, []string{"line 2: a quote"}},
		{"text behind a quote", CSV, head + "\"a\"x,b,c,,,\n", 0, []string{"line 2: a quote"}},
		{"confidence", CSV, head + "a,b,c,high,,\na,b,c,2,,\na,b,c,NaN,,\n", 0, []string{`line 2: confidence: "high"`, "line 3: confidence 2", "line 4: confidence NaN"}},
		{"time", CSV, head + "a,b,c,,yesterday,\n", 0, []string{`line 2: valid_from: "yesterday" is not a time`}},
		{"end before beginning", CSV, head + "a,b,c,,2026-01-02T00:00:00Z,2026-01-01T00:00:00Z\n", 0, []string{"line 2: valid_until"}},
		{"no object", CSV, head + "a,b,,,,\n", 0, []string{"line 2: subject, predicate and object"}},
		{"NUL", CSV, head + "a\x00,b,c,,,\n", 0, []string{"line 2: subject"}},
		{"invalid UTF-8", CSV, head + "\xff,b,c,,,\n", 0, []string{"line 2: subject"}},
		{"too long", CSV, head + strings.Repeat("x", maxRecord+1), 0, []string{"line 2: longer than"}},

		{"without quotes", DOT, "digraph g {\n// a remark\na -> b.c [label=causes];\n}", 1, nil},
		{"no graph", DOT, "graph {\n}", 0, []string{"line 1: the graph must begin"}},
		{"cut off", DOT, "digraph g {\na -> b [label=causes];\n", 1, []string{"line 2: the graph is not closed"}},
		{"no edge", DOT, "digraph g {\na;\n\"a\" -> \"b\n\"a\" -> \"b\" [label=\"x]\na -> b [=];\na -> b [label=c id=d];\na -> b [x=y];\na -> b [label=c]; d\n}\n", 0,
			[]string{"line 2: not an edge", "line 3: the edge needs", "line 4: attribute label", "line 5: an attribute must be", "line 6: attributes must be", `line 7: x: "x" is not one of`, `line 8: "d" behind`}},
		{"behind the end", DOT, "digraph g {\n}\na -> b [label=c];", 0, []string{"line 3: the graph has ended"}},

		{"other members", JSONLD, statement(`{"subject": "a", "predicate": "b", "object": "c", "more": [1]}`), 1, nil},
		{"no list", JSONLD, `{"@graph": 1}`, 0, []string{`line 1: "@graph" must be a list`}},
		{"no graph in it", JSONLD, "{\n\n}", 0, []string{`the document has no "@graph"`}},
		{"no object at all", JSONLD, "[]", 0, []string{"line 1: a document must be"}},
		{"no statement", JSONLD, statement(`1,` + "\n" + `{"subject": "a", "predicate": "b", "object": "c"}`), 1, []string{"line 2: a statement must be an object"}},
		{"no text", JSONLD, statement(`{"subject": 1, "predicate": "b", "object": "c"}`), 0, []string{"line 2: subject must be a text"}},
		{"broken", JSONLD, statement(`{"subject": "a", "predicate": "b", "object": "c"},` + "\n" + `{"subject" "a"}`), 1, []string{"line 3: invalid character"}},
		{"cut off", JSONLD, `{"@graph": [{"subject": "a", "predicate": "b", "object": "c"}`, 1, []string{"ends too early"}},
		{"huge", JSONLD, `{"@graph": [{"subject": "` + strings.Repeat("x", 3*maxRecord), 0, []string{"longer than"}},

		{"no format", "xml", "", 0, []string{`format "xml" is not one of`}},
	} {
		t.Run(string(c.format)+" "+c.name, func(t *testing.T) {
			records, errs := decodedRecords(c.format, c.text)
			if len(records) != c.read || len(errs) != len(c.want) {
				t.Fatalf("%d records and %q", len(records), errs)
			}
			for i, want := range c.want {
				if !strings.Contains(errs[i], want) {
					t.Errorf("error %q, want %q", errs[i], want)
				}
			}
		})
	}
}

func TestWriteRefuses(t *testing.T) {
	good := Record{Subject: "a", Predicate: "b", Object: "c"}
	for name, edit := range map[string]func(*Record){
		"control":   func(r *Record) { r.Source = "a\nb" },
		"no object": func(r *Record) { r.Object = "" },
		"NaN":       func(r *Record) { r.Confidence = math.NaN() },
		"year":      func(r *Record) { r.Recorded = time.Date(20000, 1, 1, 0, 0, 0, 0, time.UTC) },
	} {
		bad := good
		edit(&bad)
		for _, f := range Formats() {
			w, err := NewWriter(f, io.Discard)
			if err != nil {
				t.Fatal(err)
			}
			if err := w.Write(bad); err == nil {
				t.Errorf("%s: %s was written", f, name)
			}
		}
	}
	if _, err := NewWriter("xml", io.Discard); err == nil {
		t.Error("xml is a format")
	}
}

// TestReadMany: one bad line amid many is named, and the others are read as a
// stream.
func TestReadMany(t *testing.T) {
	const lines, bad = 200_000, 100_000
	in, out := io.Pipe()
	go func() {
		w := io.Writer(out)
		fmt.Fprintln(w, "subject,predicate,object")
		var b bytes.Buffer
		for i := 2; i <= lines; i++ {
			if i == bad {
				fmt.Fprintln(&b, "only one cell")
			} else {
				fmt.Fprintf(&b, "s%d,causes,o%d\n", i, i)
			}
			if b.Len() > 1<<16 || i == lines {
				w.Write(b.Bytes())
				b.Reset()
			}
		}
		out.Close()
	}()
	n := 0
	var failed *LineError
	for _, err := range Read(CSV, in) {
		if err != nil && (failed != nil || !errors.As(err, &failed)) {
			t.Fatal(err)
		}
		n++
	}
	if failed == nil || failed.Line != bad || n != lines-1 {
		t.Errorf("%v, %d read", failed, n)
	}
}

// FuzzRead: no reader panics, and what it reads can be written and read again.
func FuzzRead(f *testing.F) {
	for i, format := range Formats() {
		f.Add(i, encodedRecords(f, format, Record{ID: "t_1", Subject: "a", Predicate: "b", Object: "'=c", Confidence: 0.5, ValidFrom: netTime}))
	}
	f.Fuzz(func(t *testing.T, which int, text string) {
		all := Formats()
		format := all[((which%len(all))+len(all))%len(all)]
		records, _ := decodedRecords(format, text)
		again, errs := decodedRecords(format, encodedRecords(t, format, records...))
		if errs != nil || !gocmp.Equal(records, again) {
			t.Fatalf("%v %s", errs, gocmp.Diff(records, again))
		}
	})
}

// TestJoinNames: names come back as they were, whatever is in them.
func TestJoinNames(t *testing.T) {
	for text, want := range map[string][]string{"": nil, "nc": {"nc"}, "nc|ncat": {"nc", "ncat"}, " nc | |ncat ": {"nc", "ncat"}, `a\|b|c\\`: {"a|b", `c\`}} {
		got := SplitNames(text)
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
		if diff := gocmp.Diff(want, SplitNames(JoinNames(got))); diff != "" {
			t.Errorf("%q there and back: %s", text, diff)
		}
	}
}

// TestReadDates: a table of people's own has dates, and files of before have no
// columns for aliases.
func TestReadDates(t *testing.T) {
	got, errs := decodedRecords(CSV, "subject,predicate,object,valid_from\na,causes,b,2026-01-31\n")
	want := []Record{{Subject: "a", Predicate: "causes", Object: "b", ValidFrom: time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC)}}
	if diff := gocmp.Diff(want, got); diff != "" || len(errs) > 0 {
		t.Error(diff, errs)
	}
}
