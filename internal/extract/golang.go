package extract

import (
	"bytes"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"chitta/internal/code"
	"chitta/internal/syntax"
)

// goWalk reads a Go file. It knows which scope declares a local name, because an
// assignment gives a value to a variable where that was declared, and which
// names are packages, because only the file's imports tell pkg.F from x.F.
type goWalk struct {
	*builder
	names    localNames
	packages map[string]bool
	named    []string // results of the current function that have names
	bare     bool     // a return without values was met in it
}

func walkGo(b *builder, root syntax.Node) {
	g := &goWalk{builder: b, packages: map[string]bool{}}
	g.decls(root)
}

// decls walks what stands at the top of a file, with the comments before it.
func (g *goWalk) decls(n syntax.Node) {
	var lead leading
	for c := range n.Children {
		if c.Is("comment") {
			lead.add(c)
			continue
		}
		g.decl(c, lead.before(c))
		lead.pass(c)
	}
}

func (g *goWalk) decl(n syntax.Node, doc string) {
	switch n.Kind() {
	case "package_clause":
		g.file.Package = n.First("package_identifier").Text()
	case "import_declaration":
		g.imports(n)
	case "function_declaration", "method_declaration":
		g.funcDecl(n, doc)
	case "type_declaration":
		g.types(n, doc)
	case "const_declaration", "var_declaration":
		g.values(n, doc)
	case "ERROR":
		g.decls(n)
	default:
		g.stmt(n)
	}
}

func (g *goWalk) imports(n syntax.Node) {
	for c := range n.Children {
		switch c.Kind() {
		case "import_spec_list", "ERROR":
			g.imports(c)
		case "import_spec":
			g.importOne(c)
		}
	}
}

func (g *goWalk) importOne(n syntax.Node) {
	module := goString(n.Child("path"))
	if module == "" {
		return
	}
	i := code.Import{Module: module, Alias: n.Child("name").Text(), Scope: g.scope, Line: n.Line()}
	switch i.Alias {
	case ".":
		i.Name, i.Alias = "*", ""
	case "":
		i.Alias = goPackageOf(module)
	}
	g.file.Imports = append(g.file.Imports, i)
	if i.Alias != "" && i.Alias != "_" {
		g.packages[i.Alias] = true
		g.bind(code.Binding{Name: i.Alias, Kind: code.Imports, Ref: int32(len(g.file.Imports) - 1), Value: code.None, At: n.Start()})
	}
}

// goPackageOf guesses a package's name from its import path, which only the
// package itself could tell: the last part that is not a major version, without
// what no name can have.
func goPackageOf(module string) string {
	base := path.Base(module)
	if goMajor(base) && path.Dir(module) != "." {
		base = path.Base(path.Dir(module))
	}
	if i := strings.LastIndex(base, "."); i > 0 && goMajor(base[i+1:]) {
		base = base[:i]
	}
	base = strings.TrimSuffix(strings.TrimPrefix(base, "go-"), "-go")
	return strings.ReplaceAll(base, "-", "_")
}

func goMajor(s string) bool {
	return len(s) > 1 && s[0] == 'v' && strings.Trim(s[1:], "0123456789") == ""
}

func (g *goWalk) funcDecl(n syntax.Node, doc string) {
	s := code.Symbol{Name: n.Child("name").Text(), Kind: code.Function, Doc: doc}
	if s.Name == "" {
		g.children(n)
		return
	}
	receiver := n.Child("receiver").First("parameter_declaration")
	if n.Is("method_declaration") {
		s.Kind, s.Owner = code.Method, goTypeName(receiver.Child("type"))
	}
	s.Exported, s.Abstract = goExported(s.Name), !n.Child("body").OK()
	s.TypeParams = goTypeParams(n, receiver.Child("type"))
	i := g.define(n, s)
	g.body(i, n, func() {
		if name := receiver.Child("name").Text(); goNames(name) {
			g.local(code.Binding{Name: name, Kind: code.Receiver, Ref: code.None, Type: squash(receiver.Child("type").Text()), Value: code.None, At: receiver.Start()})
		}
	})
}

// body walks a function's parameters, results and statements in its own scope.
func (g *goWalk) body(symbol int32, n syntax.Node, before func()) {
	named, bare := g.named, g.bare
	g.named, g.bare = nil, false
	mark := g.names.mark()
	g.within(symbol, code.FunctionScope, func() {
		before()
		g.typeParams(n)
		g.parameters(symbol, n.Child("parameters"))
		g.result(symbol, n.Child("result"))
		g.children(n.Child("body"))
	})
	g.names.release(mark)
	g.named, g.bare = named, bare
}

