package mind

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"chitta/internal/past"
	"chitta/internal/session"
	"chitta/internal/store"
)

// talk stores a session of Claude Code as an import does: records by thread.
func talk(t *testing.T, m *Mind, id string, records ...string) store.Session {
	t.Helper()
	realm, err := m.realmFor(t.Context(), person, "")
	if err != nil {
		t.Fatal(err)
	}
	s := store.Session{ID: id, Source: session.ClaudeCode{}.Name(), Realm: realm.ID, Created: m.now(), Updated: m.now()}
	err = m.store.Write(t.Context(), func(tx *store.Tx) error {
		if err := tx.PutSession(&s); err != nil {
			return err
		}
		for i, raw := range records {
			record, err := session.ClaudeCode{}.Line([]byte(raw))
			if err != nil || record.Message == nil {
				return fmt.Errorf("record %d: %v %w", i, record.Skip, err)
			}
			msg := record.Message
			row := store.Message{Session: s.Seq, Position: int64(i), ID: msg.ID, Role: string(msg.Role), Time: msg.Time, Parent: msg.Parent, Agent: msg.Agent, Raw: []byte(raw)}
			if err := tx.AddMessage(&row); err != nil {
				return err
			}
			if s.Title == "" {
				s.Title, s.Started, s.Cwd, s.Branch = strings.TrimSpace(msg.Human()), msg.Time, msg.Cwd, msg.Branch
			}
			for n, f := range session.FileTouches([]session.Message{*msg}) {
				touch := store.FileTouch{Message: row.Seq, N: n, Session: s.Seq, Path: f.Path, Tool: f.Tool, Action: string(f.Action), Time: msg.Time}
				if err := tx.AddFileTouch(&touch); err != nil {
					return err
				}
			}
			c := store.Chunk{Session: s.Seq, First: int64(i), Last: int64(i), Role: string(msg.Role), Agent: msg.Agent, Time: msg.Time, Text: "said: " + msg.Text(), Hash: fmt.Sprint("h", i)}
			if err := tx.AddChunk(&c); err != nil {
				return err
			}
			s.Ended, s.Messages = msg.Time, i+1
		}
		return tx.PutSession(&s)
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.followConversations(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
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
	return fmt.Sprintf(`{"parentUuid":%q,"isSidechain":false,"cwd":"/src/app","sessionId":%q,"version":"2.1.0","gitBranch":"main","type":%q,"message":{"role":%q,"content":%s,"model":"model-x","id":"r-%s"},"uuid":%q,"timestamp":%q%s}`,
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

func search(t *testing.T, m *Mind, in past.SearchInput) past.SearchOutput {
	t.Helper()
	out, err := m.Search(t.Context(), person, in)
	if err != nil {
		t.Fatalf("search %q: %v", in.Query, err)
	}
	return out
}

func hitIDs(out past.SearchOutput) []string {
	ids := []string{}
	for _, s := range out.Sessions {
		for _, h := range s.Hits {
			ids = append(ids, h.ID)
		}
	}
	return ids
}

func TestMessagesAreFoundAfterARestartAndARebuild(t *testing.T) {
	m, _ := openTest(t)
	talk(t, m, "s-1", loginTalk("s-1")...)
	if err := m.messages.Rebuild(t.Context()); err != nil {
		t.Fatal(err)
	}
	if out := search(t, m, past.SearchInput{Query: "yesterday"}); len(out.Degraded) == 0 {
		t.Errorf("nothing says that the index is catching up: %+v", out)
	}
	if err := m.Maintain(t.Context()); err != nil {
		t.Fatal(err)
	}
	if out := search(t, m, past.SearchInput{Query: "updated", Tool: "edit"}); !slices.Equal(hitIDs(out), []string{"u6"}) || out.Degraded != nil {
		t.Errorf("%+v", out)
	}
	sound(t, m)
}
