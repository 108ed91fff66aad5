package mind

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"chitta/internal/memory"
	"chitta/internal/store"
	"chitta/internal/syntax"
)

// Nothing here may be called fresh when its code changed.

func (g *ground) maintain() {
	g.Helper()
	if err := g.m.Maintain(g.Context()); err != nil {
		g.Fatal(err)
	}
}

func (g *ground) is(id, state, note string) {
	g.Helper()
	if s, n := g.verify(id); s != state || n != note {
		g.Errorf("%s, %q; want %s, %q", s, n, state, note)
	}
}

func (g *ground) rows(id string) []store.Anchor {
	g.Helper()
	r, err := g.m.store.Get(g.Context(), id)
	if err != nil {
		g.Fatal(err)
	}
	all, err := g.m.store.AnchorsOf(g.Context(), []int64{r.Seq})
	if err != nil {
		g.Fatal(err)
	}
	return all[r.Seq]
}

// upgrade has the anchors of a memory be of another version, as if they were
// written before this one, and anchors again.
func (g *ground) upgrade(id string, change func(*taken)) {
	g.Helper()
	err := g.m.store.Write(g.Context(), func(tx *store.Tx) error {
		for _, a := range g.rows(id) {
			h := takenOf(a.Hash)
			h.version, h.what = 0, "77"
			if change != nil {
				change(&h)
			}
			hash := h.String()
			if h.old {
				hash = fmt.Sprintf("%d:%s", h.version, h.what)
			}
			if err := tx.MarkAnchor(a, hash, a.Signature); err != nil {
				return err
			}
		}
		return note(tx, anchoredKey(g.dir), anchoredTo{})
	})
	if err != nil {
		g.Fatal(err)
	}
	g.maintain()
}

// TestAnotherVersion: what was stale before another version of facts came is not
// fresh behind it, and what was fresh is it only where that is certain.
func TestAnotherVersion(t *testing.T) {
	t.Parallel()
	needsParsers(t)
	colons := strings.Replace(configGo, `"="`, `":"`, 1)
	commas := strings.Replace(configGo, `"="`, `","`, 1)
	const noted = "what `parse` was then was noted by another version"
	earlier := func(h *taken) { h.old = true }
	for _, c := range []struct {
		name        string
		then, now   string // text of the file when the memory is made, and when the version changes
		commit      bool   // it is committed between
		looked      bool   // somebody looks before the version changes
		change      func(*taken)
		state, note string
		back        string // state when the text is that of the first commit again
	}{
		{"same", configGo, configGo, false, false, nil, FreshnessFresh, "", FreshnessFresh},
		{"reformatted", configGo, configGo + "\n\n", false, false, nil, FreshnessFresh, "", FreshnessFresh},
		{"changed", configGo, colons, false, true, nil, FreshnessStale, "`parse` changed since 2026-05-04", FreshnessFresh},
		{"changed unseen", configGo, colons, false, false, nil, FreshnessStale, "`parse` changed since 2026-05-04", FreshnessFresh},
		{"never committed", colons, commas, false, false, nil, FreshnessUnknown, noted, FreshnessUnknown},
		{"never committed, seen", colons, commas, false, true, nil, FreshnessStale, "`parse` changed since 2026-05-04, as an earlier version found", FreshnessStale},
		{"never committed, same", colons, colons, false, false, nil, FreshnessFresh, "", FreshnessStale},
		{"committed later", colons, commas, true, false, nil, FreshnessStale, "`parse` changed since 2026-05-04", FreshnessStale},
		{"earlier, changed", configGo, colons, false, false, earlier, FreshnessUnknown, noted, FreshnessUnknown},
		{"earlier, as committed", configGo, configGo + "\n\n", false, false, earlier, FreshnessFresh, "", FreshnessFresh},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			g := newGround(t, map[string]string{"config.go": configGo})
			g.write("config.go", c.then)
			g.index()
			id := g.remember("`parse` in config.go gives an empty value for lines without =")
			g.is(id, FreshnessFresh, "")
			if c.commit {
				g.git("commit", "-q", "-a", "-m", "second")
			}
			g.write("config.go", c.now)
			g.index()
			if c.looked {
				g.verify(id)
				g.maintain()
			}
			g.upgrade(id, c.change)
			g.is(id, c.state, c.note)
			if h := takenOf(g.rows(id)[0].Hash); h.marked(markStale) && !h.comparable() { // the index is made anew
				if _, err := g.m.CodeClear(t.Context(), g.who, CodeClearInput{}); err != nil {
					t.Fatal(err)
				}
				g.is(id, c.state, c.note)
				g.index()
			}
			g.write("config.go", configGo)
			if s, n := g.verify(id); s != c.back {
				t.Errorf("back: %s, %s; want %s", s, n, c.back)
			}
		})
	}
}

