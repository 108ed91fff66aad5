package resolve

import (
	"slices"
	"strings"

	"chitta/internal/code"
	"chitta/internal/syntax"
)

// language is what languages differ in.
type language struct {
	// family is shared by languages that see each other's symbols.
	family string
	// unit names the package or module that the top of a file is in. Without it,
	// it is what the file declares.
	unit func(p *Project, f *file) string
	// sharesUnit: the files of a unit see each other's names without import;
	// private: only those that are exported.
	sharesUnit, private bool
	// around lists the units whose names are seen as well, nearest first.
	around func(unit string) []string
	// find lists the units that an import may mean, as they are in the tables
	// (without the family).
	find func(r *run, f *file, imp *code.Import) []string
	// findsAlike says that find depends on files and manifests alone.
	findsAlike bool
	// submodule is a module within a module.
	submodule func(r *run, unit, name string) []value
	// importsAreExports: what a module imports can be imported from it.
	importsAreExports bool
	// scopedImports: imports belong to the module within the file that they stand
	// in.
	scopedImports bool
	// newFileMovesAll: a file that comes can change what others import.
	newFileMovesAll bool

	// implicitThis: members are named without an instance.
	implicitThis bool
	// classScope: names of a class's body are seen in its methods.
	classScope bool
	// lastDefinition: a second definition of a name replaces the first.
	lastDefinition bool
	// selfIsType: in a class's body and its own methods, self is the type.
	selfIsType bool
	// modulesAreTypes: modules have methods and an own self (Ruby).
	modulesAreTypes bool
	// adopts: methods can be written away from their type's package.
	adopts bool
	// dynamic: parameters have what is passed to them for a type.
	dynamic bool
	// callbacks: functions handed to what is outside are taken as called;
	// callsBack says of what, all of it without.
	callbacks bool
	callsBack func(vs []value) bool
	// alsoCalls are methods of its arguments that a call of something built in
	// runs.
	alsoCalls func(r *run, f *file, e *code.Expr, vs []value) []target
	// decorators put what they return in a function's place.
	decorators bool
	// dictMembers: entries of a written-out dict are its members.
	dictMembers bool
	// unique: the last rule is of use.
	unique bool
	// constructors are names of constructors; inheritsConstructors: those of a
	// base run where a type has none.
	constructors         []string
	inheritsConstructors bool
	// callOperator is the method that runs when an instance is called.
	callOperator string
	// bodiesApart: what a type's body declares is reached through the type only.
	bodiesApart bool
	// onlyInterfaces: methods of interfaces and traits alone may be another
	// type's where they are called.
	onlyInterfaces bool
	// conversions: calling a type converts, and calls nothing.
	conversions bool
	// sequences: rest parameters are collections, and so is what a function gives
	// that yields.
	sequences bool
	// transparent are generic types that stand for their last argument.
	transparent []string
	// selfTypes are names of types that mean the type around.
	selfTypes []string

	// ownType says that a type declared as another is one of its own, not just
	// another name.
	ownType func(sym *code.Symbol) bool
	// functional says that a value is of a type that is declared as a function.
	functional func(r *run, x value) bool
	// ranged is the n-th part, from 1, of what a loop over values gives.
	ranged func(r *run, xs []value, n int) []value
	// namesVariable says that a name in a scope means the variable or constant with
	// the key, where these lie within types as well.
	namesVariable func(r *run, f *file, scope int32, name, key string) bool
	// callable are the functions that run when an instance is called.
	callable func(r *run, x value) []value
	// together says that two files can be part of one program.
	together func(a, b *file) bool
	// yields is what a loop over a function gives, where there is such a thing.
	yields func(r *run, x value) ([]value, bool)
	// assigned adds to what a field or variable is declared to be what it is set
	// to anywhere.
	assigned func(r *run, s id, declared []value) []value

	parseType     func(text string) typeNode
	qualified     func(r *run, f *file, name string) []value
	linear        func(r *run, key string) []string
	satisfies     func(r *run, key string) []string
	builtin       func(name string) bool
	fallback      func(r *run, f *file, scope int32, name string) []value
	iterate       func(r *run, x value) []value
	special       func(r *run, f *file, e *code.Expr, i int32) ([]value, bool)
	foreignMember func(r *run, f *file, x value, name string) ([]value, bool)
	foreignCall   func(r *run, f *file, e *code.Expr, v value) ([]value, bool)
	sameType      func(have, want string) int
	// getter says that reading a member calls it and gives what it gives.
	getter func(s id) bool
	// quiet says that a call without a target is not one that the text makes.
	quiet func(c *code.Call) bool
	// puts is what is put into a collection after it is made.
	puts func(r *run, x value) []value
	// pair is the n-th part, from 1, of a sequence's element.
	pair func(r *run, x value, n int) []value
	// self is the instance around a scope, where that is not the type's alone.
	self func(r *run, f *file, scope int32) ([]value, bool)
	// functionMember is the member of a function.
	functionMember func(r *run, f *file, x value, name string) []value
	// unknownMember is the member of values that are not known to have it.
	unknownMember func(xs []value, name string) []value
	// objectMember says that every dict has a member of the name.
	objectMember func(name string) bool
	// passes notes what a call of something outside hands on.
	passes func(r *run, f *file, e *code.Expr, vs []value)
	// keyed is what a dict is given under a name after it is made.
	keyed func(r *run, x value, name string) []value
	// moreBases are those that the text of a base says besides.
	moreBases func(r *run, f *file, h *code.Inherit) []value
	// moduleValue is what a module is as a value; itself without it.
	moduleValue func(r *run, unit string) []value
	// exportedOnly: a module's other symbols cannot be had from outside.
	exportedOnly bool
	// functionTypes: functions are types where they are used as such.
	functionTypes bool
	// separate: fields and methods of a type may have the same name.
	separate bool
	// overloads: methods of one name differ in their parameters, those of a base
	// among them.
	overloads bool
	// separateConstructors: this(…) runs another constructor of the type.
	separateConstructors bool
	// declaresOnly: a variable declared without a value has none.
	declaresOnly bool
	// settled says that a method is never another type's where it is called.
	settled func(s id) bool
	// lambdas are the functions that are used as instances of an interface.
	lambdas func(r *run, key string) []value
	// choose keeps the overloads that a call means.
	choose func(r *run, f *file, e *code.Expr, fns []value) []value
	// opens says that an import of everything reaches something of the project.
	opens func(r *run, f *file, imp *code.Import) bool
	// component is the n-th part, from 1, that an instance is taken apart into.
	component func(r *run, x value, n int) []value
	// narrow is what a variable of a declared type holds that is set to values.
	narrow func(r *run, declared, values []value) []value
	// untyped is what a parameter without a type may be by where its function is
	// written.
	untyped func(r *run, s id, param int) []value
	// ownName: within a type its name is the type, not its constructor.
	ownName bool
	// brings is what an import gives, where that is not a unit or a name of one.
	brings func(r *run, f *file, imp *code.Import) ([]value, bool)
	// reaches lists the files of an import, where files are not units.
	reaches func(r *run, f *file, imp *code.Import) []*file
	// callee is what a call calls, where its form says more than its expression.
	callee func(r *run, f *file, c *code.Call, e *code.Expr) ([]value, bool)
	// typeOf says that a generic type stands for the type that is its argument,
	// not for an instance of it.
	typeOf func(name string) bool
	// typeVariable is what a name stands for that is declared as a generic one
	// away from what uses it; false if it is no such name.
	typeVariable func(r *run, f *file, scope int32, name string) ([]value, bool)
	// typeArgument is what a generic parameter without a bound stands for.
	typeArgument func(r *run, f *file, scope int32, name string) []value
	// near keeps, of several symbols of one key, those that a file means.
	near func(r *run, f *file, ids []id) []id
	// everywhere says that values of the library have a member of the name, so
	// that it being the only one in the project says nothing.
	everywhere func(name string) bool
	// silent says that what is written like a call is none.
	silent func(r *run, f *file, c *code.Call, e *code.Expr) bool
	// bodies lists the functions that a declaration without a body stands for.
	bodies func(r *run, s id) []id
	// virtual says that a method found in a type may be another's below it.
	virtual func(r *run, s id) bool
	// keyNames are the names of a file that things are looked up by.
	keyNames func(r *run, f *file) map[string]bool
	// skipsReceiver is how many leading parameters a call does not give.
	skipsReceiver func(r *run, f *file, e *code.Expr, fn id) int
}

