package mind

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"chitta/internal/config"
	"chitta/internal/graph"
	"chitta/internal/memory"
	"chitta/internal/past"
	"chitta/internal/store"
)

// mentioning returns what names a concept, as memory:ROW and chunk:ROW.
func mentioning(t *testing.T, m *Mind, name string) (out []string) {
	t.Helper()
	concepts, err := m.store.ConceptsNamed(t.Context(), []string{memory.UserRealm}, graph.Key(name))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range concepts {
		list, err := m.store.Mentioning(t.Context(), []int64{c.Seq}, 100)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range list {
			out = append(out, fmt.Sprintf("%s:%d", map[store.Owner]string{store.OwnerMemory: "memory", store.OwnerChunk: "chunk"}[x.Owner], x.Item))
		}
	}
	slices.Sort(out)
	return out
}

func maintain(t *testing.T, m *Mind) {
	t.Helper()
	if err := m.Maintain(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestTextsAreReadForNames(t *testing.T) {
	m, c := openTest(t)
	kept := remember(t, m, person, RememberInput{Content: "the parser in internal/graph/notation.go is strict"})
	importTurns(t, m, `{"id":"1","session":"a","role":"assistant","text":"I changed internal/graph/notation.go and `+"`graph.Parse`"+`"}`)
	maintain(t, m)
	if got := mentioning(t, m, "internal/graph/notation.go"); !slices.Equal(got, []string{"chunk:1", "memory:1"}) {
		t.Errorf("the file: %v", got)
	}
	if got := mentioning(t, m, "graph.Parse"); !slices.Equal(got, []string{"chunk:1"}) {
		t.Errorf("the symbol: %v", got)
	}
	if _, err := m.Update(t.Context(), person, UpdateInput{ID: kept.ID, Content: ptr("the parser in internal/graph/question.go is strict")}); err != nil {
		t.Fatal(err)
	}
	if _, err := m.SessionForget(t.Context(), person, past.SessionInput{ID: "a"}); err != nil {
		t.Fatal(err)
	}
	// what a forgotten conversation named goes with it, at once
	if got, err := m.store.ConceptsNamed(t.Context(), []string{memory.UserRealm}, graph.Key("graph.Parse")); err != nil || len(got) != 0 {
		t.Errorf("%v %v", got, err)
	}
	maintain(t, m)
	if got := mentioning(t, m, "internal/graph/notation.go"); got != nil {
		t.Errorf("after the change: %v", got)
	}
	if got := mentioning(t, m, "internal/graph/question.go"); !slices.Equal(got, []string{"memory:1"}) {
		t.Errorf("after the change: %v", got)
	}
	if _, err := m.Forget(t.Context(), person, ForgetInput{ID: kept.ID}); err != nil {
		t.Fatal(err)
	}
	c.advance(365 * day)
	maintain(t, m) // erases
	maintain(t, m)
	if n, err := m.store.CountGraph(t.Context(), nil); err != nil || n.Concepts != 0 {
		t.Errorf("%+v %v", n, err)
	}
}

func ptr[T any](v T) *T { return &v }

// notationTurns are turns of which every tenth states a fact.
func notationTurns(n int) []string {
	lines := make([]string, n)
	for i := range lines {
		text := fmt.Sprintf("turn number %d is about nothing", i)
		if i%10 == 0 {
			text = fmt.Sprintf("step.%d -[causes]-> step.%d", i, i+1)
		}
		lines[i] = fmt.Sprintf(`{"id":"%d","session":"s%d","role":"assistant","text":%q}`, i, i/20, text)
	}
	return lines
}

// mineAll mines to the end.
func mineAll(t *testing.T, m *Mind) GraphMineOutput {
	t.Helper()
	for {
		out, err := m.GraphMine(t.Context(), person, GraphMineInput{})
		if err != nil {
			t.Fatal(err)
		}
		if out.Done {
			return out
		}
	}
}

func counts(t *testing.T, m *Mind) store.GraphCounts {
	t.Helper()
	n, err := m.store.CountGraph(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestMiningCanBeTakenBack(t *testing.T) {
	m, _ := openTest(t)
	m.opts.Config.Graph.Mine = false // until asked for
	importTurns(t, m, notationTurns(60)...)
	state(t, m, person, "step.0 -[causes]-> step.1", "own.cause -[causes]-> own.effect")
	maintain(t, m)
	before := counts(t, m)
	if out, err := m.GraphMine(t.Context(), person, GraphMineInput{Status: true}); err != nil || out.On || out.Automatic || !out.Done || out.Facts != 0 || before.Triples != 2 {
		t.Errorf("before: %+v %v", out, err)
	}
	out := mineAll(t, m)
	if !out.On || out.Chunks == 0 || out.Facts != 5 || out.Strengthened != 1 || out.Mentions == 0 {
		t.Errorf("%+v", out)
	}
	if n := counts(t, m); n.Triples != before.Triples+5 {
		t.Errorf("%+v, before %+v", n, before)
	}
	if again := mineAll(t, m); again.Facts != 5 || again.Strengthened != 1 || again.Job != out.Job {
		t.Errorf("a second time: %+v", again)
	}
	m.opts.Config.Graph.Mine = true
	importTurns(t, m, `{"id":"late","session":"late","role":"assistant","text":"late.cause -[causes]-> late.effect"}`)
	// a forgotten conversation takes its facts with it
	importTurns(t, m, `{"id":"gone","session":"gone","role":"assistant","text":"gone.cause -[causes]-> gone.effect"}`)
	if n := counts(t, m); n.Triples != before.Triples+7 {
		t.Errorf("what came later: %+v", n)
	}
	if _, err := m.SessionForget(t.Context(), person, past.SessionInput{ID: "gone"}); err != nil {
		t.Fatal(err)
	}
	if n := counts(t, m); n.Triples != before.Triples+6 {
		t.Errorf("forgotten: %+v", n)
	}
	undoMining(t, m, before)
}

// undoMining takes back what was mined and looks that all is as before, also
// when more comes.
func undoMining(t *testing.T, m *Mind, before store.GraphCounts) {
	t.Helper()
	if _, err := m.GraphMine(t.Context(), agent, GraphMineInput{Undo: true}); err == nil {
		t.Error("an agent took facts back")
	}
	undone, err := m.GraphMine(t.Context(), person, GraphMineInput{Undo: true})
	if err != nil || undone.On || undone.Automatic || undone.Erased == nil || undone.Erased.Facts != 6 || undone.Erased.Weaker != 1 || undone.Erased.Evidence != 7 {
		t.Errorf("%+v %+v %v", undone, undone.Erased, err)
	}
	after := counts(t, m)
	after.Concepts = before.Concepts // the passages still name those they spoke of
	if fmt.Sprint(after) != fmt.Sprint(before) {
		t.Errorf("%+v, before %+v", after, before)
	}
	if net, _ := m.net.Net(); net.Len() != before.Triples {
		t.Errorf("the net holds %d facts", net.Len())
	}
	importTurns(t, m, `{"id":"later","session":"later","role":"assistant","text":"later.cause -[causes]-> later.effect"}`)
	maintain(t, m)
	if n := counts(t, m); n.Triples != before.Triples {
		t.Errorf("read further: %+v", n)
	}
	if _, err := m.GraphMine(t.Context(), person, GraphMineInput{Undo: true, Status: true}); err == nil {
		t.Error("contrary wishes were accepted")
	}
	if again, err := m.GraphMine(t.Context(), person, GraphMineInput{Undo: true}); err != nil || again.Erased.Facts != 0 {
		t.Errorf("nothing to take back: %+v %v", again, err)
	}
	if again := mineAll(t, m); again.Facts != 7 || !again.On || !again.Automatic {
		t.Errorf("begun again: %+v", again)
	}
}

// TestMiningGoesOnWhereItWas: the work of a job that ended between two slices,
// or within one, comes to the same as that of one that ran through.
func TestMiningGoesOnWhereItWas(t *testing.T) {
	cfg := config.Default()
	cfg.Home = t.TempDir()
	cfg.Model.Use = "none"
	cfg.Graph.Mine = false // nothing is read before all is there
	m, err := Open(t.Context(), Options{Config: cfg})
	if err != nil {
		t.Fatal(err)
	}
	const turns = 3*mineSlice + 50
	lines := notationTurns(turns)
	for len(lines) > 0 {
		n := min(200, len(lines))
		importTurns(t, m, lines[:n]...)
		lines = lines[n:]
	}
	if err := m.startMining(t.Context()); err != nil {
		t.Fatal(err)
	}
	for round := 0; ; round++ {
		more, err := m.mineOnce(t.Context(), true)
		if err != nil {
			t.Fatal(err)
		}
		if !more {
			break
		}
		cut, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := m.mineOnce(cut, true); err == nil {
			t.Error("a cancelled slice went on")
		}
		if round%2 == 0 {
			// as after a kill: nothing but what is on disk is left
			if err := m.Close(); err != nil {
				t.Fatal(err)
			}
			if m, err = Open(t.Context(), Options{Config: cfg}); err != nil {
				t.Fatal(err)
			}
		}
	}
	defer m.Close()
	out := mineAll(t, m)
	chunks, err := m.store.LastChunkRev(t.Context())
	if err != nil || out.Facts != turns/10 || int64(out.Chunks) != chunks {
		t.Errorf("%+v, %d changes of chunks, %v", out, chunks, err)
	}
	sound(t, m)
}

func TestLinkedMemoriesRelateWhatTheyAreAbout(t *testing.T) {
	m, _ := openTest(t)
	old := remember(t, m, person, RememberInput{Content: "`store.Open` is where pragmas are set"})
	corrected, err := m.Correct(t.Context(), person, CorrectInput{ID: old.ID, Content: "`pool.Prepare` is where pragmas are set since the split"})
	if err != nil {
		t.Fatal(err)
	}
	both := remember(t, m, person, RememberInput{Content: "`a_one` and `b_two` are both slow today"})
	if _, err := m.Correct(t.Context(), person, CorrectInput{ID: both.ID, Content: "`c_three` is what is slow today"}); err != nil {
		t.Fatal(err)
	}
	maintain(t, m)
	out := mineAll(t, m)
	facts, err := m.store.Triples(t.Context(), store.TripleFilter{})
	if err != nil {
		t.Fatal(err)
	}
	if out.Links == 0 || len(facts) != 1 || facts[0].Predicate != "related_to" || facts[0].SubjectName != "pool.Prepare" && facts[0].ObjectName != "pool.Prepare" {
		t.Errorf("%+v %+v (correction %+v)", out, facts, corrected)
	}
}

func TestMiningStaysInItsRealm(t *testing.T) {
	m, _ := openTest(t)
	here := Caller{Actor: ActorCLI, Cwd: t.TempDir()}
	out := remember(t, m, here, RememberInput{Content: "`project.Thing` belongs to this project alone"})
	maintain(t, m)
	if got := mentioning(t, m, "project.Thing"); got != nil {
		t.Errorf("in the user's realm: %v", got)
	}
	if got, err := m.store.ConceptsNamed(t.Context(), []string{out.Realm}, "project.thing"); err != nil || len(got) != 1 {
		t.Errorf("in the project: %v %v", got, err)
	}
}

// TestMentionsAreDerived: made anew they are the same, and odd texts do no harm.
func TestMentionsAreDerived(t *testing.T) {
	m, _ := openTest(t)
	m.opts.Config.Graph.Mine = false // facts keep their concepts
	importTurns(t, m, notationTurns(30)...)
	importTurns(t, m, `{"id":"plain","session":"odd","role":"assistant","text":"I changed internal/graph/notation.go"}`)
	importTurns(t, m, `{"id":"odd","session":"odd","role":"user","text":"`+"`x\\u0000y.Z` `\\u202ertl.Name` src/😀.go `"+strings.Repeat("a", 5000)+".B`"+`"}`)
	maintain(t, m)
	before := counts(t, m)
	if err := m.rebuildMentions(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := counts(t, m); n.Concepts != 0 {
		t.Errorf("cleared: %+v", n)
	}
	maintain(t, m)
	if n := counts(t, m); n.Concepts != before.Concepts || n.Concepts == 0 {
		t.Errorf("%+v, before %+v", n, before)
	}
	if m.NextRound(time.Hour) != time.Hour && m.miner.todo.Load() {
		t.Error("it says that something is left")
	}
}
