package codebase

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"chitta/internal/store"
)

var twoFiles = map[string]string{
	"go.mod":      "module example.org/two\n\ngo 1.22\n",
	"a/a.go":      "package a\n\nimport \"example.org/two/b\"\n\n// Start begins.\nfunc Start() { b.Serve() }\n",
	"b/b.go":      "package b\n\nfunc Serve() { accept() }\n\nfunc accept() {}\n",
	"README.md":   "nothing to parse",
	"b/notes.txt": "nothing to parse",
}

func TestIndexFindsWhatCallsWhat(t *testing.T) {
	needsParsers(t)
	b := openBase(t, "good")
	root := gitRepo(t, twoFiles)
	r := mustIndex(t, b, filepath.Join(root, "b"))
	if r.Root != root || !r.Git || r.Files != 2 || r.Parsed != 2 || r.Languages["go"] != 2 || r.Symbols != 3 {
		t.Errorf("report %+v", r)
	}
	want := []string{"Serve -> accept", "Start -> Serve"}
	if diff := cmp.Diff(want, called(t, b)); diff != "" {
		t.Error(diff)
	}
	if doc := queryStrings(t, b, `SELECT doc || '|' || kind || '|' || line || '|' || signature FROM symbol WHERE name = 'Start'`); len(doc) != 1 || !strings.HasPrefix(doc[0], "Start begins.|function|6|func Start()") {
		t.Errorf("symbol %q", doc)
	}
	settledRows(t, b, root)

	again := mustIndex(t, b, root)
	if again.Parsed != 0 || again.Unchanged != 2 || again.Symbols != 3 {
		t.Errorf("nothing changed, and yet %+v", again)
	}
	st, err := b.Stats(t.Context(), filepath.Join(root, "a", "a.go"))
	if err != nil || st.Root != root || st.Counts.Symbols != 3 || st.Counts.Edges != 2 || st.Report == nil || st.Report.Files != 2 {
		t.Errorf("stats %+v, %v", st, err)
	}
	if err := b.Clear(t.Context(), root); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Stats(t.Context(), root); err != ErrUnknown {
		t.Errorf("after clearing: %v", err)
	}
	if n := queryStrings(t, b, `SELECT (SELECT count(*) FROM symbol) + (SELECT count(*) FROM edge) + (SELECT count(*) FROM facts) + (SELECT count(*) FROM manifest)`); n[0] != "0" {
		t.Errorf("%s rows stayed", n[0])
	}
}

func TestIdsStayWhenLinesMove(t *testing.T) {
	needsParsers(t)
	b := openBase(t, "good")
	root := gitRepo(t, twoFiles)
	mustIndex(t, b, root)
	ids := func() []string { return queryStrings(t, b, `SELECT id || ' ' || path FROM symbol ORDER BY 1`) }
	before := ids()
	write(t, root, map[string]string{"b/b.go": "package b\n\n\n\n// moved down\nfunc Serve() { accept() }\n\nfunc accept() {}\n"})
	if r := mustIndex(t, b, root); r.Parsed != 1 {
		t.Errorf("report %+v", r)
	}
	if diff := cmp.Diff(before, ids()); diff != "" {
		t.Error(diff)
	}
	if line := queryStrings(t, b, `SELECT line FROM symbol WHERE name = 'Serve'`); line[0] != "6" {
		t.Errorf("line %v", line)
	}
}

