package vector

import (
	"cmp"
	"fmt"
)

const (
	minDims = 8
	maxDims = 4096

	// defaultOversample candidates are rescored. On 100,000 vectors of the
	// synthetic mixture 100 find 0.986 of the best ten and 300 all of them, for
	// a tenth of a millisecond more (DESIGN.md has the table).
	defaultOversample = 300

	// oversampleShare: of very many items, one in so many is a candidate. At
	// 1,000,000 items 300 candidates find 0.990, 1000 find 0.999.
	oversampleShare = 1000

	// oversampleFactor is how many candidates per result are rescored when
	// many results are asked for. At 100,000 items three find 0.957 of the best
	// 300, five 0.991.
	oversampleFactor = 5
)

// Options says what an index holds. Only Dims is required.
type Options struct {
	// Dims is the number of dimensions of every vector, 8 to 4096.
	Dims int

	// Oversample is how many candidates a search picks by their codes and
	// scores exactly. More are taken for many results, five each, and out of
	// very many items, one in a thousand. Default 300.
	Oversample int

	// Seed fixes the random rotation, and with it everything that is random
	// here. Any value will do; results differ by what a candidate list of
	// limited length lets through.
	Seed uint64
}

func (o Options) withDefaults() (Options, error) {
	if o.Dims < minDims || o.Dims > maxDims {
		return o, fmt.Errorf("vector options: %d dimensions, possible are %d to %d", o.Dims, minDims, maxDims)
	}
	if o.Oversample < 0 {
		return o, fmt.Errorf("vector options: oversample is %d", o.Oversample)
	}
	o.Oversample = cmp.Or(o.Oversample, defaultOversample)
	return o, nil
}
