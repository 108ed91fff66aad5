package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"chitta/internal/config"
	"chitta/internal/memory"
	"chitta/internal/mind"
	"chitta/internal/past"
	"chitta/internal/store"
)

// Targets of taking over transcripts.
const (
	ingestRate     = 20  // MB of transcript per CPU second, until words find it
	ingestAgain    = 100 // ms to look at everything again when nothing changed
	ingestDatabase = 3   // × the text kept
	ingestMemory   = 200 // MB beyond what the process has without it
	searchMedian   = 5   // ms
)

// searchRuns is how many searches are measured.
const searchRuns = 200

// Ingest takes over the transcripts under a directory and measures how fast,
// how large, and how fast they are searched.
func Ingest(ctx context.Context, dir string, progress func(done, total int64)) (report Report, err error) {
	files, err := transcripts(dir)
	if err != nil {
		return report, err
	}
	if len(files) == 0 {
		return report, fmt.Errorf("%s has no transcripts (*.jsonl)", dir)
	}
	home, err := os.MkdirTemp("", "chitta-bench-*")
	if err != nil {
		return report, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(home)) }()
	cfg := config.Default()
	cfg.Home, cfg.Model.Use = home, "none" // vectors follow in the background
	m, err := mind.Open(ctx, mind.Options{Config: cfg})
	if err != nil {
		return report, err
	}
	open := true
	defer func() {
		if open {
			err = errors.Join(err, m.Close())
		}
	}()
	before := mind.Process()
	start := time.Now()
	var bytes, peak int64
	for i, f := range files {
		out, err := ingestFile(ctx, m, f)
		if err != nil {
			return report, err
		}
		bytes += out.Size
		peak = max(peak, mind.Process().RSS)
		progress(int64(i+1), int64(len(files)))
	}
	for { // at least once: what is indexed already has to be written to disk
		if err := m.CatchUp(ctx); err != nil {
			return report, err
		}
		if !m.Behind() {
			break
		}
	}
	took := time.Since(start)
	after := mind.Process()
	spent := after.CPUSeconds - before.CPUSeconds
	g := Group{Name: fmt.Sprintf("%d files, %.1f MB", len(files), float64(bytes)/1e6)}
	g.atLeast("import, searchable by words", float64(bytes)/1e6/spent, "MB per CPU-second", ingestRate)
	g.add("import, wall", float64(bytes)/1e6/took.Seconds(), "MB/s")
	g.atMost("memory beyond the start", float64(max(peak, after.RSS)-before.RSS)/1e6, "MB", ingestMemory)

	if err := settled(ctx, m); err != nil { // edges between chunks, and what else can wait
		return report, err
	}
	start = time.Now()
	for _, f := range files {
		if _, err := ingestFile(ctx, m, f); err != nil {
			return report, err
		}
	}
	g.atMost("import again, nothing changed", float64(time.Since(start).Microseconds())/1000, "ms", ingestAgain)

	if err := searchFigures(ctx, m, &g); err != nil {
		return report, err
	}
	open = false
	if err := m.Close(); err != nil {
		return report, err
	}
	kept, messages, err := keptBytes(ctx, cfg.Paths().DB())
	if err != nil {
		return report, err
	}
	fi, err := os.Stat(cfg.Paths().DB())
	if err != nil {
		return report, err
	}
	g.add("messages", float64(messages), "")
	g.atMost("database per byte kept", float64(fi.Size())/float64(kept), "×", ingestDatabase)
	return Report{Set: "ingest", Groups: []Group{g}}, nil
}

// keptBytes sums up the messages of a database as they are kept.
func keptBytes(ctx context.Context, path string) (bytes int64, messages int, err error) {
	s, err := store.Open(ctx, store.Options{Path: path})
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	err = s.EachMessage(ctx, func(m *store.Message) error {
		bytes += int64(len(m.Raw))
		messages++
		return nil
	})
	return bytes, messages, err
}

// searchFigures looks for words that occur in what was taken over.
func searchFigures(ctx context.Context, m *mind.Mind, g *Group) error {
	queries := []string{"error", "test failed", "commit the changes", "\"exit code\"", "refactor session", "func main", "TODO", "hook settings json"}
	took, err := measure(searchRuns, func(i int) error {
		_, err := m.Search(ctx, benchCaller, past.SearchInput{Query: queries[i%len(queries)], Realm: memory.UserRealm})
		return err
	})
	if err != nil {
		return err
	}
	g.atMost("search p50", took.ms(0.5), "ms", searchMedian)
	g.add("search p99", took.ms(0.99), "ms")
	return nil
}
