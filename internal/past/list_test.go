package past

import (
	"slices"
	"testing"
	"time"
)

func TestSessionsAreListedNewestFirst(t *testing.T) {
	m := open(t)
	m.turns(`{"id":"1","session":"old-talk","time":"2026-04-01T10:00:00Z","text":"an old talk"}`)
	m.turns(`{"id":"1","session":"new-talk","time":"2026-05-01T10:00:00Z","text":"a new talk"}`, `{"id":"2","session":"new-talk","time":"2026-05-02T10:00:00Z","text":"goes on"}`)
	m.clock = m.clock.Add(24 * time.Hour)
	m.turns(`{"id":"1","session":"timeless","text":"no time is given"}`)
	m.log(loginTalk("5c0ffee0-aaaa")...)
	list := func(in ListInput) []string {
		t.Helper()
		out, err := m.List(t.Context(), person, in)
		if err != nil {
			t.Fatal(err)
		}
		ids := []string{}
		for _, s := range out.Sessions {
			ids = append(ids, s.ID)
		}
		return ids
	}
	all := []string{"timeless", "new-talk", "5c0ffee0-aaaa", "old-talk"}
	tests := []struct {
		name string
		in   ListInput
		want []string
	}{
		{"all", ListInput{}, all},
		{"since", ListInput{Since: "2026-04-20"}, []string{"timeless", "new-talk"}},
		{"until", ListInput{Until: "2026-04-20"}, []string{"5c0ffee0-aaaa", "old-talk"}},
		{"file", ListInput{File: "auth/token.go"}, []string{"5c0ffee0-aaaa"}},
		{"another file", ListInput{File: "oken.go"}, []string{}},
		{"realm", ListInput{Realm: "user"}, all},
	}
	for _, tt := range tests {
		if got := list(tt.in); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
	var paged []string
	in := ListInput{Limit: 1, Realm: "all"}
	for {
		out, err := m.List(t.Context(), person, in)
		if err != nil || out.Total != len(all) {
			t.Fatalf("%d in all, %v", out.Total, err)
		}
		for _, s := range out.Sessions {
			paged = append(paged, s.ID)
		}
		if out.Next == "" {
			break
		}
		in.Cursor = out.Next
	}
	if !slices.Equal(paged, all) {
		t.Errorf("in pages: %v", paged)
	}
	if _, err := m.List(t.Context(), person, ListInput{Cursor: "nonsense"}); err == nil {
		t.Error("a cursor from elsewhere is taken")
	}
}
