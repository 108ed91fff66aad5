package code

import (
	"fmt"
	"strings"
)

// String writes the facts for people and for golden files: one fact a line.
func (f *File) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s", f.Lang, f.Path)
	if f.Package != "" {
		fmt.Fprintf(&b, " package %s", f.Package)
	}
	b.WriteByte('\n')
	if f.ErrorCount > 0 {
		fmt.Fprintf(&b, "errors %d at lines %v\n", f.ErrorCount, f.ErrorLines)
	}
	for _, i := range f.Imports {
		fmt.Fprintf(&b, "import %d: %q name=%q as=%q%s\n", i.Line, i.Module, i.Name, i.Alias, marks(
			mark{i.Reexport, "reexport"}, mark{i.Static, "static"}, mark{i.TypeOnly, "type"}, mark{i.Level > 0, fmt.Sprint("level=", i.Level)}))
	}
	for _, e := range f.Exports {
		fmt.Fprintf(&b, "export %d: %s = %s\n", e.Line, e.Name, f.ExprText(e.Expr))
	}
	for i := range f.Symbols {
		f.writeSymbol(&b, &f.Symbols[i])
	}
	for _, h := range f.Inherits {
		name := h.Type
		if h.Symbol != None {
			name = f.Symbols[h.Symbol].Path
		}
		fmt.Fprintf(&b, "%s %d: %s of %s\n", h.Kind, h.Line, name, h.Base)
	}
	for _, c := range f.Calls {
		caller := "<module>"
		if c.Caller != None {
			caller = f.Symbols[c.Caller].Path
		}
		fmt.Fprintf(&b, "%s %d: %s calls %s args=%d in %s\n", c.Kind, c.Line, caller, f.ExprText(f.Exprs[c.Expr].X), c.Args, f.ExprText(c.Expr))
	}
	f.writeScopes(&b)
	return b.String()
}

func (f *File) writeSymbol(b *strings.Builder, s *Symbol) {
	fmt.Fprintf(b, "%s %d-%d: %s | %s%s\n", s.Kind, s.Line, s.EndLine, s.Path, s.Signature, marks(
		mark{s.Exported, "exported"}, mark{s.Static, "static"}, mark{s.Abstract, "abstract"},
		mark{s.Owner != "", "owner=" + s.Owner}, mark{s.Returns != "", "returns=" + s.Returns}, mark{s.Type != "", "type=" + s.Type},
		mark{len(s.TypeParams) > 0, fmt.Sprint("generic=", s.TypeParams)}, mark{s.Yields, "yields"}))
	for _, p := range s.Params {
		fmt.Fprintf(b, "\tparam %s %s%s\n", p.Name, p.Type, marks(mark{p.Optional, "optional"}, mark{p.Variadic, "variadic"}, mark{p.Keyword, "keyword"}))
	}
	if s.Value > 0 {
		fmt.Fprintf(b, "\tvalue %s\n", f.ExprText(s.Value))
	}
	for _, r := range s.Results {
		fmt.Fprintf(b, "\tgives %s\n", f.ExprText(r))
	}
	for _, d := range s.Decorators {
		fmt.Fprintf(b, "\tdecorator %s\n", f.ExprText(d))
	}
	if s.Doc != "" {
		fmt.Fprintf(b, "\tdoc %q\n", s.Doc)
	}
}

func (f *File) writeScopes(b *strings.Builder) {
	for i, s := range f.Scopes {
		for _, n := range s.Bindings {
			if n.Kind == Defines || n.Kind == Imports || n.Kind == Takes {
				continue // shown with what they are
			}
			of := "<module>"
			if s.Symbol != None {
				of = f.Symbols[s.Symbol].Path
			}
			fmt.Fprintf(b, "binds %s#%d: %s = %s%s\n", of, i, n.Name, f.ExprText(n.Value), marks(
				mark{n.Type != "", "type=" + n.Type}, mark{n.Element, "element"}, mark{n.Part > 0, fmt.Sprint("part=", n.Part)},
				mark{n.Maybe, "maybe"}, mark{n.Kind == Receiver, "receiver"}, mark{n.Kind == Outer, "outer"}))
		}
	}
}

