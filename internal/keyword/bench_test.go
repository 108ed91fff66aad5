package keyword

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// TestBench runs the benchmark on a small corpus; with CHITTA_KEYWORD_BENCH set
// to a number of documents, on so many.
func TestBench(t *testing.T) {
	n := 2000
	if s := os.Getenv("CHITTA_KEYWORD_BENCH"); s != "" {
		var err error
		if n, err = strconv.Atoi(s); err != nil {
			t.Fatal(err)
		}
	}
	last := 0
	res, err := Bench(t.Context(), filepath.Join(t.TempDir(), "index"), n, 1, func(done, total int) { last = done })
	if err != nil {
		t.Fatal(err)
	}
	if last != n || res.N != n || len(res.Classes) != 4 || res.IndexBytes == 0 || res.DocsPerCPUSecond == 0 {
		t.Errorf("progress ended at %d, result %+v", last, res)
	}
	for _, c := range res.Classes {
		if c.P50Millis <= 0 || c.ScoredShare <= 0 || c.ScoredShare > 1 {
			t.Errorf("class %+v", c)
		}
	}
	out, err := json.MarshalIndent(res, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s", out)
}
