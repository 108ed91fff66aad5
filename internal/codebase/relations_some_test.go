package codebase

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestSomeSaysWhetherThereAreMore asks for some and for all relations.
func TestSomeSaysWhetherThereAreMore(t *testing.T) {
	_, a, _ := askShop(t)
	for _, kind := range RelationKinds() {
		few, err := a.Some(t.Context(), kind, 1)
		if err != nil || len(few.List) != 1 || !few.Cut {
			t.Errorf("one of what %s: %v, cut %v, %v", kind, said(few.List), few.Cut, err)
		}
		all, err := a.Some(t.Context(), kind, 500)
		if err != nil || len(all.List) < 2 || all.Cut {
			t.Errorf("all of what %s: %d, cut %v, %v", kind, len(all.List), all.Cut, err)
		}
	}
}

// TestOverloadsHaveTheirLines: functions of one name in one file are told apart,
// and found by the names they are shown with.
func TestOverloadsHaveTheirLines(t *testing.T) {
	needsParsers(t)
	b := openBase(t, "good")
	root := gitRepo(t, map[string]string{
		"Cart.java": "package shop;\nclass Cart {\n  void add(int n) {}\n  void add(String s) {}\n  void once() {\n    add(1);\n    add(\"a\");\n  }\n}\n",
		"a/x.py":    "def f(): pass\ndef f(n): pass\n", "b/a/x.py": "def f(): pass\n",
	})
	mustIndex(t, b, root)
	a, err := b.Ask(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		ref  string
		want []string
	}{
		{"Cart.add", []string{"shop.Cart.add:3", "shop.Cart.add:4"}},
		{"shop.Cart.add:4", []string{"shop.Cart.add:4"}},
		{"add:3", []string{"shop.Cart.add:3"}},
		{"Cart.java:Cart.add:3", []string{"shop.Cart.add:3"}},
		{"Cart.java:3", []string{"shop.Cart.add:3"}},
		{"Cart.add:5", nil},
		{"once", []string{"shop.Cart.once"}},
		{"once:5", []string{"shop.Cart.once"}},
		{"f", []string{"a.x.f:1", "a.x.f:2", "b.a.x.f"}},
		{"a.x.f:2", []string{"a.x.f:2"}},
	} {
		list, _, err := a.Things(t.Context(), c.ref, "", false)
		var got []string
		for _, x := range list {
			got = append(got, x.Name)
		}
		if !slices.Equal(got, c.want) || err != nil {
			t.Errorf("%s: %q %v, want %q", c.ref, got, err, c.want)
		}
	}
	calls := said(related(t, a, "once", Select{Out: []string{RelatesCalls}}).List)
	if want := []string{"shop.Cart.once calls shop.Cart.add:3", "shop.Cart.once calls shop.Cart.add:4"}; !slices.Equal(calls, want) {
		t.Errorf("calls %q", calls)
	}
}

// TestImportOfAModuleFromItsPackage: what Python takes from a package is the
// module, for who asks what is imported, who depends on it and for the graph.
func TestImportOfAModuleFromItsPackage(t *testing.T) {
	needsParsers(t)
	b := openBase(t, "good")
	root := gitRepo(t, map[string]string{
		"app/__init__.py": "", "app/util.py": "def f(): pass\n", "app/text.py": "def g(): pass\n",
		"app/main.py": "from . import util, text\nfrom . import gone\nfrom .lost import x\nutil.f()\n",
	})
	mustIndex(t, b, root)
	a, err := b.Ask(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	_, lines, err := a.Imports(t.Context(), "app/main.py", "", 1)
	var got []string
	for _, l := range lines {
		got = append(got, fmt.Sprintf("%s %v %v %s", l.Module, l.Names, l.Files, l.External))
	}
	if want := []string{". [text util] [app/text.py app/util.py] ", ". [gone] [app/__init__.py] ", ".lost [x] [] .lost"}; !slices.Equal(got, want) || err != nil {
		t.Errorf("imports %q %v", got, err)
	}
	graph := said(related(t, a, "app/main.py", Select{Out: []string{RelatesImports}}).List)
	if want := []string{"app/main.py imports .lost", "app/main.py imports app/__init__.py", "app/main.py imports app/text.py", "app/main.py imports app/util.py"}; !slices.Equal(graph, want) {
		t.Errorf("graph %q", graph)
	}
	importers := said(related(t, a, "app/util.py", Select{In: []string{RelatesImports}}).List)
	if !slices.Equal(importers, []string{"app/main.py imports app/util.py"}) {
		t.Errorf("importers %q", importers)
	}
	importsNow := func(step string, want ...string) {
		t.Helper()
		if err := b.Refresh(t.Context(), root, []string{"app/text.py", "app/util.py", "app/__init__.py"}); err != nil {
			t.Fatal(err)
		}
		_, lines, err := a.Imports(t.Context(), "app/main.py", "", 1)
		if err != nil || len(lines) == 0 || !slices.Equal(lines[0].Files, want) {
			t.Errorf("%s: %+v %v, want %q", step, lines, err, want)
		}
	}
	if err := os.Remove(filepath.Join(root, "app", "text.py")); err != nil {
		t.Fatal(err)
	}
	importsNow("a module is gone", "app/__init__.py", "app/util.py")
	write(t, root, map[string]string{"app/__init__.py": "def util(): pass\n"})
	importsNow("the package has the name itself", "app/__init__.py")
	write(t, root, map[string]string{"app/__init__.py": "", "app/text.py": ""})
	importsNow("all is back", "app/text.py", "app/util.py")
}
