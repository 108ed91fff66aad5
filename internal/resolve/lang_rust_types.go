package resolve

import (
	"slices"
	"strings"

	"chitta/internal/code"
)

// rustWraps are types that stand for what they are of: their first argument.
// rustLists hold many of it, rustMaps many of their second under the first.
var (
	rustWraps = wordSet(`Box Rc Arc RefCell Cell Mutex RwLock Option Result Ref RefMut MutexGuard RwLockReadGuard RwLockWriteGuard Cow Pin
		Weak OnceCell OnceLock LazyLock LazyCell Lazy ManuallyDrop NonNull Future Poll JoinHandle`)
	rustLists = wordSet(`Vec VecDeque HashSet BTreeSet BinaryHeap LinkedList Iterator IntoIterator DoubleEndedIterator ExactSizeIterator
		Peekable Iter IterMut IntoIter Stream Receiver Sender SmallVec IndexSet Rev`)
	rustMaps = wordSet(`HashMap BTreeMap IndexMap DashMap`)
)

// parseRustType takes a Rust type apart. Of what the standard library wraps
// around values nothing is kept but what is in it.
func parseRustType(text string) typeNode {
	return rustPlainType(parseType(strings.ReplaceAll(rustBare(text), "->", " -> ")), 0)
}

// rustBare is a type's text without how long its values live ("+ 'a").
func rustBare(text string) string {
	for {
		plus, rest, ok := strings.Cut(text, "+ '")
		if !ok {
			return text
		}
		text = plus + strings.TrimLeftFunc(rest, func(c rune) bool { return c < 128 && isNameByte(byte(c)) })
	}
}

func rustPlainType(n typeNode, depth int) typeNode {
	if depth > maxTypeDepth {
		return n
	}
	last := lastName(n.name)
	if len(n.args) > 0 && rustWraps[last] {
		return rustPlainType(n.args[0], depth+1)
	}
	args := slices.Clone(n.args)
	for i := range args {
		args[i] = rustPlainType(args[i], depth+1)
	}
	n.args = args
	switch {
	case len(args) == 0:
	case rustLists[last]:
		n.name, n.args = listKey, args[:1]
	case rustMaps[last] && len(args) > 1:
		n.name, n.args = mapKey, args[:2]
	}
	return n
}

// Members of wrappers and collections: those that give the same, one element,
// and those that hand elements to a function.
var (
	rustSame = wordSet(`unwrap expect unwrap_or unwrap_or_else unwrap_or_default as_ref as_mut borrow borrow_mut lock read write clone ok ok_or
		ok_or_else take cloned copied to_owned as_deref as_deref_mut or or_else upgrade downgrade get_or_insert_with into_inner replace
		iter iter_mut into_iter filter rev skip chain peekable inspect take_while skip_while step_by drain values values_mut
		into_values as_slice as_mut_slice to_vec collect by_ref sorted fuse cycle extend_from_slice into_boxed_slice as_str await get_ref
		get_mut_ref deref deref_mut try_lock blocking_lock join context with_context map_err inspect_err retain
		into_iter_sorted or_insert or_insert_with or_default entry filter_ok send recv try_recv blocking_recv`)
	rustOne = wordSet(`next first last pop get get_mut nth find max_by max_by_key min_by min_by_key max min remove swap_remove pop_front pop_back
		peek peek_mut front back front_mut back_mut first_mut last_mut entry or_insert or_insert_with or_default recv try_recv next_back
		get_unchecked find_map_ref reduce get_or_insert_with`)
	rustEach = wordSet(`map for_each filter find any all flat_map filter_map take_while skip_while position inspect partition max_by_key
		min_by_key sort_by_key and_then map_or map_or_else is_some_and then retain find_map try_fold reduce sort_by max_by min_by dedup_by_key for_each_mut
		rposition map_while try_for_each unwrap_or_else and_then_ok is_ok_and sort_unstable_by sort_unstable_by_key or_else`)
	// rustFolds hand what they have so far to a function, and an element.
	rustFolds = wordSet(`fold try_fold rfold`)
	// rustOwn are other members that wrappers have, and that types have by what
	// is derived for them.
	rustOwn = wordSet(`is_some is_none is_ok is_err push insert len is_empty contains contains_key extend clear sum count to_string into
		try_into eq ne cmp partial_cmp fmt hash enumerate zip fold keys product unzip set swap type_id abort is_finished clone_from`)
	// rustMapped give what their function gives.
	rustMapped = wordSet(`map and_then flat_map filter_map map_or map_or_else then map_while`)
	// rustMakes are associated functions that a type has without writing them.
	rustMakes = wordSet(`default from try_from from_str from_iter new`)
	// rustBoxes are associated functions of wrappers that give what is put in.
	rustBoxes = wordSet(`new from pin clone some`)
)

