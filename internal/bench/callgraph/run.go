package callgraph

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"chitta/internal/code"
	"chitta/internal/resolve"
	"chitta/internal/syntax"
)

// Format is how a set of programs says what calls they make.
type Format string

// The formats.
const (
	// PyCG has a callgraph.json beside each program: caller to callees, named by
	// module, with what is built in and outside.
	PyCG Format = "pycg"
	// SWARM has the same for JavaScript and Python, and for Java names with
	// parameters, as a map or as a list of callers with targets.
	SWARM Format = "swarm"
	// Edges has an edges.json: a list of [Edge].
	Edges Format = "edges"
)

// Formats lists them.
func Formats() []Format { return []Format{PyCG, SWARM, Edges} }

// RuleScore says how many edges a rule found and how many of them are right.
type RuleScore struct {
	Precision float64 `json:"precision"`
	Edges     int     `json:"edges"`
}

// Report is what a measurement prints.
type Report struct {
	Metrics struct {
		Precision float64 `json:"precision"`
		Recall    float64 `json:"recall"`
		F1        float64 `json:"f1"`
	} `json:"metrics"`
	Programs   int                  `json:"programs"`
	Expected   int                  `json:"expected"`
	Found      int                  `json:"found"`
	Right      int                  `json:"right"`
	Categories map[string]Score     `json:"categories"`
	Rules      map[string]RuleScore `json:"rules"`
	// Missed and Wrong are the edges that differ.
	Missed []Edge `json:"missed,omitempty"`
	Wrong  []Edge `json:"wrong,omitempty"`
}

// Run resolves every program under a folder and scores the calls found.
func Run(ctx context.Context, root string, format Format, progress func(done, total int64)) (Report, error) {
	if !syntax.Available {
		return Report{}, syntax.ErrOff
	}
	name := "callgraph.json"
	if format == Edges {
		name = "edges.json"
	}
	lists, err := listed(root, name)
	if err != nil {
		return Report{}, err
	}
	r := Result{Exact: format == PyCG}
	for i, list := range lists {
		if err := ctx.Err(); err != nil {
			return Report{}, err
		}
		if err := r.program(list, format); err != nil {
			return Report{}, err
		}
		progress(int64(i+1), int64(len(lists)))
	}
	r.Finish()
	return r.report(len(lists)), nil
}

// listed finds the files of a name under a folder.
func listed(root, name string) ([]string, error) {
	var out []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && d.Name() == name {
			out = append(out, path)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("look for programs: %w", err)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no %s under %s; name a folder with programs and the calls that they make", name, root)
	}
	return out, nil
}

// program scores one program.
func (r *Result) program(list string, format Format) error {
	dir := filepath.Dir(list)
	p, files, err := Load(dir)
	if err != nil {
		return err
	}
	if format == Edges {
		want, err := ReadEdges(list)
		if err != nil {
			return err
		}
		r.Compare(want, Found(p, files), filepath.Base(dir))
		return nil
	}
	want, err := readGraph(list)
	if err != nil {
		return err
	}
	n := naming{p: p, files: files, outside: true}
	if slices.ContainsFunc(files, func(f *code.File) bool { return f.Lang == syntax.Java }) {
		n.outside = false // the sets for Java name no calls of the library
	}
	r.Compare(n.plain(want), n.found(), filepath.Base(filepath.Dir(dir)))
	return nil
}

// readGraph reads a call graph: caller to callees, or a list of callers with
// their targets.
func readGraph(name string) ([]Edge, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var out []Edge
	var byCaller map[string][]string
	if json.Unmarshal(data, &byCaller) == nil {
		for caller, callees := range byCaller {
			for _, callee := range callees {
				out = append(out, Edge{Caller: caller, Callee: callee})
			}
		}
		slices.SortFunc(out, func(a, b Edge) int { return strings.Compare(a.Caller+" "+a.Callee, b.Caller+" "+b.Callee) })
		return out, nil
	}
	var callers []struct {
		Caller  string
		Targets []struct{ Callee string }
	}
	if err := json.Unmarshal(data, &callers); err != nil {
		return nil, fmt.Errorf("%s: a map of callers to callees is expected: %w", name, err)
	}
	for _, c := range callers {
		for _, t := range c.Targets {
			out = append(out, Edge{Caller: c.Caller, Callee: t.Callee})
		}
	}
	return out, nil
}

// report is the result in the form that is printed.
func (r *Result) report(programs int) Report {
	out := Report{Programs: programs, Expected: r.Metrics.Expected, Found: r.Metrics.Found, Right: r.Metrics.Right,
		Categories: r.Categories, Rules: map[string]RuleScore{}, Missed: r.Missed, Wrong: r.Wrong}
	out.Metrics.Precision, out.Metrics.Recall, out.Metrics.F1 = r.Metrics.Precision, r.Metrics.Recall, r.Metrics.F1
	for rule, s := range r.Rules {
		out.Rules[rule] = RuleScore{s.Precision, s.Found}
	}
	return out
}

