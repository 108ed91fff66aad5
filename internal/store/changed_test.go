package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"time"
)

func TestTarget(t *testing.T) {
	for query, want := range map[string]string{
		"INSERT INTO memory (rev) VALUES (?)":                "memory",
		"INSERT OR IGNORE INTO memory_tag(tag) VALUES (?)":   "memory_tag",
		"insert or replace into Meta VALUES (?)":             "meta",
		"\n\tUPDATE memory SET rev = 1 RETURNING rev":        "memory",
		"DELETE FROM anchor WHERE memory = ?":                "anchor",
		"SELECT 1 FROM memory":                               "",
		"SELECT (SELECT max(rev) FROM memory)":               "",
		"PRAGMA wal_checkpoint":                              "",
		"":                                                   "",
		"UPDATE":                                             "",
		"REPLACE INTO note (key, value) VALUES ('a', 'b c')": "note",
	} {
		if got := target(query); got != want {
			t.Errorf("%q writes to %q, want %q", query, got, want)
		}
	}
}

// TestTargetsAreKnown: no query of this package writes in a form that [target]
// does not understand.
func TestTargetsAreKnown(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	literal := regexp.MustCompile("(?s)`\\s*([^`]*)`")
	write := regexp.MustCompile(`(?i)\b(INSERT|REPLACE)\s+(OR\s+\w+\s+)?INTO\s|\bUPDATE\s+\w+\s+SET\b|\bDELETE\s+FROM\s`)
	found := 0
	for _, f := range files {
		if ok, _ := filepath.Match("*_test.go", f); ok {
			continue
		}
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range literal.FindAllStringSubmatch(string(text), -1) {
			if !write.MatchString(m[1]) {
				continue
			}
			found++
			if target(m[1]) == "" {
				t.Errorf("%s: it is not understood what this writes to: %.120s", f, m[1])
			}
		}
	}
	if found < 20 {
		t.Errorf("only %d queries that write were found", found)
	}
}

func TestChanged(t *testing.T) {
	s := openTest(t)
	ctx := context.Background()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	put := func(fail error) {
		err := s.Write(ctx, func(tx *Tx) error {
			if err := tx.AddHookCalls([]HookCall{{At: now, Event: "Stop"}}); err != nil {
				return err
			}
			return fail
		})
		if !errors.Is(err, fail) {
			t.Fatal(err)
		}
	}
	if n := s.Changed("hook_call", "memory"); n != 0 {
		t.Errorf("%d before anything was written", n)
	}
	put(nil)
	first := s.Changed("hook_call")
	if first == 0 || s.Changed("memory") != 0 || s.Changed("memory", "hook_call") != first {
		t.Errorf("%d after a commit, memory %d", first, s.Changed("memory"))
	}
	put(errors.New("rolled back"))
	if n := s.Changed("hook_call"); n != first {
		t.Errorf("%d after a rollback, want %d", n, first)
	}
	for range ownAfter * 2 { // also where the transaction has a statement of its own
		put(nil)
	}
	if n := s.Changed("hook_call"); n <= first {
		t.Errorf("%d after more commits", n)
	}
	if n := s.Changed(); n != 0 {
		t.Errorf("%d for no table", n)
	}
}

// TestLatest: what happened last in a realm is found without going through
// everything, and is what a listing says.
func TestLatest(t *testing.T) {
	s := openTest(t)
	ctx := context.Background()
	day := func(n int) time.Time { return time.Date(2026, 1, n, 0, 0, 0, 0, time.UTC) }
	realms := []string{"p_1", "p_2"}
	putRealm(t, s, "p_2")
	err := s.Write(ctx, func(tx *Tx) error {
		for i, x := range []Session{
			{ID: "a", Realm: "p_1", Cwd: "/a", Ended: day(1)}, {ID: "b", Realm: "p_1", Cwd: "/b", Ended: day(5)},
			{ID: "c", Realm: "p_1", Cwd: "/a", Updated: day(4)}, {ID: "d", Realm: "p_1", Ended: day(3)},
			{ID: "e", Realm: "p_2", Cwd: "/e", Ended: day(9)}, {ID: "f", Realm: "p_1", Cwd: "/f", Ended: day(8)},
		} {
			x.Source, x.Created, x.Messages = "turns", day(1), 2
			if err := tx.PutSession(&x); err != nil {
				return err
			}
			for j := range 2 {
				m := Message{Session: x.Seq, Position: int64(j), ID: fmt.Sprintf("%s-%d", x.ID, j), Role: "user", Raw: []byte("{}")}
				if err := tx.AddMessage(&m); err != nil {
					return err
				}
				c := Chunk{Session: x.Seq, First: int64(j), Last: int64(j), Role: "user", Text: fmt.Sprintf("%s asks %d", x.ID, j), Hash: fmt.Sprintf("%d-%d", i, j), Time: day(i + 1)}
				if err := tx.AddChunk(&c); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, realm := range realms {
		for limit := 1; limit <= 5; limit++ {
			want, _, err := s.ListSessions(ctx, SessionFilter{Realm: realm, Limit: limit})
			if err != nil {
				t.Fatal(err)
			}
			got, err := s.LatestSessions(ctx, realm, limit)
			if err != nil || !slices.Equal(idsOf(got), idsOf(want)) {
				t.Errorf("%s, %d: %v %v, want %v", realm, limit, idsOf(got), err, idsOf(want))
			}
		}
	}
	for realm, want := range map[string]string{"p_1": "f asks 1", "p_2": "e asks 1", "": "e asks 1", "p_3": ""} {
		if c, err := s.LatestRequest(ctx, realm); err != nil || c.Text != want {
			t.Errorf("last asked in %q: %q %v, want %q", realm, c.Text, err, want)
		}
	}
	for realm, want := range map[string][]string{"p_1": {"/f", "/b", "/a"}, "p_2": {"/e"}, "": {"/e", "/f", "/b", "/a"}} {
		if dirs, err := s.SessionDirs(ctx, realm, 10); err != nil || !slices.Equal(dirs, want) {
			t.Errorf("directories of %q: %v %v, want %v", realm, dirs, err, want)
		}
	}
}

func idsOf(sessions []Session) (ids []string) {
	for i := range sessions {
		ids = append(ids, sessions[i].ID)
	}
	return ids
}
