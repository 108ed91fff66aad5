package vector

import (
	"math"
)

const (
	// centreItems is how many items must be there before their mean says
	// something. With fewer than Oversample, codes are not used anyway.
	centreItems = 256

	// maxDrift is how far the mean may move from the centre, as a share of the
	// variance around the mean and squared like it. Estimates from codes err
	// in proportion to the distances from the centre, so a twentieth makes
	// them worse by some 2.5 %.
	maxDrift = 0.05

	// leastDrift, squared, is left alone whatever the variance: rounding.
	leastDrift = 1e-6
)

// centre is what codes are relative to.
type centre struct {
	mean    []float32
	rotated []float32
}

func (x *Index) newCentre(mean []float32) *centre {
	c := &centre{mean: mean, rotated: make([]float32, x.rotation.size)}
	x.rotation.apply(c.rotated, mean, make([]float32, x.rotation.size))
	return c
}

// encode writes the code of a rotated unit vector: one bit for each dimension
// in which it is not below the centre. factor and offset turn sums over the
// bits into an estimate of the cosine; see scanner.prepare.
func (c *centre) encode(code []byte, rotated []float32) (factor, offset float32) {
	var abs, square, along float32
	middle := c.rotated[:len(rotated)]
	for k := range code {
		var b byte
		for j := range 8 {
			m := middle[k*8+j]
			d := rotated[k*8+j] - m
			along += m * d
			square += d * d
			bits := math.Float32bits(d)
			abs += math.Float32frombits(bits &^ (1 << 31))
			b |= byte(^bits>>31) << j
		}
		code[k] = b
	}
	if abs > 0 {
		factor = square / abs
	}
	return factor, along
}

// recentre moves the centre when the mean has left it, and brings as many
// slabs along as steps says, at least one if there is one. Until a slab's turn
// comes it works with the old centre. The caller holds writing.
func (x *Index) recentre(steps int) {
	if x.stale == 0 && x.drifted() {
		mean := make([]float32, x.opts.Dims)
		for i, s := range x.sum {
			mean[i] = float32(s / float64(len(x.slots)))
		}
		c := x.newCentre(mean)
		x.mu.Lock()
		x.centre, x.stale, x.moves = c, len(x.slabs), x.moves+1
		x.mu.Unlock()
	}
	for range steps {
		if x.stale == 0 {
			return
		}
		// The last slab first: the free slots used next are likely there.
		s := x.slabs[x.stale-1]
		var e *encoded
		if s.encoded.centre != x.centre {
			e = x.reencode(s)
		}
		x.mu.Lock()
		if e != nil {
			s.encoded = e
		}
		x.stale--
		x.mu.Unlock()
	}
}

func (x *Index) reencode(s *slab) *encoded {
	e := x.newEncoded(x.centre)
	w := &x.work
	for i := range slabItems {
		if s.isLive(i) {
			expand(w.unit, s.half(i, x.stride), s.scales[i])
			x.rotation.apply(w.rotated, w.unit, w.scratch)
			factor, offset := e.centre.encode(w.code, w.rotated)
			e.set(i, w.code, factor, offset)
		}
	}
	return e
}

func (x *Index) drifted() bool {
	n := float64(len(x.slots))
	if n < centreItems {
		return false
	}
	var drift, length float64
	for i, s := range x.sum {
		m := s / n
		d := m - float64(x.centre.mean[i])
		drift += d * d
		length += m * m
	}
	return drift > leastDrift && drift > maxDrift*(1-length) // unit vectors vary by 1 - |mean|²
}
