package resolve

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestPythonCalls lists what the calls of small programs reach.
func TestPythonCalls(t *testing.T) {
	tests := []struct {
		name  string
		files map[string]string
		want  []string // among the calls
		not   []string // parts of lines that must not be there
	}{
		{"a parameter hides a function", map[string]string{"m.py": "def f(): pass\ndef g(f): f()\n"},
			[]string{"g -> f (loose)"}, []string{"g -> f ["}},
		{"what nobody defines stays loose", map[string]string{"m.py": "def g(): nowhere()\n"}, []string{"g -> nowhere (loose)"}, nil},
		{"what is outside has its qualified name", map[string]string{"m.py": "import os.path as p\nfrom json import loads as read\np.join()\nread()\nprint(1)\n"},
			[]string{"<module> -> os.path.join (outside)", "<module> -> json.loads (outside)", "<module> -> <builtin>.print (outside)"}, nil},
		{"a name that a module of the project lacks", map[string]string{"m.py": "from n import gone\ngone()\n", "n.py": "def here(): pass\n"},
			[]string{"<module> -> gone (loose)"}, []string{"here"}},
		{"modules that import each other", map[string]string{"a.py": "import b\ndef f(): b.g()\n", "b.py": "import a\ndef g(): a.f()\n"},
			[]string{"f -> g [qualified]", "g -> f [qualified]"}, nil},
		{"modules that re-export each other", map[string]string{"a.py": "from b import *\nlost()\nkept()\n", "b.py": "from a import *\ndef kept(): pass\n"},
			[]string{"<module> -> kept [import]", "<module> -> lost (loose)"}, nil},
		{"classes above themselves", map[string]string{"m.py": "class A(B):\n def f(self): self.g()\nclass B(A):\n def g(self): super().f()\n"},
			[]string{"A.f -> B.g [self]"}, nil},
		{"relative imports", map[string]string{"p/__init__.py": "from .q import f\n", "p/q.py": "def f(): pass\n", "p/r/s.py": "from .. import f\nfrom ..q import f as g\nf()\ng()\n", "p/r/__init__.py": ""},
			[]string{"<module> -> f [import]"}, []string{"loose", "outside"}},
		{"a package under src", map[string]string{"src/pkg/__init__.py": "", "src/pkg/m.py": "def f(): pass\n", "tests/test_m.py": "from pkg.m import f\nimport pkg.m\nf()\n"},
			[]string{"<module> -> f [import]"}, []string{"outside"}},
		{"a folder that is no package", map[string]string{"ns/m.py": "def f(): pass\n", "main.py": "import ns.m\nns.m.f()\n"},
			[]string{"<module> -> f [qualified]"}, nil},
		{"a module beside that is named as one of the library", map[string]string{"p/__init__.py": "", "p/json.py": "def loads(): pass\n", "p/m.py": "import json\njson.loads()\n"},
			[]string{"<module> -> json.loads (outside)"}, nil},
		{"members of classes outside", map[string]string{"m.py": "import lib\nclass A(lib.Base):\n def f(self): self.inherited()\n"},
			[]string{"A.f -> lib.Base.inherited (outside)"}, nil},
		{"the order of bases", map[string]string{"m.py": "class A:\n def f(self): pass\nclass B(A): pass\nclass C(A):\n def f(self): pass\nclass D(B, C): pass\nD().f()\n"},
			[]string{"<module> -> C.f [receiver]"}, []string{"-> A.f"}},
		{"what is returned is what was given", map[string]string{"m.py": "def same(x): return x\ndef a(): pass\ndef b(): pass\ndef use(): same(a)()\nsame(b)()\n"},
			[]string{"use -> a [value]", "<module> -> b [value]"}, []string{"use -> b", "<module> -> a"}},
		{"dictionaries that hold themselves", map[string]string{"m.py": "d = {}\nd.update(d)\ne = {**d}\nd.update(e)\nd['k']()\nd['x'] = d\nfor v in d.values(): v()\n"},
			nil, []string{" ["}},
		{"the last value under a key holds", map[string]string{"m.py": "def a(): pass\ndef b(): pass\nd = {'k': a}\nd['k'] = b\nd['k']()\n"},
			[]string{"<module> -> b [value]"}, []string{"-> a"}},
		{"a string and a number are different keys", map[string]string{"m.py": "def a(): pass\ndef b(): pass\nd = {1: a, '1': b}\nd['1']()\n"},
			[]string{"<module> -> b [value]"}, []string{"-> a"}},
		{"a key that is handed over", map[string]string{"m.py": "def a(): pass\ndef b(): pass\ndef use(d, k): d[k]()\nuse({'x': a, 'y': b}, 'y')\n"},
			[]string{"use -> b [value]"}, []string{"use -> a"}},
		{"built-in functions run methods", map[string]string{"m.py": "class A:\n def __len__(self): return 1\ndef f(): return len(A())\nlen([])\n"},
			[]string{"f -> A.__len__ [receiver]", "<module> -> <builtin>.len (outside)"}, []string{"<module> -> A"}},
		{"swapped in one statement", map[string]string{"m.py": "def a(): pass\ndef b(): pass\nx, y = a, b\nx, y = y, x\nx()\n"},
			[]string{"<module> -> b [value]"}, []string{"-> a"}},
		{"loops and contexts say nothing of what is built in", map[string]string{"m.py": "for x in thing: pass\nwith other: pass\n"}, nil, []string{"__"}},
		{"spread through a method of a class", map[string]string{"m.py": "class A:\n def f(self, g): g()\ndef h(): pass\nargs = (A(), h)\nA.f(*args)\n"},
			[]string{"<module> -> A.f [qualified]", "A.f -> h [value]"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := program(t, tt.files)
			for _, line := range tt.want {
				if !slices.Contains(got, line) {
					t.Errorf("no %q", line)
				}
			}
			for _, part := range tt.not {
				for _, line := range got {
					if strings.Contains(line, part) {
						t.Errorf("%q has %q", line, part)
					}
				}
			}
			if t.Failed() {
				t.Logf("calls:\n%s", strings.Join(got, "\n"))
			}
		})
	}
}

