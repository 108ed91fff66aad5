package graph

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// netTime is when test triples begin, unless they say otherwise.
var netTime = time.Date(2026, 2, 3, 0, 0, 0, 0, time.UTC)

// netOf builds a net from lines "subject predicate object [confidence]".
func netOf(t testing.TB, lines ...string) *Net {
	t.Helper()
	n := NewNet()
	for i, line := range lines {
		x := Triple{Seq: int64(i + 1), Realm: "p", Confidence: 1, ValidFrom: netTime}
		if c, err := fmt.Sscan(line, &x.Subject, &x.Predicate, &x.Object, &x.Confidence); c < 3 {
			t.Fatalf("%q: %v", line, err)
		}
		n.Apply(Change{Triple: x})
	}
	return n
}

// tripleLines returns triples as lines.
func tripleLines(list []Triple) []string {
	out := []string{}
	for _, x := range list {
		out = append(out, x.Subject+" "+x.Predicate+" "+x.Object)
	}
	return out
}

func expectLines(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if diff := gocmp.Diff(append([]string{}, want...), append([]string{}, got...)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// TestNet shows normal use: triples come in as changes and are asked for by
// pattern, realm and time.
func TestNet(t *testing.T) {
	n := netOf(t, "nc causes failure 0.9", "cli solves failure 0.8", "nc requires shell 0.95")
	n.Apply(Change{Triple: Triple{Seq: 4, Realm: "user", Subject: "failure", Predicate: "causes", Object: "delay", Confidence: 0.5, ValidFrom: netTime.AddDate(0, 0, 2)}})
	all := View{}
	expectLines(t, "what causes failure", tripleLines(n.Match(all, Pattern{Predicate: "causes", Object: "failure"}, 0)), "nc causes failure")
	expectLines(t, "about nc", tripleLines(n.Match(all, Pattern{Subject: "nc"}, 0)), "nc requires shell", "nc causes failure")
	expectLines(t, "the strongest", tripleLines(n.Match(all, Pattern{}, 2)), "nc requires shell", "nc causes failure")
	expectLines(t, "around failure", tripleLines(n.Around(all, "failure", 0)), "nc causes failure", "cli solves failure", "failure causes delay")
	expectLines(t, "in the project", tripleLines(n.Around(View{Realms: []string{"p"}}, "failure", 0)), "nc causes failure", "cli solves failure")
	expectLines(t, "before", tripleLines(n.Around(View{At: netTime.AddDate(0, 0, 1)}, "failure", 0)), "nc causes failure", "cli solves failure")
	expectLines(t, "in no realm", tripleLines(n.Match(View{Realms: []string{"none"}}, Pattern{}, 0)))
	expectLines(t, "unknown", tripleLines(n.Match(all, Pattern{Subject: "none"}, 0)))

	ended := n.Match(all, Pattern{Object: "shell"}, 0)[0]
	ended.ValidUntil = netTime.AddDate(0, 0, 1)
	n.Apply(Change{Triple: ended}, Change{Triple: Triple{Seq: 1}, Gone: true}, Change{Triple: Triple{Seq: 77}, Gone: true})
	expectLines(t, "ended and gone", tripleLines(n.Match(View{At: netTime.AddDate(0, 0, 1)}, Pattern{}, 0)), "cli solves failure")
	expectLines(t, "still known", tripleLines(n.Match(all, Pattern{Subject: "nc"}, 0)), "nc requires shell")
	if n.Len() != 3 {
		t.Errorf("%d triples", n.Len())
	}
}

// model is a net as a plain list.
type model map[int64]Triple

func drawTriple(t *rapid.T) Triple {
	x := Triple{
		Seq:       rapid.Int64Range(1, 40).Draw(t, "seq"),
		Realm:     rapid.SampledFrom([]string{"p", "q", "user"}).Draw(t, "realm"),
		Subject:   rapid.SampledFrom([]string{"a", "b", "c", "d", "e", "f"}).Draw(t, "subject"),
		Predicate: rapid.SampledFrom([]string{"causes", "is_a", "related_to", "requires", "own"}).Draw(t, "predicate"),
		Object:    rapid.SampledFrom([]string{"a", "b", "c", "d", "e", "f", "g"}).Draw(t, "object"),
		// few values, so that ties are met
		Confidence: rapid.SampledFrom([]float64{0.3, 0.5, 0.8, 0.9, 1}).Draw(t, "confidence"),
		ValidFrom:  netTime.AddDate(0, 0, rapid.IntRange(0, 4).Draw(t, "from")),
	}
	if x.Subject == x.Object {
		x.Object = "h"
	}
	if rapid.Bool().Draw(t, "ended") {
		x.ValidUntil = x.ValidFrom.AddDate(0, 0, rapid.IntRange(0, 4).Draw(t, "for"))
	}
	return x
}

func drawView(t *rapid.T) View {
	return rapid.SampledFrom([]View{{}, {Realms: []string{"p", "user"}}, {At: netTime.AddDate(0, 0, 3)}, {Realms: []string{"q"}, At: netTime.AddDate(0, 0, 1)}}).Draw(t, "view")
}

// drawNet builds a net and its model from random changes, in batches.
func drawNet(t *rapid.T) (*Net, model) {
	n, m := NewNet(), model{}
	var batch []Change
	for range rapid.IntRange(0, 60).Draw(t, "changes") {
		c := Change{Triple: drawTriple(t), Gone: rapid.IntRange(0, 4).Draw(t, "gone") == 0}
		if c.Gone {
			delete(m, c.Seq)
		} else {
			m[c.Seq] = c.Triple
		}
		if batch = append(batch, c); rapid.Bool().Draw(t, "apply") {
			n.Apply(batch...)
			batch = nil
		}
	}
	n.Apply(batch...)
	return n, m
}

// visible returns what a view shows, the strongest first.
func (m model) visible(v View) []Triple {
	var out []Triple
	for _, x := range m {
		held := v.At.IsZero() || !x.ValidFrom.After(v.At) && (x.ValidUntil.IsZero() || v.At.Before(x.ValidUntil))
		if held && (len(v.Realms) == 0 || slices.Contains(v.Realms, x.Realm)) {
			out = append(out, x)
		}
	}
	slices.SortFunc(out, func(a, b Triple) int {
		return cmp.Or(cmp.Compare(b.Confidence, a.Confidence), cmp.Compare(b.Seq, a.Seq))
	})
	return out
}

func TestMatchAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, m := drawNet(t)
		if n.Len() != len(m) {
			t.Fatalf("%d triples, want %d", n.Len(), len(m))
		}
		v, like := drawView(t), drawTriple(t)
		limit := rapid.SampledFrom([]int{0, 1, 3}).Draw(t, "limit")
		for mask := range 8 {
			var p Pattern
			if mask&1 != 0 {
				p.Subject = like.Subject
			}
			if mask&2 != 0 {
				p.Predicate = like.Predicate
			}
			if mask&4 != 0 {
				p.Object = like.Object
			}
			want := []Triple{}
			for _, x := range m.visible(v) {
				if (p.Subject == "" || x.Subject == p.Subject) && (p.Predicate == "" || x.Predicate == p.Predicate) && (p.Object == "" || x.Object == p.Object) {
					want = append(want, x)
				}
			}
			if limit > 0 && len(want) > limit {
				want = want[:limit]
			}
			if got := n.Match(v, p, limit); !gocmp.Equal(want, append([]Triple{}, got...)) {
				t.Fatalf("%+v: %s", p, gocmp.Diff(want, got))
			}
		}
	})
}

