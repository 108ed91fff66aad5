package mind

import (
	"errors"
	"strings"
	"testing"
	"time"

	"chitta/internal/memory"
	"chitta/internal/syntax"
)

// TestUnfinishedIndex: every answer from an index that did not come to its end
// says so, and so does the doctor.
func TestUnfinishedIndex(t *testing.T) {
	if !syntax.Available {
		t.Skip("this build indexes nothing")
	}
	g := newGround(t, map[string]string{"go.mod": "module shop\n", "config.go": configGo})
	g.index()
	ctx, m := g.Context(), g.m
	symbol := CodeSymbolInput{Symbol: "Server.Listen"}
	questions := map[string]func() (interface{ Unfinished() string }, error){
		"find": func() (interface{ Unfinished() string }, error) {
			return m.CodeFind(ctx, g.who, CodeFindInput{Name: "nothing"})
		},
		"search": func() (interface{ Unfinished() string }, error) {
			return m.CodeSearch(ctx, g.who, CodeSearchInput{Query: "listen"})
		},
		"read": func() (interface{ Unfinished() string }, error) {
			return m.CodeRead(ctx, g.who, CodeReadInput{CodeSymbolInput: symbol})
		},
		"callers": func() (interface{ Unfinished() string }, error) {
			return m.CodeCallers(ctx, g.who, CodeCallsInput{CodeSymbolInput: symbol})
		},
		"path": func() (interface{ Unfinished() string }, error) {
			return m.CodePath(ctx, g.who, CodePathInput{From: "Server.Listen", To: "Server.Listen"})
		},
		"types": func() (interface{ Unfinished() string }, error) {
			return m.CodeTypes(ctx, g.who, CodeTypesInput{CodeSymbolInput: CodeSymbolInput{Symbol: "Server"}})
		},
		"imports": func() (interface{ Unfinished() string }, error) {
			return m.CodeImports(ctx, g.who, CodeFileInput{File: "config.go"})
		},
		"dependents": func() (interface{ Unfinished() string }, error) {
			return m.CodeDependents(ctx, g.who, CodeFileInput{File: "config.go"})
		},
		"overview": func() (interface{ Unfinished() string }, error) {
			return m.CodeOverview(ctx, g.who, CodeOverviewInput{})
		},
		"map":    func() (interface{ Unfinished() string }, error) { return m.CodeMap(ctx, g.who, CodeMapInput{}) },
		"unused": func() (interface{ Unfinished() string }, error) { return m.CodeUnused(ctx, g.who, CodeUnusedInput{}) },
	}
	check := func(whole bool) {
		t.Helper()
		for name, ask := range questions {
			if out, err := ask(); err != nil || (out.Unfinished() == "") != whole {
				t.Errorf("%s of a whole index %v: %q, %v", name, whole, out.Unfinished(), err)
			}
		}
		var missing *memory.NotFoundError
		if _, err := m.CodeRead(ctx, g.who, CodeReadInput{CodeSymbolInput: CodeSymbolInput{Symbol: "nothing"}}); !errors.As(err, &missing) || strings.Contains(missing.Hint, "did not come to its end") == whole {
			t.Errorf("what is not found, whole %v: %v", whole, missing)
		}
		if f := m.doctorCode(ctx); (f.Status == FindingOK) != whole || !whole && !strings.Contains(f.Detail, g.dir) {
			t.Errorf("the doctor, whole %v: %+v", whole, f)
		}
	}
	check(true)
	base, err := m.Code(ctx)
	if err != nil {
		t.Fatal(err)
	}
	row, err := base.Store().Project(ctx, g.dir)
	if err != nil {
		t.Fatal(err)
	}
	row.Indexed = time.Time{}
	if _, err := base.Store().PutProject(ctx, row); err != nil {
		t.Fatal(err)
	}
	check(false)
}

// TestTypesOfAFunction says that it is none.
func TestTypesOfAFunction(t *testing.T) {
	if !syntax.Available {
		t.Skip("this build indexes nothing")
	}
	g := newGround(t, map[string]string{"go.mod": "module shop\n", "config.go": configGo})
	g.index()
	var input *memory.InputError
	_, err := g.m.CodeTypes(g.Context(), g.who, CodeTypesInput{CodeSymbolInput: CodeSymbolInput{Symbol: "Server.Listen"}})
	if !errors.As(err, &input) || !strings.Contains(err.Error(), "no type") {
		t.Errorf("error %v", err)
	}
}

// TestLinesBelowZero: the field that is wrong is the one that is named.
func TestLinesBelowZero(t *testing.T) {
	m, _ := openTest(t)
	var input *memory.InputError
	if _, err := m.CodeRead(t.Context(), person, CodeReadInput{CodeSymbolInput: CodeSymbolInput{Symbol: "x"}, Lines: -1}); !errors.As(err, &input) || input.Field != "lines" {
		t.Errorf("error %v", err)
	}
}