// TestAnotherVersionOfFiles: the same for files as a whole.
func TestAnotherVersionOfFiles(t *testing.T) {
	t.Parallel()
	g := newGround(t, map[string]string{"config.go": configGo})
	g.index()
	same, gone := g.remember("what config.go reads are lines, nothing else"), g.remember("config.go has no words about ports at all")
	g.upgrade(same, nil)
	g.is(same, FreshnessFresh, "")
	g.write("config.go", strings.Replace(configGo, `"="`, `":"`, 1))
	want, note := FreshnessStale, "`config.go` changed since 2026-05-04"
	if !syntax.Available { // nothing is anchored in the background
		want, note = FreshnessUnknown, "what `config.go` was then was noted by another version"
	}
	g.is(same, want, note)
	g.verify(gone)
	g.maintain()
	g.upgrade(gone, func(h *taken) { h.text = strings.Repeat("0", len(h.text)) })
	g.is(gone, FreshnessStale, "`config.go` changed since 2026-05-04, as an earlier version found")
}

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
	g.who.Cwd = g.dir
	g.is(id, FreshnessUnknown, "the project is not indexed")
	g.is(whole, FreshnessStale, "`config.go` changed since 2026-05-04")
	if out, err := g.m.CodeRead(t.Context(), g.who, CodeReadInput{CodeSymbolInput: CodeSymbolInput{Symbol: "parse"}}); !errors.As(err, new(*memory.NotFoundError)) {
		t.Errorf("read: %+v %v", out, err)
	}
	g.index()
	g.is(id, FreshnessStale, "`parse` changed since 2026-05-04")
	g.who.Cwd = outer
	g.is(id, FreshnessFresh, "")
	g.is(whole, FreshnessFresh, "")
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
		if s, n := g.verify(id); s != FreshnessStale {
			t.Error("copy:", s, n)
		}
		if s, n := g.verify(small); s != FreshnessStale {
			t.Error("tiny:", s, n)
		}
		g.is(file, FreshnessStale, "`d/same.go` is gone")
		g.maintain()
	}
	g.git("checkout", "-q", "-f", first)
	g.is(id, FreshnessFresh, "")
	g.write("a/config.go", strings.Replace(configGo, `"="`, `":"`, 1))
	g.is(id, FreshnessStale, "`parse` changed since 2026-05-04")
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
	for _, id := range []string{two, size} {
		g.is(id, FreshnessFresh, "")
	}
	g.write("A.java", strings.Replace(java, "return 2", "return 3", 1))
	g.write("a.py", strings.Replace(python, "= v\n", "= v * 2\n", 1))
	g.is(two, FreshnessStale, "`A.doIt` changed since 2026-05-04")
	g.is(size, FreshnessStale, "`A.my_size` changed since 2026-05-04")
	g.write("A.java", strings.Replace(java, "}\n}", "}\n int doIt(long l) { return 4; }\n}", 1))
	if s, _ := g.verify(two); s != FreshnessStale {
		t.Error("one more:", s)
	}
	if _, err := g.m.Verify(t.Context(), g.who, VerifyInput{ID: two, Accept: true}); err != nil {
		t.Fatal(err)
	}
	g.is(two, FreshnessFresh, "")
	g.write("A.java", java)
	if s, _ := g.verify(two); s != FreshnessStale {
		t.Error("one less:", s)
	}
}

// TestFileAndSymbol: a file is not held only where the text names it as the place
// of a symbol.
func TestFileAndSymbol(t *testing.T) {
	t.Parallel()
	needsParsers(t)
	g := newGround(t, map[string]string{"config.go": configGo})
	g.index()
	symbol, both := []string{"config.go:parse"}, []string{"config.go", "config.go:parse"}
	for text, want := range map[string][]string{
		"config.go sets the port to 8080; parse() reads it":   both,
		"`parse` in config.go cuts lines":                     symbol,
		"`parse` in `config.go` cuts lines":                   symbol,
		"`parse` (config.go) cuts lines":                      symbol,
		"parse() of the file config.go cuts lines":            symbol,
		"config.go: parse() cuts lines":                       symbol,
		"config.go:parse cuts lines":                          symbol,
		"`config.go:parse` cuts lines":                        symbol,
		"`config.go::parse` cuts lines":                       symbol,
		"config.go's `parse` cuts lines":                      symbol,
		"config.go has a port, `parse` in config.go cuts it":  both,
		"config.go is short. `parse` is what cuts lines":      both,
		"what parse() gives is what config.go says of colons": both,
	} {
		id := g.remember(text)
		if got := g.anchors(id); !slices.Equal(got, want) {
			t.Errorf("%s: %q", text, got)
		}
		if _, err := g.m.Forget(t.Context(), g.who, ForgetInput{ID: id}); err != nil {
			t.Fatal(err)
		}
	}
	given := g.remember("`parse` in config.go, said with the file", func(in *RememberInput) { in.Files = []string{"config.go"} })
	if got := g.anchors(given); !slices.Equal(got, both) {
		t.Error(got)
	}
}

