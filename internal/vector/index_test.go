package vector

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/RoaringBitmap/roaring/v2/roaring64"
	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func axis(dims, i int) []float32 {
	v := make([]float32, dims)
	v[i] = 3
	return v
}

func TestOptions(t *testing.T) {
	for _, c := range []struct {
		name string
		opts Options
		ok   bool
	}{
		{"none", Options{}, false},
		{"too few dimensions", Options{Dims: 7}, false},
		{"fewest dimensions", Options{Dims: 8}, true},
		{"most dimensions", Options{Dims: 4096}, true},
		{"too many dimensions", Options{Dims: 4097}, false},
		{"negative oversample", Options{Dims: 8, Oversample: -1}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := New(c.opts); (err == nil) != c.ok {
				t.Errorf("New: %v", err)
			}
		})
	}
}

func TestBadVectors(t *testing.T) {
	for _, c := range []struct {
		name   string
		vector []float32
		want   error
	}{
		{"nil", nil, ErrDims},
		{"short", make([]float32, 7), ErrDims},
		{"long", make([]float32, 9), ErrDims},
		{"zero", make([]float32, 8), ErrZero},
		{"nan", []float32{1, 0, 0, float32(math.NaN()), 0, 0, 0, 0}, ErrNotFinite},
		{"infinite", []float32{1, 0, 0, float32(math.Inf(-1)), 0, 0, 0, 0}, ErrNotFinite},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := mustNew(t, Options{Dims: 8})
			mustApply(t, x, []Item{{ID: 1, Vector: axis(8, 1)}})
			err := x.Apply([]Item{{ID: 2, Vector: axis(8, 2)}, {ID: 3, Vector: c.vector}}, []uint64{1})
			var item *ItemError
			if !errors.Is(err, c.want) || !errors.As(err, &item) || item.ID != 3 {
				t.Errorf("Apply: %v, want %v of item 3", err, c.want)
			}
			if _, ok := x.Vector(1); !ok || x.Len() != 1 {
				t.Error("a refused batch was applied in part")
			}
			if _, err := x.Search(t.Context(), Query{Vector: c.vector}); !errors.Is(err, c.want) {
				t.Errorf("Search: %v, want %v", err, c.want)
			}
		})
	}
}

