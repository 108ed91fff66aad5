package anchor

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"chitta/internal/memory"
	"chitta/internal/syntax"
)

// TestFreshness: what happens to code, and what is then said of a memory about
// `parse` in config.go.
func TestFreshness(t *testing.T) {
	needsParsers(t)
	parse := configGo[strings.Index(configGo, "// parse"):strings.Index(configGo, "type Server")]
	without := strings.Replace(configGo, parse, "", 1)
	other := "package shop\n\nimport \"strings\"\n\n" + parse
	for _, c := range []struct {
		name        string
		change      func(g *ground)
		state, note string
	}{
		{"nothing", func(*ground) {}, Fresh, ""},
		{"touched", func(g *ground) { g.write("config.go", configGo) }, Fresh, ""},
		{"reformatted", func(g *ground) {
			g.write("config.go", strings.ReplaceAll(strings.ReplaceAll(configGo, "\t", "        "), "strings.Cut(line, ", "strings.Cut(\n\t\tline,\n\t\t"))
		}, Fresh, ""},
		{"commented", func(g *ground) {
			g.write("config.go", strings.ReplaceAll(configGo, "\treturn name", "\t// and that is it\n\treturn name"))
		}, Fresh, ""},
		{"lines before it", func(g *ground) {
			g.write("config.go", strings.Replace(configGo, "// parse", "var more = 1\n\n// parse", 1))
		}, Fresh, ""},
		{"another changed", func(g *ground) { g.write("config.go", strings.Replace(configGo, "port == 0", "port < 1", 1)) }, Fresh, ""},
		{"body changed", func(g *ground) { g.write("config.go", strings.Replace(configGo, `"="`, `":"`, 1)) }, Stale, "`parse` changed since 2026-05-04"},
		{"signature changed", func(g *ground) {
			g.write("config.go", strings.Replace(configGo, "(line string) (string", "(line string, strict bool) (string", 1))
		}, Stale, "`parse` changed since 2026-05-04, its signature from `func parse(line string) (string, string)` to `func parse(line string, strict bool) (string, string)`"},
		{"renamed", func(g *ground) {
			g.write("config.go", strings.ReplaceAll(configGo, "func parse(", "func cut("))
		}, Stale, "`parse` was renamed to `cut`"},
		{"moved", func(g *ground) { g.write("config.go", without); g.write("lines.go", other) }, Fresh, "now in `lines.go`"},
		{"moved with its file", func(g *ground) { g.remove("config.go"); g.write("deep/config.go", configGo) }, Fresh, "now in `deep/config.go`"},
		{"moved and changed", func(g *ground) {
			g.write("config.go", without)
			g.write("lines.go", strings.Replace(other, `"="`, `":"`, 1))
		},
			Stale, "`parse` is now in `lines.go`, and changed since 2026-05-04"},
		{"in two places", func(g *ground) { g.write("config.go", without); g.write("a/x.go", other); g.write("b/x.go", other) },
			Stale, "`parse` is no longer in `config.go`; the same is in `a/x.go` and `b/x.go`"},
		{"deleted", func(g *ground) { g.write("config.go", without) }, Stale, "`parse` is no longer in `config.go`"},
		{"file deleted", func(g *ground) { g.remove("config.go") }, Stale, "`parse` is gone with `config.go`"},
		{"file replaced", func(g *ground) { g.write("config.go", "package shop\n\nfunc quite() { other() }\n\nfunc other() {}\n") }, Stale, "`parse` is no longer in `config.go`"},
		{"no text any more", func(g *ground) { g.write("config.go", "package shop\x00\xff") }, Unknown, "`config.go` is not indexed"},
		{"a folder in its place", func(g *ground) { g.remove("config.go"); g.write("config.go/x.go", "package x\n") }, Unknown, "`config.go` is not indexed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			g := newGround(t, map[string]string{"config.go": configGo})
			g.index()
			id := g.remember("`parse` in config.go gives an empty value for lines without =")
			if state, note := g.verify(id); state != Fresh || note != "" {
				t.Fatalf("before: %s, %s", state, note)
			}
			c.change(g)
			if state, note := g.verify(id); state != c.state || note != c.note {
				t.Errorf("%s, %q; want %s, %q", state, note, c.state, c.note)
			}
			g.maintain()
			if state, _ := g.verify(id); state != c.state {
				t.Errorf("then %s", state)
			}
		})
	}
}

// TestFreshnessOfBranches: what is stale on one branch is fresh on another, and
// code that moved on one of them is followed there and nowhere else.
func TestFreshnessOfBranches(t *testing.T) {
	needsParsers(t)
	g := newGround(t, map[string]string{"config.go": configGo})
	g.index()
	id := g.remember("`parse` gives an empty value for lines without =")
	first := g.git("rev-parse", "--abbrev-ref", "HEAD")
	g.git("checkout", "-q", "-b", "colons")
	g.write("config.go", strings.Replace(configGo, `"="`, `":"`, 1))
	g.git("commit", "-q", "-a", "-m", "colons")
	if state, _ := g.verify(id); state != Stale {
		t.Error("changed:", state)
	}
	g.git("checkout", "-q", first)
	if state, note := g.verify(id); state != Fresh || note != "" {
		t.Error("back:", state, note)
	}
	g.git("checkout", "-q", "-b", "moved")
	g.git("mv", "config.go", "settings.go")
	g.git("commit", "-q", "-a", "-m", "moved")
	if state, note := g.verify(id); state != Fresh || note != "now in `settings.go`" {
		t.Error("moved:", state, note)
	}
	g.maintain()
	if got := g.anchors(id); !slices.Equal(got, []string{"config.go:parse"}) {
		t.Error(got)
	}
	g.write("settings.go", strings.Replace(configGo, `"="`, `":"`, 1))
	if state, note := g.verify(id); state != Stale || note != "`parse` is now in `settings.go`, and changed since 2026-05-04" {
		t.Error("changed where it is now:", state, note)
	}
	g.git("checkout", "-q", "-f", first)
	if state, note := g.verify(id); state != Fresh || note != "" {
		t.Error("back again:", state, note)
	}
}

