package embed

// tileNEON needs nothing to be detected: every arm64 has these instructions.
//
//go:noescape
func tileNEON(a *float32, lda uintptr, b, bias, c *float32, ldc, k, ahead uintptr)

func machineKernels() []*kernel {
	return []*kernel{{
		name: "neon", mr: 6, nr: 16, tile: tileNEON,
		gelu: geluPortable, softmax: softmaxPortable,
	}}
}
