package vector

import (
	"math"
	"sync"
)

// Item is a vector and what filters can ask about it.
type Item struct {
	ID     uint64
	Vector []float32 // of any length but zero; only its direction is kept
	Labels []string  // for filters, e.g. "realm=p_1", "kind=wisdom"
	Time   int64     // Unix milliseconds
}

// Index holds vectors in memory. See the package comment.
type Index struct {
	opts     Options
	rotation *rotation
	stride   int // halves per stored vector
	rows     int // bytes per code

	// writing is held by whoever changes the index, and taken before mu. Its
	// holder may read everything; changes to what is below mu need mu too.
	writing sync.Mutex
	sum     []float64 // of all unit vectors
	work    workspace
	free    []uint32 // slots, the last is used next

	mu     sync.RWMutex
	slabs  []*slab
	slots  map[uint64]uint32 // by id
	labels map[string]*label
	centre *centre
	stale  int // slabs from here on are known to have the present centre
	moves  int // of the centre

	searchers sync.Pool
}

// New returns an empty index.
func New(o Options) (*Index, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	x := &Index{opts: o, rotation: newRotation(o.Dims, o.Seed), sum: make([]float64, o.Dims),
		slots: make(map[uint64]uint32), labels: make(map[string]*label)}
	x.stride = (o.Dims + halfAlign - 1) / halfAlign * halfAlign
	x.rows = x.rotation.size / 8
	x.centre = x.newCentre(make([]float32, o.Dims))
	x.work = x.newWorkspace()
	x.searchers.New = func() any { return x.newSearcher() }
	return x, nil
}

// Len returns the number of items.
func (x *Index) Len() int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return len(x.slots)
}

// Vector returns a copy of an item's vector, scaled to unit length and rounded
// to half precision.
func (x *Index) Vector(id uint64) ([]float32, bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	slot, ok := x.slots[id]
	if !ok {
		return nil, false
	}
	s, i := split(slot)
	out := make([]float32, x.opts.Dims)
	expand(out, x.slabs[s].half(i, x.stride), x.slabs[s].scales[i])
	return out, true
}

// Has reports whether an item is there.
func (x *Index) Has(id uint64) bool {
	x.mu.RLock()
	defer x.mu.RUnlock()
	_, ok := x.slots[id]
	return ok
}

// Cosines returns the cosine of a vector with each of the given items, NaN for
// those that are not there: the score that a search gives them. It sees the
// index as of one moment.
func (x *Index) Cosines(v []float32, ids []uint64) ([]float32, error) {
	length, err := norm(v, x.opts.Dims)
	if err != nil {
		return nil, err
	}
	unit := make([]float32, x.stride)
	for i, f := range v {
		unit[i] = float32(float64(f) / length)
	}
	out := make([]float32, len(ids))
	x.mu.RLock()
	defer x.mu.RUnlock()
	for i, id := range ids {
		slot, ok := x.slots[id]
		if !ok {
			out[i] = float32(math.NaN())
			continue
		}
		s, item := split(slot)
		out[i] = clamp(dotHalf(unit, x.slabs[s].half(item, x.stride)) * x.slabs[s].scales[item])
	}
	return out, nil
}

// SumLength returns the length of a weighted sum of items' vectors. Items that
// are not there count as nothing.
func (x *Index) SumLength(ids []uint64, weights []float32) float32 {
	unit := make([]float32, x.stride)
	x.mu.RLock()
	defer x.mu.RUnlock()
	square := float32(0)
	for i, id := range ids {
		slot, ok := x.slots[id]
		if !ok {
			continue
		}
		square += weights[i] * weights[i]
		expanded := false
		for j, other := range ids[i+1:] {
			second, ok := x.slots[other]
			if !ok {
				continue
			}
			if !expanded {
				s, item := split(slot)
				expand(unit, x.slabs[s].half(item, x.stride), x.slabs[s].scales[item])
				expanded = true
			}
			s, item := split(second)
			square += 2 * weights[i] * weights[i+1+j] * dotHalf(unit, x.slabs[s].half(item, x.stride)) * x.slabs[s].scales[item]
		}
	}
	return float32(math.Sqrt(max(0, float64(square))))
}

// Relabel gives an item other labels and another time and reports whether it
// is there.
func (x *Index) Relabel(id uint64, labels []string, time int64) bool {
	x.writing.Lock()
	defer x.writing.Unlock()
	x.mu.Lock()
	defer x.mu.Unlock()
	slot, ok := x.slots[id]
	if !ok {
		return false
	}
	x.attach(slot, labels)
	s, i := split(slot)
	x.slabs[s].setTime(i, time)
	return true
}

func (s *slab) setTime(i int, t int64) {
	s.times[i] = t
	s.oldest, s.newest = min(s.oldest, t), max(s.newest, t)
}

// Stats is what an index holds and takes.
type Stats struct {
	Items       int    `json:"items"`
	Dims        int    `json:"dims"`
	Slots       int    `json:"slots"` // places for items, used or not
	Labels      int    `json:"labels"`
	Bytes       int    `json:"bytes"`        // all of it, estimated
	CodeBytes   int    `json:"code_bytes"`   // of Bytes: codes, and what belongs to them
	VectorBytes int    `json:"vector_bytes"` // of Bytes: the vectors themselves
	LabelBytes  int    `json:"label_bytes"`  // of Bytes: labels and who bears them
	Moves       int    `json:"moves"`        // times that the centre was moved
	Stale       int    `json:"stale"`        // slabs that may still have an old centre
	Kernel      string `json:"kernel"`       // "avx512", "avx2" or "portable"
}

const (
	// slotEntryBytes is what an entry of a map from uint64 to uint32 takes, at
	// the usual fill of Go's maps.
	slotEntryBytes = 24

	// labelEntryBytes is what a label takes besides its name and bitmap: an
	// entry of the map and the bitmap's own fields.
	labelEntryBytes = 200

	pointerBytes = 8
)

// Stats counts what the index holds.
func (x *Index) Stats() Stats {
	x.mu.RLock()
	defer x.mu.RUnlock()
	st := Stats{Items: len(x.slots), Dims: x.opts.Dims, Slots: len(x.slabs) * slabItems, Labels: len(x.labels),
		Moves: x.moves, Stale: x.stale, Kernel: kernelName()}
	for _, s := range x.slabs {
		all, codes := s.bytes()
		st.Bytes += all
		st.CodeBytes += codes
		st.VectorBytes += len(s.halves) * halfBytes
	}
	for name, l := range x.labels {
		st.LabelBytes += labelEntryBytes + len(name) + int(l.slots.GetSizeInBytes()) + int(l.slots.GetCardinality())*pointerBytes
	}
	st.Bytes += st.LabelBytes + len(x.slots)*slotEntryBytes
	return st
}
