//go:build (!amd64 && !arm64) || purego

package vector

func kernelName() string { return "portable" }

func dot(a, b []float32) float32 { return dotPortable(a, b) }

func dotHalf(a []float32, h []uint16) float32 { return dotHalfPortable(a, h) }

func butterfly(a, b []float32) { butterflyPortable(a, b) }

func scan(codes, lut []byte, factor, offset *[groupItems]float32, e *estimate, scores *[groupItems]float32) uint64 {
	return scanPortable(codes, lut, factor, offset, e, scores)
}
