package embed

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unsafe"
)

// BenchResult is how fast a model runs on this machine.
type BenchResult struct {
	Info   Info          `json:"info"`
	Load   time.Duration `json:"load_ns"` // of the weights; 0 for endpoints
	RSS    int64         `json:"rss"`     // bytes of this process afterwards; 0 if unknown
	Matmul float64       `json:"matmul"`  // GFLOP/s of the largest layer; 0 for endpoints
	Peak   float64       `json:"peak"`    // GFLOP/s of the same kernel within the first-level cache
	Cases  []BenchCase   `json:"cases"`
}

// BenchCase is one batch, the best of several rounds: on a shared machine the
// others measure the neighbours.
type BenchCase struct {
	Tokens         int           `json:"tokens"` // per text
	Batch          int           `json:"batch"`  // texts
	Rounds         int           `json:"rounds"`
	TextsPerSecond float64       `json:"texts_per_second"`
	CPUPerText     time.Duration `json:"cpu_per_text_ns"` // of this process
}

const (
	benchRounds  = 3 // at least
	benchPerCase = time.Second
	benchPeakK   = 128 // with any kernel, the operands fit 32 KB
	benchRows    = 128
)

// Bench measures the model; progress, which may be nil, is told each step.
func Bench(ctx context.Context, m Model, progress func(step string)) (BenchResult, error) {
	if progress == nil {
		progress = func(string) {}
	}
	progress("load")
	// the first text loads a lazy model and warms the caches
	if _, err := m.Embed(ctx, []string{benchText(16)}); err != nil {
		return BenchResult{}, err
	}
	r := BenchResult{Info: m.Info()}
	for _, c := range []BenchCase{{Tokens: 32, Batch: 1}, {Tokens: 32, Batch: 32}, {Tokens: 128, Batch: 1}, {Tokens: 128, Batch: 32}} {
		c.Tokens = min(c.Tokens, r.Info.MaxTokens)
		progress(fmt.Sprintf("%d × %d tokens", c.Batch, c.Tokens))
		if err := c.run(ctx, m); err != nil {
			return BenchResult{}, err
		}
		r.Cases = append(r.Cases, c)
	}
	if h, ok := m.(*handle); ok {
		b, err := h.brain()
		if err != nil {
			return BenchResult{}, err
		}
		progress("matrix product")
		r.Load = b.load
		r.Matmul, r.Peak = b.net.benchMatmul(), b.net.k.benchPeak()
	}
	r.RSS = rss()
	return r, nil
}

// benchText has exactly so many tokens under any WordPiece: punctuation is one
// each.
func benchText(tokens int) string { return strings.Repeat(". ", tokens-marks) }

func (c *BenchCase) run(ctx context.Context, m Model) error {
	texts := make([]string, c.Batch)
	for i := range texts {
		texts[i] = benchText(c.Tokens)
	}
	var cpu, wall time.Duration
	for begin := time.Now(); c.Rounds < benchRounds || time.Since(begin) < benchPerCase; c.Rounds++ {
		usedBefore, start := cpuTime(), time.Now()
		if _, err := m.Embed(ctx, texts); err != nil {
			return err
		}
		took, used := time.Since(start), cpuTime()-usedBefore
		if c.Rounds == 0 || used < cpu {
			cpu = used
		}
		if c.Rounds == 0 || took < wall {
			wall = took
		}
	}
	c.TextsPerSecond = float64(c.Batch) / wall.Seconds()
	c.CPUPerText = cpu / time.Duration(c.Batch)
	return nil
}

// benchMatmul runs the layer with the most weights over the rows of one text.
func (n *net) benchMatmul() float64 {
	l := n.layers[0].intermediate
	rows := up(benchRows, n.k.mr)
	a, c := make([]float32, rows*l.in), make([]float32, rows*l.out)
	return gflops(2*float64(rows)*float64(l.in)*float64(l.out), func() { l.apply(a, l.in, c, l.out, rows) })
}

func (k *kernel) benchPeak() float64 {
	a, b, c := make([]float32, k.mr*benchPeakK), make([]float32, k.nr*benchPeakK), make([]float32, k.mr*k.nr)
	at := uintptr(unsafe.Pointer(&b[0]))
	return gflops(2*float64(k.mr*k.nr*benchPeakK), func() {
		k.tile(&a[0], benchPeakK*float32Size, &b[0], &b[0], &c[0], uintptr(k.nr*float32Size), benchPeakK, at)
	})
}

// gflops returns the best rate over a few stretches of about ten milliseconds.
func gflops(flop float64, call func()) float64 {
	const stretches, stretch = 20, 10 * time.Millisecond
	call()
	best := 0.0
	for range stretches {
		calls, start := 0, time.Now()
		for time.Since(start) < stretch {
			// enough between looks at the clock not to measure it
			for range 16 {
				call()
				calls++
			}
		}
		best = max(best, flop*float64(calls)/time.Since(start).Seconds()/1e9)
	}
	return best
}
