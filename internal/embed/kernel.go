package embed

import (
	"sync"
	"unsafe"
)

// kernel computes one tile of a matrix product:
//
//	C[mr × nr] = bias[nr] + A[mr × k] · B[k × nr]
//
// A and C have rows lda and ldc bytes apart; B is a panel, nr values for each
// of the k steps, one after the other. k is at least 1. All mr rows are read
// and written, so matrices have room for whole tiles. ahead is the address of
// what the next calls will read; a kernel may fetch from there. It is a number
// because it may lie beyond the end.
type kernel struct {
	name   string
	mr, nr int
	tile   func(a *float32, lda uintptr, b, bias, c *float32, ldc, k, ahead uintptr)
	// gelu replaces every x by its GELU.
	gelu func(x []float32)
	// softmax turns the first count values of a row of scores, which is a
	// multiple of nr long, into exp(x-max)/sum. The rest becomes undefined.
	softmax func(row []float32, count int)
}

// float32Size is the distance of neighbours in bytes.
const float32Size = 4

// portable works everywhere and is what the others are tested against.
var portable = kernel{
	name: "portable", mr: 4, nr: 8, tile: tilePortable,
	gelu: geluPortable, softmax: softmaxPortable,
}

// kernels are those that run on this machine, the fastest first.
var kernels = sync.OnceValue(func() []*kernel {
	return append(machineKernels(), &portable)
})

// tilePortable keeps the sums of two half rows in registers.
func tilePortable(a *float32, lda uintptr, b, bias, c *float32, ldc, k, _ uintptr) {
	const mr, nr = 4, 8
	panel := unsafe.Slice(b, int(k)*nr)
	bi := (*[nr]float32)(unsafe.Pointer(bias))
	row := func(p *float32, i int, stride uintptr) *float32 {
		return (*float32)(unsafe.Add(unsafe.Pointer(p), uintptr(i)*stride))
	}
	for i := 0; i < mr; i += 2 {
		a0 := unsafe.Slice(row(a, i, lda), int(k))
		a1 := unsafe.Slice(row(a, i+1, lda), int(k))
		c0 := (*[nr]float32)(unsafe.Pointer(row(c, i, ldc)))
		c1 := (*[nr]float32)(unsafe.Pointer(row(c, i+1, ldc)))
		for j := 0; j < nr; j += 4 {
			s0, s1, s2, s3 := bi[j], bi[j+1], bi[j+2], bi[j+3]
			t0, t1, t2, t3 := s0, s1, s2, s3
			for p, x := range a0 {
				y := a1[p]
				w := (*[4]float32)(panel[p*nr+j:])
				s0 += x * w[0]
				s1 += x * w[1]
				s2 += x * w[2]
				s3 += x * w[3]
				t0 += y * w[0]
				t1 += y * w[1]
				t2 += y * w[2]
				t3 += y * w[3]
			}
			c0[j], c0[j+1], c0[j+2], c0[j+3] = s0, s1, s2, s3
			c1[j], c1[j+1], c1[j+2], c1[j+3] = t0, t1, t2, t3
		}
	}
}
