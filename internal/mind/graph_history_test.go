package mind

import (
	"slices"
	"strings"
	"testing"
	"time"

	"chitta/internal/store"
)

// history returns all facts about a concept with their times, oldest first.
func history(t *testing.T, m *Mind, subject string) []string {
	t.Helper()
	list, err := m.store.Triples(t.Context(), store.TripleFilter{})
	if err != nil {
		t.Fatal(err)
	}
	slices.SortStableFunc(list, func(a, b store.Triple) int { return a.ValidFrom.Compare(b.ValidFrom) })
	out := []string{}
	for _, x := range list {
		if x.SubjectName != subject {
			continue
		}
		until := "…"
		if !x.ValidUntil.IsZero() {
			until = x.ValidUntil.Format(time.DateOnly)
		}
		out = append(out, x.ObjectName+" "+x.ValidFrom.Format(time.DateOnly)+" "+until)
	}
	return out
}

func from(s string) func(*GraphAddInput)   { return func(in *GraphAddInput) { in.From = s } }
func ending(s string) func(*GraphAddInput) { return func(in *GraphAddInput) { in.Until = s } }

// TestGraphFutureEnd: a fact with an end to come is ended like any other.
func TestGraphFutureEnd(t *testing.T) {
	m, c := openTest(t)
	end := c.Now().AddDate(1, 0, 0).Format(time.DateOnly)
	today := c.Now().Format(time.DateOnly)
	tell(t, m, person, "v.x -[has_value]-> a.a", ending(end))
	c.advance(time.Hour)
	if out := tell(t, m, person, "v.x -[has_value]-> b.b"); len(out.Facts[0].Ended) != 1 || len(out.Contradictions) != 0 {
		t.Errorf("%+v", out)
	}
	same(t, "one value", history(t, m, "v.x"), "a.a "+today+" "+today, "b.b "+today+" …")
	tell(t, m, person, "w.x -[causes]-> w.y", ending(end))
	c.advance(time.Hour)
	if out, err := m.GraphRemove(t.Context(), person, GraphRemoveInput{Subject: "w.x", Predicate: "causes", Object: "w.y"}); err != nil || !out.Facts[0].Until.Equal(c.Now()) {
		t.Errorf("%+v %v", out, err)
	}
	if _, err := m.GraphRemove(t.Context(), person, GraphRemoveInput{Subject: "w.x", Predicate: "causes", Object: "w.y"}); err == nil {
		t.Error("ended twice")
	}
}

// TestGraphInsertedIntoHistory: a value learned late takes its place between
// the others, and what clashes with a fact in the past is shown.
func TestGraphInsertedIntoHistory(t *testing.T) {
	m, _ := openTest(t)
	tell(t, m, person, "go -[has_version]-> 1.24", from("2025-02-01"))
	tell(t, m, person, "go -[has_version]-> 1.25", from("2025-08-01"))
	tell(t, m, person, "go -[has_version]-> 1.24.5", from("2025-05-01"))
	same(t, "each until the next", history(t, m, "go"), "1.24 2025-02-01 2025-05-01", "1.24.5 2025-05-01 2025-08-01", "1.25 2025-08-01 …")
	out := tell(t, m, person, "go -[has_version]-> 1.26", from("2025-07-01"), ending("2025-09-01"))
	if len(out.Contradictions) != 1 || out.Contradictions[0].Kind != "two_values" {
		t.Errorf("an overlap in the past: %+v", out.Contradictions)
	}
	tell(t, m, person, "a.fix -[solves]-> a.bug", from("2025-01-01"), ending("2025-03-01"))
	if out := tell(t, m, person, "a.fix -[causes]-> a.bug", from("2025-02-01"), ending("2025-04-01")); len(out.Contradictions) != 1 {
		t.Errorf("both in February: %+v", out.Contradictions)
	}
	if out := tell(t, m, person, "a.fix -[prevents]-> a.bug", from("2025-05-01"), ending("2025-06-01")); len(out.Contradictions) != 0 {
		t.Errorf("at another time: %+v", out.Contradictions)
	}
}

