package resolve

import (
	"path"
	"slices"
	"strings"

	"chitta/internal/code"
)

// rubyLanguage: everything lies in one unit, constants are paths. Names of
// methods are looked up on self, those of constants in the modules around, so
// names have rules of their own here.
func rubyLanguage() *language {
	return &language{
		family: "ruby", unit: func(*Project, *file) string { return "" }, reaches: rubyReaches,
		bodiesApart: true, selfIsType: true, modulesAreTypes: true, dynamic: true, sequences: true, unique: true, newFileMovesAll: true,
		constructors: []string{"initialize"}, inheritsConstructors: true,
		parseType: parseRubyType, special: rubySpecial, self: rubySelf, callee: rubyCallee, silent: rubySilent, fallback: rubyFallback,
		linear: rubyLinear, iterate: rubyIterate, assigned: rubyAssigned, builtin: rubyBuiltin, near: rubyNear, everywhere: rubyEverywhere, brings: rubyBrings,
		alsoCalls: rubyAlsoCalls, passes: rubyPasses, quiet: rubyQuiet, ranged: rubyRanged, namesVariable: rubyNamesConstant,
	}
}

// parseRubyType: the text of a type is a constant; that of a block says nothing.
func parseRubyType(text string) typeNode {
	name := strings.ReplaceAll(strings.TrimPrefix(strings.TrimSpace(text), "::"), "::", ".")
	if name == "" || name == "&" {
		return typeNode{name: funcKey}
	}
	return typeNode{name: name}
}

// rubyReaches are the files that a require means: one beside the file, or those
// whose path ends as it says.
func rubyReaches(r *run, f *file, imp *code.Import) []*file {
	name := strings.TrimSuffix(imp.Module, ".rb") + ".rb"
	if imp.Level > 0 {
		if t := r.p.files[path.Join(path.Dir(f.Path), name)]; t != nil {
			return []*file{t}
		}
		return nil
	}
	if t := r.p.files[path.Join("lib", name)]; t != nil {
		return []*file{t}
	}
	var out []*file
	clean := path.Clean("/" + name)
	for _, p := range r.p.ending(path.Base(clean)) {
		if strings.HasSuffix("/"+p, clean) {
			out = append(out, r.p.files[p])
		}
	}
	return out
}

// rubyBrings: what a file loads is looked up as any constant.
func rubyBrings(r *run, f *file, imp *code.Import) ([]value, bool) {
	if imp.Alias == "" {
		return nil, true
	}
	return r.rubyConstants("ruby:", imp.Alias), true
}

// rubySpecial works out names, members and calls.
func rubySpecial(r *run, f *file, e *code.Expr, i int32) ([]value, bool) {
	switch e.Kind {
	case code.NameExpr:
		return r.rubyNearest(f, r.rubyName(f, e)), true
	case code.MemberExpr:
		return r.rubyNearest(f, r.rubyMember(f, e)), true
	case code.CallExpr:
		return r.rubyCalled(f, e), true
	case code.NewExpr:
		vs := r.made(f, e)
		if e.X > 0 && f.Exprs[e.X].Kind == code.SelfExpr { // of a class below, where that is asked
			vs = slices.Clone(vs)
			for i := range vs {
				vs[i].exact = false
			}
		}
		return vs, true
	case code.IndexExpr:
		vs := r.rubyIndexed(f, e)
		return vs, len(vs) > 0
	}
	return nil, false
}

// rubyNear keeps what the file itself has, where it has one: programs that stand
// beside each other have classes of the same name.
func rubyNear(_ *run, f *file, ids []id) []id {
	own := slices.DeleteFunc(slices.Clone(ids), func(s id) bool { return s.f != f })
	if len(own) == 0 {
		return ids
	}
	return own
}

func (r *run) rubyNearest(f *file, vs []value) []value {
	if len(vs) < 2 {
		return vs
	}
	return r.nearestFunctions(f, vs)
}

func rubyIsConstant(name string) bool { return name != "" && name[0] >= 'A' && name[0] <= 'Z' }

