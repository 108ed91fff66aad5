package resolve

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"chitta/internal/code"
	"chitta/internal/syntax"
)

// csharpLanguage: namespaces are units, those around are seen as well; functions
// are values of delegates; static methods may extend a type.
func csharpLanguage() *language {
	return &language{
		family: "csharp", separate: true, sharesUnit: true, implicitThis: true, bodiesApart: true, overloads: true, separateConstructors: true,
		declaresOnly: true, unique: true, callbacks: true, around: enclosing,
		find:      csharpFind,
		opens:     func(r *run, f *file, imp *code.Import) bool { return r.isOurs(f, imp) },
		parseType: parseCSharpType,
		special:   csharpExpr,
		fallback:  csharpName,
		callsBack: csharpCallsBack,
		settled:   csharpSettled,
		lambdas:   lambdasAs,
		narrow:    narrowed,
		component: componentOf,
		choose:    chosen,
		untyped:   untypedParam,
		ownType:   func(sym *code.Symbol) bool { return sym.Type == "delegate" },
		qualified: func(r *run, f *file, name string) []value { return csharpQualified(r, f, 0, name) },
		assigned: func(r *run, s id, declared []value) []value {
			return fieldHolds(r, s, declared, !s.sym().Exported || hasWord(s.sym().Signature, "readonly"))
		},
		sameType:      csharpSameType,
		foreignCall:   csharpForeignCall,
		puts:          heldIn,
		ranged:        csharpRanged,
		keyed:         func(r *run, x value, _ string) []value { return heldIn(r, x) },
		passes:        csharpPasses,
		foreignMember: csharpForeignMember,
		skipsReceiver: csharpSkips,
		functionMember: func(r *run, _ *file, x value, name string) []value {
			if name != "Invoke" && name != "DynamicInvoke" && name != "BeginInvoke" && name != "Value" {
				return nil
			}
			x.rule = ByValue
			return []value{x}
		},
		quiet:  csharpQuiet,
		callee: csharpCallee,
	}
}

// csharpFind: a namespace may be named from within those around.
func csharpFind(_ *run, f *file, imp *code.Import) []string {
	out := []string{imp.Module}
	within := f.unit
	if s := f.Scopes[imp.Scope].Symbol; s != code.None {
		within = join(f.unit, f.Symbols[s].Path)
	}
	for within != "" {
		out = append(out, within+"."+imp.Module)
		within = within[:max(strings.LastIndexByte(within, '.'), 0)]
	}
	return out
}

// csharpStores are methods of the library that keep what they are given.
var csharpStores = map[string]bool{
	"Add": true, "AddRange": true, "Enqueue": true, "Push": true, "Insert": true, "TryAdd": true, "Contains": true, "Remove": true,
	"Equals": true, "Combine": true, "AddFirst": true, "AddLast": true,
}

// csharpRuns are types of the library whose instances run what they are made
// with.
var csharpRuns = wordSet(`Thread Task Timer`)

func csharpCallsBack(vs []value) bool {
	return !slices.ContainsFunc(vs, func(v value) bool {
		return v.kind == aForeignI && !csharpRuns[lastName(v.key)] || csharpStores[lastName(v.key)]
	})
}

// csharpSettled: only methods that say so, and those of interfaces, may be
// another type's.
func csharpSettled(s id) bool {
	sym := s.sym()
	if sym.Static || sym.Kind == code.Function || sym.Kind == code.Lambda {
		return true
	}
	if sym.Abstract || sym.Parent != code.None && s.f.Symbols[sym.Parent].Kind == code.Interface {
		return false
	}
	sig := sym.Signature
	return !hasWord(sig, "virtual") && !hasWord(sig, "abstract") && (!hasWord(sig, "override") || hasWord(sig, "sealed"))
}

