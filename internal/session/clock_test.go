package session

import (
	"maps"
	"testing"

	"pgregory.net/rapid"
)

func TestClockOfASubagent(t *testing.T) {
	start := Clock{}.Tick(HumanStream).Tick(MainStream)
	child := start.Fork("a1").Tick("a1")
	parent := start.Tick(MainStream)
	if got := child.Compare(parent); got != Concurrent {
		t.Errorf("child and parent are %v", got)
	}
	if got := start.Compare(child); got != Before {
		t.Errorf("start is %v the child", got)
	}
	joined := parent.Merge(child)
	if hops, order := Hops(child, joined); hops != 1 || order != Before {
		t.Errorf("%d hops, %v", hops, order)
	}
	if hops, order := Hops(joined, start); hops != 3 || order != After {
		t.Errorf("%d hops, %v", hops, order)
	}
	if hops, order := Hops(child, parent); hops != 3 || order != Concurrent {
		t.Errorf("%d hops, %v", hops, order)
	}
	if start["a1"] != 0 || len(start) != 2 {
		t.Errorf("the parent's clock was changed: %v", start)
	}
}

func anyClock() *rapid.Generator[Clock] {
	return rapid.Map(
		rapid.MapOfN(rapid.SampledFrom([]string{"human", "main", "a", "b"}), rapid.Uint32Range(0, 3), 0, 4),
		func(m map[string]uint32) Clock { return m },
	)
}

func TestClocksAreAPartialOrder(t *testing.T) {
	atMost := func(a, b Clock) bool { o := a.Compare(b); return o == Before || o == Equal }
	opposite := map[Order]Order{Equal: Equal, Before: After, After: Before, Concurrent: Concurrent}
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := anyClock().Draw(t, "a"), anyClock().Draw(t, "b"), anyClock().Draw(t, "c")
		if a.Compare(a) != Equal {
			t.Fatal("not equal to itself")
		}
		if a.Compare(b) != opposite[b.Compare(a)] {
			t.Fatalf("%v one way, %v the other", a.Compare(b), b.Compare(a))
		}
		if atMost(a, b) && atMost(b, c) && !atMost(a, c) {
			t.Fatal("not transitive")
		}
	})
}

func TestMergeIsTheLeastUpperBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := anyClock().Draw(t, "a"), anyClock().Draw(t, "b"), anyClock().Draw(t, "c")
		m := a.Merge(b)
		if m.Compare(b.Merge(a)) != Equal || m.Merge(c).Compare(a.Merge(b.Merge(c))) != Equal || a.Merge(a).Compare(a) != Equal {
			t.Fatal("the order of merging matters")
		}
		if o := a.Compare(m); o != Before && o != Equal {
			t.Fatalf("%v is %v its merge", a, o)
		}
		above := func(x Clock) bool { o := x.Compare(c); return o == Before || o == Equal }
		if above(a) && above(b) && !above(m) {
			t.Fatal("not the least")
		}
	})
}

func TestTicksAndHops(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := anyClock().Draw(t, "a"), anyClock().Draw(t, "b"), anyClock().Draw(t, "c")
		before := maps.Clone(a)
		next := a.Tick("main")
		if hops, order := Hops(a, next); hops != 1 || order != Before {
			t.Fatalf("a tick is %d hops, %v", hops, order)
		}
		if !maps.Equal(before, a) {
			t.Fatal("a tick changed the clock")
		}
		ab, order := Hops(a, b)
		ba, _ := Hops(b, a)
		bc, _ := Hops(b, c)
		ac, _ := Hops(a, c)
		if ab != ba || (ab == 0) != (order == Equal) || ac > ab+bc {
			t.Fatalf("hops are no distance: %d %d %d %d", ab, ba, bc, ac)
		}
	})
}

func TestDecayByHops(t *testing.T) {
	for _, tt := range []struct {
		hops              int
		backward, forward float64
	}{
		{0, 1, 1}, {1, 0.9, 1}, {5, 0.5, 1}, {8, 0.2, 0.8}, {9, 0.1, 11.0 / 15}, {10, 0, 10.0 / 15},
		{19, 0, 1.0 / 15}, {20, 0, 0}, {1000, 0, 0},
	} {
		if got := Backward(tt.hops); !near(got, tt.backward) {
			t.Errorf("backward %d: %v, want %v", tt.hops, got, tt.backward)
		}
		if got := Forward(tt.hops); !near(got, tt.forward) {
			t.Errorf("forward %d: %v, want %v", tt.hops, got, tt.forward)
		}
	}
}

func near(a, b float64) bool { return a-b < 1e-9 && b-a < 1e-9 }
