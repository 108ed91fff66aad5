// Package extract reads the facts of a file off its syntax tree, one language a
// file. It is a pure function: tree in, facts out.
//
// A language's walker goes over the tree once. It opens a scope where the
// language has one, defines symbols, binds names, and reduces expressions; the
// builder here does the bookkeeping, so that all languages mean the same by it.
package extract

import (
	"strings"
	"unicode/utf8"

	"chitta/internal/code"
	"chitta/internal/syntax"
)

const (
	maxSignature = 300 // bytes: a line that a person reads
	maxDoc       = 2000
	maxReceiver  = 80
	maxText      = 200
	maxErrors    = 20
	nodesPerExpr = 4 // nodes of a tree for one expression: three to four, by language
	// maxPath and maxNesting bound what a symbol repeats of those around it: text
	// nested a thousand times would else give a million names.
	maxPath    = 1 << 10
	maxNesting = 32
)

// walkers are what reads a language.
var walkers = map[syntax.Lang]func(*builder, syntax.Node){
	syntax.CPP:        walkCPP,
	syntax.CSharp:     walkCSharp,
	syntax.Go:         walkGo,
	syntax.Java:       walkJava,
	syntax.JavaScript: walkScript,
	syntax.Python:     walkPython,
	syntax.Ruby:       walkRuby,
	syntax.Rust:       walkRust,
	syntax.TypeScript: walkScript,
}

// Facts reads the facts of a parsed file. They hold no reference to the tree.
func Facts(path string, t *syntax.Tree) *code.File {
	lang := t.Lang
	if lang == syntax.TSX {
		lang = syntax.TypeScript
	}
	b := &builder{tree: t, file: &code.File{Path: path, Lang: lang, Cut: t.Cut}}
	b.file.ErrorLines, b.file.ErrorCount = t.Errors(maxErrors)
	b.file.Scopes = []code.Scope{{Kind: code.FileScope, Parent: code.None, Symbol: code.None}}
	b.file.Exprs = make([]code.Expr, 1, 1+t.Len()/nodesPerExpr)
	b.file.Exprs[0] = blank(code.OtherExpr) // so that 0 is no expression either
	b.owner = code.None
	if walk := walkers[lang]; walk != nil {
		walk(b, t.Root())
	}
	return b.file
}

// builder holds a file's facts while they are read. scope and owner are where
// the walk stands.
type builder struct {
	tree    *syntax.Tree
	file    *code.File
	scope   int32 // current scope
	owner   int32 // enclosing symbol, or None
	lambdas map[int32]int
	depths  []uint8 // of symbols
	hashed  int     // bytes that went into hashes of bodies
	whole   uint64  // hash of the text; 0: not needed yet
	roles   [1024]role
}

// hiddenBody tells the hash of a body that others cannot call from that of one
// that they can.
const hiddenBody = 1 << 40

// define adds a symbol that stands at n within the current symbol, binds its
// name in the current scope (unless the name is empty, or it is a lambda), and
// returns its index. Name, Kind, and whatever else the language knows are set in
// s; place, path, parent, body hash and signature are set here unless given.
func (b *builder) define(n syntax.Node, s code.Symbol) int32 {
	s.Start, s.End, s.Line, s.EndLine = n.Start(), n.End(), n.Line(), n.EndLine()
	s.Parent = b.parent()
	if s.Path == "" {
		s.Path = s.Name
		if s.Owner != "" {
			s.Path = s.Owner + "." + s.Name
		}
		if s.Parent != code.None {
			s.Path = b.file.Symbols[s.Parent].Path + "." + s.Path
		}
	}
	s.Path = b.fitting(&s)
	if s.Signature == "" {
		s.Signature = b.signature(n)
	}
	s.Signature = clip(s.Signature, maxSignature)
	s.Doc = clip(s.Doc, maxDoc)
	if s.Body == 0 {
		s.Body = b.bodyHash(n, s.Name)
		if b.tree.Lang == syntax.Ruby && !s.Exported {
			s.Body ^= hiddenBody // by a word that stands apart from it
		}
	}
	s.Scope = code.None
	b.file.Symbols, b.depths = append(b.file.Symbols, s), append(b.depths, b.depth(s.Parent)+1)
	i := int32(len(b.file.Symbols) - 1)
	if s.Name != "" && s.Kind != code.Lambda && s.Owner == "" {
		b.bind(code.Binding{Name: s.Name, Kind: code.Defines, Ref: i, Type: s.Type, Value: code.None, At: n.Start()})
	}
	return i
}

