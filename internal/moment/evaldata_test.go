package moment

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"chitta/internal/capture"
	"chitta/internal/config"
	"chitta/internal/distil"
	"chitta/internal/embed"
	"chitta/internal/evaldata"
	"chitta/internal/memory"
	"chitta/internal/mind"
	"chitta/internal/session"
	"chitta/internal/store"
)

// clock is a time that tests move by hand.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) set(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = t
}

func readSession(t testing.TB, path string) []session.Message {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []session.Message
	lines := session.NewLines(f, 0, 0)
	for {
		line, err := lines.Next()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		if rec, err := (session.ClaudeCode{}).Line(line.Bytes); err == nil && rec.Message != nil {
			all = append(all, *rec.Message)
		}
	}
}

// turn is a turn of a recorded session with everything before it.
type turn struct {
	session  string
	messages []session.Message
	first    int // where it begins
}

// turnsOf cuts a session into turns, the first first.
func turnsOf(messages []session.Message) []turn {
	var out []turn
	for end := len(messages); end > 0; {
		first, _ := session.LastTurn(messages[:end])
		if messages[first].Human() != "" {
			out = append(out, turn{messages[first].Session, messages[:end], first})
		}
		end = first
	}
	slices.Reverse(out)
	return out
}

// recorded opens a mind that knows the recorded sessions as one project, with
// what their turns teach as memories. The model is loaded and has embedded all.
func recorded(t testing.TB, home string) (*Keeper, mind.Caller, *clock) {
	t.Helper()
	if _, err := embed.Builtin(); errors.Is(err, embed.ErrNoModel) {
		t.Skip("skipped: this build has no embedding model; make build fetches it")
	}
	files := evaldata.Files(t, "sessions", "claude", "projects", "*", "*.jsonl")
	cfg := config.Default()
	cfg.Home = home
	now := &clock{now: time.Date(2026, 2, 20, 12, 0, 0, 0, time.UTC)}
	m, err := mind.Open(t.Context(), mind.Options{Config: cfg, Now: now.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	project := filepath.Join(home, "app")
	if err := os.MkdirAll(project, 0o700); err != nil {
		t.Fatal(err)
	}
	c := mind.Caller{Actor: mind.ActorCLI, Cwd: project}
	r, err := m.RealmHere(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	k := New(Options{Mind: m})
	if n, err := m.Store().CountSessions(t.Context()); err != nil || n > 0 {
		settleAll(t, m)
		return k, c, now
	}
	for _, file := range files {
		for done := false; !done; {
			out, err := m.SessionIngest(t.Context(), c, mind.SessionIngestInput{Path: file, Realm: r.ID})
			if err != nil {
				t.Fatal(err)
			}
			done = out.Done
		}
	}
	seen := map[string]bool{}
	for _, file := range files {
		for _, x := range turnsOf(readSession(t, file)) {
			if id := x.messages[x.first].ID; !seen[id] {
				seen[id] = true
				learnTurn(t, m, c, now, &x)
			}
		}
	}
	now.set(time.Date(2026, 2, 20, 12, 0, 0, 0, time.UTC))
	settleAll(t, m)
	return k, c, now
}

// learnTurn keeps what a turn teaches.
func learnTurn(t testing.TB, m *mind.Mind, c mind.Caller, now *clock, x *turn) {
	t.Helper()
	c.Session = x.session
	for _, l := range distil.Turn("", x.messages, capture.StripEcho) {
		now.set(x.messages[len(x.messages)-1].Time)
		out, err := m.Remember(t.Context(), c, mind.RememberInput{
			Content: l.Text, Kind: l.Kind.String(), Tags: l.Tags, Confidence: &l.Confidence, Source: string(memory.Subconscious),
			Trust: string(memory.TrustAgent), Session: x.session, Message: l.Messages[0],
		})
		if refused := new(memory.RefusedError); errors.As(err, &refused) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		anchorTo(t, m, out.ID, x.messages[len(x.messages)-1].Cwd, l.Files...)
	}
}

func anchorTo(t testing.TB, m *mind.Mind, id, root string, files ...string) {
	t.Helper()
	rec, err := m.Store().Get(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	err = m.Store().Write(t.Context(), func(tx *store.Tx) error {
		for _, f := range files {
			if rel, err := filepath.Rel(root, f); err == nil && filepath.IsLocal(rel) {
				f = filepath.ToSlash(rel)
			}
			if err := tx.AddAnchors(store.Anchor{Memory: rec.Seq, Path: f}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// settleAll lets the background do all it has to.
func settleAll(t testing.TB, m *mind.Mind) {
	t.Helper()
	for {
		if err := m.Maintain(context.Background()); err != nil {
			t.Fatal(err)
		}
		st, err := m.Status(t.Context(), mind.Caller{Actor: mind.ActorCLI}, mind.NoInput{})
		if err != nil {
			t.Fatal(err)
		}
		if st.Model.State == "ready" && st.Model.Todo == 0 {
			return
		}
	}
}