// naiveSpread follows every way of at most so many hops, one by one.
func naiveSpread(visible []Triple, levels map[string]float64, at string, level float64, hops, fan int) {
	if level < DefaultThreshold {
		return
	}
	levels[at] = max(levels[at], level)
	if hops == 0 {
		return
	}
	for _, forward := range []bool{true, false} {
		n := 0
		for _, x := range visible {
			from, to := x.Subject, x.Object
			if !forward {
				from, to = to, from
			}
			if from != at || n == fan {
				continue
			}
			n++
			p, _, _ := LookupPredicate(x.Predicate)
			f := p.Spread
			if !forward && !p.Symmetric {
				f *= DefaultReverse
			}
			naiveSpread(visible, levels, to, level*f*x.Confidence, hops-1, fan)
		}
	}
}

func TestSpreadAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, m := drawNet(t)
		v, fan := drawView(t), rapid.IntRange(1, 5).Draw(t, "fan")
		seeds := []Seed{{Key: "a"}, {Key: "b", Strength: rapid.SampledFrom([]float64{0.05, 0.3, 1}).Draw(t, "strength")}, {Key: "none"}}
		want := map[string]float64{}
		visible := m.visible(v)
		for _, s := range seeds[:2] {
			if slices.ContainsFunc(visible, func(x Triple) bool { return x.Subject == s.Key || x.Object == s.Key }) {
				naiveSpread(visible, want, s.Key, cmp.Or(s.Strength, DefaultStrength), DefaultHops, fan)
			}
		}
		got := n.Spread(v, seeds, SpreadOptions{Fan: fan})
		if len(got) != len(want) {
			t.Fatalf("%+v, want %+v", got, want)
		}
		for i, a := range got {
			if math.Abs(a.Level-want[a.Key]) > 1e-12 {
				t.Fatalf("%s has %v, want %v", a.Key, a.Level, want[a.Key])
			}
			if i > 0 && got[i-1].Level < a.Level {
				t.Fatalf("out of order: %+v", got)
			}
			if (a.Hops == 0) != (a.Via.Seq == 0) || a.Hops > 0 && a.Via.Subject != a.Key && a.Via.Object != a.Key {
				t.Fatalf("came from nowhere: %+v", a)
			}
		}
	})
}

