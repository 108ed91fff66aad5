package syntax

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
)

func parsers(t *testing.T) {
	t.Helper()
	if !Available {
		t.Skip("this build has no parsers")
	}
}

func program(functions int) []byte {
	var b strings.Builder
	b.WriteString("package p\n")
	for i := range functions {
		fmt.Fprintf(&b, "\nfunc f%d(a, b int) (int, error) {\n\tfor i := range a {\n\t\tb += g(i, []int{a, b}...)\n\t}\n\treturn b, nil\n}\n", i)
	}
	return []byte(b.String())
}

func drawn(t *testing.T, p *Parser, lang Lang, src []byte) string {
	t.Helper()
	tree, err := p.Parse(lang, src)
	if err != nil {
		t.Error(err)
		return ""
	}
	return tree.Root().String()
}

// TestMemoryIsUsedAgain parses texts of all sizes with one parser, beyond what it
// keeps between them, in any order: each tree is that of a new parser.
func TestMemoryIsUsedAgain(t *testing.T) {
	parsers(t)
	p := New()
	defer p.Close()
	p.Limit = time.Minute
	for _, n := range []int{1, 3000, 0, 10, 3000, 300} {
		src := program(n)
		fresh := New()
		fresh.Limit = time.Minute
		want := drawn(t, fresh, Go, src)
		fresh.Close()
		if got := drawn(t, p, Go, src); got != want {
			t.Errorf("%d functions: %d bytes, not %d", n, len(got), len(want))
		}
	}
}

// TestParsersSideBySide has each its own memory, in whichever thread it runs.
func TestParsersSideBySide(t *testing.T) {
	parsers(t)
	texts := map[Lang]string{
		Go: "package p\n\nfunc F() {}\n", Python: "class A:\n    def f(self):\n        return [x for x in self.y]\n",
		Ruby: "class A\n  def f\n    %w[a b].each { |x| puts \"#{x}\" }\n  end\nend\n", CPP: "int f(int a) { return R\"x(a)x\"[a]; }",
	}
	want := map[Lang]string{}
	p := New()
	for lang, src := range texts {
		want[lang] = drawn(t, p, lang, []byte(src))
	}
	p.Close()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			p := New()
			defer p.Close()
			for range 50 {
				for lang, src := range texts {
					if got := drawn(t, p, lang, []byte(src)); got != want[lang] {
						t.Errorf("%s: %s", lang, got)
					}
					if err := p.ParseAlone(lang, []byte(src)); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	all.Wait()
}

func TestTreesAreGivenBack(t *testing.T) {
	parsers(t)
	p := New()
	defer p.Close()
	one, err := p.Parse(Go, program(3))
	if err != nil {
		t.Fatal(err)
	}
	kept, err := p.Parse(Go, program(2))
	if err != nil {
		t.Fatal(err)
	}
	before := kept.Root().String()
	p.Reuse(one)
	if one.Root().OK() || one.Len() != 0 {
		t.Error("a tree that was given back still has nodes")
	}
	for _, n := range []int{1, 5, 0} {
		tree, err := p.Parse(Go, program(n))
		if err != nil {
			t.Fatal(err)
		}
		functions := 0
		for c := range tree.Root().Children {
			if c.Is("function_declaration") {
				functions++
			}
		}
		if functions != n {
			t.Errorf("%d functions, not %d", functions, n)
		}
		p.Reuse(tree)
	}
	if kept.Root().String() != before {
		t.Error("a tree that was not given back has changed")
	}
}

func TestParseAlone(t *testing.T) {
	if !Available {
		if err := New().ParseAlone(Go, nil); err != ErrOff {
			t.Error(err)
		}
		return
	}
	p := New()
	for _, lang := range Langs() {
		if err := p.ParseAlone(lang, program(2)); err != nil {
			t.Errorf("%s: %v", lang, err)
		}
	}
	if err := p.ParseAlone("cobol", nil); err == nil {
		t.Error("a language without a grammar is parsed")
	}
	p.Close()
	p.Close() // what is gone is not freed twice
	if err := p.ParseAlone(Go, nil); err != nil {
		t.Error(err)
	}
	p.Close()
}

// TestStoppedParse: what a text that took too long had of memory is used again.
func TestStoppedParse(t *testing.T) {
	parsers(t)
	p := New()
	defer p.Close()
	want := drawn(t, p, Go, program(5))
	for range 5 {
		p.Limit = time.Nanosecond
		if _, err := p.Parse(Go, program(2000)); err != ErrTimeout {
			t.Error(err)
		}
		p.Limit = time.Minute
		if got := drawn(t, p, Go, program(5)); got != want {
			t.Error("another tree after a text that took too long")
		}
	}
}