// naming gives the edges of a program the names that call graphs have: by
// module and symbol, constructors by the language's name for them, and what is
// outside by its qualified name.
type naming struct {
	p       *resolve.Project
	files   []*code.File
	outside bool
}

// External is the rule of edges to what is outside of the program.
const External = "external"

func (n naming) found() []Edge {
	byPath := map[string]*code.File{}
	for _, f := range n.files {
		byPath[f.Path] = f
	}
	seen := map[[2]string]bool{}
	var out []Edge
	put := func(caller, callee, rule string) {
		if at := [2]string{caller, callee}; !seen[at] && callee != "" {
			seen[at] = true
			out = append(out, Edge{Caller: caller, Callee: callee, Rule: rule})
		}
	}
	for _, f := range n.files {
		for _, e := range n.p.Edges(f.Path) {
			to := byPath[e.To.File]
			put(n.name(f, e.From.Symbol), n.callee(to, e.To.Symbol), e.Rule.String())
			if n.outside && to.Symbols[e.To.Symbol].Kind.Type() {
				put(n.name(f, e.From.Symbol), n.outsideConstructor(to, e.To.Symbol), External)
			}
		}
		for _, l := range n.p.Loose(f.Path) {
			implicit := f.Calls[l.Call].Kind == code.Ctor && strings.HasPrefix(l.Name, builtin) // raise ValueError
			if l.External && n.outside && !implicit {
				put(n.name(f, l.From.Symbol), builtinName(f.Lang, l.Name), External)
			}
		}
	}
	return out
}

// callee is the name of what is called. A type without a constructor of its own
// runs nothing that a graph would name, except in Java, where each has one.
func (n naming) callee(f *code.File, symbol int32) string {
	s := &f.Symbols[symbol]
	name := n.name(f, symbol)
	switch {
	case s.Kind.Type() && f.Lang == syntax.Java:
		return name + ".<init>"
	case s.Kind.Type():
		return ""
	case s.Kind == code.Constructor && f.Lang == syntax.Java:
		return name[:strings.LastIndexByte(name, '.')+1] + "<init>"
	}
	return name
}

func (n naming) name(f *code.File, symbol int32) string {
	return plainName(n.p.Name(f.Path, symbol))
}

// outsideConstructor is the constructor that a class has from outside.
func (n naming) outsideConstructor(f *code.File, symbol int32) string {
	if f.Lang != syntax.Python {
		return ""
	}
	for _, b := range n.p.Bases(f.Path) {
		if b.Sub.Symbol == symbol && b.Super.File == "" {
			if b.External != "" && !strings.HasPrefix(b.External, builtin) {
				return b.External + ".__init__"
			}
		}
	}
	return ""
}

// plain gives expected edges the same names. The body of a class is code of its
// module.
func (n naming) plain(want []Edge) []Edge {
	types := map[string]string{}
	for _, f := range n.files {
		for i := range f.Symbols {
			if f.Symbols[i].Kind.Type() {
				types[n.name(f, int32(i))] = n.name(f, code.None)
			}
		}
	}
	seen := map[Edge]bool{}
	var out []Edge
	for _, e := range want {
		e.Caller, e.Callee = plainName(e.Caller), plainName(e.Callee)
		if module, ok := types[e.Caller]; ok {
			e.Caller = module
		}
		if !seen[e] {
			seen[e] = true
			out = append(out, e)
		}
	}
	return out
}

// plainName is a name without parameters, with dots, and with one word for
// functions that have none.
func plainName(name string) string {
	if i := strings.IndexByte(name, '('); i > 0 {
		name = name[:i]
	}
	name = strings.TrimPrefix(strings.NewReplacer("::", ".", ":", ".", "/", ".", "$", ".", "#", ".").Replace(name), ".")
	for _, word := range []string{"<arrow", "<anonymous", "<anon", "<function"} {
		name = strings.ReplaceAll(name, word, "<lambda")
	}
	return name
}

// builtin begins the names of what a language has built in.
const builtin = "<builtin>."

// builtinTypes are the names that call graphs have for types of literals.
var builtinTypes = map[syntax.Lang]map[string]string{
	syntax.Python:     {"str": "PyStr", "dict": "PyDict", "list": "PyList", "tuple": "PyTuple", "set": "PySet", "int": "PyNum", "float": "PyNum", "bytes": "PyStr"},
	syntax.JavaScript: {"string": "JSString", "str": "JSString", "object": "JSObject", "dict": "JSObject", "number": "JSNumber"},
}

// builtinName is the name of something outside: members of built-in types are
// named by the type of literal.
func builtinName(lang syntax.Lang, name string) string {
	if rest, ok := strings.CutPrefix(name, builtin); ok {
		if typ, member, ok := strings.Cut(rest, "."); ok {
			if t := builtinTypes[lang][typ]; t != "" {
				return "<**" + t + "**>." + member
			}
			if lang == syntax.JavaScript && (typ == "list" || typ == "array") {
				return builtin + member // named without its type
			}
			return "" // a member of a built-in class
		}
		return name
	}
	return plainName(name)
}
