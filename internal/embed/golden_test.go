package embed

import (
	"encoding/json"
	"errors"
	"flag"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write testdata/golden.json from the cached folder")

// modelFolder is where scripts/model.sh keeps the package it fetched.
var modelFolder = filepath.Join("..", "..", ".cache", "model", "package", "model")

// goldenVectors are whole vectors of 16-bit weights, whose first values agree
// with the independent implementation's; 8-bit weights are compared with them.
type goldenVectors []struct {
	Text   string    `json:"text"`
	Vector []float32 `json:"vector"`
}

func goldenTexts() []string {
	return []string{
		golden[0].text, golden[1].text, golden[2].text,
		"", "naïve Café, 中文 and 🚀",
		"A goroutine leak: every reconnect started a new reader that never exited because the context was never cancelled.",
		"panic: runtime error: invalid memory address or nil pointer dereference [signal SIGSEGV]",
		strings.Repeat("The daemon takes an exclusive lock on the pid file. ", 20),
	}
}

func openGolden(t *testing.T) Model {
	t.Helper()
	if _, err := os.Stat(modelFolder); err != nil {
		t.Skip("SKIP: no 16-bit weights in .cache/model; `make model` fetches them")
	}
	m, err := OpenFolder(modelFolder)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m
}

func openBuiltin(t testing.TB) Model {
	t.Helper()
	m, err := Builtin()
	if errors.Is(err, ErrNoModel) {
		t.Skip("SKIP: built without weights; `make model` makes them")
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m
}

// TestGoldenFolder: 16-bit weights give what the independent implementation
// gives.
func TestGoldenFolder(t *testing.T) {
	m := openGolden(t)
	vs, err := m.Embed(t.Context(), goldenTexts())
	if err != nil {
		t.Fatal(err)
	}
	for i, g := range golden {
		for j, want := range g.values {
			if d := math.Abs(float64(vs[i][j] - want)); d > 2e-4 {
				t.Errorf("%q [%d] = %v, want %v", g.text, j, vs[i][j], want)
			}
		}
	}
	for pair, p := range [][2]int{{0, 1}, {0, 2}, {1, 2}} {
		if d := math.Abs(dot(vs[p[0]], vs[p[1]]) - goldenCosines[pair]); d > 1e-5 {
			t.Errorf("cosine of %v is off by %v", p, d)
		}
	}
	if *update {
		out := make(goldenVectors, len(vs))
		for i, v := range vs {
			out[i].Text = goldenTexts()[i]
			for _, x := range v {
				out[i].Vector = append(out[i].Vector, float32(math.Round(float64(x)*1e5)/1e5))
			}
		}
		b, err := json.Marshal(out)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join("testdata", "golden.json"), append(b, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for i, g := range readGolden(t) {
		if cos := dot(vs[i], g.Vector); cos < 0.9999 {
			t.Errorf("%.30q: cosine %v", g.Text, cos)
		}
	}
}

func readGolden(t *testing.T) goldenVectors {
	t.Helper()
	var g goldenVectors
	if err := json.Unmarshal(readFile(t, filepath.Join("testdata", "golden.json")), &g); err != nil {
		t.Fatal(err)
	}
	return g
}

// TestGoldenBuiltin: the container of 8-bit weights stays close to that.
func TestGoldenBuiltin(t *testing.T) {
	m := openBuiltin(t)
	info := m.Info()
	if info.ID != "all-MiniLM-L6-v2" || info.Dims != 384 || info.MaxTokens != 128 || info.Pooling != poolMean || info.Source != SourceBuiltin || len(info.Hash) != 64 {
		t.Errorf("%+v", info)
	}
	want := readGolden(t)
	texts := make([]string, len(want))
	for i, g := range want {
		texts[i] = g.Text
	}
	got, err := m.Embed(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	for i, g := range want {
		if cos := dot(got[i], g.Vector); cos < 0.999 {
			t.Errorf("%.30q: cosine %v", g.Text, cos)
		}
	}
	if err := New(m, Options{}).Verify(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestVerifyFindsAWrongModel(t *testing.T) {
	texts := goldenTexts()[:3]
	vs := make([][]float32, len(texts))
	for i := range vs {
		vs[i] = make([]float32, 3)
		vs[i][i] = 1
	}
	lying := &lyingModel{fakeModel{answer: func([]string) ([][]float32, error) { return vs, nil }}}
	var ve *VerifyError
	if err := New(lying, Options{}).Verify(t.Context()); !errors.As(err, &ve) {
		t.Errorf("not the built-in model: %v", err)
	}
	if err := New(&lying.fakeModel, Options{}).Verify(t.Context()); err != nil {
		t.Errorf("some other model: %v", err)
	}
	vs[1] = vs[0]
	if err := New(&lying.fakeModel, Options{}).Verify(t.Context()); !errors.As(err, &ve) {
		t.Errorf("one vector for all: %v", err)
	}
}

// lyingModel claims to be the built-in one.
type lyingModel struct{ fakeModel }

func (m *lyingModel) Info() Info {
	i := m.fakeModel.Info()
	i.Source = SourceBuiltin
	return i
}