// TestAnswersDoNotDependOnOrder: the same triples give the same answers however
// they came in.
func TestAnswersDoNotDependOnOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, m := drawNet(t)
		other := NewNet()
		var changes []Change
		for _, x := range m.visible(View{}) {
			changes = append(changes, Change{Triple: x})
		}
		for _, c := range rapid.Permutation(changes).Draw(t, "order") {
			other.Apply(c)
		}
		answers := func(n *Net) []any {
			paths, _ := n.Paths(View{}, "a", "f", PathOptions{})
			contradictions, err := n.Contradictions(t.Context(), View{}, 0)
			return []any{n.Spread(View{}, []Seed{{Key: "a"}}, SpreadOptions{}), paths, n.Infer(View{}, Pattern{Subject: "a"}, InferOptions{}), contradictions, err, n.Attractors(View{})}
		}
		if diff := gocmp.Diff(answers(n), answers(other)); diff != "" {
			t.Fatal(diff)
		}
	})
}

// TestSpread holds the levels against those worked out by hand.
func TestSpread(t *testing.T) {
	n := netOf(t, "a causes b", "b is_a c", "c is_a d", "d is_a e", "a related_to x", "y related_to a", "z requires a", "a requires w 0.8", "b causes a")
	got := map[string]float64{}
	for _, a := range n.Spread(View{}, []Seed{{Key: "a", Strength: 1}}, SpreadOptions{}) {
		got[a.Key] = math.Round(a.Level*1e6) / 1e6
	}
	want := map[string]float64{
		"a": 1,
		"b": 0.7,              // causes
		"c": 0.56, "d": 0.448, // then is_a; e is four hops away
		"x": 0.3, "y": 0.3, // symmetric: no way back
		"z": 0.25, // against the direction
		"w": 0.4,  // by its confidence
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if half := n.Spread(View{}, []Seed{{Key: "a", Strength: 1}}, SpreadOptions{Decay: 0.25, Hops: 1}); half[1].Key != "b" || half[1].Level != 0.35 {
		t.Errorf("half the decay, half of what goes on: %+v", half)
	}
	if got := n.Spread(View{}, nil, SpreadOptions{}); len(got) != 0 {
		t.Errorf("from nothing: %v", got)
	}
}

func TestFaded(t *testing.T) {
	for _, c := range []struct {
		since time.Duration
		want  float64
	}{{0, 0.8}, {-time.Hour, 0.8}, {activationHalfLife, 0.4}, {2 * activationHalfLife, 0.2}} {
		if got := Faded(0.8, c.since); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("after %s: %v, want %v", c.since, got, c.want)
		}
	}
}