// parent is what a symbol belongs to that is defined here: the enclosing one, or
// the innermost around it that is not too deep to have any.
func (b *builder) parent() int32 {
	if b.depth(b.owner) < maxNesting {
		return b.owner
	}
	return b.file.Symbols[b.owner].Parent
}

func (b *builder) depth(symbol int32) uint8 {
	if symbol == code.None {
		return 0
	}
	return b.depths[symbol]
}

// fitting is a symbol's path, without those nearest around it if it is too long.
func (b *builder) fitting(s *code.Symbol) string {
	path := s.Path
	for at := s.Parent; len(path) > maxPath; at = b.file.Symbols[at].Parent {
		if at == code.None {
			return clip(s.Name, maxPath)
		}
		path = b.file.Symbols[at].Path + "." + s.Name
	}
	return path
}

// lambda adds a function without a name. It is called "<lambda1>" and so on
// within what encloses it.
func (b *builder) lambda(n syntax.Node, s code.Symbol) int32 {
	if b.lambdas == nil {
		b.lambdas = map[int32]int{}
	}
	b.lambdas[b.parent()]++
	s.Kind, s.Name = code.Lambda, "<lambda"+itoa(b.lambdas[b.parent()])+">"
	return b.define(n, s)
}

// within runs walk inside a new scope that belongs to the symbol.
func (b *builder) within(symbol int32, kind code.ScopeKind, walk func()) {
	scope, owner := b.scope, b.owner
	b.file.Scopes = append(b.file.Scopes, code.Scope{Kind: kind, Parent: scope, Symbol: symbol})
	b.scope, b.owner = int32(len(b.file.Scopes)-1), symbol
	if symbol != code.None && b.file.Symbols[symbol].Scope == code.None {
		b.file.Symbols[symbol].Scope = b.scope
	}
	walk()
	b.scope, b.owner = scope, owner
}

// block runs walk inside a new scope of the current symbol.
func (b *builder) block(walk func()) {
	scope := b.scope
	b.file.Scopes = append(b.file.Scopes, code.Scope{Kind: code.BlockScope, Parent: scope, Symbol: b.owner})
	b.scope = int32(len(b.file.Scopes) - 1)
	walk()
	b.scope = scope
}

// bind gives a name a meaning in the current scope.
func (b *builder) bind(binding code.Binding) { b.bindIn(b.scope, binding) }

// bindIn gives a name a meaning in a scope.
func (b *builder) bindIn(scope int32, binding code.Binding) {
	s := &b.file.Scopes[scope]
	s.Bindings = append(s.Bindings, binding)
}

// assign binds a name to a value in the current scope.
func (b *builder) assign(at syntax.Node, name, typ string, value int32) {
	b.bind(code.Binding{Name: name, Kind: code.Assigned, Ref: code.None, Type: typ, Value: value, At: at.Start()})
}

// function is the enclosing scope that belongs to a function, a class or the
// file: where Python, Ruby and JavaScript's var put names.
func (b *builder) function() int32 {
	for s := b.scope; ; s = b.file.Scopes[s].Parent {
		if sc := b.file.Scopes[s]; sc.Kind != code.BlockScope || sc.Parent == code.None {
			return s
		}
	}
}

// caller is the enclosing function symbol, or None.
func (b *builder) caller() int32 {
	for s := b.owner; s != code.None; s = b.file.Symbols[s].Parent {
		if b.file.Symbols[s].Kind.Callable() {
			return s
		}
	}
	return code.None
}

