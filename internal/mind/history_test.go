package mind

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"chitta/internal/capture"
	"chitta/internal/memory"
	"chitta/internal/past"
	"chitta/internal/session"
	"chitta/internal/store"
)

// pastSessions is a hand-made history: sessions put into the store as an import would.
type pastSessions struct {
	t     *testing.T
	m     *Mind
	realm string
	at    time.Time
	n     int
}

const appRealm = "p_app0000000000000"

// newPast makes a project with two clones and an empty history.
func newPast(t *testing.T, m *Mind) *pastSessions {
	t.Helper()
	p := &pastSessions{t: t, m: m, realm: appRealm, at: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)}
	p.write(func(tx *store.Tx) error {
		return tx.PutRealm(memory.Realm{ID: appRealm, Name: "app", Kind: memory.RealmProject, Visibility: memory.Private, Paths: []string{"/w/app", "/home/ada/app"}, Created: p.at, Updated: p.at})
	})
	return p
}

func (p *pastSessions) write(fn func(*store.Tx) error) {
	p.t.Helper()
	if err := p.m.store.Write(p.t.Context(), fn); err != nil {
		p.t.Fatal(err)
	}
}

// chat is a session in the making.
type chat struct {
	p     *pastSessions
	id    string
	cwd   string
	lines []map[string]any
}

func (p *pastSessions) session(id, cwd string) *chat { return &chat{p: p, id: id, cwd: cwd} }

func (s *chat) add(kind string, content any, more map[string]any) string {
	s.p.n++
	s.p.at = s.p.at.Add(time.Minute)
	id := fmt.Sprintf("%08x-0000-4000-8000-%012x", s.p.n, s.p.n)
	line := map[string]any{
		"type": kind, "uuid": id, "sessionId": s.id, "cwd": s.cwd, "timestamp": s.p.at.Format(time.RFC3339),
		"message": map[string]any{"role": kind, "content": content},
	}
	for k, v := range more {
		line[k] = v
	}
	s.lines = append(s.lines, line)
	return id
}

func (s *chat) asks(text string) string { return s.add("user", text, nil) }

func (s *chat) says(text string) string {
	return s.add("assistant", []any{map[string]any{"type": "text", "text": text}}, nil)
}

// calls adds a call of a tool and its result; it returns the id of the call.
func (s *chat) calls(tool string, input map[string]any, result string, failed bool) string {
	call := fmt.Sprintf("toolu_%d", s.p.n)
	id := s.add("assistant", []any{map[string]any{"type": "tool_use", "id": call, "name": tool, "input": input}}, nil)
	more := map[string]any{}
	if tool == "Bash" && !failed {
		more["toolUseResult"] = map[string]any{"stdout": result, "stderr": ""}
	}
	s.add("user", []any{map[string]any{"type": "tool_result", "tool_use_id": call, "content": result, "is_error": failed}}, more)
	return id
}

func (s *chat) runs(command, output string) string {
	return s.calls("Bash", map[string]any{"command": command}, output, false)
}

func (s *chat) fails(command, output string) string {
	return s.calls("Bash", map[string]any{"command": command}, "Exit code 1\n"+output, true)
}

func (s *chat) edits(file string) string {
	return s.calls("Edit", map[string]any{"file_path": file, "old_string": "a", "new_string": "b"}, "done", false)
}

func (s *chat) reads(file string) string {
	return s.calls("Read", map[string]any{"file_path": file}, "text", false)
}

