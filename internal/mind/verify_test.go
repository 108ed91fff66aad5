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

// TestAccept: it is said what was taken of each place, and what cannot be taken
// is not said to be.
func TestAccept(t *testing.T) {
	t.Parallel()
	needsParsers(t)
	g := newGround(t, map[string]string{"config.go": configGo, "note.txt": "a note on lines\n"})
	g.index()
	accept := func(id string) ([]anchor.Taken, error) {
		out, err := g.m.Verify(t.Context(), g.who, VerifyInput{ID: id, Accept: true})
		return out.Taken, err
	}
	id := g.remember("`parse` in config.go gives an empty value; note.txt says so")
	renamed := strings.ReplaceAll(configGo, "func parse(", "func cut(")
	g.write("config.go", renamed)
	g.is(id, anchor.Stale, "`parse` was renamed to `cut`")
	got, err := accept(id)
	want := []anchor.Taken{
		{File: "config.go", Symbol: "cut", Action: anchor.TakenFollowed, Note: "`parse` was renamed to `cut`"}, {File: "note.txt", Action: anchor.TakenNow},
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%+v %v", got, err)
	}
	g.maintain()
	g.is(id, anchor.Fresh, "")
	g.write("config.go", strings.Replace(renamed, `"="`, `":"`, 1))
	g.is(id, anchor.Stale, "`cut` changed since 2026-05-04")

	moved := g.remember("`Server.Listen` ignores the port zero, whatever comes")
	listen := configGo[strings.Index(configGo, "type Server"):]
	g.write("config.go", strings.Replace(renamed, listen, "", 1))
	g.write("server.go", "package shop\n\n"+strings.Replace(listen, "port == 0", "port < 1", 1))
	got, err = accept(moved)
	if err != nil || len(got) != 1 || got[0].File != "server.go" || got[0].Action != anchor.TakenFollowed {
		t.Errorf("%+v %v", got, err)
	}
	g.is(moved, anchor.Fresh, "")

	g.write("server.go", "package shop\x00\xff")
	var refused *memory.RefusedError
	if got, err = accept(moved); !errors.As(err, &refused) || !strings.Contains(err.Error(), "`server.go` is not indexed") {
		t.Errorf("%+v %v", got, err)
	}
	g.remove("server.go")
	if got, err = accept(moved); err != nil || len(got) != 1 || got[0].Action != anchor.TakenDropped {
		t.Errorf("%+v %v", got, err)
	}
}
