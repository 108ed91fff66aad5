package codebase

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"chitta/internal/code"
	"chitta/internal/store"
	"chitta/internal/syntax"
)

// shopFiles are a small project in three languages that hangs together.
var shopFiles = map[string]string{
	"go.mod": "module example.org/shop\n\ngo 1.26\n",
	"cmd/shop/main.go": `package main

import "example.org/shop/cart"

func main() { run() }

func run() {
	c := cart.New()
	c.Add("tea", 2)
	each(func() { c.Total() })
}

func each(fn func()) { fn() }
`,
	"cart/cart.go": `// Package cart keeps what is to be bought.
package cart

// Cart is what somebody wants to buy.
type Cart struct {
	prices Prices
	items  map[string]int
}

// Prices says what things cost.
type Prices interface {
	PriceOf(item string) int
}

// New returns an empty cart.
func New() *Cart { return &Cart{items: map[string]int{}} }

// Add puts an item into the cart.
func (c *Cart) Add(item string, n int) {
	c.items[item] += n
	c.check()
}

// Total sums up what everything in the cart costs.
func (c *Cart) Total() int {
	c.check()
	return loop(3)
}

func (c *Cart) check() {}

func loop(n int) int {
	if n == 0 {
		return 0
	}
	return again(n - 1)
}

func again(n int) int { return loop(n) }

func neverCalled() {}

func handed() {}

var handlers = []func(){handed}
`,
	"cart/cart_test.go": `package cart

import "testing"

func TestAdd(t *testing.T) { New().Add("x", 1) }
`,
	"tools/shapes.py": `import os
from tools.base import Shape


class Square(Shape):
    """A shape with four equal sides."""

    def area(self):
        return self.side * self.side


class Tile(Square):
    def area(self):
        return super().area()


def unknown(thing):
    return thing.measureAll()


print(Tile().area())
`,
	"tools/base.py": `class Shape:
    def area(self):
        raise NotImplementedError


def measureAll():
    return 1
`,
	"tools/__init__.py": "",
}

func askShop(t *testing.T) (*Base, *Ask, string) {
	t.Helper()
	needsParsers(t)
	b := openBase(t, "good")
	root := gitRepo(t, shopFiles)
	mustIndex(t, b, root)
	a, err := b.Ask(t.Context(), filepath.Join(root, "cart"))
	if err != nil {
		t.Fatal(err)
	}
	return b, a, root
}

func oneNamed(t *testing.T, a *Ask, ref string) *Symbol {
	t.Helper()
	list, err := a.Named(t.Context(), ref, "")
	if err != nil || len(list) != 1 {
		t.Fatalf("%s: %v %v", ref, symbolPaths(list), err)
	}
	return &list[0]
}

func symbolPaths(list []Symbol) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = s.File + ":" + s.Path
	}
	return out
}

func TestSymbolsAreNamed(t *testing.T) {
	_, a, root := askShop(t)
	add := oneNamed(t, a, "Add")
	for _, ref := range []string{
		"Cart.Add", "cart.Cart.Add", "Cart::Add", "Cart->Add", "Cart#Add", "cart.add", "Add()", "example.org/shop/cart.Cart.Add", add.ID,
		"cart/cart.go:19", "cart.go:21", "cart.go:19:4", filepath.Join(root, "cart/cart.go") + ":20",
	} {
		if s := oneNamed(t, a, ref); s.ID != add.ID || s.Line != 19 || s.Kind != "method" {
			t.Errorf("%s is %+v", ref, s)
		}
	}
	if list, err := a.Named(t.Context(), "area", ""); err != nil || len(list) != 3 {
		t.Errorf("area: %v %v", symbolPaths(list), err)
	}
	if list, err := a.Named(t.Context(), "main.go:5", filepath.Join(root, "cmd/shop")); err != nil || list[0].Path != "main" {
		t.Errorf("from a folder: %v %v", symbolPaths(list), err)
	}
	var unknown *UnknownSymbolError
	if _, err := a.Named(t.Context(), "Totle", ""); !errors.As(err, &unknown) || len(unknown.Near) == 0 || unknown.Near[0].Name != "Total" {
		t.Errorf("Totle: %v %+v", err, unknown)
	}
	var file *UnknownFileError
	if _, err := a.Named(t.Context(), "nowhere/cart.go:3", ""); !errors.As(err, &file) || !slices.Equal(file.Near, []string{"cart/cart.go"}) {
		t.Errorf("a file that is not there: %v %+v", err, file)
	}
	for _, odd := range []string{"", " ", "::", "...", "s_", "s_zz", "s_0000000000000000", ":3", "cart.go:0", "cart.go:99999", "\x00", "a\xffb", "\u202ex", strings.Repeat("a.", 500)} {
		if list, err := a.Named(t.Context(), odd, ""); err == nil {
			t.Errorf("%q names %v", odd, symbolPaths(list))
		}
	}
	if _, err := a.base.Ask(t.Context(), t.TempDir()); !errors.Is(err, ErrUnknown) {
		t.Errorf("a folder that is not indexed: %v", err)
	}
}

