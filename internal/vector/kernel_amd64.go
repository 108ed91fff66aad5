//go:build !purego

package vector

import "golang.org/x/sys/cpu"

func hasAVX512() bool { return cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VL }

func hasAVX2() bool { return cpu.X86.HasAVX2 && cpu.X86.HasFMA && cpu.X86.HasF16C }

func kernelName() string {
	switch {
	case hasAVX512():
		return "avx512"
	case hasAVX2():
		return "avx2"
	}
	return "portable"
}

func dot(a, b []float32) float32 {
	switch {
	case hasAVX512():
		return dotAVX512(&a[0], &b[0], len(a))
	case hasAVX2():
		return dotAVX2(&a[0], &b[0], len(a))
	}
	return dotPortable(a, b)
}

func dotHalf(a []float32, h []uint16) float32 {
	switch {
	case hasAVX512():
		return dotHalfAVX512(&a[0], &h[0], len(a))
	case hasAVX2():
		return dotHalfAVX2(&a[0], &h[0], len(a))
	}
	return dotHalfPortable(a, h)
}

func butterfly(a, b []float32) {
	if hasAVX2() {
		butterflyAVX2(&a[0], &b[0], len(a))
		return
	}
	butterflyPortable(a, b)
}

func scan(codes, lut []byte, factor, offset *[groupItems]float32, e *estimate, scores *[groupItems]float32) uint64 {
	switch {
	case hasAVX512():
		return scanAVX512(&codes[0], &lut[0], len(codes)/groupItems, factor, offset, e, scores)
	case hasAVX2():
		return scanAVX2(&codes[0], &lut[0], len(codes)/groupItems, factor, offset, e, scores)
	}
	return scanPortable(codes, lut, factor, offset, e, scores)
}

// The lengths n are multiples of dotStep, for butterflyAVX2 of eight, and not
// zero; rows are the bytes of a code.

//go:noescape
func dotAVX512(a, b *float32, n int) float32

//go:noescape
func dotAVX2(a, b *float32, n int) float32

//go:noescape
func dotHalfAVX512(a *float32, h *uint16, n int) float32

//go:noescape
func dotHalfAVX2(a *float32, h *uint16, n int) float32

//go:noescape
func butterflyAVX2(a, b *float32, n int)

//go:noescape
func scanAVX512(codes, lut *byte, rows int, factor, offset *[groupItems]float32, e *estimate, scores *[groupItems]float32) uint64

//go:noescape
func scanAVX2(codes, lut *byte, rows int, factor, offset *[groupItems]float32, e *estimate, scores *[groupItems]float32) uint64
