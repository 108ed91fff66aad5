package resolve

import (
	"slices"
	"strings"

	"chitta/internal/code"
)

// subOf is the type that an inheritance is about.
func (r *run) subOf(f *file, h *code.Inherit) (id, bool) {
	if h.Symbol != code.None {
		return id{f, h.Symbol}, true
	}
	for _, v := range r.typeText(f, f.moduleAt(h.Line), h.Type) {
		if v.kind == anInst && len(r.p.symbols[v.key]) > 0 {
			return r.p.symbols[v.key][0], true
		}
	}
	return id{}, false
}

// moduleAt is the scope of the innermost module of a file around a line.
func (f *file) moduleAt(line int) int32 {
	scope := int32(0)
	for i := range f.Symbols {
		if s := &f.Symbols[i]; s.Kind == code.Module && s.Scope != code.None && s.Line <= line && line <= s.EndLine {
			scope = s.Scope
		}
	}
	return scope
}

// base is the type that is inherited from: a type of the project or outside.
func (r *run) base(f *file, h *code.Inherit) []value {
	scope := int32(0)
	if h.Symbol != code.None {
		scope = r.scopeOf(id{f, h.Symbol})
	} else {
		scope = f.moduleAt(h.Line)
	}
	var vs []value
	if h.Expr > 0 {
		vs = r.expr(f, h.Expr)
	}
	if len(vs) == 0 {
		vs = r.typeText(f, scope, h.Base)
	}
	if f.lang.moreBases != nil {
		vs = add(slices.Clone(vs), f.lang.moreBases(r, f, h)...)
	}
	var args *typeArgs
	if h.Expr > 0 && f.Exprs[h.Expr].Text != "" && h.Symbol != code.None {
		args = &typeArgs{nodes: r.parsed(f, "_<"+f.Exprs[h.Expr].Text+">").args, f: f, scope: r.inner(id{f, h.Symbol})}
	}
	var out []value
	for _, v := range vs {
		if v.args == nil {
			v.args = args
		}
		switch v.kind {
		case anInst, aType:
			v.kind = aType
			if h.Symbol == code.None || v.key != f.keys[h.Symbol] {
				out = append(out, v)
			}
		case aForeignI, aForeign:
			v.kind = aForeign
			out = append(out, v)
		case aModule:
			out = append(out, v)
		case aFunc:
			if f.lang.functionTypes {
				out = append(out, value{kind: aType, key: v.fn.f.keys[v.fn.i]})
			}
		}
	}
	return out
}

// heritage is a type's bases by how it takes from them.
type heritage struct {
	kind code.InheritKind
	v    value
}

// inherits lists what a type takes from, in the order of the text.
func (r *run) inherits(key string) []heritage {
	var out []heritage
	for _, s := range r.p.symbols[key] {
		for i := range s.f.Inherits {
			if h := &s.f.Inherits[i]; h.Symbol == s.i {
				for _, v := range r.base(s.f, h) {
					out = append(out, heritage{h.Kind, v})
				}
			}
		}
	}
	return append(out, r.elsewhere()[key]...)
}

// elsewhere is what is said of types away from where they are written (Rust's
// impl T for U), by the key of the type.
func (r *run) elsewhere() map[string][]heritage {
	if r.apart == nil {
		r.apart = map[string][]heritage{}
		for _, path := range r.p.paths() {
			f := r.p.files[path]
			for i := range f.Inherits {
				h := &f.Inherits[i]
				if h.Symbol != code.None {
					continue
				}
				if sub, ok := r.subOf(f, h); ok {
					for _, v := range r.base(f, h) {
						r.apart[sub.f.keys[sub.i]] = append(r.apart[sub.f.keys[sub.i]], heritage{h.Kind, v})
					}
				}
			}
		}
	}
	return r.apart
}

// bases are the types that a type inherits from directly.
func (r *run) bases(key string) []value {
	if vs, ok := r.supers[key]; ok {
		return vs
	}
	r.supers[key] = nil // a type above itself
	r.climbing++
	defer func() { r.climbing-- }()
	var out []value
	for _, h := range r.inherits(key) {
		if h.kind != code.Singleton {
			out = add(out, h.v)
		}
	}
	r.supers[key] = out
	return out
}

// maxAbove, maxBelow and maxOverloads bound how many types a type inherits from,
// how many inherit from it, and how many functions of one name it has: written
// code stays far below.
const (
	maxAbove     = 200
	maxBelow     = 1000
	maxOverloads = 100
)

// linear is the order in which the types of a type are searched for a member,
// itself first unless something comes before it.
func (r *run) linear(key string) []string {
	if l, ok := r.linears[key]; ok {
		return l
	}
	r.linears[key] = []string{key}
	r.climbing++
	defer func() { r.climbing-- }()
	var l []string
	if s, ok := r.first(key); ok && s.f.lang.linear != nil {
		l = s.f.lang.linear(r, key)
	}
	if l == nil {
		l = []string{key}
		for _, b := range r.bases(key) {
			if b.kind != aType && b.kind != aModule {
				continue
			}
			for _, k := range r.linear(b.key) {
				if len(l) < maxAbove && !slices.Contains(l, k) {
					l = append(l, k)
				}
			}
		}
	}
	r.linears[key] = l
	return l
}

