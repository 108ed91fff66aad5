package vector

import "unsafe"

const (
	// slabItems items share their arrays. Growing the index adds a slab and
	// copies nothing; re-encoding one takes some milliseconds.
	slabItems  = 1024
	slabGroups = slabItems / groupItems
)

// slab holds a run of slots. Whatever a slot that is not live holds means
// nothing.
type slab struct {
	live    [slabGroups]uint64
	ids     [slabItems]uint64
	times   [slabItems]int64
	labels  [slabItems][]*label
	oldest  int64 // no live item is older; may be lower than need be
	newest  int64 // likewise
	halves  []uint16
	scales  [slabItems]float32 // what makes the halves of a slot unit length
	encoded *encoded
}

// encoded is the part of a slab that a search looks through first. It belongs
// to a centre and is replaced as a whole when the centre moves.
type encoded struct {
	centre  *centre
	codes   []byte // by group, byte of the code, item
	factors [slabItems]float32
	offsets [slabItems]float32
}

func (x *Index) newSlab() *slab {
	return &slab{halves: make([]uint16, slabItems*x.stride), encoded: x.newEncoded(x.centre)}
}

func (x *Index) newEncoded(c *centre) *encoded {
	return &encoded{centre: c, codes: make([]byte, slabItems*x.rows)}
}

// bytes is what a slab and its encoded part take, without labels.
func (s *slab) bytes() (all, codes int) {
	codes = len(s.encoded.codes) + int(unsafe.Sizeof(*s.encoded))
	return codes + len(s.halves)*halfBytes + int(unsafe.Sizeof(*s)), codes
}

func (s *slab) half(i, stride int) []uint16 { return s.halves[i*stride : (i+1)*stride] }

func (s *slab) isLive(i int) bool { return s.live[i/groupItems]&(1<<(i%groupItems)) != 0 }

// set puts an item's code into its place.
func (e *encoded) set(i int, code []byte, factor, offset float32) {
	at := i/groupItems*len(code)*groupItems + i%groupItems
	for k, b := range code {
		e.codes[at+k*groupItems] = b
	}
	e.factors[i], e.offsets[i] = factor, offset
}

// group returns what the scan of a group needs.
func (e *encoded) group(g, rows int) (codes []byte, factor, offset *[groupItems]float32) {
	size := rows * groupItems
	return e.codes[g*size : (g+1)*size],
		(*[groupItems]float32)(e.factors[g*groupItems:]), (*[groupItems]float32)(e.offsets[g*groupItems:])
}

// slot numbers count through the slabs.
func split(slot uint32) (slab, item int) { return int(slot / slabItems), int(slot % slabItems) }
