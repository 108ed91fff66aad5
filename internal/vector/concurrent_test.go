package vector

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
)

// lateCancel is canceled when it has been asked so many times.
type lateCancel struct {
	context.Context
	asked, after int32
}

func (c *lateCancel) Err() error {
	if atomic.AddInt32(&c.asked, 1) > c.after {
		return context.Canceled
	}
	return nil
}

// TestConcurrentUse has writers that keep replacing items while searches run.
// An item's vector, label and time say the same version, so half an item would
// be seen; and every item is there at all times.
func TestConcurrentUse(t *testing.T) {
	const (
		dims     = 64
		items    = 1500
		versions = 4
		rounds   = 40
	)
	x := mustNew(t, Options{Dims: dims, Oversample: 20})
	// An item points along its own direction, tilted to that of the version.
	make1 := func(id uint64, version int) Item {
		v := gauss(rand.New(rand.NewPCG(id, 7)), dims, 1)
		v[version] += 10
		return Item{ID: id, Vector: v, Labels: []string{fmt.Sprint("version=", version), fmt.Sprint("item=", id)}, Time: int64(version + 1)}
	}
	var all []Item
	for id := range uint64(items) {
		all = append(all, make1(id, 0))
	}
	mustApply(t, x, all)
	var done atomic.Bool
	var writers, readers sync.WaitGroup
	for w := range 2 {
		writers.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(w), 8))
			for range rounds {
				var put []Item
				version := rng.IntN(versions)
				for range 50 {
					put = append(put, make1(uint64(rng.IntN(items/2)*2+w), version))
				}
				// ids past the items come and go, and force slots to be reused
				extra := items + uint64(w*1000+rng.IntN(600))
				put = append(put, make1(extra, version))
				remove := []uint64{items + uint64(w*1000+rng.IntN(600))}
				for _, item := range put { // which replaces them all the same
					remove = append(remove, item.ID)
				}
				if err := x.Apply(put, remove); err != nil {
					t.Error(err)
				}
				if !x.Relabel(put[0].ID, put[0].Labels, put[0].Time) {
					t.Error("an item is gone")
				}
			}
		})
	}
	for r := range 3 {
		readers.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(r), 9))
			for !done.Load() {
				version := rng.IntN(versions)
				q := Query{Vector: axis(dims, version), Filter: Filter{All: [][]string{{fmt.Sprint("version=", version)}}}, Exact: r == 2}
				hits, err := x.search(t.Context(), q, []int{1, parallelItems}[rng.IntN(2)])
				if err != nil {
					t.Error(err)
					return
				}
				for _, h := range hits {
					if h.Score < 0.9 {
						t.Errorf("item %d has the label of version %d and the vector of another: score %v", h.ID, version, h.Score)
					}
				}
				id := uint64(rng.IntN(items))
				q = Query{Vector: axis(dims, 0), Filter: Filter{All: [][]string{{fmt.Sprint("item=", id)}}, After: 1, Before: versions + 1}}
				if hits, err := x.Search(t.Context(), q); err != nil || len(hits) != 1 || hits[0].ID != id {
					t.Errorf("searching for item %d: %v, %v", id, hits, err)
				}
				if v, ok := x.Vector(id); !ok || math.Abs(float64(Dot(v, v))-1) > 1e-5 {
					t.Errorf("vector of item %d: %v", id, v)
				}
				_ = x.Stats()
			}
		})
	}
	writers.Wait()
	done.Store(true)
	readers.Wait()
}
