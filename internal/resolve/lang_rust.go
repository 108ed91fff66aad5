package resolve

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"chitta/internal/code"
)

// rustLanguage: a file is a module, named by its path within the crate. Methods
// are written in impl blocks, anywhere in the crate; only traits have methods
// that others may have in their place.
func rustLanguage() *language {
	return &language{
		family: "rust", unit: rustUnit, find: rustFind, importsAreExports: true, scopedImports: true, newFileMovesAll: true,
		bodiesApart: true, onlyInterfaces: true, adopts: true, unique: true, selfTypes: []string{"Self"},
		parseType: parseRustType, builtin: rustBuiltin, fallback: rustCrateName, special: rustSpecial, callee: rustCallee,
		foreignMember: rustForeignMember, foreignCall: rustForeign, assigned: rustAssigned, untyped: rustUntyped, skipsReceiver: rustReceiverGiven, quiet: rustQuiet, iterate: rustIterate,
		functional: rustFunctional, passes: rustPasses, self: rustInstance, ranged: rustRanged,
	}
}

// Units of code that is not the library of a package: its program, and what
// stands in tests, examples and so on, each a crate of its own.
const (
	rustProgram = "$bin"
	rustApart   = "$"
)

// rustUnit is the module path of a file: its crate's name and the folders and
// files down to it, with dots.
func rustUnit(p *Project, f *file) string {
	crate, rel := rustCrate(p, f.Path)
	rel = strings.TrimSuffix(rel, ".rs")
	if within, ok := strings.CutPrefix(rel, "src/"); ok {
		rel = within
	} else if strings.Contains(rel, "/") {
		rel = rustApart + rel
	}
	switch rel {
	case "lib":
		return crate
	case "main":
		if p.files[strings.TrimSuffix(f.Path, "main.rs")+"lib.rs"] != nil {
			return crate + rustProgram
		}
		return crate
	}
	rel = strings.TrimSuffix(rel, "/mod")
	return join(crate, strings.ReplaceAll(rel, "/", "."))
}

// rustCrate is the name of the crate that a file belongs to and its path in it.
// Without a manifest the folder of the sources is the crate.
func rustCrate(p *Project, name string) (crate, rel string) {
	for dir := path.Dir(name); ; dir = path.Dir(dir) {
		if text, ok := p.manifests[path.Join(dir, "Cargo.toml")]; ok {
			if m := readCargo(text); m.name != "" {
				return m.name, strings.TrimPrefix(strings.TrimPrefix(name, dir), "/")
			}
		}
		if dir == "." || dir == "/" {
			break
		}
	}
	if i := strings.LastIndex("/"+name, "/src/"); i >= 0 {
		return "crate", name[i:]
	}
	return "crate", name
}

// cargo is what is read of a Cargo.toml.
type cargo struct {
	name string
	deps map[string]bool
}

func readCargo(text []byte) cargo {
	out := cargo{deps: map[string]bool{}}
	section := ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			section = strings.Trim(line, "[] ")
			if _, dep, ok := strings.Cut(section, "dependencies."); ok {
				out.deps[rustIdent(dep)] = true
			}
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if !ok {
			continue
		}
		key = strings.Trim(strings.TrimSpace(key), `"`)
		switch {
		case section == "package" && key == "name" && out.name == "", section == "lib" && key == "name":
			out.name = rustIdent(strings.Trim(strings.TrimSpace(value), `"'`))
		case strings.HasSuffix(section, "dependencies"):
			name, _, _ := strings.Cut(key, ".")
			out.deps[rustIdent(name)] = true
		}
	}
	return out
}

func rustIdent(name string) string { return strings.ReplaceAll(strings.TrimSpace(name), "-", "_") }

// rustRoot is the unit of the crate that a file belongs to.
func rustRoot(f *file) string {
	if i := strings.Index(f.unit, "."+rustApart); i >= 0 {
		rest := f.unit[i+1:]
		if parts := strings.SplitN(rest, ".", 3); len(parts) > 1 {
			return f.unit[:i+1] + parts[0] + "." + parts[1]
		}
		return f.unit
	}
	root, _, _ := strings.Cut(f.unit, ".")
	return root
}

// rustModule is the unit of the module around a scope: the file's, or one
// written within it.
func rustModule(f *file, scope int32) string {
	for s := scope; s != code.None; s = f.Scopes[s].Parent {
		if sc := &f.Scopes[s]; sc.Kind == code.ModuleScope && sc.Symbol != code.None {
			return join(f.unit, f.Symbols[sc.Symbol].Path)
		}
	}
	return f.unit
}

// rustFind lists the modules that the path of an import may mean.
func rustFind(r *run, f *file, imp *code.Import) []string {
	return rustPaths(r, f, imp, imp.Module, 0)
}

// maxRustAliases bounds how many imports the first name of a path leads through.
const maxRustAliases = 4

