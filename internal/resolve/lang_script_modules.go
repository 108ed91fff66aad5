package resolve

import (
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"

	"chitta/internal/code"
)

// scriptEndings are what names of source files end in, longest first.
var scriptEndings = []string{".d.mts", ".d.cts", ".d.ts", ".mjs", ".cjs", ".jsx", ".tsx", ".mts", ".cts", ".js", ".ts"}

// scriptUnit is the path without its ending: a module is a file.
func scriptUnit(_ *Project, f *file) string { return withoutEnding(f.Path) }

func withoutEnding(name string) string {
	for _, end := range scriptEndings {
		if rest, ok := strings.CutSuffix(name, end); ok && !strings.HasSuffix(rest, "/") && rest != "" {
			return rest
		}
	}
	return name
}

// scriptFind is the module that an import means: relative to the file, by the
// paths of the nearest tsconfig, or a package of the project by its name.
func scriptFind(r *run, f *file, imp *code.Import) []string {
	at := foundAt{path.Dir(f.Path), imp.Module}
	found := r.scripts().found
	units, ok := found[at]
	if !ok {
		units = r.findModule(at.dir, at.module)
		found[at] = units
	}
	return units
}

func (r *run) findModule(dir, module string) []string {
	switch {
	case module == "":
		return nil
	case module == "." || module == ".." || strings.HasPrefix(module, "./") || strings.HasPrefix(module, "../"):
		if u := r.probe(path.Join(dir, module)); u != nil {
			return u
		}
		return r.probePackage(path.Join(dir, module))
	}
	s := r.scripts()
	for i := range s.configs {
		if c := &s.configs[i]; within(dir, c.dir) {
			for _, candidate := range c.candidates(module) {
				if u := r.probe(candidate); u != nil {
					return u
				}
			}
			break
		}
	}
	for i := range s.packages {
		p := &s.packages[i]
		for _, candidate := range p.candidates(module, dir) {
			if u := r.probe(candidate); u != nil {
				return u
			}
		}
	}
	return nil
}

// probePackage is the main module of the package in a folder: a test says
// require("..").
func (r *run) probePackage(dir string) []string {
	packages := r.scripts().packages
	for i := range packages {
		p := &packages[i]
		if path.Clean(p.dir) != dir {
			continue
		}
		for _, m := range p.mains {
			for _, candidate := range p.sources(m) {
				if u := r.probe(candidate); u != nil {
					return u
				}
			}
		}
	}
	return nil
}

// within says that a folder is another or below it.
func within(dir, of string) bool {
	return of == "." || dir == of || strings.HasPrefix(dir, of+"/")
}

// probe is the module at a path: the file, the file under another ending, or the
// index of the folder.
func (r *run) probe(name string) []string {
	name = path.Clean(name)
	for _, u := range []string{withoutEnding(name), name, path.Join(name, "index")} {
		if _, ok := r.p.units["script:"+u]; ok {
			return []string{u}
		}
	}
	return nil
}

// scriptConfig is what a tsconfig.json or jsconfig.json says of modules.
type scriptConfig struct {
	dir   string
	base  string // folder that paths and plain names start from, "" for none
	paths []scriptPath
}

type scriptPath struct {
	pattern string
	targets []string
}

// candidates are the paths that a name may stand for, the closest pattern first.
func (c *scriptConfig) candidates(module string) []string {
	var out []string
	for _, p := range c.paths {
		rest, ok := matchStar(p.pattern, module)
		if !ok {
			continue
		}
		for _, t := range p.targets {
			out = append(out, path.Join(c.pathsDir(), strings.Replace(t, "*", rest, 1)))
		}
	}
	if c.base != "" {
		out = append(out, path.Join(c.base, module))
	}
	return out
}

func (c *scriptConfig) pathsDir() string {
	if c.base != "" {
		return c.base
	}
	return c.dir
}

// matchStar matches a name with a pattern that has at most one star, and gives
// what the star stands for.
func matchStar(pattern, name string) (string, bool) {
	before, after, star := strings.Cut(pattern, "*")
	if !star {
		return "", pattern == name
	}
	if len(name) < len(before)+len(after) || !strings.HasPrefix(name, before) || !strings.HasSuffix(name, after) {
		return "", false
	}
	return name[len(before) : len(name)-len(after)], true
}

type tsconfig struct {
	Extends any `json:"extends"`
	Options struct {
		BaseURL *string             `json:"baseUrl"`
		Paths   map[string][]string `json:"paths"`
	} `json:"compilerOptions"`
}

