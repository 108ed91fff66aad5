package vector

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"strconv"
	"testing"
)

// TestBench runs the benchmark on few vectors. CHITTA_VECTOR_BENCH sets how
// many there are, CHITTA_VECTOR_BENCH_DIMS their dimensions, and
// CHITTA_VECTOR_BENCH_DATA a file of little-endian single-precision numbers to
// take them and, from its end, the queries from.
func TestBench(t *testing.T) {
	n, dims := setting(t, "CHITTA_VECTOR_BENCH", 2000), setting(t, "CHITTA_VECTOR_BENCH_DIMS", 384)
	var vectors func(int) []float32
	if path := os.Getenv("CHITTA_VECTOR_BENCH_DATA"); path != "" {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		n = len(data)/4/dims - BenchQueries
		vectors = func(i int) []float32 {
			v := make([]float32, dims)
			for j := range v {
				v[j] = math.Float32frombits(binary.LittleEndian.Uint32(data[(i*dims+j)*4:]))
			}
			return v
		}
	}
	last := 0
	res, err := Bench(t.Context(), n, dims, vectors, func(done, total int) { last = done })
	if err != nil {
		t.Fatal(err)
	}
	out, err := json.MarshalIndent(res, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s", out)
	if last != n || res.N != n || res.Bytes == 0 || res.ItemsPerCPUSecond == 0 || res.ExactRecall < 0.99 {
		t.Errorf("progress ended at %d, result %+v", last, res)
	}
	for _, c := range res.Classes {
		if c.P50Millis <= 0 || c.Recall < 0.9 {
			t.Errorf("class %+v", c)
		}
	}
	if _, err := Bench(t.Context(), 0, dims, nil, nil); err == nil {
		t.Error("a benchmark of nothing gave no error")
	}
}

func setting(t *testing.T, name string, otherwise int) int {
	t.Helper()
	s := os.Getenv(name)
	if s == "" {
		return otherwise
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
