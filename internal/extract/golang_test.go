package extract

import (
	"slices"
	"strings"
	"testing"

	"chitta/internal/code"
)

// TestLiteralsKeepTheirFields: what a field is set to is found by the resolver
// in the arguments of a typed expression, which the facts as text do not show.
func TestLiteralsKeepTheirFields(t *testing.T) {
	for _, tc := range []struct {
		name, file, src, typ string
		keys                 []string
		args                 string
	}{
		{"named fields", "a.go", "package a\nvar x = T{f: g, n: 1}", "T", []string{"f", "n"}, "g, 'int'"},
		{"fields in order", "a.go", "package a\nvar x = &p.T[int]{g, h}", "p.T[int]", nil, "g, h"},
		{"elements without a type", "a.go", "package a\nvar x = map[string]*T{`a`: {f: g}}", "*T", []string{"f"}, "g"},
		{"a type without a name", "a.go", "package a\nvar x = []struct{ a, b int; f func() }{{1, 2, g}}", "struct{ a, b int; f func() }", []string{"a", "b", "f"}, "'int', 'int', g"},
		{"Rust", "a.rs", "fn f() { T { f: g, n } }", "T", []string{"f", "n"}, "g, n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := facts(t, tc.file, []byte(tc.src))
			i := slices.IndexFunc(f.Exprs, func(e code.Expr) bool {
				return (e.Kind == code.TypedExpr || e.Kind == code.DictExpr) && e.Name == tc.typ
			})
			if i < 0 {
				t.Fatalf("no value of the type %s", tc.typ)
			}
			var args []string
			for _, a := range f.Exprs[i].Args {
				args = append(args, f.ExprText(a))
			}
			if !slices.Equal(f.Exprs[i].Keys, tc.keys) || strings.Join(args, ", ") != tc.args {
				t.Errorf("keys %q, values %s", f.Exprs[i].Keys, strings.Join(args, ", "))
			}
		})
	}
}

func TestGoPackageNameOfAPath(t *testing.T) {
	for module, want := range map[string]string{
		"fmt": "fmt", "net/http": "http", "example.com/a/v2": "a", "gopkg.in/yaml.v3": "yaml", "example.com/go-foo": "foo",
		"example.com/foo-go": "foo", "example.com/a-b": "a_b", "v2": "v2", "example.com/v": "v",
	} {
		if got := goPackageOf(module); got != want {
			t.Errorf("%s: %s, expected %s", module, got, want)
		}
	}
}
