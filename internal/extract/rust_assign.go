package extract

import (
	"chitta/internal/code"
	"chitta/internal/syntax"
)

// puts binds what is put into a collection: to a field as to any field that is
// set, to a variable when it is a function, whose type says nothing of it.
func (r *rustWalk) puts(n, function syntax.Node, args []int32) {
	switch function.Child("field").Text() {
	case "push", "push_back", "push_front", "insert":
	default:
		return
	}
	name, root := rustPlace(function.Child("value"))
	if len(args) == 0 || name == "" {
		return
	}
	value := args[len(args)-1]
	if name == root && !r.function(value) || !r.telling(value) {
		return
	}
	e := blank(code.ListExpr)
	e.Args = []int32{value}
	if rustEntry(function.Child("value")) { // into a list that is one of many
		list := e
		e = blank(code.ListExpr)
		e.Args = []int32{r.expr(n, list)}
	}
	r.assignTo(&r.names, name, root, code.Binding{Value: r.expr(n, e), At: n.End()})
}

// function says that an expression is a closure or the name of a function, also
// in a box.
func (r *rustWalk) function(i int32) bool {
	e := &r.file.Exprs[i]
	if e.Kind == code.CallExpr && len(e.Args) == 1 {
		e = &r.file.Exprs[e.Args[0]]
	}
	if e.Kind == code.NameExpr && !rustUpper(e.Name) { // not of a variable
		return !r.names.has(e.Name)
	}
	return e.Kind == code.FuncExpr
}

func (r *rustWalk) assignment(n syntax.Node) int32 {
	left := n.Child("left")
	if left.Is("index_expression") {
		r.indexSet(left)
	} else if !left.Is("identifier") {
		r.value(left)
	}
	value := r.value(n.Child("right"))
	if left.Is("tuple_expression") {
		part := 0
		for c := range left.Children {
			if c.Named() {
				part++
				r.set(n, c, value, part)
			}
		}
	} else {
		r.set(n, left, value, 0)
	}
	return r.other(n)
}

// indexSet reads x[i] on the left of an assignment.
func (r *rustWalk) indexSet(n syntax.Node) {
	args := r.args(n)
	if len(args) > 0 && r.telling(args[0]) {
		const method = "index_mut"
		r.call(n, code.Indirect, r.member(n, args[0], method), method, syntax.Node{}, nil, nil)
	}
}

// set gives a value to what stands on the left of an assignment; to an element
// as a dictionary with that one element.
func (r *rustWalk) set(n, left syntax.Node, value int32, part int) {
	if left.Is("index_expression") {
		e := blank(code.DictExpr)
		e.Args, e.Keys = []int32{value}, []string{""}
		value, part, left = r.expr(n, e), 0, rustOperand(left)
	}
	if name, root := rustPlace(left); name != "" && name != "_" && r.telling(value) {
		r.assignTo(&r.names, name, root, code.Binding{Value: value, Part: part, At: n.End()})
	}
}

// rustPlace is the text of a variable or of a field of one and its first name.
func rustPlace(n syntax.Node) (text, root string) {
	switch n.Kind() {
	case "identifier", "self":
		return n.Text(), n.Text()
	case "field_expression":
		if text, root = rustPlace(n.Child("value")); text != "" {
			return text + "." + n.Child("field").Text(), root
		}
	case "unary_expression", "parenthesized_expression", "try_expression":
		return rustPlace(rustOperand(n))
	case "call_expression": // what is in something
		if f := n.Child("function"); f.Is("field_expression") && rustInside[f.Child("field").Text()] {
			return rustPlace(f.Child("value"))
		}
	}
	return "", ""
}

// rustInside are methods that give access to what is in a value.
var rustInside = map[string]bool{
	"borrow_mut": true, "lock": true, "write": true, "unwrap": true, "expect": true, "get_mut": true, "as_mut": true,
	"entry": true, "or_default": true, "or_insert": true, "or_insert_with": true, "or_insert_with_key": true,
}

// rustEntry says that x stands for one of the values of a map.
func rustEntry(n syntax.Node) bool {
	for n.Is("call_expression") && n.Child("function").Is("field_expression") {
		f := n.Child("function")
		if name := f.Child("field").Text(); name == "entry" || name == "get_mut" && len(n.Child("arguments").NamedChildren()) > 0 {
			return true
		}
		n = f.Child("value")
	}
	return false
}