// rubyName is what a name means: a local variable, a constant, a method of self,
// a method of the top.
func (r *run) rubyName(f *file, e *code.Expr) []value {
	if name, ok := strings.CutPrefix(e.Name, "::"); ok {
		if vs := r.rubyConstants("ruby:", name); len(vs) > 0 {
			return vs
		}
		return []value{{kind: aForeign, key: name}}
	}
	if rubyIsConstant(e.Name) {
		if vs := r.rubyConstant(f, e.Scope, e.Name); len(vs) > 0 {
			return vs
		}
	}
	if vs, ok := r.rubyLocal(f, e.Scope, e.Name, e.At); ok {
		return vs
	}
	for _, x := range r.self(f, e.Scope) {
		if vs, ok := r.rubyMethods(x, e.Name); ok {
			return ruled(vs, BySelf)
		}
	}
	if vs := r.rubyTop(f, e.Name); len(vs) > 0 {
		return vs
	}
	if rubyBuiltin(e.Name) || rubyIsConstant(e.Name) {
		return []value{{kind: aForeign, key: e.Name}}
	}
	return r.rubyMissing(r.self(f, e.Scope), e.Name)
}

// rubyLocal looks a local variable up: in the blocks around and the method, no
// further.
func (r *run) rubyLocal(f *file, scope int32, name string, at uint32) ([]value, bool) {
	closure := false
	for s := scope; s != code.None; s = f.Scopes[s].Parent {
		local := slices.ContainsFunc(f.named(s, name), func(b int32) bool { return f.Scopes[s].Bindings[b].Kind != code.Defines })
		if local {
			if vs, ok := r.inScope(f, s, name, at, closure); ok {
				return vs, true
			}
		}
		sym := f.Scopes[s].Symbol
		if f.Scopes[s].Kind == code.ClassScope || sym != code.None && f.Scopes[s].Kind == code.FunctionScope && f.Symbols[sym].Kind != code.Lambda {
			break
		}
		closure = closure || f.Scopes[s].Kind == code.FunctionScope
	}
	return nil, false
}

// rubyTop is a method defined outside of any class, and those of modules that
// are included there.
func (r *run) rubyTop(f *file, name string) []value {
	var here, all []value
	for _, s := range r.p.symbols["ruby:"+name] {
		if s.sym().Kind != code.Function && s.sym().Kind != code.Variable {
			continue
		}
		if s.f == f {
			here = add(here, r.symbolValue(s, ByFile)...)
		}
		all = add(all, r.symbolValue(s, ByPackage)...)
	}
	if len(here) > 0 {
		return here
	}
	if len(all) > 0 {
		return all
	}
	for i := range f.Inherits {
		if h := &f.Inherits[i]; h.Symbol == code.None && h.Type == "Object" {
			for _, v := range r.base(f, h) {
				if vs, ok := r.rubyMethods(value{kind: anInst, key: v.key, exact: true}, name); ok {
					return ruled(vs, ByPackage)
				}
			}
		}
	}
	return nil
}

// rubyConstant looks a constant up in the modules around, what the innermost
// inherits from, and the top.
func (r *run) rubyConstant(f *file, scope int32, name string) []value {
	var around []string
	for s := scope; s != code.None; s = f.Scopes[s].Parent {
		if sym := f.Scopes[s].Symbol; f.Scopes[s].Kind == code.ClassScope && sym != code.None && f.Symbols[sym].Scope == s {
			around = append(around, f.keys[sym])
		}
	}
	for _, key := range around {
		if vs := r.rubyConstants(key, name); len(vs) > 0 {
			return vs
		}
	}
	if len(around) > 0 && !r.opening[around[0]+".<ancestors>"] {
		at := around[0] + ".<ancestors>"
		r.opening[at] = true // the ancestors are constants themselves
		defer delete(r.opening, at)
		for _, key := range r.linear(around[0]) {
			if vs := r.rubyConstants(key, name); len(vs) > 0 {
				return vs
			}
		}
	}
	return r.rubyConstants("ruby:", name)
}

