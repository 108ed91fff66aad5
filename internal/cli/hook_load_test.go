package cli_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chitta/internal/bench"
	"chitta/internal/hook/quick"
)

// TestSessionsAtOnceLoseNothing is a short run of the benchmark under load; how
// long hooks take is for the benchmark.
func TestSessionsAtOnceLoseNothing(t *testing.T) {
	t.Setenv("CHITTA_MODEL_USE", "none")
	r, err := bench.HooksLoad(t.Context(), bench.HooksLoadOptions{
		Exe: filepath.Join(binDir, "chitta"), Sessions: 5, For: 3 * time.Second, Pause: 50 * time.Millisecond,
	}, func(int64, int64) {})
	if err != nil {
		t.Fatal(err)
	}
	figures := map[string]float64{}
	for _, f := range r.Groups[0].Figures {
		figures[f.Name] = f.Value
		reason, failed := strings.CutPrefix(f.Name, "failed: ")
		if failed && reason != quick.OutOfTime && reason != quick.NoAnswer && reason != quick.Busy { // a busy machine
			t.Errorf("%v × %s", f.Value, reason)
		}
	}
	if figures["turns sent"] < 5 {
		t.Fatalf("%v turns were sent; the test shows nothing", figures["turns sent"])
	}
	if figures["records lost"] != 0 || figures["processes left behind"] != 0 {
		t.Errorf("%v records lost, %v processes left behind", figures["records lost"], figures["processes left behind"])
	}
}
