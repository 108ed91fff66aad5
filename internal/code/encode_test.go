package code

import (
	"bytes"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"chitta/internal/syntax"
)

// drawFile makes facts whose indexes are sound and whose lists are nil or hold
// something, as those of an extractor do.
func drawFile(t *rapid.T) *File {
	words := rapid.SampledFrom([]string{"", "a", "Server", "Server.Listen", "ü", "\xff\x00", strings.Repeat("x", 300)})
	word := func() string { return words.Draw(t, "word") }
	n := func(what string) int { return rapid.IntRange(0, 4).Draw(t, what) }
	symbols, scopes, exprs, imports := n("symbols"), n("scopes"), n("exprs"), n("imports")
	in := func(n int) int32 { return rapid.Int32Range(None, int32(n)-1).Draw(t, "index") }
	at := func() uint32 { return rapid.Uint32().Draw(t, "at") }
	num := func() int { return rapid.OneOf(rapid.IntRange(-2, 300), rapid.Int()).Draw(t, "number") }
	yes := func() bool { return rapid.Bool().Draw(t, "flag") }
	list := func(most int) (out []int32) {
		for range n("list") {
			out = append(out, in(most))
		}
		return out
	}
	names := func() (out []string) {
		for range n("names") {
			out = append(out, word())
		}
		return out
	}
	f := &File{Path: word(), Lang: syntax.Lang(word()), Package: word(), Cut: yes(), ErrorCount: num()}
	for range n("errors") {
		f.ErrorLines = append(f.ErrorLines, num())
	}
	for i := range symbols {
		s := Symbol{Name: word(), Path: word(), Kind: Kind(word()), Signature: word(), Doc: word(), Start: at(), End: at(),
			Line: num(), EndLine: num(), Parent: in(i), Owner: word(), Scope: in(scopes), Exported: yes(), Static: yes(),
			Abstract: yes(), Returns: word(), Type: word(), Value: in(exprs), Results: list(exprs), Yields: yes(),
			Decorators: list(exprs), TypeParams: names(), Body: rapid.Uint64().Draw(t, "body")}
		for range n("params") {
			s.Params = append(s.Params, Param{Name: word(), Type: word(), Default: in(exprs), Optional: yes(), Variadic: yes(), Keyword: yes()})
		}
		f.Symbols = append(f.Symbols, s)
	}
	for i := range scopes {
		s := Scope{Kind: ScopeKind(rapid.Uint8().Draw(t, "kind")), Parent: in(i), Symbol: in(symbols)}
		for range n("bindings") {
			kind := rapid.SampledFrom([]BindingKind{Defines, Imports, Takes, Assigned, Receiver, Outer}).Draw(t, "kind")
			ref := map[BindingKind]int{Defines: symbols, Imports: imports}[kind]
			s.Bindings = append(s.Bindings, Binding{Name: word(), Kind: kind, Ref: in(ref), Type: word(), Value: in(exprs), Element: yes(), Maybe: yes(), Part: num(), At: at()})
		}
		f.Scopes = append(f.Scopes, s)
	}
	for range exprs {
		f.Exprs = append(f.Exprs, Expr{Kind: ExprKind(rapid.Uint8().Draw(t, "kind")), Name: word(), X: in(exprs), Scope: in(scopes), At: at(),
			More: &More{Text: word(), Ref: in(symbols), Args: list(exprs), Keys: names()}})
	}
	for range imports {
		f.Imports = append(f.Imports, Import{Module: word(), Name: word(), Alias: word(), Level: num(), Reexport: yes(), Static: yes(), TypeOnly: yes(), Scope: in(scopes), Line: num()})
	}
	for range n("rest") {
		f.Exports = append(f.Exports, Export{Name: word(), Expr: in(exprs), Line: num()})
		f.Calls = append(f.Calls, Call{Kind: CallKind(word()), Name: word(), Receiver: word(), Expr: in(exprs), Caller: in(symbols), Scope: in(scopes), Args: num(), Line: num(), At: at()})
		f.Inherits = append(f.Inherits, Inherit{Symbol: in(symbols), Type: word(), Base: word(), Expr: in(exprs), Kind: InheritKind(word()), Line: num()})
	}
	return f
}

func TestFactsComeBackAsTheyWere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := drawFile(t)
		b := Encode(f)
		got, err := Decode(b)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(f, got); diff != "" {
			t.Fatalf("-want +got\n%s", diff)
		}
		if !bytes.Equal(b, Encode(got)) {
			t.Fatal("the same facts have two forms")
		}
	})
}

// TestCutFactsAreRefused: whatever is lost of the end, it is noticed.
func TestCutFactsAreRefused(t *testing.T) {
	b := Encode(sample(20))
	for n := range b {
		if _, err := Decode(b[:n]); err == nil {
			t.Fatalf("the first %d of %d bytes were taken for facts", n, len(b))
		}
	}
	if _, err := Decode(append(bytes.Clone(b), 0)); err == nil {
		t.Error("a byte too many was not noticed")
	}
}

