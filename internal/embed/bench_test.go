package embed

import (
	"fmt"
	"testing"
)

func TestBench(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	m, err := OpenFolder(newTiny(config{Hidden: 8, Layers: 1, Heads: 2, Intermediate: 8, Positions: 40, Types: 1, Eps: 1e-12}, f32).write(t))
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	steps := 0
	r, err := Bench(t.Context(), m, func(string) { steps++ })
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Cases) != 4 || steps != 6 || r.Matmul <= 0 || r.Peak <= 0 || r.Load <= 0 || r.Info.Dims != 8 {
		t.Errorf("%d steps, %+v", steps, r)
	}
	for _, c := range r.Cases {
		if c.TextsPerSecond <= 0 || c.Rounds < benchRounds || c.CPUPerText < 0 {
			t.Errorf("%+v", c)
		}
	}
}

// TestBenchText: the texts have the tokens they claim.
func TestBenchText(t *testing.T) {
	for _, n := range []int{3, 32, 128} {
		if got := len(testTokenizer(t).encode(nil, benchText(n), 512)); got != n {
			t.Errorf("%d tokens, want %d", got, n)
		}
	}
}

func BenchmarkEmbed(b *testing.B) {
	m := openBuiltin(b)
	for _, c := range []struct{ batch, tokens int }{{1, 32}, {1, 128}, {32, 32}, {32, 128}} {
		b.Run(fmt.Sprintf("%dx%d", c.batch, c.tokens), func(b *testing.B) {
			texts := make([]string, c.batch)
			for i := range texts {
				texts[i] = benchText(c.tokens)
			}
			before := cpuTime()
			for b.Loop() {
				if _, err := m.Embed(b.Context(), texts); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64((cpuTime()-before).Microseconds())/1000/float64(b.N), "cpu-ms/op")
		})
	}
}

func BenchmarkTokenizer(b *testing.B) {
	tok, text := testTokenizer(b), "Walking the café, abcd: func (s *Server) handle(w http.ResponseWriter) { return nil }"
	var ids []int32
	for b.Loop() {
		ids = tok.encode(ids[:0], text, 128)
	}
}
