package memory

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

const (
	day     = 24 * time.Hour
	epsilon = 1e-9
)

// belief draws a confidence a healthy store could hold.
func belief(t *rapid.T) Confidence {
	return Confidence{
		Mean:     rapid.Float64Range(0, 1).Draw(t, "mean"),
		Variance: rapid.Float64Range(0, MaxVariance).Draw(t, "variance"),
		N:        rapid.IntRange(0, 1000).Draw(t, "n"),
		Tau:      rapid.Float64Range(0, 0.01).Draw(t, "tau"),
	}
}

// anyFloat draws numbers of every sort, the impossible ones included.
func anyFloat() *rapid.Generator[float64] {
	return rapid.OneOf(rapid.Float64(), rapid.SampledFrom([]float64{
		math.NaN(), math.Inf(1), math.Inf(-1), -1, 0, 2, math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64,
	}))
}

func checkSane(t *rapid.T, c Confidence) {
	t.Helper()
	if !(c.Mean >= 0 && c.Mean <= 1) || !(c.Variance >= 0 && c.Variance <= MaxVariance) || c.N < 0 || !(c.Tau >= 0) || math.IsInf(c.Tau, 0) {
		t.Fatalf("not a belief: %+v", c)
	}
}

func TestObserveMovesTowardTheValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := belief(t)
		value := rapid.Float64Range(0, 1).Draw(t, "value")
		got := c.Observe(value)
		checkSane(t, got)
		low, high := min(c.Mean, value), max(c.Mean, value)
		if got.Mean < low-epsilon || got.Mean > high+epsilon {
			t.Fatalf("mean %v left [%v, %v]", got.Mean, low, high)
		}
		if math.Abs(value-got.Mean) > math.Abs(value-c.Mean)+epsilon {
			t.Fatalf("mean moved away: %v to %v for %v", c.Mean, got.Mean, value)
		}
		if got.Variance > c.Variance {
			t.Fatalf("variance grew from %v to %v", c.Variance, got.Variance)
		}
		if got.N != c.N+1 || got.Tau != c.Tau {
			t.Fatalf("n %d to %d, tau %v to %v", c.N, got.N, c.Tau, got.Tau)
		}
	})
}

func TestObserveKeepsListening(t *testing.T) {
	c := NewConfidence(0.5)
	for range 1000 {
		c = c.Observe(1)
	}
	if c.Mean < 0.9 {
		t.Errorf("a thousand confirmations leave a mean of %v", c.Mean)
	}
	if denied := c.Observe(0); denied.Mean >= c.Mean {
		t.Errorf("a denial after a thousand confirmations moved nothing: %v", denied.Mean)
	}
}

func TestDecayIsMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := belief(t)
		rate := rapid.Float64Range(0, 1).Draw(t, "rate")
		faster := rate + rapid.Float64Range(0, 1).Draw(t, "more rate")
		span := time.Duration(rapid.Int64Range(0, int64(3650*day)).Draw(t, "span"))
		longer := span + time.Duration(rapid.Int64Range(0, int64(3650*day)).Draw(t, "more span"))

		got, later, quick := c.At(rate, span), c.At(rate, longer), c.At(faster, span)
		for _, x := range []Confidence{got, later, quick} {
			checkSane(t, x)
		}
		if later.Mean > got.Mean || quick.Mean > got.Mean || got.Mean > c.Mean {
			t.Fatalf("mean rose: %v, later %v, faster %v", got.Mean, later.Mean, quick.Mean)
		}
		if later.Variance < got.Variance || got.Variance < c.Variance {
			t.Fatalf("variance fell: %v to %v to %v", c.Variance, got.Variance, later.Variance)
		}
		if got.N != c.N {
			t.Fatalf("time made an observation: %d to %d", c.N, got.N)
		}
	})
}

