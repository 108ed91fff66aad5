// Package callgraph scores resolved calls against programs whose calls are
// known.
package callgraph

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"chitta/internal/code"
	"chitta/internal/extract"
	"chitta/internal/resolve"
	"chitta/internal/syntax"
)

// Edge is a call, by the names of both ends.
type Edge struct {
	Caller string `json:"caller"`
	Callee string `json:"callee"`
	File   string `json:"file"`           // that the call stands in
	Mode   string `json:"mode,omitempty"` // the construct that it shows
	Rule   string `json:"-"`              // how it was found
}

// Score compares what was found with what is there.
type Score struct {
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
	F1        float64 `json:"f1"`
	Expected  int     `json:"expected"`
	Found     int     `json:"found"`
	Right     int     `json:"right"`
}

func (s *Score) finish() {
	s.Precision, s.Recall, s.F1 = 1, 1, 0
	if s.Found > 0 {
		s.Precision = float64(s.Right) / float64(s.Found)
	}
	if s.Expected > 0 {
		s.Recall = float64(min(s.Right, s.Expected)) / float64(s.Expected)
	}
	if s.Precision+s.Recall > 0 {
		s.F1 = 2 * s.Precision * s.Recall / (s.Precision + s.Recall)
	}
}

// Result is the score of a set of programs.
type Result struct {
	Metrics    Score            `json:"metrics"`
	Categories map[string]Score `json:"categories"`
	Rules      map[string]Score `json:"rules"`
	Exact      bool             `json:"-"` // names are compared to the letter
	Wrong      []Edge           `json:"-"` // found, but not there
	Missed     []Edge           `json:"-"` // there, but not found
}

// Load parses and resolves all source files under a folder.
func Load(root string) (*resolve.Project, []*code.File, error) {
	parser := syntax.New()
	defer parser.Close()
	p := resolve.New()
	var files []*code.File
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		lang := syntax.LangOf(name)
		manifest := slices.ContainsFunc(resolve.ManifestNames, func(pat string) bool { ok, _ := path.Match(pat, path.Base(rel)); return ok })
		if lang == "" && !manifest {
			return nil
		}
		src, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if manifest {
			p.Manifest(rel, src)
			return nil
		}
		tree, err := parser.Parse(lang, src)
		if err != nil {
			return fmt.Errorf("parse %s: %w", rel, err)
		}
		f := extract.Facts(rel, tree)
		files = append(files, f)
		p.Put(f)
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	p.Resolve()
	return p, files, nil
}

// Found lists the edges of a resolved project, named by file: the file's path
// without extension, with dots, and the symbol's path. Code outside of functions
// is "<module>".
func Found(p *resolve.Project, files []*code.File) []Edge {
	byPath := map[string]*code.File{}
	for _, f := range files {
		byPath[f.Path] = f
	}
	name := func(r resolve.Ref) string {
		module := strings.ReplaceAll(strings.TrimSuffix(r.File, path.Ext(r.File)), "/", ".")
		if r.Symbol == code.None {
			return module + ".<module>"
		}
		return module + "." + byPath[r.File].Symbols[r.Symbol].Path
	}
	var out []Edge
	for _, f := range files {
		seen := map[[2]string]bool{}
		for _, e := range p.Edges(f.Path) {
			edge := Edge{Caller: name(e.From), Callee: name(e.To), File: f.Path, Rule: e.Rule.String()}
			if ends := [2]string{edge.Caller, edge.Callee}; !seen[ends] {
				seen[ends] = true
				out = append(out, edge)
			}
		}
	}
	return out
}

// ReadEdges reads an edges.json.
func ReadEdges(name string) ([]Edge, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var out []Edge
	if err := json.Unmarshal(data, &out); err != nil {
		return nil, fmt.Errorf("%s: a list of {caller, callee, file} is expected: %w", name, err)
	}
	return out, nil
}

// Compare scores found edges against expected ones and adds to a result. The
// category of an edge is its mode, or the one given.
func (r *Result) Compare(expected, found []Edge, category string) {
	if r.Categories == nil {
		r.Categories, r.Rules = map[string]Score{}, map[string]Score{}
	}
	used := make([]bool, len(expected))
	for _, f := range found {
		hit := slices.IndexFunc(expected, func(e Edge) bool { return r.matches(e, f) })
		mode := category
		if hit >= 0 {
			if expected[hit].Mode != "" {
				mode = expected[hit].Mode
			}
			used[hit] = true
		} else {
			r.Wrong = append(r.Wrong, f)
		}
		r.count(mode, f.Rule, hit >= 0)
	}
	for i, e := range expected {
		mode := e.Mode
		if mode == "" {
			mode = category
		}
		s := r.Categories[mode]
		s.Expected++
		r.Categories[mode] = s
		r.Metrics.Expected++
		if !used[i] {
			r.Missed = append(r.Missed, e)
		}
	}
}

func (r *Result) count(mode, rule string, right bool) {
	bump := func(s Score) Score {
		s.Found++
		if right {
			s.Right++
		}
		return s
	}
	r.Metrics = bump(r.Metrics)
	r.Categories[mode] = bump(r.Categories[mode])
	r.Rules[rule] = bump(r.Rules[rule])
}

// Finish works out the ratios.
func (r *Result) Finish() {
	r.Metrics.finish()
	for _, m := range []map[string]Score{r.Categories, r.Rules} {
		for k, s := range m {
			s.finish()
			m[k] = s
		}
	}
}

func (r *Result) matches(want, have Edge) bool {
	if r.Exact {
		return want.Caller == have.Caller && want.Callee == have.Callee
	}
	return (want.File == "" || want.File == have.File || strings.HasSuffix(have.File, "/"+want.File)) &&
		(sameName(want.Caller, have.Caller) || sameCode(want.Caller, have.Caller)) && sameName(want.Callee, have.Callee)
}

// ownCode is the name of code outside of functions.
const ownCode = "<module>"

// sameCode says that both names mean a file's own code, which lists also call by
// the file's name, "main" or nothing.
func sameCode(want, have string) bool {
	module, ok := strings.CutSuffix(have, "."+ownCode)
	if !ok {
		return false
	}
	x := parts(want)
	if n := len(x); n > 0 && x[n-1] == ownCode {
		x = x[:n-1]
	}
	if len(x) == 0 || sameName(strings.Join(x, "."), module) {
		return true
	}
	n := len(x) - 1
	return x[n] == "main" && (n == 0 || sameName(strings.Join(x[:n], "."), module))
}

// sameName compares two names leniently: all separators are one, and one name
// may leave out leading parts of the other.
func sameName(a, b string) bool {
	x, y := parts(a), parts(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	return len(x) > 0 && slices.Equal(x, y[len(y)-len(x):])
}

var separators = strings.NewReplacer("::", ".", "#", ".", "/", ".", "$", ".", "..", ".")

func parts(name string) []string {
	return slices.DeleteFunc(strings.Split(separators.Replace(name), "."), func(s string) bool { return s == "" })
}