// rubyConstants are the classes, modules and constants of a name in a module.
func (r *run) rubyConstants(key, name string) []value {
	var out []value
	for _, s := range r.p.symbols[join(key, name)] {
		switch s.sym().Kind {
		case code.Class, code.Module, code.Constant:
			out = add(out, r.symbolValue(s, ByQualified)...)
		}
	}
	return out
}

// rubyNamesConstant says that a name in a scope is the constant with the key.
func rubyNamesConstant(r *run, f *file, scope int32, name, key string) bool {
	for s := scope; s != code.None; s = f.Scopes[s].Parent {
		if sym := f.Scopes[s].Symbol; f.Scopes[s].Kind == code.ClassScope && sym != code.None && f.Symbols[sym].Scope == s {
			if at := join(f.keys[sym], name); len(r.p.symbols[at]) > 0 {
				return at == key
			}
		}
	}
	return join("ruby:", name) == key
}

// rubyFallback is a name within a type's text: a constant.
func rubyFallback(r *run, f *file, scope int32, name string) []value {
	return r.rubyConstant(f, scope, name)
}

// rubySelf is the class or module around, or an instance of it.
func rubySelf(r *run, f *file, scope int32) ([]value, bool) {
	kind := aType
	for s := scope; s != code.None; s = f.Scopes[s].Parent {
		sym := f.Scopes[s].Symbol
		if sym == code.None || f.Symbols[sym].Scope != s {
			continue
		}
		switch d := &f.Symbols[sym]; d.Kind {
		case code.Method, code.Constructor, code.Function:
			if d.Owner != "" {
				return []value{{kind: aType, key: r.ownerKey(id{f, sym}), rule: BySelf}}, true
			}
			if !d.Static || r.rubyBoth(id{f, sym}) && kind == anInst {
				kind = anInst
			}
		case code.Class, code.Module:
			return []value{{kind: kind, key: f.keys[sym], rule: BySelf}}, true
		case code.Lambda:
			if vs := r.rubyRebound(id{f, sym}); len(vs) > 0 {
				return vs, true
			}
		}
	}
	return nil, true
}

// rubyBoth says that a method is the module's own and one of what includes it:
// module_function.
func (r *run) rubyBoth(s id) bool {
	sym := s.sym()
	return sym.Static && sym.Kind == code.Method && sym.Parent != code.None && s.f.Symbols[sym.Parent].Kind == code.Module &&
		!strings.Contains(sym.Signature, "def self.") && sym.Owner == ""
}

// rubyLinear is the order of ancestors: what is prepended, the class, what is
// included (the last first), then the same of its superclass.
func rubyLinear(r *run, key string) []string {
	var before, after, up []string
	bases := 0
	for _, h := range r.inherits(key) {
		if h.v.kind != aType && h.v.kind != aModule || h.v.key == key {
			continue
		}
		switch h.kind {
		case code.Prepends:
			before = append(slices.Clone(r.linear(h.v.key)), before...)
		case code.Mixin:
			after = append(slices.Clone(r.linear(h.v.key)), after...)
		case code.Extends:
			up = append(up, r.linear(h.v.key)...)
			bases++
		}
	}
	if bases == 1 && len(before)+len(after) == 0 {
		return onTop(key, up)
	}
	var out []string
	for _, list := range [][]string{before, {key}, after, up} {
		for _, k := range list {
			if !slices.Contains(out, k) {
				out = append(out, k)
			}
		}
	}
	return out
}

