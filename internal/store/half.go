package store

import (
	"encoding/binary"
	"math"
)

// Vectors are kept as 16-bit floats: half the disk and half the time to load,
// and an error far below that of the model's own weights.

const halfBytes = 2

func encodeHalf(v []float32) []byte {
	b := make([]byte, halfBytes*len(v))
	for i, x := range v {
		binary.LittleEndian.PutUint16(b[halfBytes*i:], toHalf(x))
	}
	return b
}

func decodeHalf(b []byte) []float32 {
	v := make([]float32, len(b)/halfBytes)
	for i := range v {
		v[i] = fromHalf(binary.LittleEndian.Uint16(b[halfBytes*i:]))
	}
	return v
}

// toHalf rounds to the nearest 16-bit float, ties to even.
func toHalf(x float32) uint16 {
	bits := math.Float32bits(x)
	sign := uint16(bits >> 16 & 0x8000)
	exp := int(bits>>23&0xff) - 127 + 15
	mant := bits & 0x7fffff
	switch {
	case bits&0x7fffffff > 0x7f800000: // NaN
		return sign | 0x7e00
	case exp >= 31:
		return sign | 0x7c00 // infinity
	case exp <= 0:
		if exp < -10 {
			return sign // too small: zero
		}
		mant |= 0x800000
		shift := uint(14 - exp)
		return sign | roundShift(mant, shift)
	}
	return sign | (uint16(exp)<<10 + roundShift(mant, 13)) // a carry moves into the exponent, as it should
}

// roundShift shifts right, rounding to nearest, ties to even.
func roundShift(m uint32, by uint) uint16 {
	half := uint32(1) << (by - 1)
	rest := m & (1<<by - 1)
	m >>= by
	if rest > half || rest == half && m&1 == 1 {
		m++
	}
	return uint16(m)
}

func fromHalf(h uint16) float32 {
	sign := uint32(h&0x8000) << 16
	exp := uint32(h >> 10 & 0x1f)
	mant := uint32(h & 0x3ff)
	switch {
	case exp == 31:
		return math.Float32frombits(sign | 0x7f800000 | mant<<13)
	case exp == 0:
		// mant · 2^-24; exact in 32 bits
		v := float32(mant) / (1 << 24)
		return math.Float32frombits(sign | math.Float32bits(v))
	}
	return math.Float32frombits(sign | (exp+127-15)<<23 | mant<<13)
}
