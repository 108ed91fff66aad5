package store

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// codeFiles stores files without facts and returns their numbers.
func codeFiles(t *testing.T, c *Code, project int64, paths ...string) []int64 {
	t.Helper()
	files := make([]CodeFile, len(paths))
	for i, path := range paths {
		files[i] = CodeFile{Path: path, Lang: "go"}
	}
	if err := c.PutCodeFiles(t.Context(), project, files); err != nil {
		t.Fatal(err)
	}
	ids := make([]int64, len(files))
	for i := range files {
		ids[i] = files[i].ID
	}
	return ids
}

func putMade(t *testing.T, c *Code, project int64, made ...CodeMade) {
	t.Helper()
	if err := c.PutCodeMade(t.Context(), project, made); err != nil {
		t.Fatal(err)
	}
}

func countRows(t *testing.T, c *Code, table string) (n int) {
	t.Helper()
	if err := c.Reader().QueryRowContext(t.Context(), `SELECT count(*) FROM `+table).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestCallsComeBackAsTheyWerePut(t *testing.T) {
	c, _ := openCodeAt(t, filepath.Join(t.TempDir(), "code.db"), 1)
	id := codeProject(t, c, "/a")
	files := codeFiles(t, c, id, "a.go", "b.go")
	symbol := func(id int64) CodeSymbol {
		return CodeSymbol{ID: id, Name: "S", Folded: "s", Path: "S", Kind: "function"}
	}
	edges := []CodeEdge{
		{Src: 10, Dst: 20, Line: 3, Rule: "file", Confidence: 0.95, Kind: "Call"},
		{Src: 10, Dst: 20, Line: 3, Rule: "file", Confidence: 0.95, Kind: "Call"}, // twice in a line
		{Src: 10, Dst: -7, Line: 4, Rule: "receiver", Confidence: 0.8, Kind: "MemberCall"},
		{Src: 0, Dst: 20, Line: 9, Rule: "file", Confidence: 0.5, Kind: "Call"},
	}
	loose := []CodeLoose{{Src: 10, Name: "join", Target: "os.path.join", External: true, Line: 5, Kind: "Call"}, {Src: 10, Name: "x", Target: "x", Line: 6}}
	putMade(t, c, id, CodeMade{File: files[0], Fresh: true, Hash: 5, Symbols: []CodeSymbol{symbol(10)}, Edges: edges, Loose: loose},
		CodeMade{File: files[1], Fresh: true, Hash: 6, Symbols: []CodeSymbol{symbol(20), symbol(-7)}})
	putMade(t, c, id, CodeMade{File: files[1], Hash: 7, Symbols: []CodeSymbol{symbol(-7), symbol(20)}}) // another order, the same ids

	plain := func(calls []CodeCall, err error) []CodeEdge {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		var out []CodeEdge
		for _, x := range calls {
			if x.File != files[0] || x.FilePath != "a.go" {
				t.Errorf("%+v", x)
			}
			out = append(out, x.CodeEdge)
		}
		return out
	}
	if diff := cmp.Diff(edges[:3], plain(c.CallsFrom(t.Context(), []int64{10}, 10))); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]CodeEdge{edges[0], edges[1], edges[3]}, plain(c.CallsTo(t.Context(), []int64{20}, 10))); diff != "" {
		t.Error(diff)
	}
	var all []float64
	err := c.CallsAcross(t.Context(), id, func(_, _, _ int64, confidence float64) { all = append(all, confidence) })
	if slices.Sort(all); err != nil || !slices.Equal(all, []float64{0.5, 0.8, 0.95, 0.95}) {
		t.Errorf("%v %v", all, err)
	}
	got, err := c.LooseFrom(t.Context(), []int64{10}, 10)
	if err != nil || len(got) != 2 || got[0].CodeLoose != loose[0] || got[1].CodeLoose != loose[1] {
		t.Errorf("%+v %v", got, err)
	}
	if n := countRows(t, c, "how"); n != 3 {
		t.Errorf("%d ways are stored", n)
	}
}