// rustSpecial knows what the names of the language itself mean: crate, self,
// super and Self in paths, variants of enums, and what comes out of wrappers
// and collections.
func rustSpecial(r *run, f *file, e *code.Expr, i int32) ([]value, bool) {
	switch e.Kind {
	case code.NameExpr:
		return r.rustName(f, e)
	case code.MemberExpr:
		vs, ok := r.rustMember(f, e)
		if !ok {
			vs, ok = r.rustEither(f, e, i)
		}
		return vs, ok
	case code.IndexExpr:
		vs := r.rustIndexed(f, e)
		return vs, len(vs) > 0
	case code.AwaitExpr:
		return r.expr(f, e.X), true
	case code.TypedExpr:
		if e.X > 0 {
			if fns := functionsOf(r.expr(f, e.X)); len(fns) > 0 { // as another type of functions
				return fns, true
			}
		}
		if variants := r.rustVariants(f, e.Scope, e.Name); len(variants) > 0 {
			return []value{{kind: anInst, key: parentKey(variants[0].f.keys[variants[0].i]), exact: true, rule: ByReceiver}}, true
		}
	case code.CallExpr:
		return r.rustCall(f, e)
	}
	return nil, false
}

func (r *run) rustName(f *file, e *code.Expr) ([]value, bool) {
	switch e.Name {
	case "crate":
		return []value{{kind: aModule, key: "rust:" + rustRoot(f)}}, true
	case "self":
		return []value{{kind: aModule, key: "rust:" + rustModule(f, e.Scope)}}, true
	case "super":
		return []value{{kind: aModule, key: "rust:" + rustParent(f, rustModule(f, e.Scope))}}, true
	case "Self":
		var out []value
		for _, v := range r.self(f, e.Scope) {
			v.kind = aType
			out = append(out, v)
		}
		return out, true
	}
	return nil, false
}

// rustMember: super of a module, fields of a variant, parts of a tuple.
func (r *run) rustMember(f *file, e *code.Expr) ([]value, bool) {
	if e.X <= 0 {
		return nil, false
	}
	if macro, ok := strings.CutSuffix(e.Name, "!"); ok {
		vs := r.rustMacro(f, macro)
		return vs, len(vs) > 0
	}
	x := &f.Exprs[e.X]
	if x.Kind == code.TypedExpr {
		var out []value
		variants := r.rustVariants(f, x.Scope, x.Name)
		for _, s := range variants {
			for _, field := range r.p.symbols[join(s.f.keys[s.i], e.Name)] {
				out = add(out, r.fieldValue(field)...)
			}
		}
		return out, len(variants) > 0
	}
	var out []value
	for _, v := range r.expr(f, e.X) {
		switch {
		case v.kind == aModule && e.Name == "super":
			out = add(out, value{kind: aModule, key: "rust:" + rustParent(f, strings.TrimPrefix(v.key, "rust:"))})
		case e.Name == "Err":
			out = add(out, r.rustError(f, e.X)...)
		case v.kind == aColl && isNameByte(e.Name[0]) && e.Name[0] > '9':
			vs, _ := rustForeignMember(r, f, value{kind: aForeignI, key: listKey}, e.Name)
			out = add(out, vs...)
		case (v.kind == aColl || v.kind == aForeignI && v.key == tupleKey) && e.Name[:min(1, len(e.Name))] >= "0" && e.Name <= "9":
			out = add(out, r.part([]value{v}, int(e.Name[0]-'0')+1)...)
		}
	}
	if len(out) == 0 {
		out = r.rustDerefed(f, e)
	}
	if len(out) == 0 {
		out = r.rustBlanket(f, e)
	}
	return out, len(out) > 0
}

