package anchor

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"chitta/internal/memory"
	"chitta/internal/store"
)

// TestRoom is what a room is for: a memory names code, the code changes, somebody
// looks and says that it still holds.
func TestRoom(t *testing.T) {
	t.Parallel()
	g := newGround(t, map[string]string{"config.go": configGo})
	id := g.remember("what config.go reads are lines, nothing else")
	g.is(id, Fresh, "")
	g.write("config.go", strings.Replace(configGo, `"="`, `":"`, 1))
	g.is(id, Stale, "`config.go` changed since 2026-05-04")
	g.now = g.now.Add(48 * time.Hour)
	if got := g.accept(id); !slices.Equal(got, []Taken{{File: "config.go", Action: TakenNow}}) {
		t.Errorf("%+v", got)
	}
	g.is(id, Fresh, "")
	g.write("config.go", configGo)
	g.is(id, Stale, "`config.go` changed since 2026-05-06")
}

// TestGiven: symbols that somebody names must be known, and not mean too many.
func TestGiven(t *testing.T) {
	t.Parallel()
	needsParsers(t)
	same := "package a\n\nfunc twice() {}\n"
	g := newGround(t, map[string]string{"config.go": configGo, "a/x.go": same, "b/x.go": same, "c/x.go": same, "d/x.go": same})
	take := func(realm string, symbols ...string) ([]string, string) {
		r := &store.Record{}
		r.Realm, r.Kind, r.Content = realm, memory.Wisdom, "it is about what was named"
		anchors, err := g.room.Take(t.Context(), r, g.cwd, Given{Symbols: symbols})
		var input *memory.InputError
		if err == nil {
			return About(anchors), ""
		}
		if !errors.As(err, &input) || input.Field != "symbols" {
			t.Fatal(err)
		}
		return nil, input.Problem
	}
	const unindexed = "cannot be found: this project is not indexed"
	if _, problem := take(project, "parse"); problem != unindexed {
		t.Error("not indexed:", problem)
	}
	g.index()
	for _, c := range []struct {
		realm, symbol, about, problem string
	}{
		{project, "parse", "config.go:parse", ""},
		{project, "Server::Listen", "config.go:Server.Listen", ""},
		{project, "b/x.go:twice", "b/x.go:twice", ""},
		{project, "none", "", `name "none", but no symbol is called so`},
		{project, "x.go:parse", "", `name "x.go:parse", but no symbol is called so`},
		{project, "twice", "", `name "twice", but 4 symbols are called so`},
		{memory.UserRealm, "parse", "", unindexed},
	} {
		about, problem := take(c.realm, c.symbol)
		if strings.Join(about, " ") != c.about || problem != c.problem {
			t.Errorf("%s: %q, %s", c.symbol, about, problem)
		}
	}
}

// TestPaths: files are named from the top of the project wherever somebody is in
// it, and what cannot be a file is none.
func TestPaths(t *testing.T) {
	t.Parallel()
	g := newGround(t, map[string]string{"a/b.go": "package a\n"})
	for _, c := range []struct{ name, cwd, file, want string }{
		{"from the top", "", "a/b.go", "a/b.go"},
		{"from within", "a", "b.go", "a/b.go"},
		{"upwards", "a", "../c.go", "c.go"},
		{"absolute", "a", filepath.Join(g.dir, "a", "b.go"), "a/b.go"},
		{"with backslashes", "", `a\b.go`, "a/b.go"},
		{"elsewhere", "", "/elsewhere/x.go", "/elsewhere/x.go"},
		{"at home", "", "~/x.go", "~/x.go"},
		{"blank", "", " ", ""},
		{"NUL", "", "a\x00b", ""},
		{"no text", "", "a\xffb", ""},
		{"too long", "", strings.Repeat("a", maxPath+1), ""},
		{"a secret", "", "hunter2.go", ""},
	} {
		got, err := g.room.Paths(t.Context(), project, filepath.Join(g.dir, c.cwd), []string{c.file, c.file})
		if err != nil || strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q %v", c.name, got, err)
		}
	}
	many := make([]string, Most+10)
	for i := range many {
		many[i] = strings.Repeat("x", i+1)
	}
	if got, err := g.room.Paths(t.Context(), project, g.dir, many); err != nil || len(got) != Most {
		t.Error(len(got), err)
	}
	files := []string{"a/b.go", "a/none.go", "a/b.go/c.go", filepath.Join(g.dir, "a/b.go"), "/nonexistent/x.go"}
	if got, err := g.room.Missing(t.Context(), project, g.dir, files); err != nil || !slices.Equal(got, []string{"a/none.go", "a/b.go/c.go", "/nonexistent/x.go"}) {
		t.Error(got, err)
	}
	if got, err := g.room.Missing(t.Context(), memory.UserRealm, g.dir, files); err != nil || !slices.Equal(got, []string{"/nonexistent/x.go"}) {
		t.Error("where there is nothing to look at:", got, err)
	}
	if got := g.anchors(g.remember("hunter2.go and a/b.go are named in this")); !slices.Equal(got, []string{"a/b.go"}) {
		t.Error(got)
	}
}