// typeParams binds generic parameters to what they are constrained to: whatever
// has such a type has its methods.
func (g *goWalk) typeParams(n syntax.Node) {
	for c := range n.Child("type_parameters").Children {
		bound := squash(c.Child("type").Text())
		if bound == "" || bound == "any" || bound == "comparable" {
			continue
		}
		for name := range c.Children {
			if name.Field() == "name" && name.Named() {
				g.local(code.Binding{Name: name.Text(), Kind: code.Assigned, Ref: code.None, Type: bound, Value: code.None, At: c.Start()})
			}
		}
	}
}

func (g *goWalk) parameters(symbol int32, n syntax.Node) {
	var params []code.Param
	for c := range n.Children {
		if !c.Is("parameter_declaration", "variadic_parameter_declaration") {
			continue
		}
		p := code.Param{Type: squash(c.Child("type").Text()), Default: code.None, Variadic: c.Is("variadic_parameter_declaration")}
		p.Optional = p.Variadic
		unnamed := true
		for name := range c.Children {
			if name.Field() == "name" && name.Named() {
				unnamed, p.Name = false, name.Text()
				params = append(params, p)
				g.takes(c, p, len(params)-1)
			}
		}
		if unnamed {
			params = append(params, p)
		}
	}
	g.file.Symbols[symbol].Params = params
}

func (g *goWalk) takes(n syntax.Node, p code.Param, at int) {
	if !goNames(p.Name) {
		return
	}
	if p.Variadic {
		p.Type = "[]" + p.Type
	}
	g.local(code.Binding{Name: p.Name, Kind: code.Takes, Ref: int32(at), Type: p.Type, Value: code.None, At: n.Start()})
}

// result sets the types of the results, without names, and binds the names.
func (g *goWalk) result(symbol int32, n syntax.Node) {
	if !n.Is("parameter_list") {
		g.file.Symbols[symbol].Returns = squash(n.Text())
		return
	}
	var types []string
	for c := range n.Children {
		if !c.Is("parameter_declaration") {
			continue
		}
		typ := squash(c.Child("type").Text())
		names := 0
		for name := range c.Children {
			if name.Field() == "name" && name.Named() {
				names++
				types = append(types, typ)
				g.named = append(g.named, name.Text())
				g.declare(c, name.Text(), typ, code.None, 0)
			}
		}
		if names == 0 {
			types = append(types, typ)
		}
	}
	g.file.Symbols[symbol].Returns = strings.Join(types, ", ")
	if len(types) > 1 {
		g.file.Symbols[symbol].Returns = "(" + g.file.Symbols[symbol].Returns + ")"
	}
}

// goGroup says that a declaration has its parts in parentheses, each with a
// comment of its own.
func goGroup(n syntax.Node) bool {
	text := n.Bytes()
	if i := bytes.IndexAny(text, " (\t"); i >= 0 {
		text = bytes.TrimLeft(text[i:], " \t")
	}
	return len(text) > 0 && text[0] == '('
}

// goNames says that text is a name that something can be found by.
func goNames(text string) bool { return text != "" && text != "_" }

func goExported(name string) bool {
	r, _ := utf8.DecodeRuneInString(name)
	return unicode.IsUpper(r)
}

// goTypeName is the last name of a type, without pointers and arguments.
func goTypeName(n syntax.Node) string {
	for n.OK() {
		switch n.Kind() {
		case "type_identifier":
			return n.Text()
		case "generic_type":
			n = n.Child("type")
		case "qualified_type":
			n = n.Child("name")
		case "pointer_type", "parenthesized_type":
			n = n.First("type_identifier", "generic_type", "qualified_type", "pointer_type", "parenthesized_type")
		default:
			return ""
		}
	}
	return ""
}

// goTypeParams lists the names of generic parameters, of a declaration or of the
// receiver's type.
func goTypeParams(n, receiver syntax.Node) []string {
	var out []string
	for c := range n.Child("type_parameters").Children {
		for name := range c.Children {
			if name.Field() == "name" && name.Named() {
				out = append(out, name.Text())
			}
		}
	}
	if receiver.Is("pointer_type") {
		receiver = receiver.First("generic_type")
	}
	for c := range receiver.Child("type_arguments").Children {
		out = append(out, c.Text())
	}
	return out
}

// oneLine is a part of the source on one line.
func oneLine(src []byte, start, end uint32) string {
	if end < start {
		return ""
	}
	if end-start > 4*maxSignature {
		end = start + 4*maxSignature
	}
	return squash(string(src[start:end]))
}
