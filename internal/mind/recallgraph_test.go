package mind

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"chitta/internal/memory"
	"chitta/internal/recall"
)

// state puts notation into the graph.
func state(t *testing.T, m *Mind, c Caller, statements ...string) {
	t.Helper()
	for _, s := range statements {
		if _, err := m.GraphAdd(t.Context(), c, GraphAddInput{Statement: s}); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

func ask(t *testing.T, m *Mind, c Caller, in RecallInput) []Result {
	t.Helper()
	out, err := m.Recall(t.Context(), c, in)
	if err != nil {
		t.Fatalf("recall %q: %v", in.Query, err)
	}
	return out.Results
}

// factsOf returns the texts of the facts in an answer.
func factsOf(list []Result) (texts []string) {
	for _, r := range list {
		if r.Kind == KindFact {
			texts = append(texts, r.Text)
		}
	}
	return texts
}

var failureFacts = []string{
	"nc.subshell -[causes]-> socket.failure", "cli.direct -[solves]-> socket.failure", "chitta.daemon -[requires]-> unix.socket",
	"grpc.transport -[is_a]-> transport", "http.socket -[supersedes]-> grpc.transport", "ristretto ~ bigcache",
}

func TestQuestionsWithARelationAreAnsweredByFacts(t *testing.T) {
	m, _ := openTest(t)
	state(t, m, person, failureFacts...)
	if _, err := m.GraphAlias(t.Context(), person, GraphAliasInput{Concept: "socket.failure", Alias: "broken.pipe"}); err != nil {
		t.Fatal(err)
	}
	remember(t, m, person, RememberInput{Content: "a socket failure was seen with nc in a subshell, what causes it is unclear"})
	for _, tt := range []struct{ question, want string }{
		{"what causes socket.failure?", "nc.subshell causes socket.failure; cli.direct solves it"},
		{"What causes the socket failure", "nc.subshell causes socket.failure; cli.direct solves it"},
		{"what caused broken.pipe", "nc.subshell causes socket.failure; cli.direct solves it"},
		{"why does socket fail?", "nc.subshell causes socket.failure; cli.direct solves it"},
		{"what solves socket.failure", "cli.direct solves socket.failure"},
		{"how to fix socket failure", "cli.direct solves socket.failure"},
		{"what does chitta.daemon need", "chitta.daemon requires unix.socket"},
		{"what needs unix.socket", "chitta.daemon requires unix.socket"},
		{"what replaced grpc.transport", "http.socket supersedes grpc.transport"},
		{"what is related to bigcache", "ristretto is related to bigcache"},
		{"what is ristretto related to", "ristretto is related to bigcache"},
		{"grpc.transport vs http.socket", "http.socket supersedes grpc.transport"},
		{"what causes socket.failure in prod", "nc.subshell causes socket.failure; cli.direct solves it"},
		{"what is caused by nc.subshell", "nc.subshell causes socket.failure"},
		{"what was grpc.transport replaced by", "http.socket supersedes grpc.transport"},
		{"what are the causes of socket.failure", "nc.subshell causes socket.failure; cli.direct solves it"},
		{"which things need unix.socket", "chitta.daemon requires unix.socket"},
	} {
		t.Run(tt.question, func(t *testing.T) {
			got := ask(t, m, person, RecallInput{Query: tt.question})
			if len(got) == 0 || got[0].Kind != KindFact || got[0].Text != tt.want {
				t.Fatalf("%+v", got)
			}
			r := got[0]
			if !strings.HasPrefix(r.ID, "t_") || r.Confidence <= 0 || r.Trust != string(memory.TrustUser) || len(r.Evidence) != 1 || r.Evidence[0].Source != recall.SourceGraph || r.Evidence[0].Weighted != r.Score {
				t.Errorf("%+v", r)
			}
		})
	}
}

// TestOtherQuestionsAreAnsweredAsBefore: whether facts can answer makes no
// difference to a question that is not about one of them.
func TestOtherQuestionsAreAnsweredAsBefore(t *testing.T) {
	m, _ := openTest(t)
	state(t, m, person, failureFacts...)
	remember(t, m, person, RememberInput{Content: "deploy the staging database with the blue script"})
	remember(t, m, person, RememberInput{Content: "what causes trouble is the cache of the staging proxy"})
	importTurns(t, m, `{"id":"1","session":"a","role":"user","text":"the staging proxy fails because of its cache"}`)
	without := slices.DeleteFunc(slices.Clone(m.pipeline.Targets), func(x recall.Target) bool { return x.Name() == recall.TargetGraph })
	with := m.pipeline.Targets
	for _, question := range []string{
		"what causes proxy.cache.trouble", "why does the staging proxy fail", "what is the best way to deploy", "what is going on", "staging",
		"how do we deploy the database", "what solves everything", "what is a transport layer for", "what does nobody.knows need", "proxy vs cache",
	} {
		for _, in := range []RecallInput{{Query: question}, {Query: question, Scope: recall.TargetMemories}, {Query: question, Kinds: []string{"wisdom"}}} {
			answer := func(targets []recall.Target) string {
				m.pipeline.Targets = targets
				out, err := m.Recall(t.Context(), person, in)
				if err != nil {
					t.Fatal(err)
				}
				text, err := json.Marshal(out)
				if err != nil {
					t.Fatal(err)
				}
				return string(text)
			}
			if a, b := answer(with), answer(without); a != b {
				t.Errorf("%+v:\n%s\n%s", in, a, b)
			}
		}
	}
	m.pipeline.Targets = with
}

func TestFactsOfOtherProjectsDoNotShow(t *testing.T) {
	m, _ := openTest(t)
	root := t.TempDir()
	here, there := Caller{Actor: ActorCLI, Cwd: filepath.Join(root, "here")}, Caller{Actor: ActorCLI, Cwd: filepath.Join(root, "there")}
	for _, c := range []Caller{here, there} {
		if err := os.Mkdir(c.Cwd, 0o700); err != nil {
			t.Fatal(err)
		}
		remember(t, m, c, RememberInput{Content: "this project is known by now"})
	}
	state(t, m, here, "nc.subshell -[causes]-> socket.failure")
	agentThere := Caller{Actor: actorMCP, Cwd: there.Cwd}
	for _, tt := range []struct {
		name string
		c    Caller
		in   RecallInput
		want int
	}{
		{"at home", here, RecallInput{}, 1},
		{"elsewhere", there, RecallInput{}, 0},
		{"elsewhere, facts alone", there, RecallInput{Scope: recall.TargetGraph}, 0},
		{"a person asking that project", there, RecallInput{Realm: "here"}, 1},
		{"a person asking everywhere", there, RecallInput{Realm: "all"}, 1},
		{"an agent asking that project", agentThere, RecallInput{Realm: "here"}, 0},
		{"an agent asking everywhere", agentThere, RecallInput{Realm: "all"}, 0},
		{"nowhere", Caller{}, RecallInput{}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.in.Query = "what causes socket.failure"
			if got := factsOf(ask(t, m, tt.c, tt.in)); len(got) != tt.want {
				t.Errorf("%v", got)
			}
		})
	}
}

func TestFactsAreAsTheyWereThen(t *testing.T) {
	m, c := openTest(t)
	c.advance(day)
	before := c.Now().Add(-time.Hour).Format(time.RFC3339)
	state(t, m, person, "nc.subshell -[causes]-> socket.failure")
	c.advance(day)
	during := c.Now().Format(time.RFC3339)
	c.advance(day)
	if _, err := m.GraphRemove(t.Context(), person, GraphRemoveInput{Subject: "nc.subshell", Predicate: "causes", Object: "socket.failure"}); err != nil {
		t.Fatal(err)
	}
	c.advance(day)
	for asOf, want := range map[string]int{before: 0, during: 1, "": 0} {
		if got := factsOf(ask(t, m, person, RecallInput{Query: "what causes socket.failure", AsOf: asOf})); len(got) != want {
			t.Errorf("as of %q: %v", asOf, got)
		}
	}
}

// resonant asks with the graph's part in ranking switched on.
func resonant(t *testing.T, m *Mind, query, scope string, graph, attractor float64) *recall.Answer {
	t.Helper()
	q, err := m.recallQuery(t.Context(), person, RecallInput{Query: query, Scope: scope})
	if err != nil {
		t.Fatal(err)
	}
	recipe := recall.DefaultRecipe()
	recipe.Graph, recipe.Attractor = graph, attractor
	q.Recipe = &recipe
	a, err := m.pipeline.Run(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func evidenceOf(c recall.Candidate, source string) (recall.Evidence, bool) {
	i := slices.IndexFunc(c.Evidence, func(e recall.Evidence) bool { return e.Source == source })
	if i < 0 {
		return recall.Evidence{}, false
	}
	return c.Evidence[i], true
}

// TestActivationFindsWhatSharesNoWord: a question about the cause brings in what
// is remembered of the effect.
func TestActivationFindsWhatSharesNoWord(t *testing.T) {
	m, _ := openTest(t)
	state(t, m, person, failureFacts...)
	kept := remember(t, m, person, RememberInput{Content: "`socket.failure` comes back on Fridays, restart both ends"})
	other := remember(t, m, person, RememberInput{Content: "nc.subshell is what the old script calls"})
	importTurns(t, m, `{"id":"1","session":"a","role":"user","text":"yesterday I saw `+"`socket.failure`"+` three times"}`,
		`{"id":"2","session":"b","role":"user","text":"lunch was good"}`)
	if err := m.Maintain(t.Context()); err != nil {
		t.Fatal(err)
	}
	ids := func(a *recall.Answer) (ids []string) {
		for _, c := range a.Candidates {
			ids = append(ids, c.ID)
		}
		return ids
	}
	if got := ids(resonant(t, m, "nc.subshell hangs", "", 0, 0)); !slices.Equal(got, []string{other.ID}) {
		t.Fatalf("without the graph: %v", got)
	}
	a := resonant(t, m, "nc.subshell hangs", "", 1, 0)
	got := ids(a)
	if got[0] != other.ID || !slices.Contains(got, kept.ID) || !slices.Contains(got, "1") || slices.Contains(got, "2") {
		t.Fatalf("with the graph: %v", got)
	}
	for _, c := range a.Candidates {
		e, ok := evidenceOf(c, recall.SourceGraph)
		if want := c.ID != other.ID; ok != want || ok && (e.Detail != "socket.failure" || e.Score <= 0 || e.Score > 0.5) {
			t.Errorf("%s: %+v", c.ID, c.Evidence)
		}
		if c.Memory == nil {
			continue
		}
		sum := 0.0
		for _, e := range c.Evidence {
			if !e.Raw {
				sum += e.Weighted
			}
		}
		if d := sum - c.Score; d > 1e-9 || d < -1e-9 {
			t.Errorf("%s: evidence adds up to %v, not %v", c.ID, sum, c.Score)
		}
	}
	if a := resonant(t, m, "nc.subshell hangs", recall.TargetGraph, 1, 0); len(a.Candidates) == 0 || a.Candidates[0].Text != "nc.subshell causes socket.failure" {
		t.Errorf("facts alone: %+v", a.Candidates)
	}
}

func TestPlainWordsAreNoSymbol(t *testing.T) {
	m, _ := openTest(t)
	remember(t, m, person, RememberInput{Content: "`get_user` is slow with many rows"})
	if err := m.Maintain(t.Context()); err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]bool{"how to get user rows": false, "what about get_user rows": true, "what about get_user() rows": true} {
		a := resonant(t, m, query, "", 1, 0)
		if len(a.Candidates) != 1 {
			t.Fatalf("%s: %+v", query, a.Candidates)
		}
		if _, ok := evidenceOf(a.Candidates[0], recall.SourceGraph); ok != want {
			t.Errorf("%s: %+v", query, a.Candidates[0].Evidence)
		}
	}
}

func TestAttractorsLiftTheirRegion(t *testing.T) {
	m, c := openTest(t)
	state(t, m, person, "nc.subshell -[causes]-> socket.failure", "fd.leak -[causes]-> socket.failure", "old.kernel -[causes]-> socket.failure", "cli.direct -[solves]-> socket.failure")
	inside := remember(t, m, person, RememberInput{Content: "restart helps with `fd.leak` for an hour"})
	outside := remember(t, m, person, RememberInput{Content: "restart helps with `tmp.files` for an hour too"})
	if err := m.Maintain(t.Context()); err != nil {
		t.Fatal(err)
	}
	a := resonant(t, m, "restart helps after nc.subshell", recall.TargetMemories, 0, 0.15)
	for _, x := range a.Candidates {
		e, ok := evidenceOf(x, recall.SourceAttractor)
		switch {
		case x.ID == inside.ID && (!ok || e.Detail != "socket.failure" || e.Weighted <= 0):
			t.Errorf("inside: %+v", x.Evidence)
		case x.ID == outside.ID && ok:
			t.Errorf("outside: %+v", x.Evidence)
		}
	}
	if len(a.Candidates) != 2 || a.Candidates[0].ID != inside.ID {
		t.Errorf("%+v", a.Candidates)
	}
	// for some minutes they stay as they were
	state(t, m, person, "fd.leak -[solves]-> x.one", "fd.leak -[solves]-> x.two", "fd.leak -[solves]-> x.three", "fd.leak -[solves]-> x.four", "fd.leak -[solves]-> x.five")
	for _, step := range []struct {
		wait time.Duration
		want string
	}{{time.Minute, "socket.failure"}, {10 * time.Minute, "fd.leak"}} {
		c.advance(step.wait)
		a := resonant(t, m, "restart helps after fd.leak", recall.TargetMemories, 0, 0.15)
		if e, _ := evidenceOf(a.Candidates[0], recall.SourceAttractor); e.Detail != step.want {
			t.Errorf("after %v: %+v", step.wait, a.Candidates[0].Evidence)
		}
	}
}
