package codebase

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func meantOf(t *testing.T, a *Ask, marks map[string]int64) (ranks map[string]int, now map[string]int64, gone []string) {
	t.Helper()
	ranks, now = map[string]int{}, map[string]int64{}
	gone, err := a.EachMeant(t.Context(), marks, func(files []MeantFile) error {
		for _, f := range files {
			now[f.Path] = f.Made
			for _, s := range f.Symbols {
				ranks[s.Path] = s.Rank
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return ranks, now, gone
}

func TestWhatIsMeant(t *testing.T) {
	b, a, root := askShop(t)
	ranks, marks, _ := meantOf(t, a, nil)
	for path, want := range map[string]int{
		"Cart": rankTold, "Cart.Total": rankTold, "Cart.check": rankInner, "Cart.items": rankData, "TestAdd": rankTest, "Square.area": rankOpen,
	} {
		if got, ok := ranks[path]; !ok || got != want {
			t.Errorf("%s has rank %d (%v), want %d", path, got, ok, want)
		}
	}
	for path := range ranks {
		if strings.Contains(path, "lambda") {
			t.Errorf("%s is kept", path)
		}
	}
	if again, _, gone := meantOf(t, a, marks); len(again)+len(gone) != 0 {
		t.Errorf("nothing changed, but %v %v", again, gone)
	}
	write(t, root, map[string]string{"tools/base.py": "class Shape:\n    def area(self):\n        def inner():\n            local = 1\n        return inner\n"})
	if err := os.Remove(filepath.Join(root, "cart/cart_test.go")); err != nil {
		t.Fatal(err)
	}
	if err := b.Refresh(t.Context(), root, []string{"tools/base.py", "cart/cart_test.go"}); err != nil {
		t.Fatal(err)
	}
	changed, now, gone := meantOf(t, a, marks)
	if _, ok := changed["Shape.area"]; !ok || now["cart/cart.go"] != 0 && len(now) == len(marks) || !slices.Equal(gone, []string{"cart/cart_test.go"}) {
		t.Errorf("after a change: %v, gone %v", changed, gone)
	}
	for path := range changed {
		if strings.HasSuffix(path, "local") {
			t.Errorf("%s is kept", path)
		}
	}
}

// TestInitials: a sign before a name is no part of its initials.
func TestInitials(t *testing.T) {
	l := newLikeness("gun")
	for name, want := range map[string]bool{"getUserName": true, "_getUserName": true, "$get_user_name": true, "setUserName": false, "GUN_": true} {
		if got := l.of(name, strings.ToLower(name)) >= 0.6; got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestQuestionsAboutSeveralProjects: what is read in one go is that of the project.
func TestQuestionsAboutSeveralProjects(t *testing.T) {
	b, a, _ := askShop(t)
	other := gitRepo(t, map[string]string{"go.mod": "module other\n", "main.go": "package main\n\nfunc main() { helper(); helper(); helper(); helper(); helper(); helper(); helper() }\n\nfunc helper() {}\n"})
	mustIndex(t, b, other)
	over, err := a.Overview(t.Context())
	if err != nil || len(over.Called) == 0 {
		t.Fatalf("%+v %v", over, err)
	}
	for _, list := range [][]RankedUse{over.Called, over.Largest} {
		for _, u := range list {
			if u.Name == "helper" || u.File == "main.go" {
				t.Errorf("%s is of another project", u.Path)
			}
		}
	}
	m, err := a.Map(t.Context(), nil, "", 1000)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range m.Files {
		if f.File == "main.go" {
			t.Error("the map has a file of another project")
		}
	}
}
