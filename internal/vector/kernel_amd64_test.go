//go:build !purego

package vector

func kernelSets() []kernelSet {
	sets := []kernelSet{portableSet(), chosenSet()}
	if hasAVX2() {
		sets = append(sets, kernelSet{"avx2",
			func(a, b []float32) float32 { return dotAVX2(&a[0], &b[0], len(a)) },
			func(a []float32, h []uint16) float32 { return dotHalfAVX2(&a[0], &h[0], len(a)) },
			func(a, b []float32) { butterflyAVX2(&a[0], &b[0], len(a)) },
			func(codes, lut []byte, factor, offset *[groupItems]float32, e *estimate, scores *[groupItems]float32) uint64 {
				return scanAVX2(&codes[0], &lut[0], len(codes)/groupItems, factor, offset, e, scores)
			}})
	}
	if hasAVX512() {
		sets = append(sets, kernelSet{"avx512",
			func(a, b []float32) float32 { return dotAVX512(&a[0], &b[0], len(a)) },
			func(a []float32, h []uint16) float32 { return dotHalfAVX512(&a[0], &h[0], len(a)) },
			butterfly,
			func(codes, lut []byte, factor, offset *[groupItems]float32, e *estimate, scores *[groupItems]float32) uint64 {
				return scanAVX512(&codes[0], &lut[0], len(codes)/groupItems, factor, offset, e, scores)
			}})
	}
	return sets
}
