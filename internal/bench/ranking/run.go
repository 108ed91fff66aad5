package ranking

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"
)

// Configuration is one way of ranking under comparison. The default one gives
// the report its figures, the others stand beside it.
type Configuration struct {
	Name    string
	Default bool
}

// Open makes a corpus searchable. It returns what gives the ranker of a
// configuration, and what ends it all; with an error there is nothing to end.
type Open func(ctx context.Context, corpus Corpus) (rank func(configuration string) Ranker, closeStore func() error, err error)

// Run puts every question of a set to every configuration, one corpus open at
// a time. progress counts answers; it may be nil.
func Run(ctx context.Context, set Set, rows []Configuration, open Open, progress func(done, total int64)) (Report, error) {
	if err := checkConfigurations(rows); err != nil {
		return Report{}, err
	}
	report := newReport(set)
	if report.Questions == 0 {
		return Report{}, fmt.Errorf("set %s has no question with usable evidence", set.Name)
	}
	r := run{rows: rows, open: open, scores: make([][]Score, len(rows))}
	total := int64(report.Questions) * int64(len(rows))
	r.answered = func() {
		r.done++
		if progress != nil {
			progress(r.done, total)
		}
	}
	for _, corpus := range set.Corpora {
		if len(corpus.Questions) == 0 {
			continue
		}
		if err := r.corpus(ctx, corpus); err != nil {
			return Report{}, fmt.Errorf("corpus %s: %w", corpus.Name, err)
		}
	}
	for i, row := range rows {
		metrics := Average(r.scores[i])
		report.Ablation = append(report.Ablation, Row{Name: row.Name, Metrics: metrics})
		if row.Default {
			report.Metrics = metrics
			report.Categories = ByCategory(r.scores[i])
		}
	}
	report.LatencyMs = latencyOf(r.elapsed)
	return report, nil
}

func checkConfigurations(rows []Configuration) error {
	defaults := 0
	names := map[string]bool{}
	for _, row := range rows {
		if names[row.Name] {
			return fmt.Errorf("configuration %q is there twice", row.Name)
		}
		names[row.Name] = true
		if row.Default {
			defaults++
		}
	}
	if defaults != 1 {
		return fmt.Errorf("%d default configurations, want one", defaults)
	}
	return nil
}

// run is the state of one call of Run.
type run struct {
	rows     []Configuration
	open     Open
	scores   [][]Score       // by configuration
	elapsed  []time.Duration // of the default one
	done     int64
	answered func()
}

// corpus opens one corpus, asks everything and closes it.
func (r *run) corpus(ctx context.Context, corpus Corpus) (err error) {
	rank, closeStore, err := r.open(ctx, corpus)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeStore()) }()
	for i, row := range r.rows {
		answers, err := r.ask(ctx, corpus.Questions, rank(row.Name))
		if err != nil {
			return fmt.Errorf("configuration %s: %w", row.Name, err)
		}
		scores, err := Evaluate(corpus, answers)
		if err != nil {
			return err
		}
		r.scores[i] = append(r.scores[i], scores...)
		if row.Default {
			for _, a := range answers {
				r.elapsed = append(r.elapsed, a.Elapsed)
			}
		}
	}
	return nil
}

func (r *run) ask(ctx context.Context, questions []Question, rank Ranker) ([]Ranked, error) {
	if rank == nil {
		return nil, errors.New("no such configuration")
	}
	answers := make([]Ranked, len(questions))
	for i, q := range questions {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		start := time.Now()
		answer, err := rank(ctx, q)
		if err != nil {
			return nil, fmt.Errorf("question %s: %w", q.ID, err)
		}
		if answer.Elapsed == 0 {
			answer.Elapsed = time.Since(start)
		}
		answers[i] = answer
		r.answered()
	}
	return answers, nil
}

func latencyOf(elapsed []time.Duration) Latency {
	slices.Sort(elapsed)
	return Latency{P50: quantileMs(elapsed, 0.50), P95: quantileMs(elapsed, 0.95)}
}

// quantileMs returns the smallest of the sorted durations that is not exceeded
// by the given share of them, in milliseconds.
func quantileMs(sorted []time.Duration, share float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	rank := max(1, int(math.Ceil(share*float64(len(sorted)))))
	return float64(sorted[rank-1].Microseconds()) / 1000
}
