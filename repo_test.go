// Package chitta_test holds the rules of this repository: tests about the code
// as a whole.
package chitta_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// layers lists the packages from top to bottom. A package may import only
// what stands below it: data flows one way, and a reader who knows a package's
// place knows what it can touch.
var layers = []string{
	"cmd/chitta",
	"cmd/weights",
	"internal/cli",
	"internal/bench",
	"internal/bench/ranking",
	"internal/bench/callgraph",
	"internal/daemon",
	"internal/hook",
	"internal/hook/quick",
	"internal/mcpserver",
	"internal/tool",
	"internal/moment",
	"internal/mind",
	"internal/past",
	"internal/ingest",
	"internal/meaning",
	"internal/anchor",
	"internal/follow",
	"internal/codebase",
	"internal/recall",
	"internal/capture",
	"internal/embed",
	"internal/embed/weights",
	"internal/vector",
	"internal/keyword",
	"internal/realm",
	"internal/store",
	"internal/resolve",
	"internal/extract",
	"internal/code",
	"internal/syntax",
	"internal/causal",
	"internal/mine",
	"internal/graph",
	"internal/distil",
	"internal/session",
	"internal/install",
	"internal/rpc",
	"internal/config",
	"internal/memory",
	"internal/expr",
	"internal/evaldata",
}

// forbidden names imports that the order allows and the design does not.
var forbidden = map[string][]string{
	// commands parse, call the client and print
	"internal/cli": {"internal/store", "internal/keyword", "internal/recall", "internal/capture", "internal/realm", "internal/embed", "internal/vector"},
	// edits the files of a client, and nothing of chitta's own
	"internal/install": {"internal/rpc"},
	// a thin shim onto the client
	"internal/mcpserver": {"internal/store", "internal/keyword", "internal/recall", "internal/mind", "internal/past", "internal/ingest", "internal/meaning", "internal/anchor", "internal/follow"},
	// one call of the client, one request
	"internal/hook": {"internal/store", "internal/keyword", "internal/recall", "internal/mind", "internal/past", "internal/ingest", "internal/meaning", "internal/anchor", "internal/follow", "internal/tool", "internal/mcpserver"},
	// composes what the mind can do
	"internal/moment": {"internal/keyword", "internal/meaning", "internal/follow", "internal/embed", "internal/vector", "internal/realm", "internal/rpc"},
	// knows nothing of memories
	"internal/rpc": {"internal/memory"},
	// rooms of the mind: each knows what it is for, and nothing of callers
	"internal/past":    {"internal/ingest", "internal/meaning", "internal/codebase", "internal/recall", "internal/capture", "internal/embed", "internal/vector", "internal/realm", "internal/graph", "internal/rpc", "internal/config"},
	"internal/ingest":  {"internal/meaning", "internal/follow", "internal/recall", "internal/embed", "internal/vector", "internal/keyword", "internal/realm", "internal/rpc"},
	"internal/meaning": {"internal/capture", "internal/keyword", "internal/realm", "internal/session", "internal/rpc"},
	"internal/follow":  {"internal/capture", "internal/embed", "internal/realm", "internal/rpc", "internal/config"},
	"internal/anchor":  {"internal/recall", "internal/capture", "internal/embed", "internal/vector", "internal/keyword", "internal/session", "internal/rpc", "internal/config"},
	// knows source code, and nothing of memories
	"internal/codebase": {"internal/recall", "internal/embed", "internal/vector", "internal/keyword", "internal/rpc", "internal/config", "internal/memory"},
	// own nothing but their subject
	"internal/embed":   {"internal/vector", "internal/keyword", "internal/store", "internal/realm", "internal/rpc", "internal/config"},
	"internal/vector":  {"internal/keyword", "internal/store", "internal/realm", "internal/rpc", "internal/config", "internal/memory"},
	"internal/keyword": {"internal/store", "internal/realm", "internal/rpc", "internal/config", "internal/memory"},
	"internal/capture": {"internal/keyword", "internal/realm", "internal/store", "internal/rpc", "internal/config"},
	"internal/store":   {"internal/rpc", "internal/config"},
	// pure: lines in, messages and chunks out
	"internal/session": {"internal/rpc", "internal/config", "internal/memory"},
}

type goFile struct {
	dir  string
	path string
	ast  *ast.File
}

func parse(t *testing.T) []goFile {
	t.Helper()
	var files []goFile
	for _, root := range []string{"cmd", "internal"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() && d.Name() == "testdata" {
				return filepath.SkipDir
			}
			if !strings.HasSuffix(path, ".go") {
				return nil
			}
			f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
			if err != nil {
				return err
			}
			files = append(files, goFile{filepath.ToSlash(filepath.Dir(path)), filepath.ToSlash(path), f})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}

func TestImportsGoOneWay(t *testing.T) {
	for _, f := range parse(t) {
		if strings.HasSuffix(f.path, "_test.go") {
			continue
		}
		from := slices.Index(layers, f.dir)
		if from < 0 {
			t.Errorf("%s: package %s has no place in the layers of repo_test.go; give it one", f.path, f.dir)
			continue
		}
		for _, spec := range f.ast.Imports {
			path, _ := strconv.Unquote(spec.Path.Value)
			imported, ours := strings.CutPrefix(path, "chitta/")
			if !ours {
				continue
			}
			if to := slices.Index(layers, imported); to >= 0 && to <= from {
				t.Errorf("%s imports %s, which stands above it: move the code or the type down", f.path, imported)
			}
			if imported == "internal/evaldata" {
				t.Errorf("%s imports %s, which is for tests", f.path, imported)
			}
			if slices.Contains(forbidden[f.dir], imported) {
				t.Errorf("%s imports %s, which is not its business", f.path, imported)
			}
		}
	}
}

func TestEveryPackageHasAComment(t *testing.T) {
	has := map[string]bool{}
	for _, f := range parse(t) {
		if strings.HasSuffix(f.path, "_test.go") {
			continue
		}
		has[f.dir] = has[f.dir] || f.ast.Doc != nil && len(f.ast.Doc.Text()) > 40
	}
	for dir, ok := range has {
		if !ok {
			t.Errorf("package %s has no comment that says what it owns", dir)
		}
	}
}

// TestMainIsShort keeps logic out of main.
func TestMainIsShort(t *testing.T) {
	b, err := os.ReadFile("cmd/chitta/main.go")
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(b), "\n"); n >= 20 {
		t.Errorf("main.go has %d lines, want fewer than 20", n)
	}
}

// TestOnlyTheStoreSpeaksSQL holds the boundary that makes another engine
// possible.
func TestOnlyTheStoreSpeaksSQL(t *testing.T) {
	for _, f := range parse(t) {
		if f.dir == "internal/store" {
			continue
		}
		for _, spec := range f.ast.Imports {
			if path, _ := strconv.Unquote(spec.Path.Value); path == "database/sql" || strings.HasPrefix(path, "modernc.org/sqlite") {
				t.Errorf("%s imports %s: SQL belongs in internal/store", f.path, path)
			}
		}
	}
}
