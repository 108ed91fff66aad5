package graph

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// pathLines returns paths as lines: nodes with arrows in the direction of triples.
func pathLines(paths []Path) []string {
	out := []string{}
	for _, p := range paths {
		line := ""
		for _, h := range p.Hops {
			if h.Forward {
				line += h.Subject + " -" + h.Predicate + "> "
			} else {
				line += h.Object + " <" + h.Predicate + "- "
			}
		}
		last := p.Hops[len(p.Hops)-1]
		if last.Forward {
			line += last.Object
		} else {
			line += last.Subject
		}
		out = append(out, line)
	}
	return out
}

func TestPaths(t *testing.T) {
	n := netOf(t, "a causes b 0.9", "b causes c 0.9", "a requires c 0.5", "d is_a a", "d is_a c 0.4", "c causes z", "x causes y")
	got, cut := n.Paths(View{}, "a", "c", PathOptions{})
	expectLines(t, "from a to c", pathLines(got), "a -causes> b -causes> c", "a -requires> c", "a <is_a- d -is_a> c")
	if cut || math.Abs(got[0].Confidence-0.81) > 1e-12 {
		t.Errorf("%+v %v", got[0], cut)
	}
	short, _ := n.Paths(View{}, "a", "c", PathOptions{Hops: 1, Paths: 1})
	expectLines(t, "of one hop", pathLines(short), "a -requires> c")
	for _, to := range []string{"a", "x", "none"} {
		if got, _ := n.Paths(View{}, "a", to, PathOptions{}); got != nil {
			t.Errorf("to %s: %v", to, pathLines(got))
		}
	}
	hidden, _ := n.Paths(View{Realms: []string{"other"}}, "a", "c", PathOptions{})
	expectLines(t, "in another realm", pathLines(hidden))
}

// TestPathsAmongHubsAreBounded: however much hangs on the nodes between, a
// search looks at so many triples at most, and finds the same every time.
func TestPathsAmongHubsAreBounded(t *testing.T) {
	n, keys := benchNet(20_000)
	for i := range 8 {
		from, to := keys[i*25], keys[(i*37+11)%len(keys)]
		first, _ := n.Paths(View{}, from, to, PathOptions{})
		again, _ := n.Paths(View{}, from, to, PathOptions{})
		if !slices.Equal(pathLines(first), pathLines(again)) {
			t.Fatalf("%s to %s: %v, then %v", from, to, pathLines(first), pathLines(again))
		}
		s := &search{lens: n.look(View{}), from: n.byKey[from], to: n.byKey[to], hops: MaxPathHops}
		if from != to {
			s.ahead()
			s.outlook()
			s.ways(DefaultPaths)
		}
		// what is begun is ended: one more round of a node's triples each
		if most := 2*maxPathSteps + 3*n.count; s.looked > most {
			t.Errorf("%s to %s: looked at %d triples", from, to, s.looked)
		}
	}
}

// naivePaths lists the confidences of all simple paths.
func naivePaths(visible []Triple, at, to string, hops int, sure float64, been []string) []float64 {
	if at == to {
		return []float64{sure}
	}
	var out []float64
	for _, x := range visible {
		next := ""
		switch at {
		case x.Subject:
			next = x.Object
		case x.Object:
			next = x.Subject
		}
		if next != "" && hops > 0 && !slices.Contains(been, next) {
			out = append(out, naivePaths(visible, next, to, hops-1, sure*x.Confidence, append(slices.Clone(been), next))...)
		}
	}
	return out
}

func TestPathsAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, m := drawNet(t)
		v := drawView(t)
		o := PathOptions{Paths: rapid.IntRange(1, 6).Draw(t, "paths"), Hops: rapid.IntRange(1, 4).Draw(t, "hops")}
		want := naivePaths(m.visible(v), "a", "f", o.Hops, 1, []string{"a"})
		slices.SortFunc(want, func(a, b float64) int { return cmp.Compare(b, a) })
		want = want[:min(len(want), o.Paths)]
		got, cut := n.Paths(v, "a", "f", o)
		if cut || len(got) != len(want) {
			t.Fatalf("%v, want %v", pathLines(got), want)
		}
		for i, p := range got {
			if math.Abs(p.Confidence-want[i]) > 1e-9 {
				t.Fatalf("path %d: %v, want %v", i, p.Confidence, want[i])
			}
			at := "a"
			for _, h := range p.Hops {
				from, to := h.Subject, h.Object
				if !h.Forward {
					from, to = to, from
				}
				if from != at {
					t.Fatalf("torn: %v", pathLines(got[i:i+1]))
				}
				at = to
			}
		}
	})
}
