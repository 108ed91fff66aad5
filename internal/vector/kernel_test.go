package vector

import (
	"math"
	"math/rand/v2"
	"testing"
)

// kernelSet is one implementation of all kernels.
type kernelSet struct {
	name      string
	dot       func(a, b []float32) float32
	dotHalf   func(a []float32, h []uint16) float32
	butterfly func(a, b []float32)
	scan      func(codes, lut []byte, factor, offset *[groupItems]float32, e *estimate, scores *[groupItems]float32) uint64
}

func portableSet() kernelSet {
	return kernelSet{"portable", dotPortable, dotHalfPortable, butterflyPortable, scanPortable}
}

func chosenSet() kernelSet { return kernelSet{"chosen", dot, dotHalf, butterfly, scan} }

func TestScanKernelsAgree(t *testing.T) {
	for _, set := range kernelSets() {
		t.Run(set.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(1, 2))
			for _, rows := range []int{8, 48, 56, 96, 512} {
				limit := min(pairLimit, sumLimit/(2*rows))
				for round := range 20 {
					codes := make([]byte, rows*groupItems)
					lut := make([]byte, rows*lutBytes)
					var factor, offset, got, want [groupItems]float32
					for i := range codes {
						codes[i] = byte(rng.Uint32())
					}
					for i := range lut {
						lut[i] = byte(rng.IntN(limit + 1))
						if round == 0 {
							lut[i] = byte(limit) // the largest sums there can be
						}
					}
					for i := range factor {
						factor[i], offset[i] = rng.Float32(), rng.Float32()-0.5
					}
					e := estimate{step: rng.Float32() / 100, base: -rng.Float32(), shift: 0.1}
					scanPortable(codes, lut, &factor, &offset, &e, &want)
					e.floor = want[rng.IntN(groupItems)] // at least one is equal
					keep := scanPortable(codes, lut, &factor, &offset, &e, &want)
					if k := set.scan(codes, lut, &factor, &offset, &e, &got); k != keep || got != want {
						t.Fatalf("%d rows: keeps %b, want %b; scores %v, want %v", rows, k, keep, got, want)
					}
					var sum int
					for k := range rows {
						c := codes[k*groupItems+5]
						sum += int(lut[k*lutBytes+int(c&15)]) + int(lut[k*lutBytes+16+int(c>>4)])
					}
					plain := (float64(sum)*float64(e.step)+float64(e.base))*float64(factor[5]) + float64(offset[5]) + float64(e.shift)
					if math.Abs(plain-float64(got[5])) > 1e-3 {
						t.Fatalf("%d rows: score %v, want %v", rows, got[5], plain)
					}
				}
			}
		})
	}
}

func TestDotKernelsAgree(t *testing.T) {
	for _, set := range kernelSets() {
		t.Run(set.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(3, 4))
			for n := dotStep; n <= 4096; n += dotStep * (1 + n/512) {
				a, b := make([]float32, n), make([]float32, n)
				h := make([]uint16, n)
				var plain, plainHalf, size float64
				for i := range a {
					a[i], b[i] = rng.Float32()-0.5, rng.Float32()-0.5
					if i%17 == 0 {
						b[i] *= 1e-6 // subnormal as halves
					}
					h[i] = halfOf(b[i])
					plain += float64(a[i]) * float64(b[i])
					plainHalf += float64(a[i]) * float64(single(h[i]))
					size += math.Abs(float64(a[i]) * float64(b[i]))
				}
				if got := float64(set.dot(a, b)); math.Abs(got-plain) > size*1e-6 {
					t.Errorf("dot of %d: %v, want %v", n, got, plain)
				}
				if got := float64(set.dotHalf(a, h)); math.Abs(got-plainHalf) > size*1e-6 {
					t.Errorf("dot with halves of %d: %v, want %v", n, got, plainHalf)
				}
			}
		})
	}
}

func TestDotOfAnyLength(t *testing.T) {
	for n := range 140 {
		a, b := make([]float32, n), make([]float32, n+3)
		want := float32(0)
		for i := range a {
			a[i], b[i] = float32(i%7), float32(i%5)-2
			want += a[i] * b[i] // small whole numbers: exact in any order
		}
		if got := Dot(a, b); got != want {
			t.Errorf("Dot of %d is %v, want %v", n, got, want)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("Dot with a shorter second vector did not panic")
		}
	}()
	Dot(make([]float32, 40), make([]float32, 39))
}

func TestButterflyKernelsAgree(t *testing.T) {
	for _, set := range kernelSets() {
		for _, n := range []int{8, 32, 256, 2048} {
			rng := rand.New(rand.NewPCG(5, 6))
			a, b, c, d := gauss(rng, n, 1), gauss(rng, n, 1), make([]float32, n), make([]float32, n)
			copy(c, a)
			copy(d, b)
			butterflyPortable(a, b)
			set.butterfly(c, d)
			for i := range a {
				if a[i] != c[i] || b[i] != d[i] {
					t.Fatalf("%s, %d: %v %v at %d, want %v %v", set.name, n, c[i], d[i], i, a[i], b[i])
				}
			}
		}
	}
}

// TestHalf goes through every half and the middles between neighbours.
func TestHalf(t *testing.T) {
	const one = 0x3c00
	for h := range uint16(one) {
		f, next := single(h), single(h+1)
		if f >= next {
			t.Fatalf("halves %#x and %#x are %v and %v", h, h+1, f, next)
		}
		middle := float32((float64(f) + float64(next)) / 2)
		for _, c := range []struct {
			value float32
			want  uint16
		}{
			{f, h},
			{next, h + 1},
			{middle, h + h&1}, // to even
			{math.Nextafter32(middle, 0), h},
			{math.Nextafter32(middle, 2), h + 1},
		} {
			if got := halfOf(c.value); got != c.want {
				t.Fatalf("half of %v is %#x, want %#x", c.value, got, c.want)
			}
			if got := halfOf(-c.value); got != c.want|0x8000 {
				t.Fatalf("half of %v is %#x, want %#x", -c.value, got, c.want|0x8000)
			}
		}
		if single(h|0x8000) != -f {
			t.Fatalf("half %#x and its negative are %v and %v", h, f, single(h|0x8000))
		}
	}
}

func BenchmarkScanGroup(b *testing.B) {
	for _, set := range kernelSets() {
		b.Run(set.name, func(b *testing.B) {
			const rows = 384 / 8
			codes, lut := make([]byte, rows*groupItems), make([]byte, rows*lutBytes)
			var factor, offset, scores [groupItems]float32
			e := estimate{floor: 1}
			for b.Loop() {
				set.scan(codes, lut, &factor, &offset, &e, &scores)
			}
		})
	}
}

func BenchmarkDotHalf(b *testing.B) {
	for _, set := range kernelSets() {
		b.Run(set.name, func(b *testing.B) {
			v, h := make([]float32, 384), make([]uint16, 384)
			for b.Loop() {
				set.dotHalf(v, h)
			}
		})
	}
}

func BenchmarkDot(b *testing.B) {
	v := make([]float32, 384)
	for b.Loop() {
		Dot(v, v)
	}
}

func BenchmarkRotate(b *testing.B) {
	r := newRotation(384, 1)
	v, out, scratch := make([]float32, 384), make([]float32, r.size), make([]float32, r.size)
	v[3] = 1
	for b.Loop() {
		r.apply(out, v, scratch)
	}
}
