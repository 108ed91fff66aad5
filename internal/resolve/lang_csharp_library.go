package resolve

import (
	"slices"
	"strconv"
	"strings"

	"chitta/internal/code"
)

// parseCSharpType takes a type apart; the parts of a tuple may have names.
func parseCSharpType(text string) typeNode {
	p := &typeParser{text: text, labels: true}
	return p.either()
}

// csharpElement and csharpSame are methods of collections by what they give,
// beside those that many languages have.
var (
	csharpElement = wordSet(`MaxBy MinBy ElementAt ElementAtOrDefault GetValueOrDefault GetOrAdd AddOrUpdate FindLast`)
	csharpSame    = wordSet(`ThenBy ThenByDescending Distinct Reverse Concat Union Except Intersect ToHashSet AsQueryable AsParallel SkipWhile
		TakeWhile Append Prepend Order FindAll GetRange AsReadOnly GetInvocationList ToDictionary Cast OfType ToImmutableList`)
)

// csharpForeignCall is what comes out of the library's collections and queries.
func csharpForeignCall(r *run, f *file, e *code.Expr, v value) ([]value, bool) {
	if vs, ok := outOf(r, v, csharpElement, csharpSame); ok {
		return vs, true
	}
	switch name := lastName(v.key); name {
	case "Select", "SelectMany", "ConvertAll", "Run", "ContinueWith", "FromResult":
		var out []value
		for _, a := range e.Args {
			for _, fn := range r.expr(f, a) {
				switch {
				case fn.kind == aFunc:
					out = add(out, r.gives(fn.fn)...)
				case name == "FromResult":
					out = add(out, fn)
				}
			}
		}
		if len(out) == 0 {
			return nil, false
		}
		if name == "SelectMany" {
			return out, true
		}
		return []value{{kind: aForeignI, key: "IEnumerable", args: argsOf(out)}}, true
	case "ThenBy", "ThenByDescending", "Distinct", "Reverse", "Concat", "Union", "Except", "Intersect", "ToHashSet", "AsQueryable", "AsParallel",
		"SkipWhile", "TakeWhile", "Append", "Prepend", "ConfigureAwait", "Order":
		if v.args != nil {
			return []value{{kind: aForeignI, key: parentKey(v.key), args: v.args}}, true
		}
	case "MaxBy", "MinBy", "ElementAt", "ElementAtOrDefault", "Invoke", "GetAwaiter", "GetResult", "Aggregate", "GetValueOrDefault":
		if v.args != nil {
			return r.elements([]value{{kind: aForeignI, key: parentKey(v.key), args: v.args}}), true
		}
	}
	if v.args == nil && v.f == nil { // whatever it is, it is of the library
		return []value{{kind: aForeignI, key: v.key + "()"}}, true
	}
	return nil, false
}

// csharpForeignMember is what properties of the library's generic types hold.
func csharpForeignMember(r *run, _ *file, x value, name string) ([]value, bool) {
	if x.args == nil {
		return nil, false
	}
	if n, err := strconv.Atoi(strings.TrimPrefix(name, "Item")); err == nil && n > 0 && x.key == tupleKey {
		return r.part([]value{x}, n), true
	}
	if x.key == tupleKey {
		if n := slices.IndexFunc(x.args.nodes, func(t typeNode) bool { return t.label == name }); n >= 0 {
			return r.part([]value{x}, n+1), true
		}
	}
	switch name {
	case "Value", "Result", "Current", "Target":
		return r.elements([]value{x}), true
	case "Values":
		return []value{x}, true
	}
	return nil, false
}

// csharpAlias is the keyword for a type of the library, or its own name.
func csharpAlias(name string) string {
	switch name {
	case "String":
		return "string"
	case "Int32":
		return "int"
	case "Int64":
		return "long"
	case "Boolean":
		return "bool"
	case "Double":
		return "double"
	case "Object":
		return "object"
	case "Char":
		return "char"
	case "Decimal":
		return "decimal"
	}
	return name
}

var csharpNumbers = map[string]int{"byte": 1, "short": 2, "char": 2, "int": 3, "long": 4, "float": 5, "double": 6, "decimal": 6}

// csharpSameType compares types of the library by name: 1 the same, 0 may fit,
// -1 cannot.
func csharpSameType(have, want string) int {
	have, want = csharpAlias(have), csharpAlias(want)
	switch {
	case have == want && have != "null":
		return 1
	case have == "null":
		if csharpNumbers[want] > 0 || want == "bool" {
			return -1
		}
		return 0
	case csharpNumbers[have] > 0 && csharpNumbers[want] > 0:
		if csharpNumbers[have] > csharpNumbers[want] {
			return -1
		}
		return 0
	}
	plain := func(n string) bool { return csharpNumbers[n] > 0 || n == "bool" || n == "string" }
	if plain(have) && plain(want) || plain(have) && (want == listKey || want == mapKey) || plain(want) && want != "string" && !plain(have) {
		return -1
	}
	return 0
}