// csharpExpr reads what is C#'s own: base, extension methods, indexers, casts
// of functions.
func csharpExpr(r *run, f *file, e *code.Expr, i int32) ([]value, bool) {
	switch e.Kind {
	case code.NameExpr:
		if call := r.callOf(f, i); call > 0 {
			return r.overload(f, call, r.lookup(f, e.Scope, e.Name, e.At)), true
		}
		if r.isMade(f, i) {
			if types := csharpTypeArgument(r, f, e.Scope, e.Name); len(types) > 0 {
				return types, true
			}
			r.want = typesOnly
			return r.lookup(f, e.Scope, e.Name, e.At), true
		}
	case code.SuperExpr:
		return superclass(r, f, e.Scope, "System.Object"), true
	case code.MemberExpr:
		return csharpMember(r, f, e, i), true
	case code.IndexExpr:
		return csharpIndex(r, f, e)
	case code.TypedExpr:
		if e.X > 0 {
			if vs := r.expr(f, e.X); len(vs) > 0 && functional(vs) {
				return narrowed(r, r.typeText(f, e.Scope, e.Name), vs), true
			}
		}
	case code.NewExpr:
		if fns, ok := r.csharpDelegate(f, e); ok {
			return fns, true
		}
		return madeHere(r, f, e, i), true
	case code.ListExpr, code.DictExpr:
		if e.X > 0 {
			return csharpFilled(r, f, e, i), true
		}
	case code.CallExpr:
		if csharpIsOperation(f, e) {
			return r.csharpOperation(f, e), true
		}
		out := r.called(f, e)
		for _, v := range r.expr(f, e.X) { // of a delegate's type
			if v.kind == anInst {
				for _, s := range r.p.symbols[v.key] {
					if s.sym().Kind == code.TypeAlias && s.sym().Returns != "" {
						out = add(out, r.typeIn(s.f, r.inner(s), r.parsed(s.f, s.sym().Returns), r.typeEnv(v))...)
					}
				}
			}
			if v.kind == aForeignI && v.args != nil && len(v.args.nodes) > 0 { // Func<…, T>
				out = add(out, r.typeIn(v.args.f, v.args.scope, v.args.nodes[len(v.args.nodes)-1], v.args.env)...)
			}
		}
		out = add(out, r.extensionResult(f, e)...)
		if functions, ok := r.csharpYields(f, e, out); ok {
			return functions, true
		}
		return out, true
	}
	return nil, false
}

// csharpFilled is a collection that is made with what it holds.
func csharpFilled(r *run, f *file, e *code.Expr, i int32) []value {
	made := r.expr(f, e.X)
	isFunction := func(v value) bool { return v.kind == aFunc }
	out := slices.Clone(made)
	for n, v := range made {
		if v.kind == aColl || v.kind == aForeignI && slices.ContainsFunc(e.Args, func(a int32) bool { return slices.ContainsFunc(r.expr(f, a), isFunction) }) {
			out[n] = value{kind: aColl, f: f, expr: i, args: v.args}
		}
	}
	return out
}

// csharpRanged: the second part of what a loop over a dictionary gives is the
// value.
func csharpRanged(r *run, xs []value, n int) []value {
	var out []value
	for _, x := range xs {
		if x.args == nil || len(x.args.nodes) != 2 || lastName(x.key) == tupleKey {
			out = add(out, r.part(r.elements([]value{x}), n)...)
			continue
		}
		if n == 2 {
			out = add(out, r.elements([]value{x})...)
		} else {
			out = add(out, r.typeIn(x.args.f, x.args.scope, x.args.nodes[0], x.args.env)...)
		}
	}
	return out
}

// isMade says that an expression is the type of a new instance.
func (r *run) isMade(f *file, i int32) bool {
	set, ok := r.types[f]
	if !ok {
		set = map[int32]bool{}
		for n := range f.Exprs {
			if e := &f.Exprs[n]; e.Kind == code.NewExpr && e.X > 0 {
				set[e.X] = true
			}
		}
		for n := range f.Inherits {
			set[f.Inherits[n].Expr] = true
		}
		if r.types == nil {
			r.types = map[*file]map[int32]bool{}
		}
		r.types[f] = set
	}
	return set[i]
}

