package codebase

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chitta/internal/store"
)

// TestHostileFiles: no file keeps those beside it from being indexed, and what is
// stored of one is of the order of its text.
func TestHostileFiles(t *testing.T) {
	needsParsers(t)
	var vars strings.Builder
	for i := range 18_000 {
		if i%600 == 0 {
			fmt.Fprintf(&vars, "// %s\nvar w%d", strings.Repeat("word ", 500), i)
		}
		fmt.Fprintf(&vars, ",\n\tv%d", i)
		if i%600 == 599 {
			vars.WriteString(" int\n\n")
		}
	}
	var classes strings.Builder
	for i := range 900 {
		fmt.Fprintf(&classes, "class C%d%s {\n", i, strings.Repeat("x", 450))
	}
	for _, c := range []struct{ name, file, text, left string }{
		{"nested lambdas", "bad.js", strings.Repeat("x = "+strings.Repeat("()=>\n", 2000)+"1;\n", 5), ""},
		{"nested classes", "bad.java", classes.String() + strings.Repeat("}\n", 900), ""},
		{"a comment of many", "bad.go", "package m\n\n" + vars.String(), LeftFailed},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := openBase(t, "good")
			b.pool.patience = time.Minute // the machine may be busy
			r := mustIndex(t, b, gitRepo(t, map[string]string{c.file: c.text, "good.go": "package m\n\nfunc F() {}\n"}))
			if c.left == "" && len(r.Skipped) > 0 || c.left != "" && (len(r.Skipped) != 1 || r.Skipped[0].Reason != c.left || !strings.Contains(r.Skipped[0].Why, "takes")) {
				t.Errorf("left out: %+v", r.Skipped)
			}
			if got := queryStrings(t, b, `SELECT count(*) FROM symbol WHERE name = 'F'`); got[0] != "1" {
				t.Error("the file beside it is not indexed")
			}
			fi, err := os.Stat(b.opts.Path)
			if err != nil || fi.Size() > int64(1<<20+400*len(c.text)) {
				t.Errorf("%d bytes are stored of %d, %v", fi.Size(), len(c.text), err)
			}
		})
	}
}

// TestRowsThatDoNotFit: of too many calls of one file some are given, symbols as
// long as there is room for them.
func TestRowsThatDoNotFit(t *testing.T) {
	for _, room := range []int{100, 10, 5, 0} {
		a := solved{Made: store.CodeMade{Symbols: make([]store.CodeSymbol, 8), Edges: make([]store.CodeEdge, 50), Loose: make([]store.CodeLoose, 20)}}
		size := func() int { return len(a.Made.Symbols) + len(a.Made.Edges) + len(a.Made.Loose) }
		given := false
		err := giveRows(&a, func(a *solved) error {
			if size() > room {
				return errLarge
			}
			given = true
			return nil
		})
		if err != nil || !given || a.Cut != (room < 78) || room >= 8 && len(a.Made.Symbols) != 8 {
			t.Errorf("room for %d: %d given, cut %v, %v", room, size(), a.Cut, err)
		}
	}
	if err := giveRows(&solved{}, func(*solved) error { return errLarge }); !errors.Is(err, errLarge) {
		t.Errorf("what cannot be less: %v", err)
	}
}

// TestPipesInPlaceOfFiles: nothing waits for a pipe.
func TestPipesInPlaceOfFiles(t *testing.T) {
	needsParsers(t)
	b := openBase(t, "good")
	root := gitRepo(t, map[string]string{"go.mod": "module m\n", "a.go": "package m\n\nfunc F() {}\n"})
	mustIndex(t, b, root)
	ask, err := b.Ask(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	found, err := ask.Named(t.Context(), "F", root)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a.go", "go.mod"} {
		if err := os.Remove(filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
		makeFIFO(t, filepath.Join(root, name))
	}
	ended := make(chan error, 2)
	go func() {
		_, err := ask.Read(t.Context(), &found[0], 10)
		ended <- err
		_, err = readManifest(filepath.Join(root, "go.mod"))
		ended <- err
	}()
	for range 2 {
		select {
		case err := <-ended:
			if err == nil || !strings.Contains(err.Error(), "not a regular file") {
				t.Errorf("a pipe was read: %v", err)
			}
		case <-time.After(5 * time.Second):
			t.Fatal("it waits for a pipe")
		}
	}
}

// TestShown: no name breaks a line or turns it around.
func TestShown(t *testing.T) {
	for name, want := range map[string]string{
		"a/b.go": "a/b.go", "עברית.py": "עברית.py", "ü🎉.rb": "ü🎉.rb", "a\nb.go": "a␊b.go", "\u202egp.go": "\uFFFDgp.go", "x\x1b[2J.js": "x␛[2J.js", "l\u2028n\u0085\x7f": "l\uFFFDn\uFFFD\uFFFD",
	} {
		if got := Shown(name); got != want {
			t.Errorf("%q is shown as %q", name, got)
		}
	}
	if got := ShownList([]string{"a\n", "b"}); got != "a␊, b" {
		t.Error(got)
	}
}
