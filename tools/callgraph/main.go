// Command callgraph writes the calls of a Go module as the type checker sees
// them, to hold those against that chitta finds without one: what is called
// directly (static), and all that may be called (vta, class hierarchy analysis
// narrowed by which types and functions flow where).
//
// Functions are named by their place, "file:offset" of the word func; code
// outside of functions is "file:". Only functions with a body in the module
// count; what the compiler adds (wrappers, bound methods) is left out, the calls
// within it count as those of what it stands for.
package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/callgraph"
	"golang.org/x/tools/go/callgraph/cha"
	"golang.org/x/tools/go/callgraph/static"
	"golang.org/x/tools/go/callgraph/vta"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

// Edge is a call from one function to another, with the line that it stands on.
type Edge struct {
	Caller string `json:"caller"`
	Callee string `json:"callee"`
	Line   int    `json:"line"`
}

// Graph is what is written.
type Graph struct {
	Static []Edge `json:"static"`
	VTA    []Edge `json:"vta"`
}

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: callgraph DIR PATTERN...")
		os.Exit(2)
	}
	g, err := graphs(os.Args[1], os.Args[2:])
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(g)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "callgraph:", err)
		os.Exit(1)
	}
}

func graphs(dir string, patterns []string) (*Graph, error) {
	root, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	const mode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
		packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedTypesSizes
	loaded, err := packages.Load(&packages.Config{Mode: mode, Dir: root}, patterns...)
	if err != nil {
		return nil, fmt.Errorf("load %v: %w", patterns, err)
	}
	if packages.PrintErrors(loaded) > 0 {
		return nil, fmt.Errorf("packages of %s do not compile", root)
	}
	prog, _ := ssautil.Packages(loaded, ssa.InstantiateGenerics)
	prog.Build()
	w := &writer{root: root, prog: prog}
	return &Graph{
		Static: w.edges(static.CallGraph(prog)),
		VTA:    w.edges(vta.CallGraph(ssautil.AllFunctions(prog), cha.CallGraph(prog))),
	}, nil
}

type writer struct {
	root string
	prog *ssa.Program
}

// edges lists the calls between functions of the module.
func (w *writer) edges(g *callgraph.Graph) []Edge {
	seen := map[Edge]bool{}
	for fn, node := range g.Nodes {
		if fn == nil || made(fn) && !initialiser(fn) {
			continue
		}
		for _, e := range node.Out {
			caller, line := w.caller(fn, e)
			if caller == "" {
				continue
			}
			for _, callee := range w.callees(e.Callee, 0) {
				seen[Edge{caller, callee, line}] = true
			}
		}
	}
	out := make([]Edge, 0, len(seen))
	for e := range seen {
		out = append(out, e)
	}
	slices.SortFunc(out, func(a, b Edge) int {
		return strings.Compare(fmt.Sprint(a), fmt.Sprint(b))
	})
	return out
}

// caller is the function that a call stands in, and its line.
func (w *writer) caller(fn *ssa.Function, e *callgraph.Edge) (string, int) {
	if e.Site == nil {
		return "", 0
	}
	at := w.prog.Fset.Position(e.Site.Pos()) // a loop over a function has no place
	if initialiser(fn) {
		file, ok := w.relative(at.Filename)
		if !ok || !at.IsValid() {
			return "", 0
		}
		return file + ":", at.Line
	}
	return w.place(fn), at.Line
}

// maxWrappers bounds how many wrappers stand around one function.
const maxWrappers = 5

// callees are the functions of the module that a call reaches.
func (w *writer) callees(node *callgraph.Node, depth int) []string {
	fn := node.Func
	if fn == nil || depth > maxWrappers {
		return nil
	}
	if !made(fn) {
		if p := w.place(fn); p != "" {
			return []string{p}
		}
		return nil
	}
	if initialiser(fn) {
		return nil
	}
	var out []string
	for _, e := range node.Out {
		out = append(out, w.callees(e.Callee, depth+1)...)
	}
	return out
}

// initialiser says that a function is what sets the variables of a package.
func initialiser(fn *ssa.Function) bool {
	return fn.Syntax() == nil && fn.Name() == "init" && fn.Signature.Recv() == nil
}

// made says that no function in the text is this one.
func made(fn *ssa.Function) bool { return written(fn) == nil }

// written is what the text has of a function: its declaration, for the instance
// of a generic one as well, and for the body of a loop over a function that of
// the function around it.
func written(fn *ssa.Function) ast.Node {
	for fn != nil {
		if origin := fn.Origin(); origin != nil {
			fn = origin
		}
		switch n := fn.Syntax().(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			return n
		case *ast.RangeStmt:
			fn = fn.Parent()
		default:
			return nil
		}
	}
	return nil
}

func (w *writer) place(fn *ssa.Function) string {
	n := written(fn)
	at := w.prog.Fset.Position(n.Pos())
	file, ok := w.relative(at.Filename)
	if !ok {
		return ""
	}
	return fmt.Sprintf("%s:%d", file, at.Offset)
}

// relative is a file's path from the module's root, with slashes.
func (w *writer) relative(name string) (string, bool) {
	rel, err := filepath.Rel(w.root, name)
	if err != nil || strings.HasPrefix(rel, "..") {
		return "", false
	}
	return filepath.ToSlash(rel), true
}
