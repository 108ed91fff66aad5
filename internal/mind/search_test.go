package mind

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"chitta/internal/memory"
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

func TestSearchFindsWordForWord(t *testing.T) {
	m := plain(t)
	talk(t, m, "5c0ffee0-aaaa", loginTalk("5c0ffee0-aaaa")...)
	tests := []struct {
		name string
		in   past.SearchInput
		want []string
		mode string
	}{
		{"all words, in any form", past.SearchInput{Query: "tests login fail"}, []string{"u1", "u4"}, "words"},
		{"words of a result", past.SearchInput{Query: "TestLogin FAIL"}, []string{"u4"}, "words"},
		{"a name by its words", past.SearchInput{Query: "clock skew"}, []string{"u5", "u8"}, "words"},
		{"a phrase", past.SearchInput{Query: `"clock skew was"`}, []string{"u8"}, "phrase"},
		{"a phrase whatever its case and spacing", past.SearchInput{Query: `"TOKEN expired:  got"`}, []string{"u4"}, "phrase"},
		{"a phrase and a word", past.SearchInput{Query: `"clock skew" twice`}, []string{"u8"}, "phrase"},
		{"a phrase is no piece of a word", past.SearchInput{Query: `"ogin works"`}, nil, "phrase"},
		{"the whole query is a phrase", past.SearchInput{Query: "login works", Exact: true}, []string{"u8"}, "phrase"},
		{"punctuation", past.SearchInput{Query: `"---"`}, []string{"u4"}, "phrase"},
		{"an expression", past.SearchInput{Query: `/login_test\.go:\d+/`}, []string{"u4"}, "regex"},
		{"an expression through the index", past.SearchInput{Query: `/skew was s.*twice/`}, []string{"u8"}, "regex"},
		{"an expression in any case", past.SearchInput{Query: `/testlogin/i`}, []string{"u4"}, "regex"},
		{"an expression by flag", past.SearchInput{Query: `^The clock`, Regex: true}, []string{"u8"}, "regex"},
		{"who: a person", past.SearchInput{Query: "login", Role: "user"}, []string{"u1"}, "words"},
		{"who: an agent", past.SearchInput{Query: "login", Role: "assistant"}, []string{"u8"}, "words"},
		{"who: a tool", past.SearchInput{Query: "test", Role: "tool"}, []string{"u3", "u4"}, "words"},
		{"thinking is left out", past.SearchInput{Query: "clockwork"}, nil, "words"},
		{"unless asked for", past.SearchInput{Query: "clockwork", Thinking: true}, []string{"u2"}, "words"},
		{"calls of a tool", past.SearchInput{Query: "test", Tool: "bash"}, []string{"u3", "u4"}, "words"},
		{"results of another", past.SearchInput{Query: "updated", Tool: "Edit"}, []string{"u6"}, "words"},
		{"not of another", past.SearchInput{Query: "updated", Tool: "Bash"}, nil, "words"},
		{"an expression on a tool", past.SearchInput{Query: "/up.ated/", Tool: "Edit"}, []string{"u6"}, "regex"},
		{"an expression on another tool", past.SearchInput{Query: "/up.ated/", Tool: "Bash"}, nil, "regex"},
		{"a file by name", past.SearchInput{Query: "skew", File: "token.go"}, []string{"u5"}, "words"},
		{"a file by the end of its path", past.SearchInput{Query: "skew", File: "auth/token.go"}, []string{"u5"}, "words"},
		{"a file by its path", past.SearchInput{Query: "skew", File: "/src/app/internal/auth/token.go"}, []string{"u5"}, "words"},
		{"a long end of a path", past.SearchInput{Query: "skew", File: "src/app/internal/auth/token.go"}, []string{"u5"}, "words"},
		{"another directory", past.SearchInput{Query: "skew", File: "/app/internal/auth/token.go"}, nil, "words"},
		{"another file", past.SearchInput{Query: "skew", File: "oken.go"}, nil, "words"},
		{"since", past.SearchInput{Query: "login", Since: "2026-04-01T10:05:00Z"}, []string{"u8"}, "words"},
		{"until", past.SearchInput{Query: "login", Until: "2026-04-01T10:02:00Z"}, []string{"u1"}, "words"},
		{"session", past.SearchInput{Query: "login works", Session: "5c0f"}, []string{"u8"}, "words"},
		{"a path is no expression", past.SearchInput{Query: "/auth/token.go/"}, []string{"u5"}, "words"},
		{"stop words alone", past.SearchInput{Query: "was the"}, []string{"u8"}, "words"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out := search(t, m, tt.in)
			got := hitIDs(out)
			slices.Sort(got)
			if !slices.Equal(got, tt.want) || out.Mode != tt.mode || out.Loose {
				t.Errorf("found %v by %s (loose %v), want %v by %s", got, out.Mode, out.Loose, tt.want, tt.mode)
			}
			for _, s := range out.Sessions {
				if s.Session.ID != "5c0ffee0-aaaa" || s.Session.Title == "" || s.Session.Short != "5c0ffee0" {
					t.Errorf("session %+v", s.Session)
				}
				for _, h := range s.Hits {
					runes := []rune(h.Snippet)
					if len(h.Marks) == 0 {
						t.Errorf("no marks in %q", h.Snippet)
					}
					for _, mark := range h.Marks {
						if mark.Start < 0 || mark.End > len(runes) || mark.Start >= mark.End {
							t.Errorf("mark %v in %q", mark, h.Snippet)
						}
					}
				}
			}
		})
	}
}

