package anchor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"chitta/internal/code"
	"chitta/internal/codebase"
	"chitta/internal/store"
)

// TestWorkTreeWithin: a work tree within a clone is not held against the clone.
func TestWorkTreeWithin(t *testing.T) {
	t.Parallel()
	needsParsers(t)
	g := newGround(t, map[string]string{"config.go": configGo, ".gitignore": ".trees/\n"})
	g.index()
	id := g.remember("`parse` in config.go gives an empty value for lines without =")
	whole := g.remember("config.go is the file with all that is read")
	g.git("worktree", "add", "-q", ".trees/x", "-b", "x")
	outer := g.dir
	g.write(".trees/x/config.go", strings.Replace(configGo, `"="`, `":"`, 1))
	g.dir = filepath.Join(outer, ".trees", "x")
	g.cwd = g.dir
	g.is(id, Unknown, "the project is not indexed")
	g.is(whole, Stale, "`config.go` changed since 2026-05-04")
	g.index()
	g.is(id, Stale, "`parse` changed since 2026-05-04")
	g.cwd = outer
	g.is(id, Fresh, "")
	g.is(whole, Fresh, "")
}

// TestCopiesAreNoMoves: what was in another place all along did not move there.
func TestCopiesAreNoMoves(t *testing.T) {
	t.Parallel()
	needsParsers(t)
	tiny := "package a\n\nfunc tiny() {}\n"
	g := newGround(t, map[string]string{
		"a/config.go": configGo, "b/lines.go": configGo, "c/tiny.go": tiny,
		"d/same.go": configGo, "e/same.go": configGo,
	})
	g.index()
	id := g.remember("`parse` in a/config.go gives an empty value for lines without =")
	small := g.remember("`tiny` in c/tiny.go does nothing at all, ever")
	file := g.remember("d/same.go is where lines are read from")
	first := g.git("rev-parse", "--abbrev-ref", "HEAD")
	g.git("checkout", "-q", "-b", "other")
	g.git("rm", "-q", "a/config.go", "d/same.go", "c/tiny.go")
	g.write("f/tiny.go", tiny)
	g.git("add", "-A")
	g.git("commit", "-q", "-m", "gone")
	g.remove("e/same.go") // so that only one has it
	g.write("e/same.go", configGo)
	for range 2 {
		if s, n := g.verify(id); s != Stale {
			t.Error("copy:", s, n)
		}
		if s, n := g.verify(small); s != Stale {
			t.Error("tiny:", s, n)
		}
		g.is(file, Stale, "`d/same.go` is gone")
		g.maintain()
	}
	g.git("checkout", "-q", "-f", first)
	g.is(id, Fresh, "")
	g.write("a/config.go", strings.Replace(configGo, `"="`, `":"`, 1))
	g.is(id, Stale, "`parse` changed since 2026-05-04")
}

// TestOverloads: symbols of one path are held as one.
func TestOverloads(t *testing.T) {
	t.Parallel()
	needsParsers(t)
	const java = "class A {\n int doIt(int x) { return 1; }\n int doIt(String s) { return 2; }\n}\n"
	const python = "class A:\n    @property\n    def my_size(self): return self._s\n    @my_size.setter\n    def my_size(self, v): self._s = v\n"
	g := newGround(t, map[string]string{"A.java": java, "a.py": python})
	g.index()
	two, size := g.remember("`doIt` of a String gives two and no more"), g.remember("`A.my_size` sets what it is given, as it is")
	for _, id := range []int64{two, size} {
		g.is(id, Fresh, "")
	}
	g.write("A.java", strings.Replace(java, "return 2", "return 3", 1))
	g.write("a.py", strings.Replace(python, "= v\n", "= v * 2\n", 1))
	g.is(two, Stale, "`A.doIt` changed since 2026-05-04")
	g.is(size, Stale, "`A.my_size` changed since 2026-05-04")
	g.write("A.java", strings.Replace(java, "}\n}", "}\n int doIt(long l) { return 4; }\n}", 1))
	if s, _ := g.verify(two); s != Stale {
		t.Error("one more:", s)
	}
	g.accept(two)
	g.is(two, Fresh, "")
	g.write("A.java", java)
	if s, _ := g.verify(two); s != Stale {
		t.Error("one less:", s)
	}
}