// params sets a function's parameters and binds them in the current scope,
// which must be the function's.
func (b *builder) params(symbol int32, at syntax.Node, params []code.Param) {
	b.file.Symbols[symbol].Params = params
	for i, p := range params {
		b.bind(code.Binding{Name: p.Name, Kind: code.Takes, Ref: int32(i), Type: p.Type, Value: p.Default, At: at.Start()})
	}
}

// expr adds an expression that stands at n in the current scope.
func (b *builder) expr(n syntax.Node, e code.Expr) int32 {
	if e.Scope, e.At = b.scope, n.Start(); e.Text != "" { // never set what is shared
		e.Text = clip(e.Text, maxText)
	}
	b.file.Exprs = append(b.file.Exprs, e)
	return int32(len(b.file.Exprs) - 1)
}

// blank is an expression of the kind with nothing in it.
func blank(kind code.ExprKind) code.Expr {
	return code.Blank(kind)
}

// name, member and other are the common forms.
func (b *builder) name(n syntax.Node, name string) int32 {
	return b.expr(n, code.Bare(code.NameExpr, code.None, name))
}

func (b *builder) member(n syntax.Node, x int32, name string) int32 {
	return b.expr(n, code.Bare(code.MemberExpr, x, name))
}

func (b *builder) other(n syntax.Node) int32 {
	return b.expr(n, code.Bare(code.OtherExpr, code.None, ""))
}

// wrap is an expression about one other.
func (b *builder) wrap(n syntax.Node, kind code.ExprKind, x int32) int32 {
	return b.expr(n, code.Bare(kind, x, ""))
}

// call adds a call at n of what callee gives, with the receiver's node (or no
// node), and returns the CallExpr.
func (b *builder) call(n syntax.Node, kind code.CallKind, callee int32, name string, receiver syntax.Node, args []int32, keys []string) int32 {
	e := blank(code.CallExpr)
	if kind == code.New {
		e.Kind = code.NewExpr
	}
	e.X, e.Name, e.Args, e.Keys = callee, name, args, keys
	i := b.expr(n, e)
	b.file.Calls = append(b.file.Calls, code.Call{
		Kind: kind, Name: name, Receiver: clip(squash(beginning(receiver)), maxReceiver), Expr: i,
		Caller: b.caller(), Scope: b.scope, Args: len(args), Line: n.Line(), At: n.Start(),
	})
	return i
}

// beginning is as much of a node's text as a receiver can show: of a long chain
// of calls each has all those before it for one.
func beginning(n syntax.Node) string {
	text := n.Bytes()
	return string(text[:min(len(text), 4*maxReceiver)])
}

// returns notes what the enclosing function returns.
func (b *builder) returns(value int32) {
	if f := b.caller(); f != code.None && value != code.None {
		b.file.Symbols[f].Results = append(b.file.Symbols[f].Results, value)
	}
}

// signature is the text up to the body, on one line.
func (b *builder) signature(n syntax.Node) string {
	end := n.End()
	if body := n.Child("body"); body.OK() {
		end = body.Start()
	}
	text := b.tree.Src[n.Start():end]
	if len(text) > 4*maxSignature {
		text = text[:4*maxSignature]
	}
	return strings.TrimRight(squash(string(text)), " {:=")
}

// clip shortens text to max bytes at a rune's edge.
func clip(s string, max int) string {
	s = strings.ToValidUTF8(s, "�")
	if len(s) <= max {
		return s
	}
	s = s[:max]
	for len(s) > 0 {
		if r, size := utf8.DecodeLastRuneInString(s); r != utf8.RuneError || size > 1 {
			break
		}
		s = s[:len(s)-1]
	}
	return s + "…"
}

// squash makes every run of blank space one space.
func squash(s string) string {
	if isWord(s) {
		return s
	}
	return strings.Join(strings.Fields(s), " ")
}

// isWord says that a text is visible ASCII from end to end, as most are.
func isWord(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
