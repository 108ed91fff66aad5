package past

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chitta/internal/capture"
	"chitta/internal/causal"
	"chitta/internal/follow"
	"chitta/internal/ingest"
	"chitta/internal/keyword"
	"chitta/internal/memory"
	"chitta/internal/session"
	"chitta/internal/store"
)

// person reads without a directory of work, where the user's own realm is.
var person = Reader{Person: true}

// shelf is an archive by itself: a store, its indexes and what fills them. A
// directory is a project of its own.
type shelf struct {
	*Archive
	t      *testing.T
	ingest *ingest.Ingester
	clock  time.Time
}

func open(t *testing.T) *shelf {
	t.Helper()
	home := t.TempDir()
	log := slog.New(slog.DiscardHandler)
	h := &shelf{t: t, clock: time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)}
	now := func() time.Time { return h.clock }
	s, err := store.Open(t.Context(), store.Options{Path: filepath.Join(home, "chitta.db"), BackupDir: home, Now: now, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	wake := make(chan struct{}, 1)
	messages := follow.NewIndexer(home, s.Identity(), follow.Messages(s, &follow.Recent{}), wake, log)
	chunks := follow.NewIndexer(home, s.Identity(), follow.Chunks(s), wake, log)
	for _, x := range []*follow.Indexer{messages, chunks} {
		if err := x.Open(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		if err := errors.Join(messages.Close(), chunks.Close(), s.Close()); err != nil {
			t.Error(err)
		}
	})
	identify := func(_ context.Context, dir string) (memory.Identity, error) {
		if strings.HasSuffix(dir, "gone") {
			return memory.Identity{}, fmt.Errorf("directory %s is gone", dir)
		}
		return memory.Identity{Path: dir}, nil
	}
	h.Archive = New(Options{
		Store: s, Messages: messages, Chunks: chunks, Here: h.realmOf, Named: h.realmNamed, Identify: identify, Alike: h.alike, Now: now,
	})
	h.ingest = ingest.New(ingest.Options{
		Store: s, Redactor: &capture.Redactor{}, Identify: identify,
		Recognise: func(_ []memory.Realm, id memory.Identity) (memory.Realm, bool) { return projectOf(id.Path), true },
		Here:      func(ctx context.Context) (memory.Realm, error) { return h.realmOf(ctx, "") },
		After: func(ctx context.Context) error {
			messages.Follow(ctx)
			chunks.Follow(ctx)
			return nil
		},
		Now: now, Log: log,
	})
	return h
}

func projectOf(dir string) memory.Realm {
	if dir == "" {
		return memory.Realm{ID: memory.UserRealm, Name: "user", Kind: memory.RealmUser, Visibility: memory.Global}
	}
	return memory.Realm{ID: "p_" + filepath.Base(dir), Name: filepath.Base(dir), Kind: memory.RealmProject, Visibility: memory.Private, Paths: []string{dir}}
}

func (h *shelf) realmOf(ctx context.Context, dir string) (memory.Realm, error) {
	if _, err := h.identify(ctx, dir); err != nil {
		return memory.Realm{}, err
	}
	return projectOf(dir), nil
}

func (h *shelf) realmNamed(ctx context.Context, name string) (memory.Realm, error) {
	all, err := h.store.Realms(ctx)
	if err != nil {
		return memory.Realm{}, err
	}
	for _, r := range all {
		if r.ID == name || r.Name == name {
			return r, nil
		}
	}
	return memory.Realm{}, &memory.InputError{Field: "realm", Problem: "is not known"}
}

// alike compares by words alone.
func (h *shelf) alike(_ context.Context, text string) (causal.Similar, string) {
	words := keyword.NewOverlap(text)
	return func(ctx context.Context, chunks []int64) (map[int64]float64, error) {
		found, err := h.store.ChunksBySeq(ctx, chunks)
		out := map[int64]float64{}
		for seq, c := range found {
			out[seq] = words.Share(c.Text)
		}
		return out, err
	}, "there is no model"
}

// take takes over lines of a log as the project of a directory.
func (h *shelf) take(format session.Format, dir string, lines ...string) {
	h.t.Helper()
	realm := projectOf(dir)
	err := h.store.Write(h.t.Context(), func(tx *store.Tx) error { return tx.PutRealm(realm) })
	if err != nil {
		h.t.Fatal(err)
	}
	_, bad, err := h.ingest.ReadLines(h.t.Context(), ingest.Lines{Format: format, Text: lines, Realm: realm.ID})
	if err != nil || len(bad) > 0 {
		h.t.Fatalf("%+v %v", bad, err)
	}
}

// turns takes over turns of conversations of the user's own realm.
func (h *shelf) turns(lines ...string) {
	h.t.Helper()
	h.take(session.Turns{}, "", lines...)
}

func (h *shelf) search(in SearchInput) SearchOutput {
	h.t.Helper()
	out, err := h.Search(h.t.Context(), person, in)
	if err != nil {
		h.t.Fatalf("search %q: %v", in.Query, err)
	}
	return out
}

func hitIDs(out SearchOutput) []string {
	ids := []string{}
	for _, s := range out.Sessions {
		for _, h := range s.Hits {
			ids = append(ids, h.ID)
		}
	}
	return ids
}

// log takes over records of a client, to the user's own realm.
func (h *shelf) log(records ...string) {
	h.t.Helper()
	h.take(session.ClaudeCode{}, "", records...)
}

func (h *shelf) shown(in ShowInput) ShowOutput {
	h.t.Helper()
	out, err := h.Show(h.t.Context(), person, in)
	if err != nil {
		h.t.Fatalf("%+v: %v", in, err)
	}
	return out
}

// pieces exports a session, page by page.
func (h *shelf) pieces(in ExportInput) (pieces []string) {
	h.t.Helper()
	for {
		out, err := h.Export(h.t.Context(), person, in)
		if err != nil {
			h.t.Fatal(err)
		}
		pieces = append(pieces, out.Pieces...)
		if out.Next == "" {
			return pieces
		}
		in.Cursor = out.Next
	}
}

// brief says a transcript in a few words.
func brief(out ShowOutput) string {
	var b strings.Builder
	for _, x := range out.Messages {
		fmt.Fprintf(&b, "%s %s:", x.ID, x.Role)
		for _, p := range x.Parts {
			fmt.Fprintf(&b, " %s[%s%s|%s]", p.Kind, p.Tool, p.Text, p.Outcome)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// logged makes a line of a transcript. message is the content: text, or
// blocks as JSON.
func logged(kind, id, parent, conversation, content string, extra ...string) string {
	if !strings.HasPrefix(content, "[") {
		b, _ := json.Marshal(content)
		content = string(b)
	}
	n := 0
	fmt.Sscanf(strings.TrimLeft(id, "abcdefghijklmnopqrstuvwxyz-"), "%d", &n)
	at := time.Date(2026, 4, 1, 10, 0, 0, 0, time.UTC).Add(time.Duration(n) * time.Minute)
	return fmt.Sprintf(`{"parentUuid":%q,"isSidechain":false,"cwd":"/src/app","sessionId":%q,"version":"2.1.0","gitBranch":"main","type":%q,"message":{"role":%q,"content":%s,"id":"r-%s"},"uuid":%q,"timestamp":%q%s}`,
		parent, conversation, kind, kind, content, id, id, at.Format(time.RFC3339), strings.Join(extra, ""))
}

// loginTalk is a session with all kinds of parts.
func loginTalk(conversation string) []string {
	return []string{
		logged("user", "u1", "", conversation, "The login test fails since yesterday. Can you find out why?"),
		logged("assistant", "u2", "u1", conversation, `[{"type":"thinking","thinking":"Perhaps the clockwork is wrong."}]`),
		logged("assistant", "u3", "u2", conversation, `[{"type":"text","text":"I'll run the test."},{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"go test ./auth/...","description":"Run the auth tests"}}]`),
		logged("user", "u4", "u3", conversation, `[{"type":"tool_result","tool_use_id":"t1","content":"Exit code 1\n--- FAIL: TestLogin (0.00s)\n    login_test.go:42: token   expired: got 401","is_error":true}]`),
		logged("assistant", "u5", "u4", conversation, `[{"type":"tool_use","id":"t2","name":"Edit","input":{"file_path":"/src/app/internal/auth/token.go","old_string":"skew()","new_string":"getClockSkew()"}}]`),
		logged("user", "u6", "u5", conversation, `[{"type":"tool_result","tool_use_id":"t2","content":"The file has been updated."}]`),
		logged("assistant", "u7", "u6", conversation, `[{"type":"tool_use","id":"t3","name":"TodoWrite","input":{"todos":[{"content":"fix skew","status":"completed"},{"content":"write the changelog","status":"in_progress"}]}}]`),
		logged("assistant", "u8", "u7", conversation, "The clock skew was subtracted twice; the login works now."),
	}
}
