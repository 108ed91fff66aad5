// Package code is the vocabulary of code intelligence: what one source file
// says by itself (its facts), whatever its language, and nothing of any other
// file. Facts are a pure function of a file's text, so they are kept by its
// hash; everything that needs more than one file is the resolver's.
//
// Facts keep expressions in a reduced form (names, members, calls, literals),
// enough to ask later "what may this be?" without the text.
package code

import "chitta/internal/syntax"

// Version is part of what facts are kept by. It changes with every change of
// what an extractor finds or how facts are written.
const Version = 4

// None is the index of nothing, wherever facts point into a list.
const None int32 = -1

// File is what one file says.
type File struct {
	Path string      // from the project's root, with slashes
	Lang syntax.Lang // TSX is TypeScript here
	// Package is what the text declares the file to be part of: a Go package
	// name, a Java package, a C# file-scoped namespace. Empty where a language
	// has it from the path or per symbol.
	Package  string
	Symbols  []Symbol
	Scopes   []Scope // Scopes[0] is the file itself
	Exprs    []Expr  // Exprs[0] is no expression, as None is not
	Imports  []Import
	Exports  []Export
	Calls    []Call
	Inherits []Inherit
	// ErrorLines are the first lines with text that fits no rule, ErrorCount is
	// how many there are. What stands beside them is still found.
	ErrorLines []int
	ErrorCount int
	// Cut says that the deepest nesting was left out.
	Cut bool
}

// Kind is what a symbol is.
type Kind string

// Kinds of symbols.
const (
	Function    Kind = "function"
	Method      Kind = "method"
	Constructor Kind = "constructor"
	Lambda      Kind = "lambda" // a function without a name of its own
	Class       Kind = "class"
	Struct      Kind = "struct"
	Interface   Kind = "interface"
	Trait       Kind = "trait"
	Enum        Kind = "enum"
	Module      Kind = "module" // a namespace or module written in the text
	TypeAlias   Kind = "type"
	Constant    Kind = "constant"
	Variable    Kind = "variable" // of a file or package, not of a function
	Field       Kind = "field"    // also property
	EnumMember  Kind = "member"
	Macro       Kind = "macro"
)

// Callable says that a symbol of the kind can be called as a function.
func (k Kind) Callable() bool {
	switch k {
	case Function, Method, Constructor, Lambda, Macro:
		return true
	}
	return false
}

// Type says that a symbol of the kind has members and instances.
func (k Kind) Type() bool {
	switch k {
	case Class, Struct, Interface, Trait, Enum, TypeAlias:
		return true
	}
	return false
}

// Symbol is something that has a name and a place. Locals of functions are
// bindings, not symbols; functions within functions are symbols.
type Symbol struct {
	Name string
	// Path is the name with the names of what encloses it, joined by dots:
	// "Server.Listen", "outer.inner", "Outer.Inner.<lambda1>". Methods written
	// outside of their type (Go, Rust, C++) have the type's name before theirs.
	// Namespaces within the file are part of it; the package is not.
	Path      string
	Kind      Kind
	Signature string // one line, as written, without the body
	Doc       string // the comment that belongs to it, without its markers
	Start     uint32 // bytes, decorators and modifiers included, comment not
	End       uint32
	Line      int
	EndLine   int
	// Parent is the enclosing symbol, None at the top of the file.
	Parent int32
	// Owner is the type's name as written, for a method that does not stand
	// within its type (Go's receiver, Rust's impl, C++'s A::f).
	Owner string
	// Scope is what the symbol opens (a function's body with its parameters, a
	// class's body), or None.
	Scope    int32
	Exported bool // can be used from other files or packages
	Static   bool // belongs to the type, not to an instance
	Abstract bool // has no body, and others have it
	Params   []Param
	Returns  string  // the declared type of the result, as written
	Type     string  // the declared type of a field, variable or constant; what a type alias stands for
	Value    int32   // what a field, variable or constant is first set to, or None
	Results  []int32 // what the function returns: expressions
	Yields   bool    // the results are elements of what a call gives
	// Decorators are expressions, outermost first.
	Decorators []int32
	TypeParams []string // names of generic parameters
	// Body is the hash of the text without comments, blank space and its own name.
	Body uint64
}

// Param is a parameter of a function.
type Param struct {
	Name     string
	Type     string // as written
	Default  int32  // expression, or None
	Optional bool   // may be left out
	Variadic bool   // takes the rest of the arguments
	Keyword  bool   // takes the rest of the named arguments (Python's **)
}

// ScopeKind is what a scope belongs to.
type ScopeKind uint8

// Kinds of scopes.
const (
	FileScope ScopeKind = iota
	ClassScope
	FunctionScope
	BlockScope
	ModuleScope
)

// Scope is a part of the text within which names hold.
type Scope struct {
	Kind     ScopeKind
	Parent   int32 // None for the file
	Symbol   int32 // whose scope it is, or that it stands in; None at the top
	Bindings []Binding
}

// BindingKind is how a name came by its meaning.
type BindingKind uint8

// Kinds of bindings.
const (
	Defines  BindingKind = iota // a symbol; Ref is its index
	Imports                     // Ref is the index of the import
	Takes                       // a parameter; Ref is its position (not counting a receiver)
	Assigned                    // a variable; Type as declared, Value as assigned
	Receiver                    // the instance that a method is called on (Go's receiver, Python's self, cls)
	Outer                       // this name is one of the file (Python's global) or of the scope around (nonlocal)
)

