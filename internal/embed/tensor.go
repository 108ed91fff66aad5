package embed

import (
	"encoding/binary"
	"io"
	"math"
	"slices"
)

// tensor is an array in a file, decoded row by row so that no second copy of
// the weights ever exists.
type tensor struct {
	file, name string
	dtype      string
	shape      []int
	r          io.ReaderAt
	off        int64
	scales     []float32 // of int8, one per group of a row
	group      int       // columns that share a scale
}

// tensors finds the arrays of a model.
type tensors interface {
	tensor(name string) (*tensor, error)
	has(name string) bool
}

const (
	f32  = "F32"
	f16  = "F16"
	bf16 = "BF16"
	i8   = "I8"
)

// width is the number of bytes of one element, 0 for types not computed with.
func width(dtype string) int {
	switch dtype {
	case f32:
		return 4
	case f16, bf16:
		return 2
	case i8:
		return 1
	}
	return 0
}

// want checks that the tensor has this shape and a type that can be decoded.
func (t *tensor) want(shape ...int) error {
	if !slices.Equal(t.shape, shape) {
		return fileErr(t.file, t.name, ErrShape, "%v, want %v", t.shape, shape)
	}
	if width(t.dtype) == 0 || t.dtype == i8 && len(t.scales) == 0 {
		return fileErr(t.file, t.name, ErrUnsupported, "type %q", t.dtype)
	}
	return nil
}

func (t *tensor) rows() int {
	if len(t.shape) < 2 {
		return 1
	}
	return t.shape[0]
}

func (t *tensor) cols() int {
	if len(t.shape) == 0 {
		return 1
	}
	return t.shape[len(t.shape)-1]
}

// rowReader decodes rows through a buffer of its own; one per goroutine.
type rowReader struct{ buf []byte }

// read decodes the rows from first on into dst, whose length says how many.
// With check set, values that are not finite are an error.
func (rr *rowReader) read(t *tensor, first int, dst []float32, check bool) error {
	w, cols := width(t.dtype), t.cols()
	n := len(dst) * w
	rr.buf = slices.Grow(rr.buf[:0], n)[:n]
	if got, err := t.r.ReadAt(rr.buf, t.off+int64(first)*int64(cols*w)); got < n {
		if err == io.EOF {
			err = ErrTruncated
		}
		return &FileError{File: t.file, Tensor: t.name, Err: err}
	}
	switch t.dtype {
	case f32:
		for i := range dst {
			dst[i] = math.Float32frombits(binary.LittleEndian.Uint32(rr.buf[4*i:]))
		}
	case f16:
		for i := range dst {
			dst[i] = fromF16(binary.LittleEndian.Uint16(rr.buf[2*i:]))
		}
	case bf16:
		for i := range dst {
			dst[i] = math.Float32frombits(uint32(binary.LittleEndian.Uint16(rr.buf[2*i:])) << 16)
		}
	case i8:
		scales := t.scales[first*groups(cols, t.group):]
		for at := 0; at < len(dst); at += cols {
			for from := 0; from < cols; from += t.group {
				scale, to := scales[0], min(from+t.group, cols)
				scales = scales[1:]
				out := dst[at+from : at+to]
				for i, b := range rr.buf[at+from : at+to] {
					out[i] = float32(int8(b)) * scale
				}
			}
		}
		return nil // the scales were checked when they were read
	}
	if check {
		return t.checkFinite(dst)
	}
	return nil
}

// groups is the number of scales a row has.
func groups(cols, group int) int { return (cols + group - 1) / group }

func (t *tensor) checkFinite(v []float32) error {
	const exponent = 0x7f800000
	for i, x := range v {
		if math.Float32bits(x)&exponent == exponent {
			return fileErr(t.file, t.name, ErrNotFinite, "%v near element %d of a row", x, i%t.cols())
		}
	}
	return nil
}

// all decodes the whole tensor.
func (t *tensor) all() ([]float32, error) {
	out := make([]float32, t.rows()*t.cols())
	var rr rowReader
	if err := rr.read(t, 0, out, true); err != nil {
		return nil, err
	}
	return out, nil
}

// fromF16 widens a half-precision number.
func fromF16(h uint16) float32 {
	sign := uint32(h&0x8000) << 16
	exp := uint32(h>>10) & 31
	frac := uint32(h & 1023)
	switch exp {
	case 0: // zero and subnormals: frac · 2^-24
		v := float32(frac) / (1 << 24)
		if sign != 0 {
			v = -v
		}
		return v
	case 31:
		return math.Float32frombits(sign | 0x7f800000 | frac<<13)
	}
	return math.Float32frombits(sign | (exp+112)<<23 | frac<<13)
}