// csharpMember is x.f. Where a call names what the type does not have, it may
// be a method that extends it.
func csharpMember(r *run, f *file, e *code.Expr, i int32) []value {
	xs := r.expr(f, e.X)
	call := r.callOf(f, i)
	called := call > 0
	var out []value
	for _, x := range xs {
		vs := r.memberOf(f, x, e.Name)
		if x.kind == aColl {
			vs = collectionMember(x, e.Name)
		}
		if len(vs) == 0 && x.kind == aModule && r.isNamespace(join(x.key, e.Name)) {
			vs = []value{{kind: aModule, key: join(x.key, e.Name)}}
		}
		if k := f.Exprs[e.X].Kind; (k == code.SelfExpr || k == code.SuperExpr) && len(vs) > 0 {
			vs = bySelf(vs)
		}
		if called && !known(vs) && x.kind != aType && x.kind != aModule && x.kind != aForeign {
			if more := r.extensions(f, x, e.Name); len(more) > 0 {
				vs = more
			}
		}
		if called && len(vs) > 0 && allAbstract(vs) && vs[0].fn.sym().Static { // of a generic name's type
			if more := r.overriding(x.key, e.Name, true); len(more) > 0 {
				vs = more
			}
		}
		if len(vs) == 0 && x.kind == anInst && called {
			vs = r.declaredOutside(x, e.Name)
		}
		if len(vs) == 0 && x.kind == anInst && csharpOfTask[e.Name] {
			vs = []value{{kind: aForeign, key: "Task." + e.Name}}
		}
		if len(vs) == 0 && x.kind == anInst {
			if base := r.foreignBase(x.key); base != "" {
				vs = []value{{kind: aForeign, key: base + "." + e.Name}}
			} else if csharpOfObject[e.Name] {
				vs = []value{{kind: aForeign, key: "System.Object." + e.Name}}
			}
		}
		out = add(out, vs...)
	}
	if len(xs) == 0 {
		if name := dotted(f, e.X); name != "" {
			out = csharpQualified(r, f, e.Scope, name+"."+e.Name)
		}
	}
	if len(out) == 0 && called && len(xs) == 0 && csharpOfObject[e.Name] {
		return []value{{kind: aForeign, key: "System.Object." + e.Name}}
	}
	if called {
		return r.overload(f, call, out)
	}
	return out
}

// csharpOfTask are methods of tasks, which stand for what they give.
var csharpOfTask = wordSet(`ContinueWith ConfigureAwait GetAwaiter Wait WaitAsync`)

var csharpOfObject = map[string]bool{"ToString": true, "Equals": true, "GetHashCode": true, "GetType": true, "MemberwiseClone": true}

// csharpSequences are types of the library that can be gone over.
var csharpSequences = map[string]bool{
	"IEnumerable": true, "List": true, "IList": true, "ICollection": true, "IReadOnlyList": true, "IReadOnlyCollection": true, "HashSet": true,
	"Queue": true, "Stack": true, "IQueryable": true, "ISet": true, "Dictionary": true, "IDictionary": true, "LinkedList": true,
}

// csharpIndex is what an indexer of the project gives.
func csharpIndex(r *run, f *file, e *code.Expr) ([]value, bool) {
	var out []value
	for _, x := range r.expr(f, e.X) {
		if x.kind != anInst {
			continue
		}
		for _, s := range r.member(x.key, "this[]") {
			out = add(out, r.bound(s, x)...)
		}
	}
	return out, len(out) > 0
}

// csharpQualified is what a name with its namespace means, seen from a scope.
func csharpQualified(r *run, f *file, scope int32, name string) []value {
	units := append([]string{f.unit}, enclosing(f.unit)...)
	for s := scope; s != code.None; s = f.Scopes[s].Parent {
		if sym := f.Scopes[s].Symbol; f.Scopes[s].Kind == code.ModuleScope && sym != code.None {
			units = append(append([]string{f.Symbols[sym].Path}, enclosing(f.Symbols[sym].Path)...), units...)
		}
	}
	for _, u := range append(units, "") {
		var out []value
		for _, s := range r.p.symbols[join(f.family+":"+u, name)] {
			out = add(out, r.symbolValue(s, ByQualified)...)
		}
		if len(out) > 0 {
			return out
		}
	}
	return nil
}