func TestRefreshTouchesWhatChanged(t *testing.T) {
	needsParsers(t)
	b := openBase(t, "good")
	root := gitRepo(t, twoFiles)
	mustIndex(t, b, root)
	steps := []struct {
		name  string
		do    func()
		paths []string
		want  []string
	}{
		{"a call more", func() {
			write(t, root, map[string]string{"b/b.go": "package b\n\nfunc Serve() { accept(); answer() }\n\nfunc accept() {}\n\nfunc answer() {}\n"})
		}, []string{"b/b.go"}, []string{"Serve -> accept", "Serve -> answer", "Start -> Serve"}},
		{"a file more, by its absolute path", func() {
			write(t, root, map[string]string{"b/c.go": "package b\n\nfunc more() { answer() }\n"})
		}, []string{filepath.Join(root, "b", "c.go")}, []string{"Serve -> accept", "Serve -> answer", "Start -> Serve", "more -> answer"}},
		{"what is called goes", func() {
			write(t, root, map[string]string{"b/b.go": "package b\n\nfunc accept() {}\n\nfunc answer() {}\n"})
		}, []string{"b/b.go"}, []string{"more -> answer"}},
		{"and comes back", func() {
			write(t, root, map[string]string{"b/b.go": "package b\n\nfunc Serve() {}\n\nfunc answer() {}\n"})
		}, []string{"b/b.go"}, []string{"Start -> Serve", "more -> answer"}},
		{"a folder goes", func() {
			if err := os.RemoveAll(filepath.Join(root, "b")); err != nil {
				t.Fatal(err)
			}
		}, []string{"b"}, []string{}},
		{"a folder comes", func() {
			write(t, root, map[string]string{"b/d/e.go": "package d\n\nfunc one() { two() }\n\nfunc two() {}\n"})
		}, []string{"b"}, []string{"one -> two"}},
		{"outside of the project", func() {}, []string{"/etc/passwd", "../x.go"}, []string{"one -> two"}},
		{"ignored", func() {
			write(t, root, map[string]string{".gitignore": "gen/\n", "gen/x.go": "package gen\n\nfunc three() { four() }\n\nfunc four() {}\n"})
		}, []string{"gen/x.go"}, []string{"one -> two"}},
	}
	for _, s := range steps {
		s.do()
		if err := b.Refresh(t.Context(), root, s.paths); err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		if diff := cmp.Diff(s.want, called(t, b)); diff != "" {
			t.Errorf("%s: %s", s.name, diff)
		}
	}
	if err := b.settle(t.Context(), root); err != nil {
		t.Fatal(err)
	}
	settledRows(t, b, root)
	if err := b.Refresh(t.Context(), tempDir(t), []string{"x.go"}); err != ErrUnknown {
		t.Errorf("a project that is not indexed: %v", err)
	}
}

// TestRefreshAfterRestart: nothing is in memory, and only what changed is
// written.
func TestRefreshAfterRestart(t *testing.T) {
	needsParsers(t)
	path := filepath.Join(t.TempDir(), "code.db")
	b := openBaseAt(t, path, "good")
	root := gitRepo(t, twoFiles)
	mustIndex(t, b, root)
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	b = openBaseAt(t, path, "good")
	write(t, root, map[string]string{"b/b.go": "package b\n\nfunc Serve() {}\n"})
	if err := b.Refresh(t.Context(), root, []string{"b/b.go"}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"Start -> Serve"}, called(t, b)); diff != "" {
		t.Error(diff)
	}
	settledRows(t, b, root)
}

