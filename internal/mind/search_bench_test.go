package mind

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"chitta/internal/config"
	"chitta/internal/past"
	"chitta/internal/session"
	"chitta/internal/store"
)

// BenchmarkSearch asks a history of 34 MB of records, everything warm.
func BenchmarkSearch(b *testing.B) {
	cfg := config.Default()
	cfg.Home = b.TempDir()
	cfg.Model.Use = "none"
	m, err := Open(b.Context(), Options{Config: cfg})
	if err != nil {
		b.Fatal(err)
	}
	defer m.Close()
	fillHistory(b, m, 34<<20)
	for _, q := range []struct{ name, query string }{
		{"words", "word12 word345"}, {"rare", "word4999 word20"}, {"one", "word3"}, {"phrase", `"word300 word17"`}, {"common phrase", `"word3 word4"`}, {"no phrase", `"word1 word2 word3 word4"`},
		{"regex", `/x* word4999 word20 /`}, {"scan", `/ord4998 w.rd1[0-9]\b/`}, {"loose", "word1 nowhere"},
	} {
		b.Run(strings.ReplaceAll(q.name, " ", "-"), func(b *testing.B) {
			var took []time.Duration
			for b.Loop() {
				start := time.Now()
				if _, err := m.Search(b.Context(), person, past.SearchInput{Query: q.query, Realm: "all"}); err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(start))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
		})
	}
}

// fillHistory stores sessions of made-up talk until there are so many bytes.
func fillHistory(b *testing.B, m *Mind, bytes int) {
	rng := rand.New(rand.NewPCG(7, 7))
	zipf := rand.NewZipf(rng, 1.3, 20, 5000)
	text := func(words int) string {
		var t strings.Builder
		for range words {
			fmt.Fprintf(&t, "word%d ", zipf.Uint64())
		}
		return t.String()
	}
	for n := 0; bytes > 0; n++ {
		err := m.store.Write(b.Context(), func(tx *store.Tx) error {
			s := store.Session{ID: fmt.Sprintf("session-%d", n), Source: session.ClaudeCode{}.Name(), Realm: "user", Created: m.now(), Updated: m.now(), Messages: 200}
			if err := tx.PutSession(&s); err != nil {
				return err
			}
			for i := range 200 {
				kind, size := "assistant", 30+rng.IntN(60)
				content, _ := json.Marshal(text(size))
				switch i % 4 {
				case 0:
					kind = "user"
				case 2:
					content = fmt.Appendf(nil, `[{"type":"tool_use","id":"t%d","name":"Bash","input":{"command":%q}}]`, i, text(20))
				case 3:
					kind = "user"
					content = fmt.Appendf(nil, `[{"type":"tool_result","tool_use_id":"t%d","content":%q}]`, i-1, text(100+rng.IntN(1500)))
				}
				raw := logged(kind, fmt.Sprintf("m%d-%d", n, i), fmt.Sprintf("m%d-%d", n, i-1), s.ID, string(content))
				if content[0] == '"' {
					var plain string
					_ = json.Unmarshal(content, &plain)
					raw = logged(kind, fmt.Sprintf("m%d-%d", n, i), "", s.ID, plain)
				}
				row := store.Message{Session: s.Seq, Position: int64(i), ID: fmt.Sprintf("m%d-%d", n, i), Role: kind, Time: m.now(), Raw: []byte(raw)}
				if err := tx.AddMessage(&row); err != nil {
					return err
				}
				bytes -= len(raw)
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	start := time.Now()
	if err := m.Maintain(b.Context()); err != nil {
		b.Fatal(err)
	}
	b.Logf("indexed %d messages in %v, index %d bytes", m.messages.Status().Docs, time.Since(start).Round(time.Millisecond), m.messages.Status().Bytes)
}
