package resolve

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"chitta/internal/code"
)

// goLanguage: a package is a directory, named by its import path; all of its
// files see its names. Types are what they say, so only interfaces have methods
// that others may have in their place.
func goLanguage() *language {
	return &language{
		family: "go", unit: goUnit, sharesUnit: true, find: goFind, findsAlike: true,
		bodiesApart: true, onlyInterfaces: true, conversions: true, unique: true, dictMembers: true,
		ownType: goOwnType, parseType: parseGoType, satisfies: goSatisfies, builtin: goBuiltin, fallback: goPackageName,
		iterate: goIterate, yields: goYields, ranged: goRanged, callee: goCallee, quiet: goQuiet, special: goSpecial, foreignCall: goForeign, foreignMember: goForeignMember, assigned: goAssigned, skipsReceiver: goReceiverGiven, functional: goFunctional, callable: goCallable, together: goTogether,
	}
}

// goUnit is the import path of the file's directory: that of the module it is
// in, or without one the directory itself. Tests of a package from outside are a
// package of their own.
func goUnit(p *Project, f *file) string {
	dir := path.Dir(f.Path)
	unit := dir
	if _, vendored, ok := strings.Cut("/"+dir, "/vendor/"); ok {
		unit = vendored
	} else if module, at, ok := goModuleOf(p, dir); ok {
		if at != "." {
			dir = strings.TrimPrefix(strings.TrimPrefix(dir, at), "/")
		}
		if module == "std" { // the standard library's own
			module = ""
		}
		unit = path.Join(module, dir)
	}
	if strings.HasSuffix(f.Package, "_test") && strings.HasSuffix(f.Path, "_test.go") {
		unit += "_test"
	}
	return unit
}

// goModuleOf is the module that a directory belongs to and the directory that
// this begins in.
func goModuleOf(p *Project, dir string) (module, at string, ok bool) {
	for at = dir; ; at = path.Dir(at) {
		if text, ok := p.manifests[path.Join(at, "go.mod")]; ok {
			module = goModule(text)
			return module, at, module != ""
		}
		if at == "." || at == "/" {
			return "", "", false
		}
	}
}

// goModule is the module path that a go.mod declares.
func goModule(text []byte) string {
	for line := range bytes.Lines(text) {
		fields := bytes.Fields(line)
		if len(fields) >= 2 && string(fields[0]) == "module" {
			return strings.Trim(string(fields[1]), "\"`")
		}
	}
	return ""
}

// goFind is the package that an import path names. In a project without modules
// directories are what the end of the path says.
func goFind(r *run, f *file, imp *code.Import) []string {
	out := []string{imp.Module}
	if _, ok := r.p.units["go:"+imp.Module]; ok {
		return out
	}
	if _, _, ok := goModuleOf(r.p, path.Dir(f.Path)); ok {
		return out
	}
	rest := imp.Module
	for {
		_, after, ok := strings.Cut(rest, "/")
		if !ok {
			return out
		}
		rest = after
		out = append(out, rest)
	}
}

// goPackageName finds an import whose package has another name than its path
// says, or that a name may come from.
func goPackageName(r *run, f *file, _ int32, name string) []value {
	if goBuiltins[name] {
		return nil
	}
	for i := range f.Imports {
		imp := &f.Imports[i]
		if imp.Alias == "_" || imp.Name != "" {
			continue
		}
		for _, u := range goFind(r, f, imp) {
			if files := r.p.units["go:"+u]; len(files) > 0 && files[0].Package == name {
				return f.lang.imported(r, f, imp)
			}
		}
	}
	if len(name) > 0 && name[0] >= 'A' && name[0] <= 'Z' {
		for i := range f.Imports { // of a package from outside whose names are used as they are
			if imp := &f.Imports[i]; imp.Name == "*" && len(f.lang.targets(r, f, imp)) == 0 {
				return []value{{kind: aForeign, key: join(imp.Module, name)}}
			}
		}
	}
	return nil
}

// goOwnType says that a type declared as another is not just its other name.
func goOwnType(sym *code.Symbol) bool { return !strings.Contains(sym.Signature, "=") }

// goBuiltins are the functions and types that every file knows.
var goBuiltins = map[string]bool{
	"append": true, "cap": true, "clear": true, "close": true, "complex": true, "copy": true, "delete": true, "imag": true, "len": true,
	"make": true, "max": true, "min": true, "new": true, "panic": true, "print": true, "println": true, "real": true, "recover": true,
	"any": true, "bool": true, "byte": true, "comparable": true, "complex128": true, "complex64": true, "error": true, "float32": true,
	"float64": true, "int": true, "int16": true, "int32": true, "int64": true, "int8": true, "rune": true, "string": true, "uint": true,
	"uint16": true, "uint32": true, "uint64": true, "uint8": true, "uintptr": true, "nil": true, "true": true, "false": true, "iota": true,
}

func goBuiltin(name string) bool { return goBuiltins[name] }

// underlying is the symbol of a type that is declared as another.
func (r *run) underlying(x value) (id, bool) {
	if x.kind != anInst {
		return id{}, false
	}
	for _, s := range r.p.symbols[x.key] {
		if s.sym().Kind == code.TypeAlias && s.sym().Type != "" {
			return s, true
		}
	}
	return id{}, false
}

// goIterate is what a loop over a value of a declared list, map or channel type
// gives.
func goIterate(r *run, x value) []value {
	s, ok := r.underlying(x)
	if !ok {
		return nil
	}
	return r.elements(r.typeIn(s.f, r.inner(s), r.parsed(s.f, s.sym().Type), r.typeEnv(x)))
}

