package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"chitta/internal/config"
	"chitta/internal/embed"
	"chitta/internal/memory"
	"chitta/internal/mind"
)

// Targets of recall: the whole of it may take twice as long as embedding the
// question, and a daemon that just started answers soon.
const (
	recallOverEmbedding = 2   // ×
	recallColdStart     = 500 // ms
)

// recallRuns is how many questions are put at each size.
const recallRuns = 200

// Recall measures recall from end to end on conversations of the given sizes:
// the built-in model embeds the question, the vectors of what is stored are
// made up, because real ones of half a million turns would take an hour.
func Recall(ctx context.Context, sizes []int, progress func(done, total int64)) (report Report, err error) {
	home, err := os.MkdirTemp("", "chitta-bench-*")
	if err != nil {
		return Report{}, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(home)) }()
	cfg := config.Default()
	cfg.Home = home
	real, err := embed.Builtin()
	if err != nil {
		return Report{}, err
	}
	model := &madeUp{Model: real}
	open := func() (*mind.Mind, error) {
		return mind.Open(ctx, mind.Options{Config: cfg, Model: func() (embed.Model, error) { return model, nil }})
	}
	report = Report{Set: "recall"}
	words := newCorpus(3)
	var medians []float64
	stored := 0
	for _, n := range sizes {
		if n < stored {
			return report, fmt.Errorf("sizes must grow: %d after %d", n, stored)
		}
		model.instead.Store(true)
		m, err := open()
		if err != nil {
			return report, err
		}
		if stored, err = fillTurns(ctx, m, words, stored, n, progress); err != nil {
			return report, errors.Join(err, m.Close())
		}
		if err := m.Close(); err != nil {
			return report, err
		}
		model.instead.Store(false)
		g := Group{Name: fmt.Sprintf("%d turns", n)}
		median, err := recallFigures(ctx, open, model, words, &g)
		if err != nil {
			return report, err
		}
		medians = append(medians, median)
		report.Groups = append(report.Groups, g)
	}
	if last := len(sizes) - 1; last > 0 {
		g := Group{Name: "growth"}
		g.add("exponent of p50, first to last size", math.Log(medians[last]/medians[0])/math.Log(float64(sizes[last])/float64(sizes[0])), "")
		report.Groups = append(report.Groups, g)
	}
	return report, nil
}

// recallFigures opens the store anew, as a daemon does, and puts questions.
func recallFigures(ctx context.Context, open func() (*mind.Mind, error), model embed.Model, words *corpus, g *Group) (median float64, err error) {
	ask := func(m *mind.Mind, explain bool) (mind.RecallOutput, error) {
		return m.Recall(ctx, benchCaller, mind.RecallInput{Query: words.question(), Realm: memory.UserRealm, Explain: explain})
	}
	start := time.Now()
	m, err := open()
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, m.Close()) }()
	if _, err := ask(m, false); err != nil {
		return 0, err
	}
	g.atMost("cold start to first answer", float64(time.Since(start).Microseconds())/1000, "ms", recallColdStart)
	for !m.Embedded() {
		if err := m.Maintain(ctx); err != nil {
			return 0, err
		}
	}
	g.add("cold start to search by meaning", float64(time.Since(start).Microseconds())/1000, "ms")

	embedding, err := measure(recallRuns, func(int) error {
		_, err := model.Embed(ctx, []string{words.question()})
		return err
	})
	if err != nil {
		return 0, err
	}
	whole, err := measure(recallRuns, func(int) error {
		out, err := ask(m, false)
		if err != nil {
			return err
		}
		off := slices.DeleteFunc(out.Off, func(stage string) bool { return strings.HasPrefix(stage, "code:") }) // no project is indexed here
		if len(out.Degraded)+len(off) > 0 {
			return fmt.Errorf("not all could take part: %v %v", out.Degraded, off)
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	stages := map[string]latencies{}
	var order []string
	for range recallRuns {
		out, err := ask(m, true)
		if err != nil {
			return 0, err
		}
		for _, s := range out.Stages {
			if stages[s.Stage] == nil {
				order = append(order, s.Stage)
			}
			stages[s.Stage] = append(stages[s.Stage], time.Duration(s.Ms*float64(time.Millisecond)))
		}
	}
	g.add("embedding a question p50", embedding.ms(0.5), "ms")
	g.add("recall p50", whole.ms(0.5), "ms")
	g.add("recall p99", whole.ms(0.99), "ms")
	g.atMost("recall p50 over embedding p50", whole.ms(0.5)/embedding.ms(0.5), "×", recallOverEmbedding)
	for _, s := range order {
		slices.Sort(stages[s])
		g.add(s+" p50", stages[s].ms(0.5), "ms")
		g.add(s+" p99", stages[s].ms(0.99), "ms")
	}
	return whole.ms(0.5), nil
}

const (
	turnWords      = 40 // of a typical turn
	turnsPerTalk   = 50
	fillBatchTurns = 1000
)

// fillTurns brings the store to n turns, all of them indexed.
func fillTurns(ctx context.Context, m *mind.Mind, words *corpus, have, n int, progress func(done, total int64)) (int, error) {
	start := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	roles := []string{"user", "assistant"}
	for have < n {
		in := mind.SessionImportInput{Format: "turns", Realm: memory.UserRealm}
		for range min(fillBatchTurns, n-have) {
			line, err := json.Marshal(map[string]any{
				"id": have, "session": fmt.Sprintf("talk-%d", have/turnsPerTalk), "role": roles[have%2],
				"time": start.Add(time.Duration(have) * time.Minute), "text": words.text(turnWords),
			})
			if err != nil {
				return have, err
			}
			in.Lines = append(in.Lines, string(line))
			have++
		}
		if _, err := m.SessionImport(ctx, benchCaller, in); err != nil {
			return have, err
		}
		progress(int64(have), int64(n))
	}
	return have, settled(ctx, m)
}

// settled lets the background work finish.
func settled(ctx context.Context, m *mind.Mind) error {
	for {
		if err := m.Maintain(ctx); err != nil {
			return err
		}
		if !m.Behind() && m.Embedded() {
			return nil
		}
	}
}

// madeUp stands for a model: it makes vectors up instead of computing them, as
// long as it is told to.
type madeUp struct {
	embed.Model
	instead atomic.Bool
}

// Embed returns a random direction that belongs to the text, or asks the
// model.
func (m *madeUp) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if !m.instead.Load() {
		return m.Model.Embed(ctx, texts)
	}
	out := make([][]float32, len(texts))
	for i, text := range texts {
		h := fnv.New64a()
		h.Write([]byte(text))
		rnd := rand.New(rand.NewPCG(h.Sum64(), 7))
		v := make([]float32, m.Info().Dims)
		square := 0.0
		for j := range v {
			x := rnd.NormFloat64()
			v[j] = float32(x)
			square += x * x
		}
		for j := range v {
			v[j] /= float32(math.Sqrt(square))
		}
		out[i] = v
	}
	return out, nil
}

// Close leaves the model open: the next mind uses it again.
func (m *madeUp) Close() error { return nil }
