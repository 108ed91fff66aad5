package callgraph

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chitta/internal/syntax"
)

func write(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func quiet(int64, int64) {}

// TestRunScoresEveryFormat gives a program in each format the calls that it
// makes, one that it does not make, and leaves one out.
func TestRunScoresEveryFormat(t *testing.T) {
	if !syntax.Available {
		t.Skip("this build has no parsers")
	}
	python := "import ext\nclass A(ext.Base):\n    def go(self):\n        print('x'.join([]))\n        raise ValueError\nclass B:\n    x = len('a')\ndef f(g):\n    g()\nf(lambda: 1)\nA().go()\nB()\n"
	tests := []struct {
		name   string
		format Format
		files  map[string]string
		right  int
		missed []string
		wrong  []string
	}{
		{"names of built-in and outside things", PyCG, map[string]string{
			"kinds/first/main.py": python,
			"kinds/first/callgraph.json": `{"main": ["main.f", "main.A.go", "ext.Base.__init__", "main.absent"], "main.f": ["main.<lambda1>"], "main.B": ["<builtin>.len"],
				"main.A.go": ["<builtin>.print", "<**PyStr**>.join"], "main.<lambda1>": []}`},
			7, []string{"main main.absent"}, nil},
		{"Java by parameters, as a list", SWARM, map[string]string{
			"cats/one/demo/Main.java":   "package demo;\nclass Main {\n  static void run() { new Other().go(); System.out.println(); }\n}\nclass Other { void go() { Main.run(); } }\n",
			"cats/one/callgraph.json":   `[{"caller": "demo.Main:run()", "targets": [{"callee": "demo.Other:<init>()", "line": 3}, {"callee": "demo.Other:go()"}]}, {"caller": "demo.Other:go()", "targets": [{"callee": "demo.Main:run()"}]}]`,
			"cats/two/demo/Made.java":   "package demo;\nclass Made {\n  Made(int n) {}\n  static Made of() { return new Made(1); }\n}\n",
			"cats/two/callgraph.json":   `{"demo.Made:of()": ["demo.Made:<init>(int)"]}`,
			"cats/two/demo/ignored.txt": "no source",
		}, 4, nil, nil},
		{"JavaScript by its own words", SWARM, map[string]string{
			"arrows/one/main.js":        "class A { constructor() { this.f(); } f() {} }\nfunction run(g) { g(); }\nrun(() => 1);\nnew A();\n",
			"arrows/one/callgraph.json": `{"main": ["main.run", "main.A.constructor"], "main.run": ["main.<arrow1>"], "main.A.constructor": ["main.A.f"]}`},
			4, nil, nil},
		{"names that leave parts out", Edges, map[string]string{
			"p/app/m.py":   "def f(): pass\nclass C:\n    def m(self): f()\nf()\nC().m()\n",
			"p/edges.json": `[{"caller": "main", "callee": "m::f", "file": "app/m.py"}, {"caller": "C#m", "callee": "app/m.f", "file": "m.py"}, {"caller": "", "callee": "C.m", "file": "app/m.py"}, {"caller": "app.m", "callee": "C", "file": "app/m.py", "mode": "made"}, {"caller": "f", "callee": "C.m", "file": "app/m.py"}]`},
			4, []string{"f C.m"}, nil},
		{"what is found and not there", Edges, map[string]string{"p/m.py": "def f(): pass\nf()\n", "p/edges.json": `[]`}, 0, nil, []string{"m.<module> m.f"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := Run(context.Background(), write(t, tt.files), tt.format, quiet)
			if err != nil {
				t.Fatal(err)
			}
			pairs := func(edges []Edge) (out []string) {
				for _, e := range edges {
					out = append(out, e.Caller+" "+e.Callee)
				}
				return out
			}
			if r.Right != tt.right || !slices.Equal(pairs(r.Missed), tt.missed) || !slices.Equal(pairs(r.Wrong), tt.wrong) {
				t.Errorf("right %d, missed %q, wrong %q; want %d, %q, %q", r.Right, pairs(r.Missed), pairs(r.Wrong), tt.right, tt.missed, tt.wrong)
			}
		})
	}
}

func TestRunCountsByCategoryAndRule(t *testing.T) {
	if !syntax.Available {
		t.Skip("this build has no parsers")
	}
	root := write(t, map[string]string{
		"first/a/main.py": "def f(): pass\nf()\n", "first/a/callgraph.json": `{"main": ["main.f"]}`,
		"second/b/main.py": "def f(): pass\nf()\n", "second/b/callgraph.json": `{"main": ["main.g"]}`,
	})
	r, err := Run(context.Background(), root, PyCG, quiet)
	if err != nil {
		t.Fatal(err)
	}
	if first := r.Categories["first"]; first.F1 != 1 || first.Expected != 1 {
		t.Errorf("first: %+v", first)
	}
	if second := r.Categories["second"]; second.F1 != 0 || second.Precision != 0 || second.Recall != 0 {
		t.Errorf("second: %+v", second)
	}
	if rule := r.Rules["file"]; rule.Edges != 2 || rule.Precision != 0.5 {
		t.Errorf("rule: %+v", rule)
	}
	if r.Programs != 2 || r.Metrics.Precision != 0.5 || r.Metrics.Recall != 0.5 || r.Metrics.F1 != 0.5 {
		t.Errorf("all: %+v", r.Metrics)
	}
}

func TestRunSaysWhatIsWrong(t *testing.T) {
	if !syntax.Available {
		t.Skip("this build has no parsers")
	}
	for _, tt := range []struct {
		name   string
		format Format
		files  map[string]string
		says   string
	}{
		{"nothing there", PyCG, nil, "no callgraph.json under"},
		{"no list", Edges, map[string]string{"p/edges.json": `{"a": 1}`}, "a list of {caller, callee, file} is expected"},
		{"no graph", PyCG, map[string]string{"p/callgraph.json": `"text"`}, "a map of callers to callees is expected"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Run(context.Background(), write(t, tt.files), tt.format, quiet)
			if err == nil || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("error %v, want %q", err, tt.says)
			}
		})
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Run(ctx, write(t, map[string]string{"p/edges.json": "[]"}), Edges, quiet); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := Run(context.Background(), filepath.Join(t.TempDir(), "absent"), Edges, quiet); err == nil {
		t.Error("a folder that is not there gives no error")
	}
}
