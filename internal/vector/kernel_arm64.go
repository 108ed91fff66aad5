//go:build !purego

package vector

func kernelName() string { return "neon" }

func dot(a, b []float32) float32 { return dotPortable(a, b) }

func dotHalf(a []float32, h []uint16) float32 { return dotHalfPortable(a, h) }

func butterfly(a, b []float32) { butterflyPortable(a, b) }

func scan(codes, lut []byte, factor, offset *[groupItems]float32, e *estimate, scores *[groupItems]float32) uint64 {
	var sums [groupItems]uint16
	sumNEON(&codes[0], &lut[0], len(codes)/groupItems, &sums)
	return scoreSums(&sums, factor, offset, e, scores)
}

// sumNEON adds up what the codes pick; rows is not zero.
//
//go:noescape
func sumNEON(codes, lut *byte, rows int, sums *[groupItems]uint16)
