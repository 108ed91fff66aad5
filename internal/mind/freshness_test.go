package mind

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"chitta/internal/anchor"
	"chitta/internal/memory"
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
	if before[0] != first || of[first].Freshness != anchor.Fresh || of[before[3]].Freshness != anchor.Unknown && of[before[2]].Freshness != anchor.Unknown {
		t.Fatalf("%v %+v", before, of[first])
	}
	g.write("a.go", "package a\n\nvar a = 2\n")
	after, now := ask()
	r := now[first]
	if r.Freshness != anchor.Stale || r.Changed != "`a.go` changed since 2026-05-04" || r.Score >= of[first].Score {
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
	if err != nil || then.Results[0].ID != first || then.Results[0].Freshness != anchor.Unknown {
		t.Errorf("%+v %v", then.Results, err)
	}
	v, err := g.m.Get(t.Context(), g.who, GetInput{ID: first})
	if err != nil || v.Freshness != anchor.Stale || len(v.Anchors) != 1 || !slices.Equal(v.Files, []string{"a.go"}) {
		t.Errorf("%+v %v", v, err)
	}
	ctx, err := g.m.Context(t.Context(), g.who, ContextInput{})
	if err != nil || len(ctx.Sections) != 1 || ctx.Sections[0].Results[3].ID != first || ctx.Sections[0].Results[3].Freshness != anchor.Stale {
		t.Errorf("%+v %v", ctx, err)
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
		if r.Freshness == anchor.Stale {
			break
		}
		if r.Freshness != anchor.Unknown || time.Now().After(deadline) {
			t.Fatalf("%s: %s", r.Freshness, r.Changed)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// TestNotReadFromAround: a work tree that is not indexed is not answered for by the
// clone that it lies in.
func TestNotReadFromAround(t *testing.T) {
	t.Parallel()
	needsParsers(t)
	g := newGround(t, map[string]string{"config.go": configGo, ".gitignore": ".trees/\n"})
	g.index()
	id := g.remember("`parse` in config.go gives an empty value for lines without =")
	g.git("worktree", "add", "-q", ".trees/x", "-b", "x")
	g.who.Cwd = filepath.Join(g.dir, ".trees", "x")
	if out, err := g.m.CodeRead(t.Context(), g.who, CodeReadInput{CodeSymbolInput: CodeSymbolInput{Symbol: "parse"}}); !errors.As(err, new(*memory.NotFoundError)) {
		t.Errorf("read: %+v %v", out, err)
	}
	g.is(id, anchor.Unknown, "the project is not indexed")
}
