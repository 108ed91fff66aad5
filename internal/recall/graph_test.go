package recall

import (
	"slices"
	"strings"
	"testing"

	"chitta/internal/store"
)

func TestNamesInAQuestion(t *testing.T) {
	for _, tt := range []struct {
		text            string
		written, spoken []string
	}{
		{"", nil, nil},
		{"?? ... ()", nil, nil},
		{"Why does `nc.subshell` fail?", []string{"why", "does", "nc.subshell", "fail"},
			[]string{"why.does", "why.does.nc.subshell", "why.does.nc.subshell.fail", "does.nc.subshell", "does.nc.subshell.fail", "nc.subshell.fail"}},
		{"get_user() in src/a.go", []string{"get.user", "in", "src.a.go"}, []string{"get.user.in", "get.user.in.src.a.go", "in.src.a.go"}},
		{"again again", []string{"again"}, []string{"again.again"}},
	} {
		written, spoken := namesIn(tt.text)
		if !slices.Equal(written, tt.written) || !slices.Equal(spoken, tt.spoken) {
			t.Errorf("%q: %q and %q", tt.text, written, spoken)
		}
	}
	written, spoken := namesIn(strings.Repeat("a b c d e f g ", 10_000))
	if len(written) > questionWords || len(spoken) > nameWords*questionWords {
		t.Errorf("%d and %d names of a long text", len(written), len(spoken))
	}
	namesIn("\xff\x00 \u202e😀 \xff") // must not panic
}

func TestTonesAddUp(t *testing.T) {
	a := Tone{Level: 0.2, Concept: "weak", Attractor: "hub"}
	if got := a.with(Tone{Level: 0.4, Concept: "strong"}); got != (Tone{0.4, "strong", "hub"}) {
		t.Errorf("%+v", got)
	}
	if got := a.with(Tone{Level: 0.1, Concept: "weaker", Attractor: "other"}); got != a {
		t.Errorf("%+v", got)
	}
}

func TestMentionsAreSplitByConceptAndOwner(t *testing.T) {
	list := []store.Mention{{Concept: 1, Owner: store.OwnerMemory, Item: 2}, {Concept: 1, Owner: store.OwnerMemory, Item: 1}, {Concept: 1, Owner: store.OwnerChunk, Item: 1}, {Concept: 2, Owner: store.OwnerChunk, Item: 1}}
	got := byConceptAndOwner(list)
	if len(got) != 3 || len(got[0]) != 2 || len(got[1]) != 1 || len(got[2]) != 1 {
		t.Errorf("%v", got)
	}
	if byConceptAndOwner(nil) != nil {
		t.Error("nothing was split")
	}
}