// TestGraphEditedMemory: editing a memory keeps history, and what a person
// ended stays ended.
func TestGraphEditedMemory(t *testing.T) {
	m, c := openTest(t)
	edit := func(id, text string) View {
		t.Helper()
		c.advance(24 * time.Hour)
		v, err := m.Update(t.Context(), person, UpdateInput{ID: id, Content: &text})
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	ids := func() (out []string) {
		t.Helper()
		list, err := m.store.Triples(t.Context(), store.TripleFilter{})
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range list {
			out = append(out, x.ID)
		}
		return out
	}
	begun := c.Now().Format(time.DateOnly)
	out := remember(t, m, person, RememberInput{Content: "we saw that w1.a -[causes]-> w1.b every time"})
	if _, err := m.GraphRemove(t.Context(), person, GraphRemoveInput{Subject: "w1.a", Predicate: "causes", Object: "w1.b"}); err != nil {
		t.Fatal(err)
	}
	before := ids()
	v := edit(out.ID, "we saw that w1.a -[causes]-> w1.b every time, surely")
	if len(v.Facts) != 1 || v.Facts[0].Action != string(store.StaysEnded) {
		t.Errorf("%+v", v.Facts)
	}
	same(t, "stays ended", history(t, m, "w1.a"), "w1.b "+begun+" "+begun)
	same(t, "the same fact", ids(), before...)

	begun = c.Now().Format(time.DateOnly)
	two := remember(t, m, person, RememberInput{Content: "the build shows w2.a -[causes]-> w2.b on this machine"})
	v = edit(two.ID, "the build shows w2.a -[causes]-> w2.c on this machine")
	changed := c.Now().Format(time.DateOnly)
	if len(v.Facts) != 2 || v.Facts[0].Action != string(store.Inserted) || v.Facts[1].Action != string(store.StaysEnded) {
		t.Errorf("%+v", v.Facts)
	}
	same(t, "ended by the edit", history(t, m, "w2.a"), "w2.b "+begun+" "+changed, "w2.c "+changed+" …")
	before = ids()
	c.advance(24 * time.Hour)
	if _, err := m.Forget(t.Context(), person, ForgetInput{ID: two.ID}); err != nil {
		t.Fatal(err)
	}
	same(t, "forgotten", factsLike(t, m, person, "w2.a ? ?"))
	if _, err := m.Unforget(t.Context(), person, IDInput{ID: two.ID}); err != nil {
		t.Fatal(err)
	}
	same(t, "brought back", history(t, m, "w2.a"), "w2.b "+begun+" "+changed, "w2.c "+changed+" …")
	same(t, "with the ids", ids(), before...)
	if _, err := m.Forget(t.Context(), person, ForgetInput{ID: two.ID, Now: true}); err != nil {
		t.Fatal(err)
	}
	same(t, "erased", history(t, m, "w2.a"))
}

// TestGraphImportAsIs: records with times of their own end nothing.
func TestGraphImportAsIs(t *testing.T) {
	m, _ := openTest(t)
	at := time.Date(2025, 2, 1, 0, 0, 0, 0, time.UTC)
	tell(t, m, person, "go -[has_version]-> 1.24", from("2025-01-01"))
	out, err := m.GraphImport(t.Context(), person, GraphImportInput{Records: []GraphRecord{
		{Subject: "go", Predicate: "has_version", Object: "1.25", From: at, Recorded: at},
		{Subject: "go", Predicate: "has_version", Object: "1.26", From: at, Recorded: at},
	}})
	if err != nil || out.Added != 2 {
		t.Fatalf("%+v %v", out, err)
	}
	same(t, "as they are", history(t, m, "go"), "1.24 2025-01-01 …", "1.25 2025-02-01 …", "1.26 2025-02-01 …")
}

// TestGraphUnread: notation that was not understood is said to be text only.
func TestGraphUnread(t *testing.T) {
	m, _ := openTest(t)
	out := remember(t, m, person, RememberInput{Content: "we found that something -[causes]-> trouble in the build"})
	if len(out.Facts) != 0 || len(out.Unread) != 1 || !strings.Contains(out.Unread[0].Text, "-[causes]->") {
		t.Errorf("%+v", out)
	}
	fixed, err := m.Correct(t.Context(), person, CorrectInput{ID: out.ID, Content: "in truth cache.miss -[causes]-> build.trouble here"})
	if err != nil || len(fixed.Facts) != 1 || fixed.Facts[0].Action != string(store.Inserted) {
		t.Errorf("%+v %v", fixed, err)
	}
}

// TestGraphAliasesTravel: an export has other names of concepts, and importing
// it elsewhere gives them these names.
func TestGraphAliasesTravel(t *testing.T) {
	m, _ := openTest(t)
	tell(t, m, person, "nc -> hang; netcat -> timeout; netcat -> hang")
	if _, err := m.GraphMerge(t.Context(), person, GraphMergeInput{Concept: "nc", Into: "netcat"}); err != nil {
		t.Fatal(err)
	}
	page, err := m.GraphExport(t.Context(), person, GraphExportInput{})
	if err != nil || !slices.Equal(page.Records[0].SubjectAliases, []string{"nc"}) {
		t.Fatalf("%+v %v", page, err)
	}
	other, _ := openTest(t)
	out, err := other.GraphImport(t.Context(), person, GraphImportInput{Records: page.Records})
	if err != nil || len(out.Taken) > 0 {
		t.Fatalf("%+v %v", out, err)
	}
	same(t, "by the alias", factsLike(t, other, person, "nc ? ?"), "netcat causes hang", "netcat causes timeout")
	third, _ := openTest(t)
	tell(t, third, person, "nc -> pain")
	if out, err = third.GraphImport(t.Context(), person, GraphImportInput{Records: page.Records}); err != nil || !slices.Equal(out.Taken, []string{"nc"}) {
		t.Fatalf("%+v %v", out, err)
	}
	same(t, "a name that is taken", factsLike(t, third, person, "nc ? ?"), "nc causes pain")
}

// TestGraphRefusesTimes: what can never hold, or has nothing to replace, is
// refused; a guess ends nothing and is shown as a contradiction.
func TestGraphRefusesTimes(t *testing.T) {
	m, c := openTest(t)
	old := tell(t, m, person, "dep.x -[requires]-> dep.ftp").Facts[0]
	c.advance(time.Hour)
	if _, err := m.GraphRemove(t.Context(), person, GraphRemoveInput{ID: old.ID}); err != nil {
		t.Fatal(err)
	}
	c.advance(time.Hour)
	for words, in := range map[string]GraphAddInput{
		"ended already":       {Statement: "dep.x -[requires]-> dep.rsync", Supersedes: old.ID},
		"the same as from":    {Statement: "x.x -> y.y", From: "2026-01-01", Until: "2026-01-01"},
		"stands for anything": {Subject: "***", Predicate: "causes", Object: "y.y"},
	} {
		if _, err := m.GraphAdd(t.Context(), person, in); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%s: %v", words, err)
		}
	}
	tell(t, m, person, "db.x -[has_version]-> 15")
	c.advance(time.Hour)
	low := 0.2
	out := tell(t, m, person, "db.x -[has_version]-> 16", func(in *GraphAddInput) { in.Confidence = &low })
	if len(out.Facts[0].Ended) != 0 || len(out.Contradictions) != 1 {
		t.Errorf("%+v", out)
	}
}
