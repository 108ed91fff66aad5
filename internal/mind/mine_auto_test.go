package mind

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chitta/internal/past"
	"chitta/internal/session"
	"chitta/internal/store"
)

// allFacts returns all facts that stand, as sentences with what they rest on.
func allFacts(t *testing.T, m *Mind) (out []string) {
	t.Helper()
	list, err := m.store.Triples(t.Context(), store.TripleFilter{})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range list {
		out = append(out, x.SubjectName+" "+x.Predicate+" "+x.ObjectName)
	}
	slices.Sort(out)
	return out
}

// TestATurnIsMinedWhenItIsStored: what an agent states is a fact as soon as its
// turn is read, without any background work, and calls of tools, what they
// print, code, bare arrows and what chitta itself put in are not.
func TestATurnIsMinedWhenItIsStored(t *testing.T) {
	m := plain(t)
	k := &script{session: "s1", cwd: "/p"}
	k.user("typed.cause -[causes]-> typed.effect")
	k.call("toolu_1", "Bash", map[string]any{"command": "echo command.cause -[causes]-> command.effect"})
	k.result("toolu_1", "Exit code 1\nprinted.cause -[causes]-> printed.effect\nbare.cause → bare.effect", map[string]any{"exitCode": 1})
	k.call("toolu_2", "mcp__chitta__recall", map[string]any{"query": "x"})
	k.result("toolu_2", "recalled.cause -[causes]-> recalled.effect", nil)
	k.assistant("I found it:\n\nstated.cause -[causes]-> stated.effect\n\n```\ncode.cause -[causes]-> code.effect\n```\n" +
		"<chitta-memory note=\"x\">given.cause -[causes]-> given.effect</chitta-memory>\n\nother.cause → other.effect\n")
	path := k.write(t, filepath.Join(t.TempDir(), "s1.jsonl"))
	ingestAll(t, m, path)
	want := []string{"stated.cause causes stated.effect"}
	if got := allFacts(t, m); !slices.Equal(got, want) {
		t.Errorf("at the end of the turn: %v", got)
	}
	maintain(t, m)
	k.user("go on")
	k.assistant("next.cause -[causes]-> next.effect")
	ingestAll(t, m, k.write(t, path))
	if got := allFacts(t, m); !slices.Equal(got, append([]string{"next.cause causes next.effect"}, want...)) {
		t.Errorf("after the next turn: %v", got)
	}
	list, err := m.store.Triples(t.Context(), store.TripleFilter{})
	if err != nil || len(list) == 0 {
		t.Fatal(list, err)
	}
	evidence, err := m.store.EvidenceOf(t.Context(), []int64{list[0].Seq})
	if e := evidence[list[0].Seq]; err != nil || len(e) != 1 || e[0].Session != "s1" || e[0].Message != "s1-0006" || e[0].Job == "" || e[0].Confidence != chunkConfidence {
		t.Errorf("%+v %v", e, err)
	}
}

func TestMiningIsSwitchedOffByTheConfiguration(t *testing.T) {
	m, _ := openTest(t)
	m.opts.Config.Graph.Mine = false
	importTurns(t, m, notationTurns(30)...)
	maintain(t, m)
	if got := allFacts(t, m); got != nil {
		t.Errorf("found %v", got)
	}
	if got := counts(t, m); got.Concepts != 0 {
		t.Errorf("what notation speaks of is noted: %+v", got)
	}
	if out := mineAll(t, m); out.Facts != 3 || out.Concepts != 6 || out.Automatic {
		t.Errorf("asked for: %+v", out)
	}
	if got := mentioning(t, m, "step.0"); len(got) != 1 {
		t.Errorf("the passage names it: %v", got)
	}
}