// TestToFiles: without an index, or in a build that cannot have one,
// memories are anchored to whole files.
func TestToFiles(t *testing.T) {
	for _, c := range []struct {
		name, text, state, note string
	}{
		{"same", configGo, Fresh, ""},
		{"ends of lines", strings.ReplaceAll(configGo, "\n", "  \r\n") + "\n\n", Fresh, ""},
		{"indented", strings.Replace(configGo, "\t", "\t\t", 1), Stale, "`config.go` changed since 2026-05-04"},
		{"commented", strings.ReplaceAll(configGo, "// parse reads a line.", "// parse reads a whole line."), Stale, "`config.go` changed since 2026-05-04"},
		{"changed", strings.Replace(configGo, `"="`, `":"`, 1), Stale, "`config.go` changed since 2026-05-04"},
		{"gone", "", Stale, "`config.go` is gone"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := newGround(t, map[string]string{"config.go": configGo})
			id := g.remember("what config.go reads are lines with an equals sign, by `parse`")
			if got := g.anchors(id); !slices.Equal(got, []string{"config.go"}) {
				t.Fatal(got)
			}
			if c.text == "" {
				g.remove("config.go")
			} else {
				g.write("config.go", c.text)
			}
			if state, note := g.verify(id); state != c.state || note != c.note {
				t.Errorf("%s, %s", state, note)
			}
		})
	}
}

// TestUnverifiable: what cannot be held against code says why, and what names
// none says nothing.
func TestUnverifiable(t *testing.T) {
	g := newGround(t, map[string]string{"config.go": configGo, "big.go": "package x\n" + strings.Repeat("// x\n", 300_000)})
	outside := filepath.Join(t.TempDir(), "x.go")
	if err := os.WriteFile(outside, []byte("package x\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ text, file, state, note string }{
		{"nothing of code is in this at all", "", "", ""},
		{"about a file that lies elsewhere", outside, Unknown, asCode(outside) + " is outside of the project"},
		{"about a file that never was here", "never.go", Unknown, "what `never.go` was then is not known"},
		{"about a file that is too large for it", "big.go", Unknown, "what `big.go` was then is not known"},
	} {
		var of Given
		if c.file != "" {
			of.Files = []string{c.file}
		}
		if state, note := g.verify(g.remember(c.text, of)); state != c.state || note != c.note {
			t.Errorf("%s: %q, %q", c.text, state, note)
		}
	}
	user := g.rememberIn(memory.UserRealm, "the user likes `parse` and config.go everywhere")
	if state, _ := g.verify(user); state != "" {
		t.Error("of no project:", state)
	}
	if !syntax.Available {
		return
	}
	g.index()
	id := g.remember("`parse` gives an empty value for lines without =")
	g.clear()
	if state, note := g.verify(id); state != Unknown || note != "the project is not indexed" {
		t.Error("cleared:", state, note)
	}
}

// TestTenAreCheckedAtOnce holds ten memories against a warm index, and says how
// long that takes.
func TestTenAreCheckedAtOnce(t *testing.T) {
	needsParsers(t)
	files := map[string]string{}
	for _, name := range strings.Split("abcdefghij", "") {
		files[name+"/config.go"] = strings.ReplaceAll(configGo, "parse", "parse_"+name)
	}
	g := newGround(t, files)
	old := time.Now().Add(-time.Hour)
	for name := range files {
		if err := os.Chtimes(filepath.Join(g.dir, name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	g.index()
	for _, name := range strings.Split("abcdefghij", "") {
		g.remember("parse_" + name + " gives an empty value for lines like " + strings.Repeat(name, 5))
	}
	list, err := g.store.AnchoredMemories(t.Context(), "", 0, 20)
	if err != nil || len(list) != 10 {
		t.Fatal(len(list), err)
	}
	var took []time.Duration
	for range 50 {
		begun := time.Now()
		seqs := []int64{}
		for i := range list {
			seqs = append(seqs, list[i].Seq)
		}
		anchors, err := g.store.AnchorsOf(t.Context(), seqs)
		if err != nil {
			t.Fatal(err)
		}
		states, err := g.room.Check(t.Context(), g.dir, list, anchors, Reading)
		if err != nil || len(states) != 10 {
			t.Fatal(len(states), err)
		}
		for _, s := range states {
			if s.State != Fresh {
				t.Fatalf("%+v", s)
			}
		}
		took = append(took, time.Since(begun))
	}
	slices.Sort(took)
	t.Logf("median %v", took[len(took)/2])
}