func TestSearchSaysWhenWordsDoNotMeet(t *testing.T) {
	m := plain(t)
	talk(t, m, "s-1", loginTalk("s-1")...)
	out := search(t, m, past.SearchInput{Query: "yesterday zebra giraffe"})
	if !out.Loose || !slices.Equal(hitIDs(out), []string{"u1"}) {
		t.Errorf("%+v", out)
	}
	if out = search(t, m, past.SearchInput{Query: "zebra"}); out.Loose || out.Found != 0 || out.Sessions == nil {
		t.Errorf("%+v", out)
	}
}

func TestSearchRefusesWhatItCannotDo(t *testing.T) {
	m := plain(t)
	talk(t, m, "5c0ffee0-aaaa", loginTalk("5c0ffee0-aaaa")...)
	talk(t, m, "5c0ffee0-bbbb", loginTalk("5c0ffee0-bbbb")...)
	tests := []struct {
		name  string
		in    past.SearchInput
		field string
		says  string
	}{
		{"empty", past.SearchInput{Query: " \n"}, "query", "empty"},
		{"a bad expression", past.SearchInput{Query: "/a(b/"}, "query", "missing closing )"},
		{"an expression for everything", past.SearchInput{Query: "/x*/"}, "query", "everything"},
		{"a megabyte", past.SearchInput{Query: strings.Repeat("word ", 200_000)}, "query", "bytes, more than"},
		{"two ways", past.SearchInput{Query: "x", Regex: true, Exact: true}, "exact", "regex"},
		{"a role and a tool", past.SearchInput{Query: "x", Role: "user", Tool: "Bash"}, "tool", "role"},
		{"an ambiguous session", past.SearchInput{Query: "x", Session: "5c0f"}, "session", "fits 2 sessions"},
		{"a limit", past.SearchInput{Query: "x", Limit: 1000}, "limit", "more than 100"},
		{"a time", past.SearchInput{Query: "x", Since: "soonish"}, "since", "not a time"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := m.Search(t.Context(), person, tt.in)
			var input *memory.InputError
			if !errors.As(err, &input) || input.Field != tt.field || !strings.Contains(input.Error(), tt.says) || input.Hint == "" {
				t.Errorf("%v", err)
			}
		})
	}
	_, err := m.Search(t.Context(), person, past.SearchInput{Query: "x", Session: "5c0ffee0-aaab"})
	var missing *memory.NotFoundError
	if !errors.As(err, &missing) || !strings.Contains(missing.Hint, "did you mean 5c0ffee0-aaaa") {
		t.Errorf("%v", err)
	}
	if _, err = m.Search(t.Context(), person, past.SearchInput{Query: "x", Role: "robot"}); err == nil {
		t.Error("an unknown role is taken")
	}
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
