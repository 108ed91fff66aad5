package callgraph

import (
	"path/filepath"
	"testing"

	"chitta/internal/syntax"
)

// floors are the least F1 of each language's own programs.
var floors = map[string]float64{
	"cpp": 0.90, "csharp": 0.90, "go": 0.95, "java": 0.95, "javascript": 0.90, "python": 0.95, "ruby": 0.90, "rust": 0.90, "typescript": 0.95,
}

// TestOwnPrograms scores the programs under testdata, each with the calls that
// it makes written down. -v shows what was missed and what is wrong.
func TestOwnPrograms(t *testing.T) {
	if !syntax.Available {
		t.Skip("this build has no parsers")
	}
	for lang, floor := range floors {
		t.Run(lang, func(t *testing.T) {
			lists, err := filepath.Glob("../testdata/code/" + lang + "/*/edges.json")
			if err != nil || len(lists) == 0 {
				t.Fatalf("no programs: %v", err)
			}
			var r Result
			for _, list := range lists {
				want, err := ReadEdges(list)
				if err != nil {
					t.Fatal(err)
				}
				p, files, err := Load(filepath.Dir(list))
				if err != nil {
					t.Fatal(err)
				}
				r.Compare(want, Found(p, files), filepath.Base(filepath.Dir(list)))
			}
			r.Finish()
			for _, e := range r.Missed {
				t.Logf("missed %s: %s -> %s (%s)", e.Mode, e.Caller, e.Callee, e.File)
			}
			for _, e := range r.Wrong {
				t.Logf("wrong %s: %s -> %s (%s)", e.Rule, e.Caller, e.Callee, e.File)
			}
			m := r.Metrics
			t.Logf("%s: precision %.3f recall %.3f F1 %.3f, %d expected, %d found, %d right", lang, m.Precision, m.Recall, m.F1, m.Expected, m.Found, m.Right)
			if m.F1 < floor {
				t.Errorf("F1 %.3f, at least %.2f is wanted", m.F1, floor)
			}
			if m.Expected < 30 {
				t.Errorf("only %d edges", m.Expected)
			}
		})
	}
}
