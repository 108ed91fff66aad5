package recall

// places tells where in a slice the thing with a number is. A question looks
// some thousands up among some hundreds; a map of the language would take the
// better part of the time of ranking.
type places struct {
	slots []slot // a power of two, at most half of them taken
	taken int
}

// slot holds a number and its place; places count from one, zero is free.
type slot struct {
	key   int64
	place int32
}

// newPlaces has room for n numbers; more make it grow.
func newPlaces(n int) places {
	size := 16
	for size < 2*n {
		size *= 2
	}
	return places{slots: make([]slot, size)}
}

// fibonacci is 2⁶⁴ divided by the golden ratio: multiplying by it spreads
// neighbouring numbers far apart.
const fibonacci = 0x9e3779b97f4a7c15

// slotOf returns the slot that holds a number, or the free one it would take.
func (p *places) slotOf(key int64) *slot {
	mask := uint64(len(p.slots) - 1)
	for at := uint64(key) * fibonacci >> 32; ; at++ {
		if s := &p.slots[at&mask]; s.place == 0 || s.key == key {
			return s
		}
	}
}

// find returns where a number is, or -1.
func (p *places) find(key int64) int { return int(p.slotOf(key).place) - 1 }

// put notes where a number is that was nowhere.
func (p *places) put(key int64, at int) {
	if p.taken++; 2*p.taken > len(p.slots) {
		old := p.slots
		p.slots = make([]slot, 2*len(old))
		for _, s := range old {
			if s.place != 0 {
				*p.slotOf(s.key) = s
			}
		}
	}
	*p.slotOf(key) = slot{key: key, place: int32(at + 1)}
}