func rustPaths(r *run, f *file, imp *code.Import, text string, depth int) []string {
	parts := strings.Split(text, "::")
	here := rustModule(f, imp.Scope)
	switch parts[0] {
	case "crate":
		return rustBelow(rustRoot(f), parts[1:])
	case "self":
		return append(rustBelow(here, parts[1:]), rustBeside(f, here, parts[1:])...)
	case "super":
		at := here
		for len(parts) > 0 && parts[0] == "super" {
			at, parts = rustParent(f, at), parts[1:]
		}
		return rustBelow(at, parts)
	}
	out := append(rustBelow(here, parts), rustBelow(rustRoot(f), parts)...)
	out = append(out, strings.Join(parts, "."))
	for i := range f.Imports {
		other := &f.Imports[i]
		if other != imp && other.Alias == parts[0] && depth < maxRustAliases && other.Module != text {
			whole := other.Module
			if other.Name != "" {
				whole += "::" + other.Name
			}
			out = append(out, rustPaths(r, f, other, strings.Join(append([]string{whole}, parts[1:]...), "::"), depth+1)...)
		}
	}
	return out
}

func rustBelow(unit string, parts []string) []string {
	return []string{join(unit, strings.Join(parts, "."))}
}

// rustBeside: the modules of a program, a test or an example stand beside its
// file, and those of a program that has a library beside it in the library's
// folder.
func rustBeside(f *file, here string, parts []string) []string {
	if here != f.unit {
		return nil
	}
	if root, ok := strings.CutSuffix(f.unit, rustProgram); ok {
		return rustBelow(root, parts)
	}
	if strings.Contains(f.unit, "."+rustApart) {
		return rustBelow(parentKey(f.unit), parts)
	}
	return nil
}

func rustParent(f *file, unit string) string {
	if up := parentKey(unit); up != "" && !strings.HasSuffix(up, rustApart) {
		return up
	}
	return unit
}

// rustPrelude are names that every module knows.
var rustPrelude = func() map[string]bool {
	out := map[string]bool{}
	for _, n := range strings.Fields(`Vec String Option Some None Result Ok Err Box Default Clone Copy Drop Fn FnMut FnOnce Iterator
		IntoIterator Extend From Into TryFrom TryInto AsRef AsMut ToString ToOwned PartialEq Eq PartialOrd Ord Send Sync Sized drop
		bool char str u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 std core alloc`) {
		out[n] = true
	}
	return out
}()

// rustBuiltin also knows macros that the project does not have.
func rustBuiltin(name string) bool { return rustPrelude[name] || strings.HasSuffix(name, "!") }

// rustCrateName is another crate, of the workspace or outside.
func rustCrateName(r *run, f *file, scope int32, name string) []value {
	if macro, ok := strings.CutSuffix(name, "!"); ok {
		return r.rustMacro(f, macro)
	}
	if _, ok := r.p.units["rust:"+name]; ok && name != rustRoot(f) {
		return []value{{kind: aModule, key: "rust:" + name}}
	}
	module := "rust:" + join(rustModule(f, scope), name)
	if _, ok := r.p.units[module]; ok {
		return []value{{kind: aModule, key: module}}
	}
	for dir := path.Dir(f.Path); ; dir = path.Dir(dir) {
		if r.cargo(path.Join(dir, "Cargo.toml")).deps[name] {
			return []value{{kind: aForeign, key: name}}
		}
		if dir == "." || dir == "/" {
			return nil
		}
	}
}

// cargo is what a manifest says, read once; nothing where there is none.
func (r *run) cargo(name string) cargo {
	out, ok := r.cargos[name]
	if !ok {
		if text, ok := r.p.manifests[name]; ok {
			out = readCargo(text)
		}
		if r.cargos == nil {
			r.cargos = map[string]cargo{}
		}
		r.cargos[name] = out
	}
	return out
}

// rustMacro finds a macro, which is known all over its crate: in the same file
// first, then in the crate, then anywhere.
func (r *run) rustMacro(f *file, name string) []value {
	var best []id
	closest := 0
	for _, s := range r.p.byName[name] {
		if s.sym().Kind != code.Macro || s.f.family != f.family {
			continue
		}
		near := 1
		switch {
		case s.f == f:
			near = 3
		case rustRoot(s.f) == rustRoot(f):
			near = 2
		}
		if near > closest {
			best, closest = nil, near
		}
		if near == closest {
			best = append(best, s)
		}
	}
	var out []value
	for _, s := range best {
		rule := ByPackage
		if s.f == f {
			rule = ByFile
		}
		out = append(out, value{kind: aFunc, fn: s, rule: rule})
	}
	return out
}

// rustAssigned adds to a field of a function type the functions that it is set
// to.
func rustAssigned(r *run, s id, declared []value) []value {
	text := s.sym().Type
	if !r.rustTakesFn(s.f, r.scopeOf(s), text) && !r.isTypeParam(s.f, r.scopeOf(s), text) {
		return declared
	}
	declared = add(slices.Clone(declared), r.p.flows.into(s, rustField)...)
	set := slices.Clone(r.given(s))
	if s.sym().Value > 0 {
		set = add(set, r.expr(s.f, s.sym().Value)...)
	}
	return add(declared, slices.DeleteFunc(set, func(v value) bool { return v.kind != aFunc && v.kind != aColl })...)
}

