package mind

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"chitta/internal/memory"
	"chitta/internal/store"
)

// tell adds a fact written as notation.
func tell(t *testing.T, m *Mind, c Caller, statement string, edit ...func(*GraphAddInput)) GraphAddOutput {
	t.Helper()
	in := GraphAddInput{Statement: statement}
	for _, e := range edit {
		e(&in)
	}
	out, err := m.GraphAdd(t.Context(), c, in)
	if err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
	return out
}

// factsLike returns the facts that fit a pattern of three words.
func factsLike(t *testing.T, m *Mind, c Caller, pattern string, edit ...func(*GraphQueryInput)) []string {
	t.Helper()
	p := strings.Fields(pattern)
	in := GraphQueryInput{Subject: p[0], Predicate: p[1], Object: p[2]}
	for _, e := range edit {
		e(&in)
	}
	out, err := m.GraphQuery(t.Context(), c, in)
	if err != nil {
		t.Fatalf("%s: %v", pattern, err)
	}
	list := []string{}
	for _, f := range out.Facts {
		list = append(list, f.Sentence)
	}
	slices.Sort(list)
	return list
}

func same(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if diff := cmp.Diff(append([]string{}, want...), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// TestGraph is the tour: facts are added, asked for, followed and ended.
func TestGraph(t *testing.T) {
	m, c := openTest(t)
	out := tell(t, m, person, "nc.subshell -[causes]-> socket.failure")
	f := out.Facts[0]
	if f.Action != string(store.Inserted) || f.Confidence != 0.9 || f.Sources[0].Source != sourceUser || f.Realm != memory.UserRealm || !strings.HasPrefix(f.ID, "t_") {
		t.Errorf("%+v", f)
	}
	if again := tell(t, m, person, "Socket_Failure -[caused_by]-> NC.subshell").Facts[0]; again.ID != f.ID || again.Action != string(store.Strengthened) || again.Confidence <= 0.9 || again.Said != 2 {
		t.Errorf("said again, the other way round: %+v", again)
	}
	tell(t, m, person, "cli.direct -[solves]-> socket.failure")
	same(t, "by object", factsLike(t, m, person, "? * socket.failure"), "cli.direct solves socket.failure", "nc.subshell causes socket.failure")
	same(t, "by an inverse", factsLike(t, m, person, "socket.failure caused_by ?"), "nc.subshell causes socket.failure")
	tell(t, m, person, "a.b -[related_to]-> c.d")
	same(t, "from its other end", factsLike(t, m, person, "c.d related_to ?"), "a.b is related to c.d")

	paths, err := m.GraphPaths(t.Context(), person, GraphPathsInput{Concept: "cli.direct", To: "nc.subshell"})
	if err != nil || len(paths.Paths) != 1 || len(paths.Paths[0].Facts) != 2 || paths.Paths[0].Facts[0].Backward || !paths.Paths[0].Facts[1].Backward {
		t.Errorf("%+v %v", paths, err)
	}
	active, err := m.GraphActivate(t.Context(), person, GraphActivateInput{Concept: "nc.subshell", Strength: 1})
	if err != nil || active.Reached != 3 || active.Concepts[1].Name != "socket.failure" || active.Concepts[1].Via.ID != f.ID {
		t.Errorf("%+v %v", active, err)
	}
	c.advance(day)
	concept, err := m.GraphConcept(t.Context(), person, GraphConceptInput{Concept: "nc-subshell"})
	if err != nil || concept.Name != "nc.subshell" || concept.Activation < 0.45 || concept.Activation > 0.55 || len(concept.Facts) != 1 {
		t.Errorf("half of it is left after a day: %+v %v", concept, err)
	}
	tell(t, m, person, "socket.failure -[causes]-> lost.data")
	inferred, err := m.GraphInfer(t.Context(), person, GraphInferInput{Subject: "nc.subshell"})
	if err != nil || len(inferred.Inferred) != 1 || inferred.Inferred[0].Sentence != "nc.subshell causes lost.data" || len(inferred.Inferred[0].Chain) != 2 {
		t.Errorf("%+v %v", inferred, err)
	}
	similar, err := m.GraphSimilar(t.Context(), person, GraphConceptInput{Concept: "nc.subshell"})
	if err != nil || len(similar.Degraded) != 1 {
		t.Errorf("without a model: %+v %v", similar, err)
	}
	removed, err := m.GraphRemove(t.Context(), person, GraphRemoveInput{Subject: "socket.failure", Predicate: "caused by", Object: "nc.subshell"})
	if err != nil || len(removed.Facts) != 1 || removed.Facts[0].ID != f.ID || removed.Facts[0].Until.IsZero() {
		t.Errorf("%+v %v", removed, err)
	}
	same(t, "now", factsLike(t, m, person, "nc.subshell ? ?"))
	same(t, "as of before", factsLike(t, m, person, "nc.subshell ? ?", func(in *GraphQueryInput) { in.AsOf = "1d" }), "nc.subshell causes socket.failure")
	same(t, "at any time", factsLike(t, m, person, "nc.subshell ? ?", func(in *GraphQueryInput) { in.Ended = true }), "nc.subshell causes socket.failure")
}

func TestGraphTimeline(t *testing.T) {
	m, _ := openTest(t)
	from := func(at string) func(*GraphAddInput) { return func(in *GraphAddInput) { in.From = at } }
	old := tell(t, m, person, "go -[has_version]-> 1.25", from("2026-01-01"))
	out := tell(t, m, person, "go -[has_version]-> 1.26", from("2026-02-10"))
	if e := out.Facts[0].Ended; len(e) != 1 || e[0].ID != old.Facts[0].ID || e[0].EndedBy != out.Facts[0].ID {
		t.Errorf("%+v", e)
	}
	same(t, "then", factsLike(t, m, person, "go has_version ?", func(in *GraphQueryInput) { in.AsOf = "2026-01-15" }), "go has version 1.25")
	tl, err := m.GraphTimeline(t.Context(), person, GraphTimelineInput{Concept: "go"})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range tl.Events {
		got = append(got, e.At.Format(time.DateOnly)+" "+e.Event+" "+e.Fact.Object)
	}
	same(t, "events", got, "2026-01-01 opened 1.25", "2026-02-10 closed 1.25", "2026-02-10 opened 1.26")
	if short, err := m.GraphTimeline(t.Context(), person, GraphTimelineInput{Concept: "go", Limit: 1}); err != nil || !short.More || len(short.Events) != 1 || short.Events[0].Fact.Object != "1.26" {
		t.Errorf("%+v %v", short, err)
	}
	moved := tell(t, m, person, "deploy -[requires]-> rsync", func(in *GraphAddInput) { in.Supersedes = out.Facts[0].ID })
	if e := moved.Facts[0].Ended; len(e) != 1 || e[0].Object != "1.26" {
		t.Errorf("%+v", e)
	}
}

// TestGraphContradictions: what contradicts is shown when it arises, and stays.
func TestGraphContradictions(t *testing.T) {
	for _, c := range []struct {
		kind   string
		states []string // the last one contradicts
	}{
		{"solves_and_causes", []string{"a.b -[solves]-> c.d", "a.b -[causes]-> c.d"}},
		{"circle", []string{"a -[is_a]-> b", "b -[is_a]-> c", "c -[is_a]-> d", "d -[is_a]-> a"}},
		{"preferred_both_ways", []string{"tabs -[preferred]-> spaces", "spaces -[preferred]-> tabs"}},
		{"opposed", []string{"hot -[contradicts]-> cold", "tea -[has_property]-> hot", "tea -[has_property]-> cold"}},
	} {
		t.Run(c.kind, func(t *testing.T) {
			m, _ := openTest(t)
			for i, s := range c.states {
				out := tell(t, m, person, s)
				if last := i == len(c.states)-1; last != (len(out.Contradictions) == 1) {
					t.Fatalf("%s: %+v", s, out.Contradictions)
				} else if last && (out.Contradictions[0].Kind != c.kind || out.Contradictions[0].Why == "") {
					t.Errorf("%+v", out.Contradictions)
				}
			}
			all, err := m.GraphContradictions(t.Context(), person, GraphContradictionsInput{})
			if err != nil || len(all.Contradictions) != 1 || all.Contradictions[0].Kind != c.kind {
				t.Errorf("%+v %v", all, err)
			}
		})
	}
}

// TestGraphOverlappingTimes: two values that were said to hold at one time are
// kept as they were said, and shown as a contradiction for that time.
func TestGraphOverlappingTimes(t *testing.T) {
	m, _ := openTest(t)
	for value, times := range map[string][2]string{"green": {"2026-01-01", "2026-03-01"}, "red": {"2026-02-01", "2026-04-01"}} {
		tell(t, m, person, "build -[has_status]-> "+value, func(in *GraphAddInput) { in.From, in.Until = times[0], times[1] })
	}
	for at, want := range map[string]int{"2026-01-15": 0, "2026-02-15": 1, "2026-03-15": 0} {
		out, err := m.GraphContradictions(t.Context(), person, GraphContradictionsInput{AsOf: at})
		if err != nil || len(out.Contradictions) != want || want > 0 && out.Contradictions[0].Kind != "two_values" {
			t.Errorf("as of %s: %+v %v", at, out, err)
		}
	}
}

func TestGraphRefuses(t *testing.T) {
	m, _ := openTest(t)
	tell(t, m, person, "netcat -[causes]-> hang")
	if _, err := m.GraphAlias(t.Context(), person, GraphAliasInput{Concept: "netcat", Alias: "nc"}); err != nil {
		t.Fatal(err)
	}
	add := func(s, p, o string) func() error {
		return func() error {
			_, err := m.GraphAdd(t.Context(), person, GraphAddInput{Subject: s, Predicate: p, Object: o})
			return err
		}
	}
	with := func(in GraphAddInput) func() error {
		return func() error { _, err := m.GraphAdd(t.Context(), person, in); return err }
	}
	nan, two := 0.0, 2.0
	for _, c := range []struct {
		name  string
		do    func() error
		words string
	}{
		{"itself", add("x", "causes", "X"), "itself"},
		{"itself by an alias", add("netcat", "causes", "nc"), "itself"},
		{"empty name", add("", "causes", "y"), "subject is not a name"},
		{"blank name", add("x", "causes", " \t "), "object is not a name"},
		{"only marks", add("...", "causes", "y"), "subject is not a name"},
		{"wildcard", add("?", "causes", "y"), "stands for anything"},
		{"10 kB", add(strings.Repeat("n", 10_000), "causes", "y"), "too long"},
		{"a megabyte", add(strings.Repeat("n", 1<<20), "causes", "y"), "bytes"},
		{"NUL", add("a\x00b", "causes", "y"), "NUL"},
		{"not UTF-8", add("a\xff", "causes", "y"), "UTF-8"},
		{"line break", add("a\nb", "causes", "y"), "line break"},
		{"secret", add("ghp_1234567890abcdefghijklmnopqrstuvwxyz12", "causes", "y"), "secret"},
		{"empty predicate", add("x", "", "y"), "predicate is not a predicate"},
		{"odd predicate", add("x", "a[b", "y"), "letters, digits"},
		{"long predicate", add("x", strings.Repeat("p", 1000), "y"), "longer than"},
		{"ends before it begins", with(GraphAddInput{Statement: "x -> y", From: "2026-02-01", Until: "2026-01-01"}), "before it begins"},
		{"ended, but since when", with(GraphAddInput{Statement: "x -> y", Until: "2026-01-01"}), "since when"},
		{"odd time", with(GraphAddInput{Statement: "x -> y", From: "soon"}), "not a time"},
		{"confidence 0", with(GraphAddInput{Statement: "x -> y", Confidence: &nan}), "confidence"},
		{"confidence 2", with(GraphAddInput{Statement: "x -> y", Confidence: &two}), "confidence"},
		{"no notation", with(GraphAddInput{Statement: "x y"}), "cannot be read"},
		{"several lines", with(GraphAddInput{Statement: "x -> y\nz -> w"}), "several lines"},
		{"both", with(GraphAddInput{Statement: "x -> y", Subject: "z"}), "does not go with"},
		{"one of several is wrong", with(GraphAddInput{Statement: "x -> y; z -> z"}), "cannot be read"},
		{"superseded unknown", with(GraphAddInput{Statement: "x -> y", Supersedes: "t_none"}), "not found"},
		{"unknown realm", with(GraphAddInput{Statement: "x -> y", Realm: "nowhere"}), "not known"},
		{"realm all", with(GraphAddInput{Statement: "x -> y", Realm: "all"}), "not a realm"},
		{"removing what is unknown", func() error {
			_, err := m.GraphRemove(t.Context(), person, GraphRemoveInput{ID: "t_none"})
			return err
		}, "not found"},
		{"removing what was never said", func() error {
			_, err := m.GraphRemove(t.Context(), person, GraphRemoveInput{Subject: "netcat", Predicate: "solves", Object: "hang"})
			return err
		}, "not found"},
		{"ending before the beginning", func() error {
			_, err := m.GraphRemove(t.Context(), person, GraphRemoveInput{Subject: "netcat", Predicate: "causes", Object: "hang", At: "2020-01-01"})
			return err
		}, "cannot end before"},
		{"a name that is taken", func() error {
			_, err := m.GraphRename(t.Context(), person, GraphRenameInput{Concept: "hang", To: "NC"})
			return err
		}, "merge"},
		{"unknown concept", func() error {
			_, err := m.GraphNeighbours(t.Context(), person, GraphConceptInput{Concept: "hnag"})
			return err
		}, "not found"},
		{"nothing to infer from", func() error {
			_, err := m.GraphInfer(t.Context(), person, GraphInferInput{Predicate: "causes"})
			return err
		}, "missing"},
		{"too many hops", func() error {
			_, err := m.GraphPaths(t.Context(), person, GraphPathsInput{Concept: "nc", To: "hang", Hops: 9})
			return err
		}, "hops"},
		{"as of and ended", func() error {
			_, err := m.GraphQuery(t.Context(), person, GraphQueryInput{AsOf: "1d", Ended: true})
			return err
		}, "does not go with"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := c.do()
			if err == nil || !strings.Contains(err.Error(), c.words) {
				t.Fatalf("%v", err)
			}
			if len(err.Error()) > 1000 {
				t.Errorf("an error of %d bytes", len(err.Error()))
			}
		})
	}
	same(t, "nothing was stored", factsLike(t, m, person, "? ? ?", func(in *GraphQueryInput) { in.Ended = true }), "netcat causes hang")
	if n, err := m.GraphStats(t.Context(), person, RealmInput{}); err != nil || n.Concepts != 2 {
		t.Errorf("%+v %v", n, err)
	}
	var missing *memory.NotFoundError
	if _, err := m.GraphConcept(t.Context(), person, GraphConceptInput{Concept: "netcatt"}); !errors.As(err, &missing) || !strings.Contains(missing.Hint, "netcat") {
		t.Errorf("%v, %+v", err, *missing)
	}
}

// TestGraphOddNames: what looks odd and is a name is kept as it is.
func TestGraphOddNames(t *testing.T) {
	m, _ := openTest(t)
	for _, name := range []string{"🚀", "עברית", "日本語.テスト", "naïve.café", "C++", "a/b/c.go"} {
		t.Run(name, func(t *testing.T) {
			tell(t, m, person, "", func(in *GraphAddInput) { in.Subject, in.Predicate, in.Object = name, "Relates-To", "thing" })
			out, err := m.GraphConcept(t.Context(), person, GraphConceptInput{Concept: name})
			if err != nil || out.Name != name || len(out.Facts) != 1 || out.Facts[0].Predicate != "related_to" {
				t.Errorf("%+v %v", out, err)
			}
		})
	}
}

// project makes a directory that is a realm of its own.
func project(t *testing.T, c Caller) Caller {
	t.Helper()
	c.Cwd = filepath.Join(t.TempDir(), "p")
	if err := os.Mkdir(c.Cwd, 0o700); err != nil {
		t.Fatal(err)
	}
	return c
}

// TestGraphRealms: a project sees its facts and the user's, and no others; an
// agent writes to no other project.
func TestGraphRealms(t *testing.T) {
	m, _ := openTest(t)
	here, there := project(t, person), project(t, person)
	agentHere := Caller{Actor: actorMCP, Cwd: here.Cwd}
	tell(t, m, here, "a -> here")
	secret := tell(t, m, there, "a -> there").Facts[0]
	tell(t, m, here, "a -> everywhere", func(in *GraphAddInput) { in.Global = true })
	same(t, "here", factsLike(t, m, agentHere, "a ? ?"), "a causes everywhere", "a causes here")
	same(t, "there", factsLike(t, m, there, "a ? ?"), "a causes everywhere", "a causes there")
	same(t, "everywhere", factsLike(t, m, here, "a ? ?", func(in *GraphQueryInput) { in.Realm = "all" }), "a causes everywhere", "a causes here", "a causes there")
	same(t, "one realm", factsLike(t, m, here, "a ? ?", func(in *GraphQueryInput) { in.Realm = secret.Realm }), "a causes there")
	for name, do := range map[string]func() error{
		"reading all": func() error {
			_, err := m.GraphQuery(t.Context(), agentHere, GraphQueryInput{Realm: "all"})
			return err
		},
		"reading another": func() error {
			_, err := m.GraphQuery(t.Context(), agentHere, GraphQueryInput{Realm: secret.Realm})
			return err
		},
		"writing to another": func() error {
			_, err := m.GraphAdd(t.Context(), agentHere, GraphAddInput{Statement: "x -> y", Realm: secret.Realm})
			return err
		},
		"ending another's": func() error {
			_, err := m.GraphRemove(t.Context(), agentHere, GraphRemoveInput{ID: secret.ID})
			return err
		},
		"superseding another's": func() error {
			_, err := m.GraphAdd(t.Context(), agentHere, GraphAddInput{Statement: "x -> y", Supersedes: secret.ID})
			return err
		},
		"merging": func() error {
			_, err := m.GraphMerge(t.Context(), agentHere, GraphMergeInput{Concept: "a", Into: "here"})
			return err
		},
		"importing": func() error { _, err := m.GraphImport(t.Context(), agentHere, GraphImportInput{}); return err },
		"a concept of another": func() error {
			_, err := m.GraphConcept(t.Context(), agentHere, GraphConceptInput{Concept: "there"})
			return err
		},
	} {
		if err := do(); err == nil {
			t.Errorf("%s: an agent may", name)
		}
	}
	if out := tell(t, m, agentHere, "a -> told"); out.Facts[0].Sources[0].Source != sourceAgent || out.Facts[0].Confidence >= 0.9 {
		t.Errorf("%+v", out.Facts[0])
	}
	same(t, "still there", factsLike(t, m, there, "a causes there"), "a causes there")
}

func TestGraphNames(t *testing.T) {
	m, _ := openTest(t)
	tell(t, m, person, "nc -> hang; netcat -> hang; netcat -> timeout")
	done, err := m.GraphMerge(t.Context(), person, GraphMergeInput{Concept: "nc", Into: "netcat"})
	if err != nil || done.Moved != 1 || done.Folded != 1 || !slices.Equal(done.Aliases, []string{"nc"}) {
		t.Errorf("%+v %v", done, err)
	}
	same(t, "by the alias", factsLike(t, m, person, "nc ? ?"), "netcat causes hang", "netcat causes timeout")
	names, err := m.GraphRename(t.Context(), person, GraphRenameInput{Concept: "nc", To: "ncat"})
	if err != nil || names.Name != "ncat" || !slices.Equal(names.Aliases, []string{"nc", "netcat"}) {
		t.Errorf("%+v %v", names, err)
	}
	same(t, "the net knows the new name", factsLike(t, m, person, "netcat causes hang"), "ncat causes hang")
}

// TestGraphOfMemories: what a memory states in notation is known as long as the
// memory stands.
func TestGraphOfMemories(t *testing.T) {
	m, c := openTest(t)
	known := func(what string, want ...string) {
		t.Helper()
		same(t, what, factsLike(t, m, person, "? ? ?"), want...)
	}
	out := remember(t, m, person, RememberInput{Content: "learned today: nc.subshell -[causes]-> socket.failure and it hurts"})
	if len(out.Facts) != 1 || out.Facts[0].Sentence != "nc.subshell causes socket.failure" || out.Facts[0].Action != string(store.Inserted) {
		t.Fatalf("%+v", out.Facts)
	}
	known("remembered", "nc.subshell causes socket.failure")
	got, err := m.GraphQuery(t.Context(), person, GraphQueryInput{})
	if err != nil || got.Facts[0].Sources[0].Memory != out.ID || got.Facts[0].Sources[0].Source != sourceMemory {
		t.Errorf("%+v %v", got, err)
	}
	text := "learned today: nc.subshell -[causes]-> socket.failure and tls.proxy -[solves]-> socket.failure"
	if _, err := m.Update(t.Context(), person, UpdateInput{ID: out.ID, Content: &text}); err != nil {
		t.Fatal(err)
	}
	known("updated", "nc.subshell causes socket.failure", "tls.proxy solves socket.failure")
	again, err := m.GraphQuery(t.Context(), person, GraphQueryInput{Subject: "nc.subshell"})
	if err != nil || again.Facts[0].ID != got.Facts[0].ID || again.Facts[0].Said != 1 {
		t.Errorf("what it states still stays as it is: %+v %v", again, err)
	}
	forget := func(now bool) {
		t.Helper()
		if _, err := m.Forget(t.Context(), person, ForgetInput{ID: out.ID, Now: now}); err != nil {
			t.Fatal(err)
		}
	}
	forget(false)
	known("forgotten")
	if _, err := m.Unforget(t.Context(), person, IDInput{ID: out.ID}); err != nil {
		t.Fatal(err)
	}
	known("brought back", "nc.subshell causes socket.failure", "tls.proxy solves socket.failure")
	fixed, err := m.Correct(t.Context(), person, CorrectInput{ID: out.ID, Content: "in truth tls.proxy -[causes]-> socket.failure"})
	if err != nil {
		t.Fatal(err)
	}
	known("corrected", "tls.proxy causes socket.failure")
	tell(t, m, person, "tls.proxy -[causes]-> socket.failure")
	if _, err := m.Forget(t.Context(), person, ForgetInput{ID: fixed.ID, Now: true}); err != nil {
		t.Fatal(err)
	}
	known("erased, but said by someone else too", "tls.proxy causes socket.failure")
	c.advance(time.Minute)
	if list, err := m.store.Triples(t.Context(), store.TripleFilter{Evidence: store.EvidenceFilter{Memory: fixed.ID}}); err != nil || len(list) != 0 {
		t.Errorf("%+v %v", list, err)
	}
	if out := remember(t, m, person, RememberInput{Content: "a plain memory with x->y and std::vector in it"}); len(out.Facts) != 0 {
		t.Errorf("code is no notation: %+v", out.Facts)
	}
}

// TestFactsAreAsSureAsTheirMemory: what makes a memory surer or less sure does
// so to what it states, but for what it states with a confidence of its own.
func TestFactsAreAsSureAsTheirMemory(t *testing.T) {
	m, _ := openTest(t)
	kept := remember(t, m, person, RememberInput{Content: "found that tls.proxy -[requires]-> fresh.certificate\nand that tls.proxy -[causes]-> slow.start (0.4)"})
	sure := func() (requires, causes float64) {
		t.Helper()
		list, err := m.store.Triples(t.Context(), store.TripleFilter{})
		if err != nil || len(list) != 2 {
			t.Fatal(list, err)
		}
		return list[0].Confidence, list[1].Confidence
	}
	before, said := sure()
	if _, err := m.Weaken(t.Context(), person, ReasonInput{ID: kept.ID}); err != nil {
		t.Fatal(err)
	}
	weaker, still := sure()
	for range 3 {
		if _, err := m.Strengthen(t.Context(), person, ReasonInput{ID: kept.ID}); err != nil {
			t.Fatal(err)
		}
	}
	stronger, yet := sure()
	if weaker >= before || stronger <= weaker || said != 0.4 || still != said || yet != said {
		t.Errorf("%v, weaker %v, stronger %v; said %v, then %v and %v", before, weaker, stronger, said, still, yet)
	}
	remember(t, m, person, RememberInput{Content: "found that tls.proxy -[requires]-> fresh.certificate\nand that tls.proxy -[causes]-> slow.start (0.4)"})
	sound(t, m)
}

// TestAFactToComeIsCalledOff: what was to begin later never holds once it is
// removed, and an end before its beginning is refused.
func TestAFactToComeIsCalledOff(t *testing.T) {
	m, c := openTest(t)
	later := c.now.Add(10 * day).Format(time.DateOnly)
	tell(t, m, person, "team -[requires]-> badge", func(in *GraphAddInput) { in.From = later })
	in := GraphRemoveInput{Subject: "team", Predicate: "requires", Object: "badge", At: "2026-05-05"}
	if _, err := m.GraphRemove(t.Context(), person, in); err == nil || !strings.Contains(err.Error(), "begins at") {
		t.Errorf("%v", err)
	}
	in.At = ""
	out, err := m.GraphRemove(t.Context(), person, in)
	if err != nil || len(out.Facts) != 1 || out.Facts[0].Until.IsZero() || !out.Facts[0].Until.Equal(out.Facts[0].From) {
		t.Fatalf("%+v %v", out, err)
	}
	c.advance(20 * day)
	same(t, "when it would hold", factsLike(t, m, person, "team ? ?"))
	sound(t, m)
}

// TestParseTellsWhatItPasses: a statement that is only text is told, also on a
// line of which another was read, and the rest is stored.
func TestParseTellsWhatItPasses(t *testing.T) {
	m, _ := openTest(t)
	text := "we saw a.b -[causes]-> c.d and also `e.f -[causes]-> g.h` in code\n> q.r -[causes]-> s.t\n\nx.y -[causes]-> z.w"
	out, err := m.GraphParse(t.Context(), person, GraphParseInput{Text: text, Prose: true, Apply: true})
	if err != nil || len(out.Statements) != 2 || !out.Applied || len(out.Unread) != 2 || out.Unread[0].Line != 1 || out.Unread[1].Line != 2 {
		t.Errorf("%+v %v", out, err)
	}
}

// TestGraphSurvives: what was added is there after a restart, names and all.
func TestGraphSurvives(t *testing.T) {
	m, _ := openTest(t)
	for i := range 20 {
		tell(t, m, person, fmt.Sprintf("c.%d -> c.%d", i, i+1))
	}
	cfg := m.opts.Config
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	again, _ := openAt(t, cfg)
	same(t, "after a restart", factsLike(t, again, person, "c.7 ? ?"), "c.7 causes c.8")
}

// TestGraphSimilar: concepts are alike by meaning, spelling or neighbours.
func TestGraphSimilar(t *testing.T) {
	m, _ := openTest(t)
	tell(t, m, person, "tls.proxy -[requires]-> certificate; tls.proxy -[used_with]-> port.443; web.server -[requires]-> certificate; web.server -[used_with]-> port.443; coffee -[requires]-> water")
	tell(t, m, person, "tls.proxies -[requires]-> patience")
	out, err := m.GraphSimilar(t.Context(), person, GraphConceptInput{Concept: "tls.proxy"})
	if err != nil {
		t.Fatal(err)
	}
	respects := map[string]string{}
	for _, x := range out.Concepts {
		respects[x.Name] = strings.Join(x.Respects(), ", ")
	}
	if respects["web.server"] != "shared neighbours 1.00" || !strings.Contains(respects["tls.proxies"], "spelling") || respects["coffee"] != "" || respects["tls.proxy"] != "" {
		t.Errorf("%v", respects)
	}
	// what nothing is like has nothing similar, however few there are
	if out, err := m.GraphSimilar(t.Context(), person, GraphConceptInput{Concept: "patience"}); err != nil || len(out.Concepts) != 0 {
		t.Errorf("%+v %v", out, err)
	}
}

// TestGraphSimilarByMeaning: names that share no word are alike to the model.
func TestGraphSimilarByMeaning(t *testing.T) {
	m, _ := openSemantic(t, semanticConfig(t))
	tell(t, m, person, "car -[requires]-> fuel; automobile -[has_property]-> fast; kitchen.sink -[contains]-> water")
	out, err := m.GraphSimilar(t.Context(), person, GraphConceptInput{Concept: "car"})
	if err != nil || len(out.Degraded) > 0 || len(out.Concepts) == 0 || out.Concepts[0].Name != "automobile" || out.Concepts[0].Meaning < 0.5 {
		t.Errorf("%+v %v", out, err)
	}
	if slices.ContainsFunc(out.Concepts, func(x SimilarConcept) bool { return x.Name == "kitchen.sink" }) {
		t.Errorf("%+v", out.Concepts)
	}
}
