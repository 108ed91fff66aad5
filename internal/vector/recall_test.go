package vector

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestRecall guards the quality of the codes on clustered data.
func TestRecall(t *testing.T) {
	const (
		n       = 20_000
		dims    = 192 // harder than more, and quicker
		queries = 30
		least   = 0.97
	)
	m := newMixture(n, dims, 7)
	put := make([]Item, n)
	for i := range put {
		put[i] = Item{ID: uint64(i), Vector: m.vector(i)}
		if i%10 == 0 {
			put[i].Labels = append(put[i].Labels, "one in ten")
		}
		if i%100 == 0 {
			put[i].Labels = append(put[i].Labels, "one in a hundred")
		}
	}
	x := mustNew(t, Options{Dims: dims, Seed: 3})
	mustApply(t, x, put)
	for _, c := range []struct {
		name       string
		oversample int
		filter     Filter
	}{
		{"default", 0, Filter{}},
		{"few candidates", 100, Filter{}},
		{"filter", 0, Filter{All: [][]string{{"one in ten"}}}},
		{"narrow filter", 30, Filter{All: [][]string{{"one in a hundred"}}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			found := 0
			for q := range queries {
				v := m.vector(n + q)
				truth := topK{k: defaultK}
				for i := range put {
					if c.filter.allows(put[i]) {
						truth.push(candidate{score: Dot(v, put[i].Vector), id: uint64(i)})
					}
				}
				hits := mustSearch(t, x, Query{Vector: v, Filter: c.filter, Oversample: c.oversample})
				if len(hits) != defaultK {
					t.Fatalf("%d hits", len(hits))
				}
				for _, want := range truth.heap {
					if slices.Contains(ids(hits), want.id) {
						found++
					}
				}
			}
			recall := float64(found) / (queries * defaultK)
			t.Logf("recall@%d is %.3f", defaultK, recall)
			if recall < least {
				t.Errorf("recall@%d is %.3f, want %v", defaultK, recall, least)
			}
		})
	}
}

// TestEstimate checks the estimate itself: close to the cosine, without bias,
// on data far from the origin.
func TestEstimate(t *testing.T) {
	const n = 1024
	x := mustNew(t, Options{Dims: 200})
	m := newMixture(n, 200, 1)
	var put []Item
	for i := range n {
		put = append(put, Item{ID: uint64(i), Vector: m.vector(i)})
	}
	mustApply(t, x, put[:n/2])
	mustApply(t, x, put[n/2:])
	if st := x.Stats(); st.Moves == 0 || st.Stale != 0 {
		t.Errorf("the centre did not move: %+v", st)
	}
	s := x.newSearcher()
	copy(s.query, m.vector(n))
	x.rotation.apply(s.rotated, s.query, s.scratch)
	p := &s.parts[0]
	p.prepare(x.centre)
	var bias, square float64
	for g := range slabGroups {
		codes, factor, offset := x.slabs[0].encoded.group(g, x.rows)
		scan(codes, p.lut, factor, offset, &p.estimate, &p.scores)
		for i, got := range p.scores {
			d := float64(got - s.score(x.slabs[0], g*groupItems+i))
			bias += d / n
			square += d * d / n
		}
	}
	if math.Abs(bias) > 0.01 || math.Sqrt(square) > 0.06 {
		t.Errorf("estimates are off by %.4f on average, %.4f root mean square", bias, math.Sqrt(square))
	}
}

func TestCentreFollows(t *testing.T) {
	x := mustNew(t, Options{Dims: 32})
	rng := rand.New(rand.NewPCG(1, 1))
	id := uint64(0)
	add := func(n, direction int) {
		for range n {
			v := gauss(rng, 32, 1)
			v[direction] += 2
			mustApply(t, x, []Item{{ID: id, Vector: v}})
			id++
		}
	}
	add(centreItems-1, 0)
	if st := x.Stats(); st.Moves != 0 {
		t.Errorf("moved with few items: %+v", st)
	}
	add(3000, 0)
	first := x.Stats()
	if first.Moves == 0 || first.Moves > 3 {
		t.Errorf("moves with data of one kind: %+v", first)
	}
	add(3000, 1)
	second := x.Stats()
	if second.Moves <= first.Moves || second.Moves > first.Moves+20 {
		t.Errorf("moves with data of another kind: %+v", second)
	}
	for n, s := range x.slabs {
		if second.Stale == 0 && s.encoded.centre != x.centre {
			t.Errorf("slab %d was left behind", n)
		}
	}
	var remove []uint64
	for i := range id - 10 {
		remove = append(remove, i)
	}
	mustApply(t, x, nil, remove...)
	if x.Len() != 10 || len(mustSearch(t, x, Query{Vector: axis(32, 1)})) != 10 {
		t.Error("the last ten are not found")
	}
}

// TestRotation: lengths and angles stay, and a vector in one dimension is
// spread over all.
func TestRotation(t *testing.T) {
	for _, dims := range []int{8, 63, 64, 65, 100, 384, 768, 960, 1000, 1536, 4096} {
		t.Run(fmt.Sprint(dims), func(t *testing.T) {
			r := newRotation(dims, 1)
			rng := rand.New(rand.NewPCG(1, uint64(dims)))
			a, b := gauss(rng, dims, 1), gauss(rng, dims, 1)
			ra, rb := make([]float32, r.size), make([]float32, r.size)
			scratch := make([]float32, r.size)
			r.apply(ra, a, scratch)
			r.apply(rb, b, scratch)
			for _, c := range [][2]float32{{Dot(a, a), Dot(ra, ra)}, {Dot(b, b), Dot(rb, rb)}, {Dot(a, b), Dot(ra, rb)}} {
				if math.Abs(float64(c[0]-c[1])) > 1e-5 {
					t.Errorf("dot product %v became %v", c[0], c[1])
				}
			}
			for i := 0; i < dims; i += 1 + dims/20 {
				clear(a)
				a[i] = 1
				r.apply(ra, a, scratch)
				peak := float32(0)
				for _, f := range ra {
					peak = max(peak, abs(f))
				}
				if even := 1 / math.Sqrt(float64(r.size)); float64(peak) > 7*even {
					t.Errorf("dimension %d has a peak of %.1f times the even share", i, float64(peak)/even)
				}
			}
		})
	}
}
