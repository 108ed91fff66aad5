package resolve

import (
	"path"
	"strings"

	"chitta/internal/code"
)

// goKeeps are functions of the standard library that give a list of what is in
// their first argument, goOne those that give one of it, goWhole those that give
// the argument itself, or one of several.
var (
	goKeeps = map[string]bool{
		"slices.Clone": true, "slices.Sorted": true, "slices.SortedFunc": true, "slices.SortedStableFunc": true, "slices.Collect": true,
		"slices.Compact": true, "slices.CompactFunc": true, "slices.DeleteFunc": true, "slices.Delete": true, "slices.Insert": true,
		"slices.Grow": true, "slices.Clip": true, "slices.Concat": true, "slices.Repeat": true, "slices.Replace": true,
		"slices.Values": true, "slices.All": true, "slices.Backward": true, "slices.Chunk": true,
		"maps.Clone": true, "maps.Collect": true, "maps.All": true, "maps.Values": true,
	}
	goOne   = map[string]bool{"slices.Max": true, "slices.Min": true, "slices.MaxFunc": true, "slices.MinFunc": true}
	goWhole = map[string]bool{
		"<builtin>.min": true, "<builtin>.max": true, "cmp.Or": true, "sync.OnceValue": true, "sync.OnceFunc": true, "sync.OnceValues": true,
	}
	// goLoads are methods of the standard library's generic types that give what
	// the type is of.
	goLoads = map[string]bool{"Load": true, "Swap": true, "Value": true}
)

// goForeign is what a call of something outside gives. What is not known by name
// is still something from outside, so that its members are as well.
func goForeign(r *run, f *file, e *code.Expr, v value) ([]value, bool) {
	var first []value
	if len(e.Args) > 0 {
		first = r.expr(f, e.Args[0])
	}
	name := lastName(v.key)
	switch {
	case goKeeps[v.key]:
		return first, len(first) > 0
	case goOne[v.key]:
		return r.elements(first), true
	case v.key == "maps.Keys":
		return r.keysOf(first), true
	case goWhole[v.key]:
		var out []value
		for _, a := range e.Args {
			out = add(out, r.expr(f, a)...)
		}
		return out, true
	case v.args != nil && goLoads[name]:
		return r.elements([]value{{kind: aForeignI, key: parentKey(v.key), args: v.args}}), true
	}
	return []value{{kind: aForeignI, key: v.key + "()"}}, true
}

// keysOf is a list of the keys of maps.
func (r *run) keysOf(maps []value) []value {
	var out []value
	for _, m := range maps {
		if m.kind == aForeignI && m.key == mapKey && m.args != nil && len(m.args.nodes) == 2 {
			args := *m.args
			args.nodes = args.nodes[:1]
			out = add(out, value{kind: aForeignI, key: listKey, args: &args})
		}
	}
	return out
}

// goCallable are the functions that are converted to a type of functions
// anywhere: what a method of that type calls when it calls its receiver.
func goCallable(r *run, x value) []value {
	if !goFunctional(r, x) {
		return nil
	}
	if r.converted == nil {
		r.converted = map[string][]value{}
		names := map[string]bool{}
		for _, path := range r.p.paths() {
			f := r.p.files[path]
			for i := range f.Symbols {
				if s := &f.Symbols[i]; f.family == "go" && s.Kind == code.TypeAlias && strings.HasPrefix(s.Type, "func") {
					names[s.Name] = true
				}
			}
		}
		for _, path := range r.p.paths() {
			if f := r.p.files[path]; f.family == "go" {
				r.convertedIn(f, names)
			}
		}
	}
	if len(r.converted[x.key]) > maxValues {
		return nil // any
	}
	return r.converted[x.key]
}

// convertedIn notes the conversions of a file to types of these names.
func (r *run) convertedIn(f *file, names map[string]bool) {
	for i := range f.Exprs {
		e := &f.Exprs[i]
		if e.Kind != code.CallExpr || len(e.Args) != 1 || !names[e.Name] {
			continue
		}
		for _, v := range r.expr(f, e.X) {
			if v.kind == aType {
				r.converted[v.key] = add(r.converted[v.key], byValue(functionsOf(r.expr(f, e.Args[0])))...)
			}
		}
	}
}

// Systems and processors that the name of a file can be for.
var (
	goSystems = wordSet(`aix android darwin dragonfly freebsd illumos ios js linux netbsd openbsd plan9 solaris wasip1 windows zos`)
	goChips   = wordSet(`386 amd64 arm arm64 loong64 mips mips64 mips64le mipsle ppc64 ppc64le riscv64 s390x wasm`)
)

// goTogether says that the names of two files are not for different systems.
func goTogether(a, b *file) bool {
	systemA, chipA := goTarget(a.Path)
	systemB, chipB := goTarget(b.Path)
	return (systemA == "" || systemB == "" || systemA == systemB) && (chipA == "" || chipB == "" || chipA == chipB)
}

// goTarget is the system and processor that a file's name is for.
func goTarget(name string) (system, chip string) {
	parts := strings.Split(strings.TrimSuffix(strings.TrimSuffix(path.Base(name), ".go"), "_test"), "_")
	n := len(parts) - 1
	if n > 0 && goChips[parts[n]] {
		chip = parts[n]
		n--
	}
	if n > 0 && goSystems[parts[n]] {
		system = parts[n]
	}
	return system, chip
}

// goAssigned adds to what a field or variable is declared to be the functions
// that it is set to, where its type is a function's or holds such.
func goAssigned(r *run, s id, declared []value) []value {
	text := s.sym().Type
	open := text == "" || strings.Contains(text, "func(")
	for _, v := range declared {
		open = open || goFunctional(r, v)
		for _, e := range r.elements([]value{v}) {
			open = open || goFunctional(r, e)
		}
	}
	if !open {
		return declared
	}
	return add(declared, r.given(s)...)
}
