package extract

import (
	"testing"
	"time"

	"chitta/internal/code"
	"chitta/internal/syntax"
)

// checkFacts fails unless facts are sound, whatever the text was: every index
// points into its list, places lie within the text in order, and every scope and
// symbol has a way up to the file.
func checkFacts(t *testing.T, f *code.File) {
	t.Helper()
	within := func(what string, i int32, list int, none bool) {
		if i == code.None && none {
			return
		}
		if i < 0 || int(i) >= list {
			t.Fatalf("%s points to %d of %d", what, i, list)
		}
	}
	exprs := func(what string, list ...int32) {
		for _, i := range list {
			within(what, i, len(f.Exprs), true)
		}
	}
	for i := range f.Symbols {
		s := &f.Symbols[i]
		if s.Start > s.End || s.Line > s.EndLine || s.Line < 1 {
			t.Fatalf("symbol %q at %d-%d, lines %d-%d", s.Path, s.Start, s.End, s.Line, s.EndLine)
		}
		if s.Name == "" || s.Path == "" || s.Kind == "" {
			t.Fatalf("a symbol without name, path or kind: %+v", *s)
		}
		within("parent of "+s.Path, s.Parent, i, true) // an enclosing symbol comes first
		within("scope of "+s.Path, s.Scope, len(f.Scopes), true)
		exprs("value of "+s.Path, s.Value)
		exprs("result of "+s.Path, s.Results...)
		exprs("decorator of "+s.Path, s.Decorators...)
		for _, p := range s.Params {
			exprs("default of "+s.Path, p.Default)
		}
	}
	for i, s := range f.Scopes {
		within("parent of a scope", s.Parent, max(i, 1), i == 0)
		within("symbol of a scope", s.Symbol, len(f.Symbols), true)
		for _, b := range s.Bindings {
			exprs("value of "+b.Name, b.Value)
			switch b.Kind {
			case code.Defines:
				within("binding of "+b.Name, b.Ref, len(f.Symbols), false)
			case code.Imports:
				within("binding of "+b.Name, b.Ref, len(f.Imports), false)
			}
		}
	}
	for i := range f.Exprs {
		e := &f.Exprs[i]
		exprs("operand", e.X)
		exprs("argument", e.Args...)
		within("scope of an expression", e.Scope, len(f.Scopes), false)
		within("function of an expression", e.Ref, len(f.Symbols), e.Kind != code.FuncExpr)
		if len(e.Keys) != 0 && len(e.Keys) != len(e.Args) {
			t.Fatalf("%d keys of %d arguments", len(e.Keys), len(e.Args))
		}
	}
	checkPlaces(t, f, within, exprs)
}

func checkPlaces(t *testing.T, f *code.File, within func(string, int32, int, bool), exprs func(string, ...int32)) {
	t.Helper()
	for _, c := range f.Calls {
		within("a call's expression", c.Expr, len(f.Exprs), false)
		within("a call's caller", c.Caller, len(f.Symbols), true)
		within("a call's scope", c.Scope, len(f.Scopes), false)
		if c.Line < 1 {
			t.Fatalf("call of %q at line %d", c.Name, c.Line)
		}
	}
	for _, i := range f.Imports {
		within("an import's scope", i.Scope, len(f.Scopes), false)
	}
	for _, e := range f.Exports {
		exprs("an export", e.Expr)
	}
	for _, h := range f.Inherits {
		within("an heir", h.Symbol, len(f.Symbols), true)
		exprs("a base", h.Expr)
	}
}

// fuzzLang feeds any text to the parser and extractor of a language: no panic,
// sound facts, and the same facts each time. Seeds are the golden sources.
func fuzzLang(f *testing.F, name string, seeds ...string) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	if !syntax.Available {
		f.Skip("this build has no parsers")
	}
	p := syntax.New()
	p.Limit = 300 * time.Millisecond // some texts take the parser for ever, which is no matter of facts
	f.Cleanup(p.Close)
	f.Fuzz(func(t *testing.T, src []byte) {
		tree, err := p.Parse(syntax.LangOf(name), src)
		if err != nil {
			return // too long in parsing, or no memory: says nothing about facts
		}
		facts := Facts(name, tree)
		checkFacts(t, facts)
		if again := Facts(name, tree); again.String() != facts.String() {
			t.Fatalf("facts differ:\n%s\n%s", facts, again)
		}
	})
}