// rustEither is a member where a type has both a field and a method of the name:
// x.f() is the method, and x.f or (x.f)() the field.
func (r *run) rustEither(f *file, e *code.Expr, i int32) ([]value, bool) {
	var out []value
	both := false
	for _, x := range r.expr(f, e.X) {
		if x.kind != anInst {
			continue
		}
		var fields, methods []value
		for _, s := range r.member(x.key, e.Name) {
			switch {
			case s.sym().Kind.Callable():
				methods = append(methods, value{kind: aFunc, fn: s, rule: ByReceiver, args: r.argsAt(x, s)})
			case s.sym().Kind == code.Field:
				fields = add(fields, r.bound(s, value{kind: anInst, key: x.key, exact: x.exact, args: r.argsAt(x, s)})...)
				both = true
			}
		}
		both = both && len(methods) > 0
		if r.callOf(f, i) > 0 {
			out = add(out, methods...)
		} else {
			out = add(out, fields...)
		}
	}
	return out, both
}

// rustBlanket is a member that a trait of the project gives to all types, or to
// all that have another trait.
func (r *run) rustBlanket(f *file, e *code.Expr) []value {
	xs := r.expr(f, e.X)
	if len(xs) == 0 || r.hasMember(xs, e.Name) || !slices.ContainsFunc(xs, func(x value) bool { return x.kind == anInst || x.kind == aForeignI || x.kind == aColl }) {
		return nil
	}
	var out []value
	for _, s := range r.rustGivenToAll()[e.Name] {
		out = add(out, value{kind: aFunc, fn: s, rule: ByReceiver})
	}
	return out
}

// rustGivenToAll are the methods that traits give to all types, by name.
func (r *run) rustGivenToAll() map[string][]id {
	if r.toAll != nil {
		return r.toAll
	}
	r.toAll = map[string][]id{}
	for _, path := range r.p.paths() {
		f := r.p.files[path]
		if f.family != "rust" {
			continue
		}
		for i := range f.Symbols {
			sym := &f.Symbols[i]
			if sym.Kind != code.Method {
				continue
			}
			switch p := sym.Parent; {
			case sym.Owner != "" && slices.Contains(sym.TypeParams, sym.Owner),
				p != code.None && !sym.Abstract && f.Symbols[p].Kind == code.Trait && rustForAll(f, f.Symbols[p].Name):
				r.toAll[sym.Name] = append(r.toAll[sym.Name], id{f, int32(i)})
			}
		}
	}
	return r.toAll
}

// rustForAll says that a file has an impl of the trait for a generic name.
func rustForAll(f *file, trait string) bool {
	return slices.ContainsFunc(f.Inherits, func(h code.Inherit) bool {
		return h.Symbol == code.None && h.Base == trait && len(h.Type) == 1 && h.Type[0] >= 'A' && h.Type[0] <= 'Z' && len(f.named(0, h.Type)) == 0
	})
}

// rustIndexed is what x[i] gives where the project says what that is.
func (r *run) rustIndexed(f *file, e *code.Expr) []value {
	if e.Name == "" && len(e.Args) == 0 { // any element
		return nil
	}
	var out []value
	for _, x := range r.expr(f, e.X) {
		if x.kind == anInst {
			for _, s := range r.own(x.key, "index") {
				out = add(out, r.result(s)...)
			}
		}
	}
	return out
}

// rustDerefed is a member of what a type stands for, where it has none of that
// name itself.
func (r *run) rustDerefed(f *file, e *code.Expr) []value {
	var out []value
	for _, x := range r.expr(f, e.X) {
		if x.kind != anInst || len(r.member(x.key, e.Name)) > 0 {
			continue
		}
		for _, s := range r.own(x.key, "deref") {
			for _, to := range r.result(s) {
				if to.kind == anInst && to.key != x.key {
					out = add(out, r.memberOf(f, to, e.Name)...)
				}
			}
		}
	}
	return out
}

// rustVariants are the variants of enums that a path names.
func (r *run) rustVariants(f *file, scope int32, text string) []id {
	at := strings.LastIndex(text, "::")
	if at < 0 {
		return r.rustImported(f, text)
	}
	name, types := text[at+2:], text[:at]
	if i := strings.IndexByte(name, '<'); i >= 0 {
		name = name[:i]
	}
	var out []id
	for _, v := range r.typeText(f, scope, types) {
		if v.kind == anInst {
			out = append(out, r.variantsOf(v.key, name)...)
		}
	}
	return out
}

