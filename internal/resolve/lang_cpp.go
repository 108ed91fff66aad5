package resolve

import (
	"slices"
	"strings"

	"chitta/internal/code"
)

// cppLanguage: everything lies in one unit, namespaces are part of paths. What a
// file includes says which of several things of a name it means; what is
// declared in one file may have its body in another.
func cppLanguage() *language {
	return &language{
		family: "cpp", unit: func(*Project, *file) string { return "" }, find: cppFind, brings: cppBrings, reaches: cppReaches,
		implicitThis: true, bodiesApart: true, ownName: true, adopts: true, unique: true, newFileMovesAll: true,
		callOperator: "operator()", parseType: parseCPPType, fallback: cppGlobal, builtin: cppBuiltin, special: cppSpecial,
		callee: cppCallee, bodies: cppBodies, virtual: cppVirtual, sameType: cppSameType, quiet: cppQuiet, functional: cppFunctional, functionMember: cppFunctionMember, passes: cppPasses, near: cppNear, typeArgument: cppTypeArgument,
		assigned: cppAssigned, foreignMember: cppForeignMember, foreignCall: cppForeignCall,
		alsoCalls: cppAlsoCalls, iterate: cppIterate,
	}
}

// cppSpaces are the namespaces around a scope as key prefixes, innermost first,
// the global one ("") last. A function written for a namespace or class (A::f)
// stands in it.
func cppSpaces(f *file, scope int32) []string {
	path := ""
	for s := scope; s != code.None && path == ""; s = f.Scopes[s].Parent {
		sym := f.Scopes[s].Symbol
		if sym == code.None || f.Symbols[sym].Scope != s {
			continue
		}
		switch d := &f.Symbols[sym]; {
		case d.Kind == code.Module || d.Kind.Type():
			path = d.Path
		case d.Owner != "":
			path = strings.TrimSuffix(d.Path, "."+d.Name)
		}
	}
	out := []string{}
	for path != "" {
		out = append(out, path)
		path = parentKey(path)
	}
	return append(out, "")
}

// cppFind lists the namespaces that a using-directive or an inline namespace may
// mean: it is named from any of those around.
func cppFind(r *run, f *file, imp *code.Import) []string {
	if !imp.Static {
		return nil
	}
	var out []string
	name := strings.ReplaceAll(strings.TrimPrefix(imp.Module, "::"), "::", ".")
	for _, space := range cppSpaces(f, imp.Scope) {
		if at := join(space, name); len(r.p.symbols["cpp:"+at]) > 0 {
			out = append(out, at)
			out = append(out, r.cppState().inlines["cpp:"+at]...)
		}
	}
	return out
}

// cppBrings is what `using a::b` and `namespace x = a::b` give.
func cppBrings(r *run, f *file, imp *code.Import) ([]value, bool) {
	if !imp.Static || imp.Name == "*" {
		return nil, imp.Name == "*"
	}
	for _, unit := range cppFind(r, f, imp) {
		var spaces, out []value
		for _, s := range r.p.symbols["cpp:"+unit] {
			spaces = add(spaces, r.symbolValue(s, ByImport)...)
		}
		if imp.Name == "" {
			out = spaces
		} else {
			for _, v := range spaces {
				out = add(out, r.memberOf(f, v, imp.Name)...)
			}
		}
		if len(out) > 0 {
			return out, true
		}
	}
	return []value{{kind: aForeign, key: join(strings.ReplaceAll(imp.Module, "::", "."), imp.Name)}}, true
}

// cppGlobal looks a name up that no scope has: in the namespaces around, those
// that are opened, and last the global one. Of several files that have it, those
// count that the file includes.
func cppGlobal(r *run, f *file, scope int32, name string) []value {
	if name == "std" {
		return []value{{kind: aForeign, key: name}}
	}
	if r.isTypeParam(f, scope, name) {
		types := cppTypeArgument(r, f, scope, name)
		for i := range types {
			types[i].kind = aType
		}
		return types
	}
	for _, space := range cppSpaces(f, scope) {
		if vs := r.cppIn(f, space, name); len(vs) > 0 {
			return ruled(vs, ByPackage)
		}
		if vs := r.cppBroughtIn(f, space, name); len(vs) > 0 {
			return ruled(vs, ByImport)
		}
	}
	return nil
}

// cppIn is what a namespace has under a name, as the file sees it.
func (r *run) cppIn(f *file, space, name string) []value {
	ids := slices.DeleteFunc(slices.Clone(r.p.symbols[join("cpp:"+space, name)]), func(s id) bool {
		return s.f != f && !s.sym().Exported || s.sym().Owner != "" && s.sym().Kind.Type()
	})
	if len(ids) > 1 {
		ids = r.cppIncluded(f, ids)
	}
	var out []value
	for _, s := range ids {
		out = add(out, r.symbolValue(s, ByPackage)...)
	}
	if len(out) == 0 && space != "" {
		out = r.cppInline("cpp:"+space, name)
	}
	return out
}

