package extract

import (
	"fmt"
	"strings"
	"testing"
)

// TestNestedText: names do not grow with what is around them without bound, and
// a file's facts stay of the order of its text.
func TestNestedText(t *testing.T) {
	classes := func(n, letters int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "class C%d%s {\n", i, strings.Repeat("x", letters))
		}
		return b.String() + strings.Repeat("}\n", n)
	}
	long := strings.Repeat("y", 2*maxPath)
	for _, c := range []struct {
		name, file, src string
		least           int // symbols
	}{
		{"lambdas", "x.js", "x = " + strings.Repeat("()=>\n", 900) + "f()\n", 300},
		{"classes", "x.java", classes(300, 450), 300},
		{"one long name with members", "x.java", "class " + long + " {\n" + strings.Repeat("int a;\n", 100) + "}\n", 101},
		{"a lambda with a long name", "x.cpp", "auto " + long + " = [] { auto b = [] { return 1; }; return b(); };\n", 2},
		{"modules", "x.rb", strings.Repeat("module Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n", 100) + strings.Repeat("end\n", 100), 100},
		{"functions", "x.py", func() string {
			var b strings.Builder
			for i := range 90 {
				fmt.Fprintf(&b, "%sdef %s%d():\n", strings.Repeat(" ", i), strings.Repeat("z", 100), i)
			}
			return b.String() + strings.Repeat(" ", 90) + "pass\n"
		}(), 90},
	} {
		f := facts(t, c.file, []byte(c.src))
		if len(f.Symbols) < c.least {
			t.Errorf("%s: %d symbols", c.name, len(f.Symbols))
		}
		for i := range f.Symbols {
			depth := 0
			for at := f.Symbols[i].Parent; at >= 0; at = f.Symbols[at].Parent {
				depth++
			}
			if s := &f.Symbols[i]; len(s.Path) > maxPath+len("…") || depth >= maxNesting {
				t.Fatalf("%s: symbol %d has a path of %d bytes and lies %d deep", c.name, i, len(s.Path), depth)
			}
		}
	}
}

// TestHashesOfManyOverlappingSymbols: the work is bounded, and a change anywhere
// still shows.
func TestHashesOfManyOverlappingSymbols(t *testing.T) {
	src := func(last string) []byte {
		return []byte("package x\n\nvar " + strings.Repeat("a,\n\t", 3000) + "z int = " + last + "\n\nfunc F() {}\n")
	}
	one, other := facts(t, "x.go", src("1")), facts(t, "x.go", src("2"))
	if n := len(one.Symbols); n != 3002 || one.Symbols[n-2].Body != one.Symbols[n-3].Body {
		t.Errorf("%d symbols, each with a hash of its own", n)
	}
	for i := range one.Symbols[:3000] {
		if one.Symbols[i].Body == other.Symbols[i].Body {
			t.Fatalf("the change of symbol %d does not show", i)
		}
	}
}
