package resolve

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestAliasesOfEachOther: unions of unions, and circles of them, come to an end.
func TestAliasesOfEachOther(t *testing.T) {
	line := func(i, n int) (int, int) { return min(i+1, n-1), min(i+2, n-1) }
	ring := func(i, n int) (int, int) { return (i + 1) % n, (i + 2) % n }
	for _, c := range []struct {
		n     int
		next  func(i, n int) (int, int)
		found bool // longer chains are not followed to their end
	}{{20, line, true}, {300, line, false}, {20, ring, true}, {300, ring, false}} {
		var b strings.Builder
		b.WriteString("class End { go() {} }\n")
		for i := range c.n - 1 {
			x, y := c.next(i, c.n)
			fmt.Fprintf(&b, "type I%d = I%d | I%d;\n", i, x, y)
		}
		fmt.Fprintf(&b, "type I%d = End;\nfunction f(x: I0, y: I7) { x.go(); y.go(); }\n", c.n-1)
		got := program(t, map[string]string{"a.ts": b.String()})
		if found := slices.Contains(got, "f -> End.go [receiver]"); found != c.found {
			t.Errorf("%d: %v", c.n, got)
		}
	}
}
