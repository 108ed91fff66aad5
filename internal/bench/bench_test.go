package bench

import (
	"testing"
	"time"
)

func TestStoreReportsEveryFigure(t *testing.T) {
	r, err := measureStore(t.Context(), []int{50, 100}, storeRuns{5, 5, 5}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Groups) != 2 {
		t.Fatalf("%d groups", len(r.Groups))
	}
	for _, g := range r.Groups {
		for _, f := range g.Figures {
			if f.Value <= 0 && f.Name != "resident" && f.Name != "index per memory" {
				t.Errorf("%s: %s is %v", g.Name, f.Name, f.Value)
			}
		}
	}
	if _, err := measureStore(t.Context(), []int{100, 50}, storeRuns{5, 5, 5}, nil); err == nil {
		t.Error("shrinking sizes were accepted")
	}
}

func TestKeywordReportsEveryFigure(t *testing.T) {
	r, err := Keyword(t.Context(), []int{500}, func(int64, int64) {})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Groups) != 1 || len(r.Groups[0].Figures) < 10 {
		t.Errorf("%+v", r)
	}
}

func TestGraphReportsEveryFigure(t *testing.T) {
	r, err := Graph(t.Context(), []int{300, 600}, func(int64, int64) {})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Groups) != 2 {
		t.Fatalf("%d groups", len(r.Groups))
	}
	for _, g := range r.Groups {
		targets := 0
		for _, f := range g.Figures {
			if f.Met != nil {
				targets++
			}
		}
		if len(g.Figures) < 10 || targets != 3 {
			t.Errorf("%s: %d figures, %d targets", g.Name, len(g.Figures), targets)
		}
	}
	if _, err := Graph(t.Context(), []int{600, 300}, func(int64, int64) {}); err == nil {
		t.Error("shrinking sizes were accepted")
	}
}

func TestTargets(t *testing.T) {
	var g Group
	g.atMost("low enough", 1, "ms", 2)
	g.atMost("too high", 3, "ms", 2)
	g.atLeast("high enough", 3, "x", 2)
	g.atLeast("too low", 1, "x", 2)
	g.add("no target", 1, "x")
	want := []string{"met", "missed", "met", "missed", "none"}
	for i, f := range g.Figures {
		got := "none"
		if f.Met != nil {
			if got = "missed"; *f.Met {
				got = "met"
			}
		}
		if got != want[i] {
			t.Errorf("%s: %s", f.Name, got)
		}
	}
}

func TestQuantiles(t *testing.T) {
	l := latencies{1 * time.Millisecond, 2 * time.Millisecond, 3 * time.Millisecond, 4 * time.Millisecond, 100 * time.Millisecond}
	if p50, p99 := l.ms(0.5), l.ms(1); p50 != 3 || p99 != 100 {
		t.Errorf("%v %v", p50, p99)
	}
}
