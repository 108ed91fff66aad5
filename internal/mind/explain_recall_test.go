package mind

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"chitta/internal/past"
	"chitta/internal/recall"
)

// sums returns what the evidence of a result adds up to: its score, and the
// points of what is raw.
func sums(t *testing.T, r Result) (score, points, fused float64) {
	t.Helper()
	fused = math.NaN()
	for _, e := range r.Evidence {
		switch {
		case e.Raw:
			points += e.Weighted
		default:
			score += e.Weighted
		}
		if e.Source == recall.SourceFusion || e.Source == recall.SourceRelevance {
			fused = e.Score
		}
	}
	return score, points, fused
}

// TestEvidenceAddsUp: what is not raw adds up to the score, and the points of
// what is to what was fused, for memories and passages, with one finder or two.
func TestEvidenceAddsUp(t *testing.T) {
	ask := func(t *testing.T, m *Mind, scope string) {
		t.Helper()
		out, err := m.Recall(t.Context(), person, RecallInput{Query: "why does the login test fail", Scope: scope, Limit: 20, Explain: true})
		if err != nil || len(out.Results) < 3 {
			t.Fatalf("%d results, %v", len(out.Results), err)
		}
		results := out.Results
		for _, s := range out.Sessions {
			results = append(results, s.Passages...)
		}
		for _, r := range results {
			score, points, fused := sums(t, r)
			if math.Abs(score-r.Score) > 1e-9 || !(math.Abs(points-fused) < 1e-9) {
				t.Errorf("%s: score %v, evidence %v; points %v of %v: %+v", r.ID, r.Score, score, points, fused, r.Evidence)
			}
		}
	}
	fill := func(t *testing.T, m *Mind) {
		t.Helper()
		for _, text := range []string{"The login test fails when the clock is wrong", "Sign-in checks need a fresh cookie", "A test of the parser fails on Windows", "Login pages are served by the gateway"} {
			remember(t, m, agent, RememberInput{Content: text, Tags: []string{"login"}})
		}
		talk(t, m, "s1", loginTalk("s1")...)
	}
	t.Run("words", func(t *testing.T) {
		m, _ := openTest(t)
		fill(t, m)
		ask(t, m, "")
		ask(t, m, recall.TargetSessions)
	})
	t.Run("words and meaning", func(t *testing.T) {
		m, _ := openSemantic(t, semanticConfig(t))
		fill(t, m)
		settle(t, m)
		ask(t, m, "")
		ask(t, m, recall.TargetSessions)
	})
}

