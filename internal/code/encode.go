package code

import (
	"encoding/binary"
	"fmt"
)

// magic opens encoded facts, so that other bytes are told from them at once.
const magic = 0xC8

// Encode writes facts in a compact form: every name once, in a table, numbers as
// varints, and most of them by how far they are from what stands before. Only
// [Decode] of the same [Version] reads it.
func Encode(f *File) []byte {
	c := coders.Get().(*coder)
	defer c.reuse()
	c.file(f)
	out := make([]byte, 0, len(c.buf)+len(c.text)+len(c.prose)+2*len(c.lens)+16)
	out = append(out, magic)
	out = binary.AppendUvarint(out, uint64(len(c.lens)))
	for _, n := range c.lens {
		out = binary.AppendUvarint(out, uint64(n))
	}
	out = binary.AppendUvarint(out, uint64(len(c.prose)))
	out = append(out, c.text...)
	out = append(out, c.prose...)
	return append(out, c.buf...)
}

// Decode reads what [Encode] wrote. Bytes that are something else give an
// error: what comes back has every index within its list.
func Decode(b []byte) (*File, error) {
	if len(b) == 0 || b[0] != magic {
		return nil, errForeign
	}
	c := &coder{reading: true, buf: b[1:]}
	c.strings()
	f := &File{}
	c.file(f)
	if c.err == nil && (c.left() > 0 || c.rest != "") {
		c.err = fmt.Errorf("%d bytes follow the facts", c.left()+len(c.rest))
	}
	if c.err == nil {
		c.err = f.Check()
	}
	if c.err != nil {
		return nil, fmt.Errorf("decode facts: %w", c.err)
	}
	return f, nil
}

func (c *coder) file(f *File) {
	text(c, &f.Path)
	text(c, &f.Lang)
	text(c, &f.Package)
	list(c, &f.Symbols, 28, (*coder).symbol)
	c.scopes(f)
	c.exprs(f)
	list(c, &f.Imports, 7, (*coder).imported)
	list(c, &f.Exports, 3, (*coder).export)
	list(c, &f.Calls, 5, func(c *coder, a *Call) { c.called(f, a) })
	list(c, &f.Inherits, 6, (*coder).inherit)
	list(c, &f.ErrorLines, 1, number[int])
	number(c, &f.ErrorCount)
	c.bits(&f.Cut)
}

func (c *coder) symbol(s *Symbol) {
	text(c, &s.Name)
	text(c, &s.Path)
	text(c, &s.Kind)
	c.passage(&s.Signature)
	c.passage(&s.Doc)
	after(c, &s.Start, &c.last.start)
	near(c, &s.End, s.Start)
	after(c, &s.Line, &c.last.line)
	near(c, &s.EndLine, s.Line)
	c.index(&s.Parent, c.last.symbol)
	c.last.symbol++
	text(c, &s.Owner)
	c.index(&s.Scope, c.last.opened)
	c.last.opened = max(s.Scope, c.last.opened)
	c.bits(&s.Exported, &s.Static, &s.Abstract, &s.Yields)
	list(c, &s.Params, 4, (*coder).param)
	text(c, &s.Returns)
	text(c, &s.Type)
	c.index(&s.Value, c.last.value)
	c.last.value = max(s.Value, c.last.value)
	c.indexes(&s.Results, c.last.value)
	c.indexes(&s.Decorators, c.last.value)
	list(c, &s.TypeParams, 1, text[string])
	c.hash(&s.Body)
}

func (c *coder) param(p *Param) {
	text(c, &p.Name)
	text(c, &p.Type)
	c.index(&p.Default, c.last.value)
	c.bits(&p.Optional, &p.Variadic, &p.Keyword)
}

func (c *coder) scopes(f *File) {
	n := 0
	for i := range f.Scopes {
		n += len(f.Scopes[i].Bindings)
	}
	rooms(c, &c.bindings, n, 4)
	c.last = last{}
	at := int32(0)
	list(c, &f.Scopes, 4, func(c *coder, s *Scope) {
		c.scope(s, at)
		at++
	})
	c.bindings.full(c)
}

func (c *coder) scope(s *Scope, at int32) {
	kind, _ := c.flags(uint64(s.Kind), 0, 0)
	if s.Kind = ScopeKind(kind); uint64(s.Kind) != kind {
		c.fail(errNumber)
	}
	c.index(&s.Parent, at)
	c.index(&s.Symbol, c.last.symbol)
	c.last.symbol = max(s.Symbol, c.last.symbol)
	if !c.reading {
		c.buf = binary.AppendUvarint(c.buf, uint64(len(s.Bindings)))
	} else if n := c.count(4); n > 0 {
		s.Bindings = c.bindings.take(c, n)
	}
	for i := range s.Bindings {
		c.binding(&s.Bindings[i])
	}
}

// What a binding has besides its name and place.
const (
	bindingTyped = 1 << iota
	bindingValued
	bindingMaybe
	bindingParted // an element or a part
	bindingWidth  = iota
)

