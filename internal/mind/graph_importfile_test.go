package mind

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"chitta/internal/graph"
	"chitta/internal/memory"
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
	pipe := filepath.Join(dir, "pipe.csv")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	var wrong *memory.InputError
	if out, err := m.GraphImport(t.Context(), person, GraphImportInput{File: pipe, Format: "csv"}); !errors.As(err, &wrong) || !strings.Contains(wrong.Problem, "is a pipe") || wrong.Hint == "" {
		t.Errorf("a pipe: %+v %v", out, err)
	}
	for name, in := range map[string]GraphImportInput{
		"nothing to cancel": {Cancel: true}, "another to cancel": {Job: "import_1", Cancel: true},
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

// factTable is a table of so many facts.
func factTable(n int) string {
	var text strings.Builder
	text.WriteString("subject,predicate,object,valid_from\n")
	for i := range n {
		fmt.Fprintf(&text, "part.n%d,causes,other.n%d,2026-01-01\n", i, i/2)
	}
	return text.String()
}

// readyImport is an import of a text that is ready to run, and its file.
func readyImport(t *testing.T, m *Mind, text string, in GraphImportInput) (*fileImport, context.Context, string) {
	t.Helper()
	in.File, in.Format = filepath.Join(t.TempDir(), "facts.csv"), "csv"
	write(t, in.File, text)
	x, err := m.newFileImport(person, &in)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	x.cancel = cancel
	x.asked.Store(time.Now().UnixNano())
	return x, ctx, in.File
}

// TestAnImportKeepsItsFile: what is moved to the place of the file while it is
// read makes no difference, a pipe neither; a file that is written to is not
// stored.
func TestAnImportKeepsItsFile(t *testing.T) {
	for _, parts := range []bool{false, true} {
		m, _ := openTest(t)
		x, ctx, path := readyImport(t, m, factTable(10), GraphImportInput{Parts: parts})
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		go func() { x.run(ctx); close(ended) }()
		select {
		case <-ended:
		case <-time.After(10 * time.Second):
			t.Fatal("it waits for a pipe")
		}
		if x.err != nil || x.out.Added != 10 {
			t.Errorf("parts %v: %+v %v", parts, x.out, x.err)
		}
		x, ctx, path = readyImport(t, m, factTable(20), GraphImportInput{Parts: parts})
		write(t, path, factTable(30))
		x.run(ctx)
		if !errors.Is(x.err, errChanged) || x.out.Added != 0 || counts(t, m).Triples != 10 {
			t.Errorf("parts %v, written to: %+v %v", parts, x.out, x.err)
		}
	}
}

// TestStopDoesNotWaitForEver: an import that cannot stop does not keep the
// process from ending.
func TestStopDoesNotWaitForEver(t *testing.T) {
	m, _ := openTest(t)
	x, _, _ := readyImport(t, m, factTable(1), GraphImportInput{}) // nobody runs it, so that it never ends
	defer x.file.Close()
	m.imports.now = x
	defer func() { m.imports.now = nil }()
	begin := time.Now()
	m.imports.stop()
	if took := time.Since(begin); took > 2*stopPatience {
		t.Errorf("waited %v", took)
	}
}

// TestALargeFileIsStoredInParts: at once it is refused, in parts others write in
// between, what a later part explains is known in the end, and importing again
// adds nothing.
func TestALargeFileIsStoredInParts(t *testing.T) {
	m, _ := openTest(t)
	x, ctx, _ := readyImport(t, m, factTable(wholeMost+1), GraphImportInput{})
	x.run(ctx)
	var wrong *memory.InputError
	if !errors.As(x.err, &wrong) || !strings.Contains(wrong.Hint, "--parts") || counts(t, m).Triples != 0 {
		t.Fatalf("%+v %v", x.out, x.err)
	}
	const facts = 6 * partMost
	text := "id,subject,predicate,object,valid_from,valid_until,closed_by\nt_first,go,has_version,1.25,2026-01-01,2026-02-01,t_last\n"
	for i := range facts {
		text += fmt.Sprintf("t_n%d,part.n%d,causes,other.n%d,2026-01-01,,\n", i, i, i)
	}
	text += "t_last,go,has_version,1.26,2026-02-01,,\n"
	for round, want := range []GraphImportOutput{{Added: facts + 2, Parts: 7}, {Known: facts + 2, Parts: 7}} {
		x, ctx, _ := readyImport(t, m, text, GraphImportInput{Parts: true})
		x.run(ctx)
		if want.Problems = []ImportProblem{}; x.err != nil || !cmp.Equal(want, x.out) {
			t.Errorf("%d: %+v %v", round, x.out, x.err)
		}
	}
	first, err := m.store.Triples(t.Context(), store.TripleFilter{Evidence: store.EvidenceFilter{Triple: "t_first"}})
	if err != nil || len(first) != 1 || first[0].ClosedBy != "t_last" {
		t.Errorf("%+v %v", first, err)
	}
	sound(t, m)
}

// TestOthersWriteBetweenParts: while a file is stored in parts, no other write
// waits for more than a part.
func TestOthersWriteBetweenParts(t *testing.T) {
	m, _ := openTest(t)
	x, ctx, _ := readyImport(t, m, factTable(20*partMost), GraphImportInput{Parts: true})
	go x.run(ctx)
	between := 0
	for ; !x.ended(); between++ {
		x.asked.Store(time.Now().UnixNano())
		if err := m.store.Write(t.Context(), func(tx *store.Tx) error { return tx.SetNote("between", fmt.Sprint(between)) }); err != nil {
			t.Fatal(err)
		}
	}
	if x.err != nil || x.out.Parts != 20 || between < 10 {
		t.Errorf("%d writes in between, %+v %v", between, x.out, x.err)
	}
}

// TestACancelledImportSaysWhatBecameOfIt: nothing is stored of a file, or some
// of its parts; or it was done already.
func TestACancelledImportSaysWhatBecameOfIt(t *testing.T) {
	m, _ := openTest(t)
	cancelled := func(text string, parts bool, when func(x *fileImport) bool) GraphImportOutput {
		x, ctx, _ := readyImport(t, m, text, GraphImportInput{Parts: parts})
		m.imports.now = x
		go x.run(ctx)
		for !when(x) && !x.ended() {
			time.Sleep(time.Millisecond)
		}
		out, err := m.GraphImport(t.Context(), person, GraphImportInput{Job: x.id, Cancel: true})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	if out := cancelled(factTable(5000), false, func(x *fileImport) bool { return x.storing.Load() }); !strings.Contains(out.Cut, "nothing was stored") || out.Added != 0 || counts(t, m).Triples != 0 {
		t.Errorf("whole: %+v", out)
	}
	some := func(*fileImport) bool { return counts(t, m).Triples > 0 }
	if out := cancelled(factTable(5000), true, some); out.Cut != "the import was cancelled" || out.Parts == 0 || out.Added != counts(t, m).Triples || out.Added >= 5000 {
		t.Errorf("in parts: %+v, stored %+v", out, counts(t, m))
	}
	if out := cancelled(factTable(1), false, func(*fileImport) bool { return false }); out.Cut != "" || out.Known != 1 {
		t.Errorf("done: %+v", out)
	}
	sound(t, m)
}