// TestPythonImportsReachModules: a module that is imported from its package is
// what the import reaches, and not the package, unless that has something else of
// the name.
func TestPythonImportsReachModules(t *testing.T) {
	p := load(t, map[string]string{
		"app/__init__.py": "from . import util\nfrom .text import text\nVERSION = 1\n", "app/util.py": "def f(): pass\n", "app/text.py": "def text(): pass\n",
		"app/main.py":   "from . import util\nfrom . import VERSION, gone\nfrom .util import f\nfrom . import *\n",
		"app/deep/x.py": "from .. import util as u\nfrom . import y\nfrom ... import none\n", "app/deep/y.py": "",
		"top.py": "from app import util, text\nfrom app.deep import y\nimport app.util\n",
	})
	for file, want := range map[string][]string{
		"app/__init__.py": {"0 app/util.py", "1 app/text.py"},
		"app/main.py":     {"0 app/util.py", "1 app/__init__.py", "2 app/__init__.py", "3 app/util.py", "4 app/__init__.py"},
		"app/deep/x.py":   {"0 app/util.py", "1 app/deep/y.py", "2 "},
		"top.py":          {"0 app/util.py", "1 app/__init__.py", "2 app/deep/y.py", "3 app/util.py", "4 app/__init__.py"},
	} {
		var got []string
		for _, l := range p.Imports(file) {
			got = append(got, fmt.Sprint(l.Import, " ", l.File))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", file, got, want)
		}
	}
}

// TestPythonLastDefinitionHolds imports a name that is defined twice: the second
// definition took the first one's place, but for two branches either may hold.
func TestPythonLastDefinitionHolds(t *testing.T) {
	p := load(t, map[string]string{
		"m.py": "def f(): pass\ndef f(): pass\nif x:\n def g(): pass\nelse:\n def g(): pass\n",
		"n.py": "import m\nm.f()\nm.g()\n",
	})
	var lines []int
	for _, e := range p.Edges("n.py") {
		lines = append(lines, p.files["m.py"].Symbols[e.To.Symbol].Line)
	}
	if slices.Sort(lines); !slices.Equal(lines, []int{2, 4, 6}) {
		t.Errorf("definitions called are on lines %v", lines)
	}
}

// TestPythonSettingsFollow changes what one file puts into another's.
func TestPythonSettingsFollow(t *testing.T) {
	p := load(t, map[string]string{
		"reg.py": "class Hooks: pass\nhooks = Hooks()\ntable = {}\ndef go(): table['x']()\ndef run(): hooks.late()\n",
		"a.py":   "import reg\ndef f(): pass\nreg.table['x'] = f\nreg.hooks.late = f\n",
	})
	if got := calls(p); !slices.Contains(got, "go -> f [value]") || !slices.Contains(got, "run -> f [value]") {
		t.Fatalf("calls: %q", got)
	}
	put(t, p, "a.py", "import reg\ndef f(): pass\ndef g(): pass\nreg.table['x'] = g\nreg.hooks.late = g\n")
	p.Resolve()
	if got := calls(p); !slices.Contains(got, "go -> g [value]") || !slices.Contains(got, "run -> g [value]") || slices.Contains(got, "go -> f [value]") {
		t.Errorf("after the change: %q", got)
	}
}

// TestPythonIsTheSameEachTime resolves programs several times, their files put
// in the order of a map, and expects the same.
func TestPythonIsTheSameEachTime(t *testing.T) {
	dirs, err := filepath.Glob("../bench/testdata/code/python/*")
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	for _, dir := range dirs {
		files := map[string]string{}
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".py" {
				return err
			}
			src, err := os.ReadFile(path)
			rel, _ := filepath.Rel(dir, path)
			files[filepath.ToSlash(rel)] = string(src)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		first := program(t, files)
		for range 3 {
			if again := program(t, files); !slices.Equal(first, again) {
				t.Errorf("%s: %q, then %q", dir, first, again)
			}
		}
	}
}

// TestPythonChangesFollow puts a changed file into a project that is resolved:
// what others call follows.
func TestPythonChangesFollow(t *testing.T) {
	p := load(t, map[string]string{"a.py": "from b import f\ndef use(cb): cb()\nf()\n", "b.py": "import a\ndef f(): pass\ndef g(): pass\na.use(f)\n"})
	if got := calls(p); !slices.Contains(got, "use -> f [value]") {
		t.Fatalf("calls: %q", got)
	}
	put(t, p, "b.py", "import a\ndef g(): pass\na.use(g)\n")
	p.Resolve()
	got := calls(p)
	if !slices.Contains(got, "use -> g [value]") || slices.Contains(got, "use -> f [value]") || !slices.Contains(got, "<module> -> f (loose)") {
		t.Errorf("after the change: %q", got)
	}
	p.Remove("b.py")
	p.Resolve()
	if got := calls(p); !slices.Contains(got, "<module> -> b.f (outside)") {
		t.Errorf("after the file is gone: %q", got)
	}
}
