package bench

import (
	"slices"
	"time"
)

// Figure is one measured value, beside its target where there is one.
type Figure struct {
	Name   string  `json:"name"`
	Value  float64 `json:"value"`
	Unit   string  `json:"unit"`
	Target float64 `json:"target,omitempty"` // 0 = none
	AtMost bool    `json:"at_most"`          // whether the target is a ceiling
	Met    *bool   `json:"met,omitempty"`    // unset without a target
}

// Group is the figures of one configuration.
type Group struct {
	Name    string   `json:"name"`
	Figures []Figure `json:"figures"`
}

// Report is the result of one benchmark.
type Report struct {
	Set    string  `json:"set"`
	Groups []Group `json:"groups"`
}

func (g *Group) add(name string, value float64, unit string) {
	g.Figures = append(g.Figures, Figure{Name: name, Value: value, Unit: unit})
}

// atMost adds a figure that should not exceed its target.
func (g *Group) atMost(name string, value float64, unit string, target float64) {
	met := value <= target
	g.Figures = append(g.Figures, Figure{Name: name, Value: value, Unit: unit, Target: target, AtMost: true, Met: &met})
}

// atLeast adds a figure that should reach its target.
func (g *Group) atLeast(name string, value float64, unit string, target float64) {
	met := value >= target
	g.Figures = append(g.Figures, Figure{Name: name, Value: value, Unit: unit, Target: target, Met: &met})
}

// latencies are the durations of many runs of one thing.
type latencies []time.Duration

// measure runs fn n times.
func measure(n int, fn func(i int) error) (latencies, error) {
	out := make(latencies, n)
	for i := range out {
		start := time.Now()
		if err := fn(i); err != nil {
			return nil, err
		}
		out[i] = time.Since(start)
	}
	out.sort()
	return out, nil
}

func (l latencies) sort() { slices.Sort(l) }

// ms returns the q-quantile in milliseconds.
func (l latencies) ms(q float64) float64 {
	if len(l) == 0 {
		return 0
	}
	return float64(l[int(q*float64(len(l)-1))].Microseconds()) / 1000
}

func (l latencies) perSecond() float64 {
	var sum time.Duration
	for _, d := range l {
		sum += d
	}
	if sum == 0 {
		return 0
	}
	return float64(len(l)) / sum.Seconds()
}
