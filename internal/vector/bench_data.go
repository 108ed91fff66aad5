package vector

import (
	"math"
	"math/rand/v2"
)

// The synthetic vectors are a mixture like that of embeddings of text: few
// directions carry most of the variance, topics differ a lot in size, some
// items belong to none, and all share a common component.
const (
	mixtureRank       = 48       // directions that topics differ in
	mixtureStride     = 64       // the same, filled up to suit Dot
	mixtureLocal      = 12       // of these, directions that items of a topic differ in
	mixtureTopics     = 2000     // at most
	mixturePerTopic   = 50       // items per topic, on average, with fewer topics
	mixtureBackground = 0.15     // share of items without a topic
	mixtureSpread     = 0.5      // length of an item's departure from its topic
	mixtureNoise      = 0.35     // length of what is in no direction in particular
	mixtureCommon     = 0.5      // length of what all share
	mixtureSkew       = 3.0      // topics are drawn by u^skew: the first tenth of them has half of the items
	mixtureStream     = 0x6d6978 // keeps these random numbers apart from others
)

// mixture makes up vectors. Vector i depends on the seed and i only.
type mixture struct {
	seed   uint64
	dims   int
	basis  []float32 // by dimension, then direction, filled up with zeros
	common []float32
	topics [][]float32 // in terms of the basis
	local  [][]int     // the directions that a topic's items differ in
}

func newMixture(n, dims int, seed uint64) *mixture {
	rng := rand.New(rand.NewPCG(seed, mixtureStream))
	m := &mixture{seed: seed, dims: dims, common: gauss(rng, dims, mixtureCommon)}
	m.basis = make([]float32, dims*mixtureStride)
	for d := range mixtureRank {
		for j, f := range gauss(rng, dims, 1) {
			m.basis[j*mixtureStride+d] = f
		}
	}
	for range min(mixtureTopics, n/mixturePerTopic+1) {
		m.topics = append(m.topics, gauss(rng, mixtureRank, 1))
		m.local = append(m.local, rng.Perm(mixtureRank)[:mixtureLocal])
	}
	return m
}

// gauss returns a random direction of about the given length.
func gauss(rng *rand.Rand, dims int, length float64) []float32 {
	v := make([]float32, dims)
	addGauss(rng, v, length)
	return v
}

func addGauss(rng *rand.Rand, v []float32, length float64) {
	scale := float32(length / math.Sqrt(float64(len(v))))
	for i := range v {
		v[i] += scale * float32(rng.NormFloat64())
	}
}

func (m *mixture) vector(i int) []float32 {
	rng := rand.New(rand.NewPCG(m.seed+1, uint64(i)))
	padded := make([]float32, mixtureStride)
	weights := padded[:mixtureRank]
	if rng.Float64() < mixtureBackground {
		addGauss(rng, weights, 1)
	} else {
		topic := int(math.Pow(rng.Float64(), mixtureSkew) * float64(len(m.topics)))
		copy(weights, m.topics[topic])
		scale := float32(mixtureSpread / math.Sqrt(mixtureLocal))
		for _, d := range m.local[topic] {
			weights[d] += scale * float32(rng.NormFloat64())
		}
	}
	v := make([]float32, m.dims)
	copy(v, m.common)
	for j := range v {
		v[j] += Dot(padded, m.basis[j*mixtureStride:])
	}
	addGauss(rng, v, mixtureNoise)
	var square float64
	for _, f := range v {
		square += float64(f) * float64(f)
	}
	for j := range v {
		v[j] *= float32(1 / math.Sqrt(square))
	}
	return v
}
