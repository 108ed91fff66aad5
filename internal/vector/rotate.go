package vector

import (
	"math"
	"math/rand/v2"
)

const (
	// codeAlign is what the number of rotated dimensions is a multiple of.
	codeAlign = 64

	// rotationRounds of signs and Hadamard transforms. With three, any one
	// dimension is spread over all of them in Gaussian shape, as by a random
	// rotation; with two there are inputs that end up lumpy.
	rotationRounds = 3
)

// rotation is a random orthogonal map in O(n log n): rounds of random signs
// and Hadamard transforms of blocks, with a random permutation between rounds
// that carries every block into all others. It turns vectors whose information
// sits in few dimensions into ones where every sign tells about equally much.
type rotation struct {
	dims, size int // of the input, of the output
	span       int // of a block: the largest power of two that divides size
	rounds     [rotationRounds]rotationRound
}

type rotationRound struct {
	from  []uint16  // where a dimension comes from; not used in the first round
	signs []float32 // scaled, so that lengths stay
}

func newRotation(dims int, seed uint64) *rotation {
	r := &rotation{dims: dims, size: (dims + codeAlign - 1) / codeAlign * codeAlign}
	r.span = r.size & -r.size
	rng := rand.New(rand.NewPCG(seed, 0x726f74617465)) // a stream of its own
	scale := float32(1 / math.Sqrt(float64(r.span)))   // a transform makes vectors longer by √span
	for n := range r.rounds {
		round := &r.rounds[n]
		for _, from := range rng.Perm(r.size) {
			round.from = append(round.from, uint16(from))
			round.signs = append(round.signs, scale*float32(1-2*int(rng.Uint64()&1)))
		}
	}
	return r
}

// apply writes the rotated src, of dims, to dst, of size. scratch, of size, is
// overwritten.
func (r *rotation) apply(dst, src, scratch []float32) {
	dst, scratch, src = dst[:r.size], scratch[:r.size], src[:r.dims]
	signs := r.rounds[0].signs
	for i, f := range src {
		dst[i] = f * signs[i]
	}
	clear(dst[len(src):])
	r.transform(dst)
	for n := 1; n < rotationRounds; n++ {
		from, signs := r.rounds[n].from[:r.size], r.rounds[n].signs[:r.size]
		for i := range scratch {
			scratch[i] = dst[from[i]] * signs[i]
		}
		r.transform(scratch)
		dst, scratch = scratch, dst // two rounds: the result ends up in dst
	}
}

func (r *rotation) transform(v []float32) {
	for i := 0; i < len(v); i += r.span {
		hadamard(v[i : i+r.span])
	}
}

// hadamardBase is the size that is transformed in local variables.
const hadamardBase = 8

// hadamard transforms v, whose length is a power of two of at least 64, in
// place and without scaling.
func hadamard(v []float32) {
	for i := 0; i+hadamardBase <= len(v); i += hadamardBase {
		hadamard8((*[hadamardBase]float32)(v[i:]))
	}
	for step := hadamardBase; step < len(v); step *= 2 {
		for i := 0; i < len(v); i += 2 * step {
			butterfly(v[i:i+step], v[i+step:i+2*step])
		}
	}
}

func hadamard8(v *[hadamardBase]float32) {
	a0, a1 := v[0]+v[1], v[0]-v[1]
	a2, a3 := v[2]+v[3], v[2]-v[3]
	a4, a5 := v[4]+v[5], v[4]-v[5]
	a6, a7 := v[6]+v[7], v[6]-v[7]
	b0, b2 := a0+a2, a0-a2
	b1, b3 := a1+a3, a1-a3
	b4, b6 := a4+a6, a4-a6
	b5, b7 := a5+a7, a5-a7
	v[0], v[4] = b0+b4, b0-b4
	v[1], v[5] = b1+b5, b1-b5
	v[2], v[6] = b2+b6, b2-b6
	v[3], v[7] = b3+b7, b3-b7
}
