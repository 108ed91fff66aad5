package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"chitta/internal/embed"
	"chitta/internal/vector"
)

// Targets of the embedding engine: one tenth above what ONNX Runtime takes on
// the same kind of machine in single precision, and room for it beside the
// rest.
const (
	embedShort   = 1.1 * 11   // ms of CPU, one text of 32 tokens
	embedBatch   = 1.1 * 1530 // ms of CPU, 32 texts of 128 tokens
	embedLoad    = 300        // ms
	embedMemory  = 200        // MB resident
	vectorRecall = 0.99       // share of the true ten nearest
)

// Embed measures the built-in model.
func Embed(ctx context.Context, progress func(step string)) (Report, error) {
	m, err := embed.Builtin()
	if err != nil {
		return Report{}, err
	}
	defer m.Close()
	r, err := embed.Bench(ctx, m, progress)
	if err != nil {
		return Report{}, err
	}
	g := Group{Name: fmt.Sprintf("%s, %s kernel", r.Info.ID, r.Info.Kernel)}
	g.atMost("load", float64(r.Load)/float64(time.Millisecond), "ms", embedLoad)
	for _, c := range r.Cases {
		name := fmt.Sprintf("%d × %d tokens", c.Batch, c.Tokens)
		cpu := float64(c.CPUPerText) * float64(c.Batch) / float64(time.Millisecond)
		switch {
		case c.Batch == 1 && c.Tokens == 32:
			g.atMost(name+", CPU", cpu, "ms", embedShort)
		case c.Batch == 32 && c.Tokens == 128:
			g.atMost(name+", CPU", cpu, "ms", embedBatch)
		default:
			g.add(name+", CPU", cpu, "ms")
		}
		g.add(name, c.TextsPerSecond, "texts/s")
	}
	g.add("matrix product", r.Matmul, "GFLOP/s")
	g.add("matrix product, peak", r.Peak, "GFLOP/s")
	g.atMost("resident", float64(r.RSS)/(1<<20), "MB", embedMemory)
	return Report{Set: "embed", Groups: []Group{g}}, nil
}

// Vector measures the vector index, on vectors of the texts under a path or,
// without one, on synthetic ones.
func Vector(ctx context.Context, sizes []int, texts string, progress func(done, total int64)) (Report, error) {
	const dims = 384
	report := Report{Set: "vector"}
	var vectors func(i int) []float32
	if texts != "" {
		real, err := realVectors(ctx, texts, slices.Max(sizes)+vector.BenchQueries, progress)
		if err != nil {
			return report, err
		}
		// in no order: neighbours in a file would be neighbours in the index
		order := rand.New(rand.NewPCG(1, 2)).Perm(len(real))
		vectors = func(i int) []float32 { return real[order[i]] }
	}
	for _, n := range sizes {
		r, err := vector.Bench(ctx, n, dims, vectors, func(done, total int) { progress(int64(done), int64(total)) })
		if err != nil {
			return report, err
		}
		g := Group{Name: fmt.Sprintf("%d × %d, %s kernel", n, dims, r.Kernel)}
		g.add("insert", r.ItemsPerCPUSecond, "items per CPU-second")
		g.add("memory", r.BytesPerItem, "B per item")
		g.add("exact scan, CPU", r.ExactCPUMillis, "ms per query")
		for _, c := range r.Classes {
			vectorFigures(&g, n, c)
		}
		report.Groups = append(report.Groups, g)
	}
	return report, nil
}

// vectorCPU is the target of one query, in ms of CPU, up to a size.
func vectorCPU(n int) float64 {
	switch {
	case n <= 100_000:
		return 1.5
	case n <= 1_000_000:
		return 15
	}
	return 0
}

func vectorFigures(g *Group, n int, c vector.BenchClass) {
	name := c.Name
	if target := vectorCPU(n); c.Oversample == 0 && c.Name == "default" && target > 0 {
		g.atMost(name+" CPU", c.CPUMillis, "ms per query", target)
		g.atLeast(name+" recall", c.Recall, "", vectorRecall)
	} else {
		g.add(name+" CPU", c.CPUMillis, "ms per query")
		g.add(name+" recall", c.Recall, "")
	}
	g.add(name+" p50", c.P50Millis, "ms")
	g.add(name+" p99", c.P99Millis, "ms")
	g.add(name+" against the exact scan", c.Speedup, "× faster")
}
