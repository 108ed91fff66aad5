package store

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func openCodeAt(t *testing.T, path string, version int) (*Code, string) {
	t.Helper()
	c, anew, err := OpenCode(t.Context(), path, version)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c, anew
}

func codeProject(t *testing.T, c *Code, root string) int64 {
	t.Helper()
	id, err := c.PutProject(t.Context(), CodeProject{Root: root, Begun: time.UnixMilli(5)})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func TestCodeIsMadeAnew(t *testing.T) {
	tests := []struct {
		name    string
		version int
		spoil   func(t *testing.T, path string)
		anew    bool
	}{
		{"as it was", 1, func(*testing.T, string) {}, false},
		{"another version of facts", 2, func(*testing.T, string) {}, true},
		{"no database", 1, func(t *testing.T, path string) { overwrite(t, path, 0, []byte("this is no database at all")) }, true},
		{"a damaged page", 1, func(t *testing.T, path string) { overwrite(t, path, 4096, bytes.Repeat([]byte{0xAB}, 8192)) }, true},
		{"cut", 1, func(t *testing.T, path string) {
			if err := os.Truncate(path, 5000); err != nil {
				t.Fatal(err)
			}
		}, true},
		{"empty", 1, func(t *testing.T, path string) {
			if err := os.Truncate(path, 0); err != nil {
				t.Fatal(err)
			}
		}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "code.db")
			c, _ := openCodeAt(t, path, 1)
			codeProject(t, c, "/a")
			if err := c.Close(); err != nil {
				t.Fatal(err)
			}
			tt.spoil(t, path)
			c, anew := openCodeAt(t, path, tt.version)
			if (anew != "") != tt.anew {
				t.Errorf("anew %q", anew)
			}
			projects, err := c.Projects(t.Context())
			want := 0
			if tt.name == "as it was" || tt.version != 1 { // of another version what was indexed is kept
				want = 1
			}
			if err != nil || len(projects) != want {
				t.Errorf("%v %v", projects, err)
			}
			if anew != "" && len(projects) == 1 && (projects[0].Root != "/a" || !projects[0].Indexed.IsZero() || projects[0].Settled) {
				t.Errorf("%+v", projects[0])
			}
			if fi, err := os.Stat(path); err != nil || fi.Mode().Perm() != 0o600 {
				t.Errorf("mode %v %v", fi.Mode(), err)
			}
		})
	}
}

func overwrite(t *testing.T, path string, at int64, b []byte) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteAt(b, at); err != nil {
		t.Fatal(err)
	}
}

