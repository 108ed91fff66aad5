package extract

import (
	"strings"

	"chitta/internal/code"
	"chitta/internal/syntax"
)

func (p *python) readParams(n syntax.Node) []code.Param {
	var out []code.Param
	for c := range n.Children {
		if !c.Named() || c.Is("comment", "positional_separator", "keyword_separator", "ERROR") {
			continue
		}
		param := code.Param{Type: pyType(c.Child("type")), Default: code.None}
		p.scan(c.Child("type"))
		name := c
		if c.Is("default_parameter", "typed_default_parameter") {
			name, param.Optional, param.Default = c.Child("name"), true, p.value(c.Child("value"))
		} else if c.Is("typed_parameter") {
			name = pyFirst(c)
		}
		switch name.Kind() {
		case "list_splat_pattern":
			param.Variadic, name = true, pyFirst(name)
		case "dictionary_splat_pattern":
			param.Keyword, name = true, pyFirst(name)
		}
		if param.Name = squash(name.Text()); param.Name != "" {
			out = append(out, param)
		}
	}
	return out
}

// imports reads both forms of import.
func (p *python) imports(n syntax.Node) {
	from := n.Child("module_name")
	base := code.Import{Scope: p.scope, Line: n.Line(), TypeOnly: p.typeOnly, Reexport: p.file.Scopes[p.scope].Kind == code.FileScope}
	if from.OK() {
		base.Module = squash(from.Text())
		base.Level = len(base.Module) - len(strings.TrimLeft(base.Module, "."))
		base.Module = strings.ReplaceAll(base.Module[base.Level:], " ", "")
	}
	for c := range n.Children {
		i := base
		name, alias := c, ""
		switch {
		case c.Is("wildcard_import"):
			i.Name = "*"
			p.file.Imports = append(p.file.Imports, i)
			continue
		case c.Field() != "name":
			continue
		case c.Is("aliased_import"):
			name, alias = c.Child("name"), c.Child("alias").Text()
		}
		path := strings.ReplaceAll(squash(name.Text()), " ", "")
		if path == "" {
			continue
		}
		if from.OK() {
			i.Name = path
			i.Alias = path
		} else {
			i.Module = path
			i.Alias, _, _ = strings.Cut(path, ".")
		}
		if alias != "" {
			i.Alias = alias
		} else if !from.OK() && i.Alias != path {
			loaded := i
			i.Module, loaded.Alias, loaded.Reexport = i.Alias, "", false
			p.file.Imports = append(p.file.Imports, loaded)
		}
		p.imported(c, i)
	}
}

func (p *python) imported(n syntax.Node, i code.Import) {
	p.file.Imports = append(p.file.Imports, i)
	scope := p.function()
	if to, ok := p.outer[pyName{scope, i.Alias}]; ok {
		scope = to
	}
	if _, ok := p.known[pyName{scope, i.Alias}]; !ok {
		p.known[pyName{scope, i.Alias}] = code.None
	}
	p.bindIn(scope, code.Binding{Name: i.Alias, Kind: code.Imports, Ref: int32(len(p.file.Imports) - 1), Value: code.None, At: n.Start()})
}

// dynamicImport notes the module that a call with a plain string loads.
func (p *python) dynamicImport(n syntax.Node, name string, args []int32) {
	if name != "__import__" && name != "import_module" || len(args) == 0 || args[0] <= 0 {
		return
	}
	e := &p.file.Exprs[args[0]]
	module := strings.TrimLeft(e.Text, ".")
	if e.Kind != code.ConstExpr || e.Name != "str" || module == "" || strings.ContainsAny(module, " \t\n/") {
		return
	}
	p.file.Imports = append(p.file.Imports, code.Import{Module: module, Level: len(e.Text) - len(module), Scope: p.scope, Line: n.Line()})
}
