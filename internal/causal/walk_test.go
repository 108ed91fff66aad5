package causal

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// edges is a graph made by hand; it counts how often it is asked.
type edges struct {
	list  []Link
	asked int
}

func (e *edges) Links(_ context.Context, from []int64, d Direction) ([]Link, error) {
	e.asked += len(from)
	var out []Link
	for _, l := range e.list {
		if d == Back {
			l.From, l.To = l.To, l.From
		}
		if slices.Contains(from, l.From) {
			out = append(out, l)
		}
	}
	return out, nil
}

// line is a thread of n chunks, numbered from 1, a hop apart.
func line(n int) *edges {
	e := &edges{}
	for i := int64(1); i < int64(n); i++ {
		e.list = append(e.list, Link{From: i, To: i + 1, Kind: Adjacent, Weight: 1, Hops: 1})
	}
	return e
}

func alike(values map[int64]float64) Similar {
	return func(context.Context, []int64) (map[int64]float64, error) { return values, nil }
}

func chunksOf(list []Reached) []int64 {
	var out []int64
	for _, r := range list {
		out = append(out, r.Chunk)
	}
	return out
}

// TestWalk shows normal use: from chunk 5 back, the way that resembles the
// question.
func TestWalk(t *testing.T) {
	g := &edges{list: []Link{
		{From: 4, To: 5, Kind: Adjacent, Weight: 1, Hops: 1},
		{From: 2, To: 5, Kind: FilePath, Weight: 0.5, Hops: 2},
		{From: 1, To: 2, Kind: Topic, Weight: 0.8, Hops: 1},
		{From: 3, To: 4, Kind: Adjacent, Weight: 1, Hops: 1},
	}}
	got, err := Walk(t.Context(), g, []Seed{{Chunk: 5}}, Back, alike(map[int64]float64{1: 1, 2: 1}), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if want := []int64{2, 4, 1, 3}; !slices.Equal(chunksOf(got), want) {
		t.Fatalf("reached %v, want %v", chunksOf(got), want)
	}
	want := Reached{Chunk: 1, Seed: 5, From: 2, Kind: Topic, Weight: 0.8, Path: 0.4, Step: 2, Hops: 3, Decay: 0.7, Similar: 1, Score: 0.4 * 0.7}
	one := got[2]
	if math.Abs(one.Score-want.Score) > 1e-12 || math.Abs(one.Decay-want.Decay) > 1e-12 {
		t.Errorf("score %v, decay %v", one.Score, one.Decay)
	}
	one.Score, one.Decay = want.Score, want.Decay
	if one != want {
		t.Errorf("got %+v\nwant %+v", one, want)
	}
	if chain := chunksOf(Chain(got)); !slices.Equal(chain, []int64{2, 1}) {
		t.Errorf("chain %v", chain)
	}
}

// TestDecay holds both sides of every threshold.
func TestDecay(t *testing.T) {
	for _, tt := range []struct {
		name string
		d    Direction
		hops int
		want float64
	}{
		{"back, here", Back, 0, 1},
		{"back, one", Back, 1, 0.9},
		{"back, last alive", Back, 9, 0.1},
		{"back, dead", Back, 10, 0},
		{"back, beyond", Back, 11, 0},
		{"ahead, here", Ahead, 0, 1},
		{"ahead, held", Ahead, 5, 1},
		{"ahead, falling", Ahead, 6, 1 - 1.0/15},
		{"ahead, last alive", Ahead, 19, 1.0 / 15},
		{"ahead, dead", Ahead, 20, 0},
		{"ahead, beyond", Ahead, 21, 0},
	} {
		if got := Decay(tt.d, tt.hops); math.Abs(got-tt.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// TestWalkEndsWhereNothingIsLeft: nine hops back, nineteen ahead.
func TestWalkEndsWhereNothingIsLeft(t *testing.T) {
	none := alike(nil)
	back, err := Walk(t.Context(), line(100), []Seed{{Chunk: 50}}, Back, none, Options{Steps: 90})
	if err != nil || len(back) != 9 || back[8].Chunk != 41 {
		t.Errorf("back: %v %v", chunksOf(back), err)
	}
	ahead, err := Walk(t.Context(), line(100), []Seed{{Chunk: 50}}, Ahead, none, Options{Steps: 90})
	if err != nil || len(ahead) != 19 || ahead[18].Chunk != 69 {
		t.Errorf("ahead: %v %v", chunksOf(ahead), err)
	}
}

func TestWalkOnCyclesTerminates(t *testing.T) {
	g := &edges{}
	for i := range int64(6) {
		for j := range int64(6) {
			g.list = append(g.list, Link{From: i, To: j, Kind: FilePath, Weight: 1}) // no hops: nothing fades
		}
	}
	got, err := Walk(t.Context(), g, []Seed{{Chunk: 0}, {Chunk: 0}, {Chunk: 1}}, Ahead, alike(nil), Options{Steps: 1000})
	if err != nil || len(got) != 4 {
		t.Fatalf("%v %v", chunksOf(got), err)
	}
	if g.asked > 6 {
		t.Errorf("asked %d times for 6 chunks", g.asked)
	}
}

// TestBeamBoundsTheWalk: each chunk leads to fifty others, four of each step
// go on.
func TestBeamBoundsTheWalk(t *testing.T) {
	g := &edges{}
	next := int64(2)
	for from := int64(1); from < 400; from++ {
		for range 50 {
			g.list = append(g.list, Link{From: from, To: next, Kind: Topic, Weight: 1, Hops: 1})
			next++
		}
	}
	got, err := Walk(t.Context(), g, []Seed{{Chunk: 1}}, Ahead, alike(nil), Options{Beam: 4, Steps: 5})
	if err != nil || len(got) > 20 || g.asked > 17 {
		t.Errorf("%d reached, asked for %d: %v", len(got), g.asked, err)
	}
}

func TestReachGoesBothWays(t *testing.T) {
	got, err := Reach(t.Context(), line(30), []Seed{{Chunk: 15, Score: 2}}, alike(map[int64]float64{14: 1, 17: 1}), Options{})
	if err != nil || len(got) == 0 {
		t.Fatal(err)
	}
	if got[0].Chunk != 17 || got[0].Score != 2 || got[1].Chunk != 14 || math.Abs(got[1].Score-1.8) > 1e-12 {
		t.Errorf("%+v\n%+v", got[0], got[1])
	}
	if slices.Contains(chunksOf(got), 15) {
		t.Error("a seed is among what was reached")
	}
}

func TestWalkPassesErrorsOn(t *testing.T) {
	broken := errors.New("broken")
	_, err := Walk(t.Context(), line(3), []Seed{{Chunk: 1}}, Ahead, func(context.Context, []int64) (map[int64]float64, error) { return nil, broken }, Options{})
	if !errors.Is(err, broken) {
		t.Error(err)
	}
	if got, err := Walk(t.Context(), line(3), nil, Ahead, alike(nil), Options{}); err != nil || got != nil || Chain(got) != nil {
		t.Errorf("without seeds: %v %v", got, err)
	}
}

// TestWalkProperties holds on any graph: no chunk twice, scores within 0 and
// the seed's, hops never fall along a way, every way leads back to a seed.
func TestWalkProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := &edges{}
		for range rapid.IntRange(0, 60).Draw(t, "edges") {
			g.list = append(g.list, Link{
				From: rapid.Int64Range(1, 12).Draw(t, "from"), To: rapid.Int64Range(1, 12).Draw(t, "to"), Kind: FilePath,
				Weight: rapid.Float64Range(0, 1).Draw(t, "weight"), Hops: rapid.IntRange(0, 4).Draw(t, "hops"),
			})
		}
		similar := map[int64]float64{}
		for c := range int64(13) {
			similar[c] = rapid.Float64Range(-1, 1).Draw(t, "similar")
		}
		d := Direction(rapid.IntRange(0, 1).Draw(t, "direction"))
		o := Options{Beam: rapid.IntRange(1, 5).Draw(t, "beam"), Steps: rapid.IntRange(1, 30).Draw(t, "steps")}
		got, err := Walk(context.Background(), g, []Seed{{Chunk: 1}}, d, alike(similar), o)
		if err != nil {
			t.Fatal(err)
		}
		at := map[int64]Reached{1: {Chunk: 1}}
		perStep := map[int]int{}
		for _, r := range got {
			from, known := at[r.From]
			if _, twice := at[r.Chunk]; twice || !known || r.Hops < from.Hops || r.Score <= 0 || r.Score > 1 || r.Step != from.Step+1 {
				t.Fatalf("%+v from %+v", r, from)
			}
			at[r.Chunk] = r
			if perStep[r.Step]++; perStep[r.Step] > o.Beam {
				t.Fatalf("%d chunks at step %d with a beam of %d", perStep[r.Step], r.Step, o.Beam)
			}
		}
		chain := Chain(got)
		last := int64(1)
		for _, r := range chain {
			if r.From != last {
				t.Fatalf("the chain %v is broken", chunksOf(chain))
			}
			last = r.Chunk
		}
	})
}
