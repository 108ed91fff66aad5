package resolve

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestDeepInheritance: a method far above is found by every type of a long line.
// Merging the order of each with that of its base would take minutes.
func TestDeepInheritance(t *testing.T) {
	const deep = 1000
	var python, ruby strings.Builder
	python.WriteString("class C0:\n    def m(self):\n        return 1\n")
	ruby.WriteString("class C0\n  def m\n    1\n  end\nend\n")
	for i := 1; i < deep; i++ {
		fmt.Fprintf(&python, "class C%d(C%d):\n    def k%d(self):\n        return self.m()\n", i, i-1, i)
		fmt.Fprintf(&ruby, "class C%d < C%d\n  def k%d\n    self.m\n  end\nend\n", i, i-1, i)
	}
	for name, text := range map[string]string{"a.py": python.String(), "a.rb": ruby.String()} {
		t.Run(name, func(t *testing.T) {
			got := program(t, map[string]string{name: text})
			want := fmt.Sprintf("C%d.k%d -> C0.m [self]", deep-1, deep-1)
			if len(got) != deep-1 || !slices.Contains(got, want) {
				t.Errorf("%d calls, want %d and among them %s: %q", len(got), deep-1, want, got[:min(3, len(got))])
			}
		})
	}
}

func TestOneBase(t *testing.T) {
	for _, tt := range []struct {
		name, key   string
		above, want []string
	}{
		{"a line", "C", []string{"B", "A"}, []string{"C", "B", "A"}},
		{"a circle", "C", []string{"B", "C", "A"}, []string{"C", "B", "A"}},
		{"nothing above", "C", nil, []string{"C"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := onTop(tt.key, tt.above); !slices.Equal(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}