// cppInline is what the inline namespaces within a namespace have under a name.
func (r *run) cppInline(key, name string) []value {
	var out []value
	for _, unit := range r.cppState().inlines[key] {
		out = add(out, r.exported("cpp:"+unit, name)...)
	}
	return out
}

// cppIncluded keeps what the file includes and what has its body for it; all of
// it where the file includes none.
func (r *run) cppIncluded(f *file, ids []id) []id {
	seen := r.cppClosure(f)
	var near []id
	for _, s := range ids {
		if seen[s.f] {
			near = append(near, s)
		}
	}
	if len(near) == 0 {
		return ids
	}
	return near
}

// cppNear keeps what the file includes, and the bodies of what is declared there;
// all of it where there is no such thing.
func cppNear(r *run, f *file, ids []id) []id {
	seen := r.cppClosure(f)
	var out []id
	for _, s := range ids {
		near := seen[s.f]
		if class := parentKey(s.f.keys[s.i]); !near && class != "" {
			near = slices.ContainsFunc(r.p.symbols[class], func(c id) bool { return seen[c.f] && r.cppClosure(s.f)[c.f] })
		}
		if near {
			out = append(out, s)
		}
	}
	if len(out) == 0 {
		return ids
	}
	return out
}

// cppBodies are the functions that a prototype declares: of the same name and,
// where there are several, of the same parameters.
func cppBodies(r *run, s id) []id {
	var all, same []id
	ids := r.p.symbols[s.f.keys[s.i]]
	if p := s.sym().Parent; p != code.None && s.f.Symbols[p].Kind.Type() {
		ids = r.own(parentKey(s.f.keys[s.i]), s.sym().Name)
	}
	for _, o := range ids {
		sym := o.sym()
		if sym.Abstract || !sym.Kind.Callable() || !sym.Exported && o.f != s.f || !s.sym().Exported && o.f != s.f {
			continue
		}
		all = append(all, o)
		if cppSameParams(r, s, o) {
			same = append(same, o)
		}
	}
	if len(same) > 0 {
		return r.cppNearest(s, same)
	}
	return r.cppNearest(s, all)
}

// cppNearest prefers, of several bodies, those in files that include the
// prototype's.
func (r *run) cppNearest(s id, ids []id) []id {
	if len(ids) < 2 {
		return ids
	}
	var near []id
	for _, o := range ids {
		if o.f == s.f || r.cppClosure(o.f)[s.f] {
			near = append(near, o)
		}
	}
	if len(near) == 0 {
		return ids
	}
	return near
}

func cppSameParams(r *run, a, b id) bool {
	x, y := a.sym().Params, b.sym().Params
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		m, n := r.parsed(a.f, x[i].Type), r.parsed(b.f, y[i].Type)
		if lastName(m.name) != lastName(n.name) || len(m.args) != len(n.args) {
			return false
		}
	}
	return true
}

// cppVirtual says that a method is declared virtual, or overrides one that is.
func cppVirtual(r *run, s id) bool {
	key := s.f.keys[s.i]
	name := s.sym().Name
	for _, k := range r.linear(parentKey(key)) {
		for _, o := range r.p.symbols[join(k, name)] {
			text := o.sym().Signature
			if strings.Contains(text, "virtual ") || strings.HasSuffix(text, " override") || strings.Contains(text, " override ") || strings.HasSuffix(text, " final") {
				return true
			}
		}
	}
	return false
}

// cppQuiet: a member's initialiser that constructs nothing of the project, and an
// operator that nothing there has, are no calls that the text makes.
func cppQuiet(c *code.Call) bool {
	return c.Kind == code.Ctor || c.Kind == code.Indirect && (strings.HasPrefix(c.Name, cppOperator) || c.Name == "begin" || c.Name == "end" || c.Name == "delete")
}