// rustInstance is self, with the names of its impl as the arguments of its type:
// impl<T: Bound> Stack<T> says more of T than the type does.
func rustInstance(r *run, f *file, scope int32) ([]value, bool) {
	for s := scope; s != code.None; s = f.Scopes[s].Parent {
		sym := f.Scopes[s].Symbol
		if sym == code.None || f.Symbols[sym].Owner == "" {
			continue
		}
		own := &f.Symbols[sym]
		v := value{kind: anInst, key: r.ownerKey(id{f, sym}), rule: BySelf}
		for _, t := range r.p.symbols[v.key] {
			n := len(t.sym().TypeParams)
			if n == 0 || n > len(own.TypeParams) || own.Scope == code.None {
				continue
			}
			args := &typeArgs{f: f, scope: own.Scope}
			for _, name := range own.TypeParams[:n] {
				args.nodes = append(args.nodes, typeNode{name: name})
			}
			v.args = args
			break
		}
		return []value{v}, true
	}
	return nil, false
}

// rustField is the number of the parameter that stands for what the field of a
// struct is given where that is made like a function is called.
const rustField = -1

// rustPasses notes the functions that a struct without names for its fields is
// made with.
func rustPasses(r *run, f *file, e *code.Expr, vs []value) {
	for _, v := range vs {
		if v.kind != aType {
			continue
		}
		for i, a := range e.Args {
			for _, s := range r.p.symbols[join(v.key, strconv.Itoa(i))] {
				for _, fn := range functionsOf(r.expr(f, a)) {
					r.passed = append(r.passed, passing{flowTo{s.f.Path, s.sym().Path, rustField}, fn})
				}
			}
		}
	}
}

// rustTakesFn says that a type is one of functions, or holds such, by its text
// or by what its names stand for.
func (r *run) rustTakesFn(f *file, scope int32, text string) bool {
	if strings.Contains(text, "Fn") || strings.Contains(text, "fn(") {
		return true
	}
	return r.rustFnNode(f, scope, r.parsed(f, text), 0)
}

func (r *run) rustFnNode(f *file, scope int32, n typeNode, depth int) bool {
	if depth > maxTypeDepth {
		return false
	}
	if n.name != "" && n.name != listKey && n.name != mapKey && n.name != tupleKey && n.name != funcKey {
		for s := scope; s != code.None; s = f.Scopes[s].Parent {
			for _, i := range f.named(s, n.name) {
				if b := &f.Scopes[s].Bindings[i]; b.Kind == code.Defines && rustFnAlias(&f.Symbols[b.Ref]) {
					return true
				}
			}
		}
		for _, v := range r.typeName(f, scope, n.name) {
			if v.kind == aType && rustFunctional(r, v) || v.kind == aForeign && strings.HasPrefix(lastName(v.key), "Fn") {
				return true
			}
		}
	}
	return slices.ContainsFunc(n.args, func(a typeNode) bool { return r.rustFnNode(f, scope, a, depth+1) })
}

// rustFunctional says that a type is another name for one of functions.
func rustFunctional(r *run, x value) bool {
	for _, s := range r.p.symbols[x.key] {
		if rustFnAlias(s.sym()) {
			return true
		}
	}
	return false
}

func rustFnAlias(sym *code.Symbol) bool {
	return sym.Kind == code.TypeAlias && (strings.Contains(sym.Type, "Fn") || strings.Contains(sym.Type, "fn("))
}

// rustReceiverGiven: a method named through its type takes self as its first
// argument, unless it has none.
func rustReceiverGiven(r *run, f *file, e *code.Expr, fn id) int {
	if fn.sym().Static {
		return 0
	}
	return goReceiverGiven(r, f, e, fn)
}

// rustIterate is what going over a value of the project gives: its type says so.
func rustIterate(r *run, x value) []value {
	var out []value
	for _, s := range r.member(x.key, "Item") {
		if s.sym().Kind == code.TypeAlias && s.sym().Type != "" {
			out = add(out, r.typeText(s.f, r.scopeOf(s), s.sym().Type)...)
		}
	}
	return out
}

// rustRanged is a part of what a loop gives: a map gives keys with values.
func rustRanged(r *run, xs []value, n int) []value {
	var out []value
	for _, x := range xs {
		switch {
		case x.kind != aForeignI || x.key != mapKey:
			out = add(out, r.part(r.elements([]value{x}), n)...)
		case n == 1:
			out = add(out, r.keysOf([]value{x})...)
		default:
			out = add(out, r.elements([]value{x})...)
		}
	}
	return out
}

// rustQuiet: operators and loops call something only where a type of the project
// has it.
func rustQuiet(c *code.Call) bool { return c.Kind == code.Indirect && c.Name != "" }

// rustForeign is what a call of something outside gives: something from outside,
// unless what it is a member of says more.
func rustForeign(r *run, f *file, e *code.Expr, v value) ([]value, bool) {
	if v.args != nil || v.f != nil {
		return nil, false
	}
	return []value{{kind: aForeignI, key: v.key + "()"}}, true
}
