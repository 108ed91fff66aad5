package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"chitta/internal/keyword"
)

// Keyword measures the keyword index on synthetic text: documents of about 80
// words of an uneven vocabulary, questions of six terms with common words
// among them.
func Keyword(ctx context.Context, sizes []int, progress func(done, total int64)) (report Report, err error) {
	dir, err := os.MkdirTemp("", "chitta-bench-*")
	if err != nil {
		return Report{}, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	report = Report{Set: "keyword"}
	for _, n := range sizes {
		r, err := keyword.Bench(ctx, filepath.Join(dir, fmt.Sprint(n)), n, 1, func(done, total int) { progress(int64(done), int64(total)) })
		if err != nil {
			return report, err
		}
		report.Groups = append(report.Groups, keywordFigures(r))
	}
	return report, nil
}

const (
	buildTarget   = 5000 // documents per CPU-second
	small, large  = 100_000, 500_000
	smallP50      = 2.0 // ms for a natural question
	largeP50      = 5.0
	naturalClass  = "natural"
	percentFactor = 100
)

func keywordFigures(r keyword.BenchResult) Group {
	g := Group{Name: fmt.Sprintf("%d documents", r.N)}
	g.atLeast("build", r.DocsPerCPUSecond, "docs per CPU-second", buildTarget)
	g.add("build, wall", r.DocsPerWallSecond, "docs/s")
	g.add("size", r.BytesPerDoc, "B per document")
	g.add("size of the text", r.TextBytesPerDoc, "B per document")
	g.add("open", r.OpenMillis, "ms")
	for _, c := range r.Classes {
		switch {
		case c.Name == naturalClass && r.N <= small:
			g.atMost(c.Name+" p50", c.P50Millis, "ms", smallP50)
		case c.Name == naturalClass && r.N <= large:
			g.atMost(c.Name+" p50", c.P50Millis, "ms", largeP50)
		default:
			g.add(c.Name+" p50", c.P50Millis, "ms")
		}
		g.add(c.Name+" p99", c.P99Millis, "ms")
		g.add(c.Name+" CPU", c.CPUMillis, "ms per query")
		g.add(c.Name+" against scoring everything", c.Speedup, "× faster")
		g.add(c.Name+" scored", percentFactor*c.ScoredShare, "% of matches")
	}
	return g
}