func TestDecayComposes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := belief(t)
		rate := rapid.Float64Range(0, 0.1).Draw(t, "rate")
		a := time.Duration(rapid.Int64Range(0, int64(365*day)).Draw(t, "a"))
		b := time.Duration(rapid.Int64Range(0, int64(365*day)).Draw(t, "b"))
		twice, once := c.At(rate, a).At(rate, b), c.At(rate, a+b)
		if math.Abs(twice.Mean-once.Mean) > epsilon || math.Abs(twice.Variance-once.Variance) > epsilon {
			t.Fatalf("in two steps %+v, in one %+v", twice, once)
		}
	})
}

func TestDecayExactly(t *testing.T) {
	tests := []struct {
		name string
		rate float64
		days float64
		want float64
	}{
		{"half after 69.3 days at 0.01", 0.01, math.Ln2 / 0.01, 0.4},
		{"never", 0, 100000, 0.8},
		{"state is worth a fifth after a month", 0.05, 32, 0.8 * math.Exp(-1.6)},
		{"clock went backwards", 0.05, -10, 0.8},
		{"negative rate is none", -1, 10, 0.8},
		{"not a number", math.NaN(), 10, 0.8},
		{"infinite rate", math.Inf(1), 10, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := NewConfidence(0.8).At(tt.rate, time.Duration(tt.days*float64(day)))
			if math.Abs(got.Mean-tt.want) > 1e-6 {
				t.Errorf("mean %v, want %v", got.Mean, tt.want)
			}
		})
	}
}

func TestDefaultTauIsAboutAYear(t *testing.T) {
	c := NewConfidence(0.5)
	if v := c.At(0, 300*day).Variance; v >= MaxVariance {
		t.Errorf("fully uncertain after 300 days")
	}
	if v := c.At(0, 366*day).Variance; v != MaxVariance {
		t.Errorf("variance after a year %v, want %v", v, MaxVariance)
	}
}

func TestGarbageIsSurvived(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := Confidence{
			Mean:     anyFloat().Draw(t, "mean"),
			Variance: anyFloat().Draw(t, "variance"),
			N:        rapid.Int().Draw(t, "n"),
			Tau:      anyFloat().Draw(t, "tau"),
		}
		if c.N == math.MaxInt {
			c.N--
		}
		checkSane(t, c.Observe(anyFloat().Draw(t, "value")))
		checkSane(t, c.At(anyFloat().Draw(t, "rate"), time.Duration(rapid.Int64().Draw(t, "span"))))
		checkSane(t, NewConfidence(anyFloat().Draw(t, "fresh")))
	})
}

func TestMemoryObserve(t *testing.T) {
	start := time.Date(2024, 3, 1, 12, 0, 0, 0, time.UTC)
	fresh := func() Memory {
		return Memory{Confidence: NewConfidence(0.8), DecayRate: 0.05, Observed: start}
	}
	t.Run("decays first, then moves", func(t *testing.T) {
		m := fresh()
		now := start.Add(30 * day)
		want := m.Confidence.At(0.05, 30*day).Observe(1)
		m.Observe(1, now)
		if m.Confidence != want || !m.Observed.Equal(now) {
			t.Errorf("got %+v at %v, want %+v at %v", m.Confidence, m.Observed, want, now)
		}
		if again := m.ConfidenceAt(now); again != m.Confidence {
			t.Errorf("read at once: %+v, want %+v", again, m.Confidence)
		}
	})
	t.Run("clock going backwards decays nothing and keeps the time", func(t *testing.T) {
		m := fresh()
		m.Observe(1, start.Add(-day))
		if m.Confidence != NewConfidence(0.8).Observe(1) || !m.Observed.Equal(start) {
			t.Errorf("got %+v at %v", m.Confidence, m.Observed)
		}
	})
	t.Run("reading changes nothing", func(t *testing.T) {
		m := fresh()
		_ = m.ConfidenceAt(start.Add(365 * day))
		if m.Confidence != NewConfidence(0.8) {
			t.Errorf("stored belief became %+v", m.Confidence)
		}
	})
}