func TestImportsShareWhatTheyReach(t *testing.T) {
	c, _ := openCodeAt(t, filepath.Join(t.TempDir(), "code.db"), 1)
	id := codeProject(t, c, "/a")
	files := codeFiles(t, c, id, "main.go", "other.go", "p/x.go", "p/y.go")
	both := []string{"p/y.go", "p/x.go"}
	main := CodeMade{File: files[0], Hash: 5, Imports: []CodeImport{
		{Line: 3, Module: "p", Alias: "q", Targets: both}, {Line: 4, Module: "fmt", External: "fmt"},
	}}
	other := CodeMade{File: files[1], Hash: 6, Imports: []CodeImport{{Line: 1, Module: "p", Targets: both}, {Line: 2, Module: "p/x", Targets: []string{"p/x.go", "p/x.go"}}}}
	lines := func(links []CodeLink, err error) (out []string) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range links {
			out = append(out, fmt.Sprintf("%s:%d %s %s=%s%s", l.FilePath, l.Line, l.Module, l.Alias, l.Target, l.External))
		}
		return out
	}
	const none = 1 // the set without files
	for range 2 {  // the second replaces the first
		putMade(t, c, id, main, other)
		if diff := cmp.Diff([]string{"main.go:3 p q=p/x.go", "main.go:3 p q=p/y.go", "main.go:4 fmt =fmt"}, lines(c.ImportsOf(t.Context(), id, []string{"main.go"}))); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff([]string{"main.go:3 p q=p/x.go", "other.go:1 p =p/x.go", "other.go:2 p/x =p/x.go"}, lines(c.ImportersOf(t.Context(), id, []string{"p/x.go"}))); diff != "" {
			t.Error(diff)
		}
		if n := countRows(t, c, "reach"); n != none+3 {
			t.Errorf("%d files of sets", n)
		}
	}
	// a set stays for as long as somebody has it
	putMade(t, c, id, CodeMade{File: files[1], Hash: 7})
	if n := countRows(t, c, "reach"); n != none+2 {
		t.Errorf("%d files of sets", n)
	}
	if err := c.RemoveCodeFiles(t.Context(), files[:1]); err != nil {
		t.Fatal(err)
	}
	if n := countRows(t, c, "reach"); n != none {
		t.Errorf("%d files of sets", n)
	}
}

// TestClearedProjectLeavesNothing: neither in what is stored of others nor in
// parts of the file that are free.
func TestClearedProjectLeavesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "code.db")
	c, _ := openCodeAt(t, path, 1)
	secret := bytes.Repeat([]byte("what nobody may read again "), 1000)
	put := func(root string, facts []byte) int64 {
		id := codeProject(t, c, root)
		file := []CodeFile{{Path: "x.go", Lang: "go", Facts: facts}}
		if err := c.PutCodeFiles(t.Context(), id, file); err != nil {
			t.Fatal(err)
		}
		putMade(t, c, id, CodeMade{File: file[0].ID, Fresh: true, Hash: 5,
			Symbols: []CodeSymbol{{ID: id, Name: "S", Doc: string(secret[:500])}}, Edges: []CodeEdge{{Src: id, Dst: id}},
			Loose: []CodeLoose{{Src: id, Name: "x"}}, Inherits: []CodeInherit{{Sub: id}}, Imports: []CodeImport{{Module: "m", Targets: []string{"x.go"}}}})
		return id
	}
	large, small := put("/large", make([]byte, 1<<20)), put("/small", secret)
	size := func() int64 {
		fi, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return fi.Size()
	}
	if err := c.ClearProject(t.Context(), small); err != nil {
		t.Fatal(err)
	}
	before := size() // little is free, which stays
	for _, name := range []string{path, path + "-wal"} {
		if data, err := os.ReadFile(name); err != nil || bytes.Count(data, secret[:27]) > 500/27+1 { // those of the other project
			t.Errorf("%s has it %d times %v", name, bytes.Count(data, secret[:27]), err)
		}
	}
	if err := c.ClearProject(t.Context(), large); err != nil {
		t.Fatal(err)
	}
	if after := size(); before < 1<<20 || after > before/4 {
		t.Errorf("%d bytes, then %d", before, after)
	}
	for table, want := range map[string]int{"project": 0, "file": 0, "facts": 0, "symbol": 0, "edge": 0, "loose": 0, "inherit": 0, "import": 0, "reach": 1} {
		if n := countRows(t, c, table); n != want {
			t.Errorf("%d rows of %s", n, table)
		}
	}
}

func TestLargeFileIsCheckedLater(t *testing.T) {
	path := filepath.Join(t.TempDir(), "code.db")
	c, _ := openCodeAt(t, path, 1)
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	c, _ = openCodeAt(t, path, 1)
	c.large = true
	if err := c.Check(t.Context()); err != nil {
		t.Error(err)
	}
	overwrite(t, path, 4096, bytes.Repeat([]byte{0xAB}, 8192))
	c.read.SetMaxIdleConns(0) // nothing of it is in memory
	if err := c.Check(t.Context()); !errors.Is(err, ErrDamaged) {
		t.Error(err)
	}
	c.large = false
	if err := c.Check(t.Context()); err != nil {
		t.Error(err)
	}
}