// TestTooMuch: a memory that names more than is held is not called fresh.
func TestTooMuch(t *testing.T) {
	t.Parallel()
	needsParsers(t)
	var source, names strings.Builder
	for i := range Most + 10 {
		fmt.Fprintf(&source, "func fooBar%d() int {\n\treturn %d\n}\n\n", i, i)
		fmt.Fprintf(&names, " `fooBar%d`", i)
	}
	g := newGround(t, map[string]string{"p.go": "package p\n\n" + source.String()})
	g.index()
	id := g.remember("these hold:" + names.String())
	const note = "it names too much to hold against code"
	g.is(id, Unknown, note)
	g.maintain()
	last := fmt.Sprintf("return %d", Most+5)
	g.write("p.go", strings.Replace("package p\n\n"+source.String(), last, last+"0", 1))
	g.is(id, Unknown, note)
	g.write("p.go", strings.Replace("package p\n\n"+source.String(), "return 0", "return 9", 1))
	g.is(id, Stale, "`fooBar0` changed since 2026-05-04")
	if got := Files(g.rows(id)); !slices.Equal(got, []string{"p.go"}) {
		t.Error(got)
	}
	text := "`fooBar1` and many more" + strings.Repeat(" ab/c.de", maxCalled)
	if got := g.anchors(g.remember(text)); !slices.Contains(got, tooMuch+" (no hash)") {
		t.Error(got)
	}
}

// TestTimeRestored: a change that neither size nor time tell of is seen.
func TestTimeRestored(t *testing.T) {
	t.Parallel()
	if fi, err := os.Stat(t.TempDir()); err != nil || codebase.EntryOf(fi) == (codebase.Entry{}) {
		t.Skip("this system does not tell when an entry was changed")
	}
	g := newGround(t, map[string]string{"config.go": configGo})
	full := filepath.Join(g.dir, "config.go")
	old := time.Now().Add(-time.Hour)
	restore := func() {
		if err := os.Chtimes(full, old, old); err != nil {
			t.Fatal(err)
		}
	}
	restore()
	g.index()
	symbol, file := g.remember("`parse` in config.go gives an empty value"), g.remember("what config.go reads are lines, nothing else")
	time.Sleep(settledFor + 100*time.Millisecond) // so that the text is remembered
	ask := func() (out []string) {
		for _, id := range []int64{symbol, file} {
			state, _ := g.check(id, Writing)
			out = append(out, state)
		}
		return out
	}
	for range 2 {
		if got := ask(); !slices.Equal(got, []string{Fresh, Fresh}) {
			t.Fatal(got)
		}
	}
	g.write("config.go", strings.Replace(configGo, `"="`, `":"`, 1))
	restore()
	if got := ask(); slices.Contains(got, Fresh) || got[1] != Stale {
		t.Error(got)
	}
	if s, n := g.verify(symbol); s == Fresh {
		t.Error(s, n)
	}
}

// TestFileOfASymbolIsLetGo: a file that a text names as the place of a symbol is
// held by itself only while the symbol is not known. If it changed before that
// was, it is kept: nobody knows what the symbol was.
func TestFileOfASymbolIsLetGo(t *testing.T) {
	needsParsers(t)
	for _, tt := range []struct {
		name, text     string
		changed, later bool // between, and once more after the index
		want           []string
	}{
		{"told by the symbol", "`parse` in config.go gives an empty value for lines without =", false, false, []string{"config.go:parse"}},
		{"changed later", "`parse` in config.go gives an empty value for lines without =", false, true, []string{"config.go:parse"}},
		{"changed before", "`parse` in config.go gives an empty value for lines without =", true, false, []string{"config.go", "config.go:parse"}},
		{"named by itself", "what config.go says of `parse` is short, and `parse` is not", false, false, []string{"config.go", "config.go:parse"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := newGround(t, map[string]string{"config.go": configGo})
			id := g.remember(tt.text)
			if got := g.anchors(id); !slices.Equal(got, []string{"config.go"}) {
				t.Fatal(got)
			}
			if tt.changed {
				g.write("config.go", configGo+"\nfunc other() {}\n")
			}
			g.index()
			g.maintain()
			if tt.later {
				g.write("config.go", configGo+"\nfunc other() {}\n")
				g.index()
				g.maintain()
				if state, note := g.verify(id); state != Fresh {
					t.Errorf("after a function was added: %s, %s", state, note)
				}
			}
			if got := g.anchors(id); !slices.Equal(got, tt.want) {
				t.Error(got)
			}
		})
	}
}

// TestMoreThanABatch: what was stored before the index is anchored to the last of
// it, and once.
func TestMoreThanABatch(t *testing.T) {
	t.Parallel()
	needsParsers(t)
	g := newGround(t, map[string]string{"config.go": configGo})
	var ids []int64
	for range batch + 5 {
		ids = append(ids, g.remember("`parse` gives an empty value for lines without ="))
	}
	g.index()
	g.maintain()
	for _, id := range ids {
		if got := g.anchors(id); !slices.Equal(got, []string{"config.go:parse"}) {
			t.Fatal(id, got)
		}
	}
	at, err := store.Noted[takenTo](t.Context(), g.store, noteKey(g.dir))
	if err != nil || at.Version != code.Version || at.Rev < int64(len(ids)) {
		t.Errorf("%+v %v", at, err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := g.room.Maintain(ctx); !errors.Is(err, context.Canceled) {
		t.Error("ended:", err)
	}
}