// ends stores the session and lets the indexes follow. It returns the chunks.
func (s *chat) ends() []store.Chunk {
	p := s.p
	p.t.Helper()
	x := store.Session{ID: s.id, Source: "claude-code", Realm: p.realm, Cwd: s.cwd, Created: p.at, Updated: p.at}
	var said []session.Message
	p.write(func(tx *store.Tx) error {
		if err := tx.PutSession(&x); err != nil {
			return err
		}
		rows := map[string]int64{}
		turn := int64(0)
		for i, line := range s.lines {
			raw, err := json.Marshal(line)
			if err != nil {
				return err
			}
			record, err := (session.ClaudeCode{}).Line(raw)
			if err != nil {
				return err
			}
			msg := record.Message
			said = append(said, *msg)
			if msg.Human() != "" {
				turn++
				if x.Title == "" {
					x.Title = msg.Human()
				}
			}
			row := store.Message{Session: x.Seq, Position: int64(i), Turn: turn, ID: msg.ID, Role: string(msg.Role), Time: msg.Time, Raw: raw}
			if err := tx.AddMessage(&row); err != nil {
				return err
			}
			rows[msg.ID] = row.Seq
			if x.Started.IsZero() {
				x.Started = msg.Time
			}
			x.Ended = msg.Time
		}
		for i, c := range session.Chunks(said, session.ChunkOptions{}) {
			row := store.Chunk{
				Session: x.Seq, First: int64(c.First), Last: int64(c.Last), Part: c.Part, Role: string(c.Role), Time: c.Time, Turn: int64(c.Turn), Text: c.Text,
				Clock: session.Clock{session.HumanStream: uint32(c.Turn), session.MainStream: uint32(i)},
			}
			row.Hash = capture.Hash(row.Text)
			if err := tx.AddChunk(&row); err != nil {
				return err
			}
		}
		if err := addFacts(tx, x.Seq, said, rows); err != nil {
			return err
		}
		x.Messages = len(said)
		return tx.PutSession(&x)
	})
	if err := p.m.followConversations(p.t.Context()); err != nil {
		p.t.Fatal(err)
	}
	chunks, err := p.m.store.ChunksOf(p.t.Context(), x.Seq)
	if err != nil {
		p.t.Fatal(err)
	}
	return chunks
}

func addFacts(tx *store.Tx, conversation int64, said []session.Message, rows map[string]int64) error {
	when := map[string]time.Time{}
	for _, m := range said {
		when[m.ID] = m.Time
	}
	n := map[string]int{}
	for _, f := range session.FileTouches(said) {
		if err := tx.AddFileTouch(&store.FileTouch{Message: rows[f.Message], N: n[f.Message], Session: conversation, Path: f.Path, Tool: f.Tool, Action: string(f.Action), Failed: f.Failed, Time: when[f.Message]}); err != nil {
			return err
		}
		n[f.Message]++
	}
	for _, r := range session.CommandRuns(said) {
		if err := tx.AddCommandRun(&store.CommandRun{Message: rows[r.Message], Session: conversation, Command: r.Command, ExitCode: r.ExitCode, Failed: r.Failed, Result: r.Result, Time: when[r.Message]}); err != nil {
			return err
		}
	}
	return nil
}

// small is a history of three sessions about one project:
//
//	one   adds a cache; the test fails with an error, an edit mends it
//	two   in another clone: reads the cache, then changes its size
//	three asks for something alike
type smallPast struct {
	*pastSessions
	one, two, three                []store.Chunk
	askCache, failed, edited, good string
	closed, askSize, editedSize    string
}

const cacheError = "cache_test.go:41: cache returned 17 entries, want 16: eviction ran too late"

func small(t *testing.T, m *Mind) *smallPast {
	s := &smallPast{pastSessions: newPast(t, m)}
	one := s.session("one", "/w/app")
	s.askCache = one.asks("Add a cache with eviction to the resolver so that lookups are fast")
	one.reads("/w/app/internal/resolver.go")
	one.calls("Write", map[string]any{"file_path": "/w/app/internal/cache.go", "content": "package internal"}, "done", false)
	s.failed = one.fails("cd /w/app && go test ./internal/... 2>&1 | tail -20", "--- FAIL: TestCache (0.01s)\n    "+cacheError+"\nFAIL")
	s.edited = one.edits("/w/app/internal/cache.go")
	s.good = one.runs("cd /w/app && go test ./internal/... 2>&1 | tail -5", "ok  app/internal 0.31s")
	s.closed = one.says("The resolver now has a cache. Eviction runs before an entry is added, because the limit is strict.")
	s.one = one.ends()

	s.at = s.at.Add(48 * time.Hour)
	two := s.session("two", "/home/ada/app")
	s.askSize = two.asks("Make the size of the cache configurable")
	two.reads("/home/ada/app/internal/cache.go")
	s.editedSize = two.edits("/home/ada/app/internal/cache.go")
	two.edits("/home/ada/app/config.toml")
	two.runs("cd /home/ada/app && go test ./internal/...", "ok  app/internal 0.30s")
	two.says("The size comes from config.toml now.")
	two.asks("Document the new setting in the manual")
	two.edits("/home/ada/app/docs/manual.md")
	two.says("Documented.")
	s.two = two.ends()

	s.at = s.at.Add(48 * time.Hour)
	three := s.session("three", "/w/app")
	three.asks("What does the parser do with tabs?")
	three.reads("/w/app/internal/cache.go")
	three.says("It treats them as blanks.")
	s.three = three.ends()
	return s
}