// onTop puts a type before what its only base has in order: the base and all
// above it, none twice.
func onTop(key string, above []string) []string {
	out := append(make([]string, 0, len(above)+1), key)
	for _, k := range above {
		if k != key {
			out = append(out, k)
		}
	}
	return out
}

// memberAt is a question for a member that is kept with its answer.
type memberAt struct {
	key, name string
	want      wanted
}

// member finds the symbols of a name in a type or above it.
func (r *run) member(key, name string) []id {
	at := memberAt{key, name, r.want}
	ids, ok := r.found[at]
	if !ok {
		ids = r.search(key, name)
		if r.climbing > 0 { // what is above types is not known in full yet
			return ids
		}
		if r.found == nil {
			r.found = map[memberAt][]id{}
		}
		r.found[at] = ids
	}
	return ids
}

func (r *run) search(key, name string) []id {
	var out []id
	for _, k := range r.linear(key) {
		ids := r.own(k, name)
		if len(ids) == 0 {
			continue
		}
		ids = ids[:min(len(ids), maxOverloads)]
		if !ids[0].f.lang.overloads || !ids[0].sym().Kind.Callable() {
			if len(out) > 0 {
				return out
			}
			return ids
		}
		if len(out) >= maxOverloads {
			break
		}
		out = overloaded(out, ids) // a type has the overloads of its bases as well
	}
	return out
}

// overloaded adds the methods of a base that those found so far do not replace.
func overloaded(found, more []id) []id {
	if len(found) == 0 {
		return more
	}
	out := slices.Clone(found)
	for _, s := range more {
		if !slices.ContainsFunc(found, func(o id) bool { return sameParams(o, s) }) {
			out = append(out, s)
		}
	}
	return out
}

// sameParams says that a method can replace another: as many parameters, of
// types that may be the same (a generic name stands for any).
func sameParams(a, b id) bool {
	x, y := a.sym().Params, b.sym().Params
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		if x[i].Type != y[i].Type && !generic(a, x[i].Type) && !generic(b, y[i].Type) {
			return false
		}
	}
	return true
}

// generic says that a type's text is, or has in it, a generic name of a method
// or of the type that it is in.
func generic(s id, text string) bool {
	for i := s.i; i != code.None; i = s.f.Symbols[i].Parent {
		for _, name := range s.f.Symbols[i].TypeParams {
			if at := strings.Index(text, name); at >= 0 && (at == 0 || !isNameByte(text[at-1])) && (at+len(name) == len(text) || !isNameByte(text[at+len(name)])) {
				return true
			}
		}
	}
	return false
}

// own finds the symbols of a name in a type itself. Where one has a body, those
// without are its declarations.
func (r *run) own(key, name string) []id {
	ids := r.p.under(key, name)
	if adopted := r.adoptedBy(); len(adopted) > 0 {
		if more := adopted[join(key, name)]; len(more) > 0 {
			ids = append(slices.Clone(ids), more...)
		}
	}
	return r.wanted(defined(ids))
}

// wanted says which of the symbols that share a name a place in the text can
// mean, in languages where fields and methods may have the same.
type wanted uint8

const (
	anything  wanted = iota
	callables        // it is called
	others           // it is not
	typesOnly        // it is the name of a type
)

func (r *run) wanted(ids []id) []id {
	if r.want == anything || len(ids) == 0 || !ids[0].f.lang.separate {
		return ids
	}
	var out []id
	for _, s := range ids {
		kind := s.sym().Kind
		if r.want == typesOnly && (kind.Type() || kind == code.Module) || r.want != typesOnly && kind.Callable() == (r.want == callables) {
			out = append(out, s)
		}
	}
	if len(out) == 0 && r.want == callables {
		return ids // a record's component is called like a method
	}
	return out
}

func defined(ids []id) []id {
	if len(ids) < 2 {
		return ids
	}
	var out []id
	for _, s := range ids {
		if !s.sym().Abstract {
			out = append(out, s)
		}
	}
	if len(out) == 0 {
		return ids
	}
	if bodies := out; ids[0].f.lang.overloads { // one without a body may be another overload
		for _, s := range ids {
			if s.sym().Abstract && !slices.ContainsFunc(bodies, func(o id) bool { return sameParams(o, s) }) {
				out = append(out, s)
			}
		}
	}
	return out
}

// ownerKey is the type of a method that is written away from it.
func (r *run) ownerKey(s id) string {
	for _, v := range r.typeText(s.f, r.scopeOf(s), s.sym().Owner) {
		if v.kind == anInst {
			return v.key
		}
	}
	return parentKey(s.f.keys[s.i])
}

// adoptedBy finds methods whose type is in another package than they are, by
// the key that they would have there.
func (r *run) adoptedBy() map[string][]id {
	if r.adopted != nil {
		return r.adopted
	}
	r.adopted = map[string][]id{}
	found := map[string][]id{}
	for _, path := range r.p.paths() {
		f := r.p.files[path]
		if !f.lang.adopts {
			continue
		}
		for i := range f.Symbols {
			if f.Symbols[i].Owner == "" {
				continue
			}
			s := id{f, int32(i)}
			if key := r.ownerKey(s); key != parentKey(f.keys[i]) {
				at := join(key, f.Symbols[i].Name)
				found[at] = append(found[at], s)
			}
		}
	}
	r.adopted = found
	r.unlearn() // what was worked out on the way knew nothing of them
	clear(r.found)
	clear(r.replaced)
	return found
}
