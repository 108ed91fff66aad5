package graph

import (
	"fmt"
	"math"
	"testing"
)

func inferredLines(list []Inferred) []string {
	out := []string{}
	for _, x := range list {
		out = append(out, fmt.Sprintf("%s %s %s %.3g by %d", x.Subject, x.Predicate, x.Object, x.Confidence, len(x.Chain)))
	}
	return out
}

func TestInfer(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []string
		ask   Pattern
		want  []string
	}{
		{"a transitive predicate goes on", []string{"a causes b 0.9", "b causes c 0.8", "c causes d 0.5"}, Pattern{Subject: "a"},
			[]string{"a causes c 0.72 by 2", "a causes d 0.36 by 3"}},
		{"back from an object", []string{"a causes b 0.9", "b causes c 0.8"}, Pattern{Object: "c"}, []string{"a causes c 0.72 by 2"}},
		{"properties are inherited", []string{"cat is_a animal", "animal is_a thing", "animal has_property alive 0.9", "thing has_property mass"}, Pattern{Subject: "cat"},
			[]string{"cat is_a thing 1 by 2", "cat has_property mass 1 by 3", "cat has_property alive 0.9 by 2"}},
		{"back to all that inherit", []string{"cat is_a animal", "tom is_a cat", "animal has_property alive"}, Pattern{Predicate: "has_property", Object: "alive"},
			[]string{"cat has_property alive 1 by 2", "tom has_property alive 1 by 3"}},
		{"properties of properties are not", []string{"a has_property b", "b has_property c", "b is_a d"}, Pattern{Subject: "a"}, nil},
		{"what is asserted is not inferred", []string{"a causes b", "b causes c", "a causes c 0.2"}, Pattern{Subject: "a"}, nil},
		{"the surest chain counts", []string{"a requires b 0.5", "b requires d", "a requires c 0.9", "c requires d"}, Pattern{Subject: "a"}, []string{"a requires d 0.9 by 2"}},
		{"circles end", []string{"a causes b", "b causes a", "b causes c"}, Pattern{Subject: "a"}, []string{"a causes c 1 by 2"}},
		{"no guesses", []string{"a causes b 0.3", "b causes c 0.3"}, Pattern{Subject: "a"}, nil},
		{"others do not go on", []string{"a related_to b", "b related_to c", "b calls d"}, Pattern{Subject: "a"}, nil},
		{"kinds and needs together", []string{"a is_a b", "b requires c", "c requires d"}, Pattern{Subject: "a", Object: "d"}, []string{"a requires d 1 by 3"}},
		{"at most four steps", []string{"a causes b", "b causes c", "c causes d", "d causes e", "e causes f"}, Pattern{Subject: "a", Object: "f"}, nil},
		{"of nothing known", []string{"a causes b"}, Pattern{Subject: "none"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := netOf(t, c.lines...)
			got := n.Infer(View{}, c.ask, InferOptions{})
			expectLines(t, "inferred", inferredLines(got), c.want...)
			for _, x := range got {
				product := 1.0
				for _, y := range x.Chain {
					product *= y.Confidence
				}
				if x.Chain[0].Subject != x.Subject || x.Chain[len(x.Chain)-1].Object != x.Object || math.Abs(product-x.Confidence) > 1e-12 {
					t.Errorf("the chain does not lead there: %+v", x)
				}
			}
		})
	}
	n := netOf(t, "a causes b", "b causes c", "b causes d", "b causes e")
	if got := n.Infer(View{}, Pattern{Subject: "a"}, InferOptions{Limit: 2}); len(got) != 2 {
		t.Errorf("%v", inferredLines(got))
	}
}

func TestContradictions(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []string
		want  []string // kind and triples
	}{
		{"none", []string{"a causes b", "b is_a c", "c part_of d", "a preferred b", "a contradicts x", "s has_status on"}, nil},
		{"opposed with facts on both", []string{"tabs contradicts spaces", "style requires tabs", "style requires spaces 0.4", "spaces is_a blank"},
			[]string{"opposed: tabs contradicts spaces, style requires tabs, style requires spaces"}},
		{"two values", []string{"s has_status on", "s has_status off 0.5", "r has_status on"}, []string{"two_values: s has_status on, s has_status off"}},
		{"solves and causes", []string{"a solves b", "a causes b"}, []string{"solves_and_causes: a solves b, a causes b"}},
		{"prevents and causes", []string{"a prevents b", "a causes b", "b causes a"}, []string{"prevents_and_causes: a prevents b, a causes b"}},
		{"kind and contrary", []string{"a is_a b", "b contradicts a"}, []string{"opposed: b contradicts a, a is_a b, a is_a b", "kind_and_contrary: b contradicts a, a is_a b"}},
		{"preferred both ways", []string{"b preferred a", "a preferred b 0.5"}, []string{"preferred_both_ways: a preferred b, b preferred a"}},
		{"circle", []string{"c is_a a", "a is_a b", "b is_a c", "c is_a d", "d is_a e", "x part_of y", "y part_of x"},
			[]string{"circle: a is_a b, b is_a c, c is_a a", "circle: x part_of y, y part_of x"}},
		{"causes may go round", []string{"a causes b", "b causes a"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			found, err := netOf(t, c.lines...).Contradictions(t.Context(), View{}, 0)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, x := range found {
				line := string(x.Kind) + ":"
				for i, s := range tripleLines(x.Triples) {
					if i > 0 {
						line += ","
					}
					line += " " + s
				}
				got = append(got, line)
			}
			expectLines(t, "found", got, c.want...)
		})
	}
}

// TestLongChain: a long chain of kinds is gone through without recursion.
func TestLongChain(t *testing.T) {
	n := NewNet()
	var changes []Change
	const length = 100_000
	for i := range length {
		changes = append(changes, Change{Triple: Triple{Seq: int64(i + 1), Subject: fmt.Sprint(i), Predicate: "is_a", Object: fmt.Sprint(i + 1), Confidence: 1}})
	}
	n.Apply(changes...)
	if found, err := n.Contradictions(t.Context(), View{}, 0); err != nil || len(found) != 0 {
		t.Errorf("%v %v", found, err)
	}
}

func TestAttractors(t *testing.T) {
	n := netOf(t, "a is_a hub", "b is_a hub", "c is_a hub", "hub causes d", "x part_of other", "y part_of other", "z part_of other", "a related_to z",
		"small is_a hub2", "hub causes hub2", "m1 is_a hub2", "m2 is_a hub2 0.9", "lone is_a nothing")
	got := n.Attractors(View{})
	if len(got) != 2 || got[0].Key != "hub" || got[0].Neighbours != 5 || got[1].Key != "other" {
		t.Fatalf("%+v", got)
	}
	if math.Abs(got[0].Strength-(3*0.8+2*0.7)) > 1e-9 {
		t.Errorf("strength %v", got[0].Strength)
	}
	expectLines(t, "basin of hub", got[0].Basin, "d", "hub2", "a", "b", "c", "m1", "small", "m2")
	expectLines(t, "basin of other", got[1].Basin, "x", "y", "z")
	if got := n.Attractors(View{Realms: []string{"none"}}); len(got) != 0 {
		t.Errorf("%+v", got)
	}
}
