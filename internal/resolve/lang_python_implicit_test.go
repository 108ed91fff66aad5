package resolve

import (
	"slices"
	"strings"
	"testing"
)

// TestPythonImplicit lists calls that the text does not write as such.
func TestPythonImplicit(t *testing.T) {
	const vec = "class V:\n def __add__(self, o): return V()\n def __rmul__(self, o): pass\n def __neg__(self): pass\n def __lt__(self, o): pass\n def __getitem__(self, i): pass\n def go(self): pass\n"
	tests := []struct {
		name, src string
		want, not []string
	}{
		{"operators run methods of their operands", vec + "def f():\n v = V()\n (v + v).go()\n 2 * v\n -v\n v > v\n v[0]\n",
			[]string{"f -> V.__add__ [receiver]", "f -> V.go [receiver]", "f -> V.__rmul__ [receiver]", "f -> V.__neg__ [receiver]", "f -> V.__lt__ [receiver]", "f -> V.__getitem__ [receiver]"}, nil},
		{"operators on what is not known say nothing", vec + "def f(x): return x + x, x[0], -x, x < 1\n", nil, []string{"f -> "}},
		{"types are compared by no method of theirs", vec + "def f(x): return V < x\n", nil, []string{"f -> V"}},
		{"a sum of lists holds both", "def a(): pass\ndef b(): pass\nx = [a]\ndef f():\n for g in x + [b]: g()\n", []string{"f -> a [value]", "f -> b [value]"}, nil},
		{"a value carried round a loop", "def a(): pass\ndef wrap(g): return lambda: g()\ndef f(n):\n g = a\n for i in n: g = wrap(g)\n g()\n",
			[]string{"wrap.<lambda1> -> a [value]", "wrap.<lambda1> -> wrap.<lambda1> [value]"}, nil},
		{"a name set to what calling it gives", "def a(): return b\ndef b(): return c\ndef c(): pass\ndef f():\n s = a\n while s: s = s()\n", []string{"f -> a [value]", "f -> b [value]", "f -> c [value]"}, nil},
		{"what comes fresh in each turn is not carried", "def a(): pass\ndef b(): pass\ndef f(n):\n for i in n:\n  g = a\n  g()\n  g = b\n", []string{"f -> a [value]"}, []string{"f -> b"}},
		{"a class is told of those below it", "class P:\n known = {}\n def __init_subclass__(cls): P.known['x'] = cls()\nclass A(P):\n def run(self): pass\nP.known['x'].run()\n",
			[]string{"<module> -> P.__init_subclass__ [qualified]", "<module> -> A.run [receiver]", "P.__init_subclass__ -> A [constructor]"}, nil},
		{"what a class method makes is of the class that it is called on", "class A:\n @classmethod\n def make(cls): return cls()\nclass B(A):\n def run(self): pass\nB.make().run()\n", []string{"<module> -> B.run [receiver]"}, nil},
		{"a mixin comes before the base", "class A:\n def run(self): self.hook()\n def hook(self): pass\nclass M:\n def hook(self): pass\nclass B(M, A): pass\n", []string{"A.run -> M.hook [implementors]"}, nil},
		{"decorated methods are what the decorator gives", "def d(f):\n def inner(self, g): f(self, g)\n return inner\nclass A:\n @d\n def run(self, g): g()\ndef h(): pass\nA().run(h)\n",
			[]string{"<module> -> d.inner [value]", "d.inner -> A.run [value]", "A.run -> h [value]"}, nil},
		{"fields of a class without a constructor", "class T:\n n: int\n fn: object\n def run(self): self.fn()\ndef h(): pass\nT(1, h).run()\n", []string{"T.run -> h [value]"}, nil},
		{"arguments that are bound", "from functools import partial\ndef run(a, g=None): g()\ndef h(): pass\npartial(run, g=h)(1)\n", []string{"run -> h [value]"}, nil},
		{"what sorted hands to its key", "class A:\n def n(self): pass\ndef by(a): return a.n()\nsorted([A()], key=by)\n", []string{"by -> A.n [receiver]"}, nil},
		{"names put together", "class V:\n def visit(self, n): getattr(self, 'visit_' + n)()\n def other(self, n): getattr(self, f'visit_{n}')()\n def visit_a(self): pass\n def leave(self): pass\n",
			[]string{"V.visit -> V.visit_a [value]", "V.other -> V.visit_a [value]"}, []string{"-> V.leave"}},
		{"parts of pairs from the end", "def a(): pass\ndef b(): pass\nfor p in zip([a], [b]):\n p[-1]()\n p[-3]()\nfor q in {'k': a}.items():\n q[-1]()\n q[-9]()\n",
			[]string{"<module> -> b [value]", "<module> -> a [value]"}, nil},
		{"checks of the class", "class A:\n def go(self): pass\nclass B(A):\n def go(self): pass\ndef f(x):\n if isinstance(x, A): x.go()\ndef g(x):\n if not isinstance(x, B): return\n x.go()\ndef h(x):\n if isinstance(x, int): x.go()\n",
			[]string{"f -> A.go [receiver]", "f -> B.go [implementors]", "g -> B.go [receiver]"}, []string{"g -> A.go", "h -> A", "h -> B"}},
		{"what is set anew after a check", "class A:\n def go(self): pass\nclass B:\n def run(self): pass\ndef f(x):\n if isinstance(x, A):\n  x = B()\n  x.run()\n", []string{"f -> B.run [receiver]"}, nil},
		{"generic names declared apart", "from typing import TypeVar\nT = TypeVar('T')\nF = TypeVar('F')\nclass A:\n def go(self): pass\nclass B:\n def go(self): pass\ndef one(xs: list[T]) -> T: return xs[0]\ndef deco(f: F) -> F: return f\n@deco\ndef made() -> A: return A()\n@deco\ndef other() -> B: return B()\ndef f(): one([A()]).go()\ndef g(): made().go()\n",
			[]string{"f -> A.go [receiver]", "g -> A.go [receiver]", "g -> made [value]"}, []string{"f -> B.go", "g -> B.go", "g -> other"}},
		{"what names its class makes", "class A:\n def __new__(cls, n): return super().__new__(cls)\n def more(self): return type(self)(1).go()\n def go(self): pass\nclass B(A):\n def go(self): pass\nA(2)\n",
			[]string{"<module> -> A.__new__ [constructor]", "A.more -> A.__new__ [constructor]", "A.more -> A.go [receiver]", "A.more -> B.go [implementors]"}, []string{"-> A [constructor]"}},
		{"lists made of themselves", "def f(x):\n x = list(x)\n for i in x: x = list(x)\n y = dict(x)\n x = sorted(y)\n return x[0]()\n", nil, []string{" ["}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := program(t, map[string]string{"m.py": tt.src})
			for _, w := range tt.want {
				if !slices.Contains(got, w) {
					t.Errorf("missing: %s in\n%s", w, strings.Join(got, "\n"))
				}
			}
			for _, part := range tt.not {
				if i := slices.IndexFunc(got, func(g string) bool { return strings.Contains(g, part) }); i >= 0 {
					t.Errorf("too much: %s", got[i])
				}
			}
		})
	}
}
