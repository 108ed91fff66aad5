package resolve

import (
	"cmp"
	"hash/fnv"
	"path"
	"slices"
	"sort"
	"strings"

	"chitta/internal/code"
)

// names finds the bindings of a scope by name without a map for each of the
// hundred thousands of scopes: their indexes are sorted by name, scope after
// scope.
type names struct {
	order  []int32 // indexes of bindings
	starts []int32 // where a scope's begin in order, and at last where all end
}

func newNames(f *code.File) names {
	n := 0
	for s := range f.Scopes {
		n += len(f.Scopes[s].Bindings)
	}
	out := names{order: make([]int32, 0, n), starts: make([]int32, 0, len(f.Scopes)+1)}
	for s := range f.Scopes {
		at := len(out.order)
		out.starts = append(out.starts, int32(at))
		bindings := f.Scopes[s].Bindings
		for b := range bindings {
			out.order = append(out.order, int32(b))
		}
		slices.SortStableFunc(out.order[at:], func(a, b int32) int { return compareNames(bindings[a].Name, bindings[b].Name) })
	}
	out.starts = append(out.starts, int32(len(out.order)))
	return out
}

// compareNames puts names in an order that is quickly told.
func compareNames(a, b string) int {
	if len(a) != len(b) {
		return cmp.Compare(len(a), len(b))
	}
	return strings.Compare(a, b)
}

// named lists the bindings of a name in a scope, in the order of the text.
func (f *file) named(scope int32, name string) []int32 {
	if scope < 0 || int(scope) >= len(f.Scopes) || len(f.Scopes[scope].Bindings) == 0 {
		return nil
	}
	if f.names.starts == nil {
		f.names = newNames(f.File)
	}
	bindings := f.Scopes[scope].Bindings
	list := f.names.order[f.names.starts[scope]:f.names.starts[scope+1]]
	low, high := 0, len(list)
	for low < high {
		if mid := (low + high) / 2; compareNames(bindings[list[mid]].Name, name) < 0 {
			low = mid + 1
		} else {
			high = mid
		}
	}
	end := low
	for end < len(list) && bindings[list[end]].Name == name {
		end++
	}
	return list[low:end:end]
}

// mentions are hashes of the names that a file's expressions, bases and imports
// have in them, in order. They are made when first something changes.
func (f *file) mentioned() []uint32 {
	if f.mentions != nil {
		return f.mentions
	}
	last := ""
	out := make([]uint32, 0, len(f.Exprs)/4+len(f.Inherits)+len(f.Imports)+1)
	put := func(name string) { out = append(out, hashName(name)) }
	for i := range f.Exprs {
		if name := f.Exprs[i].Name; name != "" && name != last {
			put(name)
			last = name
		}
	}
	for i := range f.Inherits {
		put(lastName(f.Inherits[i].Base))
	}
	for i := range f.Imports {
		put(f.Imports[i].Name)
		for _, name := range moduleNames(f.Imports[i].Module) {
			put(name)
		}
	}
	slices.Sort(out)
	f.mentions = slices.Clone(slices.Compact(out))
	if f.mentions == nil {
		f.mentions = []uint32{}
	}
	return f.mentions
}

// moduleNames are the names that a module's file or folder may have: those in what
// follows its last slash.
func moduleNames(module string) []string {
	return strings.FieldsFunc(module[strings.LastIndexByte(module, '/')+1:], func(r rune) bool { return r == '.' || r == ':' })
}

// fileNames are the names by which a file may be imported: its own without the
// extension, and that of its folder.
func fileNames(file string) []string {
	own, _, _ := strings.Cut(path.Base(file), ".")
	return []string{own, path.Base(path.Dir(file))}
}

// mentionsAny says that a file has one of the names, given as hashes: that two
// names share one costs no more than looking at a file in vain.
func (f *file) mentionsAny(names []uint32) bool {
	all := f.mentioned()
	return slices.ContainsFunc(names, func(n uint32) bool {
		at := sort.Search(len(all), func(i int) bool { return all[i] >= n })
		return at < len(all) && all[at] == n
	})
}

func hashName(name string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(name))
	return h.Sum32()
}
