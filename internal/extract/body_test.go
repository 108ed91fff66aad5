package extract

import "testing"

// TestBodyHash: the hash of a function says whether it does the same, whatever
// it looks like and is called.
func TestBodyHash(t *testing.T) {
	const src = "package x\n\nfunc fall(n int) int {\n\tif n == 0 {\n\t\treturn fallback\n\t}\n\treturn fall(n - 1)\n}\n"
	hash := func(src string) uint64 {
		t.Helper()
		f := facts(t, "x.go", []byte(src))
		if len(f.Symbols) != 1 {
			t.Fatalf("%d symbols in %s", len(f.Symbols), src)
		}
		return f.Symbols[0].Body
	}
	for _, c := range []struct {
		name, src string
		same      bool
	}{
		{"reformatted", "package x\nfunc fall( n int ) int { if n == 0 {\nreturn fallback }\n\n return fall(n-1) }\n", true},
		{"commented", "package x\n\n// fall falls.\nfunc fall(n int) int {\n\tif n == 0 { // the end\n\t\treturn fallback\n\t}\n\t/* again */\n\treturn fall(n - 1)\n}\n", true},
		{"renamed", "package x\n\nfunc drop(n int) int {\n\tif n == 0 {\n\t\treturn fallback\n\t}\n\treturn drop(n - 1)\n}\n", true},
		{"renamed in part", "package x\n\nfunc drop(n int) int {\n\tif n == 0 {\n\t\treturn fallback\n\t}\n\treturn fall(n - 1)\n}\n", false},
		{"a name that begins with it", "package x\n\nfunc drop(n int) int {\n\tif n == 0 {\n\t\treturn dropback\n\t}\n\treturn drop(n - 1)\n}\n", false},
		{"changed", "package x\n\nfunc fall(n int) int {\n\tif n == 0 {\n\t\treturn fallback\n\t}\n\treturn fall(n - 2)\n}\n", false},
	} {
		if same := hash(c.src) == hash(src); same != c.same {
			t.Errorf("%s: the same is %v", c.name, same)
		}
	}
}

// TestBodyHashOfLanguages: what looks alike without blank space and is not; what
// stands beside a symbol and governs it; and what is only written otherwise.
func TestBodyHashOfLanguages(t *testing.T) {
	for _, c := range []struct {
		name, file, symbol, one, other string
		same                           bool
	}{
		{"dedented", "a.py", "f", "def f(x):\n    if x:\n        log(x)\n        charge(x)\n", "def f(x):\n    if x:\n        log(x)\n    charge(x)\n", false},
		{"indented with tabs", "a.py", "f", "def f(x):\n    if x:\n        log(x)\n    charge(x)\n", "def f(x):\n\tif x:\n\t\tlog(x)\n\n\tcharge(x)  # all\n", true},
		{"wrapped", "a.py", "f", "def f(x):\n    return g(x, 1)\n", "def f(x):\n    return g(\n        x,\n        1)\n", true},
		{"setter's value", "a.py", "A.size", "class A:\n    @size.setter\n    def size(self, v): pass\n", "class A:\n    @size.getter\n    def size(self, v): pass\n", false},
		{"space in a text", "a.go", "f", "package p\nfunc f() { g(\"a b\") }\n", "package p\nfunc f() { g(\"ab\") }\n", false},
		{"line in a raw text", "a.go", "f", "package p\nfunc f() { g(`a\n// b`) }\n", "package p\nfunc f() { g(`a\n// c`) }\n", false},
		{"end of a statement", "a.go", "f", "package p\nfunc f() {\n\treturn g()\n}\n", "package p\nfunc f() {\n\treturn\n\tg()\n}\n", false},
		{"operators", "a.go", "f", "package p\nfunc f() int { return a - -b }\n", "package p\nfunc f() int { return a --b }\n", false},
		{"directive", "a.go", "f", "package p\n\n//go:embed one.txt\nvar f string\n", "package p\n\n//go:embed two.txt\nvar f string\n", false},
		{"comment before", "a.go", "f", "package p\n\n// one\nvar f string\n", "package p\n\n// two\nvar f string\n", true},
		{"counted", "a.go", "C", "package p\nconst (\n\tA = iota\n\tC\n)\n", "package p\nconst (\n\tA = iota\n\tB\n\tC\n)\n", false},
		{"counted in another way", "a.go", "C", "package p\nconst (\n\tA = iota\n\tC\n)\n", "package p\nconst (\n\tA = 1 << iota\n\tC\n)\n", false},
		{"not counted", "a.go", "C", "package p\nconst (\n\tA = iota\n\tC = 5\n)\n", "package p\nconst (\n\tA = iota\n\tB\n\tC = 5\n)\n", true},
		{"semicolon put in", "a.js", "f", "function f() { return 5; }\n", "function f() { return\n5; }\n", false},
		{"wrapped script", "a.js", "f", "function f(a) { return g(a, 1); }\n", "function f(a) {\n  return g(\n    a,\n    1);\n}\n", true},
		{"decorator", "a.ts", "A.f", "class A {\n  @Get(\"/a\")\n  f() {}\n}\n", "class A {\n  @Get(\"/b\")\n  f() {}\n}\n", false},
		{"decorator of a class", "a.ts", "A", "@Get(\"/a\")\nexport class A {}\n", "@Get(\"/b\")\nexport class A {}\n", false},
		{"attribute", "a.rs", "f", "#[cfg(unix)]\nfn f() {}\n", "#[cfg(windows)]\nfn f() {}\n", false},
		{"attribute above a comment", "a.rs", "f", "#[cfg(unix)]\n/// Does.\nfn f() {}\n", "#[cfg(windows)]\n/// Does.\nfn f() {}\n", false},
		{"private", "a.rb", "A.f", "class A\n  def f\n    1\n  end\nend\n", "class A\n  private\n  def f\n    1\n  end\nend\n", false},
		{"lines", "a.rb", "f", "def f\n  return g\nend\n", "def f\n  return\n  g\nend\n", false},
		{"empty lines", "a.rb", "f", "def f\n  g\n  h\nend\n", "def f\n\n    g # x\n\n    h\nend\n", true},
		{"annotation", "A.java", "A.f", "class A { @Get(\"/a\") void f() {} }\n", "class A { @Get(\"/b\") void f() {} }\n", false},
		{"attribute list", "a.cs", "A.F", "class A { [Get(\"/a\")] void F() {} }\n", "class A { [Get(\"/b\")] void F() {} }\n", false},
		{"words", "a.cpp", "f", "int f() { return unsigned int(1); }\n", "int f() { return unsignedint(1); }\n", false},
		{"joined", "a.cpp", "f", "int f() {\n  return a+b;\n}\n", "int f() { return a + b; }\n", true},
	} {
		hash := func(src string) uint64 {
			t.Helper()
			f := facts(t, c.file, []byte(src))
			for i := range f.Symbols {
				if f.Symbols[i].Path == c.symbol {
					return f.Symbols[i].Body
				}
			}
			t.Fatalf("%s: no %s in %s", c.name, c.symbol, src)
			return 0
		}
		if same := hash(c.one) == hash(c.other); same != c.same {
			t.Errorf("%s: the same is %v", c.name, same)
		}
	}
}