// cppCallee is what a constructor's form calls: in a list of initialisers the
// name may be a field's, whose type is constructed. A function that no scope has
// may be one of a namespace of its arguments.
func cppCallee(r *run, f *file, c *code.Call, e *code.Expr) ([]value, bool) {
	switch {
	case c.Kind == code.Indirect && cppIsOperation(f, e):
		return r.cppOperated(f, e), true
	case c.Kind == code.Indirect && c.Name == "delete":
		return r.cppDestructors(f, f.Exprs[e.X].X), true
	case c.Kind == code.Indirect && (c.Name == "begin" || c.Name == "end"):
		return functionsOf(r.expr(f, e.X)), true
	}
	if e.X <= 0 || f.Exprs[e.X].Kind != code.NameExpr {
		return nil, false
	}
	x := &f.Exprs[e.X]
	vs := r.expr(f, e.X)
	switch {
	case c.Kind == code.Ctor && len(vs) > 0 && c.Caller != code.None && f.Symbols[c.Caller].Kind == code.Constructor:
		if types := r.cppFieldType(f, e.Scope, x.Name); types != nil {
			return slices.DeleteFunc(*types, func(v value) bool {
				return r.cppCopies(f, e, v) || cppFunctional(r, value{kind: anInst, key: v.key})
			}), true
		}
	case c.Kind == code.PlainCall && (len(vs) == 0 || vs[0].kind == aForeign):
		if near := r.cppByArguments(f, e, x.Name); len(near) > 0 {
			return near, true
		}
	}
	return r.cppSpecialised(f, e.Scope, vs), true
}

// cppSpecialised keeps, of the members of several specialisations of a class,
// those of the one around.
func (r *run) cppSpecialised(f *file, scope int32, vs []value) []value {
	class := code.None
	for s := scope; s != code.None && class == code.None; s = f.Scopes[s].Parent {
		if f.Scopes[s].Kind == code.ClassScope {
			class = f.Scopes[s].Symbol
		}
	}
	if class == code.None || len(vs) < 2 {
		return vs
	}
	var own []value
	for _, v := range vs {
		if v.kind == aFunc && v.fn.f == f && v.fn.sym().Parent == class {
			own = append(own, v)
		}
	}
	if len(own) == 0 {
		return vs
	}
	return slices.DeleteFunc(slices.Clone(vs), func(v value) bool {
		if v.kind != aFunc || v.fn.f == f && v.fn.sym().Parent == class {
			return false
		}
		p := v.fn.sym().Parent
		return p != code.None && v.fn.f.keys[p] == f.keys[class] && v.fn.f.Symbols[p].Kind.Type()
	})
}

// cppFieldType is the type of the field of the class around, nil where there is
// no such field; pointers and references construct nothing.
func (r *run) cppFieldType(f *file, scope int32, name string) *[]value {
	for _, self := range r.self(f, scope) {
		for _, s := range r.own(self.key, name) {
			sym := s.sym()
			if sym.Kind != code.Field {
				continue
			}
			var out []value
			if !strings.HasSuffix(sym.Type, "*") && !strings.HasSuffix(sym.Type, "&") && !cppHandle(sym.Type) {
				for _, v := range r.typeText(s.f, r.scopeOf(s), sym.Type) {
					if v.kind == anInst {
						v.kind = aType
						out = append(out, v)
					}
				}
			}
			return &out
		}
	}
	return nil
}

// cppByArguments looks a function up in the namespaces of its arguments' types.
func (r *run) cppByArguments(f *file, e *code.Expr, name string) []value {
	var out []value
	for _, a := range e.Args {
		for _, v := range r.expr(f, a) {
			if space := parentKey(v.key); v.kind == anInst && space != "" {
				out = add(out, ruled(r.cppIn(f, strings.TrimPrefix(space, "cpp:"), name), ByPackage)...)
			}
		}
	}
	return functionsOf(out)
}

// cppLibrary are functions of C's library and names like them that programs call
// most.
var cppLibrary = map[string]bool{
	"assert": true, "printf": true, "fprintf": true, "sprintf": true, "snprintf": true, "puts": true, "putchar": true, "scanf": true, "sscanf": true,
	"malloc": true, "calloc": true, "realloc": true, "free": true, "memcpy": true, "memmove": true, "memset": true, "memcmp": true, "memchr": true,
	"strlen": true, "strcmp": true, "strncmp": true, "strcpy": true, "strncpy": true, "strcat": true, "strchr": true, "strrchr": true, "strstr": true,
	"strdup": true, "strtol": true, "strtoul": true, "strtod": true, "atoi": true, "atof": true, "abort": true, "exit": true, "abs": true,
	"fopen": true, "fclose": true, "fread": true, "fwrite": true, "fgets": true, "fputs": true, "fflush": true, "fseek": true, "perror": true,
	"getenv": true, "qsort": true, "rand": true, "srand": true, "time": true, "va_start": true, "va_end": true, "va_arg": true, "va_copy": true,
	"isdigit": true, "isalpha": true, "isspace": true, "tolower": true, "toupper": true, "sqrt": true, "pow": true, "floor": true, "ceil": true, "fabs": true,
	"offsetof": true, "static_assert": true, "sizeof": true, "defined": true, "__attribute__": true, "__builtin_expect": true, "alignof": true,
}

func cppBuiltin(name string) bool { return cppLibrary[name] }