func (r *run) variantsOf(key, name string) []id {
	var out []id
	for _, s := range r.p.symbols[join(key, name)] {
		if s.sym().Kind == code.EnumMember {
			out = append(out, s)
		}
	}
	return out
}

// rustImported are variants that are imported by their name, or with all of
// their enum.
func (r *run) rustImported(f *file, name string) []id {
	if i := strings.IndexByte(name, '<'); i >= 0 {
		name = name[:i]
	}
	for i := range f.Imports {
		imp := &f.Imports[i]
		if imp.Alias != name && imp.Name != "*" {
			continue
		}
		member := name
		if imp.Name != "*" && imp.Name != "" {
			member = imp.Name
		}
		for _, u := range f.lang.units(r, f, imp) {
			if ids := r.variantsOf(u, member); len(ids) > 0 {
				return ids
			}
			for _, v := range r.exported(u, member) { // of an enum elsewhere
				if v.kind == anInst && v.exact {
					return r.variantsOf(v.key, member)
				}
			}
		}
	}
	return nil
}

// rustForeignMember: traits of the project give methods to types from outside.
func rustForeignMember(r *run, f *file, x value, name string) ([]value, bool) {
	var out []value
	for _, s := range r.p.byName[name] {
		if o := lastName(s.sym().Owner); s.f.family == "rust" && o != "" && (o == lastName(x.key) || x.key == listKey && rustLists[o] || x.key == mapKey && rustMaps[o]) {
			out = add(out, value{kind: aFunc, fn: s, rule: ByReceiver})
		}
	}
	return out, len(out) > 0
}

// rustUntyped is what a parameter of a closure is: an element of what the
// closure is handed to, or what the bound of the parameter says that it goes to.
func rustUntyped(r *run, s id, param int) []value {
	at := bindingAt{s.f, -1, s.i}
	if s.sym().Kind != code.Lambda || r.binding.has(at) {
		return nil
	}
	r.binding.add(at)
	defer r.binding.done()
	var out []value
	for _, i := range r.placesOf(s.f)[s.i] {
		u := r.usesOf(s.f)[i]
		if u.kind != asArgument {
			continue
		}
		call := &s.f.Exprs[u.call]
		if call.X <= 0 {
			continue
		}
		callee := &s.f.Exprs[call.X]
		if callee.Kind == code.MemberExpr && rustFolds[callee.Name] && len(call.Args) == 2 {
			if xs := r.expr(s.f, callee.X); param == 0 {
				out = add(out, r.expr(s.f, call.Args[0])...)
			} else {
				out = add(out, r.rustElement(xs)...)
			}
			continue
		}
		if callee.Kind == code.MemberExpr && rustEach[callee.Name] {
			if xs := r.expr(s.f, callee.X); !r.hasMember(xs, callee.Name) {
				out = add(out, r.rustElement(xs)...)
				continue
			}
		}
		for _, v := range r.expr(s.f, call.X) {
			if v.kind == aFunc {
				out = add(out, r.rustHanded(v.fn, u.arg, param)...)
			}
		}
	}
	return ruled(out, ByReceiver)
}

// rustElement is an element of collections, or what a wrapper is of.
func (r *run) rustElement(xs []value) []value {
	var out []value
	for _, x := range xs {
		items := r.elements([]value{x})
		if x.kind == anInst && len(items) == 0 {
			items = []value{x}
		}
		out = add(out, items...)
	}
	return out
}

// rustHanded is what a function of the project hands to a closure: the types in
// the bound Fn(A, B) of the parameter that it is passed for.
func (r *run) rustHanded(fn id, arg, param int) []value {
	sym := fn.sym()
	if arg >= len(sym.Params) {
		return nil
	}
	text := sym.Params[arg].Type
	if r.isTypeParam(fn.f, r.inner(fn), text) {
		for _, i := range fn.f.named(sym.Scope, text) {
			text = fn.f.Scopes[sym.Scope].Bindings[i].Type
		}
	}
	_, list, ok := strings.Cut(text, "(")
	if !ok || !strings.Contains(text, "Fn") && !strings.Contains(text, "fn(") {
		return nil
	}
	p := &typeParser{text: list}
	given := p.list(')')
	if param >= len(given) {
		return nil
	}
	return r.typeIn(fn.f, r.inner(fn), rustPlainType(given[param], 0), nil)
}
