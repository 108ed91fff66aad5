package past

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"chitta/internal/memory"
	"chitta/internal/session"
)

func TestSnippetsShowWhereWordsMeet(t *testing.T) {
	m := open(t)
	far := strings.Repeat("Nothing of note happened on this line at all. ", 200)
	m.turns(`{"id":"1","session":"a","text":"The zebra came first. ` + far + `Then the connections of zebra and Ge\u0301rard met. ` + far + `"}`)
	out := m.search(SearchInput{Query: "zebra connection"})
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
	m := open(t)
	m.take(session.Turns{}, "/w/app", `{"id":"1","session":"s","text":"the giraffe release went well"}`)
	m.turns(`{"id":"1","session":"s","text":"another giraffe"}`)
	if out := m.search(SearchInput{Query: "giraffe"}); out.Found != 1 || out.Realm != memory.UserRealm {
		t.Errorf("%+v", out)
	}
	for _, query := range []string{"giraffe", `"giraffe"`, "/gir.ffe/"} {
		if out := m.search(SearchInput{Query: query, Realm: "all"}); out.Found != 2 || len(out.Sessions) != 2 || out.Realm != "" {
			t.Errorf("%s: %+v", query, out)
		}
	}
	agent := Reader{Dir: "/w/app"}
	if out, err := m.Search(t.Context(), agent, SearchInput{Query: "giraffe"}); err != nil || out.Found != 1 || out.Sessions[0].Session.Project != "app" {
		t.Errorf("an agent in its project: %+v %v", out, err)
	}
	var refused *memory.RefusedError
	if out, err := m.Search(t.Context(), agent, SearchInput{Query: "giraffe", Realm: "ALL"}); !errors.As(err, &refused) {
		t.Errorf("an agent everywhere: %+v %v", out, err)
	}
	if out, err := m.Search(t.Context(), agent, SearchInput{Query: "giraffe", Realm: memory.UserRealm}); !errors.As(err, &refused) {
		t.Errorf("an agent in another realm: %+v %v", out, err)
	}
	if out, err := m.Search(t.Context(), agent, SearchInput{Query: "giraffe", Realm: "app"}); err != nil || out.Found != 1 {
		t.Errorf("an agent that names its own project: %+v %v", out, err)
	}
	if out, err := m.Search(t.Context(), Reader{Person: true}, SearchInput{Query: "giraffe", Realm: "app"}); err != nil || out.Found != 1 {
		t.Errorf("a person in another realm: %+v %v", out, err)
	}
	if out, err := m.Search(t.Context(), Reader{Dir: "/w/gone"}, SearchInput{Query: "giraffe"}); err == nil {
		t.Errorf("from a directory that is gone: %+v", out)
	}
}

func TestSearchShowsEverySessionItsShare(t *testing.T) {
	m := open(t)
	var lines []string
	for i := range 40 {
		lines = append(lines, fmt.Sprintf(`{"id":"a%d","session":"busy","text":"zebra number %[1]d"}`, i))
	}
	m.turns(lines...)
	m.turns(`{"id":"b","session":"quiet","text":"a zebra was seen in the yard by the neighbours who had never seen one"}`)
	out := m.search(SearchInput{Query: "zebra", Limit: 10})
	if len(out.Sessions) != 2 || out.Found != 41 || out.More {
		t.Fatalf("%d sessions, %d found, more %v", len(out.Sessions), out.Found, out.More)
	}
	for _, s := range out.Sessions {
		if s.Session.ID == "busy" && (len(s.Hits) != perSession || s.More != 35) {
			t.Errorf("%d shown, %d more", len(s.Hits), s.More)
		}
	}
	if out = m.search(SearchInput{Query: "zebra", Session: "busy", Limit: 30}); len(hitIDs(out)) != 30 {
		t.Errorf("%d shown", len(hitIDs(out)))
	}
	if out = m.search(SearchInput{Query: `"zebra number"`, Session: "busy", Limit: 7}); len(hitIDs(out)) != 7 || !out.More || out.Sessions[0].Hits[6].ID != "a39" {
		t.Errorf("newest first: %v", hitIDs(out))
	}
}

// TestIndexedAndScannedAgree holds phrases found through the index against a
// look at every text.
func TestIndexedAndScannedAgree(t *testing.T) {
	m := open(t)
	texts := []string{
		"open internal/store/chunk.go and look at getUserName", "see store/chunk.go now", "call get_user_name(v1.2.3)", "status 404 at http://example.com/a/b?c=d",
		"数据库连接超时的原因是防火墙规则", "don't panic, e-mail the C++ team's lead", "a 'quoted' text — with dashes", "PANIC: runtime error", "Straße und Café",
	}
	var lines []string
	for i, text := range texts {
		b, _ := json.Marshal(text)
		lines = append(lines, fmt.Sprintf(`{"id":"%d","session":"s","text":%s}`, i, b))
	}
	m.turns(lines...)
	for _, query := range []string{"chunk.go", "store/chunk.go", "getusername", "get_user_name", "v1.2.3", "status 404", "404 at", "example.com", "数据库", "超时的", "don't", "e-mail",
		"c++ team", "team's", "panic", "runtime error", "straße", "café", "a/b", "— with"} {
		p := newPhrase(query)
		var want []string
		for i, text := range texts {
			if p.find(text, 1) != nil {
				want = append(want, fmt.Sprint(i))
			}
		}
		got := hitIDs(m.search(SearchInput{Query: query, Exact: true}))
		slices.Sort(got)
		if !slices.Equal(got, want) || len(want) == 0 {
			t.Errorf("%q: found %v, want %v", query, got, want)
		}
	}
}

