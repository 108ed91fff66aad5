package mind

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chitta/internal/memory"
	"chitta/internal/store"
	"chitta/internal/syntax"
)

// ground is a project with memories that name its code.
type ground struct {
	*testing.T
	m    *Mind
	dir  string
	who  Caller
	when *clock
}

const configGo = `package shop

import "strings"

// parse reads a line.
func parse(line string) (string, string) {
	name, value, _ := strings.Cut(line, "=")
	return name, value
}

type Server struct{ name string }

func (s *Server) Listen(port int) error {
	if port == 0 {
		return nil
	}
	return nil
}
`

func newGround(t *testing.T, files map[string]string) *ground {
	t.Helper()
	m, when := openTest(t)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	g := &ground{T: t, m: m, dir: dir, who: Caller{Actor: ActorCLI, Cwd: dir}, when: when}
	g.git("init", "-q")
	for name, text := range files {
		g.write(name, text)
	}
	g.git("add", "-A")
	g.git("commit", "-q", "-m", "first", "--allow-empty")
	return g
}

func (g *ground) git(args ...string) string {
	g.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.org"}, args...)...)
	cmd.Dir = g.dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		g.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (g *ground) write(name, text string) {
	g.Helper()
	full := filepath.Join(g.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		g.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
		g.Fatal(err)
	}
}

func (g *ground) remove(name string) {
	g.Helper()
	if err := os.Remove(filepath.Join(g.dir, filepath.FromSlash(name))); err != nil {
		g.Fatal(err)
	}
}

// index indexes the project, or does nothing in a build that cannot.
func (g *ground) index() {
	g.Helper()
	if !syntax.Available {
		return
	}
	in := CodeIndexInput{Path: g.dir}
	for range 60 {
		out, err := g.m.CodeIndex(g.Context(), g.who, in)
		if err != nil {
			g.Fatal(err)
		}
		if out.Done {
			return
		}
		in.Job = out.Job
	}
	g.Fatal("the index came to no end")
}

func (g *ground) remember(text string, more ...func(*RememberInput)) string {
	g.Helper()
	in := RememberInput{Content: text, Kind: "wisdom"}
	for _, fn := range more {
		fn(&in)
	}
	return remember(g.T, g.m, g.who, in).ID
}

// verify says how a memory stands: its state and what is said of it.
func (g *ground) verify(id string) (state, note string) {
	g.Helper()
	out, err := g.m.Verify(g.Context(), g.who, VerifyInput{ID: id})
	if err != nil {
		g.Fatal(err)
	}
	return out.Memories[0].Freshness, out.Memories[0].Changed
}

func (g *ground) anchors(id string) []string {
	g.Helper()
	r, err := g.m.store.Get(g.Context(), id)
	if err != nil {
		g.Fatal(err)
	}
	all, err := g.m.store.AnchorsOf(g.Context(), []int64{r.Seq})
	if err != nil {
		g.Fatal(err)
	}
	out := []string{}
	for _, a := range all[r.Seq] {
		s := a.Path
		if a.Symbol != "" {
			s += ":" + a.Symbol
		}
		if a.Named == store.NamedNot {
			s += " (not named)"
		} else if a.Hash == "" {
			s += " (no hash)"
		}
		out = append(out, s)
	}
	return out
}

func needsParsers(t *testing.T) {
	t.Helper()
	if !syntax.Available {
		t.Skip("this build has no parsers; what it does is tested by TestAnchorsToFiles")
	}
}

func TestAnchorsByName(t *testing.T) {
	needsParsers(t)
	g := newGround(t, map[string]string{
		"config.go":       configGo,
		"deep/util.go":    "package deep\n\nfunc ReadAll() {}\n\nfunc read_all() {}\n\nvar timeout = 3\n",
		"a/same.go":       "package a\n\nfunc twice() {}\n\nfunc Open() {}\n",
		"b/same.go":       "package b\n\nfunc twice() {}\n\nfunc Open() {}\n",
		"c/x.go":          "package c\n\nfunc Open() {}\n",
		"d/x.go":          "package d\n\nfunc Open() {}\n",
		"notes/readme.md": "hello\n",
	})
	g.index()
	for _, c := range []struct {
		text string
		want []string
	}{
		{"`parse` gives empty names for lines without =", []string{"config.go:parse"}},
		{"parse is a plain word and means nothing here", []string{}},
		{"the function parse() cuts at the first =", []string{"config.go:parse"}},
		{"parse(line, which) cuts at the first =", []string{"config.go:parse"}},
		{"what config.go says of `parse` is short", []string{"config.go", "config.go:parse"}},
		{"config.go reads lines, and nothing else does", []string{"config.go"}},
		{"see config.go:7 for how lines are cut", []string{"config.go:parse"}},
		{"see config.go:1 for the name of the package", []string{"config.go"}},
		{"see config.go#L14-L16 about port zero", []string{"config.go:Server.Listen"}},
		{"Server.Listen ignores the port zero", []string{"config.go:Server.Listen"}},
		{"Server::Listen ignores the port zero", []string{"config.go:Server.Listen"}},
		{"`Server` has a name and no address", []string{"config.go:Server"}},
		{"ReadAll and read_all are not the same", []string{"deep/util.go:ReadAll", "deep/util.go:read_all"}},
		{"readAll and readall do not exist at all", []string{}},
		{"`timeout` is a plain word that happens to be a variable", []string{}},
		{"util.go is the only file of that name", []string{"deep/util.go"}},
		{"same.go is ambiguous, nobody can tell which", []string{}},
		{"`twice` is in two files, so both count", []string{"a/same.go:twice", "b/same.go:twice"}},
		{"`twice` in a/same.go is the one that counts", []string{"a/same.go:twice"}},
		{"`Open` is in four files, so none counts", []string{}},
		{"`Open` of c/x.go does nothing whatever", []string{"c/x.go:Open"}},
		{"notes/readme.md greets whoever reads it", []string{"notes/readme.md"}},
		{"missing.go and gone/away.go do not exist here", []string{}},
		{"../../etc/passwd and /etc/passwd are none of ours", []string{}},
		{g.dir + "/config.go is named from the root", []string{"config.go"}},
		{"https://example.org/config.go is elsewhere", []string{}},
		{"`par\u202ese` and `\x01` and `` ` `` and ` are nonsense", []string{}},
		{strings.Repeat("`x_", 200) + " is a hostile run of quotes", []string{}},
	} {
		id := g.remember(c.text)
		if got := g.anchors(id); !slices.Equal(got, c.want) {
			t.Errorf("%.60q: %q, want %q", c.text, got, c.want)
		}
		if _, err := g.m.Forget(t.Context(), g.who, ForgetInput{ID: id}); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAnchorsGiven(t *testing.T) {
	needsParsers(t)
	g := newGround(t, map[string]string{"config.go": configGo, "a/same.go": "package a\n\nfunc twice() {}\n", "b/same.go": "package b\n\nfunc twice() {}\n"})
	var input *memory.InputError
	give := func(symbols ...string) func(*RememberInput) {
		return func(in *RememberInput) { in.Symbols = symbols }
	}
	in := RememberInput{Content: "it is not indexed yet, so this fails", Symbols: []string{"parse"}}
	if _, err := g.m.Remember(t.Context(), g.who, in); !errors.As(err, &input) || input.Field != "symbols" {
		t.Errorf("not indexed: %v", err)
	}
	g.index()
	if got := g.anchors(g.remember("lines are cut at the first equals sign", give("parse"))); !slices.Equal(got, []string{"config.go:parse"}) {
		t.Error(got)
	}
	if got := g.anchors(g.remember("one of the two that do nothing twice", give("b/same.go:twice"))); !slices.Equal(got, []string{"b/same.go:twice"}) {
		t.Error(got)
	}
	file := func(in *RememberInput) { in.Files = []string{"config.go"} }
	if got := g.anchors(g.remember("this file is the only one that matters", file)); !slices.Equal(got, []string{"config.go"}) {
		t.Error(got)
	}
	for _, bad := range [][]string{{"nothing"}, {" "}, {"a\x00b"}, {"x.go:parse"}, slices.Repeat([]string{"a"}, maxAnchors+1)} {
		in := RememberInput{Content: "a memory about a symbol that is not there", Symbols: bad}
		if _, err := g.m.Remember(t.Context(), g.who, in); !errors.As(err, &input) || input.Field != "symbols" {
			t.Errorf("%.40q: %v", bad, err)
		}
	}
	r, err := g.m.store.AnchoredMemories(t.Context(), "", 0, 10)
	if err != nil || len(r) != 3 {
		t.Fatal(len(r), err)
	}
	all, err := g.m.store.AnchorsOf(t.Context(), []int64{r[0].Seq})
	if err != nil {
		t.Fatal(err)
	}
	a := all[r[0].Seq][0]
	if a.Revision != g.git("rev-parse", "HEAD") || !a.Taken.Equal(g.m.now()) || !strings.Contains(a.Signature, "func parse(line string)") {
		t.Errorf("%+v", a)
	}
}

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
		{"nothing", func(*ground) {}, FreshnessFresh, ""},
		{"touched", func(g *ground) { g.write("config.go", configGo) }, FreshnessFresh, ""},
		{"reformatted", func(g *ground) {
			g.write("config.go", strings.ReplaceAll(strings.ReplaceAll(configGo, "\t", "        "), "strings.Cut(line, ", "strings.Cut(\n\t\tline,\n\t\t"))
		}, FreshnessFresh, ""},
		{"commented", func(g *ground) {
			g.write("config.go", strings.ReplaceAll(configGo, "\treturn name", "\t// and that is it\n\treturn name"))
		}, FreshnessFresh, ""},
		{"lines before it", func(g *ground) {
			g.write("config.go", strings.Replace(configGo, "// parse", "var more = 1\n\n// parse", 1))
		}, FreshnessFresh, ""},
		{"another changed", func(g *ground) { g.write("config.go", strings.Replace(configGo, "port == 0", "port < 1", 1)) }, FreshnessFresh, ""},
		{"body changed", func(g *ground) { g.write("config.go", strings.Replace(configGo, `"="`, `":"`, 1)) }, FreshnessStale, "`parse` changed since 2026-05-04"},
		{"signature changed", func(g *ground) {
			g.write("config.go", strings.Replace(configGo, "(line string) (string", "(line string, strict bool) (string", 1))
		}, FreshnessStale, "`parse` changed since 2026-05-04, its signature from `func parse(line string) (string, string)` to `func parse(line string, strict bool) (string, string)`"},
		{"renamed", func(g *ground) {
			g.write("config.go", strings.ReplaceAll(configGo, "func parse(", "func cut("))
		}, FreshnessStale, "`parse` was renamed to `cut`"},
		{"moved", func(g *ground) { g.write("config.go", without); g.write("lines.go", other) }, FreshnessFresh, "now in `lines.go`"},
		{"moved with its file", func(g *ground) { g.remove("config.go"); g.write("deep/config.go", configGo) }, FreshnessFresh, "now in `deep/config.go`"},
		{"moved and changed", func(g *ground) {
			g.write("config.go", without)
			g.write("lines.go", strings.Replace(other, `"="`, `":"`, 1))
		},
			FreshnessStale, "`parse` is now in `lines.go`, and changed since 2026-05-04"},
		{"in two places", func(g *ground) { g.write("config.go", without); g.write("a/x.go", other); g.write("b/x.go", other) },
			FreshnessStale, "`parse` is no longer in `config.go`; the same is in `a/x.go` and `b/x.go`"},
		{"deleted", func(g *ground) { g.write("config.go", without) }, FreshnessStale, "`parse` is no longer in `config.go`"},
		{"file deleted", func(g *ground) { g.remove("config.go") }, FreshnessStale, "`parse` is gone with `config.go`"},
		{"file replaced", func(g *ground) { g.write("config.go", "package shop\n\nfunc quite() { other() }\n\nfunc other() {}\n") }, FreshnessStale, "`parse` is no longer in `config.go`"},
		{"no text any more", func(g *ground) { g.write("config.go", "package shop\x00\xff") }, FreshnessUnknown, "`config.go` is not indexed"},
		{"a folder in its place", func(g *ground) { g.remove("config.go"); g.write("config.go/x.go", "package x\n") }, FreshnessUnknown, "`config.go` is not indexed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			g := newGround(t, map[string]string{"config.go": configGo})
			g.index()
			id := g.remember("`parse` in config.go gives an empty value for lines without =")
			if state, note := g.verify(id); state != FreshnessFresh || note != "" {
				t.Fatalf("before: %s, %s", state, note)
			}
			c.change(g)
			if state, note := g.verify(id); state != c.state || note != c.note {
				t.Errorf("%s, %q; want %s, %q", state, note, c.state, c.note)
			}
			if err := g.m.Maintain(t.Context()); err != nil {
				t.Fatal(err)
			}
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
	if state, _ := g.verify(id); state != FreshnessStale {
		t.Error("changed:", state)
	}
	g.git("checkout", "-q", first)
	if state, note := g.verify(id); state != FreshnessFresh || note != "" {
		t.Error("back:", state, note)
	}
	g.git("checkout", "-q", "-b", "moved")
	g.git("mv", "config.go", "settings.go")
	g.git("commit", "-q", "-a", "-m", "moved")
	if state, note := g.verify(id); state != FreshnessFresh || note != "now in `settings.go`" {
		t.Error("moved:", state, note)
	}
	if err := g.m.Maintain(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := g.anchors(id); !slices.Equal(got, []string{"config.go:parse"}) {
		t.Error(got)
	}
	g.write("settings.go", strings.Replace(configGo, `"="`, `":"`, 1))
	if state, note := g.verify(id); state != FreshnessStale || note != "`parse` is now in `settings.go`, and changed since 2026-05-04" {
		t.Error("changed where it is now:", state, note)
	}
	g.git("checkout", "-q", "-f", first)
	if state, note := g.verify(id); state != FreshnessFresh || note != "" {
		t.Error("back again:", state, note)
	}
}

// TestAnchorsToFiles: without an index, or in a build that cannot have one,
// memories are anchored to whole files.
func TestAnchorsToFiles(t *testing.T) {
	for _, c := range []struct {
		name, text, state, note string
	}{
		{"same", configGo, FreshnessFresh, ""},
		{"ends of lines", strings.ReplaceAll(configGo, "\n", "  \r\n") + "\n\n", FreshnessFresh, ""},
		{"indented", strings.Replace(configGo, "\t", "\t\t", 1), FreshnessStale, "`config.go` changed since 2026-05-04"},
		{"commented", strings.ReplaceAll(configGo, "// parse reads a line.", "// parse reads a whole line."), FreshnessStale, "`config.go` changed since 2026-05-04"},
		{"changed", strings.Replace(configGo, `"="`, `":"`, 1), FreshnessStale, "`config.go` changed since 2026-05-04"},
		{"gone", "", FreshnessStale, "`config.go` is gone"},
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
	file := func(name string) func(*RememberInput) {
		return func(in *RememberInput) { in.Files = []string{name} }
	}
	for _, c := range []struct{ text, file, state, note string }{
		{"nothing of code is in this at all", "", "", ""},
		{"about a file that lies elsewhere", outside, FreshnessUnknown, asCode(outside) + " is outside of the project"},
		{"about a file that never was here", "never.go", FreshnessUnknown, "what `never.go` was then is not known"},
		{"about a file that is too large for it", "big.go", FreshnessUnknown, "what `big.go` was then is not known"},
	} {
		var more []func(*RememberInput)
		if c.file != "" {
			more = append(more, file(c.file))
		}
		if state, note := g.verify(g.remember(c.text, more...)); state != c.state || note != c.note {
			t.Errorf("%s: %q, %q", c.text, state, note)
		}
	}
	user := g.remember("the user likes `parse` and config.go everywhere", func(in *RememberInput) { in.Realm = "user" })
	if state, _ := g.verify(user); state != "" {
		t.Error("of no project:", state)
	}
	if !syntax.Available {
		return
	}
	g.index()
	id := g.remember("`parse` gives an empty value for lines without =")
	if _, err := g.m.CodeClear(t.Context(), g.who, CodeClearInput{}); err != nil {
		t.Fatal(err)
	}
	if state, note := g.verify(id); state != FreshnessUnknown || note != "the project is not indexed" {
		t.Error("cleared:", state, note)
	}
}