// TestEvidenceFollowsItsPassage: a passage that is cut anew leaves no evidence
// behind for what is said no more, and none is lost for what still is; a fact
// that somebody ended stays ended.
func TestEvidenceFollowsItsPassage(t *testing.T) {
	m := plain(t)
	dir := t.TempDir()
	k := &script{session: "s1", cwd: dir}
	k.user("what is wrong?")
	k.assistant("kept.cause -[causes]-> kept.effect")
	k.call("toolu_1", "Read", map[string]any{"file_path": "/p/a.txt"})
	k.result("toolu_1", "fine", nil)
	k.assistant("ended.cause -[causes]-> ended.effect")
	path := k.write(t, filepath.Join(t.TempDir(), "s1.jsonl"))
	ingestAll(t, m, path)
	here := Caller{Actor: ActorCLI, Cwd: dir}
	if _, err := m.GraphRemove(t.Context(), here, GraphRemoveInput{Subject: "ended.cause", Predicate: "causes", Object: "ended.effect"}); err != nil {
		t.Fatal(err)
	}
	before := restingOn(t, m)
	for range 3 { // the passage grows
		k.call("toolu_2", "Read", map[string]any{"file_path": "/p/b.txt"})
		k.result("toolu_2", "fine", nil)
		k.assistant("still at it " + strings.Repeat("word ", 50))
		ingestAll(t, m, k.write(t, path))
		maintain(t, m)
	}
	if after := restingOn(t, m); !slices.Equal(after, before) || len(after) != 2 {
		t.Errorf("%v, before %v", after, before)
	}
	// the words are another's now, as when a rule of deriving changes
	err := m.store.Write(t.Context(), func(tx *store.Tx) error {
		chunks, err := tx.ChunksFrom(1, "", 0)
		for _, c := range chunks {
			if c.Role != string(session.Assistant) || err != nil {
				continue
			}
			if err = tx.DropChunk(c.Seq); err == nil {
				c.Text = "nothing of the kind"
				err = tx.AddChunk(&c)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	maintain(t, m)
	if after := restingOn(t, m); after != nil {
		t.Errorf("left behind: %v", after)
	}
	if got := allFacts(t, m); got != nil {
		t.Errorf("known still: %v", got)
	}
}

// restingOn returns the evidence of all facts.
func restingOn(t *testing.T, m *Mind) (out []string) {
	t.Helper()
	list, err := m.store.Triples(t.Context(), store.TripleFilter{})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range list {
		evidence, err := m.store.EvidenceOf(t.Context(), []int64{x.Seq})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range evidence[x.Seq] {
			out = append(out, fmt.Sprintf("%s %v %s %s", x.ID, x.ValidUntil.IsZero(), e.Session, e.Message))
		}
	}
	return out
}

// TestAForgottenSessionTakesItsOwnFactsOnly: another project has a session of
// the same id.
func TestAForgottenSessionTakesItsOwnFactsOnly(t *testing.T) {
	m := plain(t)
	a, b := t.TempDir(), t.TempDir()
	for i, dir := range []string{a, b} {
		_, err := m.SessionImport(t.Context(), Caller{Actor: ActorCLI, Cwd: dir}, SessionImportInput{Format: "turns",
			Lines: []string{fmt.Sprintf(`{"id":"m%d","session":"same","role":"assistant","text":"dir%d.cause -[causes]-> shared.effect"}`, i, i)}})
		if err != nil {
			t.Fatal(err)
		}
	}
	if got := allFacts(t, m); len(got) != 2 {
		t.Fatal(got)
	}
	if _, err := m.SessionForget(t.Context(), Caller{Actor: ActorCLI, Cwd: a}, past.SessionInput{ID: "same"}); err != nil {
		t.Fatal(err)
	}
	if got := allFacts(t, m); !slices.Equal(got, []string{"dir1.cause causes shared.effect"}) {
		t.Errorf("left: %v", got)
	}
}

// TestAlikeMemoriesAreLinkedAsTheyCome: what two memories that say much the
// same are about is related, without anybody asking for it.
func TestAlikeMemoriesAreLinkedAsTheyCome(t *testing.T) {
	m, _ := openSemantic(t, semanticConfig(t))
	remember(t, m, person, RememberInput{Content: "the `retry_policy` waits longer after each failed network request"})
	remember(t, m, person, RememberInput{Content: "plum cake of my grandmother is baked with `brown_sugar`"})
	settle(t, m)
	if got := allFacts(t, m); got != nil {
		t.Errorf("too early: %v", got)
	}
	alike := remember(t, m, person, RememberInput{Content: "the `backoff_timer` makes failed network requests wait longer each time"})
	settle(t, m)
	maintain(t, m)
	got := allFacts(t, m)
	if len(got) != 1 || !strings.Contains(got[0], "related_to") || !strings.Contains(got[0], "backoff_timer") || !strings.Contains(got[0], "retry_policy") {
		t.Errorf("%v", got)
	}
	if _, err := m.Forget(t.Context(), person, ForgetInput{ID: alike.ID}); err != nil {
		t.Fatal(err)
	}
	open, err := m.store.Triples(t.Context(), store.TripleFilter{Open: true})
	if err != nil || len(open) != 0 {
		t.Errorf("its memory is forgotten: %+v %v", open, err)
	}
}

// saidIn imports one thing that an agent said at a day of the test's year.
func saidIn(t *testing.T, m *Mind, session string, month int, text string) {
	t.Helper()
	importTurns(t, m, fmt.Sprintf(`{"id":%q,"session":%q,"role":"assistant","time":"2026-%02d-01T00:00:00Z","text":%q}`, session, session, month, text))
	maintain(t, m)
}

// TestAnEndedFactIsNotMinedAgain: what a person ended does not come back because
// another session says it, be it older or newer, nor when everything is mined
// again; a person can say it again.
func TestAnEndedFactIsNotMinedAgain(t *testing.T) {
	m, c := openTest(t)
	const text = "proxy.cache -[causes]-> stale.page"
	saidIn(t, m, "first", 2, text)
	remove := func() {
		t.Helper()
		if _, err := m.GraphRemove(t.Context(), person, GraphRemoveInput{Subject: "proxy.cache", Predicate: "causes", Object: "stale.page"}); err != nil {
			t.Fatal(err)
		}
		c.advance(day)
	}
	open := func(when string, want int) {
		t.Helper()
		list, err := m.store.Triples(t.Context(), store.TripleFilter{HoldsAfter: m.now()})
		if err != nil || len(list) != want {
			t.Errorf("%s: %+v %v", when, list, err)
		}
	}
	open("said", 1)
	remove()
	saidIn(t, m, "older", 1, text)
	open("an older session", 0)
	saidIn(t, m, "newer", 12, text)
	open("a newer session", 0)
	saidIn(t, m, "turned", 3, "stale.page -[caused by]-> proxy.cache")
	open("in other words", 0)
	if _, err := m.GraphMine(t.Context(), person, GraphMineInput{Undo: true}); err != nil {
		t.Fatal(err)
	}
	mineAll(t, m)
	open("mined again", 0)
	tell(t, m, person, text)
	open("said by a person", 1)
	remove()
	saidIn(t, m, "last", 12, text)
	open("ended again", 0)
	sound(t, m)
}

// TestALinkFallsWithEitherEnd: what two texts being alike says is known as long
// as both are there.
func TestALinkFallsWithEitherEnd(t *testing.T) {
	for _, now := range []bool{false, true} {
		for _, end := range []int{0, 1} {
			m, _ := openTest(t)
			old := remember(t, m, person, RememberInput{Content: "`store.Open` is where pragmas are set"})
			fixed, err := m.Correct(t.Context(), person, CorrectInput{ID: old.ID, Content: "`pool.Prepare` is where pragmas are set since the split"})
			if err != nil {
				t.Fatal(err)
			}
			maintain(t, m)
			mineAll(t, m)
			if got := allFacts(t, m); len(got) != 1 {
				t.Fatal(got)
			}
			id := []string{old.ID, fixed.ID}[end]
			if _, err := m.Forget(t.Context(), person, ForgetInput{ID: id, Now: now}); err != nil {
				t.Fatal(err)
			}
			maintain(t, m)
			mineAll(t, m)
			open, err := m.store.Triples(t.Context(), store.TripleFilter{Open: true})
			if err != nil || len(open) != 0 {
				t.Errorf("end %d, now %v: %+v %v", end, now, open, err)
			}
			sound(t, m)
		}
	}
}

// TestDoneIsUpToDate: mining that has not read what came since is not done.
func TestDoneIsUpToDate(t *testing.T) {
	m, _ := openTest(t)
	m.opts.Config.Graph.Mine = false
	importTurns(t, m, notationTurns(20)...)
	if out := mineAll(t, m); !out.Done {
		t.Errorf("%+v", out)
	}
	importTurns(t, m, `{"id":"late","session":"late","role":"assistant","text":"late.cause -[causes]-> late.effect"}`)
	if out, err := m.GraphMine(t.Context(), person, GraphMineInput{Status: true}); err != nil || out.Done || !out.On {
		t.Errorf("%+v %v", out, err)
	}
	if out := mineAll(t, m); !out.Done || out.Facts != 3 {
		t.Errorf("%+v", out)
	}
}
