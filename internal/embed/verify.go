package embed

import (
	"context"
	"errors"
	"fmt"
	"math"
)

// golden holds what an independent implementation of all-MiniLM-L6-v2 answers:
// the first values of each text's vector. The cosines between the texts cover
// all dimensions.
var golden = []struct {
	text   string
	values []float32
}{
	{"This is an example sentence", []float32{0.067655, 0.063557, 0.048734, 0.079413, 0.037445, 0.002681}},
	{"how do I stop two processes from writing at the same time", []float32{-0.023032, -0.038837, -0.019237, 0.025853, -0.035074, -0.070953}},
	{"func (s *Server) handleGET(w http.ResponseWriter, r *http.Request) { return nil }", []float32{-0.098472, 0.051457, -0.058289, 0.008177, -0.021442, -0.104437}},
}

// goldenCosines are those of texts 0 and 1, 0 and 2, 1 and 2.
var goldenCosines = []float64{0.131439, -0.033241, 0.088884}

// goldenTolerance is what 8-bit weights may change in a value or a cosine;
// the largest difference seen is 0.004.
const goldenTolerance = 0.01

// What a model can get wrong that need not give known values.
var (
	// ErrConstant means that different texts get the same vector.
	ErrConstant = errors.New("it gives different texts the same vector, so nothing could be told apart: choose a model made for embeddings")
	// ErrUnstable means that the same text gets different vectors.
	ErrUnstable = errors.New("it gives the same text another vector each time, so nothing could be found again: choose a model made for embeddings, and one model only behind the address")
)

// VerifyError means that the model computes something else than it should.
type VerifyError struct {
	Text      string
	Got, Want float64
	Err       error // ErrConstant, ErrUnstable, or nil: the values are wrong
}

func (e *VerifyError) Unwrap() error { return e.Err }

func (e *VerifyError) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("the embedding model does not work: %v (cosine %.4f for %q)", e.Err, e.Got, e.Text)
	}
	return fmt.Sprintf("embedding of %q is off: %.6f, want %.6f", e.Text, e.Got, e.Want)
}

// Verify lets the model embed three texts, past cache and breaker. The
// built-in model must give the known answer; any other must give vectors of
// length one that differ between texts, and the same ones when asked again.
func (e *Embedder) Verify(ctx context.Context) error {
	texts := make([]string, len(golden))
	for i, g := range golden {
		texts[i] = g.text
	}
	vs, err := e.batch(ctx, texts)
	if err != nil {
		return fmt.Errorf("verify the embedding model: %w", err)
	}
	builtin := e.model.Info().Source == SourceBuiltin
	for pair, p := range [][2]int{{0, 1}, {0, 2}, {1, 2}} {
		got := dot(vs[p[0]], vs[p[1]])
		if builtin && math.Abs(got-goldenCosines[pair]) > goldenTolerance {
			return &VerifyError{Text: texts[p[0]], Got: got, Want: goldenCosines[pair]}
		}
		if got > 1-sameTolerance {
			return &VerifyError{Text: texts[p[0]], Got: got, Err: ErrConstant}
		}
	}
	if !builtin {
		return e.verifyStable(ctx, texts, vs)
	}
	for i, g := range golden {
		for j, want := range g.values {
			if d := math.Abs(float64(vs[i][j] - want)); !(d <= goldenTolerance) {
				return &VerifyError{Text: g.text, Got: float64(vs[i][j]), Want: float64(want)}
			}
		}
	}
	return nil
}

// verifyStable asks for the same texts again.
func (e *Embedder) verifyStable(ctx context.Context, texts []string, before [][]float32) error {
	again, err := e.batch(ctx, texts)
	if err != nil {
		return fmt.Errorf("verify the embedding model again: %w", err)
	}
	for i, text := range texts {
		if got := dot(before[i], again[i]); !(got >= stableCosine) {
			return &VerifyError{Text: text, Got: got, Want: 1, Err: ErrUnstable}
		}
	}
	return nil
}

// stableCosine is what rounding in another batch or on another device leaves
// of the cosine of a text with itself, and more.
const stableCosine = 0.999

// sameTolerance: texts as different as these never come closer.
const sameTolerance = 1e-4

func dot(a, b []float32) float64 {
	var s float64
	for i, x := range a {
		s += float64(x) * float64(b[i])
	}
	return s
}
