package mind

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"chitta/internal/code"

	"github.com/google/go-cmp/cmp"

	"chitta/internal/codebase"
	"chitta/internal/memory"
	"chitta/internal/syntax"
)

var kioskFiles = map[string]string{
	"go.mod": "module example.org/kiosk\n\ngo 1.26\n",
	"main.go": `package main

import "example.org/kiosk/till"

func main() { serve() }

func serve() { till.Open().Sell("tea") }

func idle() {}
`,
	"till/till.go": `// Package till sells.
package till

import "fmt"

// Till takes money.
type Till struct{ Drawer }

// Drawer holds money.
type Drawer struct{ coins int }

// Open returns a till.
func Open() *Till { return &Till{} }

// Sell sells one thing.
func (t *Till) Sell(what string) {
	fmt.Println(what)
	t.Drawer.Put(1)
}

// Put adds coins.
func (d *Drawer) Put(n int) { d.coins += n }
`,
	"shapes.py": `class Shape:
    def area(self):
        return 0


class Square(Shape):
    def area(self):
        return 1


class Tile(Square):
    pass
`,
}

// kiosk is an indexed project; the test ends here in a build that cannot index.
func kiosk(t *testing.T) *ground {
	t.Helper()
	if !syntax.Available {
		t.Skip("this build has no parsers; TestGraphWithoutIndex holds for it")
	}
	g := newGround(t, kioskFiles)
	g.index()
	return g
}

// kioskBeside is another project of the same memory.
func kioskBeside(g *ground, files map[string]string) *ground {
	g.Helper()
	o := newGround(g.T, files)
	o.m = g.m
	return o
}

func (g *ground) query(pattern string, edit ...func(*GraphQueryInput)) []string {
	g.Helper()
	return factsLike(g.T, g.m, g.who, pattern, edit...)
}

func saidBy(facts []FactView) []string {
	out := []string{}
	for _, f := range facts {
		out = append(out, f.Sentence)
	}
	slices.Sort(out)
	return out
}

// TestGraphSeesCode is the tour: patterns of the four predicates are answered
// from the index, whichever part is left open, and nothing of it is stored.
func TestGraphSeesCode(t *testing.T) {
	g := kiosk(t)
	for pattern, want := range map[string][]string{
		"serve calls ?":                    {"kiosk.serve calls till.Open", "kiosk.serve calls till.Till.Sell"},
		"? calls Till.Sell":                {"kiosk.serve calls till.Till.Sell"},
		"kiosk/till.Till.Sell called_by ?": {"kiosk.serve calls till.Till.Sell"},
		"serve calls Till.Sell":            {"kiosk.serve calls till.Till.Sell"},
		"serve ? till.Open":                {"kiosk.serve calls till.Open"},
		"main calls Till.Sell":             {},
		"Till inherits ?":                  {"till.Till inherits from till.Drawer"},
		"? inherits Shape":                 {"shapes.Square inherits from shapes.Shape"},
		"main.go imports ?":                {"main.go imports till/till.go"},
		"? imports till/till.go":           {"main.go imports till/till.go"},
		"? imports fmt":                    {"till/till.go imports fmt"},
		"main.go contains ?":               {"main.go contains kiosk.idle", "main.go contains kiosk.main", "main.go contains kiosk.serve"},
		"? contains till.Till.Sell":        {"till.Till contains till.Till.Sell", "till/till.go contains till.Till.Sell"},
		"? requires serve":                 {},
	} {
		same(t, pattern, g.query(pattern), want...)
	}
	out, err := g.m.GraphQuery(t.Context(), g.who, GraphQueryInput{Subject: "serve", Predicate: "calls", Object: "Till.Sell"})
	if err != nil || len(out.Facts) != 1 {
		t.Fatalf("%+v %v", out, err)
	}
	f := out.Facts[0]
	want := []FactSource{{Source: sourceCode, Place: "main.go:7", Rule: f.Sources[0].Rule, Confidence: f.Confidence}}
	if diff := cmp.Diff(want, f.Sources); diff != "" || f.ID != "" || f.Sources[0].Rule == "" || f.Confidence <= 0 || f.Confidence > 1 || f.Realm == memory.UserRealm {
		t.Errorf("what it rests on: %+v %s", f, diff)
	}
	stats, err := g.m.GraphStats(t.Context(), g.who, RealmInput{})
	if err != nil || stats.Facts != 0 || stats.Concepts != 0 {
		t.Errorf("asking stored something: %+v %v", stats, err)
	}
	same(t, "what holds at any time", g.query("serve calls ?", func(in *GraphQueryInput) { in.Ended = true }), "kiosk.serve calls till.Open", "kiosk.serve calls till.Till.Sell")
	if _, err := g.m.GraphQuery(t.Context(), g.who, GraphQueryInput{Subject: "serve", AsOf: "2020-01-01"}); err == nil {
		t.Error("what the code was then is not known")
	}
}

