package syntax

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"
)

// TestEveryLanguageParses expects a known node of a small text in each language,
// so that a library or grammar with another interface shows.
func TestEveryLanguageParses(t *testing.T) {
	if !Available {
		t.Skip("this build has no parsers")
	}
	p := New()
	defer p.Close()
	for _, tt := range []struct {
		lang       Lang
		src        string
		kind, name string
	}{
		{CPP, "int f(int a) { return a; }", "function_definition", "f"},
		{CSharp, "class A { void F() {} }", "method_declaration", "F"},
		{Go, "package p\n\nfunc F() {}\n", "function_declaration", "F"},
		{Java, "class A { void f() {} }", "method_declaration", "f"},
		{JavaScript, "function f() {}", "function_declaration", "f"},
		{Python, "def f(): pass\n", "function_definition", "f"},
		{Ruby, "def f\nend\n", "method", "f"},
		{Rust, "fn f() {}", "function_item", "f"},
		{TypeScript, "function f(a: number): void {}", "function_declaration", "f"},
		{TSX, "function f() { return <a/>; }", "function_declaration", "f"},
	} {
		tree, err := p.Parse(tt.lang, []byte(tt.src))
		if err != nil {
			t.Errorf("%s: %v", tt.lang, err)
			continue
		}
		var found bool
		for n := range tree.Root().All {
			if n.Is(tt.kind) && strings.Contains(n.String(), tt.name) {
				found = true
			}
		}
		if _, bad := tree.Errors(1); !found || bad > 0 {
			t.Errorf("%s: %d errors in %s", tt.lang, bad, tree.Root())
		}
	}
	if len(Langs()) != 10 {
		t.Errorf("%d languages", len(Langs()))
	}
	if _, err := p.Parse("cobol", nil); err == nil {
		t.Error("a language without a grammar is parsed")
	}
}

func TestNodesHaveTheirPlace(t *testing.T) {
	if !Available {
		t.Skip("this build has no parsers")
	}
	p := New()
	defer p.Close()
	src := "package p\n\n// ä\nfunc F(a int) error {\n\treturn nil\n}\n"
	tree, err := p.Parse(Go, []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	f := tree.Root().First("function_declaration")
	if f.Line() != 4 || f.EndLine() != 6 || !strings.HasPrefix(f.Text(), "func F(") || !strings.HasSuffix(f.Text(), "}") {
		t.Errorf("lines %d to %d: %q", f.Line(), f.EndLine(), f.Text())
	}
	if got := f.Child("name").Text(); got != "F" {
		t.Errorf("name %q", got)
	}
	if got := f.Child("parameters").NamedChildren(); len(got) != 1 || got[0].Child("type").Text() != "int" {
		t.Errorf("parameters %v", got)
	}
	if no := f.Child("nothing").First("at", "all").Child("here"); no.OK() || no.Text() != "" || no.Line() != 0 || no.Kind() != "" || no.Has("x") {
		t.Errorf("no node is %v", no)
	}
}

// TestOddTextGivesATree parses what nobody wrote.
func TestOddTextGivesATree(t *testing.T) {
	if !Available {
		t.Skip("this build has no parsers")
	}
	p := New()
	defer p.Close()
	for name, src := range map[string][]byte{
		"empty":         nil,
		"NUL":           {0, 0, 0},
		"invalid UTF-8": {0xff, 0xfe, '(', 0xc3, 0x28},
		"deep":          bytes.Repeat([]byte("("), 10_000),
		"deep blocks":   bytes.Repeat([]byte("{ if (a) "), 10_000),
		"one long line": bytes.Repeat([]byte("a = b; "), 15_000),
		"no end":        []byte("\"\"\"/* ` '"),
	} {
		for _, lang := range Langs() {
			tree, err := p.Parse(lang, src)
			if errors.Is(err, ErrTimeout) {
				continue // bounded is what is asked
			}
			if err != nil || !tree.Root().OK() {
				t.Errorf("%s as %s: %v", name, lang, err)
				continue
			}
			for n := range tree.Root().All {
				if n.End() < n.Start() || int(n.End()) > len(src) {
					t.Fatalf("%s as %s: a node from %d to %d", name, lang, n.Start(), n.End())
				}
			}
		}
	}
}

func TestDeepNestingIsCut(t *testing.T) {
	if !Available {
		t.Skip("this build has no parsers")
	}
	p := New()
	defer p.Close()
	tree, err := p.Parse(JavaScript, []byte(strings.Repeat("[", 5000)+strings.Repeat("]", 5000)))
	if err != nil || !tree.Cut {
		t.Fatalf("cut %v, %v", tree != nil && tree.Cut, err)
	}
}

// TestParsingEnds gives no time at all, and expects the parser to work on the
// next text as if nothing had been.
func TestParsingEnds(t *testing.T) {
	if !Available {
		t.Skip("this build has no parsers")
	}
	p := New()
	defer p.Close()
	p.Limit = time.Nanosecond
	src := []byte("package p\n" + strings.Repeat("func f() { g(1, 2, 3) }\n", 20_000))
	if _, err := p.Parse(Go, src); !errors.Is(err, ErrTimeout) {
		t.Fatalf("got %v", err)
	}
	p.Limit = 0
	tree, err := p.Parse(Go, []byte("package q\n"))
	if err != nil || tree.Root().String() != "(source_file (package_clause (package) (package_identifier q)))" {
		t.Errorf("%v %v", tree.Root(), err)
	}
}

func TestLanguageOfAName(t *testing.T) {
	for name, want := range map[string]Lang{
		"a.go": Go, "a/b.PY": Python, "x.h": CPP, "x.d.ts": TypeScript, "x.tsx": TSX, "Rakefile": Ruby, "a.c": CPP,
		"Makefile": "", "a": "", "": "", ".go": Go,
	} {
		if got := LangOf(name); got != want {
			t.Errorf("%q is %q, expected %q", name, got, want)
		}
	}
}
