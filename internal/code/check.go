package code

import "fmt"

// Check says whether every index points into its list or is [None]: whoever
// reads facts need not look.
func (f *File) Check() error {
	k := checker{f: f}
	for i := range f.Symbols {
		k.symbol(int32(i), &f.Symbols[i])
	}
	for i := range f.Scopes {
		s := &f.Scopes[i]
		if s.Parent >= int32(i) { // so that going outward ends
			k.fail("scope", i)
		}
		k.in(s.Parent, len(f.Scopes), "scope", i)
		k.in(s.Symbol, len(f.Symbols), "scope", i)
		for _, b := range s.Bindings {
			k.binding(b, i)
		}
	}
	for i := range f.Exprs {
		e := &f.Exprs[i]
		k.expr(e.X, "expression", i)
		k.exprs(e.Args, "expression", i)
		k.in(e.Ref, len(f.Symbols), "expression", i)
		k.in(e.Scope, len(f.Scopes), "expression", i)
	}
	for i, m := range f.Imports {
		k.in(m.Scope, len(f.Scopes), "import", i)
	}
	for i, x := range f.Exports {
		k.expr(x.Expr, "export", i)
	}
	for i, c := range f.Calls {
		k.expr(c.Expr, "call", i)
		k.in(c.Caller, len(f.Symbols), "call", i)
		k.in(c.Scope, len(f.Scopes), "call", i)
	}
	for i, h := range f.Inherits {
		k.in(h.Symbol, len(f.Symbols), "inheritance", i)
		k.expr(h.Expr, "inheritance", i)
	}
	return k.err
}

// checker keeps the first fault.
type checker struct {
	f   *File
	err error
}

func (k *checker) fail(what string, at int) {
	if k.err == nil {
		k.err = fmt.Errorf("%s %d points to nothing", what, at)
	}
}

func (k *checker) in(i int32, n int, what string, at int) {
	if i < None || int(i) >= n {
		k.fail(what, at)
	}
}

// expr allows 0 in a file without expressions: it is none either.
func (k *checker) expr(i int32, what string, at int) { k.in(i, max(1, len(k.f.Exprs)), what, at) }

func (k *checker) exprs(list []int32, what string, at int) {
	for _, i := range list {
		k.expr(i, what, at)
	}
}

func (k *checker) symbol(i int32, s *Symbol) {
	const what = "symbol"
	k.in(s.Parent, len(k.f.Symbols), what, int(i))
	if s.Parent == i {
		k.fail(what, int(i))
	}
	k.in(s.Scope, len(k.f.Scopes), what, int(i))
	k.expr(s.Value, what, int(i))
	k.exprs(s.Results, what, int(i))
	k.exprs(s.Decorators, what, int(i))
	for _, p := range s.Params {
		k.expr(p.Default, what, int(i))
	}
}

func (k *checker) binding(b Binding, at int) {
	const what = "binding in scope"
	k.expr(b.Value, what, at)
	switch b.Kind {
	case Defines:
		k.in(b.Ref, len(k.f.Symbols), what, at)
	case Imports:
		k.in(b.Ref, len(k.f.Imports), what, at)
	}
}
