package bench

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"chitta/internal/config"
	"chitta/internal/memory"
	"chitta/internal/mind"
)

// memoryWords is the length of a typical memory.
const memoryWords = 30

// storeRuns says how often each operation is measured.
type storeRuns struct{ remember, get, recall int }

// Store measures remember, get and recall on stores of the given sizes, in
// process: what the daemon itself takes, without the socket.
func Store(ctx context.Context, sizes []int, progress func(done, total int64)) (Report, error) {
	return measureStore(ctx, sizes, storeRuns{remember: 200, get: 1000, recall: 300}, progress)
}

func measureStore(ctx context.Context, sizes []int, runs storeRuns, progress func(done, total int64)) (report Report, err error) {
	home, err := os.MkdirTemp("", "chitta-bench-*")
	if err != nil {
		return Report{}, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(home)) }()
	cfg := config.Default()
	cfg.Home, cfg.Model.Use = home, "none" // the store alone; the model has a benchmark of its own
	m, err := mind.Open(ctx, mind.Options{Config: cfg})
	if err != nil {
		return Report{}, err
	}
	defer func() { err = errors.Join(err, m.Close()) }()

	report = Report{Set: "store"}
	words := newCorpus(1)
	stored := 0
	for _, n := range sizes {
		if n < stored {
			return report, fmt.Errorf("sizes must grow: %d after %d", n, stored)
		}
		begin, before := time.Now(), stored
		if stored, err = fill(ctx, m, words, stored, n, progress); err != nil {
			return report, err
		}
		g := Group{Name: fmt.Sprintf("%d memories", n)}
		if stored > before {
			g.add("import and index", float64(stored-before)/time.Since(begin).Seconds(), "memories/s")
		}
		if err := storeFigures(ctx, m, words, runs, &g); err != nil {
			return report, err
		}
		stored += runs.remember
		report.Groups = append(report.Groups, g)
	}
	return report, nil
}

// fill brings the store to n memories and the index in step.
func fill(ctx context.Context, m *mind.Mind, words *corpus, have, n int, progress func(done, total int64)) (int, error) {
	const batch = 500
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for have < n {
		var in mind.ImportInput
		for range min(batch, n-have) {
			line, err := json.Marshal(mind.TransferLine{Memory: benchMemory(words, have, start)})
			if err != nil {
				return have, err
			}
			in.Lines = append(in.Lines, line)
			have++
		}
		out, err := m.Import(ctx, mind.Caller{Actor: "bench"}, in)
		if err != nil {
			return have, err
		}
		if len(out.Refused) > 0 {
			return have, fmt.Errorf("line refused: %s", out.Refused[0].Why)
		}
		if progress != nil {
			progress(int64(have), int64(n))
		}
	}
	return have, m.Maintain(ctx)
}

func benchMemory(words *corpus, i int, start time.Time) *memory.Memory {
	sum := sha256.Sum256(fmt.Append(nil, i))
	at := start.Add(time.Duration(i) * time.Second)
	return &memory.Memory{
		ID: fmt.Sprintf("m_%x", sum[:8]), Kind: memory.Kind(i % len(memory.Kinds())), Content: words.text(memoryWords),
		Tags: []string{}, Realm: memory.UserRealm, Visibility: memory.Global, State: memory.Active,
		Confidence: memory.NewConfidence(0.8), Source: memory.Conscious, Trust: memory.TrustUser,
		Created: at, Updated: at, Observed: at,
	}
}

func storeFigures(ctx context.Context, m *mind.Mind, words *corpus, runs storeRuns, g *Group) error {
	c := mind.Caller{Actor: "bench"}
	ids := make([]string, runs.remember)
	remember, err := measure(runs.remember, func(i int) error {
		out, err := m.Remember(ctx, c, mind.RememberInput{Content: words.text(memoryWords)})
		ids[i] = out.ID
		return err
	})
	if err != nil {
		return err
	}
	get, err := measure(runs.get, func(i int) error {
		_, err := m.Get(ctx, c, mind.GetInput{ID: ids[i%len(ids)]})
		return err
	})
	if err != nil {
		return err
	}
	recall, err := measure(runs.recall, func(int) error {
		_, err := m.Recall(ctx, c, mind.RecallInput{Query: words.question()})
		return err
	})
	if err != nil {
		return err
	}
	g.add("remember p50", remember.ms(0.5), "ms")
	g.add("remember p99", remember.ms(0.99), "ms")
	g.add("remember", remember.perSecond(), "per s")
	g.add("get p50", get.ms(0.5), "ms")
	g.add("get p99", get.ms(0.99), "ms")
	g.add("get", get.perSecond(), "per s")
	g.atMost("recall p50", recall.ms(0.5), "ms", 10)
	g.add("recall p99", recall.ms(0.99), "ms")
	g.add("recall", recall.perSecond(), "per s")
	st, err := m.Status(ctx, c, mind.NoInput{})
	if err != nil {
		return err
	}
	g.atMost("database per byte of text", float64(st.Disk.Database)/float64(max(1, st.Disk.Text)), "×", 3)
	g.add("index per memory", float64(st.Disk.Index)/float64(max(1, st.Memories.Active)), "B")
	g.add("resident", float64(st.Process.RSS)/(1<<20), "MB")
	return nil
}
