package mind

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"chitta/internal/codebase"
	"chitta/internal/memory"
	"chitta/internal/store"
)

// TestFreshnessInAnswers: stale memories are marked and go behind those that
// answer as well, and the order of the others is what it was.
func TestFreshnessInAnswers(t *testing.T) {
	g := newGround(t, map[string]string{"a.go": "package a\n\nvar a = 1\n", "b.go": "package a\n\nvar b = 1\n"})
	g.index()
	first := g.remember("a.go sets how often the socket is polled")
	for i, text := range []string{"b.go sets how often the socket sleeps", "how often the socket is closed is for nobody to say", "the socket closes itself, often enough"} {
		g.when.now = g.when.now.Add(time.Duration(i+1) * time.Minute)
		g.remember(text)
	}
	ask := func() (ids []string, of map[string]Result) {
		out, err := g.m.Recall(t.Context(), g.who, RecallInput{Query: "how often is the socket polled", Explain: true})
		if err != nil {
			t.Fatal(err)
		}
		of = map[string]Result{}
		for _, r := range out.Results {
			ids, of[r.ID] = append(ids, r.ID), r
		}
		return ids, of
	}
	before, of := ask()
	if before[0] != first || of[first].Freshness != FreshnessFresh || of[before[3]].Freshness != FreshnessUnknown && of[before[2]].Freshness != FreshnessUnknown {
		t.Fatalf("%v %+v", before, of[first])
	}
	g.write("a.go", "package a\n\nvar a = 2\n")
	after, now := ask()
	r := now[first]
	if r.Freshness != FreshnessStale || r.Changed != "`a.go` changed since 2026-05-04" || r.Score >= of[first].Score {
		t.Errorf("%+v", r)
	}
	e := r.Evidence[len(r.Evidence)-1]
	if e.Source != "freshness" || e.Score != 0.75 || e.Detail != r.Changed {
		t.Errorf("%+v", r.Evidence)
	}
	rest := func(ids []string) []string {
		return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return id == first })
	}
	if !slices.Equal(rest(before), rest(after)) {
		t.Errorf("the order of the others was %v and is %v", before, after)
	}
	for _, id := range rest(after) {
		if now[id].Score != of[id].Score {
			t.Errorf("%s scored %v and scores %v", id, of[id].Score, now[id].Score)
		}
	}
	then, err := g.m.Recall(t.Context(), g.who, RecallInput{Query: "how often is the socket polled", AsOf: g.m.now().Format(time.RFC3339)})
	if err != nil || then.Results[0].ID != first || then.Results[0].Freshness != FreshnessUnknown {
		t.Errorf("%+v %v", then.Results, err)
	}
	v, err := g.m.Get(t.Context(), g.who, GetInput{ID: first})
	if err != nil || v.Freshness != FreshnessStale || len(v.Anchors) != 1 || !slices.Equal(v.Files, []string{"a.go"}) {
		t.Errorf("%+v %v", v, err)
	}
	ctx, err := g.m.Context(t.Context(), g.who, ContextInput{})
	if err != nil || len(ctx.Sections) != 1 || ctx.Sections[0].Results[3].ID != first || ctx.Sections[0].Results[3].Freshness != FreshnessStale {
		t.Errorf("%+v %v", ctx, err)
	}
}

