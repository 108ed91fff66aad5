package resolve

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"chitta/internal/code"
)

// TestNamesAreFound: searching gives what going over all bindings gives.
func TestNamesAreFound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SampledFrom([]string{"", "a", "b", "ab", "ba", "self.x", "ü"})
		f := &file{File: &code.File{}}
		for range rapid.IntRange(1, 4).Draw(t, "scopes") {
			s := code.Scope{}
			for range rapid.IntRange(0, 9).Draw(t, "bindings") {
				s.Bindings = append(s.Bindings, code.Binding{Name: words.Draw(t, "name")})
			}
			f.Scopes = append(f.Scopes, s)
		}
		name := words.Draw(t, "asked")
		for s := -1; s <= len(f.Scopes); s++ {
			var want []int32
			if s >= 0 && s < len(f.Scopes) {
				for i, b := range f.Scopes[s].Bindings {
					if b.Name == name {
						want = append(want, int32(i))
					}
				}
			}
			if got := f.named(int32(s), name); !slices.Equal(got, want) {
				t.Fatalf("scope %d: got %v, want %v", s, got, want)
			}
		}
	})
}

// TestMentions: names of expressions, bases and imports count, others do not.
func TestMentions(t *testing.T) {
	e := code.Blank(code.NameExpr)
	e.Name = "called"
	f := &file{File: &code.File{
		Exprs: []code.Expr{code.Blank(code.OtherExpr), e}, Inherits: []code.Inherit{{Base: "pkg.Above"}}, Imports: []code.Import{{Name: "taken"}},
		Symbols: []code.Symbol{{Name: "own"}},
	}}
	for name, want := range map[string]bool{"called": true, "Above": true, "taken": true, "own": false, "pkg": false} {
		if got := f.mentionsAny([]uint32{hashName(name)}); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
