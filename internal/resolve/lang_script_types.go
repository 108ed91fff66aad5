package resolve

import (
	"strings"

	"chitta/internal/code"
)

// scriptType takes types apart: one that is written out in braces keeps its
// text.
func scriptType(text string) typeNode {
	trimmed := strings.TrimSpace(text)
	if !strings.HasPrefix(trimmed, "{") || !strings.HasSuffix(trimmed, "}") {
		return parseType(text)
	}
	parts := splitType(trimmed, func(c byte) bool { return c == '|' || c == '&' })
	if len(parts) == 1 {
		return typeNode{name: trimmed, args: []typeNode{{name: "?"}}}
	}
	either := typeNode{}
	for _, p := range parts {
		if p = strings.TrimSpace(p); p != trimmed {
			either.args = append(either.args, scriptType(p))
		}
	}
	return either
}

// splitType cuts the text of a type at a sign, where it stands in no brackets.
func splitType(text string, sign func(c byte) bool) []string {
	var out []string
	depth, start := 0, 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '>' && i > 0 && text[i-1] == '=': // an arrow
		case strings.IndexByte("{([<", c) >= 0:
			depth++
		case strings.IndexByte("})]>", c) >= 0:
			depth--
		case depth == 0 && sign(c):
			out = append(out, text[start:i])
			start = i + 1
		}
	}
	return append(out, text[start:])
}

// memberType is the type of a member in the text of a type that is written out,
// "" for what is not there.
func memberType(text, name string) string {
	inner := strings.TrimSuffix(strings.TrimPrefix(text, "{"), "}")
	for _, part := range splitType(inner, func(c byte) bool { return c == ';' || c == ',' }) {
		key, typ, ok := strings.Cut(part, ":")
		key = strings.TrimSuffix(strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(key), "readonly ")), "?")
		if ok && key == name {
			return strings.TrimSpace(typ)
		}
	}
	return ""
}

// signature is a type of functions: the types of its parameters, and where they
// are to be read.
type signature struct {
	params []string
	f      *file
	scope  int32
	env    env
}

// param is what a parameter of a function of the type holds.
func (s *signature) param(r *run, i int) []value {
	if i >= len(s.params) || s.params[i] == "" {
		return nil
	}
	var out []value
	for _, v := range r.typeIn(s.f, s.scope, r.parsed(s.f, s.params[i]), s.env) {
		if v.kind != aForeignI || v.args != nil {
			out = append(out, v)
		}
	}
	return out
}

// maxNamesOfType bounds how many names a type of functions has after another.
const maxNamesOfType = 8

// signatureOf reads a type of functions: written out, or by a name for it.
func (r *run) signatureOf(f *file, scope int32, text string, e env, depth int) *signature {
	if text == "" || depth > maxNamesOfType {
		return nil
	}
	for _, part := range splitType(text, func(c byte) bool { return c == '|' }) {
		if s := r.oneSignature(f, scope, strings.TrimSpace(part), e, depth); s != nil {
			return s
		}
	}
	return nil
}

func (r *run) oneSignature(f *file, scope int32, text string, e env, depth int) *signature {
	if strings.HasPrefix(text, "<") { // generic names of its own
		if end := closing(text); end > 0 {
			text = strings.TrimSpace(text[end:])
		}
	}
	if strings.HasPrefix(text, "(") {
		end := closing(text)
		if end <= 0 {
			return nil
		}
		if strings.HasPrefix(strings.TrimSpace(text[end:]), "=>") {
			return &signature{parameterTypes(text[1 : end-1]), f, scope, e}
		}
		return r.signatureOf(f, scope, text[1:end-1], e, depth+1)
	}
	node := r.parsed(f, text)
	if node.name == "" || strings.HasPrefix(node.name, "{") {
		return nil
	}
	if last := lastName(node.name); (last == "FC" || last == "FunctionComponent") && len(node.args) == 1 { // a component takes its attributes
		_, inner, _ := strings.Cut(text, "<")
		return &signature{[]string{strings.TrimSuffix(strings.TrimSpace(inner), ">")}, f, scope, e}
	}
	for _, v := range r.typeName(f, scope, node.name) {
		for _, s := range r.p.symbols[v.key] {
			sym := s.sym()
			if v.kind != aType || sym.Kind != code.TypeAlias || !strings.Contains(sym.Type, "=>") {
				continue
			}
			inner := env{}
			for i, name := range sym.TypeParams {
				if i < len(node.args) {
					inner[name] = r.typeIn(f, scope, node.args[i], e)
				}
			}
			return r.signatureOf(s.f, r.scopeOf(s), sym.Type, inner, depth+1)
		}
	}
	return nil
}

// closing is the place behind the bracket that closes the first one.
func closing(text string) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '>' && i > 0 && text[i-1] == '=':
		case strings.IndexByte("{([<", c) >= 0:
			depth++
		case strings.IndexByte("})]>", c) >= 0:
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

// parameterTypes are the types in the text of a list of parameters.
func parameterTypes(text string) []string {
	var out []string
	for _, part := range splitType(text, func(c byte) bool { return c == ',' }) {
		name, typ, _ := strings.Cut(part, ":")
		if strings.TrimSpace(name) == "this" {
			continue
		}
		if strings.HasPrefix(strings.TrimSpace(name), "...") {
			break
		}
		out = append(out, strings.TrimSpace(typ))
	}
	return out
}

// scriptContextual is what a parameter without a type holds by the type of the
// variable or field that the function is put into.
func scriptContextual(r *run, s id, param int) []value {
	if sig := r.signatureOf(s.f, r.scopeOf(s), s.sym().Type, nil, 0); sig != nil {
		return sig.param(r, param)
	}
	return nil
}

// contexts hands to functions that are given to a function what its declared
// types say that they will be called with.
func (r *run) contexts(f *file, e *code.Expr, callee value) {
	switch callee.kind {
	case aFunc:
	case aType:
		for _, t := range r.constructors(f, e, callee.key) {
			if t.s.sym().Kind == code.Constructor {
				r.contexts(f, e, value{kind: aFunc, fn: t.s, args: callee.args})
			}
		}
		return
	default:
		return
	}
	params := callee.fn.sym().Params
	for i := range e.Args {
		if i >= len(params) || params[i].Type == "" {
			continue
		}
		for _, fn := range r.functionsAt(f, e, i) {
			if len(fn.sym().Params) == 0 || fn.sym().Kind != code.Lambda {
				continue
			}
			env := r.typeEnv(value{key: parentKey(callee.fn.f.keys[callee.fn.i]), args: callee.args})
			sig := r.signatureOf(callee.fn.f, r.inner(callee.fn), params[i].Type, env, 0)
			if sig == nil {
				continue
			}
			for p := range fn.sym().Params {
				if fn.sym().Params[p].Type == "" {
					r.handTo(fn, p, sig.param(r, p))
				}
			}
		}
	}
}