// csharpName is a name that the file does not say: of what is imported for all
// files, or a type of the library.
func csharpName(r *run, f *file, scope int32, name string) []value {
	for _, g := range r.globals() {
		imp := &g.f.Imports[g.i]
		if imp.Alias == name {
			return g.f.lang.imported(r, g.f, imp)
		}
		if imp.Name == "*" {
			if vs := g.f.lang.opened(r, g.f, imp, name); len(vs) > 0 {
				return ruled(vs, ByImport)
			}
		}
	}
	if key := "csharp:" + name; r.isNamespace(key) {
		return []value{{kind: aModule, key: key}}
	}
	for s := scope; s != code.None; s = f.Scopes[s].Parent {
		if sym := f.Scopes[s].Symbol; f.Scopes[s].Kind == code.ClassScope && sym != code.None {
			if base := r.foreignBase(f.keys[sym]); base != "" {
				return []value{{kind: aForeign, key: base + "." + name}}
			}
		}
	}
	if vs := csharpStatic(r, f, name); len(vs) > 0 {
		return vs
	}
	if first, _ := utf8.DecodeRuneInString(name); unicode.IsUpper(first) && !r.isCalled(f, scope, name) || csharpAlias(name) != name {
		return []value{{kind: aForeign, key: name}}
	}
	return nil
}

// isCalled says that a name is one that the file calls: types are not called.
func (r *run) isCalled(f *file, scope int32, name string) bool {
	for i := range f.Calls {
		if c := &f.Calls[i]; c.Kind == code.PlainCall && c.Name == name && c.Scope == scope {
			return true
		}
	}
	return false
}

// csharpStatic is a member of a library's type that is imported whole.
func csharpStatic(r *run, f *file, name string) []value {
	for i := range f.Imports {
		if imp := &f.Imports[i]; imp.Static && len(r.p.symbols["csharp:"+imp.Module]) == 0 {
			return []value{{kind: aForeign, key: imp.Module + "." + name}}
		}
	}
	return nil
}

// isNamespace says that types of the project are in the namespace with the key,
// or in one within.
func (r *run) isNamespace(key string) bool {
	if r.namespaces == nil {
		r.namespaces = map[string]bool{}
		note := func(key string) {
			for ; key != "" && !strings.HasSuffix(key, ":"); key = parentKey(key) {
				r.namespaces[key] = true
			}
		}
		for _, path := range r.p.paths() {
			f := r.p.files[path]
			if f.Lang != syntax.CSharp {
				continue
			}
			note(f.family + ":" + f.unit)
			for i := range f.Symbols {
				if f.Symbols[i].Kind == code.Module {
					note(f.keys[i])
				}
			}
		}
	}
	return r.namespaces[key]
}

// isOurs says that an import is of a namespace or type of the project, or an
// alias.
func (r *run) isOurs(f *file, imp *code.Import) bool {
	known, ok := r.ours[imp]
	if !ok {
		known = r.findsOurs(f, imp)
		if r.ours == nil {
			r.ours = map[*code.Import]bool{}
		}
		r.ours[imp] = known
	}
	return known
}

func (r *run) findsOurs(f *file, imp *code.Import) bool {
	return imp.Alias != "" || slices.ContainsFunc(f.lang.units(r, f, imp), func(u string) bool { return r.isNamespace(u) || len(r.p.symbols[u]) > 0 })
}

// globals are the imports that hold in all files.
func (r *run) globals() []id {
	if r.global == nil {
		r.global = []id{}
		for _, path := range r.p.paths() {
			f := r.p.files[path]
			if f.Lang != syntax.CSharp {
				continue
			}
			for i := range f.Imports {
				if imp := &f.Imports[i]; imp.Reexport && r.isOurs(f, imp) {
					r.global = append(r.global, id{f, int32(i)})
				}
			}
		}
	}
	return r.global
}