// goFunctional says that a value is of a type that is declared as a function, as
// the standard library's iterators are.
func goFunctional(r *run, x value) bool {
	if x.kind == aForeignI {
		return x.key == "iter.Seq" || x.key == "iter.Seq2"
	}
	s, ok := r.underlying(x)
	return ok && r.parsed(s.f, s.sym().Type).name == funcKey
}

// goSpecial: a conversion of a function stays that function; a list that is
// written out says what its elements are.
func goSpecial(r *run, f *file, e *code.Expr, i int32) ([]value, bool) {
	switch e.Kind {
	case code.NameExpr:
		return r.applied(f, e, r.lookup(f, e.Scope, e.Name, e.At)), true
	case code.CallExpr:
		if len(e.Args) != 1 {
			return nil, false
		}
		vs := r.expr(f, e.X)
		if len(vs) != 1 || vs[0].kind != aType {
			return nil, false
		}
		made := value{kind: anInst, key: vs[0].key, args: vs[0].args, rule: ByReceiver}
		out := []value{made}
		if goFunctional(r, made) {
			out = add(out, byValue(functionsOf(r.expr(f, e.Args[0])))...)
		}
		return out, true
	case code.ListExpr, code.DictExpr:
		if e.Name == "" {
			return nil, false
		}
		typed := r.typeText(f, e.Scope, e.Name)
		element := r.elements(typed)
		if len(e.Args) == 0 || len(element) == 1 && element[0].kind == anInst && !r.open(element[0]) {
			return typed, true
		}
	}
	return nil, false
}

func functionsOf(vs []value) []value {
	return slices.DeleteFunc(slices.Clone(vs), func(v value) bool { return v.kind != aFunc })
}

// open says that a value may be of another type than it is declared to be, or a
// function that its type does not name.
func (r *run) open(v value) bool {
	if goFunctional(r, v) {
		return true
	}
	for _, s := range r.p.symbols[v.key] {
		return s.sym().Kind == code.Interface
	}
	return false
}

// goReceiverGiven: a method named through its type takes the receiver as its
// first argument.
func goReceiverGiven(r *run, f *file, e *code.Expr, fn id) int {
	if fn.sym().Owner == "" || e.X <= 0 || f.Exprs[e.X].Kind != code.MemberExpr {
		return 0
	}
	for _, v := range r.expr(f, f.Exprs[e.X].X) {
		if v.kind == aType {
			return -1
		}
	}
	return 0
}

// goYields is what a loop over a function gives: what that hands to its only
// parameter, the last of it.
func goYields(r *run, x value) ([]value, bool) {
	given := goYielded(x)
	if len(given) == 0 {
		return nil, false
	}
	return r.yieldedType(x, given[len(given)-1]), true
}

func (r *run) yieldedType(x value, n typeNode) []value {
	return r.typeIn(x.fn.f, r.inner(x.fn), n, r.typeEnv(value{key: parentKey(x.fn.f.keys[x.fn.i]), args: x.args}))
}

// goYielded are the types that a function hands to its only parameter, if it can
// be looped over.
func goYielded(x value) []typeNode {
	sym := x.fn.sym()
	if len(sym.Params) != 1 {
		return nil
	}
	p := &goTypeParser{typeParser{text: sym.Params[0].Type}}
	if !p.word("func") {
		return nil
	}
	p.skip()
	if !p.take("(") {
		return nil
	}
	given := p.goList(')')
	if strings.TrimSpace(p.text[p.at:]) != "bool" {
		return nil
	}
	return given
}

// goRanged is the first or second variable of a loop. The first is the key of a
// map, or the element of a channel or iterator; an index has no members, so
// nothing is lost by taking it for an element.
func goRanged(r *run, xs []value, n int) []value {
	var out []value
	for _, x := range xs {
		if s, ok := r.underlying(x); ok {
			out = add(out, goRanged(r, r.typeIn(s.f, r.inner(s), r.parsed(s.f, s.sym().Type), r.typeEnv(x)), n)...)
			continue
		}
		switch {
		case x.kind == aForeignI && x.args == nil:
			out = add(out, x) // of something outside, something outside
		case x.kind == aFunc && n == 1 && len(goYielded(x)) > 0:
			out = add(out, r.yieldedType(x, goYielded(x)[0])...)
		case n == 1 && x.kind == aForeignI && x.args != nil && len(x.args.nodes) > 1:
			out = add(out, r.typeIn(x.args.f, x.args.scope, x.args.nodes[0], x.args.env)...)
		case n == 1 && x.kind == aColl:
			if e := &x.f.Exprs[x.expr]; e.Kind == code.DictExpr && e.Name != "" {
				out = add(out, goRanged(r, r.typeText(x.f, e.Scope, e.Name), n)...)
			} else if e.Kind != code.DictExpr { // what is sent to a channel
				out = add(out, r.elements([]value{x})...)
			}
		default:
			out = add(out, r.elements([]value{x})...)
		}
	}
	return nowRuled(out, ByValue)
}

// goQuiet: a loop calls what it goes over only where that is a function.
func goQuiet(c *code.Call) bool { return c.Kind == code.Indirect && c.Name == "range" }

func goCallee(r *run, f *file, c *code.Call, e *code.Expr) ([]value, bool) {
	if !goQuiet(c) {
		return nil, false
	}
	out := functionsOf(r.expr(f, e.X))
	return slices.DeleteFunc(out, func(v value) bool { return len(goYielded(v)) == 0 }), true
}