// TestGraphSaysWhatCodeSays: every pair of symbols that code_callees, code_types
// and code_imports tell of is a fact, and no other.
func TestGraphSaysWhatCodeSays(t *testing.T) {
	g := kiosk(t)
	for _, name := range []string{"main", "serve", "idle", "Till", "Drawer", "till.Open", "Till.Sell", "Drawer.Put", "Shape", "Square", "Tile", "Shape.area"} {
		calls, err := g.m.CodeCallees(t.Context(), g.who, CodeCallsInput{CodeSymbolInput: CodeSymbolInput{Symbol: name}})
		if err != nil || calls.Symbol == nil {
			t.Fatalf("%s: %v", name, err)
		}
		var want []string
		for _, c := range calls.Calls {
			want = append(want, fmt.Sprintf("calls %s %.2f", c.Symbol.Name, c.Confidence))
		}
		if code.Kind(calls.Symbol.Kind).Type() {
			types, err := g.m.CodeTypes(t.Context(), g.who, CodeTypesInput{CodeSymbolInput: CodeSymbolInput{Symbol: name}, Depth: 1})
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range types.Hierarchy.Up {
				want = append(want, "inherits "+l.Symbol.Name+" 1.00")
			}
		}
		var got []string
		for _, predicate := range []string{"calls", "inherits"} {
			out, err := g.m.GraphQuery(t.Context(), g.who, GraphQueryInput{Subject: name, Predicate: predicate})
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range out.Facts {
				got = append(got, fmt.Sprintf("%s %s %.2f", f.Predicate, f.Object[strings.LastIndexByte(f.Object, '.')+1:], f.Confidence))
			}
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(want, got) {
			t.Errorf("%s: code says %v, the graph %v", name, want, got)
		}
	}
}

func TestGraphNeighboursOfCode(t *testing.T) {
	g := kiosk(t)
	tell(t, g.m, g.who, "Till.Sell -[requires]-> open.shop")
	out, err := g.m.GraphNeighbours(t.Context(), g.who, GraphConceptInput{Concept: "till.sell"})
	if err != nil || len(out.Facts) == 0 || out.Facts[0].Sentence != "Till.Sell requires open.shop" {
		t.Fatalf("what is stored comes first: %v %v", out.Facts, err)
	}
	same(t, "neighbours", saidBy(out.Facts), "Till.Sell requires open.shop", "kiosk.serve calls till.Till.Sell", "till.Till contains till.Till.Sell",
		"till.Till.Sell calls till.Drawer.Put", "till/till.go contains till.Till.Sell")
	if out.More || out.Code == nil || out.Code.Found != 4 || out.Code.Shown != 4 || out.Code.Notes() != nil {
		t.Errorf("%+v", out.Code)
	}
	c, err := g.m.GraphConcept(t.Context(), g.who, GraphConceptInput{Concept: "Till"})
	if err != nil || c.Name != "till.Till" || !c.Created.IsZero() || len(c.Realms) != 1 || len(c.Things) != 1 {
		t.Fatalf("%+v %v", c, err)
	}
	if diff := cmp.Diff(CodeThing{Name: "till.Till", Kind: "struct", Place: "till/till.go:7", Signature: c.Things[0].Signature}, c.Things[0]); diff != "" {
		t.Error(diff)
	}
	several, err := g.m.GraphNeighbours(t.Context(), g.who, GraphConceptInput{Concept: "area"})
	if err != nil || several.Code == nil || !slices.Equal(several.Code.Means, []string{"shapes.Shape.area", "shapes.Square.area"}) || !strings.Contains(several.Code.Notes()[0], "any of: shapes.Shape.area") {
		t.Errorf("a name of several symbols: %+v %v", several.Code, err)
	}
	var missing *memory.NotFoundError
	if _, err := g.m.GraphSimilar(t.Context(), g.who, GraphConceptInput{Concept: "Till"}); !errors.As(err, &missing) || !strings.Contains(missing.Hint, "code search") {
		t.Errorf("%v", err)
	}
}

// TestGraphCodeIsBounded: an answer has as much as was asked for, of each kind
// something, and says how much there is.
func TestGraphCodeIsBounded(t *testing.T) {
	g := kiosk(t)
	var many strings.Builder
	many.WriteString("package many\n\nfunc hub() {}\n")
	for i := range 70 {
		fmt.Fprintf(&many, "\nfunc caller%d() { hub() }\n", i)
	}
	g.write("many/many.go", many.String())
	g.index()
	out, err := g.m.GraphNeighbours(t.Context(), g.who, GraphConceptInput{Concept: "hub", Limit: 10})
	if err != nil || len(out.Facts) != 10 || !out.More || out.Code.Found != 71 || out.Code.Shown != 10 {
		t.Fatalf("%d facts, %+v %v", len(out.Facts), out.Code, err)
	}
	if s := saidBy(out.Facts); !slices.Contains(s, "many/many.go contains many.hub") {
		t.Errorf("callers hide where it stands: %v", s)
	}
	if notes := out.Code.Notes(); len(notes) != 1 || notes[0] != "of 71 facts from source code 10 are shown" {
		t.Error(notes)
	}
	all, err := g.m.GraphQuery(t.Context(), g.who, GraphQueryInput{Predicate: "calls", Limit: 5})
	if err != nil || len(all.Facts) != 5 || all.Code.Totals["calls"] < 74 || len(all.Code.Totals) != 1 || !strings.Contains(all.Code.Notes()[0], "5 facts of them are shown") {
		t.Errorf("%v %+v %v", saidBy(all.Facts), all.Code, err)
	}
	for limit, want := range map[int]string{1: "; 1 fact of them is shown, name a symbol", factsMost: ""} {
		out, err := g.m.GraphQuery(t.Context(), g.who, GraphQueryInput{Predicate: "calls", Limit: limit})
		if err != nil || !strings.Contains(out.Code.Notes()[0], want) || want == "" && strings.Contains(out.Code.Notes()[0], "shown") {
			t.Errorf("limit %d: %q %v", limit, out.Code.Notes(), err)
		}
	}
	blank, err := g.m.GraphQuery(t.Context(), g.who, GraphQueryInput{})
	if err != nil || len(blank.Facts) != 0 || len(blank.Code.Totals) != len(codebase.RelationKinds()) || !strings.Contains(blank.Code.Notes()[0], "name one of these predicates") {
		t.Errorf("%v %+v %v", saidBy(blank.Facts), blank.Code, err)
	}
	if _, err := g.m.GraphQuery(t.Context(), g.who, GraphQueryInput{Predicate: "calls", Limit: factsMost + 1}); err == nil {
		t.Error("more than anybody reads")
	}
}

// chainOf writes the facts of a way as notation.
func chainOf(p *PathView) string {
	var s []string
	for _, f := range p.Facts {
		if f.Backward {
			s = append(s, fmt.Sprintf("%s <%s %s", f.Object, f.Predicate, f.Subject))
		} else {
			s = append(s, fmt.Sprintf("%s %s> %s", f.Subject, f.Predicate, f.Object))
		}
	}
	return strings.Join(s, "; ")
}

func TestGraphPathsThroughCode(t *testing.T) {
	g := kiosk(t)
	tell(t, g.m, g.who, "lost.coins -[caused_by]-> Drawer.Put")
	tell(t, g.m, g.who, "audit -[requires]-> till.Open")
	for _, c := range []struct{ name, from, to, want string }{
		{"calls", "main", "Drawer.Put", "kiosk.main calls> kiosk.serve; kiosk.serve calls> till.Till.Sell; till.Till.Sell calls> till.Drawer.Put"},
		{"against calls", "Drawer.Put", "serve", "till.Drawer.Put <calls till.Till.Sell; till.Till.Sell <calls kiosk.serve"},
		{"from code into what is stored", "serve", "lost.coins", "kiosk.serve calls> till.Till.Sell; till.Till.Sell calls> till.Drawer.Put; Drawer.Put causes> lost.coins"},
		{"from what is stored through code", "audit", "lost.coins", "audit requires> till.Open; till.Open <calls kiosk.serve; kiosk.serve calls> till.Till.Sell; till.Till.Sell calls> till.Drawer.Put; Drawer.Put causes> lost.coins"},
		{"a file", "main.go", "Till.Sell", "main.go contains> kiosk.serve; kiosk.serve calls> till.Till.Sell"},
		{"types", "Tile", "Shape", "shapes.Tile inherits> shapes.Square; shapes.Square inherits> shapes.Shape"},
		{"only the file in common", "idle", "serve", "kiosk.idle <contains main.go; main.go contains> kiosk.serve"},
	} {
		out, err := g.m.GraphPaths(t.Context(), g.who, GraphPathsInput{Concept: c.from, To: c.to, Hops: 5})
		if err != nil || len(out.Paths) == 0 {
			t.Errorf("%s: %+v %v", c.name, out, err)
			continue
		}
		if !slices.ContainsFunc(out.Paths, func(p PathView) bool { return chainOf(&p) == c.want }) {
			t.Errorf("%s: the first of %d is %s", c.name, len(out.Paths), chainOf(&out.Paths[0]))
		}
		seen := map[string]bool{}
		for i := range out.Paths {
			p := &out.Paths[i]
			product := 1.0
			for _, f := range p.Facts {
				product *= f.Confidence
			}
			if s := chainOf(p); seen[s] || len(p.Facts) > 5 || product-p.Confidence > 1e-9 || p.Confidence-product > 1e-9 {
				t.Errorf("%s: %s (%f, is %f)", c.name, s, p.Confidence, product)
			}
			seen[chainOf(p)] = true
		}
	}
	far, err := g.m.GraphPaths(t.Context(), g.who, GraphPathsInput{Concept: "main", To: "Drawer.Put", Hops: 1})
	if err != nil || len(far.Paths) != 0 {
		t.Errorf("%+v %v", far, err)
	}
}

func TestGraphWalksThroughCode(t *testing.T) {
	g := kiosk(t)
	tell(t, g.m, g.who, "Drawer.Put -[causes]-> lost.coins")
	out, err := g.m.GraphActivate(t.Context(), g.who, GraphActivateInput{Concept: "Till.Sell", Strength: 1})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range out.Concepts {
		names = append(names, c.Name)
		if c.Hops > 0 && c.Via == nil {
			t.Errorf("%s came by nothing", c.Name)
		}
	}
	for _, want := range []string{"till.Till.Sell", "Drawer.Put", "lost.coins", "kiosk.serve"} {
		if !slices.Contains(names, want) {
			t.Errorf("%s is not among %v", want, names)
		}
	}
	inferred, err := g.m.GraphInfer(t.Context(), g.who, GraphInferInput{Subject: "Tile", Predicate: "inherits"})
	if err != nil || len(inferred.Inferred) != 1 || inferred.Inferred[0].Sentence != "shapes.Tile inherits from shapes.Shape" || len(inferred.Inferred[0].Chain) != 2 {
		t.Errorf("%+v %v", inferred, err)
	}
	back, err := g.m.GraphInfer(t.Context(), g.who, GraphInferInput{Object: "Square.area", Predicate: "contains"})
	if err != nil || len(back.Inferred) != 1 || back.Inferred[0].Sentence != "shapes.py contains shapes.Square.area" {
		t.Errorf("%+v %v", back, err)
	}
	same(t, "nothing of it is stored", g.query("? ? ?"), "Drawer.Put causes lost.coins")
}

// TestConceptsContinueIntoCode: a concept is the one symbol that has its name or
// an alias of it; of several, the one that memories about it are anchored to.
func TestConceptsContinueIntoCode(t *testing.T) {
	g := kiosk(t)
	g.write("other/other.go", "package other\n\nfunc Open() { inner() }\n\nfunc inner() {}\n\nfunc OpenDoor() {}\n")
	g.write("third/third.go", "package third\n\nfunc OpenDoor() { handle() }\n\nfunc handle() {}\n")
	g.index()
	find := func(concept, want string, found bool) {
		t.Helper()
		out, err := g.m.GraphPaths(t.Context(), g.who, GraphPathsInput{Concept: concept, To: want, Hops: 2})
		if err != nil || (len(out.Paths) > 0) != found {
			t.Errorf("%s to %s: %+v %v", concept, want, out, err)
		}
	}
	tell(t, g.m, g.who, "slow.start -[caused_by]-> till.Open")
	find("slow.start", "serve", true)
	tell(t, g.m, g.who, "morning -[related_to]-> opening")
	if _, err := g.m.GraphAlias(t.Context(), g.who, GraphAliasInput{Concept: "opening", Alias: "other.Open"}); err != nil {
		t.Fatal(err)
	}
	find("morning", "other.inner", true)
	tell(t, g.m, g.who, "evening -[related_to]-> OpenDoor") // of which there are two
	find("evening", "third.handle", false)
	g.remember("`OpenDoor` in third/third.go is slow in the evening, see OpenDoor")
	if _, err := g.m.mineOnce(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	find("evening", "third.handle", true)
	tell(t, g.m, g.who, "noise -[related_to]-> TILL") // another word, in other letters
	find("noise", "till.Till.Sell", false)
}

// TestGraphCodeOfRealms: a question sees the code of its own project and no
// other's.
func TestGraphCodeOfRealms(t *testing.T) {
	g := kiosk(t)
	other := kioskBeside(g, map[string]string{"secret.go": "package secret\n\nfunc Hidden() { deep() }\n\nfunc deep() {}\n"})
	other.index()
	same(t, "its own", other.query("Hidden calls ?"), "Hidden calls deep")
	var missing *memory.NotFoundError
	for _, who := range []Caller{g.who, {Actor: "mcp", Cwd: g.dir}, {Actor: ActorCLI}} {
		if out, err := g.m.GraphQuery(t.Context(), who, GraphQueryInput{Subject: "Hidden"}); !errors.As(err, &missing) {
			t.Errorf("%+v sees %v, %v", who, saidBy(out.Facts), err)
		}
	}
	everything := func(in *GraphQueryInput) { in.Realm = realmAll }
	same(t, "a person who asks for all", g.query("Hidden calls ?", everything), "Hidden calls deep")
	var refused *memory.RefusedError
	if _, err := g.m.GraphQuery(t.Context(), Caller{Actor: "mcp", Cwd: g.dir}, GraphQueryInput{Subject: "Hidden", Realm: realmAll}); !errors.As(err, &refused) {
		t.Errorf("an agent asks for all: %v", err)
	}
	calls := g.query("? calls ?")
	if len(calls) == 0 || slices.ContainsFunc(calls, func(s string) bool { return strings.Contains(s, "Hidden") }) {
		t.Errorf("all calls: %v", calls)
	}
	if out, err := g.m.GraphPaths(t.Context(), g.who, GraphPathsInput{Concept: "serve", To: "Hidden", Realm: realmAll}); err != nil || len(out.Paths) != 0 {
		t.Errorf("between projects: %+v %v", out, err)
	}
}

// TestGraphWithoutIndex: where nothing is indexed the graph is what is stored.
func TestGraphWithoutIndex(t *testing.T) {
	g := newGround(t, kioskFiles)
	tell(t, g.m, g.who, "serve -[calls]-> printer")
	same(t, "stored", g.query("? calls ?"), "serve calls printer")
	out, err := g.m.GraphNeighbours(t.Context(), g.who, GraphConceptInput{Concept: "serve"})
	if err != nil || out.Code != nil || len(out.Facts) != 1 {
		t.Errorf("%+v %v", out, err)
	}
	var missing *memory.NotFoundError
	if _, err := g.m.GraphNeighbours(t.Context(), g.who, GraphConceptInput{Concept: "Till.Sell"}); !errors.As(err, &missing) {
		t.Error(err)
	}
}

// TestGraphOfOddNames: what is no name of anything is an error that says so, in a
// project with code as without.
func TestGraphOfOddNames(t *testing.T) {
	g := kiosk(t)
	var missing *memory.NotFoundError
	if _, err := g.m.GraphQuery(t.Context(), g.who, GraphQueryInput{Subject: "Til.Sel"}); !errors.As(err, &missing) || !strings.Contains(missing.Hint, "Till.Sell (till/till.go:16)") {
		t.Errorf("%v %+v", err, missing)
	}
	for _, name := range []string{"nothing.like.it", "none.go", "main.go:999", "s_0000000000000000", "../../etc/passwd", "🙂", "שלום", "%", "a'b", strings.Repeat("x", 150), "main.go:"} {
		if _, err := g.m.GraphNeighbours(t.Context(), g.who, GraphConceptInput{Concept: name}); !errors.As(err, &missing) {
			t.Errorf("%.30q: %v", name, err)
		}
	}
	var input *memory.InputError
	for _, name := range []string{"", "\x00", "a\nb", "\xff", strings.Repeat("x", 5000), "a,b"} {
		if _, err := g.m.GraphNeighbours(t.Context(), g.who, GraphConceptInput{Concept: name}); !errors.As(err, &input) {
			t.Errorf("%.30q: %v", name, err)
		}
	}
}