func (c *coder) binding(b *Binding) {
	kind, has := c.flags(uint64(b.Kind), bindingWidth,
		when(b.Type != "", bindingTyped)|when(b.Value != None, bindingValued)|when(b.Maybe, bindingMaybe)|when(b.Element || b.Part != 0, bindingParted))
	if b.Kind = BindingKind(kind); uint64(b.Kind) != kind {
		c.fail(errNumber)
	}
	text(c, &b.Name)
	after(c, &b.Ref, &c.last.refs[min(b.Kind, 7)])
	after(c, &b.At, &c.last.bound)
	if has&bindingTyped != 0 {
		text(c, &b.Type)
	}
	if b.Maybe = has&bindingMaybe != 0; has&bindingValued != 0 {
		after(c, &b.Value, &c.last.value)
	} else {
		b.Value = None
	}
	if has&bindingParted != 0 {
		c.bits(&b.Element)
		number(c, &b.Part)
	}
}

func when(on bool, flag uint64) uint64 {
	if on {
		return flag
	}
	return 0
}

// leaf is what expressions have that have nothing more.
var leaf = &More{Ref: None}

func (c *coder) exprs(f *File) {
	n := 0
	for i := range f.Exprs {
		if !f.Exprs[i].nothing() {
			n++
		}
	}
	rooms(c, &c.mores, n, 1)
	at := int32(0)
	list(c, &f.Exprs, 4, func(c *coder, e *Expr) {
		c.expr(e, at)
		at++
	})
	c.mores.full(c)
}

// What an expression has besides its kind, name, operand and place.
const (
	exprElsewhere = 1 << iota // in another scope than the one before
	exprArgs
	exprRest  // text, names of arguments, symbol
	exprWidth = iota
)

func (c *coder) expr(e *Expr, at int32) {
	has := uint64(0)
	if !c.reading {
		rest := e.Text != "" || len(e.Keys) > 0 || e.Ref != None
		has = when(e.Scope != c.last.scope, exprElsewhere) | when(len(e.Args) > 0, exprArgs) | when(rest, exprRest)
	}
	kind, has := c.flags(uint64(e.Kind), exprWidth, has)
	if e.Kind = ExprKind(kind); uint64(e.Kind) != kind {
		c.fail(errNumber)
	}
	text(c, &e.Name)
	c.index(&e.X, at)
	after(c, &e.At, &c.last.at)
	if has&exprElsewhere != 0 {
		near(c, &e.Scope, c.last.scope)
		c.last.scope = e.Scope
	}
	if e.Scope = c.last.scope; c.reading {
		e.More = leaf
		if has&(exprArgs|exprRest) != 0 {
			e.More = c.more()
		}
	}
	if has&exprArgs != 0 {
		c.indexes(&e.Args, at)
	}
	if has&exprRest != 0 {
		text(c, &e.Text)
		list(c, &e.Keys, 1, text[string])
		number(c, &e.Ref)
	}
}

// more is one that is to be read.
func (c *coder) more() *More {
	m := c.mores.take(c, 1)
	if m == nil {
		return &More{Ref: None}
	}
	m[0].Ref = None
	return &m[0]
}

// In what a call differs from its expression, and from the call before.
const (
	callNamed = 1 << iota
	callScoped
	callPlaced
	callCounted
	callMoved // another caller
	callWidth = iota
)

func (c *coder) called(f *File, a *Call) {
	near(c, &a.Expr, c.last.call)
	c.last.call = a.Expr
	e := &Expr{More: leaf}
	if a.Expr >= 0 && int(a.Expr) < len(f.Exprs) {
		e = &f.Exprs[a.Expr]
	}
	_, other := c.flags(0, callWidth, when(a.Name != e.Name, callNamed)|when(a.Scope != e.Scope, callScoped)|when(a.At != e.At, callPlaced)|
		when(a.Args != len(e.Args), callCounted)|when(a.Caller != c.last.caller, callMoved))
	text(c, &a.Kind)
	text(c, &a.Receiver)
	after(c, &a.Line, &c.last.called)
	if c.reading {
		a.Scope, a.At, a.Args, a.Caller = e.Scope, e.At, len(e.Args), c.last.caller
	}
	if other&callNamed != 0 {
		text(c, &a.Name)
	} else {
		a.Name = e.Name
	}
	if other&callScoped != 0 {
		near(c, &a.Scope, e.Scope)
	}
	if other&callPlaced != 0 {
		near(c, &a.At, e.At)
	}
	if other&callCounted != 0 {
		number(c, &a.Args)
	}
	if other&callMoved != 0 {
		after(c, &a.Caller, &c.last.caller)
	}
}

func (c *coder) imported(i *Import) {
	text(c, &i.Module)
	text(c, &i.Name)
	text(c, &i.Alias)
	number(c, &i.Level)
	c.bits(&i.Reexport, &i.Static, &i.TypeOnly)
	number(c, &i.Scope)
	number(c, &i.Line)
}

func (c *coder) export(e *Export) {
	text(c, &e.Name)
	number(c, &e.Expr)
	number(c, &e.Line)
}

func (c *coder) inherit(i *Inherit) {
	number(c, &i.Symbol)
	text(c, &i.Type)
	text(c, &i.Base)
	number(c, &i.Expr)
	text(c, &i.Kind)
	number(c, &i.Line)
}
