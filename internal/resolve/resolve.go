// Package resolve finds what the calls of a project call, across its files.
//
// It works on facts alone ([code.File]) and asks of every call "what may this
// expression be?": names are looked up through scopes, packages and imports,
// members in the types that have them, results of calls in what functions are
// declared or seen to return. The first rule that has an answer wins, and every
// edge says by which rule it was found and how sure that is. What has no answer
// is kept as a loose call: a list of callers that hides them would lie.
//
// Languages differ in few things, gathered in [language]: how files make up
// packages, what an import means, how types are written.
package resolve

import (
	"maps"
	"slices"

	"chitta/internal/code"
	"chitta/internal/syntax"
)

// Rule is how an edge was found.
type Rule uint8

// The rules, surest first.
const (
	ByScope       Rule = iota + 1 // a function around or beside, in the same file's scopes
	ByFile                        // at the top of the same file
	ByPackage                     // in the same package or namespace
	ByImport                      // imported by name
	ByQualified                   // through a module or a type that is named
	BySelf                        // on the enclosing type or what it inherits from
	ByConstructor                 // an instance is made
	ByReceiver                    // on a value whose type is known
	ByValue                       // a function that was assigned, passed or returned
	ByImplementor                 // on an interface: each type that has it
	ByUnique                      // the only member of this name in the project
)

// ruleNames are what rules are called where they are shown.
var ruleNames = [...]string{
	ByScope: "scope", ByFile: "file", ByPackage: "package", ByImport: "import", ByQualified: "qualified", BySelf: "self",
	ByConstructor: "constructor", ByReceiver: "receiver", ByValue: "value", ByImplementor: "implementors", ByUnique: "unique",
}

func (r Rule) String() string { return ruleNames[r] }

// confidence of each rule: how sure an edge found by it is.
var confidence = [...]float64{
	ByScope: 1, ByFile: 0.95, ByPackage: 0.95, ByImport: 0.95, ByQualified: 0.9, BySelf: 0.9,
	ByConstructor: 0.9, ByReceiver: 0.8, ByValue: 0.7, ByImplementor: 0.6, ByUnique: 0.4,
}

// Ref is a symbol of a file; Symbol is [code.None] for the file's own code.
type Ref struct {
	File   string
	Symbol int32
}

// Edge says that a call has a target.
type Edge struct {
	From, To   Ref
	Call       int32 // index in the file's Calls
	Line       int
	Rule       Rule
	Confidence float64
}

// Loose is a call without a target in the project.
type Loose struct {
	From     Ref
	Call     int32
	Line     int
	Name     string // qualified where it is known ("os.path.join")
	External bool   // the target is known to be outside of the project
}

// edge and loose are what is kept of an [Edge] and a [Loose]: there are hundred
// thousands, and the rest is that of the call.
type edge struct {
	to   Ref
	call int32
	rule Rule
}

type loose struct {
	name     string
	call     int32
	external bool
}

// Base is a type that a type inherits from.
type Base struct {
	Sub, Super Ref // Super.File is empty for what is outside of the project
	Text       string
	External   string // the qualified name of what is outside, where it is known
	Kind       code.InheritKind
}

// Link is what an import reaches: a file of the project, or something outside.
type Link struct {
	Import   int32
	File     string
	External string
}

// Project is a set of files whose calls are resolved together. It is not for
// use by two at once.
type Project struct {
	files     map[string]*file
	manifests map[string][]byte
	sorted    []string            // paths of files in order, once asked
	byBase    map[string][]string // the same by their last names
	tables
	parsed map[inFamily]typeNode // types' texts taken apart
	flows  flows
	run    *run   // what was worked out since the last change
	era    uint32 // how often answers were forgotten

	again   map[string]bool // paths to be resolved again though their facts are the same
	changed map[string]bool // paths whose facts changed since the last Resolve
	stale   map[string]bool // names that mean something else since then
	whole   bool            // everything is to be resolved
}

// New makes an empty project.
func New() *Project {
	return &Project{
		files: map[string]*file{}, manifests: map[string][]byte{}, tables: newTables(), flows: newFlows(), parsed: map[inFamily]typeNode{},
		again: map[string]bool{}, changed: map[string]bool{}, stale: map[string]bool{}, whole: true,
	}
}