// Binding gives a name a meaning within a scope, from a place in the text on.
type Binding struct {
	Name string
	Type string // as declared, if it is
	// Element says that the name holds the elements of Value, one after another
	// (a loop), Part, from 1, that it holds that part of it (taken apart).
	Part  int
	Ref   int32
	Value int32 // the expression assigned, or None
	At    uint32
	Kind  BindingKind
	// Maybe says that the assignment stands in a branch or loop below the scope
	// that it binds in, so that what was bound before may still hold.
	Maybe   bool
	Element bool
}

// ExprKind is the form of a reduced expression.
type ExprKind uint8

// Forms of expressions.
const (
	OtherExpr  ExprKind = iota // anything else: arithmetic, comparison …
	NameExpr                   // Name, looked up in Scope
	SelfExpr                   // this, self where it is a keyword; implicit nowhere
	SuperExpr                  // super
	MemberExpr                 // X.Name, X->Name, X::Name
	CallExpr                   // X called with Args
	NewExpr                    // a new instance of the type X (an expression) or Name (a type's text), with Args
	FuncExpr                   // a function written in place; Ref is its symbol
	TypedExpr                  // a value of the type with the text Name: cast, composite literal, typed literal
	ConstExpr                  // a literal; Name is the language's own type for it ("str", "int", "list"); for a string Text is its value
	ListExpr                   // elements Args
	DictExpr                   // Args are values, Keys their names ("" where not a plain string or name)
	IndexExpr                  // X[Key]; Name is the key where it is a plain string or number, Args[0] the key otherwise
	EitherExpr                 // one of Args: conditionals, or, and, ??
	AwaitExpr                  // what X gives when it is done
	DerefExpr                  // *x, &x, x!, x?, (x), try: X itself for our purpose
	TupleExpr                  // Args, several values at once
	SpreadExpr                 // the elements of X
	AssignExpr                 // an assignment used as a value: X
)

// Expr is an expression in reduced form. Indexes point into the file's Exprs. A
// project has millions of them, so what most lack is apart; [Blank] makes one.
type Expr struct {
	Name  string
	X     int32 // operand, or None
	Scope int32
	At    uint32
	Kind  ExprKind
	*More // never nil
}

// More is what few expressions have. Those of decoded facts and of [Bare] share
// one if they have nothing of it, so that it is read there and never set.
type More struct {
	Text string   // a string literal's value, at most 200 bytes
	Args []int32  // elements, arguments
	Keys []string // names of Args: of a DictExpr, and named arguments of a call ("" where none)
	Ref  int32    // symbol of FuncExpr, None otherwise
}

// nothing says that there is none of it.
func (m *More) nothing() bool {
	return m.Text == "" && len(m.Args) == 0 && len(m.Keys) == 0 && m.Ref == None
}

// Blank is an expression of the kind with nothing in it, which may be filled.
func Blank(kind ExprKind) Expr { return Expr{Kind: kind, X: None, More: &More{Ref: None}} }

// Bare is an expression that has a name and an operand at most, which is not
// filled any further.
func Bare(kind ExprKind, x int32, name string) Expr {
	return Expr{Kind: kind, X: x, Name: name, More: leaf}
}

// CallKind is the form of a call.
type CallKind string

// Forms of calls.
const (
	PlainCall  CallKind = "Call"       // f(x)
	MemberCall CallKind = "MemberCall" // x.f()
	Qualified  CallKind = "Qualified"  // Type.f(), ns::f(), pkg.F(): decided by the form of the text where the language tells, else MemberCall
	New        CallKind = "New"        // new T(…)
	Ctor       CallKind = "Ctor"       // T(…), T{…}, super(…), this(…): a constructor without new
	Indirect   CallKind = "Indirect"   // calls what an expression gives: f()(), a[i](), (*p)(), decorators
	LambdaCall CallKind = "LambdaCall" // a function written in place and called
)

// Call is a place in the text where something is called.
type Call struct {
	Kind     CallKind
	Name     string // the last name of what is called, "" where there is none
	Receiver string // the text before it, shortened
	Expr     int32  // the CallExpr or NewExpr
	Caller   int32  // the enclosing function symbol, None for code outside of functions
	Scope    int32
	Args     int
	Line     int
	At       uint32
}

// Import is a name brought in from elsewhere.
type Import struct {
	Module string // as written, without quotes
	Name   string // what is taken from it; "" the module itself, "*" everything
	Alias  string // the name that it has here; "" for "*", and for none
	Level  int    // leading dots of a relative import (Python)
	// Reexport says that it is offered to others under Alias (or everything).
	Reexport bool
	Static   bool // members of a type (Java, C#)
	TypeOnly bool
	Scope    int32
	Line     int
}

// Export offers a value under a name that is not the name of a symbol at the top
// of the file: `export { a as b }`, `export default`, `exports.f = …`. A whole
// module set to a value (module.exports = f) has the name "=".
type Export struct {
	Name string
	Expr int32
	Line int
}

// InheritKind is how a type takes from another.
type InheritKind string

// Ways to inherit.
const (
	Extends    InheritKind = "extends"
	Implements InheritKind = "implements"
	Embeds     InheritKind = "embeds"
	Mixin      InheritKind = "mixin" // Ruby's include; Prepends comes before the type itself
	Prepends   InheritKind = "prepends"
	Singleton  InheritKind = "extend" // Ruby's extend: into the type's own methods
)

// Inherit says that a type takes from another.
type Inherit struct {
	Symbol int32  // the type, or None where only Type names it (Rust's impl T for U)
	Type   string // its name as written, where Symbol is None
	Base   string // the other's text, without generic arguments
	Expr   int32  // the same as an expression, or None
	Kind   InheritKind
	Line   int
}
