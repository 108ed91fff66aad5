package mind

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"chitta/internal/keyword"
	"chitta/internal/memory"
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

func search(t *testing.T, m *Mind, in SearchInput) SearchOutput {
	t.Helper()
	out, err := m.Search(t.Context(), person, in)
	if err != nil {
		t.Fatalf("search %q: %v", in.Query, err)
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

func TestSearchFindsWordForWord(t *testing.T) {
	m := plain(t)
	talk(t, m, "5c0ffee0-aaaa", loginTalk("5c0ffee0-aaaa")...)
	tests := []struct {
		name string
		in   SearchInput
		want []string
		mode string
	}{
		{"all words, in any form", SearchInput{Query: "tests login fail"}, []string{"u1", "u4"}, searchWords},
		{"words of a result", SearchInput{Query: "TestLogin FAIL"}, []string{"u4"}, searchWords},
		{"a name by its words", SearchInput{Query: "clock skew"}, []string{"u5", "u8"}, searchWords},
		{"a phrase", SearchInput{Query: `"clock skew was"`}, []string{"u8"}, searchPhrase},
		{"a phrase whatever its case and spacing", SearchInput{Query: `"TOKEN expired:  got"`}, []string{"u4"}, searchPhrase},
		{"a phrase and a word", SearchInput{Query: `"clock skew" twice`}, []string{"u8"}, searchPhrase},
		{"a phrase is no piece of a word", SearchInput{Query: `"ogin works"`}, nil, searchPhrase},
		{"the whole query is a phrase", SearchInput{Query: "login works", Exact: true}, []string{"u8"}, searchPhrase},
		{"punctuation", SearchInput{Query: `"---"`}, []string{"u4"}, searchPhrase},
		{"an expression", SearchInput{Query: `/login_test\.go:\d+/`}, []string{"u4"}, searchRegex},
		{"an expression through the index", SearchInput{Query: `/skew was s.*twice/`}, []string{"u8"}, searchRegex},
		{"an expression in any case", SearchInput{Query: `/testlogin/i`}, []string{"u4"}, searchRegex},
		{"an expression by flag", SearchInput{Query: `^The clock`, Regex: true}, []string{"u8"}, searchRegex},
		{"who: a person", SearchInput{Query: "login", Role: "user"}, []string{"u1"}, searchWords},
		{"who: an agent", SearchInput{Query: "login", Role: "assistant"}, []string{"u8"}, searchWords},
		{"who: a tool", SearchInput{Query: "test", Role: "tool"}, []string{"u3", "u4"}, searchWords},
		{"thinking is left out", SearchInput{Query: "clockwork"}, nil, searchWords},
		{"unless asked for", SearchInput{Query: "clockwork", Thinking: true}, []string{"u2"}, searchWords},
		{"calls of a tool", SearchInput{Query: "test", Tool: "bash"}, []string{"u3", "u4"}, searchWords},
		{"results of another", SearchInput{Query: "updated", Tool: "Edit"}, []string{"u6"}, searchWords},
		{"not of another", SearchInput{Query: "updated", Tool: "Bash"}, nil, searchWords},
		{"an expression on a tool", SearchInput{Query: "/up.ated/", Tool: "Edit"}, []string{"u6"}, searchRegex},
		{"an expression on another tool", SearchInput{Query: "/up.ated/", Tool: "Bash"}, nil, searchRegex},
		{"a file by name", SearchInput{Query: "skew", File: "token.go"}, []string{"u5"}, searchWords},
		{"a file by the end of its path", SearchInput{Query: "skew", File: "auth/token.go"}, []string{"u5"}, searchWords},
		{"a file by its path", SearchInput{Query: "skew", File: "/src/app/internal/auth/token.go"}, []string{"u5"}, searchWords},
		{"a long end of a path", SearchInput{Query: "skew", File: "src/app/internal/auth/token.go"}, []string{"u5"}, searchWords},
		{"another directory", SearchInput{Query: "skew", File: "/app/internal/auth/token.go"}, nil, searchWords},
		{"another file", SearchInput{Query: "skew", File: "oken.go"}, nil, searchWords},
		{"since", SearchInput{Query: "login", Since: "2026-04-01T10:05:00Z"}, []string{"u8"}, searchWords},
		{"until", SearchInput{Query: "login", Until: "2026-04-01T10:02:00Z"}, []string{"u1"}, searchWords},
		{"session", SearchInput{Query: "login works", Session: "5c0f"}, []string{"u8"}, searchWords},
		{"a path is no expression", SearchInput{Query: "/auth/token.go/"}, []string{"u5"}, searchWords},
		{"stop words alone", SearchInput{Query: "was the"}, []string{"u8"}, searchWords},
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
	out := search(t, m, SearchInput{Query: "yesterday zebra giraffe"})
	if !out.Loose || !slices.Equal(hitIDs(out), []string{"u1"}) {
		t.Errorf("%+v", out)
	}
	if out = search(t, m, SearchInput{Query: "zebra"}); out.Loose || out.Found != 0 || out.Sessions == nil {
		t.Errorf("%+v", out)
	}
}

func TestSnippetsShowWhereWordsMeet(t *testing.T) {
	m := plain(t)
	far := strings.Repeat("Nothing of note happened on this line at all. ", 200)
	importTurns(t, m, `{"id":"1","session":"a","text":"The zebra came first. `+far+`Then the connections of zebra and Ge\u0301rard met. `+far+`"}`)
	out := search(t, m, SearchInput{Query: "zebra connection"})
	if len(out.Sessions) != 1 {
		t.Fatalf("%+v", out)
	}
	h := out.Sessions[0].Hits[0]
	runes := []rune(h.Snippet)
	var marked []string
	for _, x := range h.Marks {
		marked = append(marked, string(runes[x.Start:x.End]))
	}
	if !slices.Equal(marked, []string{"connections", "zebra"}) || !strings.HasPrefix(h.Snippet, "…") || !strings.HasSuffix(h.Snippet, "…") || len(runes) > snippetBytes+2 {
		t.Errorf("%v in %q", marked, h.Snippet)
	}
}

func TestSearchStaysInItsProjectUnlessAsked(t *testing.T) {
	m := plain(t)
	elsewhere := Caller{Actor: ActorCLI, Cwd: t.TempDir()}
	if _, err := m.SessionImport(t.Context(), elsewhere, SessionImportInput{Format: "turns", Lines: []string{`{"id":"1","session":"s","text":"the giraffe release went well"}`}}); err != nil {
		t.Fatal(err)
	}
	importTurns(t, m, `{"id":"1","session":"s","text":"another giraffe"}`)
	if out := search(t, m, SearchInput{Query: "giraffe"}); out.Found != 1 || out.Realm != memory.UserRealm {
		t.Errorf("%+v", out)
	}
	for _, query := range []string{"giraffe", `"giraffe"`, "/gir.ffe/"} {
		if out := search(t, m, SearchInput{Query: query, Realm: "all"}); out.Found != 2 || len(out.Sessions) != 2 || out.Realm != "" {
			t.Errorf("%s: %+v", query, out)
		}
	}
}

func TestSearchShowsEverySessionItsShare(t *testing.T) {
	m := plain(t)
	importTurns(t, m, turnLines(`{"id":"a%d","session":"busy","text":"zebra number %[1]d"}`, 40)...)
	importTurns(t, m, `{"id":"b","session":"quiet","text":"a zebra was seen in the yard by the neighbours who had never seen one"}`)
	out := search(t, m, SearchInput{Query: "zebra", Limit: 10})
	if len(out.Sessions) != 2 || out.Found != 41 || out.More {
		t.Fatalf("%d sessions, %d found, more %v", len(out.Sessions), out.Found, out.More)
	}
	for _, s := range out.Sessions {
		if s.Session.ID == "busy" && (len(s.Hits) != perSession || s.More != 35) {
			t.Errorf("%d shown, %d more", len(s.Hits), s.More)
		}
	}
	if out = search(t, m, SearchInput{Query: "zebra", Session: "busy", Limit: 30}); len(hitIDs(out)) != 30 {
		t.Errorf("%d shown", len(hitIDs(out)))
	}
	if out = search(t, m, SearchInput{Query: `"zebra number"`, Session: "busy", Limit: 7}); len(hitIDs(out)) != 7 || !out.More || out.Sessions[0].Hits[6].ID != "a39" {
		t.Errorf("newest first: %v", hitIDs(out))
	}
}

func TestSearchRefusesWhatItCannotDo(t *testing.T) {
	m := plain(t)
	talk(t, m, "5c0ffee0-aaaa", loginTalk("5c0ffee0-aaaa")...)
	talk(t, m, "5c0ffee0-bbbb", loginTalk("5c0ffee0-bbbb")...)
	tests := []struct {
		name  string
		in    SearchInput
		field string
		says  string
	}{
		{"empty", SearchInput{Query: " \n"}, "query", "empty"},
		{"a bad expression", SearchInput{Query: "/a(b/"}, "query", "missing closing )"},
		{"an expression for everything", SearchInput{Query: "/x*/"}, "query", "everything"},
		{"a megabyte", SearchInput{Query: strings.Repeat("word ", 200_000)}, "query", "bytes, more than"},
		{"two ways", SearchInput{Query: "x", Regex: true, Exact: true}, "exact", "regex"},
		{"a role and a tool", SearchInput{Query: "x", Role: "user", Tool: "Bash"}, "tool", "role"},
		{"an ambiguous session", SearchInput{Query: "x", Session: "5c0f"}, "session", "fits 2 sessions"},
		{"a limit", SearchInput{Query: "x", Limit: 1000}, "limit", "more than 100"},
		{"a time", SearchInput{Query: "x", Since: "soonish"}, "since", "not a time"},
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
	_, err := m.Search(t.Context(), person, SearchInput{Query: "x", Session: "5c0ffee0-aaab"})
	var missing *memory.NotFoundError
	if !errors.As(err, &missing) || !strings.Contains(missing.Hint, "did you mean 5c0ffee0-aaaa") {
		t.Errorf("%v", err)
	}
	if _, err = m.Search(t.Context(), person, SearchInput{Query: "x", Role: "robot"}); err == nil {
		t.Error("an unknown role is taken")
	}
}

// TestIndexedAndScannedAgree holds phrases found through the index against a
// look at every text.
func TestIndexedAndScannedAgree(t *testing.T) {
	m := plain(t)
	texts := []string{
		"open internal/store/chunk.go and look at getUserName", "see store/chunk.go now", "call get_user_name(v1.2.3)", "status 404 at http://example.com/a/b?c=d",
		"数据库连接超时的原因是防火墙规则", "don't panic, e-mail the C++ team's lead", "a 'quoted' text — with dashes", "PANIC: runtime error", "Straße und Café",
	}
	var lines []string
	for i, text := range texts {
		b, _ := json.Marshal(text)
		lines = append(lines, fmt.Sprintf(`{"id":"%d","session":"s","text":%s}`, i, b))
	}
	importTurns(t, m, lines...)
	for _, query := range []string{"chunk.go", "store/chunk.go", "getusername", "get_user_name", "v1.2.3", "status 404", "404 at", "example.com", "数据库", "超时的", "don't", "e-mail",
		"c++ team", "team's", "panic", "runtime error", "straße", "café", "a/b", "— with"} {
		p := newPhrase(query)
		var want []string
		for i, text := range texts {
			if p.find(text, 1) != nil {
				want = append(want, fmt.Sprint(i))
			}
		}
		got := hitIDs(search(t, m, SearchInput{Query: query, Exact: true}))
		slices.Sort(got)
		if !slices.Equal(got, want) || len(want) == 0 {
			t.Errorf("%q: found %v, want %v", query, got, want)
		}
	}
}

func TestMessagesAreFoundAfterARestartAndARebuild(t *testing.T) {
	m, _ := openTest(t)
	talk(t, m, "s-1", loginTalk("s-1")...)
	if err := m.messages.Rebuild(t.Context()); err != nil {
		t.Fatal(err)
	}
	if out := search(t, m, SearchInput{Query: "yesterday"}); len(out.Degraded) == 0 {
		t.Errorf("nothing says that the index is catching up: %+v", out)
	}
	if err := m.Maintain(t.Context()); err != nil {
		t.Fatal(err)
	}
	if out := search(t, m, SearchInput{Query: "updated", Tool: "edit"}); !slices.Equal(hitIDs(out), []string{"u6"}) || out.Degraded != nil {
		t.Errorf("%+v", out)
	}
	sound(t, m)
}

func FuzzParseSearch(f *testing.F) {
	for _, s := range []string{"a b", `"a b" c`, `"open`, `/a(b)+/i`, `/usr/lib/`, `\"`, `"a\"b"`, "“x y”", "数据库", "/(?i)x{2,3}\\bfoo bar\\b/", "a\x00b", "--- !!"} {
		f.Add(s, "a b foo bar /usr/lib 数据库 xx", false, false)
	}
	a := keyword.NewAnalyzer()
	f.Fuzz(func(t *testing.T, query, text string, regex, exact bool) {
		q, err := parseSearch(a, query, regex, exact)
		if err != nil {
			if e := (*memory.InputError)(nil); !errors.As(err, &e) || e.Hint == "" {
				t.Fatalf("%v", err)
			}
			return
		}
		if len(q.words) == 0 && len(q.phrases) == 0 && q.re == nil {
			t.Fatalf("%q asks for nothing", query)
		}
		for _, must := range q.must {
			if !slices.ContainsFunc(q.terms, func(x keyword.QueryTerm) bool { return x.Term == must }) {
				t.Fatalf("%q is required and not asked for", must)
			}
		}
		places := q.places(a, text)
		for i, p := range places {
			if p.start < 0 || p.end > len(text) || p.start >= p.end || i > 0 && p.start < places[i-1].start {
				t.Fatalf("places %v in %q", places, text)
			}
		}
		snip, marks := snippet(text, places)
		runes := []rune(snip)
		at := 0
		for _, m := range marks {
			if m.Start < at || m.End < m.Start || m.End > len(runes) {
				t.Fatalf("marks %v in %q", marks, snip)
			}
			at = m.End
		}
	})
}

// FuzzRequiredLiterals holds what an expression is said to need against what
// it matches.
func FuzzRequiredLiterals(f *testing.F) {
	f.Add(`foo bar baz`, "x foo bar baz y")
	f.Add(`a(bc)+d|e`, "abcd")
	f.Add(`(?i)\bpanic\b: .*nil`, "PANIC: a nil map")
	f.Add(`^\s*go test \./[a-z]+`, "go test ./auth")
	a := keyword.NewAnalyzer()
	f.Fuzz(func(t *testing.T, expr, text string) {
		q, err := parseSearch(a, expr, true, false)
		if err != nil {
			return
		}
		found := q.re.FindAllString(text, 5)
		for _, at := range found {
			if !strings.Contains(at, q.literal) {
				t.Fatalf("%q is needed by /%s/ and not in %q", q.literal, expr, at)
			}
		}
		if len(found) > 0 {
			indexed(t, a, q, text)
		}
	})
}

// indexed fails if a text that matches would not be proposed by the index.
func indexed(t *testing.T, a keyword.Analyzer, q *searchQuery, text string) {
	t.Helper()
	if len(text) > 200 { // names of more words than are told apart are another matter
		return
	}
	terms := a.Terms(text)
	for _, must := range q.must {
		if !slices.Contains(terms, must) {
			t.Fatalf("%q matches and lacks %q; it has %q", text, must, terms)
		}
	}
}

// exotic reports characters that stand for others, such as ㍶ or ²: the index
// knows them by what they stand for.
func exotic(r rune) bool {
	return r >= utf8.RuneSelf && !unicode.Is(unicode.Han, r) && unicode.ToLower(r) == unicode.ToUpper(r)
}

// FuzzPhraseIsIndexed looks for a phrase in a text that holds it.
func FuzzPhraseIsIndexed(f *testing.F) {
	f.Add("chunk.go", "internal/store/", " is it")
	f.Add("don't panic", "(", ")")
	f.Add("404 at", "status ", ".")
	f.Add("c", "", "++")
	f.Add("数据", "据", "库")
	f.Add("v", "-", " x")
	a := keyword.NewAnalyzer()
	f.Fuzz(func(t *testing.T, text, before, after string) {
		q, err := parseSearch(a, text, false, true)
		if err != nil || strings.ContainsFunc(before+text+after, exotic) {
			return
		}
		if whole := before + text + after; q.phrases[0].find(whole, 1) != nil {
			indexed(t, a, q, whole)
		}
	})
}

// TestLowerCaseEightAtOnce holds the quick way against the plain one, at every
// place and for every byte.
func TestLowerCaseEightAtOnce(t *testing.T) {
	for c := range 256 {
		for at := range 19 {
			text := []byte(strings.Repeat("@Z[a", 5))
			text[at] = byte(c)
			want := slices.Clone(text)
			for i, b := range want {
				if 'A' <= b && b <= 'Z' {
					want[i] = b + 32
				}
			}
			if got := appendLower([]byte("Kept"), text); string(got) != "Kept"+string(want) {
				t.Fatalf("%q becomes %q, want %q", text, got, want)
			}
		}
	}
}

// TestCommonPhrasesAreExact holds what a search for common words finds against a
// look at every message of a session: the last that match, and all that do.
func TestCommonPhrasesAreExact(t *testing.T) {
	m := plain(t)
	rng := rand.New(rand.NewPCG(3, 5))
	words := []string{"in", "the", "of", "The", "OF", "to", "walrus", "In", "theory", "within", "\n", "a"}
	const sessions, messages = 3, 3 * 70
	var lines []string
	texts := map[string][]string{}
	for i := range messages {
		var said []string
		for range 3 + rng.IntN(12) {
			said = append(said, words[rng.IntN(len(words))])
		}
		session := fmt.Sprint("s", i%sessions)
		line, err := json.Marshal(map[string]string{"id": fmt.Sprint(session, "-", len(texts[session])), "session": session, "role": "user", "text": strings.Join(said, " ")})
		if err != nil {
			t.Fatal(err)
		}
		texts[session] = append(texts[session], " "+strings.Join(strings.Fields(strings.ToLower(strings.Join(said, " "))), " ")+" ")
		lines = append(lines, string(line))
	}
	importTurns(t, m, lines...)
	for _, phrase := range []string{"in the", "of the", "the of", "the the", "in theory of the", "to a", "walrus in the", "of nothing"} {
		for session, said := range texts {
			var want []string
			for i, text := range said {
				if strings.Contains(text, " "+phrase+" ") {
					want = append(want, fmt.Sprint(session, "-", i))
				}
			}
			for _, limit := range []int{3, searchMost} {
				want := want[max(0, len(want)-limit):]
				out := search(t, m, SearchInput{Query: phrase, Exact: true, Session: session, Limit: limit})
				var got []string
				for _, s := range out.Sessions {
					for _, h := range s.Hits {
						got = append(got, h.ID)
					}
				}
				if !slices.Equal(got, want) || out.More != (len(want) == limit) {
					t.Errorf("%q in %s: %v (more: %v), want %v", phrase, session, got, out.More, want)
				}
			}
		}
	}
}
