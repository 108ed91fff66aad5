package embed

import "golang.org/x/sys/cpu"

//go:noescape
func tileAVX512(a *float32, lda uintptr, b, bias, c *float32, ldc, k, ahead uintptr)

//go:noescape
func tileAVX2(a *float32, lda uintptr, b, bias, c *float32, ldc, k, ahead uintptr)

func machineKernels() []*kernel {
	var ks []*kernel
	if cpu.X86.HasAVX512F {
		ks = append(ks, &kernel{
			name: "avx512", mr: 12, nr: 32, tile: tileAVX512,
			gelu: geluAVX512, softmax: softmaxAVX512,
		})
	}
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		ks = append(ks, &kernel{
			name: "avx2", mr: 6, nr: 16, tile: tileAVX2,
			gelu: geluAVX2, softmax: softmaxAVX2,
		})
	}
	return ks
}
