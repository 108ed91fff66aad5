package mind

import (
	"errors"
	"strings"
	"testing"

	"chitta/internal/memory"
)

func TestFormOfID(t *testing.T) {
	for word, want := range map[string]bool{
		"D1:3": true, "17": true, "turn-17": true, "#4": true, "t_9": true,
		"": false, "walrus": false, "sha256": false, "a:b": false, "D1:3 and more": false, "-": false,
		strings.Repeat("1", maxIDBytes+1): false,
	} {
		if got := formOfID(word); got != want {
			t.Errorf("%q: %v", word, got)
		}
	}
}

// TestExplainRefusesIDsOfOtherProjects names a turn that only another project
// has, and one that none has.
func TestExplainRefusesIDsOfOtherProjects(t *testing.T) {
	m := plain(t)
	put := func(realm string, lines ...string) {
		t.Helper()
		if _, err := m.SessionImport(t.Context(), person, SessionImportInput{Format: "turns", Lines: lines, Realm: realm}); err != nil {
			t.Fatal(err)
		}
	}
	put(memory.UserRealm, `{"id":"D2:1","session":"here","speaker":"Ann","text":"the seal swims in the D1:3 pool"}`)
	elsewhere := Caller{Actor: ActorCLI, Cwd: t.TempDir()}
	if _, err := m.SessionImport(t.Context(), elsewhere, SessionImportInput{Format: "turns", Lines: []string{`{"id":"D1:3","session":"there","speaker":"Bob","text":"the walrus dives"}`}}); err != nil {
		t.Fatal(err)
	}
	var refused *memory.InputError
	if out, err := m.Explain(t.Context(), person, ExplainInput{Query: "D1:3", Realm: memory.UserRealm}); !errors.As(err, &refused) || !strings.Contains(refused.Problem, "another project") {
		t.Errorf("%+v %v", out, err)
	}
	if out, err := m.Explain(t.Context(), elsewhere, ExplainInput{Query: "D1:3"}); err != nil || len(out.Chain) == 0 || len(out.Degraded) != 0 {
		t.Errorf("%+v %v", out, err)
	}
	// agents do not learn what there is elsewhere
	for _, c := range []Caller{person, agent} {
		query := "D7:9"
		if c == agent {
			query = "D1:3"
		}
		out, err := m.Explain(t.Context(), c, ExplainInput{Query: query, Realm: memory.UserRealm})
		if err != nil || !strings.Contains(strings.Join(out.Degraded, " "), "no passage here is called") {
			t.Errorf("%s: %+v %v", query, out, err)
		}
	}
}