// TestCommonPhrasesAreExact holds what a search for common words finds against a
// look at every message of a session: the last that match, and all that do.
func TestCommonPhrasesAreExact(t *testing.T) {
	m := open(t)
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
	m.turns(lines...)
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
				out := m.search(SearchInput{Query: phrase, Exact: true, Session: session, Limit: limit})
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

func TestSearchFindsWordForWord(t *testing.T) {
	m := open(t)
	m.log(loginTalk("5c0ffee0-aaaa")...)
	tests := []struct {
		name string
		in   SearchInput
		want []string
		mode string
	}{
		{"all words, in any form", SearchInput{Query: "tests login fail"}, []string{"u1", "u4"}, "words"},
		{"words of a result", SearchInput{Query: "TestLogin FAIL"}, []string{"u4"}, "words"},
		{"a name by its words", SearchInput{Query: "clock skew"}, []string{"u5", "u8"}, "words"},
		{"a phrase", SearchInput{Query: `"clock skew was"`}, []string{"u8"}, "phrase"},
		{"a phrase whatever its case and spacing", SearchInput{Query: `"TOKEN expired:  got"`}, []string{"u4"}, "phrase"},
		{"a phrase and a word", SearchInput{Query: `"clock skew" twice`}, []string{"u8"}, "phrase"},
		{"a phrase is no piece of a word", SearchInput{Query: `"ogin works"`}, nil, "phrase"},
		{"the whole query is a phrase", SearchInput{Query: "login works", Exact: true}, []string{"u8"}, "phrase"},
		{"punctuation", SearchInput{Query: `"---"`}, []string{"u4"}, "phrase"},
		{"an expression", SearchInput{Query: `/login_test\.go:\d+/`}, []string{"u4"}, "regex"},
		{"an expression through the index", SearchInput{Query: `/skew was s.*twice/`}, []string{"u8"}, "regex"},
		{"an expression in any case", SearchInput{Query: `/testlogin/i`}, []string{"u4"}, "regex"},
		{"an expression by flag", SearchInput{Query: `^The clock`, Regex: true}, []string{"u8"}, "regex"},
		{"who: a person", SearchInput{Query: "login", Role: "user"}, []string{"u1"}, "words"},
		{"who: an agent", SearchInput{Query: "login", Role: "assistant"}, []string{"u8"}, "words"},
		{"who: a tool", SearchInput{Query: "test", Role: "tool"}, []string{"u3", "u4"}, "words"},
		{"thinking is left out", SearchInput{Query: "clockwork"}, nil, "words"},
		{"unless asked for", SearchInput{Query: "clockwork", Thinking: true}, []string{"u2"}, "words"},
		{"calls of a tool", SearchInput{Query: "test", Tool: "bash"}, []string{"u3", "u4"}, "words"},
		{"results of another", SearchInput{Query: "updated", Tool: "Edit"}, []string{"u6"}, "words"},
		{"not of another", SearchInput{Query: "updated", Tool: "Bash"}, nil, "words"},
		{"an expression on a tool", SearchInput{Query: "/up.ated/", Tool: "Edit"}, []string{"u6"}, "regex"},
		{"an expression on another tool", SearchInput{Query: "/up.ated/", Tool: "Bash"}, nil, "regex"},
		{"a file by name", SearchInput{Query: "skew", File: "token.go"}, []string{"u5"}, "words"},
		{"a file by the end of its path", SearchInput{Query: "skew", File: "auth/token.go"}, []string{"u5"}, "words"},
		{"a file by its path", SearchInput{Query: "skew", File: "/src/app/internal/auth/token.go"}, []string{"u5"}, "words"},
		{"a long end of a path", SearchInput{Query: "skew", File: "src/app/internal/auth/token.go"}, []string{"u5"}, "words"},
		{"another directory", SearchInput{Query: "skew", File: "/app/internal/auth/token.go"}, nil, "words"},
		{"another file", SearchInput{Query: "skew", File: "oken.go"}, nil, "words"},
		{"since", SearchInput{Query: "login", Since: "2026-04-01T10:05:00Z"}, []string{"u8"}, "words"},
		{"until", SearchInput{Query: "login", Until: "2026-04-01T10:02:00Z"}, []string{"u1"}, "words"},
		{"session", SearchInput{Query: "login works", Session: "5c0f"}, []string{"u8"}, "words"},
		{"a path is no expression", SearchInput{Query: "/auth/token.go/"}, []string{"u5"}, "words"},
		{"stop words alone", SearchInput{Query: "was the"}, []string{"u8"}, "words"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out := m.search(tt.in)
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
	m := open(t)
	m.log(loginTalk("s-1")...)
	out := m.search(SearchInput{Query: "yesterday zebra giraffe"})
	if !out.Loose || !slices.Equal(hitIDs(out), []string{"u1"}) {
		t.Errorf("%+v", out)
	}
	if out = m.search(SearchInput{Query: "zebra"}); out.Loose || out.Found != 0 || out.Sessions == nil {
		t.Errorf("%+v", out)
	}
}

func TestSearchRefusesWhatItCannotDo(t *testing.T) {
	m := open(t)
	m.log(loginTalk("5c0ffee0-aaaa")...)
	m.log(loginTalk("5c0ffee0-bbbb")...)
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
