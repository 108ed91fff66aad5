package vector

import "math"

// Vectors are kept in half precision (IEEE 754 binary16). They have unit
// length, so no component is above one and infinities cannot come up.
const (
	halfBytes = 2

	// halfAlign is the number of halves that the kernels take at a time; the
	// rest of a stored vector's last step is zero.
	halfAlign = 32
)

// Exponents of single precision are 112 higher than those of half precision.
const (
	halfShift  = 13 // mantissa bits that half precision lacks
	expandBits = (127 + 112) << 23
)

// halfOf rounds a number of magnitude at most one to the nearest half, ties to
// even.
func halfOf(f float32) uint16 {
	b := math.Float32bits(f)
	sign := uint16(b >> 16 & 0x8000)
	mag := b & 0x7fffffff
	// Scaled down, a value that half precision holds as subnormal becomes one
	// here too, and the bits dropped are the same ones; but that step itself
	// rounds. So subnormals take another way: adding a half rounds them at the
	// right place.
	const smallestNormal = 113 << 23 // 2^-14
	if mag < smallestNormal {
		const half = float32(0.5) // its last bit is worth 2^-24, the step of subnormal halves
		r := math.Float32bits(math.Float32frombits(mag) + half)
		return sign | uint16(r-math.Float32bits(half))
	}
	mag -= 112 << 23
	mag += 1<<(halfShift-1) - 1 + mag>>halfShift&1
	return sign | uint16(mag>>halfShift)
}

// single is exact.
func single(h uint16) float32 {
	// Multiplying moves the exponent and normalises subnormals in one go.
	f := math.Float32frombits(uint32(h&0x7fff)<<halfShift) * math.Float32frombits(expandBits)
	return math.Float32frombits(math.Float32bits(f) | uint32(h&0x8000)<<16)
}

// expand decodes a stored vector into dst and multiplies it by scale.
func expand(dst []float32, src []uint16, scale float32) {
	src = src[:len(dst)]
	for i := range dst {
		dst[i] = single(src[i]) * scale
	}
}