// maxExtends bounds how many files a configuration is spread over.
const maxExtends = 8

// scriptConfigs reads the configurations, that of the deepest folder first.
func scriptConfigs(manifests map[string][]byte) []scriptConfig {
	var out []scriptConfig
	for _, name := range slices.Sorted(maps.Keys(manifests)) {
		if base := path.Base(name); base != "tsconfig.json" && base != "jsconfig.json" {
			continue
		}
		c := scriptConfig{dir: path.Dir(name)}
		c.read(manifests, name, 0)
		slices.SortStableFunc(c.paths, func(a, b scriptPath) int { return len(b.pattern) - len(a.pattern) })
		out = append(out, c)
	}
	slices.SortStableFunc(out, func(a, b scriptConfig) int { return len(b.dir) - len(a.dir) })
	return out
}

// read takes over what a file says, and what those that it extends say besides.
func (c *scriptConfig) read(manifests map[string][]byte, name string, depth int) {
	var t tsconfig
	if depth > maxExtends || json.Unmarshal(plainJSON(manifests[name]), &t) != nil {
		return
	}
	dir := path.Dir(name)
	if t.Options.BaseURL != nil && c.base == "" {
		c.base = path.Join(dir, *t.Options.BaseURL)
	}
	if len(c.paths) == 0 {
		for _, pattern := range slices.Sorted(maps.Keys(t.Options.Paths)) {
			var targets []string
			for _, target := range t.Options.Paths[pattern] {
				if t.Options.BaseURL == nil && c.base == "" && dir != c.dir {
					target = path.Join(relative(c.dir, dir), target)
				}
				targets = append(targets, target)
			}
			c.paths = append(c.paths, scriptPath{pattern, targets})
		}
	}
	var bases []string
	switch e := t.Extends.(type) {
	case string:
		bases = []string{e}
	case []any:
		for _, one := range e {
			if text, ok := one.(string); ok {
				bases = append(bases, text)
			}
		}
	}
	for _, b := range bases {
		if !strings.HasPrefix(b, ".") {
			continue // a package outside
		}
		next := path.Join(dir, b)
		if !strings.HasSuffix(next, ".json") {
			next += ".json"
		}
		c.read(manifests, next, depth+1)
	}
}

// relative is the way from one folder of the project to another.
func relative(from, to string) string {
	up := ""
	for !within(to, from) {
		from, up = path.Dir(from), up+"../"
	}
	return path.Join(up, strings.TrimPrefix(strings.TrimPrefix(to, from), "/"))
}

// scriptPackage is a package of the project.
type scriptPackage struct {
	dir, name string
	exports   []scriptPath // by "." and "./sub"
	imports   []scriptPath // by "#name"
	mains     []string
}

// scriptPackages reads the package.json files.
func scriptPackages(manifests map[string][]byte) []scriptPackage {
	var out []scriptPackage
	for _, name := range slices.Sorted(maps.Keys(manifests)) {
		if path.Base(name) != "package.json" {
			continue
		}
		var t struct {
			Name, Main, Module, Types, Source string
			Exports, Imports                  any
		}
		if json.Unmarshal(plainJSON(manifests[name]), &t) != nil {
			continue
		}
		p := scriptPackage{dir: path.Dir(name), name: t.Name, exports: exportPaths(t.Exports), imports: exportPaths(t.Imports)}
		for _, m := range []string{t.Source, t.Types, t.Module, t.Main, "src/index", "index", "lib/index"} {
			if m != "" {
				p.mains = append(p.mains, m)
			}
		}
		out = append(out, p)
	}
	slices.SortStableFunc(out, func(a, b scriptPackage) int { return len(b.dir) - len(a.dir) })
	return out
}

// exportPaths reads the exports or imports of a package: a path, conditions, or
// either by name.
func exportPaths(v any) []scriptPath {
	m, ok := v.(map[string]any)
	if !ok || !slices.ContainsFunc(slices.Collect(maps.Keys(m)), func(k string) bool { return strings.HasPrefix(k, ".") || strings.HasPrefix(k, "#") }) {
		if targets := conditions(v, 0); len(targets) > 0 {
			return []scriptPath{{".", targets}}
		}
		return nil
	}
	var out []scriptPath
	for _, k := range slices.Sorted(maps.Keys(m)) {
		out = append(out, scriptPath{k, conditions(m[k], 0)})
	}
	slices.SortStableFunc(out, func(a, b scriptPath) int { return len(b.pattern) - len(a.pattern) })
	return out
}