func TestCodeFilesAndWhatIsMadeOfThem(t *testing.T) {
	ctx := context.Background()
	c, _ := openCodeAt(t, filepath.Join(t.TempDir(), "code.db"), 1)
	id, other := codeProject(t, c, "/a"), codeProject(t, c, "/b")
	if again := codeProject(t, c, "/a"); again != id || other == id {
		t.Fatalf("numbers %d %d %d", id, again, other)
	}
	files := []CodeFile{
		{Path: "x.go", Lang: "go", Hash: []byte{1}, Size: 10, Modified: 7, Facts: []byte("facts of x"), Errors: 2, ErrorLines: []int{3, 9}, At: time.UnixMilli(1000).UTC()},
		{Path: "y.go", Lang: "go", Hash: []byte{2}, Skipped: "crash", Why: "it crashed", At: time.UnixMilli(1000).UTC()},
	}
	if err := c.PutCodeFiles(ctx, id, files); err != nil {
		t.Fatal(err)
	}
	if err := c.PutCodeFiles(ctx, other, []CodeFile{{Path: "x.go", Lang: "go"}}); err != nil {
		t.Fatal(err)
	}
	got, err := c.CodeFiles(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	want := []CodeFile{files[0], files[1]}
	want[0].Facts, want[1].Facts = nil, nil
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	// more rows than one statement takes, and some left over
	made := CodeMade{File: files[0].ID, Hash: 42}
	for i := range int64(3*bulkRows + 7) {
		made.Symbols = append(made.Symbols, CodeSymbol{ID: i + 1, Index: int32(i), Name: "S", Folded: "s", Path: "S", Kind: "function", Body: 1<<64 - 1})
		made.Edges = append(made.Edges, CodeEdge{Src: i, Dst: i + 1, Line: 1, Rule: "scope", Confidence: 1, Kind: "Call"})
	}
	made.Loose = []CodeLoose{{Src: 1, Name: "join", Target: "os.path.join", External: true, Line: 2}, {Src: 1, Name: "x", Target: "x"}}
	made.Inherits = []CodeInherit{{Sub: 1, Super: 2, Text: "Base", Kind: "extends"}, {Sub: 1, Text: "Other", Kind: "extends"}}
	made.Imports = []CodeImport{{Line: 1, Module: "os", External: "os"}, {Line: 2, Module: "a", Targets: []string{"y.go", "x.go", "y.go"}}}
	for range 2 { // the second replaces the first
		if err := c.PutCodeMade(ctx, id, []CodeMade{made}); err != nil {
			t.Fatal(err)
		}
	}
	counts, err := c.CodeCounts(ctx, id)
	n := 3*bulkRows + 7
	if diff := cmp.Diff(CodeCounts{Files: 1, Symbols: n, Edges: n, External: 1, Unknown: 1, Inherits: 2, Imports: 2, Facts: 10}, counts); diff != "" || err != nil {
		t.Error(diff, err)
	}
	if got, _ := c.CodeFiles(ctx, id); got[0].Made != 42 {
		t.Errorf("made %d", got[0].Made)
	}
	if err := c.RemoveCodeFiles(ctx, []int64{files[0].ID}); err != nil {
		t.Fatal(err)
	}
	if counts, err := c.CodeCounts(ctx, id); err != nil || counts != (CodeCounts{}) {
		t.Errorf("after removal %+v %v", counts, err)
	}
	if err := c.ClearProject(ctx, id); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Project(ctx, "/a"); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
	if rest, err := c.CodeFiles(ctx, other); err != nil || len(rest) != 1 {
		t.Errorf("the other project has %v %v", rest, err)
	}
}

// TestSymbolsAreFoundByIndex: questions by name and by edge never go through
// whole tables.
func TestSymbolsAreFoundByIndex(t *testing.T) {
	c, _ := openCodeAt(t, filepath.Join(t.TempDir(), "code.db"), 1)
	for _, query := range []string{
		`SELECT id FROM symbol WHERE folded = 'x'`,
		`SELECT id FROM symbol WHERE folded >= 'x' AND folded < 'y'`,
		`SELECT path FROM symbol WHERE id = 1`, `SELECT name FROM symbol WHERE path = 'X.y' AND project = 1`,
		`SELECT src, rule FROM edge WHERE dst = 1`, `SELECT dst, confidence FROM edge WHERE file = 1 AND src = 1`, `SELECT dst, kind FROM edge WHERE file = 1`,
		`SELECT e.rule FROM file f CROSS JOIN edge e ON e.file = f.id WHERE f.project = 1 AND e.confidence >= 0.5`,
		`SELECT e.rule FROM symbol s CROSS JOIN edge e ON e.file = s.file AND e.src = s.id CROSS JOIN file f ON f.id = e.file WHERE s.id = 1`,
		`SELECT file, module FROM import WHERE target = 'a.go'`, `SELECT target FROM import WHERE file = 1`,
		`SELECT i.module FROM file f CROSS JOIN import i ON i.target = f.path WHERE f.id = 1`,
		`SELECT i.module FROM file f CROSS JOIN import i ON i.file = f.id WHERE f.id = 1`,
		`SELECT id FROM file WHERE project = 1 AND path = 'a.go'`, `SELECT sub FROM inherit WHERE super = 1`,
		`SELECT src FROM loose WHERE name = 'join' AND NOT external`, `SELECT name FROM loose WHERE file = 1 AND src = 1`,
	} {
		rows, err := c.Reader().QueryContext(t.Context(), `EXPLAIN QUERY PLAN `+query)
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			var a, b, x int
			var plan string
			if err := rows.Scan(&a, &b, &x, &plan); err != nil {
				t.Fatal(err)
			}
			if !bytes.HasPrefix([]byte(plan), []byte("SEARCH")) {
				t.Errorf("%s: %s", query, plan)
			}
		}
		rows.Close()
	}
}