// languages are set up in one file each.
var languages map[syntax.Lang]*language

func init() {
	languages = map[syntax.Lang]*language{
		syntax.CPP: cppLanguage(), syntax.CSharp: csharpLanguage(), syntax.Go: goLanguage(), syntax.Java: javaLanguage(),
		syntax.JavaScript: scriptLanguage(), syntax.TypeScript: scriptLanguage(), syntax.Python: pythonLanguage(),
		syntax.Ruby: rubyLanguage(), syntax.Rust: rustLanguage(),
	}
}

// units are the units that an import means, with the family.
func (l *language) units(r *run, f *file, imp *code.Import) []string {
	if l.find == nil {
		return nil
	}
	if out, ok := r.reached[imp]; ok {
		return out
	}
	var out []string
	for _, u := range l.find(r, f, imp) {
		out = append(out, l.family+":"+u)
	}
	if l.findsAlike {
		out = slices.Clip(out)
		r.reached[imp] = out
	}
	return out
}

// targets are the files that an import reaches.
func (l *language) targets(r *run, f *file, imp *code.Import) []*file {
	if l.reaches != nil {
		return l.reaches(r, f, imp)
	}
	var out []*file
	for _, u := range l.units(r, f, imp) {
		if files := r.p.units[u]; out == nil {
			out = slices.Clip(files)
		} else {
			out = append(out, files...)
		}
	}
	return out
}

// imported is what an import brings in under its alias.
func (l *language) imported(r *run, f *file, imp *code.Import) []value {
	if l.brings != nil {
		if vs, ok := l.brings(r, f, imp); ok {
			return vs
		}
	}
	units := l.units(r, f, imp)
	for _, u := range units {
		if imp.Name == "" || imp.Name == "*" {
			if _, ok := r.p.units[u]; ok {
				if l.moduleValue != nil {
					return l.moduleValue(r, u)
				}
				return []value{{kind: aModule, key: u}}
			}
			for _, s := range r.p.symbols[u] { // a namespace or type of that name
				return r.symbolValue(s, ByImport)
			}
			continue
		}
		if vs := r.exported(u, imp.Name); len(vs) > 0 {
			return vs
		}
	}
	for _, u := range units {
		if _, ok := r.p.units[u]; ok {
			return nil // of the project, but without that name
		}
	}
	name := imp.Module
	if imp.Name != "" && imp.Name != "*" {
		name = join(name, imp.Name)
	}
	return []value{{kind: aForeign, key: name}}
}

// opened is what a module imported whole has under a name.
func (l *language) opened(r *run, f *file, imp *code.Import, name string) []value {
	for _, u := range l.units(r, f, imp) {
		if vs := r.exported(u, name); len(vs) > 0 {
			return vs
		}
	}
	return nil
}

// wordSet is a set of words that are written one after another.
func wordSet(text string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(text) {
		out[w] = true
	}
	return out
}
