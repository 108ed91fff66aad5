package memory

import (
	"math"
	"time"
)

// Confidence is a belief about how true and useful a memory is: a mean
// between 0 and 1 and the variance around it. Evidence moves the mean and
// narrows the variance; time lets the mean fall and the variance grow.
//
// The stored value is the belief at the time of the last observation. What it
// is worth now is computed when read, by [Confidence.At]; no job rewrites it.
type Confidence struct {
	Mean     float64 `json:"mean"`
	Variance float64 `json:"variance"`
	N        int     `json:"n"`   // observations so far
	Tau      float64 `json:"tau"` // growth of the variance per day
}

const (
	// MaxVariance is the largest variance a value between 0 and 1 can have.
	MaxVariance = 0.25
	// minVariance keeps a belief open to evidence however often it was seen.
	minVariance = 1e-4
	// observationNoise is the variance of one observation: a single vote is
	// right to within about ±0.3.
	observationNoise = 0.1
	// DefaultTau lets an unobserved belief become fully uncertain in about
	// a year.
	DefaultTau = 0.0006
	// priorVariance is the uncertainty of a memory nobody confirmed yet.
	priorVariance = 0.05
)

// NewConfidence returns the belief in a memory just stored, with the given
// mean and no observation yet.
func NewConfidence(mean float64) Confidence {
	return Confidence{Mean: clamp01(mean), Variance: priorVariance, Tau: DefaultTau}
}

// Observe returns the belief after evidence of the given value (1 confirms,
// 0 denies). The mean moves toward the value by the Kalman gain; the variance
// never grows.
func (c Confidence) Observe(value float64) Confidence {
	c = c.sane()
	gain := c.Variance / (c.Variance + observationNoise)
	c.Mean = clamp01(c.Mean + gain*(clamp01(value)-c.Mean))
	if v := c.Variance * (1 - gain); v > minVariance {
		c.Variance = v
	} else {
		c.Variance = min(c.Variance, minVariance)
	}
	c.N++
	return c
}

// At returns the belief after a span without observation: the mean falls by
// exp(-rate·days), the variance grows by tau per day. A negative span (the
// clock went backwards) counts as none.
func (c Confidence) At(rate float64, since time.Duration) Confidence {
	c = c.sane()
	days := since.Hours() / 24
	if days <= 0 {
		return c
	}
	if rate > 0 {
		c.Mean *= math.Exp(-rate * days)
	}
	c.Variance = min(MaxVariance, c.Variance+c.Tau*days)
	return c
}

// sane repairs values that could only come from a damaged or foreign record,
// so that no arithmetic here can leave the unit interval.
func (c Confidence) sane() Confidence {
	c.Mean = clamp01(c.Mean)
	if !(c.Variance >= 0) || c.Variance > MaxVariance {
		c.Variance = MaxVariance
	}
	if !(c.Tau >= 0) || math.IsInf(c.Tau, 0) {
		c.Tau = DefaultTau
	}
	c.N = max(0, c.N)
	return c
}

func clamp01(x float64) float64 {
	if !(x > 0) { // also NaN
		return 0
	}
	return min(1, x)
}