func TestAnyLengthOfVector(t *testing.T) {
	for _, c := range []struct {
		name  string
		scale float32
	}{
		{"smallest", math.SmallestNonzeroFloat32},
		{"small", 1e-30},
		{"one", 1},
		{"largest", math.MaxFloat32},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := mustNew(t, Options{Dims: 9})
			v := make([]float32, 9)
			for i := range v {
				v[i] = c.scale
			}
			mustApply(t, x, []Item{{ID: 1, Vector: v}, {ID: 2, Vector: axis(9, 0)}})
			hits := mustSearch(t, x, Query{Vector: v})
			want := []Hit{{ID: 1, Score: 1}, {ID: 2, Score: 1. / 3}}
			if d := cmp.Diff(want, hits, cmp.Comparer(func(a, b float32) bool { return math.Abs(float64(a-b)) < 1e-6 })); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}

func TestEmpty(t *testing.T) {
	x := mustNew(t, Options{Dims: 8})
	mustApply(t, x, nil)
	mustApply(t, x, nil, 5)
	if hits := mustSearch(t, x, Query{Vector: axis(8, 0)}); len(hits) != 0 {
		t.Errorf("an empty index gave %v", hits)
	}
	mustApply(t, x, []Item{{ID: 5, Vector: axis(8, 0), Labels: []string{"a"}}})
	mustApply(t, x, nil, 5)
	for _, exact := range []bool{true, false} {
		q := Query{Vector: axis(8, 0), Exact: exact, Filter: Filter{All: [][]string{{"a"}}, IDs: roaring64.BitmapOf(5)}}
		if hits := mustSearch(t, x, q); len(hits) != 0 {
			t.Errorf("an emptied index gave %v", hits)
		}
	}
	if st := x.Stats(); st.Items != 0 || st.Labels != 0 || st.Slots != slabItems {
		t.Errorf("an emptied index: %+v", st)
	}
}

func TestResultsWanted(t *testing.T) {
	x := mustNew(t, Options{Dims: 8})
	var put []Item
	for i := range 30 {
		put = append(put, Item{ID: uint64(100 - i), Vector: axis(8, 0)})
	}
	mustApply(t, x, put)
	for _, c := range []struct {
		name    string
		k, want int
	}{{"negative", -1, defaultK}, {"none", 0, defaultK}, {"three", 3, 3}, {"more than there are", math.MaxInt, 30}} {
		t.Run(c.name, func(t *testing.T) {
			hits := mustSearch(t, x, Query{Vector: axis(8, 0), K: c.k})
			if len(hits) != c.want || hits[0].ID != 71 || !slices.IsSorted(ids(hits)) {
				t.Errorf("K %d gave %v", c.k, hits)
			}
		})
	}
}

func TestFilters(t *testing.T) {
	x := mustNew(t, Options{Dims: 8})
	mustApply(t, x, []Item{
		{ID: 1, Vector: axis(8, 0), Labels: []string{"realm=p", "kind=w"}, Time: 100},
		{ID: 2, Vector: axis(8, 0), Labels: []string{"realm=p", "kind=b", "kind=b"}, Time: 200},
		{ID: 3, Vector: axis(8, 0), Labels: []string{"realm=q"}, Time: 300},
		{ID: 4, Vector: axis(8, 0), Time: -50},
	})
	for _, c := range []struct {
		name   string
		filter Filter
		want   []uint64
	}{
		{"nothing", Filter{}, []uint64{1, 2, 3, 4}},
		{"label", Filter{All: [][]string{{"realm=p"}}}, []uint64{1, 2}},
		{"any label", Filter{All: [][]string{{"kind=b", "realm=q", "unknown"}}}, []uint64{2, 3}},
		{"unknown first", Filter{All: [][]string{{"unknown", "realm=q", "kind=w"}}}, []uint64{1, 3}},
		{"groups", Filter{All: [][]string{{"realm=p"}, {"kind=b", "realm=q"}}}, []uint64{2}},
		{"empty group", Filter{All: [][]string{{}}}, nil},
		{"unknown label", Filter{All: [][]string{{"unknown"}}}, nil},
		{"none", Filter{None: []string{"kind=w", "unknown"}}, []uint64{2, 3, 4}},
		{"after", Filter{After: 200}, []uint64{2, 3}},
		{"after, to the last", Filter{After: 300}, []uint64{3}},
		{"after the last", Filter{After: 301}, nil},
		{"before the first", Filter{Before: -50}, nil},
		{"before, to the first", Filter{Before: -49}, []uint64{4}},
		{"before", Filter{Before: 200}, []uint64{1, 4}},
		{"between", Filter{After: 100, Before: 300}, []uint64{1, 2}},
		{"never", Filter{After: 300, Before: 300}, nil},
		{"before the epoch", Filter{After: -60, Before: -1}, []uint64{4}},
		{"ids", Filter{IDs: roaring64.BitmapOf(3, 4, 5)}, []uint64{3, 4}},
		{"no ids", Filter{IDs: roaring64.New()}, nil},
		{"all of it", Filter{All: [][]string{{"realm=p", "realm=q"}}, None: []string{"kind=w"}, After: 250, IDs: roaring64.BitmapOf(1, 2, 3)}, []uint64{3}},
	} {
		t.Run(c.name, func(t *testing.T) {
			hits := mustSearch(t, x, Query{Vector: axis(8, 0), Filter: c.filter})
			if !slices.Equal(ids(hits), c.want) {
				t.Errorf("found %v, want %v", ids(hits), c.want)
			}
		})
	}
}

func TestStats(t *testing.T) {
	x := mustNew(t, Options{Dims: 384})
	var put []Item
	for i := range 2000 {
		put = append(put, Item{ID: uint64(i), Vector: axis(384, i%384), Labels: []string{fmt.Sprint("group=", i%7)}})
	}
	mustApply(t, x, put)
	st := x.Stats()
	if st.Items != 2000 || st.Slots != 2*slabItems || st.Labels != 7 || st.Dims != 384 {
		t.Errorf("%+v", st)
	}
	if st.VectorBytes != 2*slabItems*384*halfBytes || st.CodeBytes < 2*slabItems*384/8 || st.Bytes < st.VectorBytes+st.CodeBytes+st.LabelBytes {
		t.Errorf("%+v", st)
	}
	mustApply(t, x, put, 1, 2, 3) // again, in the same places
	mustApply(t, x, nil, 1, 2, 3)
	mustApply(t, x, []Item{{ID: 1 << 40, Vector: axis(384, 1)}})
	if st := x.Stats(); st.Items != 1998 || st.Slots != 2*slabItems {
		t.Errorf("slots are not used again: %+v", st)
	}
}

func TestCancel(t *testing.T) {
	x := mustNew(t, Options{Dims: 8})
	mustApply(t, x, []Item{{ID: 1, Vector: axis(8, 0)}})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := x.Search(ctx, Query{Vector: axis(8, 0)}); !errors.Is(err, context.Canceled) {
		t.Errorf("Search: %v", err)
	}
	var put []Item
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range 20 * slabItems {
		put = append(put, Item{ID: uint64(i), Vector: gauss(rng, 8, 1)})
	}
	mustApply(t, x, put)
	for _, exact := range []bool{true, false} {
		for _, parallel := range []int{1, parallelItems} {
			late := &lateCancel{Context: t.Context(), after: 2}
			if _, err := x.search(late, Query{Vector: axis(8, 0), Exact: exact}, parallel); !errors.Is(err, context.Canceled) {
				t.Errorf("exact %v, parallel from %d: %v", exact, parallel, err)
			}
		}
	}
}

// TestNoGarbage: a search gives back its hits and leaves nothing else behind.
func TestNoGarbage(t *testing.T) {
	if raceEnabled {
		t.Skip("pools drop things at random under the race detector")
	}
	x := mustNew(t, Options{Dims: 100})
	var put []Item
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range 3000 {
		put = append(put, Item{ID: uint64(i), Vector: gauss(rng, 100, 1), Labels: []string{"a"}, Time: int64(i)})
	}
	mustApply(t, x, put)
	v := gauss(rng, 100, 1)
	f := Filter{All: [][]string{{"a", "b"}}, None: []string{"c"}, After: 5}
	allocs := testing.AllocsPerRun(100, func() { mustSearch(t, x, Query{Vector: v, Filter: f}) })
	if allocs > 4 { // the hits, and closures of the filter
		t.Errorf("%v allocations per search", allocs)
	}
}

func TestCosinesAndSumLength(t *testing.T) {
	x, err := New(Options{Dims: 16})
	if err != nil {
		t.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(1, 1))
	vectors := make([][]float32, 4)
	var items []Item
	for i := range vectors {
		v := make([]float32, 16)
		for j := range v {
			v[j] = float32(rnd.NormFloat64())
		}
		vectors[i] = v
		items = append(items, Item{ID: uint64(i + 1), Vector: v})
	}
	if err := x.Apply(items, nil); err != nil {
		t.Fatal(err)
	}
	got, err := x.Cosines(vectors[0], []uint64{1, 2, 99})
	if err != nil || math.Abs(float64(got[0])-1) > 0.001 || !math.IsNaN(float64(got[2])) {
		t.Fatalf("%v %v", got, err)
	}
	one, _ := x.Vector(1)
	two, _ := x.Vector(2)
	if want := Dot(one, two); math.Abs(float64(got[1]-want)) > 0.001 {
		t.Errorf("cosine %v, want %v", got[1], want)
	}
	if _, err := x.Cosines(vectors[0][:3], nil); !errors.Is(err, ErrDims) {
		t.Errorf("%v", err)
	}
	three, _ := x.Vector(3)
	square := float32(0)
	for j := range one {
		f := one[j] + 0.5*two[j] - 0.25*three[j]
		square += f * f
	}
	if length := x.SumLength([]uint64{1, 2, 99, 3}, []float32{1, 0.5, 7, -0.25}); math.Abs(float64(length)-math.Sqrt(float64(square))) > 0.001 {
		t.Errorf("length %v, want %v", length, math.Sqrt(float64(square)))
	}
}