func TestFactsThatPointNowhereAreRefused(t *testing.T) {
	tests := []struct {
		name  string
		spoil func(*File)
	}{
		{"parent", func(f *File) { f.Symbols[0].Parent = 100 }},
		{"own parent", func(f *File) { f.Symbols[3].Parent = 3 }},
		{"below none", func(f *File) { f.Symbols[0].Parent = -2 }},
		{"scope of a symbol", func(f *File) { f.Symbols[0].Scope = 100 }},
		{"scopes in a circle", func(f *File) { f.Scopes[0].Parent = 1 }},
		{"binding", func(f *File) { f.Scopes[0].Bindings[0].Ref = 100 }},
		{"operand", func(f *File) { f.Exprs[1].X = math.MaxInt32 }},
		{"argument", func(f *File) { f.Exprs[3].Args = []int32{1000} }},
		{"caller", func(f *File) { f.Calls[0].Caller = 100 }},
		{"base", func(f *File) { f.Inherits = []Inherit{{Symbol: 100}} }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := sample(10)
			tt.spoil(f)
			if _, err := Decode(Encode(f)); err == nil {
				t.Error("not noticed")
			}
		})
	}
}

// sample is a file of n functions that each call the next, about as rich as a
// written one.
func sample(n int) *File {
	f := &File{Path: "internal/server/server.go", Lang: syntax.Go, Package: "server"}
	f.Scopes = []Scope{{Kind: FileScope, Parent: None, Symbol: None}}
	f.Exprs = []Expr{Blank(OtherExpr)}
	name := func(i int) string { return "function" + strings.Repeat("x", i%7) + string(rune('a'+i%26)) }
	for i := range n {
		at := uint32(i * 400)
		f.Symbols = append(f.Symbols, Symbol{Name: name(i), Path: "Server." + name(i), Kind: Method, Signature: "func (s *Server) " + name(i) + "(ctx context.Context) error",
			Doc: name(i) + " does what its name says, and returns what went wrong.", Start: at, End: at + 399, Line: i * 12, EndLine: i*12 + 11, Parent: None, Owner: "Server",
			Scope: int32(i + 1), Exported: true, Params: []Param{{Name: "ctx", Type: "context.Context", Default: None}}, Returns: "error", Value: None, Body: uint64(i) * 0x9E3779B97F4A7C15})
		f.Scopes[0].Bindings = append(f.Scopes[0].Bindings, Binding{Name: name(i), Kind: Defines, Ref: int32(i), Value: None, At: at})
		f.Scopes = append(f.Scopes, Scope{Kind: FunctionScope, Parent: 0, Symbol: int32(i), Bindings: []Binding{{Name: "ctx", Kind: Takes, Type: "context.Context", Value: None, At: at}}})
		for range 8 {
			e := int32(len(f.Exprs))
			f.Exprs = append(f.Exprs, Expr{Kind: NameExpr, Name: "s", X: None, Scope: int32(i + 1), At: at, More: leaf},
				Expr{Kind: MemberExpr, Name: name(i + 1), X: e, Scope: int32(i + 1), At: at, More: leaf},
				Expr{Kind: CallExpr, X: e + 1, Scope: int32(i + 1), At: at, More: &More{Ref: None, Args: []int32{e}}})
			f.Calls = append(f.Calls, Call{Kind: MemberCall, Name: name(i + 1), Receiver: "s", Expr: e + 2, Caller: int32(i), Scope: int32(i + 1), Args: 1, Line: i*12 + 3, At: at})
		}
	}
	return f
}

// BenchmarkDecode reads a file of 15 functions with eight calls each, 180 lines:
// opening a project is this for every file.
func BenchmarkDecode(b *testing.B) {
	data := Encode(sample(15))
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := Decode(data); err != nil {
			b.Fatal(err)
		}
	}
}

// TestCountsDoNotCostMemory: a count that nothing follows is refused before
// anything is made for it.
func TestCountsDoNotCostMemory(t *testing.T) {
	huge := []byte{magic, 0xff, 0xff, 0xff, 0xff, 0x7f, 0, 0}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := Decode(huge); err == nil {
		t.Fatal("taken for facts")
	}
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > 1<<20 {
		t.Errorf("%d bytes were allocated", got)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{magic})
	f.Add([]byte{magic, 0xff, 0xff, 0xff, 0xff, 0x7f})
	f.Add(Encode(&File{}))
	f.Add(Encode(sample(2)))
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := Decode(b)
		if err != nil {
			return
		}
		again, err := Decode(Encode(got))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(got, again); diff != "" {
			t.Fatal(diff)
		}
	})
}
