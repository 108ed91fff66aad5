package resolve

import (
	"chitta/internal/code"
)

// What is outside of the project is known by name only. A few names say enough
// of what comes out of a generic collection to go on.

// givesElement are members of collections and wrappers that give what is in
// them.
var givesElement = map[string]bool{
	"get": true, "first": true, "last": true, "pop": true, "next": true, "at": true, "shift": true, "unwrap": true, "expect": true,
	"find": true, "peek": true, "poll": true, "remove": true, "orElse": true, "orElseThrow": true, "orElseGet": true, "unwrap_or": true,
	"unwrap_or_else": true, "unwrap_or_default": true, "getFirst": true, "getLast": true, "First": true, "FirstOrDefault": true, "Single": true,
	"SingleOrDefault": true, "Last": true, "LastOrDefault": true, "Find": true, "Dequeue": true, "Pop": true, "Peek": true, "front": true,
	"back": true, "top": true, "value": true, "lock": true, "borrow": true, "borrow_mut": true, "Result": true, "Value": true, "findFirst": true,
	"findAny": true, "pop_front": true, "pop_back": true, "setdefault": true, "popitem": true, "read": true, "write": true, "getOrDefault": true,
	"computeIfAbsent": true, "join": true, "take": true, "as_ref": true, "as_mut": true, "result": true, "nth": true, "max": true, "min": true,
}

// givesSame are members that give a collection of the same elements.
var givesSame = map[string]bool{
	"filter": true, "iter": true, "iter_mut": true, "into_iter": true, "stream": true, "sorted": true, "slice": true, "reverse": true,
	"values": true, "Where": true, "OrderBy": true, "OrderByDescending": true, "ToList": true, "ToArray": true, "AsEnumerable": true,
	"clone": true, "copy": true, "toList": true, "collect": true, "distinct": true, "limit": true, "skip": true, "concat": true, "Values": true,
	"rev": true, "cloned": true, "as_slice": true, "to_vec": true, "parallelStream": true, "reversed": true, "Take": true, "Skip": true,
	"sort": true, "sort_by": true, "select": true, "reject": true, "sort_by_key": true, "iterator": true, "begin": true, "end": true, "ok": true,
}

// foreignMember is the member of an instance of an outside type. What it was
// taken from goes with it, for the call that may follow.
func (r *run) foreignMember(f *file, x value, name string) []value {
	if f.lang.foreignMember != nil {
		if vs, ok := f.lang.foreignMember(r, f, x, name); ok {
			return vs
		}
	}
	return []value{{kind: aForeign, key: x.key + "." + name, args: x.args}}
}

// collMember is the member of a list or dict that is written out.
func (r *run) collMember(f *file, x value, name string) []value {
	e := &x.f.Exprs[x.expr]
	if f.lang.dictMembers && e.Kind == code.DictExpr {
		if vs := r.item(x, name); len(vs) > 0 || f.lang.objectMember != nil && !f.lang.objectMember(name) {
			return vs
		}
	}
	kind := "list"
	if e.Kind == code.DictExpr {
		kind = "dict"
	}
	return []value{{kind: aForeign, key: "<builtin>." + kind + "." + name, f: x.f, expr: x.expr}}
}

// foreignResult is what calling something outside gives.
func (r *run) foreignResult(f *file, e *code.Expr, v value) []value {
	if f.lang.foreignCall != nil {
		if vs, ok := f.lang.foreignCall(r, f, e, v); ok {
			return vs
		}
	}
	name := lastName(v.key)
	from := value{kind: aForeignI, key: parentKey(v.key), args: v.args}
	if v.f != nil {
		from = value{kind: aColl, f: v.f, expr: v.expr}
		if len(e.Args) > 0 && e.Args[0] > 0 && givesElement[name] {
			if k := f.Exprs[e.Args[0]]; k.Kind == code.ConstExpr && k.Text != "" {
				return r.item(from, k.Text)
			}
		}
	}
	if v.args == nil && v.f == nil {
		return nil
	}
	switch {
	case givesElement[name]:
		return r.elements([]value{from})
	case givesSame[name]:
		return []value{from}
	}
	return nil
}
