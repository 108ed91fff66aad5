package mind

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"chitta/internal/anchor"
	"chitta/internal/memory"
)

func TestAnchorsGiven(t *testing.T) {
	needsParsers(t)
	g := newGround(t, map[string]string{"config.go": configGo, "a/same.go": "package a\n\nfunc twice() {}\n", "b/same.go": "package b\n\nfunc twice() {}\n"})
	var input *memory.InputError
	give := func(symbols ...string) func(*RememberInput) {
		return func(in *RememberInput) { in.Symbols = symbols }
	}
	in := RememberInput{Content: "it is not indexed yet, so this fails", Symbols: []string{"parse"}}
	if _, err := g.m.Remember(t.Context(), g.who, in); !errors.As(err, &input) || input.Field != "symbols" {
		t.Errorf("not indexed: %v", err)
	}
	g.index()
	if got := g.anchors(g.remember("lines are cut at the first equals sign", give("parse"))); !slices.Equal(got, []string{"config.go:parse"}) {
		t.Error(got)
	}
	if got := g.anchors(g.remember("one of the two that do nothing twice", give("b/same.go:twice"))); !slices.Equal(got, []string{"b/same.go:twice"}) {
		t.Error(got)
	}
	file := func(in *RememberInput) { in.Files = []string{"config.go"} }
	if got := g.anchors(g.remember("this file is the only one that matters", file)); !slices.Equal(got, []string{"config.go"}) {
		t.Error(got)
	}
	for _, bad := range [][]string{{"nothing"}, {" "}, {"a\x00b"}, {"x.go:parse"}, slices.Repeat([]string{"a"}, anchor.Most+1)} {
		in := RememberInput{Content: "a memory about a symbol that is not there", Symbols: bad}
		if _, err := g.m.Remember(t.Context(), g.who, in); !errors.As(err, &input) || input.Field != "symbols" {
			t.Errorf("%.40q: %v", bad, err)
		}
	}
	r, err := g.m.store.AnchoredMemories(t.Context(), "", 0, 10)
	if err != nil || len(r) != 3 {
		t.Fatal(len(r), err)
	}
	all, err := g.m.store.AnchorsOf(t.Context(), []int64{r[0].Seq})
	if err != nil {
		t.Fatal(err)
	}
	a := all[r[0].Seq][0]
	if a.Revision != g.git("rev-parse", "HEAD") || !a.Taken.Equal(g.m.now()) || !strings.Contains(a.Signature, "func parse(line string)") {
		t.Errorf("%+v", a)
	}
}

// TestRememberSaysWhatItIsAbout: who stores a memory is told what it is held
// against, and which file that was named is not there.
func TestRememberSaysWhatItIsAbout(t *testing.T) {
	needsParsers(t)
	g := newGround(t, map[string]string{"config.go": configGo, "cart/cart.go": "package cart\n\nfunc check() {}\n"})
	g.index()
	for _, tt := range []struct {
		text           string
		files          []string
		about, missing []string
	}{
		{text: "nothing of the code is named in this"},
		{text: "`parse` in config.go cuts at the first =", about: []string{"config.go:parse"}},
		{text: "the function check() waits for a second", files: []string{"config.go"}, about: []string{"cart/cart.go:check", "config.go"}},
		{text: "this one has a slip of the pen in it", files: []string{"cart/none.go"}, about: []string{"cart/none.go"}, missing: []string{"cart/none.go"}},
		{text: "this one is about a file elsewhere", files: []string{"/nonexistent/x.go"}, about: []string{"/nonexistent/x.go"}, missing: []string{"/nonexistent/x.go"}},
	} {
		out := remember(t, g.m, g.who, RememberInput{Content: tt.text, Kind: "wisdom", Files: tt.files})
		slices.Sort(out.About)
		if !slices.Equal(out.About, tt.about) || !slices.Equal(out.Missing, tt.missing) {
			t.Errorf("%s: about %q, missing %q", tt.text, out.About, out.Missing)
		}
	}
	many := RememberOutput{About: []string{"a", "b", "c\u202e", "d", "e", "f", "g"}}
	if got := many.AboutText(); !strings.HasPrefix(got, "a, b, ") || !strings.HasSuffix(got, " and 2 more") || strings.Contains(got, "\u202e") {
		t.Error(got)
	}
	if got := (&RememberOutput{}).AboutText(); got != "" {
		t.Error(got)
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
	if state, _ := g.verify(id); state != anchor.Stale {
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
	if state, _ := g.verify(id); state != anchor.Fresh {
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