// rubyKernel are methods that every object has, and the commonest words of the
// library that read like them.
var rubyKernel = map[string]bool{
	"puts": true, "print": true, "p": true, "pp": true, "raise": true, "require": true, "require_relative": true, "load": true, "format": true,
	"sprintf": true, "printf": true, "loop": true, "lambda": true, "proc": true, "rand": true, "sleep": true, "exit": true, "abort": true,
	"warn": true, "catch": true, "throw": true, "binding": true, "block_given?": true, "freeze": true, "dup": true, "clone": true,
	"instance_variable_get": true, "instance_variable_set": true, "respond_to?": true, "is_a?": true, "kind_of?": true, "send": true,
	"public_send": true, "define_method": true, "attr_accessor": true, "attr_reader": true, "gets": true, "system": true, "exec": true,
	"at_exit": true, "caller": true, "fail": true, "open": true, "select": true, "srand": true, "trap": true, "Integer": true, "Float": true,
	"String": true, "Array": true, "Hash": true, "Rational": true, "Complex": true, "__method__": true, "__dir__": true, "object_id": true,
	"instance_variables": true, "method": true, "methods": true, "tap": true, "then": true, "enum_for": true, "to_enum": true, "hash": true,
	"inspect": true, "to_s": true, "instance_of?": true, "nil?": true, "extend": true, "include": true, "private": true, "public": true,
	"protected": true, "module_function": true, "alias_method": true, "remove_method": true, "undef_method": true, "const_get": true,
	"const_set": true, "class_eval": true, "instance_eval": true, "instance_exec": true, "autoload": true, "eval": true, "fork": true, "spawn": true,
}

func rubyBuiltin(name string) bool { return rubyKernel[name] }

// rubyCommon are names of methods that strings, numbers, collections, files and
// times have, beside those of every object.
var rubyCommon = wordSet(`
class name nil? blank? present? empty? any? all? none? one? size length count first last each map select reject find detect
each_with_index each_with_object inject reduce sum min max sort sort_by group_by partition zip flatten compact uniq reverse include?
member? key? has_key? value? keys values fetch dig merge merge! update store delete delete_if keep_if push pop shift unshift append
prepend concat insert index rindex slice slice! take drop join split strip lstrip rstrip chomp chop chars bytes lines gsub gsub! sub sub!
tr scan match match? start_with? end_with? upcase downcase capitalize swapcase to_i to_f to_s to_sym to_a to_h to_proc to_str to_json
to_r to_c inspect hash eql? equal? == != === =~ <=> + - * / % << >> [] []= ! abs ceil floor round times upto downto step zero? positive?
negative? even? odd? succ pred chr ord encode encoding force_encoding unpack unpack1 pack unicode_normalize hex oct center ljust rjust
format each_char each_line each_byte replace clear read write puts print printf close closed? open flush rewind seek pos eof? gets getc
readline readlines path basename dirname extname exist? file? directory? mtime stat year month day hour min sec usec strftime utc
localtime iso8601 call arity parameters curry owner receiver source_location new allocate superclass ancestors instance_methods
method_defined? instance_method const_get const_defined? constants module_eval class_eval class_exec instance_eval instance_exec
define_method send public_send respond_to? is_a? kind_of? instance_of? freeze frozen? dup clone tap then itself extend
instance_variable_get instance_variable_set instance_variable_defined? message backtrace cause full_message exception set_backtrace
value alive? join kill wakeup synchronize lock unlock wait signal broadcast lazy next peek entries cycle chunk slice_when tally each_slice
each_cons each_key each_value each_pair transform_values transform_keys filter filter_map flat_map find_index find_all min_by max_by minmax
sample shuffle rotate product combination permutation transpose assoc values_at dig default default= compare_by_identity invert key
`)

func rubyEverywhere(name string) bool { return rubyCommon[name] || rubyKernel[name] || rubySigns[name] }

// rubyCore are classes of the language that programs reopen: making one of them
// runs nothing of the project.
var rubyCore = wordSet(`
Array BasicObject Class Complex Comparable Date DateTime Dir Encoding Enumerable Enumerator Exception File Float Hash IO Integer Kernel
Method Module Mutex NilClass Numeric Object Proc Process Queue Random Range Rational Regexp Set StandardError String StringIO Struct Symbol
Thread Time ArgumentError RuntimeError NameError NoMethodError TypeError IOError KeyError IndexError
`)
