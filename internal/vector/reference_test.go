package vector

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"
)

// tolerance is how far a score may be from the reference: rounding of sums in
// single precision.
const tolerance = 2e-6

// reference is what should be in an index, kept plainly.
type reference map[uint64]kept

// kept is an item and its vector as the index should have it.
type kept struct {
	Item
	unit []float64
}

func (r reference) apply(put []Item, remove []uint64) {
	for _, id := range remove {
		delete(r, id)
	}
	for _, item := range put {
		r[item.ID] = kept{item, rounded(item.Vector)}
	}
}

// rounded is the unit vector of v in half precision, in plain arithmetic.
func rounded(v []float32) []float64 {
	out := make([]float64, len(v))
	var square float64
	for _, f := range v {
		square += float64(f) * float64(f)
	}
	for i, f := range v {
		unit := float64(f) / math.Sqrt(square)
		if unit == 0 {
			continue
		}
		_, exp := math.Frexp(unit)
		step := math.Ldexp(1, max(exp-11, -24)) // eleven bits, or the subnormal step
		out[i] = math.RoundToEven(float64(float32(unit))/step) * step
	}
	square = 0
	for _, f := range out {
		square += f * f
	}
	for i := range out {
		out[i] /= math.Sqrt(square)
	}
	return out
}

func (f *Filter) allows(item Item) bool {
	for _, group := range f.All {
		if !slices.ContainsFunc(group, func(l string) bool { return slices.Contains(item.Labels, l) }) {
			return false
		}
	}
	if slices.ContainsFunc(f.None, func(l string) bool { return slices.Contains(item.Labels, l) }) {
		return false
	}
	if f.After != 0 && item.Time < f.After || f.Before != 0 && item.Time >= f.Before {
		return false
	}
	return f.IDs == nil || f.IDs.Contains(item.ID)
}

// check compares the hits of an exact search, or of one whose candidates are
// all there is, with the reference.
func (r reference) check(q Query, hits []Hit) error {
	scores := map[uint64]float64{}
	query := make([]float64, len(q.Vector))
	var square float64
	for i, f := range q.Vector {
		query[i] = float64(f)
		square += query[i] * query[i]
	}
	for id, item := range r {
		if q.Filter.allows(item.Item) {
			var sum float64
			for i, f := range item.unit {
				sum += f * query[i]
			}
			scores[id] = sum / math.Sqrt(square)
		}
	}
	k := q.K
	if k <= 0 {
		k = defaultK
	}
	if want := min(k, len(scores)); len(hits) != want {
		return fmt.Errorf("%d hits, want %d", len(hits), want)
	}
	found := map[uint64]bool{}
	for i, h := range hits {
		want, ok := scores[h.ID]
		if !ok || found[h.ID] {
			return fmt.Errorf("hit %d, item %d: not there, not allowed or found twice", i, h.ID)
		}
		found[h.ID] = true
		if math.Abs(want-float64(h.Score)) > tolerance || h.Score > 1 || h.Score < -1 {
			return fmt.Errorf("item %d has the score %v, want %v", h.ID, h.Score, want)
		}
		if i > 0 && !(candidate{score: hits[i-1].Score, id: hits[i-1].ID}).before(candidate{score: h.Score, id: h.ID}) {
			return fmt.Errorf("hits %v and %v are in the wrong order", hits[i-1], h)
		}
	}
	if len(hits) == 0 {
		return nil
	}
	worst := hits[len(hits)-1]
	for id, score := range scores {
		if found[id] {
			continue
		}
		if score > float64(worst.Score)+tolerance {
			return fmt.Errorf("item %d with the score %v is missing, %v is there", id, score, worst)
		}
		// Equal vectors have equal scores, and then the lower id comes first.
		for _, h := range hits {
			if h.ID > id && slices.Equal(r[id].Vector, r[h.ID].Vector) {
				return fmt.Errorf("item %d is missing, its twin %d is there", id, h.ID)
			}
		}
	}
	return nil
}

func mustNew(t testing.TB, o Options) *Index {
	t.Helper()
	x, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func mustApply(t testing.TB, x *Index, put []Item, remove ...uint64) {
	t.Helper()
	if err := x.Apply(put, remove); err != nil {
		t.Fatal(err)
	}
}

func mustSearch(t testing.TB, x *Index, q Query) []Hit {
	t.Helper()
	hits, err := x.Search(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return hits
}

func ids(hits []Hit) []uint64 {
	out := make([]uint64, len(hits))
	for i, h := range hits {
		out[i] = h.ID
	}
	return out
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K {
	out := make([]K, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
