package callgraph

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chitta/internal/code"
	"chitta/internal/resolve"
	"chitta/internal/syntax"
)

// checkedPackages are those of the module itself that are held against what the
// type checker says of them: enough to be sure of the figures, few enough to be
// quick.
var checkedPackages = []string{"graph", "keyword", "recall", "distil", "extract", "resolve", "code"}

// Least shares. What is called directly should be found; what is found should be
// among what can be called.
const (
	leastGoRecall    = 0.95
	leastGoPrecision = 0.97
)

// checkedEdge is a call as tools/callgraph writes it: functions by their place.
type checkedEdge struct{ Caller, Callee string }

// TestGoAgainstTheTypeChecker resolves the module's own source and compares with
// the call graphs that golang.org/x/tools makes of it.
func TestGoAgainstTheTypeChecker(t *testing.T) {
	if !syntax.Available {
		t.Skip("this build has no parsers")
	}
	if testing.Short() {
		t.Skip("loads and checks a part of the module: takes some seconds")
	}
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	static, vta := checkedGraphs(t, root)
	p, files, err := Load(root)
	if err != nil {
		t.Fatal(err)
	}
	ours := placed(p, files)
	hit, missed := 0, 0
	for e := range static {
		if _, ok := ours[e]; ok {
			hit++
		} else if missed++; missed <= 20 {
			t.Logf("missed %s -> %s", e.Caller, e.Callee)
		}
	}
	recall := float64(hit) / float64(len(static))
	checked := map[string]bool{} // callers, and files that were compiled
	for e := range vta {
		checked[e.Caller] = true
		checked[fileOf(e.Caller)], checked[fileOf(e.Callee)] = true, true
	}
	var r Result
	r.Rules = map[string]Score{}
	r.Categories = map[string]Score{}
	for e, rule := range ours {
		if checked[e.Caller] && checked[fileOf(e.Callee)] {
			_, right := vta[e]
			r.count("", rule.String(), right)
			if !right {
				t.Logf("not in vta (%s): %s -> %s", rule, e.Caller, e.Callee)
			}
		}
	}
	r.Finish()
	for rule, s := range r.Rules {
		t.Logf("%-14s precision %.3f of %d", rule, s.Precision, s.Found)
	}
	t.Logf("recall of %d static calls %.4f, precision of %d edges %.4f", len(static), recall, r.Metrics.Found, r.Metrics.Precision)
	if recall < leastGoRecall || r.Metrics.Precision < leastGoPrecision {
		t.Errorf("recall %.4f and precision %.4f, at least %.2f and %.2f are wanted", recall, r.Metrics.Precision, leastGoRecall, leastGoPrecision)
	}
}

// checkedGraphs builds and runs tools/callgraph.
func checkedGraphs(t *testing.T, root string) (static, vta map[checkedEdge]bool) {
	t.Helper()
	tool := filepath.Join(t.TempDir(), "callgraph")
	build := exec.Command("go", "build", "-o", tool, "./callgraph")
	build.Dir = filepath.Join(root, "tools")
	if out, err := build.CombinedOutput(); err != nil {
		t.Skipf("tools/callgraph does not build here (are its modules at hand?): %v\n%s", err, out)
	}
	args := []string{root}
	for _, name := range checkedPackages {
		args = append(args, "./internal/"+name)
	}
	run := exec.Command(tool, args...)
	run.Dir, run.Stderr = root, os.Stderr
	out, err := run.Output()
	if err != nil {
		t.Fatal(err)
	}
	var g struct{ Static, VTA []checkedEdge }
	if err := json.Unmarshal(out, &g); err != nil {
		t.Fatal(err)
	}
	if len(g.Static) == 0 || len(g.VTA) == 0 {
		t.Fatal("no calls came back")
	}
	set := func(list []checkedEdge) map[checkedEdge]bool {
		out := map[checkedEdge]bool{}
		for _, e := range list {
			out[e] = true
		}
		return out
	}
	return set(g.Static), set(g.VTA)
}

// placed names the ends of the resolved Go calls as tools/callgraph does. Calls
// that are said to reach a method of an interface name no function, and tests
// are not loaded there.
func placed(p *resolve.Project, files []*code.File) map[checkedEdge]resolve.Rule {
	byPath := map[string]*code.File{}
	for _, f := range files {
		byPath[f.Path] = f
	}
	place := func(r resolve.Ref) string {
		if r.Symbol == code.None {
			return r.File + ":"
		}
		return fmt.Sprintf("%s:%d", r.File, byPath[r.File].Symbols[r.Symbol].Start)
	}
	out := map[checkedEdge]resolve.Rule{}
	for _, f := range files {
		if f.Lang != syntax.Go || !slices.Contains(checkedPackages, path.Base(path.Dir(f.Path))) || strings.HasSuffix(f.Path, "_test.go") {
			continue
		}
		for _, e := range p.Edges(f.Path) {
			if s := &byPath[e.To.File].Symbols[e.To.Symbol]; !s.Abstract || s.Kind != code.Method {
				out[checkedEdge{place(e.From), place(e.To)}] = e.Rule
			}
		}
	}
	return out
}

func fileOf(place string) string {
	file, _, _ := strings.Cut(place, ":")
	return file + ":"
}