// TestTooMuch: a memory that names more than is held is not called fresh.
func TestTooMuch(t *testing.T) {
	t.Parallel()
	needsParsers(t)
	var source, names strings.Builder
	for i := range maxAnchors + 10 {
		fmt.Fprintf(&source, "func fooBar%d() int {\n\treturn %d\n}\n\n", i, i)
		fmt.Fprintf(&names, " `fooBar%d`", i)
	}
	g := newGround(t, map[string]string{"p.go": "package p\n\n" + source.String()})
	g.index()
	id := g.remember("these hold:" + names.String())
	const note = "it names too much to hold against code"
	g.is(id, FreshnessUnknown, note)
	g.maintain()
	last := fmt.Sprintf("return %d", maxAnchors+5)
	g.write("p.go", strings.Replace("package p\n\n"+source.String(), last, last+"0", 1))
	g.is(id, FreshnessUnknown, note)
	g.write("p.go", strings.Replace("package p\n\n"+source.String(), "return 0", "return 9", 1))
	g.is(id, FreshnessStale, "`fooBar0` changed since 2026-05-04")
	v, err := g.m.Get(t.Context(), g.who, GetInput{ID: id})
	if err != nil || !slices.Equal(v.Files, []string{"p.go"}) {
		t.Errorf("%v %v", v.Files, err)
	}
	text := "`fooBar1` and many more" + strings.Repeat(" ab/c.de", maxCalled)
	if got := g.anchors(g.remember(text)); !slices.Contains(got, tooMuch+" (no hash)") {
		t.Error(got)
	}
}

// TestTimeRestored: a change that neither size nor time tell of is seen.
func TestTimeRestored(t *testing.T) {
	t.Parallel()
	if markOf(t.TempDir()) == (inodeMark{}) {
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
		for _, id := range []string{symbol, file} {
			v, err := g.m.Get(t.Context(), g.who, GetInput{ID: id})
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, v.Freshness)
		}
		return out
	}
	for range 2 {
		if got := ask(); !slices.Equal(got, []string{FreshnessFresh, FreshnessFresh}) {
			t.Fatal(got)
		}
	}
	g.write("config.go", strings.Replace(configGo, `"="`, `":"`, 1))
	restore()
	if got := ask(); slices.Contains(got, FreshnessFresh) || got[1] != FreshnessStale {
		t.Error(got)
	}
	if s, n := g.verify(symbol); s == FreshnessFresh {
		t.Error(s, n)
	}
}

// TestAccept: it is said what was taken of each place, and what cannot be taken
// is not said to be.
func TestAccept(t *testing.T) {
	t.Parallel()
	needsParsers(t)
	g := newGround(t, map[string]string{"config.go": configGo, "note.txt": "a note on lines\n"})
	g.index()
	accept := func(id string) ([]Taken, error) {
		out, err := g.m.Verify(t.Context(), g.who, VerifyInput{ID: id, Accept: true})
		return out.Taken, err
	}
	id := g.remember("`parse` in config.go gives an empty value; note.txt says so")
	renamed := strings.ReplaceAll(configGo, "func parse(", "func cut(")
	g.write("config.go", renamed)
	g.is(id, FreshnessStale, "`parse` was renamed to `cut`")
	got, err := accept(id)
	want := []Taken{{"config.go", "cut", TakenFollowed, "`parse` was renamed to `cut`"}, {"note.txt", "", TakenNow, ""}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%+v %v", got, err)
	}
	g.maintain()
	g.is(id, FreshnessFresh, "")
	g.write("config.go", strings.Replace(renamed, `"="`, `":"`, 1))
	g.is(id, FreshnessStale, "`cut` changed since 2026-05-04")

	moved := g.remember("`Server.Listen` ignores the port zero, whatever comes")
	listen := configGo[strings.Index(configGo, "type Server"):]
	g.write("config.go", strings.Replace(renamed, listen, "", 1))
	g.write("server.go", "package shop\n\n"+strings.Replace(listen, "port == 0", "port < 1", 1))
	got, err = accept(moved)
	if err != nil || len(got) != 1 || got[0].File != "server.go" || got[0].Action != TakenFollowed {
		t.Errorf("%+v %v", got, err)
	}
	g.is(moved, FreshnessFresh, "")

	g.write("server.go", "package shop\x00\xff")
	var refused *memory.RefusedError
	if got, err = accept(moved); !errors.As(err, &refused) || !strings.Contains(err.Error(), "`server.go` is not indexed") {
		t.Errorf("%+v %v", got, err)
	}
	g.remove("server.go")
	if got, err = accept(moved); err != nil || len(got) != 1 || got[0].Action != TakenDropped {
		t.Errorf("%+v %v", got, err)
	}
}
