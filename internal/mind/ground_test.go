package mind

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

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
		t.Skip("this build has no parsers; what it does is tested by package anchor")
	}
}

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