// Put adds a file, or replaces it.
func (p *Project) Put(f *code.File) {
	old := p.files[f.Path]
	next := newFile(f)
	if old != nil {
		p.leave(old)
	} else {
		p.sorted, p.byBase = nil, nil
	}
	p.files[f.Path] = next
	p.changed[f.Path] = true
	p.noteChanges(old, next)
	p.renumber(old, next)
	p.run = nil
}

// renumber has the edges of other files point to the same symbols as before in a
// file that changed: they may stand elsewhere in its list now.
func (p *Project) renumber(old, next *file) {
	if old == nil {
		return
	}
	type at struct {
		path string
		kind code.Kind
		n    int // of those that are alike
	}
	places := func(f *file, visit func(at, int32)) {
		seen := map[at]int{}
		for i := range f.Symbols {
			a := at{path: f.Symbols[i].Path, kind: f.Symbols[i].Kind}
			a.n, seen[a] = seen[a], seen[a]+1
			visit(a, int32(i))
		}
	}
	now := map[at]int32{}
	places(next, func(a at, i int32) { now[a] = i })
	moved := map[int32]int32{}
	places(old, func(a at, i int32) {
		moved[i] = code.None
		if to, ok := now[a]; ok {
			moved[i] = to
		}
	})
	for _, f := range p.files {
		for i := range f.edges {
			if to := &f.edges[i].to; to.File == next.Path && to.Symbol != code.None {
				to.Symbol = moved[to.Symbol]
			}
		}
	}
}

// present is a symbol in its file as that is now: what was passed on before the
// file changed is still of the file as it was.
func (p *Project) present(s id) (id, bool) {
	if p.files[s.f.Path] == s.f {
		return s, true
	}
	for _, now := range p.symbols[s.f.keys[s.i]] {
		if now.f.Path == s.f.Path && now.sym().Kind == s.sym().Kind {
			return now, true
		}
	}
	return s, false
}

// Remove takes a file out.
func (p *Project) Remove(path string) {
	old := p.files[path]
	if old == nil {
		return
	}
	p.leave(old)
	p.sorted, p.byBase = nil, nil
	delete(p.files, path)
	delete(p.changed, path)
	p.noteChanges(old, nil)
	for _, name := range fileNames(path) { // who imports it, or what it is a part of
		p.stale[name] = true
	}
	for to := range p.flows.from[path] {
		p.again[to.file] = true // what it passed to them is gone
	}
	p.flows.drop(path)
	p.run = nil
}

// leave takes a file out of everything that points to it. Files that pass its
// functions on are resolved again.
func (p *Project) leave(old *file) {
	p.remove(old)
	for _, path := range p.flows.holders(old) {
		p.again[path] = true
	}
}

// Manifest gives the text of a file that says how the project is made up
// (go.mod, tsconfig.json …); nil when it is gone.
func (p *Project) Manifest(path string, text []byte) {
	if old, ok := p.manifests[path]; ok && text != nil && slices.Equal(old, text) {
		return
	}
	if text == nil {
		delete(p.manifests, path)
	} else {
		p.manifests[path] = text
	}
	p.whole, p.run = true, nil
}

// Whole has the next Resolve do everything anew.
func (p *Project) Whole() { p.whole, p.run = true, nil }

// maxRounds bounds how often functions that are passed on are followed: each
// round follows them one call further.
const maxRounds = 8

