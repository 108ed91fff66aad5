package embed

import "unsafe"

// linear is a dense layer, its weights cut into panels for one kernel. It is
// shared by all workers and never written after loading.
type linear struct {
	k     *kernel
	in    int
	out   int       // a multiple of the panel's width, at least the layer's own
	panel []float32 // [out/nr][in][nr]
	bias  []float32 // [out]
}

func newLinear(k *kernel, in, out int) *linear {
	out = up(out, k.nr)
	return &linear{k: k, in: in, out: out, panel: make([]float32, in*out), bias: make([]float32, out)}
}

// up rounds n up to a multiple of m.
func up(n, m int) int { return (n + m - 1) / m * m }

// fill puts the rows of w, each in long, and of bias behind the rows already
// there, every value times scale.
func (l *linear) fill(at int, w, bias *tensor, scale float32) error {
	rows := w.rows()
	var rr rowReader
	if err := rr.read(bias, 0, l.bias[at:at+rows], true); err != nil {
		return err
	}
	for i := at; i < at+rows; i++ {
		l.bias[i] *= scale
	}
	nr := l.k.nr
	block := make([]float32, nr*l.in)
	for r := 0; r < rows; {
		// as many rows as are left of the panel that row at+r falls into
		n := min(nr-(at+r)%nr, rows-r)
		if err := rr.read(w, r, block[:n*l.in], true); err != nil {
			return err
		}
		dst := l.panel[(at+r)/nr*nr*l.in:][:nr*l.in]
		for j := range n {
			col := (at + r + j) % nr
			for q, v := range block[j*l.in : (j+1)*l.in] {
				dst[q*nr+col] = v * scale
			}
		}
		r += n
	}
	return nil
}

// apply computes rows of c from rows of a, rounded up to whole tiles. The
// outer loop is over panels, so that each is read once from memory while the
// rows stay in the cache, and the next one is fetched meanwhile.
func (l *linear) apply(a []float32, lda int, c []float32, ldc, rows int) {
	nr, mr := l.k.nr, l.k.mr
	size := nr * l.in
	// what a call fetches: aheadBytes for each of in/4 rounds
	slice := l.in / 4 * aheadBytes
	for col := 0; col < l.out; col += nr {
		b, bias := &l.panel[col*l.in], &l.bias[col]
		at := uintptr(unsafe.Pointer(b))
		ahead := at + uintptr(size*float32Size)
		for i, fetched := 0, 0; i < rows; i, fetched = i+mr, fetched+slice {
			from := ahead + uintptr(fetched)
			if fetched >= size*float32Size || col+nr >= l.out {
				from = at // all of it is on its way
			}
			l.k.tile(&a[i*lda], uintptr(lda*float32Size), b, bias, &c[i*ldc+col], uintptr(ldc*float32Size), uintptr(l.in), from)
		}
	}
}

// aheadBytes is what the kernels fetch ahead in a round of four steps.
const aheadBytes = 256
