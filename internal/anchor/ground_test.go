package anchor

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"chitta/internal/codebase"
	"chitta/internal/memory"
	"chitta/internal/store"
	"chitta/internal/syntax"
)

// ground is a project with memories that name its code.
type ground struct {
	*testing.T
	room  *Room
	store *store.Store
	base  *codebase.Base // nil until something is indexed
	dir   string
	cwd   string
	now   time.Time
	made  int // memories
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

// project is the realm of the ground.
const project = "p_shop"

func newGround(t *testing.T, files map[string]string) *ground {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	g := &ground{T: t, dir: dir, cwd: dir, now: time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)}
	g.open()
	g.git("init", "-q")
	for name, text := range files {
		g.write(name, text)
	}
	g.git("add", "-A")
	g.git("commit", "-q", "-m", "first", "--allow-empty")
	return g
}

// open opens a store that knows the project, and a room.
func (g *ground) open() {
	g.Helper()
	var err error
	if g.store, err = store.Open(g.Context(), store.Options{Path: filepath.Join(g.TempDir(), "chitta.db")}); err != nil {
		g.Fatal(err)
	}
	err = g.store.Write(g.Context(), func(tx *store.Tx) error {
		user := memory.Realm{ID: memory.UserRealm, Name: "user", Kind: memory.RealmUser, Visibility: memory.Global, Created: g.now, Updated: g.now}
		shop := memory.Realm{ID: project, Name: "shop", Kind: memory.RealmProject, Visibility: memory.Private, Roots: []string{}, Paths: []string{g.dir}, Created: g.now, Updated: g.now}
		return errors.Join(tx.PutRealm(user), tx.PutRealm(shop))
	})
	if err != nil {
		g.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	var beside sync.WaitGroup
	g.Cleanup(func() {
		stop()
		beside.Wait()
		if problems, err := g.store.Check(context.Background()); err != nil || len(problems) > 0 {
			g.Errorf("check at the end: %v %v", problems, err)
		}
		err := g.store.Close()
		if g.base != nil {
			err = errors.Join(err, g.base.Close())
		}
		if err != nil {
			g.Error(err)
		}
	})
	g.room = New(Options{
		Store: g.store, Code: func(context.Context) (*codebase.Base, error) { return g.base, nil }, Opened: func() *codebase.Base { return g.base },
		Beside: func(fn func(context.Context)) bool {
			beside.Go(func() { fn(ctx) })
			return true
		},
		Secret: func(name string) bool { return strings.Contains(name, "hunter2") },
		Wake:   func() {}, Now: func() time.Time { return g.now }, Log: slog.New(slog.DiscardHandler),
	})
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
	if g.base == nil {
		base, err := codebase.Open(g.Context(), codebase.Options{Path: filepath.Join(g.TempDir(), "code.db"), Now: func() time.Time { return g.now }})
		if err != nil {
			g.Fatal(err)
		}
		g.base = base
	}
	if _, err := g.base.Index(g.Context(), g.dir, project, func(codebase.Progress) {}); err != nil {
		g.Fatal(err)
	}
}

// clear erases the index.
func (g *ground) clear() {
	g.Helper()
	if err := g.base.Clear(g.Context(), g.dir); err != nil {
		g.Fatal(err)
	}
}

// remember stores a memory with its anchors and returns its row.
func (g *ground) remember(text string, of ...Given) int64 {
	g.Helper()
	return g.rememberIn(project, text, of...)
}

func (g *ground) rememberIn(realm, text string, of ...Given) int64 {
	g.Helper()
	g.made++
	r := &store.Record{Hash: fmt.Sprint("hash", g.made)}
	r.Memory = memory.Memory{
		ID: fmt.Sprintf("m_test%04d", g.made), Kind: memory.Wisdom, Content: text, Tags: []string{}, Realm: realm, Visibility: memory.Private,
		State: memory.Active, Confidence: memory.NewConfidence(0.8), Source: memory.Conscious, Trust: memory.TrustUser,
		Provenance: memory.Provenance{Actor: "test", Cwd: g.cwd}, Created: g.now, Updated: g.now, Observed: g.now,
	}
	anchors, err := g.room.Take(g.Context(), r, g.cwd, append(of, Given{})[0])
	if err != nil {
		g.Fatalf("take %q: %v", text, err)
	}
	err = g.store.Write(g.Context(), func(tx *store.Tx) error {
		if err := tx.Insert(r); err != nil {
			return err
		}
		return errors.Join(tx.AddAnchors(On(r.Seq, anchors)...), tx.AddChange(store.Change{Memory: r.ID, At: g.now, Actor: "test", Op: "remember"}))
	})
	if err != nil {
		g.Fatal(err)
	}
	return r.Seq
}

func (g *ground) record(seq int64) store.Record {
	g.Helper()
	all, err := g.store.BySeq(g.Context(), []int64{seq})
	if err != nil || len(all) != 1 {
		g.Fatal(len(all), err)
	}
	return all[seq]
}

func (g *ground) rows(seq int64) []store.Anchor {
	g.Helper()
	all, err := g.store.AnchorsOf(g.Context(), []int64{seq})
	if err != nil {
		g.Fatal(err)
	}
	return all[seq]
}

// anchors says in words what a memory is anchored to.
func (g *ground) anchors(seq int64) []string {
	g.Helper()
	out := []string{}
	for _, a := range g.rows(seq) {
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

// check says how a memory stands: its state and what is said of it.
func (g *ground) check(seq int64, wait Wait) (state, note string) {
	g.Helper()
	out, err := g.room.Check(g.Context(), g.cwd, []store.Record{g.record(seq)}, map[int64][]store.Anchor{seq: g.rows(seq)}, wait)
	if err != nil {
		g.Fatal(err)
	}
	return out[seq].State, out[seq].Note
}

// verify is check for who asks just that.
func (g *ground) verify(seq int64) (state, note string) {
	g.Helper()
	return g.check(seq, Asked)
}

func (g *ground) is(seq int64, state, note string) {
	g.Helper()
	if s, n := g.verify(seq); s != state || n != note {
		g.Errorf("%s, %q; want %s, %q", s, n, state, note)
	}
}

func (g *ground) maintain() {
	g.Helper()
	if err := g.room.Maintain(g.Context()); err != nil {
		g.Fatal(err)
	}
}

// accept takes the anchors of a memory anew and writes what came of it.
func (g *ground) accept(seq int64) []Taken {
	g.Helper()
	out, err := g.room.Retake(g.Context(), project, g.cwd, g.rows(seq))
	if err != nil {
		g.Fatal(err)
	}
	err = g.store.Write(g.Context(), func(tx *store.Tx) error {
		return errors.Join(tx.DropAnchors(out.Drop...), tx.AddAnchors(out.Add...))
	})
	if err != nil {
		g.Fatal(err)
	}
	return out.Did
}

func needsParsers(t *testing.T) {
	t.Helper()
	if !syntax.Available {
		t.Skip("this build has no parsers; what it does is tested by TestToFiles")
	}
}