// Resolve brings all edges up to date and returns the files whose edges may
// have changed.
func (p *Project) Resolve() []string {
	todo := map[string]bool{}
	if p.whole {
		p.rebuild()
		p.flows = newFlows()
		for path := range p.files {
			todo[path] = true
		}
	} else {
		for path := range p.changed {
			p.enter(p.files[path])
			todo[path] = true
		}
		var stale []uint32
		for name := range p.stale {
			stale = append(stale, hashName(name))
		}
		for path, f := range p.files {
			if !todo[path] && (p.again[path] || f.mentionsAny(stale)) {
				todo[path] = true
			}
		}
	}
	p.whole = false
	clear(p.changed)
	clear(p.again)
	clear(p.stale)

	done := map[string]bool{}
	p.run = newRun(p)
	for round := 0; len(todo) > 0 && round < maxRounds; round++ {
		p.run.forget()
		moved := map[string]bool{}
		for _, path := range slices.Sorted(maps.Keys(todo)) {
			p.run.resolve(p.files[path])
			p.run.settle(p.files[path])
			done[path] = true
			for _, other := range p.flows.replace(path, p.run.passed) {
				moved[other] = true
			}
			p.run.passed = nil
		}
		p.run.outdated(moved)
		p.run.givenFunctions(moved)
		todo = moved
	}
	p.run.forget()
	p.run.spare = answers{}
	for path := range done {
		p.files[path].memo = memo{}
	}
	return slices.Sorted(maps.Keys(done))
}

func (p *Project) current() *run {
	if p.run == nil {
		p.run = newRun(p)
	}
	return p.run
}

// file is a file with what is worked out of it alone.
type file struct {
	*code.File
	lang     *language
	unit     string // package or module that its top is in
	unitKey  string // its key in the tables
	family   string // languages that see each other's symbols
	names    names
	keys     []string // keys in the tables, by symbol
	mentions []uint32
	settings map[string][]setting // see assigned.go
	edges    []edge
	loose    []loose
	memo     memo
}

// id is a symbol in memory.
type id struct {
	f *file
	i int32
}

func (s id) sym() *code.Symbol { return &s.f.Symbols[s.i] }
func (s id) ref() Ref          { return Ref{s.f.Path, s.i} }

func newFile(f *code.File) *file {
	out := &file{File: f, lang: languageOf(f.Lang)}
	out.family = out.lang.family
	if out.lang.assigned != nil {
		out.settings = settings(out)
	}
	return out
}

// noteChanges notes the names that mean something else now than before: those
// of symbols that came, went, or look different from outside.
func (p *Project) noteChanges(old, next *file) {
	if p.whole {
		return // all will be resolved
	}
	before, after := outsides(old), outsides(next)
	for name, look := range before {
		if after[name] != look {
			p.stale[lastName(name)] = true
		}
	}
	for name, look := range after {
		if before[name] != look {
			p.stale[lastName(name)] = true
		}
	}
	if old == nil || next == nil || old.Package != next.Package {
		p.whole = p.whole || old == nil && next != nil && next.lang.newFileMovesAll
	}
}

// outsides is how each symbol looks from outside: what others depend on.
func outsides(f *file) map[string]string {
	out := map[string]string{}
	if f == nil {
		return out
	}
	for i := range f.Symbols {
		s := &f.Symbols[i]
		look := string(s.Kind) + "|" + s.Signature + "|" + s.Returns + "|" + s.Type
		if s.Exported {
			look += "|exported"
		}
		if s.Returns == "" && s.Kind.Callable() || s.Type == "" && !s.Kind.Callable() {
			for _, r := range s.Results {
				look += "|" + f.ExprWhole(r)
			}
			look += "|" + f.ExprWhole(s.Value)
		}
		out[s.Path] += look + "\n"
	}
	for i := range f.Inherits {
		h := &f.Inherits[i]
		if h.Symbol != code.None {
			out[f.Symbols[h.Symbol].Path] += "base " + h.Base + "\n"
		} else {
			out[h.Type] += "base " + h.Base + "\n"
		}
	}
	for name, text := range f.sets() {
		out[name] += text
	}
	for i := range f.Exports {
		out[f.Exports[i].Name] += "export " + f.ExprWhole(f.Exports[i].Expr) + "\n"
	}
	for i := range f.Imports {
		if imp := &f.Imports[i]; imp.Scope == 0 {
			out[imp.Alias] += "import " + imp.Module + " " + imp.Name + "\n"
		}
	}
	return out
}

// ManifestNames are the files that [Project.Manifest] wants, as patterns of
// base names.
var ManifestNames = []string{"go.mod", "go.work", "package.json", "tsconfig.json", "tsconfig.*.json", "jsconfig.json", "Cargo.toml"}

func languageOf(l syntax.Lang) *language {
	if lang := languages[l]; lang != nil {
		return lang
	}
	return &language{family: string(l)}
}