func TestWorkersThatCrashOrHang(t *testing.T) {
	needsParsers(t)
	b := openBase(t, "bad")
	files := map[string]string{"go.mod": "module x\n"}
	for i := range 40 {
		files[fmt.Sprintf("p/good%d.go", i)] = fmt.Sprintf("package p\n\nfunc good%d() {}\n", i)
	}
	files["p/crash1.go"], files["p/crash2.go"], files["p/hang.go"] = "package p\n\nfunc c1() {}\n", "package p\n\nfunc c2() {}\n", "package p\n\nfunc h() {}\n"
	root := gitRepo(t, files)
	r := mustIndex(t, b, root)
	if r.Files != 40 || r.Symbols != 40 || r.Left[LeftCrash] == nil || r.Left[LeftCrash].Files != 3 || len(r.Skipped) != 3 {
		t.Fatalf("report %+v", r)
	}
	if !strings.Contains(r.Skipped[2].Why, "no answer") || !strings.Contains(r.Skipped[0].Why, "crashed") {
		t.Errorf("reasons %+v", r.Skipped)
	}
	left := func() string {
		return strings.Join(queryStrings(t, b, `SELECT path FROM file WHERE skipped = ? ORDER BY path`, LeftCrash), " ")
	}
	look := func() {
		t.Helper()
		if err := b.Refresh(t.Context(), root, []string{"."}); err != nil {
			t.Fatal(err)
		}
	}
	begun := time.Now()
	if look(); left() != "p/crash1.go p/crash2.go p/hang.go" {
		t.Error(left())
	}
	if took := time.Since(begun); took > b.opts.Patience { // what a worker that hangs costs
		t.Errorf("looking again took %v", took)
	}
	// another time is not another text
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(filepath.Join(root, "p/crash1.go"), later, later); err != nil {
		t.Fatal(err)
	}
	if look(); left() != "p/crash1.go p/crash2.go p/hang.go" {
		t.Error(left())
	}
	// another text is tried
	gitIn(t, root, "mv", "p/crash2.go", "p/mended.go")
	if look(); left() != "p/crash1.go p/hang.go" {
		t.Error(left())
	}
	// who asks for an index has all of them tried: it may have been the machine
	b.pool.command = testWorker("good")
	if r := mustIndex(t, b, root); r.Left[LeftCrash] != nil || r.Parsed != 2 || r.Files != 43 {
		t.Errorf("report %+v", r)
	}
}

// TestWorkersThatAreKilled: a sound file is not blamed for what befell its worker,
// nor tried for ever.
func TestWorkersThatAreKilled(t *testing.T) {
	needsParsers(t)
	b := openBase(t, "bad")
	files := map[string]string{}
	for _, name := range []string{"a", "killed", "once", "stopped", "doomed", "z"} {
		files[name+".go"] = "package p\n\nfunc " + name + "() {}\n"
	}
	r := mustIndex(t, b, gitRepo(t, files))
	if r.Files != 5 || r.Symbols != 5 || len(r.Skipped) != 1 || r.Skipped[0].Path != "doomed.go" {
		t.Errorf("report %+v", r)
	}
}

// TestWorkersThatNeverWork: it is not the files' fault, and none is blamed.
func TestWorkersThatNeverWork(t *testing.T) {
	needsParsers(t)
	files := map[string]string{}
	for i := range 60 {
		files[fmt.Sprintf("f%d.go", i)] = "package p\n"
	}
	b := openBase(t, "dead")
	_, err := b.Index(t.Context(), gitRepo(t, files), "", nil)
	if err == nil || !strings.Contains(err.Error(), "files one after the other") {
		t.Errorf("error %v", err)
	}
}

func TestOddFiles(t *testing.T) {
	needsParsers(t)
	b := openBase(t, "good")
	root := gitRepo(t, map[string]string{
		"good.go":       "package p\n\nfunc good() {}\n",
		"binary.go":     "package p\x00\n",
		"latin1.py":     "# caf\xe9\ndef ol\xe9():\n    pass\n\ndef plain():\n    pass\n",
		"huge.py":       strings.Repeat("x = 1\n", 10<<20/6),
		"line.js":       "var x = \"" + strings.Repeat("a", 100_000) + "\";\n",
		"deep.py":       "x = " + strings.Repeat("(", 10_000) + "1" + strings.Repeat(")", 10_000/2) + "\n",
		"deep2.py":      strings.Repeat("[\n", 10_000) + strings.Repeat("]\n", 10_000),
		"empty.go":      "",
		"gen.go":        "// Code generated by hand. DO NOT EDIT.\n\npackage p\n\nfunc gen() {}\n",
		"says.go":       "package p\n\nconst mark = \"@generated\"\n",
		"odd name ü.go": "package p\n\nfunc odd() {}\n",
	})
	r := mustIndex(t, b, root)
	left := map[string][]string{}
	for reason, l := range r.Left {
		left[reason] = l.Examples
	}
	want := map[string][]string{LeftBinary: {"binary.go"}, LeftLarge: {"huge.py"}, LeftMinified: {"deep.py", "line.js"}, LeftGenerated: {"gen.go"}}
	if diff := cmp.Diff(want, left); diff != "" {
		t.Error(diff)
	}
	if r.Parsed != 6 || r.Parsed != r.Files || r.Unchanged != 0 {
		t.Errorf("%d of %d files are said to be parsed, %d to be as before", r.Parsed, r.Files, r.Unchanged)
	}
	names := symbolNames(t, b)
	for _, s := range []string{"good.go:good", "latin1.py:plain", "odd name ü.go:odd"} {
		if !slices.Contains(names, s) {
			t.Errorf("%s is not among %q", s, names)
		}
	}
}

