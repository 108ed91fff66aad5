package mind

import (
	"os"
	"strings"
	"testing"
	"time"

	"chitta/internal/config"
	"chitta/internal/evaldata"
	"chitta/internal/follow"
	"chitta/internal/ingest"
)

// TestEveryLineIsAccountedFor imports the fixtures of other projects, with
// their damaged lines, twice.
func TestEveryLineIsAccountedFor(t *testing.T) {
	m := plain(t)
	files := evaldata.Transcripts(t, "transcripts")
	total, foreign := ingest.LineCounts{}, 0
	for _, path := range files {
		out := ingestAll(t, m, path)
		if notClaude := strings.Contains(path, "not-jsonl"); (out.Format == "") != notClaude {
			t.Errorf("%s: format %q", path, out.Format)
		}
		if out.Format == "" {
			foreign++
		}
		balanced(t, path, out.LineCounts)
		total.Add(out.LineCounts)
	}
	t.Logf("%d files, %d of other formats; %d lines: %d messages, %d known, %v skipped, %d not read", len(files), foreign, total.Lines, total.Added, total.Known, total.Skipped, total.Quarantined)
	sound(t, m)
	for _, path := range files {
		if out := ingestAll(t, m, path); out.Added > 0 {
			t.Errorf("%s: %d messages are new the second time", path, out.Added)
		}
	}
}

// balanced holds that every line became something.
func balanced(t testing.TB, what string, c ingest.LineCounts) {
	t.Helper()
	sum := c.Added + c.Known + c.Quarantined
	for _, n := range c.Skipped {
		sum += n
	}
	if sum != c.Lines {
		t.Errorf("%s: %d lines, but %d accounted for: %+v", what, c.Lines, sum, c)
	}
}

// ingestAll reads a file to its end.
func ingestAll(t testing.TB, m *Mind, path string) ingest.Report {
	t.Helper()
	var all ingest.Report
	for {
		out, err := m.SessionIngest(t.Context(), Caller{Actor: ActorCLI}, SessionIngestInput{Path: path})
		if err != nil {
			t.Fatal(err)
		}
		counts := all.LineCounts
		counts.Add(out.LineCounts)
		rewritten := all.Rewritten || out.Rewritten
		all = out
		all.LineCounts, all.Rewritten = counts, rewritten
		if out.Done {
			return all
		}
	}
}

// BenchmarkIngest imports real sessions until they are found by words.
func BenchmarkIngest(b *testing.B) {
	files := evaldata.Transcripts(b, "sessions")
	var size int64
	for _, f := range files {
		fi, err := os.Stat(f)
		if err != nil {
			b.Fatal(err)
		}
		size += fi.Size()
	}
	b.SetBytes(size)
	for b.Loop() {
		cfg := config.Default()
		cfg.Home, cfg.Model.Use = b.TempDir(), "none"
		m, err := Open(b.Context(), Options{Config: cfg})
		if err != nil {
			b.Fatal(err)
		}
		_, before := processUse()
		messages := 0
		for _, f := range files {
			messages += ingestAll(b, m, f).Added
		}
		_, stored := processUse()
		for _, x := range []*follow.Indexer{m.chunks, m.sessions} {
			if err := x.Maintain(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
		rss, after := processUse()
		again := time.Now()
		for _, f := range files {
			if out := ingestAll(b, m, f); !out.Unchanged {
				b.Errorf("%s has changed: %+v", f, out)
			}
		}
		b.ReportMetric(float64(time.Since(again).Microseconds())/1000, "ms/unchanged")
		b.ReportMetric(float64(size)/1e6/(after-before), "MB/cpu-s")
		b.ReportMetric(float64(size)/1e6/(stored-before), "MB/cpu-s-stored")
		b.ReportMetric(float64(messages), "messages")
		b.ReportMetric(float64(rss)/1e6, "MB-rss")
		b.StopTimer()
		if err := m.Close(); err != nil {
			b.Fatal(err)
		}
		fi, err := os.Stat(cfg.Paths().DB())
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(fi.Size())/1e6, "MB-database")
		b.StartTimer()
	}
}
