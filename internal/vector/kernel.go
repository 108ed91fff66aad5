package vector

// Every kernel exists in portable Go. Where assembly has it too, the integer
// kernels and everything that decides about candidates agree bit by bit; dot
// products may differ in the last bits, because they add up in another order.

// groupItems is the number of items whose codes are stored together and
// scanned by one call: one bit each in a word of a filter.
const groupItems = 64

// lutBytes per byte of a code: sixteen values for its low half, sixteen for
// its high half.
const lutBytes = 32

// estimate is how the sums of a scan become scores, and which of them matter.
type estimate struct {
	step  float32 // worth of one unit of a sum
	base  float32 // worth of the sum zero
	shift float32 // added to every score
	floor float32 // scores below are not wanted
}

// Dot returns the dot product of two vectors of the same length; it panics if b
// is the shorter one.
func Dot(a, b []float32) float32 {
	b = b[:len(a)]
	n := len(a) / dotStep * dotStep
	var sum float32
	if n > 0 {
		sum = dot(a[:n], b[:n])
	}
	for i := n; i < len(a); i++ {
		sum += a[i] * b[i]
	}
	return sum
}

// dotStep is what the length of a dot kernel's arguments is a multiple of.
const dotStep = 32

func dotPortable(a, b []float32) float32 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float32
	for i := 0; i+4 <= len(a); i += 4 {
		s0 += a[i] * b[i]
		s1 += a[i+1] * b[i+1]
		s2 += a[i+2] * b[i+2]
		s3 += a[i+3] * b[i+3]
	}
	return s0 + s1 + (s2 + s3)
}

func dotHalfPortable(a []float32, h []uint16) float32 {
	h = h[:len(a)]
	var s0, s1, s2, s3 float32
	for i := 0; i+4 <= len(a); i += 4 {
		s0 += a[i] * single(h[i])
		s1 += a[i+1] * single(h[i+1])
		s2 += a[i+2] * single(h[i+2])
		s3 += a[i+3] * single(h[i+3])
	}
	return s0 + s1 + (s2 + s3)
}

// butterflyPortable makes a, b of a, b: a+b, a-b.
func butterflyPortable(a, b []float32) {
	b = b[:len(a)]
	for i, v := range a {
		w := b[i]
		a[i], b[i] = v+w, v-w
	}
}

// scanPortable scores a group: for each item the values that its code picks
// from lut are added up. It returns the items whose score is not below the
// floor.
func scanPortable(codes, lut []byte, factor, offset *[groupItems]float32, e *estimate, scores *[groupItems]float32) uint64 {
	var sums [groupItems]uint16
	for k := 0; k*groupItems < len(codes); k++ {
		row := (*[groupItems]byte)(codes[k*groupItems:])
		low := (*[16]byte)(lut[k*lutBytes:])
		high := (*[16]byte)(lut[k*lutBytes+16:])
		for i, c := range row {
			sums[i] += uint16(low[c&15] + high[c>>4])
		}
	}
	return scoreSums(&sums, factor, offset, e, scores)
}

func scoreSums(sums *[groupItems]uint16, factor, offset *[groupItems]float32, e *estimate, scores *[groupItems]float32) uint64 {
	var keep uint64
	for i, sum := range sums {
		// The conversions keep the compiler from fusing these operations, which
		// would round differently from the assembly.
		v := float32(float32(float32(sum)*e.step) + e.base)
		v = float32(float32(v*factor[i])+offset[i]) + e.shift
		scores[i] = v
		if v >= e.floor {
			keep |= 1 << i
		}
	}
	return keep
}