func TestVerify(t *testing.T) {
	g := newGround(t, map[string]string{"a.go": "package a\n\nvar a = 1\n", "b.go": "package a\n\nvar b = 1\n"})
	a, b := g.remember("a.go holds one number and no more"), g.remember("b.go holds another number, as it must")
	g.remember("numbers are better than words in tables")
	all := func() VerifiedOutput {
		out, err := g.m.Verify(t.Context(), g.who, VerifyInput{})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	if out := all(); len(out.Memories) != 0 || out.Fresh != 2 || out.Stale+out.Unverifiable != 0 {
		t.Errorf("%+v", out)
	}
	g.write("a.go", "package a\n\nvar a = 2\n")
	g.remove("b.go")
	if out := all(); len(out.Memories) != 2 || out.Memories[0].ID != a || out.Stale != 2 || !out.Memories[1].Anchors[0].Removed {
		t.Errorf("%+v", out)
	}
	elsewhere := Caller{Actor: ActorCLI, Cwd: t.TempDir()}
	if out, err := g.m.Verify(t.Context(), elsewhere, VerifyInput{}); err != nil || len(out.Memories) != 0 {
		t.Errorf("%+v %v", out, err)
	}
	if out, err := g.m.Verify(t.Context(), elsewhere, VerifyInput{All: true}); err != nil || len(out.Memories) != 2 {
		t.Errorf("%+v %v", out, err)
	}
	for _, id := range []string{a, b} {
		g.when.now = g.when.now.Add(24 * time.Hour)
		out, err := g.m.Verify(t.Context(), g.who, VerifyInput{ID: id, Accept: true})
		if err != nil || !out.Accepted || out.Stale != 0 {
			t.Errorf("%+v %v", out, err)
		}
	}
	if out := all(); len(out.Memories) != 0 || out.Fresh != 1 {
		t.Errorf("%+v", out)
	}
	g.write("a.go", "package a\n\nvar a = 3\n")
	if _, note := g.verify(a); note != "`a.go` changed since 2026-05-05" {
		t.Error(note)
	}
	h, err := g.m.History(t.Context(), g.who, IDInput{ID: a})
	if err != nil || h.Changes[1].Op != "accept" {
		t.Errorf("%+v %v", h, err)
	}
	var input *memory.InputError
	var refused *memory.RefusedError
	for what, in := range map[string]VerifyInput{"accept alone": {Accept: true}, "id and all": {ID: a, All: true}, "short": {ID: "m"}, "all and realm": {All: true, Realm: "user"}} {
		if _, err := g.m.Verify(t.Context(), g.who, in); !errors.As(err, &input) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := g.m.Verify(t.Context(), g.who, VerifyInput{ID: b, Accept: true}); !errors.As(err, &refused) {
		t.Errorf("nothing to accept: %v", err)
	}
	if _, err := g.m.Verify(t.Context(), Caller{Actor: actorMCP, Cwd: g.dir}, VerifyInput{All: true}); !errors.As(err, &refused) {
		t.Errorf("an agent looks everywhere: %v", err)
	}
}

// TestAnchorsOfEarlierMemories: when a project is indexed, what was remembered
// before is anchored in the background, and held against the code of then.
func TestAnchorsOfEarlierMemories(t *testing.T) {
	needsParsers(t)
	g := newGround(t, map[string]string{"config.go": configGo})
	id := g.remember("`parse` gives an empty value for lines without =")
	if got := g.anchors(id); len(got) != 0 {
		t.Fatal(got)
	}
	g.when.now = g.when.now.Add(48 * time.Hour)
	g.index()
	if err := g.m.Maintain(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := g.anchors(id); !slices.Equal(got, []string{"config.go:parse"}) {
		t.Fatal(got)
	}
	g.write("config.go", strings.Replace(configGo, `"="`, `":"`, 1))
	if _, note := g.verify(id); note != "`parse` changed since 2026-05-06" {
		t.Error(note)
	}
	// strengthening it is no look at the code
	if _, err := g.m.Strengthen(t.Context(), g.who, ReasonInput{ID: id}); err != nil {
		t.Fatal(err)
	}
	if err := g.m.Maintain(t.Context()); err != nil {
		t.Fatal(err)
	}
	if state, _ := g.verify(id); state != FreshnessStale {
		t.Error("strengthened:", state)
	}
	// saying it anew is
	text := "`Server.Listen` ignores the port zero, `parse` is elsewhere"
	if _, err := g.m.Update(t.Context(), g.who, UpdateInput{ID: id, Content: &text}); err != nil {
		t.Fatal(err)
	}
	if got := g.anchors(id); !slices.Equal(got, []string{"config.go:Server.Listen", "config.go:parse"}) {
		t.Error(got)
	}
	if state, _ := g.verify(id); state != FreshnessFresh {
		t.Error("said anew:", state)
	}
	fixed, err := g.m.Correct(t.Context(), g.who, CorrectInput{ID: id, Content: "Server.Listen refuses no port whatever"})
	if err != nil {
		t.Fatal(err)
	}
	if got := g.anchors(fixed.ID); !slices.Equal(got, []string{"config.go:Server.Listen"}) {
		t.Error(got)
	}
}

// TestFileOfASymbolIsLetGo: a file that a text names as the place of a symbol is
// held by itself only while the symbol is not known. If it changed before that
// was, it is kept: nobody knows what the symbol was.
func TestFileOfASymbolIsLetGo(t *testing.T) {
	needsParsers(t)
	for _, tt := range []struct {
		name, text     string
		changed, later bool // between, and once more after the index
		want           []string
	}{
		{"told by the symbol", "`parse` in config.go gives an empty value for lines without =", false, false, []string{"config.go:parse"}},
		{"changed later", "`parse` in config.go gives an empty value for lines without =", false, true, []string{"config.go:parse"}},
		{"changed before", "`parse` in config.go gives an empty value for lines without =", true, false, []string{"config.go", "config.go:parse"}},
		{"named by itself", "what config.go says of `parse` is short, and `parse` is not", false, false, []string{"config.go", "config.go:parse"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := newGround(t, map[string]string{"config.go": configGo})
			id := g.remember(tt.text)
			if got := g.anchors(id); !slices.Equal(got, []string{"config.go"}) {
				t.Fatal(got)
			}
			if tt.changed {
				g.write("config.go", configGo+"\nfunc other() {}\n")
			}
			g.index()
			settle := func() {
				if err := g.m.Maintain(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			settle()
			if tt.later {
				g.write("config.go", configGo+"\nfunc other() {}\n")
				g.index()
				settle()
				if state, note := g.verify(id); state != FreshnessFresh {
					t.Errorf("after a function was added: %s, %s", state, note)
				}
			}
			if got := g.anchors(id); !slices.Equal(got, tt.want) {
				t.Error(got)
			}
		})
	}
}

// TestFreshnessWhileRead: where nobody waits for the index, a file that was just
// changed is being read; soon after it is known.
func TestFreshnessWhileRead(t *testing.T) {
	needsParsers(t)
	g := newGround(t, map[string]string{"config.go": configGo})
	g.index()
	id := g.remember("`parse` gives an empty value for lines without =")
	g.write("config.go", strings.Replace(configGo, `"="`, `":"`, 1))
	deadline := time.Now().Add(10 * time.Second)
	for {
		out, err := g.m.Recall(t.Context(), g.who, RecallInput{Query: "empty value for lines"})
		if err != nil || len(out.Results) != 1 || out.Results[0].ID != id {
			t.Fatalf("%+v %v", out, err)
		}
		r := out.Results[0]
		if r.Freshness == FreshnessStale {
			break
		}
		if r.Freshness != FreshnessUnknown || time.Now().After(deadline) {
			t.Fatalf("%s: %s", r.Freshness, r.Changed)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// TestTenAreCheckedAtOnce holds ten memories against a warm index, and says how
// long that takes.
func TestTenAreCheckedAtOnce(t *testing.T) {
	needsParsers(t)
	files := map[string]string{}
	for _, name := range strings.Split("abcdefghij", "") {
		files[name+"/config.go"] = strings.ReplaceAll(configGo, "parse", "parse_"+name)
	}
	g := newGround(t, files)
	old := time.Now().Add(-time.Hour)
	for name := range files {
		if err := os.Chtimes(filepath.Join(g.dir, name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	g.index()
	for _, name := range strings.Split("abcdefghij", "") {
		g.remember("parse_" + name + " gives an empty value for lines like " + strings.Repeat(name, 5))
	}
	list, err := g.m.store.AnchoredMemories(t.Context(), "", 0, 20)
	if err != nil || len(list) != 10 {
		t.Fatal(len(list), err)
	}
	var took []time.Duration
	for range 50 {
		begun := time.Now()
		seqs := []int64{}
		for i := range list {
			seqs = append(seqs, list[i].Seq)
		}
		anchors, err := g.m.store.AnchorsOf(t.Context(), seqs)
		if err != nil {
			t.Fatal(err)
		}
		states, err := g.m.Freshness(t.Context(), g.dir, list, anchors)
		if err != nil || len(states) != 10 {
			t.Fatal(len(states), err)
		}
		for _, s := range states {
			if s.State != FreshnessFresh {
				t.Fatalf("%+v", s)
			}
		}
		took = append(took, time.Since(begun))
	}
	slices.Sort(took)
	t.Logf("median %v", took[len(took)/2])
}

var _ codeBase = (*codebase.Base)(nil)

// TestPassagesAgainstFiles: of a passage only times of files are known.
func TestPassagesAgainstFiles(t *testing.T) {
	tr := tree{root: t.TempDir()}
	then := time.Now().Add(-time.Hour)
	for name, at := range map[string]time.Time{"old.go": then.Add(-time.Minute), "new.go": then.Add(time.Minute)} {
		if err := os.WriteFile(tr.full(name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(tr.full(name), at, at); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ files, state, note string }{
		{"", "", ""},
		{"old.go", FreshnessFresh, ""},
		{"old.go new.go", FreshnessUnknown, "`new.go` was written since"},
		{"gone.go", FreshnessStale, "`gone.go` is gone"},
		{"gone.go away/x.go", FreshnessStale, "`gone.go` is gone"},
		{"gone.go old.go", FreshnessUnknown, "`gone.go` is gone"},
		{"old.go/x.go", FreshnessStale, "`old.go/x.go` is gone"},
	} {
		if state, note := passageFreshness(tr, strings.Fields(c.files), then); state != c.state || note != c.note {
			t.Errorf("%s: %s, %s", c.files, state, note)
		}
	}
	r := &Result{Text: "see old.go, missing.go and ../../etc/passwd"}
	touched := []store.Touch{
		{FileTouch: store.FileTouch{Path: tr.full("new.go"), Action: "edit"}}, {FileTouch: store.FileTouch{Path: "/elsewhere/x.go", Action: "edit"}},
		{FileTouch: store.FileTouch{Path: tr.full("found.go"), Action: "search"}}, {FileTouch: store.FileTouch{Path: tr.full("failed.go"), Action: "edit", Failed: true}},
	}
	if got := filesOf(tr, r, touched, []string{filepath.ToSlash(tr.root)}); !slices.Equal(got, []string{"new.go", "old.go"}) {
		t.Error(got)
	}
}

// TestClaims: what only tells what happened is not held against code.
func TestClaims(t *testing.T) {
	for _, c := range []struct {
		kind   memory.Kind
		source memory.Source
		want   bool
	}{
		{memory.Wisdom, memory.Subconscious, true}, {memory.Episode, memory.Conscious, true}, {memory.Episode, memory.Subconscious, false},
		{memory.Milestone, memory.Subconscious, false}, {memory.Summary, memory.Conscious, false}, {memory.Failure, memory.Subconscious, true},
	} {
		r := &store.Record{}
		r.Kind, r.Source = c.kind, c.source
		if got := claims(r); got != c.want {
			t.Errorf("%s, %s: %v", c.kind, c.source, got)
		}
	}
}