func (s *smallPast) link(t *testing.T) {
	t.Helper()
	if err := s.m.linker.Maintain(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestBlame(t *testing.T) {
	m := plain(t)
	s := small(t, m)
	if _, err := m.Remember(t.Context(), person, RememberInput{Content: "internal/cache.go evicts before it adds, never after", Kind: "approach", Realm: "app"}); err != nil {
		t.Fatal(err)
	}
	remember(t, m, person, RememberInput{Content: "mycache.go of another tool is not ours", Kind: "wisdom", Realm: "app"})
	for _, file := range []string{"internal/cache.go", "/w/app/internal/cache.go", "/home/ada/app/internal/cache.go", "cache.go", "./internal/cache.go"} {
		out, err := m.Blame(t.Context(), person, past.BlameInput{File: file, Realm: "app"})
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if diff := cmp.Diff([]string{"internal/cache.go"}, out.Files); diff != "" {
			t.Errorf("%s: files (-want +got):\n%s", file, diff)
		}
		want := []past.BlameSession{
			{
				Session: "two", Title: "Make the size of the cache configurable", Edits: 1, Reads: 1, Paths: []string{"/home/ada/app/internal/cache.go"},
				Turns: []past.BlameTurn{{ID: s.editedSize, Edits: 1, Reads: 1, Why: "Make the size of the cache configurable", WhyID: s.askSize,
					Decided: "The size comes from config.toml now."}},
			},
			{
				Session: "one", Title: "Add a cache with eviction to the resolver so that lookups are fast", Edits: 1, Writes: 1, Paths: []string{"/w/app/internal/cache.go"},
				Turns: []past.BlameTurn{{ID: s.edited, Edits: 1, Writes: 1, Why: "Add a cache with eviction to the resolver so that lookups are fast", WhyID: s.askCache,
					Decided: "The resolver now has a cache. Eviction runs before an entry is added, because the limit is strict.", SaidID: s.closed}},
			},
		}
		for i := range out.Sessions {
			x := &out.Sessions[i]
			if x.First.IsZero() || x.Last.Before(x.First) {
				t.Errorf("from %v to %v", x.First, x.Last)
			}
			x.First, x.Last = time.Time{}, time.Time{}
			for k := range x.Turns {
				x.Turns[k].Created = time.Time{}
			}
		}
		if len(out.Sessions) == 2 && len(out.Sessions[0].Turns) == 1 {
			want[0].Turns[0].SaidID = out.Sessions[0].Turns[0].SaidID
		}
		if diff := cmp.Diff(want, out.Sessions); diff != "" {
			t.Errorf("%s (-want +got):\n%s", file, diff)
		}
		if out.Changed != 2 || out.Read != 1 || len(out.Memories) != 1 || !strings.Contains(out.Memories[0].Text, "evicts before") {
			t.Errorf("%s: changed %d, read %d, memories %v", file, out.Changed, out.Read, out.Memories)
		}
	}
	out, err := m.Blame(t.Context(), person, past.BlameInput{File: "cache.go", Realm: "app", Reads: true})
	if err != nil || len(out.Sessions) != 3 || out.Sessions[2].Session != "three" || out.Sessions[2].Reads != 1 {
		t.Errorf("with reads: %+v %v", out.Sessions, err)
	}
	if out, err := m.Blame(t.Context(), person, past.BlameInput{File: "cache.go", Realm: "app", Limit: 1, Since: "2026-03-02"}); err != nil || len(out.Sessions) != 1 || out.Changed != 1 {
		t.Errorf("since: %+v %v", out, err)
	}
}

func TestBlameOffersNearNames(t *testing.T) {
	m := plain(t)
	small(t, m)
	var missing *memory.NotFoundError
	_, err := m.Blame(t.Context(), person, past.BlameInput{File: "internal/cahce.go", Realm: "app"})
	if !errors.As(err, &missing) || !strings.Contains(missing.Hint, "did you mean internal/cache.go?") {
		t.Errorf("%v %+v", err, missing)
	}
	_, err = m.Blame(t.Context(), person, past.BlameInput{File: "/elsewhere/internal/cache.go", Realm: "app"})
	if !errors.As(err, &missing) || !strings.Contains(missing.Hint, "internal/cache.go") {
		t.Errorf("%v %+v", err, missing)
	}
	var wrong *memory.InputError
	for _, file := range []string{"", "a\x00b", "a\xffb", strings.Repeat("x", 5000)} {
		if _, err := m.Blame(t.Context(), person, past.BlameInput{File: file, Realm: "app"}); !errors.As(err, &wrong) {
			t.Errorf("%.10q: %v", file, err)
		}
	}
}

func TestFix(t *testing.T) {
	m := plain(t)
	s := small(t, m)
	// the same trouble with other numbers and another path
	out, err := m.Fix(t.Context(), person, past.FixInput{Error: "    /tmp/x/cache_test.go:99: cache returned 33 entries, want 32: eviction ran too late", Realm: "app"})
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Occurrences) != 1 || out.Found != 1 {
		t.Fatalf("%+v", out)
	}
	got := out.Occurrences[0]
	if got.Created.IsZero() || got.Likeness < 0.9 {
		t.Errorf("%v %v", got.Created, got.Likeness)
	}
	got.Created, got.Likeness = time.Time{}, 0
	want := past.FixOccurrence{
		Session: "one", Doing: "go test ./internal/...", Error: cacheError + "\nFAIL", Times: 1, Verdict: past.VerdictFixed, FixedBy: s.good, ID: got.ID,
		Steps: []past.FixStep{
			{Action: "edit", What: "internal/cache.go", Outcome: "ok", ID: s.edited},
			{Action: "run", What: "go test ./internal/...", Outcome: "ok", ID: s.good},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	none, err := m.Fix(t.Context(), person, past.FixInput{Error: "segmentation fault in the renderer", Realm: "app"})
	if err != nil || len(none.Occurrences) != 0 {
		t.Errorf("%+v %v", none, err)
	}
}

func TestHow(t *testing.T) {
	m := plain(t)
	s := small(t, m)
	out, err := m.How(t.Context(), person, past.HowInput{Task: "run the tests", Realm: "app"})
	if err != nil || len(out.Commands) == 0 {
		t.Fatalf("%+v %v", out, err)
	}
	got := out.Commands[0]
	if got.Command != "go test ./internal/..." || got.Count != 3 || got.Succeeded != 2 || got.Cwd != "/home/ada/app" || got.Example != "cd /home/ada/app && go test ./internal/..." {
		t.Errorf("%+v", got)
	}
	if fmt.Sprintf("%.3f", got.SuccessRate) != "0.667" || len(got.Evidence) != 2 || got.Evidence[1] != s.good || got.LastUsed.IsZero() || got.Request != "Make the size of the cache configurable" {
		t.Errorf("%+v", got)
	}
	if out, err := m.How(t.Context(), person, past.HowInput{Task: "bake bread", Realm: "app"}); err != nil || len(out.Commands) != 0 {
		t.Errorf("%+v %v", out, err)
	}
	var wrong *memory.InputError
	for _, task := range []string{"", "\x00", strings.Repeat("x", memory.MaxQuery+1)} {
		if _, err := m.How(t.Context(), person, past.HowInput{Task: task, Realm: "app"}); !errors.As(err, &wrong) {
			t.Errorf("%.10q: %v", task, err)
		}
	}
}

func TestMentions(t *testing.T) {
	for _, tt := range []struct {
		text, file string
		want       bool
	}{
		{"see internal/cache.go.", "internal/cache.go", true},
		{"cache.go evicts", "internal/cache.go", true},
		{"mycache.go evicts", "internal/cache.go", false},
		{"other/cache.go evicts", "internal/cache.go", false},
		{"cache.gob is data", "internal/cache.go", false},
		{"/w/app/internal/cache.go", "internal/cache.go", true},
	} {
		if got := mentions(tt.text, tt.file); got != tt.want {
			t.Errorf("%q in %q: %v", tt.file, tt.text, got)
		}
	}
}

// edgesOf returns all edges as source>target kind.
func edgesOf(t *testing.T, m *Mind, chunks ...[]store.Chunk) []string {
	t.Helper()
	var seqs []int64
	for _, c := range slices.Concat(chunks...) {
		seqs = append(seqs, c.Seq)
	}
	edges, err := m.store.EdgesFrom(t.Context(), seqs, 1000)
	if err != nil {
		t.Fatal(err)
	}
	out := []string{}
	for _, e := range edges {
		out = append(out, fmt.Sprintf("%d>%d %s %.2f", e.Source, e.Target, e.Kind, e.Weight))
	}
	slices.Sort(out)
	return out
}