// TestHub: of a hub only the strongest triples are followed.
func TestHub(t *testing.T) {
	n := NewNet()
	var changes []Change
	for i := range 10_000 {
		changes = append(changes, Change{Triple: Triple{Seq: int64(i + 1), Realm: "p", Subject: "hub", Predicate: "is_a", Object: fmt.Sprintf("n%05d", i), Confidence: 0.5 + float64(i%1000)/2000}})
	}
	n.Apply(changes...)
	got := n.Spread(View{}, []Seed{{Key: "hub", Strength: 1}}, SpreadOptions{})
	if len(got) != DefaultFan+1 || got[1].Via.Confidence != 0.9995 {
		t.Fatalf("%d nodes, %+v", len(got), got[1])
	}
	if got[1].Key != "n00999" {
		t.Errorf("of equal ones %s comes first", got[1].Key)
	}
}

// TestConcurrentReads has readers beside a writer, for the race detector.
func TestConcurrentReads(t *testing.T) {
	n := netOf(t, "a causes b", "b causes c")
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for range 200 {
				n.Match(View{Realms: []string{"p", "r5"}}, Pattern{Subject: "a"}, 5)
				n.Spread(View{}, []Seed{{Key: "a"}}, SpreadOptions{})
				n.Paths(View{}, "a", "c", PathOptions{})
				n.Attractors(View{Realms: []string{"p"}})
			}
		})
	}
	for i := range 500 {
		n.Apply(Change{Triple: Triple{Seq: int64(10 + i%20), Realm: fmt.Sprint("r", i%50), Subject: "a", Predicate: fmt.Sprint("p", i%7), Object: fmt.Sprint("n", i), Confidence: 0.5}, Gone: i%3 == 0})
	}
	wg.Wait()
}

// TestLongQuestionsLetChangesIn: while contradictions are looked for and facts
// counted in a net that changes all the time, changes get their turn, and what
// stands all the while is found.
func TestLongQuestionsLetChangesIn(t *testing.T) {
	n := NewNet()
	add := func(seq int64, subject, predicate, object string) Change {
		return Change{Triple: Triple{Seq: seq, Realm: "p", Subject: subject, Predicate: predicate, Object: object, Confidence: 0.5 + float64(seq%50)/100, ValidFrom: netTime}}
	}
	const many = 3 * pauseAfter
	var all []Change
	for i := range int64(many) {
		all = append(all, add(10+i, fmt.Sprint("s", i), "is_a", fmt.Sprint("s", i+1)))
	}
	n.Apply(append(all, add(1, "x", "is_a", "y"), add(2, "y", "is_a", "x"), add(3, "v", "has_value", "one"), add(4, "v", "has_value", "two"))...)
	stop, changed := make(chan struct{}), make(chan int)
	go func() {
		rounds := 0
		for ; ; rounds++ {
			select {
			case <-stop:
				changed <- rounds
				return
			default:
			}
			c := all[rounds*37%many]
			gone := c
			gone.Gone = true
			n.Apply(gone)
			n.Apply(c)
		}
	}()
	for range 20 {
		found, err := n.Contradictions(t.Context(), View{}, 0)
		if err != nil || len(found) != 2 || found[0].Kind != TwoValues || found[1].Kind != Circle {
			t.Errorf("%+v %v", found, err)
		}
		if c := n.Count(nil); c.Triples < many || c.Triples > many+4 || c.ByPredicate["has_value"] != 2 {
			t.Errorf("%+v", c)
		}
	}
	close(stop)
	if rounds := <-changed; rounds == 0 {
		t.Error("no change came in")
	}
	if c := n.Count([]string{"p"}); c.Triples != many+4 || c.Open != many+4 || n.Count([]string{"q"}).Triples != 0 {
		t.Errorf("%+v", c)
	}
}