func TestFind(t *testing.T) {
	_, a, _ := askShop(t)
	tests := []struct {
		name  string
		f     Filter
		first string
		how   string
	}{
		{"Total", Filter{}, "Cart.Total", FoundExact},
		{"total", Filter{}, "Cart.Total", FoundExact},
		{"Tot", Filter{}, "Cart.Total", FoundPrefix},
		{"Toatl", Filter{}, "Cart.Total", FoundFuzzy},
		{"PO", Filter{}, "", ""},
		{"nvcalled", Filter{}, "neverCalled", FoundFuzzy},
		{"called", Filter{}, "neverCalled", FoundFuzzy},
		{"area", Filter{Langs: []string{"go"}}, "", ""},
		{"Cart", Filter{Kinds: []string{"struct"}}, "Cart", FoundExact},
		{"", Filter{}, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := a.Find(t.Context(), tt.name, tt.f, 20)
			if err != nil {
				t.Fatal(err)
			}
			if tt.first == "" {
				if len(got) > 0 {
					t.Errorf("%+v", got)
				}
				return
			}
			if len(got) == 0 || got[0].Path != tt.first || got[0].How != tt.how {
				t.Errorf("%+v", got)
			}
		})
	}
}

func TestNamesAreCompared(t *testing.T) {
	for text, want := range map[string][2]string{ // more alike first
		"gun":      {"getUserName", "gunshot_wound_of_somebody"},
		"reqst":    {"request", "requirementsTest"},
		"username": {"userXname", "useAnyOtherName"},
	} {
		l := newLikeness(text)
		better, worse := l.of(want[0], strings.ToLower(want[0])), l.of(want[1], strings.ToLower(want[1]))
		if better <= worse {
			t.Errorf("%s: %s %.2f, %s %.2f", text, want[0], better, want[1], worse)
		}
	}
	for name, want := range map[string]string{
		"getUserName": "get user name", "HTTPServer2": "http server 2", "snake_case_x": "snake case x", "ÄpfelBaum": "äpfel baum", "": "", "___": "",
	} {
		if got := strings.Join(NameWords(name), " "); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestSearchByWords(t *testing.T) {
	b, a, root := askShop(t)
	for query, want := range map[string]string{
		"sums up costs":           "Cart.Total",
		"putting items in a cart": "Cart.Add",
		"equal sides":             "Square",
		"empty cart":              "New",
	} {
		got, err := a.Search(t.Context(), query, Filter{}, 5)
		if err != nil || len(got) == 0 || got[0].Path != want {
			t.Errorf("%s: %+v %v", query, got, err)
		}
	}
	for _, odd := range []string{"", "the of", "zzz qqq", "\x00", "日本"} {
		if got, err := a.Search(t.Context(), odd, Filter{}, 5); err != nil || len(got) > 0 {
			t.Errorf("%q: %+v %v", odd, got, err)
		}
	}
	// what changes is found under what it says now
	write(t, root, map[string]string{"cart/more.go": "package cart\n\n// gift wraps presents.\nfunc gift() {}\n"})
	if err := b.Refresh(t.Context(), root, []string{"cart/more.go"}); err != nil {
		t.Fatal(err)
	}
	again, err := b.Ask(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := again.Search(t.Context(), "wrap presents", Filter{}, 5); err != nil || len(got) != 1 || got[0].Path != "gift" {
		t.Errorf("after a change: %+v %v", got, err)
	}
	if err := os.Remove(filepath.Join(root, "cart/more.go")); err != nil {
		t.Fatal(err)
	}
	if err := b.Refresh(t.Context(), root, []string{"cart/more.go"}); err != nil {
		t.Fatal(err)
	}
	if again, err = b.Ask(t.Context(), root); err != nil {
		t.Fatal(err)
	}
	if got, err := again.Search(t.Context(), "wrap presents", Filter{}, 5); err != nil || len(got) != 0 {
		t.Errorf("after it is gone: %+v %v", got, err)
	}
}

func TestReadShowsTheFileAsItIs(t *testing.T) {
	_, a, root := askShop(t)
	s := oneNamed(t, a, "Cart.Add")
	got, err := a.Read(t.Context(), s, 100)
	if err != nil || got.From != 19 || got.Anew || !strings.HasPrefix(got.Lines[0], "func (c *Cart) Add") || len(got.Lines) != 4 {
		t.Fatalf("%+v %v", got, err)
	}
	if got, err := a.Read(t.Context(), s, 2); err != nil || len(got.Lines) != 2 || got.Left != 2 {
		t.Errorf("a part: %+v %v", got, err)
	}
	full := filepath.Join(root, "cart/cart.go")
	text, err := os.ReadFile(full)
	if err != nil {
		t.Fatal(err)
	}
	moved := strings.Replace(string(text), "// Add puts", "// One line more.\n//\n// Add puts", 1)
	if err := os.WriteFile(full, []byte(moved), 0o644); err != nil {
		t.Fatal(err)
	}
	if got, err := a.Read(t.Context(), s, 100); err != nil || got.From != 21 || !got.Anew || !strings.HasPrefix(got.Lines[0], "func (c *Cart) Add") {
		t.Errorf("after lines moved: %+v %v", got, err)
	}
	if err := os.WriteFile(full, []byte("package cart\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Read(t.Context(), s, 100); !errors.Is(err, ErrGone) {
		t.Errorf("after it is gone: %v", err)
	}
}

func callLines(list CallList) []string {
	var out []string
	for _, c := range list.Calls {
		name := c.Symbol.Path
		if c.Symbol.Kind == KindFile {
			name = "<" + c.Symbol.File + ">"
		}
		out = append(out, fmt.Sprintf("%d %s %s", c.Depth, name, c.Rule))
	}
	return out
}

func TestCallersAndCallees(t *testing.T) {
	_, a, _ := askShop(t)
	got, err := a.Callers(t.Context(), oneNamed(t, a, "Cart.check"), 3, 50)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"1 Cart.Add ", "1 Cart.Total ", "2 run ", "2 TestAdd ", "3 main "} {
		if !slices.ContainsFunc(callLines(got), func(s string) bool { return strings.HasPrefix(s, want) }) {
			t.Errorf("%q is not among %q", want, callLines(got))
		}
	}
	for _, c := range got.Calls {
		if c.Confidence <= 0 || c.Confidence > 1 || c.Rule == "" || len(c.Lines) == 0 || c.File == "" || c.Depth > 1 && c.Via == "" {
			t.Errorf("%+v", c)
		}
	}
	if direct, err := a.Callers(t.Context(), oneNamed(t, a, "Cart.check"), 1, 1); err != nil || len(direct.Calls) != 1 || direct.Found != 2 {
		t.Errorf("limited: %+v %v", direct, err)
	}
	// a function in place is called by what it stands in
	total, err := a.Callers(t.Context(), oneNamed(t, a, "Cart.Total"), 2, 50)
	if err != nil || !slices.Contains(callLines(total), "2 run "+store.CodeWithin) {
		t.Errorf("through a function in place: %q %v", callLines(total), err)
	}
	// a cycle ends
	loop, err := a.Callees(t.Context(), oneNamed(t, a, "loop"), MaxDepth, 50)
	if err != nil || len(loop.Calls) != 1 || loop.Calls[0].Symbol.Name != "again" {
		t.Errorf("cycle: %q %v", callLines(loop), err)
	}
	// a call whose target is not known is told apart
	loose, err := a.Callers(t.Context(), oneNamed(t, a, "measureAll"), 1, 50)
	if err != nil || len(loose.Calls)+len(loose.Loose) != 1 {
		t.Errorf("loose: %+v %v", loose, err)
	}
}

func TestCallPath(t *testing.T) {
	_, a, _ := askShop(t)
	p, err := a.Path(t.Context(), oneNamed(t, a, "main"), oneNamed(t, a, "again"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range p.Steps {
		names = append(names, s.Symbol.Name)
	}
	if want := "run"; len(names) < 4 || names[0] != want || names[len(names)-1] != "again" || p.Confidence <= 0 || p.Confidence >= 1 {
		t.Errorf("%v %+v", names, p)
	}
	if back, err := a.Path(t.Context(), oneNamed(t, a, "again"), oneNamed(t, a, "main")); err != nil || len(back.Steps) != 0 {
		t.Errorf("back: %+v %v", back, err)
	}
	if same, err := a.Path(t.Context(), oneNamed(t, a, "main"), oneNamed(t, a, "main")); err != nil || len(same.Steps) != 0 {
		t.Errorf("same: %+v %v", same, err)
	}
}

func TestHierarchyAndFiles(t *testing.T) {
	_, a, _ := askShop(t)
	h, err := a.Hierarchy(t.Context(), oneNamed(t, a, "Square"), MaxDepth)
	if err != nil || len(h.Up) != 1 || h.Up[0].Symbol == nil || h.Up[0].Symbol.Name != "Shape" || len(h.Down) != 1 || h.Down[0].Symbol.Name != "Tile" {
		t.Errorf("%+v %v", h, err)
	}
	file, imports, err := a.Imports(t.Context(), "main.go", "", 1)
	if err != nil || file != "cmd/shop/main.go" || len(imports) != 1 || !slices.Contains(imports[0].Files, "cart/cart.go") {
		t.Errorf("%s %+v %v", file, imports, err)
	}
	_, imports, err = a.Imports(t.Context(), "tools/shapes.py", "", 1)
	if err != nil || len(imports) != 2 || imports[0].External == "" || !slices.Equal(imports[1].Files, []string{"tools/base.py"}) || !slices.Equal(imports[1].Names, []string{"Shape"}) {
		t.Errorf("%+v %v", imports, err)
	}
	_, deps, err := a.Dependents(t.Context(), "cart/cart.go", "", 2)
	if err != nil || len(deps) < 2 || !slices.ContainsFunc(deps, func(d Dependent) bool { return d.File == "cmd/shop/main.go" && d.How == "import, call" }) ||
		!slices.ContainsFunc(deps, func(d Dependent) bool { return d.File == "cart/cart_test.go" && d.How == ByCall }) {
		t.Errorf("%+v %v", deps, err)
	}
	var file2 *UnknownFileError
	if _, _, err := a.Imports(t.Context(), "../../etc/passwd", "", 1); !errors.As(err, &file2) {
		t.Errorf("outside: %v", err)
	}
}

func TestOverviewMapUnused(t *testing.T) {
	_, a, root := askShop(t)
	o, err := a.Overview(t.Context())
	if err != nil || o.Root != root || o.Files != 6 || len(o.Languages) != 2 || len(o.Called) == 0 || len(o.Largest) == 0 {
		t.Fatalf("%+v %v", o, err)
	}
	if got := symbolPaths(o.Entries); !slices.Equal(got, []string{"cmd/shop/main.go:main", "tools/shapes.py:shapes.py"}) {
		t.Errorf("entries: %v", got)
	}
	list, found, err := a.Unused(t.Context(), false, 50)
	if err != nil || found != 1 || list[0].Name != "neverCalled" {
		t.Errorf("unused: %v %d %v", symbolPaths(list), found, err)
	}
	list, _, err = a.Unused(t.Context(), true, 50)
	if err != nil || !slices.ContainsFunc(list, func(s Symbol) bool { return s.Name == "unknown" }) || slices.ContainsFunc(list, func(s Symbol) bool { return s.Name == "measureAll" }) {
		t.Errorf("unused with exported: %v %v", symbolPaths(list), err)
	}
	m, err := a.Map(t.Context(), []string{"cmd/shop/main.go"}, "", 1000)
	if err != nil || len(m.Files) < 2 || m.Files[0].File != "cart/cart.go" || m.Files[1].File != "cmd/shop/main.go" || m.Tokens > 1000 {
		t.Errorf("map: %+v %v", m, err)
	}
	python, err := a.Map(t.Context(), []string{"tools/shapes.py"}, "", 1000)
	if err != nil || len(python.Files) == 0 || python.Files[0].File != "tools/shapes.py" {
		t.Errorf("map from elsewhere: %+v %v", python, err)
	}
	small, err := a.Map(t.Context(), nil, "", 30)
	if err != nil || small.Tokens > 30 || small.Left == 0 || len(small.Seeds) == 0 {
		t.Errorf("small map: %+v %v", small, err)
	}
	var file *UnknownFileError
	if _, err := a.Map(t.Context(), []string{"nope.go"}, "", 100); !errors.As(err, &file) {
		t.Errorf("a seed that is not there: %v", err)
	}
}

func TestAskWithoutParsers(t *testing.T) {
	if syntax.Available {
		t.Skip("this build has parsers; what it answers is tested by the others")
	}
	if _, err := openBase(t, "good").Ask(t.Context(), t.TempDir()); !errors.Is(err, ErrOff) {
		t.Error(err)
	}
}

// bigBase is a base with a project of generated symbols, each of which calls
// three others and is called by about as many.
func bigBase(t testing.TB, symbols int) *Ask {
	t.Helper()
	ctx := t.Context()
	b, err := Open(ctx, Options{Path: filepath.Join(t.TempDir(), "code.db")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	project, err := b.db.PutProject(ctx, store.CodeProject{Root: "/big", Begun: time.Now(), Indexed: time.Now(), Changed: time.Now(), Settled: true})
	if err != nil {
		t.Fatal(err)
	}
	const perFile = 100
	files := make([]store.CodeFile, symbols/perFile)
	for i := range files {
		files[i] = store.CodeFile{Path: fmt.Sprintf("pkg%d/file%d.go", i%50, i), Lang: "go", Hash: []byte{1}}
	}
	if err := b.db.PutCodeFiles(ctx, project, files); err != nil {
		t.Fatal(err)
	}
	var made []store.CodeMade
	for i := range files {
		m := store.CodeMade{File: files[i].ID, Fresh: true, Hash: int64(i + 2)}
		for j := range perFile {
			n := int64(i*perFile + j + 1)
			name := fmt.Sprintf("handle%sRequest%d", []string{"User", "Order", "Cart", "Mail"}[n%4], n)
			m.Symbols = append(m.Symbols, store.CodeSymbol{
				ID: n, Index: int32(j), Name: name, Folded: strings.ToLower(name), Path: name, Qualified: "big." + name, Kind: string(code.Function),
				Signature: "func " + name + "()", Doc: "answers what was asked", Line: j + 1, EndLine: j + 1,
			})
			for k := int64(1); k <= 3; k++ {
				m.Edges = append(m.Edges, store.CodeEdge{Src: n, Dst: (n*7919*k)%int64(symbols) + 1, Line: j + 1, Rule: "file", Confidence: 0.9})
			}
		}
		made = append(made, m)
	}
	if err := b.db.PutCodeMade(ctx, project, made); err != nil {
		t.Fatal(err)
	}
	row, err := b.db.Project(ctx, "/big")
	if err != nil {
		t.Fatal(err)
	}
	return &Ask{b, row}
}

// TestQuestionsAreQuick holds generous bounds; `chitta bench` has the figures.
func TestQuestionsAreQuick(t *testing.T) {
	const symbols = 20_000
	a := bigBase(t, symbols)
	median := func(n int, fn func(i int)) time.Duration {
		times := make([]time.Duration, n)
		for i := range times {
			start := time.Now()
			fn(i)
			times[i] = time.Since(start)
		}
		slices.Sort(times)
		return times[n/2]
	}
	find := median(50, func(i int) {
		n := i*37 + 1
		name := fmt.Sprintf("handle%sRequest%d", []string{"User", "Order", "Cart", "Mail"}[n%4], n)
		if got, err := a.Find(t.Context(), name, Filter{}, 5); err != nil || len(got) == 0 || got[0].Name != name {
			t.Fatalf("%+v %v", got, err)
		}
	})
	callers := median(20, func(i int) {
		s := Symbol{id: int64(i*97 + 1), Name: "x"}
		if got, err := a.Callers(t.Context(), &s, 3, 50); err != nil || len(got.Calls) == 0 {
			t.Fatalf("%+v %v", got, err)
		}
	})
	t.Logf("find %v, callers of depth 3 %v", find, callers)
	if find > 20*time.Millisecond || callers > 200*time.Millisecond {
		t.Errorf("find takes %v, callers %v", find, callers)
	}
}
