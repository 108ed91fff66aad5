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