// TestAgain: a memory that says something else is anchored to what it says now,
// and keeps what somebody named for it.
func TestAgain(t *testing.T) {
	t.Parallel()
	g := newGround(t, map[string]string{"a.go": "package a\n", "b.go": "package a\n", "c.go": "package a\n"})
	id := g.remember("a.go is the first of them all", Given{Files: []string{"c.go"}})
	r := g.record(id)
	r.Content = "b.go is the second of them all"
	g.room.Again(t.Context(), &r, g.cwd)
	if got := g.anchors(id); !slices.Equal(got, []string{"b.go", "c.go"}) {
		t.Error(got)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	r.Content = "a.go is the first of them all"
	g.room.Again(ctx, &r, g.cwd) // nobody waits for it any more
	if got := g.anchors(id); !slices.Equal(got, []string{"b.go", "c.go"}) {
		t.Error("ended:", got)
	}
}

// TestShortOfTime: who has little time is answered in it.
func TestShortOfTime(t *testing.T) {
	t.Parallel()
	needsParsers(t)
	g := newGround(t, map[string]string{"config.go": configGo})
	g.index()
	id := g.remember("`parse` gives an empty value for lines without =")
	g.room.opts.Beside = func(func(context.Context)) bool { return true } // which never comes to an end
	g.write("config.go", strings.Replace(configGo, `"="`, `":"`, 1))
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	out, err := g.room.Check(ctx, g.cwd, []store.Record{g.record(id)}, map[int64][]store.Anchor{id: g.rows(id)}, Reading)
	if f := out[id]; err != nil || f.State != Unknown || f.Note != "`config.go` was changed just now and is being read" {
		t.Errorf("%+v %v", f, err)
	}
}

// TestCheckPassage: a passage is held against files of its project alone.
func TestCheckPassage(t *testing.T) {
	t.Parallel()
	g := newGround(t, map[string]string{"a.go": "package a\n"})
	p := Passage{Realm: project, Text: "see a.go for that", At: time.Now().Add(time.Hour)}
	if f, err := g.room.CheckPassage(t.Context(), g.cwd, p); err != nil || f.State != Fresh {
		t.Errorf("%+v %v", f, err)
	}
	p.At = time.Now().Add(-time.Hour)
	if f, err := g.room.CheckPassage(t.Context(), g.cwd, p); err != nil || f.State != Unknown || f.Note != "`a.go` was written since" {
		t.Errorf("%+v %v", f, err)
	}
	p.Realm = memory.UserRealm
	if f, err := g.room.CheckPassage(t.Context(), g.cwd, p); err != nil || f.State != "" {
		t.Errorf("of no project: %+v %v", f, err)
	}
}

// TestRetake: what was done with each place is said, and nothing is promised of
// what cannot be told.
func TestRetake(t *testing.T) {
	t.Parallel()
	g := newGround(t, map[string]string{"a.go": "package a\n", "b.go": "package b\n"})
	id := g.remember("a.go and b.go and nothing more", Given{Files: []string{"never.go"}})
	g.remove("b.go")
	got := g.accept(id)
	want := []Taken{
		{File: "a.go", Action: TakenNow}, {File: "b.go", Action: TakenDropped, Note: "`b.go` is gone"},
		{File: "never.go", Action: TakenNot, Note: "what `never.go` was then is not known"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
	for i, s := range []string{"`a.go` is held as it is now", "`b.go` is not held any more: `b.go` is gone", "`never.go` is left as it was: what `never.go` was then is not known"} {
		if got[i].String() != s {
			t.Error(got[i])
		}
	}
	if got := g.anchors(id); !slices.Equal(got, []string{"a.go", "never.go (no hash)"}) {
		t.Error(got)
	}
	if got := (Taken{File: "x.go", Symbol: "y", Action: TakenFollowed}).String(); got != "`x.go:y` is held from now on" {
		t.Error(got)
	}
}

func TestAbout(t *testing.T) {
	t.Parallel()
	parse := store.Anchor{Path: "a.go", Symbol: "parse", Named: store.NamedGiven}
	anchors := []store.Anchor{{Path: "a.go", Named: store.NamedText}, parse, {Path: "b.go"}, {Path: tooMuch, Named: store.NamedText}}
	if got := About(anchors); !slices.Equal(got, []string{"a.go", "a.go:parse"}) {
		t.Error(got)
	}
	if got := Files(anchors); !slices.Equal(got, []string{"a.go", "b.go"}) {
		t.Error(got)
	}
	if got := On(7, ToFiles([]string{"b.go"})); len(got) != 1 || got[0] != (store.Anchor{Memory: 7, Path: "b.go"}) {
		t.Errorf("%+v", got)
	}
	other := parse
	other.Symbol = "print"
	for _, c := range []struct {
		name string
		a, b []store.Anchor
		want bool
	}{
		{"none", nil, nil, true},
		{"none outright", anchors[:1], nil, true},
		{"the same", anchors, []store.Anchor{other, parse}, true},
		{"another", anchors, []store.Anchor{other}, false},
		{"only one has", anchors, nil, false},
	} {
		if got := SameSymbols(c.a, c.b); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// TestAsCode: what is quoted stays on its line and within its quotes.
func TestAsCode(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"parse": "`parse`", "a`b": "`a'b`", "a\nb\u202ec": "`a b c`", strings.Repeat("ä", 100): "`" + strings.Repeat("ä", 79) + "…`",
	} {
		if got := asCode(in); got != want {
			t.Errorf("%q: %s", in, got)
		}
	}
}
