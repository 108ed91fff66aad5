package embed

import (
	"context"
	"errors"
	"fmt"
	"math"
)

// DefaultMaxTokens is the longest text, in tokens with the two marks at its
// ends, that a model embeds in one piece. BERT models allow more, but the cost
// of attention grows with the square, and sentences are what they were
// trained on.
const DefaultMaxTokens = 128

// Info says what made a vector. ID and Hash belong beside every stored one.
type Info struct {
	ID          string `json:"id"`                     // name of the model
	Hash        string `json:"hash"`                   // of weights, vocabulary and sizes; of the address for endpoints
	Dims        int    `json:"dims"`                   // 0 until the first reply of an endpoint
	MaxTokens   int    `json:"max_tokens"`             // longest text embedded in one piece
	Pooling     string `json:"pooling,omitempty"`      // "mean", "cls", or "" when the endpoint decides
	Kernel      string `json:"kernel,omitempty"`       // "avx512", "avx2", "neon", "portable", or "" for endpoints
	Source      string `json:"source"`                 // "builtin", or the folder, or the endpoint's address
	QueryPrefix string `json:"query_prefix,omitempty"` // put before queries, not before what they search
}

// Model makes vectors of length one, in the order of the texts. A text longer
// than MaxTokens is cut; [Embedder] splits such texts. Models may be used from
// any goroutine.
type Model interface {
	Info() Info
	Embed(ctx context.Context, texts []string) ([][]float32, error)
	Close() error
}

// SourceBuiltin is the Source of the model inside the binary.
const SourceBuiltin = "builtin"

var (
	// ErrNoModel means that the binary was built without weights.
	ErrNoModel = errors.New("built without an embedding model")
	// ErrClosed means that the model was used after Close.
	ErrClosed = errors.New("embedding model is closed")
	// ErrBadVector means that a model answered with a vector that is zero,
	// infinite or not a number.
	ErrBadVector = errors.New("embedding is zero or not finite")
	// ErrDims means that vectors of one model differ in length.
	ErrDims = errors.New("embedding has the wrong number of dimensions")
)

// What is wrong with a model's file; [FileError] says which file and tensor.
var (
	ErrMissing     = errors.New("is missing")
	ErrTruncated   = errors.New("is cut short")
	ErrMalformed   = errors.New("is malformed")
	ErrTooLarge    = errors.New("is larger than allowed")
	ErrDuplicate   = errors.New("occurs twice")
	ErrOverlap     = errors.New("overlaps another tensor")
	ErrShape       = errors.New("has the wrong shape")
	ErrNotFinite   = errors.New("holds a value that is not finite")
	ErrUnsupported = errors.New("is not supported")
	ErrChecksum    = errors.New("does not match its checksum")
)

// FileError is damage or disagreement in a file of a model.
type FileError struct {
	File   string // path
	Tensor string // or setting; may be empty
	Detail string // may be empty
	Err    error  // one of the sentinels above, or what the system said
}

func (e *FileError) Error() string {
	s := "model file " + e.File + ": "
	if e.Tensor != "" {
		s += e.Tensor + " "
	}
	s += e.Err.Error()
	if e.Detail != "" {
		s += ": " + e.Detail
	}
	return s
}

func (e *FileError) Unwrap() error { return e.Err }

func fileErr(file, tensor string, err error, format string, args ...any) error {
	return &FileError{File: file, Tensor: tensor, Err: err, Detail: fmt.Sprintf(format, args...)}
}

// normalize scales v to length one. A vector without a direction is an error,
// because its cosine with anything would be noise or NaN.
func normalize(v []float32) error {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if !(sum > minSquaredNorm) || math.IsInf(sum, 0) {
		return ErrBadVector
	}
	inv := float32(1 / math.Sqrt(sum))
	for i := range v {
		v[i] *= inv
	}
	return nil
}

// minSquaredNorm is far below any sum a model makes and far above what
// rounding leaves of one that is zero.
const minSquaredNorm = 1e-24

// checkUnit refuses vectors that do not have length one within rounding.
func checkUnit(v []float32) error {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if !(math.Abs(sum-1) < unitTolerance) {
		return ErrBadVector
	}
	return nil
}

const unitTolerance = 1e-3