// conditions lists the paths that a package offers for one name: those to
// sources and types are tried first.
func conditions(v any, depth int) []string {
	switch x := v.(type) {
	case string:
		return []string{x}
	case []any:
		var out []string
		for _, one := range x {
			out = append(out, conditions(one, depth+1)...)
		}
		return out
	case map[string]any:
		if depth > maxExtends {
			return nil
		}
		rank := map[string]int{"source": -4, "types": -3, "import": -2, "module": -1}
		keys := slices.Sorted(maps.Keys(x))
		slices.SortStableFunc(keys, func(a, b string) int { return rank[a] - rank[b] })
		var out []string
		for _, k := range keys {
			out = append(out, conditions(x[k], depth+1)...)
		}
		return out
	}
	return nil
}

// candidates are the paths in the package that a name may stand for, asked from
// a folder.
func (p *scriptPackage) candidates(module, from string) []string {
	if strings.HasPrefix(module, "#") {
		if !within(from, p.dir) {
			return nil
		}
		return p.of(p.imports, module)
	}
	rest, ok := strings.CutPrefix(module, p.name)
	if !ok || p.name == "" || rest != "" && rest[0] != '/' {
		return nil
	}
	out := p.of(p.exports, "."+rest)
	if rest == "" {
		for _, m := range p.mains {
			out = append(out, p.sources(m)...)
		}
		return out
	}
	return append(out, path.Join(p.dir, rest), path.Join(p.dir, "src", rest))
}

func (p *scriptPackage) of(list []scriptPath, name string) []string {
	var out []string
	for _, e := range list {
		if star, ok := matchStar(e.pattern, name); ok {
			for _, t := range e.targets {
				out = append(out, p.sources(strings.Replace(t, "*", star, 1))...)
			}
		}
	}
	return out
}

// sources is a path of a package, and where its source is if it is a built one.
func (p *scriptPackage) sources(name string) []string {
	name = path.Clean(name)
	out := []string{path.Join(p.dir, name)}
	for _, built := range []string{"dist/esm", "dist/cjs", "dist", "build", "lib", "out"} {
		if rest, ok := strings.CutPrefix(name, built+"/"); ok {
			out = append(out, path.Join(p.dir, "src", rest))
		}
	}
	return out
}

// plainJSON takes comments and commas at the end out of JSON as people write it.
func plainJSON(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			start := i
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
			out = append(out, text[start:min(i+1, len(text))]...)
		case c == '/' && i+1 < len(text) && text[i+1] == '/':
			for i < len(text) && text[i] != '\n' {
				i++
			}
		case c == '/' && i+1 < len(text) && text[i+1] == '*':
			for i += 2; i+1 < len(text) && (text[i] != '*' || text[i+1] != '/'); i++ {
			}
			i++
		case c == '}' || c == ']':
			at := len(out)
			for at > 0 && out[at-1] <= ' ' {
				at--
			}
			if at > 0 && out[at-1] == ',' {
				out = out[:at-1]
			}
			out = append(out, c)
		default:
			out = append(out, c)
		}
	}
	return out
}

// assigns is what a module is set to as a whole (module.exports = …).
func (r *run) assigns(unit string) []value {
	at := unit + "\x00="
	if r.opening[at] {
		return nil
	}
	r.opening[at] = true
	defer delete(r.opening, at)
	var out []value
	for _, f := range r.p.units[unit] {
		for i := range f.Exports {
			if f.Exports[i].Name == "=" {
				out = add(out, r.expr(f, f.Exports[i].Expr)...)
			}
		}
	}
	return out
}

// scriptModule is a module as a value: what it is set to, and itself for what is
// exported by name.
func scriptModule(r *run, unit string) []value {
	return append(r.assigns(unit), value{kind: aModule, key: unit})
}

// scriptMember is what a module offers through what it is set to as a whole.
func scriptMember(r *run, unit, name string) []value {
	whole := r.assigns(unit)
	if name == "default" {
		return whole
	}
	files := r.p.units[unit]
	if len(files) == 0 {
		return nil
	}
	var out []value
	for _, v := range whole {
		if v.kind != aModule || v.key != unit {
			out = add(out, r.memberOf(files[0], v, name)...)
		}
	}
	return out
}
