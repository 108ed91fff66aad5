package vector

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/RoaringBitmap/roaring/v2/roaring64"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestSearchEqualsReference drives an index through random changes. After
// every step, exact search, search by codes with room for all candidates and
// the plain reference must agree, with and without filters, on one processor
// and on two.
func TestSearchEqualsReference(t *testing.T) {
	checkLess(t, func(rt *rapid.T) {
		dims := rapid.SampledFrom([]int{8, 9, 33, 64, 100, 384}).Draw(rt, "dims")
		x, err := New(Options{Dims: dims, Seed: rapid.Uint64().Draw(rt, "seed")})
		if err != nil {
			rt.Fatal(err)
		}
		seed := rapid.Uint64().Draw(rt, "data")
		m := &machine{x: x, want: reference{}, rng: rand.New(rand.NewPCG(seed, 1))}
		rt.Repeat(map[string]func(*rapid.T){
			"put":     m.put,
			"remove":  m.remove,
			"relabel": m.relabel,
			"shift":   m.shift,
			"":        m.check,
		})
	})
}

// checkLess runs fewer checks under the race detector, which makes arithmetic
// slow and finds nothing in tests of one goroutine.
func checkLess(t *testing.T, prop func(*rapid.T)) {
	t.Helper()
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		if n++; !raceEnabled || n <= raceChecks {
			prop(rt)
		}
	})
}

const raceChecks = 10

// machine is an index under test and what should be in it.
type machine struct {
	x     *Index
	want  reference
	rng   *rand.Rand
	away  float32 // from the origin, so that centres move
	loads int
}

// maxLoads of many items keep a run short.
const maxLoads = 3

var testLabels = []string{"a", "b", "c", "d"}

func (m *machine) vector() []float32 {
	v := make([]float32, m.x.opts.Dims)
	if m.rng.IntN(2) == 0 { // few values: equal vectors and equal scores
		for i := range min(len(v), 3) {
			v[i] = float32(m.rng.IntN(3) - 1)
		}
		v[3] = 1
	} else {
		for i := range v {
			v[i] = float32(m.rng.NormFloat64())
		}
	}
	v[1] += m.away
	return v
}

func (m *machine) item(span int) Item {
	item := Item{ID: uint64(m.rng.IntN(span)) << 20, Vector: m.vector(), Time: int64(m.rng.IntN(100) - 20)}
	for _, l := range testLabels {
		if m.rng.IntN(3) == 0 {
			item.Labels = append(item.Labels, l)
		}
	}
	return item
}

func (m *machine) put(t *rapid.T) {
	n := rapid.SampledFrom([]int{1, 5, 60, 600}).Draw(t, "items")
	span := rapid.SampledFrom([]int{20, 3000}).Draw(t, "span of ids")
	if n > 100 {
		if m.loads++; m.loads > maxLoads {
			n = 1
		}
	}
	var put []Item
	for range n {
		put = append(put, m.item(span))
	}
	var remove []uint64
	for _, id := range sortedKeys(m.want) {
		if m.rng.IntN(20) == 0 {
			remove = append(remove, id)
		}
	}
	m.apply(t, put, append(remove, put[0].ID)) // which is replaced
}

func (m *machine) apply(t *rapid.T, put []Item, remove []uint64) {
	if err := m.x.Apply(put, remove); err != nil {
		t.Fatalf("Apply: %v", err)
	}
	m.want.apply(put, remove)
}

func (m *machine) remove(t *rapid.T) {
	remove := []uint64{1} // not there
	share := rapid.SampledFrom([]int{1, 2, 10}).Draw(t, "one in")
	for _, id := range sortedKeys(m.want) {
		if m.rng.IntN(share) == 0 {
			remove = append(remove, id)
		}
	}
	m.apply(t, nil, remove)
}

func (m *machine) relabel(t *rapid.T) {
	for _, id := range sortedKeys(m.want) {
		if m.rng.IntN(4) > 0 {
			continue
		}
		item := m.want[id]
		other := m.item(1)
		item.Labels, item.Time = other.Labels, other.Time
		if !m.x.Relabel(id, item.Labels, item.Time) {
			t.Fatalf("item %d is not there for Relabel", id)
		}
		m.want[id] = item
	}
	if m.x.Relabel(1, nil, 0) {
		t.Fatal("Relabel found an item that is not there")
	}
}

func (m *machine) shift(t *rapid.T) { m.away = float32(rapid.IntRange(-3, 3).Draw(t, "away")) }

func (m *machine) filter() Filter {
	var f Filter
	pick := func() []string {
		var out []string
		for range 1 + m.rng.IntN(2) {
			out = append(out, append(testLabels, "unknown")[m.rng.IntN(len(testLabels)+1)])
		}
		return out
	}
	for range m.rng.IntN(3) {
		f.All = append(f.All, pick())
	}
	if m.rng.IntN(3) == 0 {
		f.None = pick()
	}
	if m.rng.IntN(3) == 0 {
		f.After = int64(m.rng.IntN(60) - 20)
	}
	if m.rng.IntN(3) == 0 {
		f.Before = int64(m.rng.IntN(100) - 10)
	}
	if m.rng.IntN(3) == 0 {
		f.IDs = roaring64.New()
		share := 1 + m.rng.IntN(20)
		for _, id := range append(sortedKeys(m.want), 1) {
			if m.rng.IntN(share) == 0 {
				f.IDs.Add(id)
			}
		}
	}
	return f
}

