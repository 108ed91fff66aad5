package vector

import (
	"fmt"
	"math"
)

const (
	// stepItems are made visible at a time, so that a large batch holds
	// searches up for a fraction of a millisecond and no more.
	stepItems = 256

	// recentreRatio is how many items an Apply re-encodes for each that it
	// puts while the centre moves, besides one slab. Two means that the move
	// ends before the index has grown by half.
	recentreRatio = 2
)

// workspace is what a writer works in. Staged arrays hold stepItems.
type workspace struct {
	unit, rotated, scratch []float32
	code                   []byte
	staged                 []staged
	halves                 []uint16
	codes                  []byte
}

// staged is an item that is ready to be stored.
type staged struct {
	item           *Item
	slot           uint32
	scale          float32
	factor, offset float32
}

func (x *Index) newWorkspace() workspace {
	return workspace{unit: make([]float32, x.opts.Dims), rotated: make([]float32, x.rotation.size),
		scratch: make([]float32, x.rotation.size), code: make([]byte, x.rows), staged: make([]staged, 0, stepItems),
		halves: make([]uint16, stepItems*x.stride), codes: make([]byte, stepItems*x.rows)}
}

// Apply removes and puts items; putting replaces. An id in both is replaced,
// and of two puts with one id the later stays. All vectors are checked first:
// on an error, an *ItemError, nothing has happened. When Apply returns,
// searches see the change. While it runs they see each item either as it was
// or as it will be, and a large batch in steps.
func (x *Index) Apply(put []Item, remove []uint64) error {
	for i := range put {
		if _, err := norm(put[i].Vector, x.opts.Dims); err != nil {
			return fmt.Errorf("applying to vector index: %w", &ItemError{ID: put[i].ID, Err: err})
		}
	}
	x.writing.Lock()
	defer x.writing.Unlock()
	last := make(map[uint64]int, len(put))
	for i := range put {
		last[put[i].ID] = i
	}
	x.remove(remove, last)
	for at := 0; at < len(put); {
		at = x.put(put, at, last)
	}
	x.recentre(1 + len(put)*recentreRatio/slabItems)
	return nil
}

// remove takes the items out that the batch does not put again.
func (x *Index) remove(ids []uint64, put map[uint64]int) {
	if len(ids) == 0 {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, id := range ids {
		if _, again := put[id]; again {
			continue
		}
		slot, ok := x.slots[id]
		if !ok {
			continue
		}
		s, i := split(slot)
		slab := x.slabs[s]
		x.count(slab, i, -1)
		x.attach(slot, nil)
		slab.live[i/groupItems] &^= 1 << (i % groupItems)
		delete(x.slots, id)
		x.free = append(x.free, slot)
	}
}

// count adds a stored vector to the sum, or takes it out.
func (x *Index) count(s *slab, i int, sign float64) {
	scale := sign * float64(s.scales[i])
	half := s.half(i, x.stride)
	for j := range x.sum {
		x.sum[j] += scale * float64(single(half[j]))
	}
}

// put stores one step of a batch, from at, and returns where the next begins.
// The work is done before searches are held up.
func (x *Index) put(items []Item, at int, last map[uint64]int) int {
	w := &x.work
	w.staged = w.staged[:0]
	for ; at < len(items) && len(w.staged) < stepItems; at++ {
		if item := &items[at]; last[item.ID] == at {
			x.stage(item)
		}
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	for n := range w.staged {
		x.store(n)
	}
	clear(w.staged) // the caller's memory is not ours to hold
	return at
}

// stage finds a slot for an item and encodes it.
func (x *Index) stage(item *Item) {
	w := &x.work
	st := staged{item: item}
	slot, ok := x.slots[item.ID]
	if !ok {
		slot = x.takeSlot()
	}
	st.slot = slot
	n := len(w.staged)
	half := w.halves[n*x.stride : (n+1)*x.stride]
	length, _ := norm(item.Vector, x.opts.Dims)
	st.scale = compress(half, item.Vector, length)
	// From here on the rounded vector counts, so that encoding it again later
	// gives the same code.
	expand(w.unit, half, st.scale)
	x.rotation.apply(w.rotated, w.unit, w.scratch)
	s, _ := split(slot)
	st.factor, st.offset = x.slabs[s].encoded.centre.encode(w.codes[n*x.rows:(n+1)*x.rows], w.rotated)
	w.staged = append(w.staged, st)
}

func (x *Index) takeSlot() uint32 {
	if len(x.free) == 0 {
		s := x.newSlab()
		x.mu.Lock()
		x.slabs = append(x.slabs, s)
		x.mu.Unlock()
		for i := range uint32(slabItems) { // the first one last, to be used first
			x.free = append(x.free, uint32(len(x.slabs)*slabItems)-1-i)
		}
	}
	slot := x.free[len(x.free)-1]
	x.free = x.free[:len(x.free)-1]
	return slot
}

// store puts a staged item into its slot. The caller holds mu.
func (x *Index) store(n int) {
	w := &x.work
	st := &w.staged[n]
	s, i := split(st.slot)
	slab := x.slabs[s]
	if slab.isLive(i) {
		x.count(slab, i, -1)
	} else if slab.live == [slabGroups]uint64{} {
		slab.oldest, slab.newest = st.item.Time, st.item.Time
	}
	copy(slab.half(i, x.stride), w.halves[n*x.stride:])
	slab.scales[i] = st.scale
	slab.encoded.set(i, w.codes[n*x.rows:(n+1)*x.rows], st.factor, st.offset)
	slab.ids[i] = st.item.ID
	slab.setTime(i, st.item.Time)
	slab.live[i/groupItems] |= 1 << (i % groupItems)
	x.slots[st.item.ID] = st.slot
	x.attach(st.slot, st.item.Labels)
	x.count(slab, i, 1)
}

// norm checks a vector and returns its length.
func norm(v []float32, dims int) (float64, error) {
	if len(v) != dims {
		return 0, fmt.Errorf("%w: %d instead of %d", ErrDims, len(v), dims)
	}
	var square float64
	for _, f := range v {
		square += float64(f) * float64(f)
	}
	// A sum of squares of finite singles cannot overflow a double, nor can the
	// square of the smallest vanish.
	switch {
	case math.IsNaN(square) || math.IsInf(square, 0):
		return 0, ErrNotFinite
	case square == 0:
		return 0, ErrZero
	}
	return math.Sqrt(square), nil
}

// compress stores v, of the given length, as a unit vector of halves and
// returns the factor that makes up for their rounding.
func compress(half []uint16, v []float32, length float64) (scale float32) {
	inverse := 1 / length
	var square float64
	for i, f := range v {
		half[i] = halfOf(float32(float64(f) * inverse))
		r := float64(single(half[i]))
		square += r * r
	}
	clear(half[len(v):])
	return float32(1 / math.Sqrt(square))
}