type mark struct {
	on   bool
	text string
}

func marks(all ...mark) string {
	var b strings.Builder
	for _, m := range all {
		if m.on {
			b.WriteString(" [" + m.text + "]")
		}
	}
	return b.String()
}

// maxExprText bounds the text of an expression for people, maxExprWhole that by
// which two are told apart: it is more than a file has that is read. Parts of
// made-up ones can stand in each other without end.
const (
	maxExprText  = 16 << 10
	maxExprWhole = 4 << 20
)

// ExprText writes a reduced expression for people, the beginning of a long one.
func (f *File) ExprText(i int32) string { return f.exprText(i, maxExprText) }

// ExprWhole writes all of a reduced expression, so that two that differ anywhere
// have different texts.
func (f *File) ExprWhole(i int32) string { return f.exprText(i, maxExprWhole) }

func (f *File) exprText(i int32, most int) string {
	w := exprWriter{f: f, room: most}
	w.expr(i)
	return w.b.String()
}

type exprWriter struct {
	f    *File
	b    strings.Builder
	room int // bytes that may follow
}

// text writes what there is room for.
func (w *exprWriter) text(texts ...string) {
	for _, s := range texts {
		if w.room <= 0 {
			return
		}
		if len(s) > w.room {
			s = strings.ToValidUTF8(s[:w.room], "") + "…"
			w.room = 0
		}
		w.room -= len(s)
		w.b.WriteString(s)
	}
}

func (w *exprWriter) expr(i int32) {
	if w.room <= 0 {
		return
	}
	if i <= 0 || int(i) >= len(w.f.Exprs) {
		w.text("-")
		return
	}
	e := &w.f.Exprs[i]
	switch e.Kind {
	case NameExpr:
		w.text(e.Name)
	case SelfExpr:
		w.text("<self>")
	case SuperExpr:
		w.text("<super>")
	case FuncExpr:
		w.text(w.f.Symbols[e.Ref].Path)
	case TypedExpr:
		w.text("<", e.Name, ">")
	case ConstExpr:
		w.text("'", e.Name, "'")
	case ListExpr:
		w.list("[", e, "]")
	case DictExpr:
		w.list("{", e, "}")
	case TupleExpr:
		w.list("(", e, ")")
	case EitherExpr:
		w.list("either(", e, ")")
	default:
		w.operand(e)
	}
}

// operand writes expressions that are made of another one.
func (w *exprWriter) operand(e *Expr) {
	switch e.Kind {
	case MemberExpr:
		w.expr(e.X)
		w.text(".", e.Name)
	case CallExpr:
		w.expr(e.X)
		w.list("(", e, ")")
	case NewExpr:
		w.text("new ")
		if e.X == None {
			w.text(e.Name)
		} else {
			w.expr(e.X)
		}
		w.list("(", e, ")")
	case IndexExpr:
		w.expr(e.X)
		w.text("[", e.Name)
		w.list("", e, "]")
	case AwaitExpr:
		w.text("await ")
		w.expr(e.X)
	case DerefExpr, AssignExpr:
		w.expr(e.X)
	case SpreadExpr:
		w.text("*")
		w.expr(e.X)
	default:
		w.text("?")
	}
}

func (w *exprWriter) list(open string, e *Expr, close string) {
	w.text(open)
	for i, a := range e.Args {
		if w.room <= 0 {
			return
		}
		if i > 0 {
			w.text(", ")
		}
		if i < len(e.Keys) && e.Keys[i] != "" {
			w.text(e.Keys[i], ": ")
		}
		w.expr(a)
	}
	w.text(close)
}