func (m *machine) check(t *rapid.T) {
	if m.x.Len() != len(m.want) {
		t.Fatalf("%d items, want %d", m.x.Len(), len(m.want))
	}
	m.checkSum(t)
	m.checkVectors(t)
	for _, f := range []Filter{{}, m.filter(), m.filter()} {
		q := Query{Vector: m.vector(), K: m.rng.IntN(30) - 1, Filter: f, Exact: true}
		exact, err := m.x.Search(t.Context(), q)
		if err != nil {
			t.Fatalf("Search: %v", err)
		}
		if err := m.want.check(q, exact); err != nil {
			t.Fatalf("exact search for %+v: %v", q.Filter, err)
		}
		q.Exact, q.Oversample = false, len(m.want)+1
		for _, parallel := range []int{parallelItems, 1} {
			got, err := m.x.search(t.Context(), q, parallel)
			if err != nil {
				t.Fatalf("search: %v", err)
			}
			if d := cmp.Diff(exact, got); d != "" {
				t.Fatalf("candidates for all: (-exact +got)\n%s", d)
			}
		}
		m.checkCodes(t, q)
	}
}

// checkCodes holds what a search with few candidates must keep to.
func (m *machine) checkCodes(t *rapid.T, q Query) {
	q.K, q.Oversample = 2, 7
	one, err := m.x.search(t.Context(), q, parallelItems)
	if err != nil {
		t.Fatalf("search: %v", err)
	}
	two, err := m.x.search(t.Context(), q, 1)
	if err != nil {
		t.Fatalf("search: %v", err)
	}
	if d := cmp.Diff(one, two); d != "" {
		t.Fatalf("(-one processor +two)\n%s", d)
	}
	n := 0
	for _, item := range m.want {
		if q.Filter.allows(item.Item) {
			n++
		}
	}
	if len(one) != min(q.K, n) {
		t.Fatalf("%d hits of %d allowed", len(one), n)
	}
	for _, h := range one {
		if !q.Filter.allows(m.want[h.ID].Item) {
			t.Fatalf("item %d is not allowed", h.ID)
		}
	}
}

// checkSum holds the running sum to the items that are there.
func (m *machine) checkSum(t *rapid.T) {
	want := make([]float64, m.x.opts.Dims)
	for _, item := range m.want {
		for i, f := range item.unit {
			want[i] += f
		}
	}
	for i, f := range want {
		if math.Abs(f-m.x.sum[i]) > 1e-3 {
			t.Fatalf("sum %v at %d, want %v", m.x.sum[i], i, f)
		}
	}
}

func (m *machine) checkVectors(t *rapid.T) {
	for _, id := range sortedKeys(m.want) {
		if m.rng.IntN(8) > 0 {
			continue
		}
		v, ok := m.x.Vector(id)
		if !ok {
			t.Fatalf("item %d has no vector", id)
		}
		for i, want := range m.want[id].unit {
			if math.Abs(want-float64(v[i])) > 1e-6 {
				t.Fatalf("item %d: vector %v, want %v at %d", id, v, want, i)
			}
		}
	}
	if _, ok := m.x.Vector(1); ok {
		t.Fatal("there is a vector of an item that is not there")
	}
}

// TestEncodingIsAFunctionOfVectorAndCentre compares the codes that came about by
// changes and moves of the centre with codes made at once.
func TestEncodingIsAFunctionOfVectorAndCentre(t *testing.T) {
	checkLess(t, func(rt *rapid.T) {
		x, err := New(Options{Dims: 40})
		if err != nil {
			rt.Fatal(err)
		}
		m := &machine{x: x, want: reference{}, rng: rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "data"), 2))}
		for range 8 {
			m.loads = 0
			m.shift(rt)
			m.put(rt)
		}
		old := 0
		for n, s := range x.slabs {
			if s.encoded.centre != x.centre {
				if old++; n >= x.stale {
					rt.Fatalf("slab %d has an old centre, those from %d on should not", n, x.stale)
				}
			}
			fresh := &Index{opts: x.opts, rotation: x.rotation, stride: x.stride, rows: x.rows, centre: s.encoded.centre}
			fresh.work = fresh.newWorkspace()
			e := fresh.reencode(s)
			for i := range slabItems {
				if s.isLive(i) && describe(e, i, x.rows) != describe(s.encoded, i, x.rows) {
					rt.Fatalf("slab %d, item %d: code %s, want %s", n, i, describe(s.encoded, i, x.rows), describe(e, i, x.rows))
				}
			}
		}
	})
}

func describe(e *encoded, i, rows int) string {
	codes, factor, offset := e.group(i/groupItems, rows)
	var code []byte
	for k := range rows {
		code = append(code, codes[k*groupItems+i%groupItems])
	}
	return fmt.Sprint(slices.Clip(code), factor[i%groupItems], offset[i%groupItems])
}