func TestTwoIndexersAtOnce(t *testing.T) {
	needsParsers(t)
	b := openBase(t, "slow")
	files := map[string]string{}
	for i := range 30 {
		files[fmt.Sprintf("f%d.go", i)] = fmt.Sprintf("package p\n\nfunc f%d() {}\n", i)
	}
	root := gitRepo(t, files)
	var wg sync.WaitGroup
	reports := make([]Report, 3)
	errs := make([]error, 3)
	for i := range reports {
		wg.Go(func() { reports[i], errs[i] = b.Index(t.Context(), root, "", nil) })
	}
	wg.Wait()
	parsed := 0
	for i := range reports {
		if errs[i] != nil {
			t.Fatal(errs[i])
		}
		parsed += reports[i].Parsed
	}
	if parsed != 30 {
		t.Errorf("%d files were parsed, want each once", parsed)
	}
	// one who does not want to wait need not
	p, release, err := b.take(t.Context(), root)
	if err != nil || p == nil {
		t.Fatal(err)
	}
	defer release()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := b.Index(ctx, root, "", nil); err == nil {
		t.Error("two at once")
	}
}

// TestCutOffIndexGoesOn: what was parsed before is not parsed again.
func TestCutOffIndexGoesOn(t *testing.T) {
	needsParsers(t)
	path := filepath.Join(t.TempDir(), "code.db")
	files := map[string]string{}
	const n = 450
	for i := range n {
		files[fmt.Sprintf("f%d.go", i)] = fmt.Sprintf("package p\n\nfunc f%d() { f%d() }\n", i, (i+1)%n)
	}
	root := gitRepo(t, files)
	old := time.Now().Add(-time.Hour)
	for name := range files {
		if err := os.Chtimes(filepath.Join(root, name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	b := openBaseAt(t, path, "good")
	ctx, cancel := context.WithCancel(t.Context())
	_, err := b.Index(ctx, root, "", func(p Progress) {
		if p.Phase == PhaseParsing && p.Done == n/2 {
			cancel()
		}
	})
	if err == nil {
		t.Fatal("it was not cut off")
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	b = openBaseAt(t, path, "good")
	r := mustIndex(t, b, root)
	if r.Files != n || r.Parsed > n-n/2 || r.Parsed == 0 {
		t.Errorf("parsed %d of %d again", r.Parsed, r.Files)
	}
	if got := len(called(t, b)); got != n {
		t.Errorf("%d edges, want %d", got, n)
	}
	settledRows(t, b, root)
}

func TestManifestChangesNames(t *testing.T) {
	needsParsers(t)
	b := openBase(t, "good")
	root := gitRepo(t, twoFiles)
	mustIndex(t, b, root)
	write(t, root, map[string]string{"go.mod": "module example.org/renamed\n\ngo 1.22\n"})
	if err := b.Refresh(t.Context(), root, []string{"go.mod"}); err != nil {
		t.Fatal(err)
	}
	settledRows(t, b, root)
}

// TestKilledIndexerGoesOn kills a process in the middle of an index, without a
// chance to do anything, and lets another go on.
func TestKilledIndexerGoesOn(t *testing.T) {
	needsParsers(t)
	const n = 600
	files := map[string]string{}
	for i := range n {
		files[fmt.Sprintf("f%d.go", i)] = fmt.Sprintf("package p\n\nfunc f%d() { f%d() }\n", i, (i+1)%n)
	}
	root := gitRepo(t, files)
	old := time.Now().Add(-time.Hour)
	for name := range files {
		if err := os.Chtimes(filepath.Join(root, name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "code.db")
	cmd, err := testWorker("indexer")()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Args = append(cmd.Args, path, root)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() && lines.Text() != fmt.Sprintf("%s %d", PhaseParsing, n/2) {
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	b := openBaseAt(t, path, "good")
	r := mustIndex(t, b, root)
	if r.Files != n || r.Parsed > n-batchFiles || r.Parsed < n/2-2*pipelined {
		t.Errorf("parsed %d of %d again", r.Parsed, r.Files)
	}
	if got := len(called(t, b)); got != n {
		t.Errorf("%d edges, want %d", got, n)
	}
	settledRows(t, b, root)
}

// TestDamageInUse: a database that is damaged under the process is said to be,
// and the next start makes it anew.
func TestDamageInUse(t *testing.T) {
	needsParsers(t)
	path := filepath.Join(t.TempDir(), "code.db")
	b := openBaseAt(t, path, "good")
	root := gitRepo(t, twoFiles)
	mustIndex(t, b, root)
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	b = openBaseAt(t, path, "good")
	b.noteDamage(fmt.Errorf("read: %w", store.ErrDamaged))
	b.noteDamage(nil)
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	b = openBaseAt(t, path, "good")
	if projects, err := b.Projects(t.Context()); err != nil || len(projects) != 0 {
		t.Errorf("%v %v", projects, err)
	}
	if r := mustIndex(t, b, root); r.Parsed != 2 {
		t.Errorf("%+v", r)
	}
}

// TestTimeSetBack: a file of the same size whose time was set back is read again.
func TestTimeSetBack(t *testing.T) {
	needsParsers(t)
	if runtime.GOOS != "linux" {
		t.Skip("only here the time of a file's entry is known")
	}
	b := openBase(t, "good")
	root := gitRepo(t, map[string]string{"a.go": "package p\n\nfunc one() {}\n"})
	old := time.Now().Add(-time.Hour)
	set := func() {
		if err := os.Chtimes(filepath.Join(root, "a.go"), old, old); err != nil {
			t.Fatal(err)
		}
	}
	set()
	mustIndex(t, b, root)
	write(t, root, map[string]string{"a.go": "package p\n\nfunc two() {}\n"})
	set()
	mustIndex(t, b, root)
	if got := symbolNames(t, b); !slices.Equal(got, []string{"a.go:two"}) {
		t.Errorf("%q", got)
	}
}

// TestSecretsAreNotKept: neither what is shown of a symbol nor what is stored of
// a file has one.
func TestSecretsAreNotKept(t *testing.T) {
	needsParsers(t)
	b := openBase(t, "good")
	secret := "ghp_" + "a8Fk2LmQ9xTz7RvB3nWc5YdE1hJpS0uGiK6o"
	root := gitRepo(t, map[string]string{
		"a.py": "# log in with " + secret + "\ndef connect(token=\"" + secret + "\"):\n    return send(\"" + secret + "\")\n\nplain = 1\n",
	})
	mustIndex(t, b, root)
	for _, query := range []string{`SELECT signature FROM symbol`, `SELECT doc FROM symbol`, `SELECT CAST(data AS TEXT) FROM facts`} {
		for _, text := range queryStrings(t, b, query) {
			if strings.Contains(text, secret) {
				t.Errorf("%s: %q", query, text)
			}
		}
	}
	if got := strings.Join(queryStrings(t, b, `SELECT signature FROM symbol WHERE name = 'connect'`), ""); !strings.Contains(got, "[redacted:") {
		t.Error(got)
	}
}
