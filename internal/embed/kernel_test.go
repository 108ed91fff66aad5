package embed

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

func random(n int, r *rand.Rand) []float32 {
	v := make([]float32, n)
	for i := range v {
		v[i] = float32(r.NormFloat64())
	}
	return v
}

// TestTiles compares every kernel with a product in double precision, at steps
// that are no multiple of the unrolling.
func TestTiles(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, k := range kernels() {
		for _, in := range []int{1, 2, 3, 4, 5, 7, 8, 31, 64, 129} {
			t.Run(fmt.Sprintf("%s/%d", k.name, in), func(t *testing.T) {
				lda, ldc := in+3, k.nr+5
				a, b, bias := random(k.mr*lda, r), random(k.nr*in, r), random(k.nr, r)
				c := make([]float32, k.mr*ldc)
				const untouched = 12345
				for i := range c {
					c[i] = untouched
				}
				k.tile(&a[0], uintptr(4*lda), &b[0], &bias[0], &c[0], uintptr(4*ldc), uintptr(in), 0)
				for i := range k.mr {
					for j := range ldc {
						want := float64(untouched)
						if j < k.nr {
							want = float64(bias[j])
							for p := range in {
								want += float64(a[i*lda+p]) * float64(b[p*k.nr+j])
							}
						}
						if d := math.Abs(float64(c[i*ldc+j]) - want); d > 1e-4 {
							t.Fatalf("[%d,%d] = %v, want %v", i, j, c[i*ldc+j], want)
						}
					}
				}
			})
		}
	}
}

func TestGELU(t *testing.T) {
	for _, k := range kernels() {
		t.Run(k.name, func(t *testing.T) {
			var x []float32
			for v := float32(-12); v < 12; v += 0.0137 {
				x = append(x, v)
			}
			x = append(x, 0, 1e-30, -1e-30, 100, -100, 1e10, -1e10)
			got := append([]float32(nil), x...)
			k.gelu(got)
			for i, v := range x {
				want := exactGELU(float64(v))
				if d := math.Abs(float64(got[i]) - want); d > 2e-6*max(1, math.Abs(want)) {
					t.Errorf("gelu(%v) = %v, want %v", v, got[i], want)
				}
			}
			nan := make([]float32, 33)
			nan[0], nan[32] = float32(math.NaN()), float32(math.NaN())
			k.gelu(nan)
			if nan[0] == nan[0] || nan[32] == nan[32] {
				t.Error("NaN was hidden")
			}
			k.gelu(nil)
		})
	}
}

func TestSoftmax(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, k := range kernels() {
		for _, count := range []int{1, 2, 7, 31, 32, 33, 128} {
			t.Run(fmt.Sprintf("%s/%d", k.name, count), func(t *testing.T) {
				row := random(up(count, k.nr), r)
				for i := range row {
					row[i] *= 20 // far enough apart that some vanish
				}
				if count > 2 {
					row[1] = -300
				}
				top, sum := math.Inf(-1), 0.0
				for _, v := range row[:count] {
					top = max(top, float64(v))
				}
				want := make([]float64, count)
				for i, v := range row[:count] {
					want[i] = math.Exp(float64(v) - top)
					sum += want[i]
				}
				k.softmax(row, count)
				for i, v := range row[:count] {
					if d := math.Abs(float64(v) - want[i]/sum); d > 2e-6 {
						t.Errorf("[%d] = %v, want %v", i, v, want[i]/sum)
					}
				}
			})
		}
	}
}

func TestAddNorm(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{1, 3, 4, 5, 24, 385} {
		a, b, w, bias := random(n, r), random(n, r), random(n, r), random(n, r)
		want := refNorm(add64(wide(a), wide(b)), wide(w), wide(bias), 1e-5)
		addNorm(a, b, w, bias, 1e-5)
		for i := range a {
			if d := math.Abs(float64(a[i]) - want[i]); d > 1e-4 {
				t.Errorf("n %d [%d]: %v, want %v", n, i, a[i], want[i])
			}
		}
	}
}

func TestFromF16(t *testing.T) {
	for h := range 1 << 16 {
		got := float64(fromF16(uint16(h)))
		exp, frac := h>>10&31, float64(h&1023)
		want := math.Ldexp(1+frac/1024, exp-15)
		switch {
		case exp == 0:
			want = math.Ldexp(frac, -24)
		case exp == 31 && frac == 0:
			want = math.Inf(1)
		case exp == 31:
			want = math.NaN()
		}
		if h>>15 == 1 {
			want = -want
		}
		if got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Fatalf("%#04x = %v, want %v", h, got, want)
		}
	}
}
