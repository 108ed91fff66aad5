package codebase

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// said writes relations as sentences, in order.
func said(list []Relation) []string {
	out := []string{}
	for _, r := range list {
		out = append(out, fmt.Sprintf("%s %s %s", r.From.Name, r.Kind, r.To.Name))
	}
	slices.Sort(out)
	return out
}

func related(t *testing.T, a *Ask, ref string, sel Select) Related {
	t.Helper()
	things, _, err := a.Things(t.Context(), ref, "", false)
	if err != nil || len(things) == 0 {
		t.Fatalf("%s: %v %v", ref, things, err)
	}
	sel.Most = 100
	out, err := a.Relations(t.Context(), things, sel)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestRelations(t *testing.T) {
	_, a, _ := askShop(t)
	every := RelationKinds()
	for _, c := range []struct {
		ref     string
		sel     Select
		want    []string
		comment string
	}{
		{"Cart.Add", Select{Out: []string{RelatesCalls}, In: []string{RelatesCalls}}, []string{
			"cart.Cart.Add calls cart.Cart.check", "cart.TestAdd calls cart.Cart.Add", "shop.run calls cart.Cart.Add"}, "calls both ways"},
		{"cart/cart.go:Cart.Add", Select{In: []string{RelatesContains}}, []string{"cart.Cart contains cart.Cart.Add", "cart/cart.go contains cart.Cart.Add"}, "a method is in its file and in its type"},
		{"Cart", Select{Out: every}, []string{
			"cart.Cart contains cart.Cart.Add", "cart.Cart contains cart.Cart.Total", "cart.Cart contains cart.Cart.check",
			"cart.Cart contains cart.Cart.items", "cart.Cart contains cart.Cart.prices"}, "members of a type"},
		{"tools.shapes.Square", Select{Out: []string{RelatesInherits}, In: []string{RelatesInherits}}, []string{
			"tools.shapes.Square inherits tools.base.Shape", "tools.shapes.Tile inherits tools.shapes.Square"}, "types"},
		{"shapes.py", Select{Out: every}, []string{
			"tools/shapes.py calls tools.shapes.Tile", "tools/shapes.py calls tools.shapes.Tile.area", "tools/shapes.py contains tools.shapes.Square", "tools/shapes.py contains tools.shapes.Tile",
			"tools/shapes.py contains tools.shapes.unknown", "tools/shapes.py imports os", "tools/shapes.py imports tools/base.py"}, "all of a file"},
		{"cmd/shop/main.go", Select{Out: []string{RelatesImports}}, []string{"cmd/shop/main.go imports example.org/shop/cart"}, "a package of several files"},
		{"cart/cart.go", Select{In: every}, []string{"cmd/shop/main.go imports cart/cart.go"}, "who imports a file"},
	} {
		got := related(t, a, c.ref, c.sel)
		if diff := cmp.Diff(c.want, said(got.List)); diff != "" || got.Found != len(c.want) || got.Cut {
			t.Errorf("%s (-want +got, %d found):\n%s", c.comment, got.Found, diff)
		}
	}
	first := related(t, a, "run", Select{Out: []string{RelatesCalls}}).List
	if !slices.IsSortedFunc(first, func(a, b Relation) int { return int(100 * (b.Confidence - a.Confidence)) }) || first[0].File != "cmd/shop/main.go" || first[0].Line == 0 || first[0].Rule == "" {
		t.Errorf("%+v", first)
	}
}

// TestRelationsAreBounded: of each kind and direction the surest stay, and the
// answer says how many there are.
func TestRelationsAreBounded(t *testing.T) {
	_, a, _ := askShop(t)
	things, _, err := a.Things(t.Context(), "cart/cart.go", "", false)
	if err != nil {
		t.Fatal(err)
	}
	got, err := a.Relations(t.Context(), things, Select{Out: []string{RelatesContains}, Most: 2})
	if err != nil || len(got.List) != 2 || got.Found < 8 {
		t.Errorf("%v of %d, %v", said(got.List), got.Found, err)
	}
	for _, kind := range RelationKinds() {
		some, err := a.Some(t.Context(), kind, 3)
		if err != nil || len(some.List) == 0 || len(some.List) > 3 {
			t.Errorf("some of what %s: %v %v", kind, said(some.List), err)
		}
	}
	n, err := a.CountRelations(t.Context())
	if err != nil || n[RelatesCalls] < 10 || n[RelatesInherits] != 2 || n[RelatesImports] < 3 {
		t.Errorf("%v %v", n, err)
	}
}

func TestThings(t *testing.T) {
	_, a, root := askShop(t)
	for _, c := range []struct {
		ref  string
		same bool
		want []string
	}{
		{"Cart", false, []string{"cart.Cart"}},
		{"cart", false, []string{"cart.Cart"}},
		{"cart", true, nil},
		{"cart.Cart.Add", true, []string{"cart.Cart.Add"}},
		{"shop/cart.Cart.Add", true, []string{"cart.Cart.Add"}},
		{"CART.add", false, []string{"cart.Cart.Add"}},
		{"items", false, nil}, // a field
		{"Cart.items", false, []string{"cart.Cart.items"}},
		{"handlers", false, []string{"cart.handlers"}},
		{"tools/shapes.py:Square.area", true, []string{"tools.shapes.Square.area"}},
		{"cart/cart.go:20", false, []string{"cart.Cart.Add"}},
		{"cart/cart.go:Nothing", false, nil},
		{"cart/cart.go", true, []string{"cart/cart.go"}},
		{"cart.go", false, []string{"cart/cart.go"}},
		{"cart.go", true, nil},
		{"area", false, []string{"tools.base.Shape.area", "tools.shapes.Square.area", "tools.shapes.Tile.area"}},
		{"nowhere", false, nil}, {"", false, nil}, {"...", false, nil}, {":", false, nil}, {"a:", false, nil}, {"\x00", false, nil}, {"\xff\xfe", false, nil}, {"s_0000000000000000", false, nil}, {"none.go:7", false, nil},
		{strings.Repeat("x.", 5000), false, nil}, {filepath.Join(root, "cart", "cart.go"), false, []string{"cart/cart.go"}}, {"../../etc/passwd.py", false, nil},
	} {
		list, found, err := a.Things(t.Context(), c.ref, "", c.same)
		var got []string
		for _, x := range list {
			got = append(got, x.Name)
		}
		if !slices.Equal(got, c.want) || err != nil || found != len(c.want) {
			t.Errorf("%.40q (same %v): %v of %d, %v; want %v", c.ref, c.same, got, found, err, c.want)
		}
	}
	for name, want := range map[string]bool{"os": true, "example.org/shop/cart": true, "testing": true, "nothing": false, "": false} {
		if got, err := a.Outside(t.Context(), name); err != nil || (got != nil) != want {
			t.Errorf("%s: %v %v", name, got, err)
		}
	}
}

// TestRelationsSayWhatQuestionsSay: over programs of all languages, the relations
// of symbols and files are what the questions about calls, types and imports
// answer.
func TestRelationsSayWhatQuestionsSay(t *testing.T) {
	needsParsers(t)
	files := map[string]string{}
	top := filepath.Join("..", "bench", "testdata", "code")
	err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		rel, _ := filepath.Rel(top, path)
		files["programs/"+filepath.ToSlash(rel)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	b := openBase(t, "good")
	root := gitRepo(t, files)
	mustIndex(t, b, root)
	a, err := b.Ask(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	marks, err := b.db.CodeMarks(t.Context(), a.project.ID)
	if err != nil {
		t.Fatal(err)
	}
	var ids []int64
	for id := range marks {
		ids = append(ids, id)
	}
	found, err := b.db.SymbolsOfFiles(t.Context(), ids)
	if err != nil || len(found) < 1000 {
		t.Fatalf("%d symbols, %v", len(found), err)
	}
	calls := 0
	const every = 6 // of thousands of symbols, for time's sake
	for i := 0; i < len(found); i += every {
		s := symbolOf(&found[i])
		calls += sameOfSymbol(t, a, &s)
	}
	if calls < 300 {
		t.Errorf("only %d calls were compared", calls)
	}
	paths := map[string]bool{}
	for i := range found {
		paths[found[i].FilePath] = true
	}
	for path := range paths {
		sameOfFile(t, a, path)
	}
}

const plenty = 100_000

// sameOfSymbol compares what a symbol calls, what calls it, and its types.
func sameOfSymbol(t *testing.T, a *Ask, s *Symbol) (calls int) {
	t.Helper()
	key := func(s *Symbol, file string) string {
		if s == nil || s.ID == "" {
			return file
		}
		return s.ID
	}
	want, got := []string{}, []string{}
	for i, of := range []func() (CallList, error){
		func() (CallList, error) { return a.Callees(t.Context(), s, 1, plenty) },
		func() (CallList, error) { // without what callers gather from constructors and implementors: these have relations of their own
			return a.walk(t.Context(), beginning{from: []int64{s.id}}, 1, plenty, true)
		},
	} {
		list, err := of()
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range list.Calls {
			want = append(want, fmt.Sprint([]string{"callee", "caller"}[i], key(&c.Symbol, c.Symbol.File), c.Confidence))
		}
	}
	calls = len(want)
	types, err := a.Hierarchy(t.Context(), s, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range types.Up {
		want = append(want, "up"+key(l.Symbol, l.Text))
	}
	for _, l := range types.Down {
		if l.How != Satisfies { // the graph says what is written
			want = append(want, "down"+key(l.Symbol, l.Text))
		}
	}
	list, err := a.Relations(t.Context(), []Thing{symbolThing(s, "")}, Select{Out: []string{RelatesCalls, RelatesInherits}, In: []string{RelatesCalls, RelatesInherits}, Most: plenty})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range list.List {
		switch {
		case r.From.ID == r.To.ID: // what calls itself is no answer to who calls it
		case r.Kind == RelatesCalls && r.From.ID == s.ID:
			got = append(got, fmt.Sprint("callee", key(r.To.Symbol, r.To.File), r.Confidence))
		case r.Kind == RelatesCalls:
			got = append(got, fmt.Sprint("caller", key(r.From.Symbol, r.From.File), r.Confidence))
		case r.From.ID == s.ID:
			got = append(got, "up"+key(r.To.Symbol, r.To.Name))
		default:
			got = append(got, "down"+key(r.From.Symbol, ""))
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(slices.Compact(want), got); diff != "" {
		t.Errorf("%s %s (-question +relation):\n%s", s.File, s.Path, diff)
	}
	return calls
}

// sameOfFile compares what a file imports.
func sameOfFile(t *testing.T, a *Ask, path string) {
	t.Helper()
	_, lines, err := a.Imports(t.Context(), path, "", 1)
	if err != nil {
		t.Fatal(err)
	}
	want, got := []string{}, []string{}
	for _, l := range lines {
		names := []string{l.External}
		if l.External == "" {
			names[0] = l.Module
		}
		if len(l.Files) == 1 || len(l.Names) > 1 && len(l.Files) > 0 { // several names are several imports
			names = l.Files
		}
		want = append(want, slices.DeleteFunc(names, func(name string) bool { return name == path })...)
	}
	list, err := a.Relations(t.Context(), []Thing{fileThing(path)}, Select{Out: []string{RelatesImports}, Most: plenty})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range list.List {
		got = append(got, r.To.Name)
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(slices.Compact(want), got); diff != "" {
		t.Errorf("%s imports (-question +relation):\n%s", path, diff)
	}
}