// TestExplainSaysWhatWasHeldBack counts what conditions, bars, limit and budget
// kept out of an answer.
func TestExplainSaysWhatWasHeldBack(t *testing.T) {
	m, _ := openSemantic(t, semanticConfig(t))
	var first string
	for i := range 6 {
		x := remember(t, m, person, RememberInput{Content: fmt.Sprintf("the parser has token number %d of the grammar", i), Kind: "wisdom"})
		if i == 0 {
			first = x.ID
		}
	}
	remember(t, m, person, RememberInput{Content: "the parser of the other team is slow", Realm: elsewhereRealm(t, m), Visibility: "private", Kind: "wisdom"})
	remember(t, m, person, RememberInput{Content: "the parser prints a warning", Kind: "episode"})
	remember(t, m, person, RememberInput{Content: "plums are ripe in September", Kind: "wisdom"})
	if _, err := m.Forget(t.Context(), person, ForgetInput{ID: first}); err != nil {
		t.Fatal(err)
	}
	settle(t, m)
	out, err := m.Recall(t.Context(), person, RecallInput{Query: "parser token grammar", Kinds: []string{"wisdom"}, Limit: 2, Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]int{"of another realm": 1, "of another kind": 1, "in another state": 1, "beyond the limit of 2": 3, "memories below a cosine of 0.20": 1}
	got := map[string]int{}
	for _, h := range out.Held {
		got[h.Why] = h.Count
	}
	for why, n := range want {
		if got[why] != n {
			t.Errorf("%q: %d, want %d; all: %v", why, got[why], n, out.Held)
		}
	}
	if len(out.Bars) == 0 || out.Bars[0].Stage != recall.TargetMemories || out.Bars[0].Least != 0.2 {
		t.Errorf("bars: %+v", out.Bars)
	}
	stages := ""
	for _, s := range out.Stages {
		stages += s.Stage + ","
	}
	for _, stage := range []string{"keyword,", "vector,", "load,", "fusion,", "settle,"} {
		if !strings.Contains(stages, stage) {
			t.Errorf("no time of %s in %s", stage, stages)
		}
	}
	// an agent is not told of other projects
	out, err = m.Recall(t.Context(), agent, RecallInput{Query: "parser token grammar", Explain: true})
	if err != nil || slices.ContainsFunc(out.Held, func(h recall.Held) bool { return strings.Contains(h.Why, "realm") }) {
		t.Errorf("%v %v", out.Held, err)
	}
	// and nobody who did not ask for reasons
	out, err = m.Recall(t.Context(), person, RecallInput{Query: "parser token grammar"})
	if b, _ := json.Marshal(out); err != nil || strings.Contains(string(b), `"held"`) || strings.Contains(string(b), `"bars"`) {
		t.Errorf("%s %v", b, err)
	}
	budget, err := m.Recall(t.Context(), person, RecallInput{Query: "parser token grammar", Budget: 12, Explain: true})
	if err != nil || !slices.ContainsFunc(budget.Held, func(h recall.Held) bool {
		return strings.HasPrefix(h.Why, "do not fit the budget of 12") && h.Count > 0
	}) {
		t.Errorf("%v %v", budget.Held, err)
	}
}

// elsewhereRealm makes a realm that is not the caller's.
func elsewhereRealm(t *testing.T, m *Mind) string {
	t.Helper()
	r, err := m.realmFor(t.Context(), Caller{Actor: ActorCLI, Cwd: t.TempDir()}, "")
	if err != nil {
		t.Fatal(err)
	}
	return r.ID
}

// TestPassagesWithTheSameID: recall prints ids that name one passage, and
// everything that takes an id takes them.
func TestPassagesWithTheSameID(t *testing.T) {
	m, _ := openTest(t)
	first, second := "11112222-aaaa-4bbb-8ccc-000000000001", "11112222-aaaa-4bbb-8ccc-000000000002"
	third := "33334444-aaaa-4bbb-8ccc-000000000003"
	talk(t, m, first, logged("user", "u1", "", first, "The zebra is kept in the northern stable."))
	talk(t, m, second, logged("user", "u1", "", second, "The zebra was moved to the southern stable."))
	talk(t, m, third, logged("user", "u1", "", third, "The zebra went to another zoo."), logged("user", "x9", "u1", third, "The giraffe stays."))
	out, err := m.Recall(t.Context(), person, RecallInput{Query: "zebra giraffe", Limit: 10})
	if err != nil || len(out.Results) != 4 {
		t.Fatalf("%+v %v", out.Results, err)
	}
	want := map[string]string{"northern": first + ":u1", "southern": second + ":u1", "another zoo": "33334444:u1", "giraffe": "x9"}
	for _, r := range out.Results {
		for part, id := range want {
			if strings.Contains(r.Text, part) && r.ID != id {
				t.Errorf("%q has id %s, want %s", r.Text, r.ID, id)
			}
		}
		for _, c := range []Caller{person, agent} {
			shown, err := m.SessionShow(t.Context(), c, past.ShowInput{ID: r.ID})
			if err != nil || len(shown.Messages) != 1 || !strings.Contains(r.Text, shown.Messages[0].Parts[0].Text) || shown.Session.ID != r.Provenance.Session {
				t.Errorf("show %s: %+v %v", r.ID, shown.Messages, err)
			}
		}
		why, err := m.Explain(t.Context(), person, ExplainInput{Query: r.ID})
		if err != nil || len(why.Chain) == 0 || why.Chain[len(why.Chain)-1].ID != r.ID || why.Chain[len(why.Chain)-1].Session != r.Provenance.Session {
			t.Errorf("explain %s: %+v %v", r.ID, why.Chain, err)
		}
	}
	few, err := m.Recall(t.Context(), person, RecallInput{Query: "zebra giraffe", Limit: 1, Explain: true})
	if err != nil || len(few.Suppressed) != 3 || !slices.ContainsFunc(few.Suppressed, func(s recall.Suppressed) bool { return strings.HasSuffix(s.ID, ":u1") }) {
		t.Errorf("left out: %+v %v", few.Suppressed, err)
	}
	for _, odd := range []string{"u1", "33334444:", ":u1", "33334444:u2", "zebra:u1", "11112222:u1"} {
		if _, err := m.SessionShow(t.Context(), person, past.ShowInput{ID: odd}); err == nil {
			t.Errorf("%q was shown", odd)
		}
	}
}
