package keyword

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// bitset is a set of document ordinals. Sets in a snapshot are never changed:
// writers clone first.
type bitset []uint64

func newBitset(n int) bitset { return make(bitset, (n+63)/64) }

// has may be asked for ordinals past the end, which are not in the set.
func (s bitset) has(i uint32) bool {
	w := int(i >> 6)
	return w < len(s) && s[w]&(1<<(i&63)) != 0
}

func (s bitset) set(i uint32) { s[i>>6] |= 1 << (i & 63) }

// next returns the first member at or after i, or end when there is none.
func (s bitset) next(i, end uint32) uint32 {
	w := int(i >> 6)
	if w >= len(s) {
		return end
	}
	if word := s[w] >> (i & 63); word != 0 {
		return min(end, i+uint32(bits.TrailingZeros64(word)))
	}
	for w++; w < len(s); w++ {
		if s[w] != 0 {
			return min(end, uint32(w)<<6+uint32(bits.TrailingZeros64(s[w])))
		}
	}
	return end
}

func (s bitset) count() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// grown returns a copy that has room for n ordinals.
func (s bitset) grown(n int) bitset {
	out := make(bitset, max(len(s), (n+63)/64))
	copy(out, s)
	return out
}

// fill sets all of 0 … n-1.
func (s bitset) fill(n int) {
	for i := range s {
		s[i] = ^uint64(0)
	}
	if r := n & 63; r != 0 && len(s) > 0 {
		s[len(s)-1] = 1<<r - 1
	}
}

func (s bitset) and(o bitset) {
	for i := range s {
		s[i] &= o[i]
	}
}

// andNot removes the members of o, which may be shorter or longer.
func (s bitset) andNot(o bitset) {
	for i := range min(len(s), len(o)) {
		s[i] &^= o[i]
	}
}

// A stored set is either a list of gaps or the bits themselves, whichever is
// smaller.
const (
	setGaps = 0
	setBits = 1
)

// appendSet encodes ascending ordinals below n.
func appendSet(dst []byte, ords []uint32, n int) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(ords)))
	at := len(dst)
	dst = append(dst, setGaps)
	next := uint32(0)
	for _, o := range ords {
		dst = binary.AppendUvarint(dst, uint64(o-next))
		next = o + 1
	}
	if words := (n + 63) / 64; len(dst)-at-1 > words*8 {
		dst = append(dst[:at], setBits)
		s := newBitset(n)
		for _, o := range ords {
			s.set(o)
		}
		for _, w := range s {
			dst = binary.LittleEndian.AppendUint64(dst, w)
		}
	}
	return dst
}

// addSet adds the stored set to s, which has room for n ordinals, and reports
// whether the bytes made sense.
func addSet(d *decoder, s bitset, n int) bool {
	count := d.uvarint()
	if d.bad || count > uint64(n) {
		return false
	}
	switch d.byte() {
	case setGaps:
		next := uint64(0)
		for range count {
			next += d.uvarint()
			if d.bad || next >= uint64(n) {
				return false
			}
			s.set(uint32(next))
			next++
		}
	case setBits:
		b := d.take(uint64(len(s)) * 8)
		if b == nil && len(s) > 0 {
			return false
		}
		var last uint64
		for i := range s {
			last = binary.LittleEndian.Uint64(b[i*8:])
			s[i] |= last
		}
		if r := n & 63; r != 0 && last>>r != 0 {
			return false
		}
	default:
		return false
	}
	return !d.bad
}

// members lists a set in ascending order.
func (s bitset) members() []uint32 {
	out := make([]uint32, 0, s.count())
	for w, word := range s {
		for ; word != 0; word &= word - 1 {
			out = append(out, uint32(w<<6+bits.TrailingZeros64(word)))
		}
	}
	return slices.Clip(out)
}
