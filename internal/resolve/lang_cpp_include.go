package resolve

import (
	"path"
	"slices"
	"strings"

	"chitta/internal/code"
)

// cppRun is what is worked out of includes in a run.
type cppRun struct {
	byBase   map[string][]*file // files by the last part of their path
	closures map[*file]map[*file]bool
	inlines  map[string][]string   // inline namespaces within a namespace, by its key
	usings   map[string][]cppUsing // using-declarations of namespaces, by the name that they give
}

// cppUsing is a using-declaration of a file.
type cppUsing struct {
	f   *file
	imp *code.Import
}

func (r *run) cppState() *cppRun {
	if r.cpp == nil {
		r.cpp = &cppRun{byBase: map[string][]*file{}, closures: map[*file]map[*file]bool{}, inlines: map[string][]string{}, usings: map[string][]cppUsing{}}
		for _, p := range r.p.paths() {
			if f := r.p.files[p]; f.family == "cpp" {
				r.cpp.byBase[path.Base(p)] = append(r.cpp.byBase[path.Base(p)], f)
				r.cpp.noteInlines(f)
			}
		}
	}
	return r.cpp
}

// noteInlines notes the inline namespaces of a file, what opens a namespace
// directly within the one that it stands in, and its using-declarations.
func (c *cppRun) noteInlines(f *file) {
	for i := range f.Imports {
		imp := &f.Imports[i]
		sym := f.Scopes[imp.Scope].Symbol
		if !imp.Static || sym == code.None || f.Symbols[sym].Kind != code.Module {
			continue
		}
		if imp.Name != "*" {
			at := join(f.Symbols[sym].Path, imp.Alias)
			c.usings[at] = append(c.usings[at], cppUsing{f, imp})
			continue
		}
		at := join(f.Symbols[sym].Path, strings.ReplaceAll(imp.Module, "::", "."))
		if key := f.keys[sym]; !slices.Contains(c.inlines[key], at) {
			c.inlines[key] = append(c.inlines[key], at)
		}
	}
}

// cppReaches are the files that an #include means: the one beside the file, or
// those whose path ends as it says.
func cppReaches(r *run, f *file, imp *code.Import) []*file {
	if imp.Static {
		return nil
	}
	if t := r.p.files[path.Join(path.Dir(f.Path), imp.Module)]; t != nil {
		return []*file{t}
	}
	clean := path.Clean("/" + imp.Module)
	for strings.HasPrefix(imp.Module, "../") && strings.HasPrefix(clean, "/..") {
		clean = strings.TrimPrefix(clean, "/..")
	}
	var out []*file
	for _, t := range r.cppState().byBase[path.Base(clean)] {
		if strings.HasSuffix("/"+t.Path, clean) {
			out = append(out, t)
		}
	}
	return out
}

// maxIncludes bounds how many files one file is taken to include.
const maxIncludes = 5000

// cppClosure is a file with all that it includes, also through others.
func (r *run) cppClosure(f *file) map[*file]bool {
	state := r.cppState()
	if seen, ok := state.closures[f]; ok {
		return seen
	}
	seen := map[*file]bool{f: true}
	for todo := []*file{f}; len(todo) > 0 && len(seen) < maxIncludes; todo = todo[1:] {
		for i := range todo[0].Imports {
			for _, t := range cppReaches(r, todo[0], &todo[0].Imports[i]) {
				if !seen[t] {
					seen[t] = true
					todo = append(todo, t)
				}
			}
		}
	}
	state.closures[f] = seen
	return seen
}
