package mind

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"chitta/internal/graph"
	"chitta/internal/store"
)

// TestLineReader: whoever reads records through it is told the line of each,
// however long the lines before are.
func TestLineReader(t *testing.T) {
	long := strings.Repeat("n", 100_000)
	text := "subject,predicate,object,source\na,causes,b,\n\nc,causes,d," + long + "\ne,causes,f,"
	lines := &lineReader{from: bufio.NewReaderSize(strings.NewReader(text), 16)}
	var got []int
	for _, err := range graph.Read(graph.CSV, lines) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, lines.lines)
	}
	if len(got) != 3 || got[0] != 2 || got[1] != 4 || got[2] != 5 || lines.bytes != int64(len(text)) {
		t.Errorf("lines %v, %d bytes", got, lines.bytes)
	}
	all, err := io.ReadAll(&lineReader{from: bufio.NewReader(strings.NewReader(text))})
	if err != nil || !bytes.Equal(all, []byte(text)) {
		t.Errorf("%d bytes of %d, %v", len(all), len(text), err)
	}
}

// exportFile writes all facts of a mind to a file in a format.
func exportFile(t *testing.T, m *Mind, f graph.Format) string {
	t.Helper()
	var b bytes.Buffer
	w, err := graph.NewWriter(f, &b)
	if err != nil {
		t.Fatal(err)
	}
	for in := (GraphExportInput{Realm: "all", Limit: 3}); ; {
		page, err := m.GraphExport(t.Context(), person, in)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range page.Records {
			line, err := r.Line()
			if err == nil {
				err = w.Write(line)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if in.Cursor = page.Next; in.Cursor == "" {
			break
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// importText imports a text as a file, to the end.
func importText(t *testing.T, m *Mind, f graph.Format, text string) (GraphImportOutput, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "facts")
	write(t, path, text)
	out, err := m.GraphImport(t.Context(), person, GraphImportInput{File: path, Format: string(f)})
	for err == nil && out.Job != "" {
		out, err = m.GraphImport(t.Context(), person, GraphImportInput{Job: out.Job})
	}
	return out, err
}

// TestExportIsExact: what ended facts and all that they rest on travel along, so
// that an export of an import is the same, in every format and twice.
func TestExportIsExact(t *testing.T) {
	m, c := openTest(t)
	tell(t, m, person, "go -[has_version]-> 1.25", func(in *GraphAddInput) { in.From = "2026-01-01" })
	c.advance(day)
	tell(t, m, person, "go -[has_version]-> 1.26", func(in *GraphAddInput) { in.From = "2026-02-01" })
	tell(t, m, person, "go -[requires]-> git (0.5)")
	c.advance(day)
	tell(t, m, agent, "go -[requires]-> git (0.4)")
	if _, err := m.GraphAlias(t.Context(), person, GraphAliasInput{Concept: "go", Alias: "golang"}); err != nil {
		t.Fatal(err)
	}
	kept := remember(t, m, person, RememberInput{Content: "found out that tls.proxy -[requires]-> fresh.certificate"})
	if _, err := m.Forget(t.Context(), person, ForgetInput{ID: kept.ID}); err != nil {
		t.Fatal(err)
	}
	importTurns(t, m, notationTurns(12)...)
	if _, err := m.GraphParse(t.Context(), person, GraphParseInput{Text: "from.text -> other.text", Apply: true, Source: "notes of mine"}); err != nil {
		t.Fatal(err)
	}
	for _, f := range graph.Formats() {
		first := exportFile(t, m, f)
		if !strings.Contains(first, "closed_by") || !strings.Contains(first, "assertions") || !strings.Contains(first, kept.ID) {
			t.Errorf("%s: an end or an assertion is missing:\n%s", f, first)
		}
		other, _ := openTest(t)
		for round, want := range []GraphImportOutput{{Added: 7}, {Known: 7}} {
			out, err := importText(t, other, f, first)
			if want.Problems = []ImportProblem{}; err != nil || !cmp.Equal(want, out) {
				t.Errorf("%s, import %d: %+v %v", f, round+1, out, err)
			}
		}
		if diff := cmp.Diff(first, exportFile(t, other, f)); diff != "" {
			t.Errorf("%s (-first +second):\n%s", f, diff)
		}
		sound(t, other)
	}
}

// TestABadLineImportsNothing: whatever is wrong, and wherever, the line is named
// and nothing is stored.
func TestABadLineImportsNothing(t *testing.T) {
	m, _ := openTest(t)
	tell(t, m, person, "netcat -> hang")
	if _, err := m.GraphAlias(t.Context(), person, GraphAliasInput{Concept: "netcat", Alias: "nc"}); err != nil {
		t.Fatal(err)
	}
	for name, bad := range map[string]string{
		"columns": "a,b", "itself": "x.y,causes,X_Y,user", "one concept": "nc,causes,netcat,user", "source": "a.b,causes,c.d,somewhere",
		"secret": "a.b,causes,ghp_1234567890abcdefghijklmnopqrstuvwxyz12,user", "quote": `"a.b,causes,c.d,user`, "bytes": "a\xff,causes,b,user",
	} {
		var text strings.Builder
		text.WriteString("subject,predicate,object,source\n")
		for i := range 400 {
			if i == 200 {
				text.WriteString(bad + "\n")
			}
			fmt.Fprintf(&text, "s%d.x,causes,o%d.x,\n", i, i)
		}
		out, err := importText(t, m, graph.CSV, text.String())
		if err != nil || len(out.Problems) != 1 || out.Problems[0].Line != 202 || out.Added != 0 {
			t.Errorf("%s: %+v %v", name, out, err)
		}
		same(t, name, factsLike(t, m, person, "? ? ?"), "netcat causes hang")
	}
	if out, err := importText(t, m, graph.CSV, "subject,predicate,object\n"+strings.Repeat("a\n", 100)); err != nil || len(out.Problems) != wrongLines {
		t.Errorf("%+v %v", out, err)
	}
}

// TestForeignIDs: an id that another fact has is replaced and told, what it
// ended is ended by the new one, and importing again adds nothing.
func TestForeignIDs(t *testing.T) {
	m, _ := openTest(t)
	mine := tell(t, m, person, "netcat -> hang").Facts[0]
	text := "id,subject,predicate,object,valid_from,valid_until,closed_by\n" +
		"t_old,go,has_version,1.25,2026-01-01,2026-02-01," + mine.ID + "\n" +
		mine.ID + ",go,has_version,1.26,2026-02-01,,\n"
	for round := range 2 {
		out, err := importText(t, m, graph.CSV, text)
		if err != nil || out.Added != 2-2*round || out.Known != 2*round || len(out.Problems) > 0 {
			t.Errorf("%d: %+v %v", round, out, err)
		}
		if round == 0 && (out.Renamed != 1 || len(out.NewIDs) != 1 || out.NewIDs[0].Was != mine.ID || out.NewIDs[0].Is != foreignID(mine.ID)) {
			t.Errorf("%+v", out)
		}
	}
	old, err := m.store.Triples(t.Context(), store.TripleFilter{Evidence: store.EvidenceFilter{Triple: "t_old"}})
	if err != nil || len(old) != 1 || old[0].ClosedBy != foreignID(mine.ID) {
		t.Errorf("%+v %v", old, err)
	}
}

func TestImportFileRefuses(t *testing.T) {
	m, _ := openTest(t)
	dir := t.TempDir()
	empty := filepath.Join(dir, "empty.csv")
	write(t, empty, "")
	for name, in := range map[string]GraphImportInput{
		"missing": {File: filepath.Join(dir, "none.csv"), Format: "csv"}, "a folder": {File: dir, Format: "csv"}, "empty": {File: empty, Format: "csv"},
		"format": {File: empty, Format: "xml"}, "relative": {File: "facts.csv", Format: "csv"}, "another job": {Job: "import_1"}, "odd": {File: "/a\x00b", Format: "csv"},
	} {
		if out, err := m.GraphImport(t.Context(), person, in); err == nil {
			t.Errorf("%s: %+v", name, out)
		}
	}
	if _, err := m.GraphImport(t.Context(), agent, GraphImportInput{File: empty, Format: "csv"}); err == nil {
		t.Error("an agent imported a file")
	}
}

// TestAnAbandonedImportStoresNothing: who started it is gone, or the daemon
// leaves.
func TestAnAbandonedImportStoresNothing(t *testing.T) {
	m, _ := openTest(t)
	path := filepath.Join(t.TempDir(), "facts.csv")
	write(t, path, "subject,predicate,object\na.b,causes,c.d\n")
	for name, spoil := range map[string]func(x *fileImport){
		"nobody asks": func(x *fileImport) { x.asked.Store(time.Now().Add(-2 * importPatience).UnixNano()) },
		"stopped":     func(x *fileImport) { x.cancel() },
	} {
		x, err := m.newFileImport(person, &GraphImportInput{File: path, Format: "csv"})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		x.cancel = cancel
		x.asked.Store(time.Now().UnixNano())
		spoil(x)
		x.run(ctx)
		if x.err == nil || x.out.Added != 0 {
			t.Errorf("%s: %+v %v", name, x.out, x.err)
		}
	}
	same(t, "stored", factsLike(t, m, person, "? ? ?"))
}
