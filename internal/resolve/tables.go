package resolve

import (
	"maps"
	"path"
	"slices"
	"strings"

	"chitta/internal/code"
)

// tables find symbols by name over the whole project. A key is
// family:unit.Path, so that a member of a type has the type's key, a dot and
// its name, whichever file it stands in.
type tables struct {
	symbols map[string][]id    // by key
	byName  map[string][]id    // callables by last name
	units   map[string][]*file // by family:unit
	// adopted are methods written away from their type, by the key of the type
	// and their name; worked out once per run
}

// inFamily is a text in a family of languages.
type inFamily struct{ family, text string }

func newTables() tables {
	return tables{symbols: map[string][]id{}, byName: map[string][]id{}, units: map[string][]*file{}}
}

// rebuild makes the tables anew.
func (p *Project) rebuild() {
	p.tables = newTables()
	for _, path := range p.paths() {
		p.enter(p.files[path])
	}
}

func (p *Project) paths() []string {
	if p.sorted == nil {
		p.sorted = slices.Sorted(maps.Keys(p.files))
	}
	return p.sorted
}

// ending lists the paths of files whose last name it is, in order.
func (p *Project) ending(base string) []string {
	if p.byBase == nil {
		p.byBase = map[string][]string{}
		for _, f := range p.paths() {
			p.byBase[path.Base(f)] = append(p.byBase[path.Base(f)], f)
		}
	}
	return p.byBase[base]
}

// enter adds a file's symbols to the tables.
func (p *Project) enter(f *file) {
	f.unit = f.Package
	if f.lang.unit != nil {
		f.unit = f.lang.unit(p, f)
	}
	f.keys = make([]string, len(f.Symbols))
	unit := f.family + ":" + f.unit
	f.unitKey = unit
	p.units[unit] = append(p.units[unit], f)
	for i := range f.Symbols {
		s := &f.Symbols[i]
		key := join(unit, s.Path)
		f.keys[i] = key
		p.symbols[key] = append(p.symbols[key], id{f, int32(i)})
		if s.Kind.Callable() && s.Kind != code.Lambda {
			p.byName[s.Name] = append(p.byName[s.Name], id{f, int32(i)})
		}
	}
}

// remove takes a file's symbols out of the tables.
func (p *Project) remove(f *file) {
	if f.keys == nil {
		return // it was never entered
	}
	unit := f.family + ":" + f.unit
	p.units[unit] = slices.DeleteFunc(p.units[unit], func(o *file) bool { return o == f })
	if len(p.units[unit]) == 0 {
		delete(p.units, unit)
	}
	gone := func(s id) bool { return s.f == f }
	for i, key := range f.keys {
		if p.symbols[key] = slices.DeleteFunc(p.symbols[key], gone); len(p.symbols[key]) == 0 {
			delete(p.symbols, key)
		}
		name := f.Symbols[i].Name
		if len(p.byName[name]) > 0 {
			if p.byName[name] = slices.DeleteFunc(p.byName[name], gone); len(p.byName[name]) == 0 {
				delete(p.byName, name)
			}
		}
	}
}

// join puts a dot between two names unless one is empty.
func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	if strings.HasSuffix(a, ":") {
		return a + b
	}
	return a + "." + b
}

// lastName is what follows the last separator.
func lastName(s string) string {
	if i := strings.LastIndexAny(s, ".:/"); i >= 0 {
		return s[i+1:]
	}
	return s
}

// parentKey is the key without its last name.
func parentKey(key string) string {
	if i := strings.LastIndexByte(key, '.'); i >= 0 {
		return key[:i]
	}
	return ""
}

// under lists the symbols of a name in a unit, type or module, by its key.
func (p *Project) under(key, name string) []id {
	if key == "" || name == "" {
		return p.symbols[key+name]
	}
	var room [128]byte // enough for most, so that nothing is allocated
	at := append(room[:0], key...)
	if key[len(key)-1] != ':' {
		at = append(at, '.')
	}
	return p.symbols[string(append(at, name...))]
}

// first is the first symbol of a key: it tells the language.
func (r *run) first(key string) (id, bool) {
	if ids := r.p.symbols[key]; len(ids) > 0 {
		return ids[0], true
	}
	return id{}, false
}
