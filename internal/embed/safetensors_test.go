package embed

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"testing"
)

// rawSafetensors is a file with this header and so many bytes of data.
func rawSafetensors(header string, data int) []byte {
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	return append(append(b, header...), make([]byte, data)...)
}

func TestSafetensors(t *testing.T) {
	const one = `"a":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}`
	for _, c := range []struct {
		name   string
		file   []byte
		want   error
		tensor string
	}{
		{"good", rawSafetensors(`{"__metadata__":{"x":"y"},`+one+`}   `, 24), nil, ""},
		{"unknown types pass", rawSafetensors(`{`+one+`,"b":{"dtype":"U4","shape":[3],"data_offsets":[24,26]}}`, 26), nil, ""},
		{"no tensors", rawSafetensors(`{}`, 0), nil, ""},
		{"empty file", nil, ErrTruncated, "header"},
		{"short length", []byte{1, 2, 3}, ErrTruncated, "header"},
		{"header beyond the file", binary.LittleEndian.AppendUint64(nil, 1000), ErrTruncated, "header"},
		{"absurd header", binary.LittleEndian.AppendUint64(nil, 1<<60), ErrTooLarge, "header"},
		{"length overflows", binary.LittleEndian.AppendUint64(nil, 1<<64-1), ErrTooLarge, "header"},
		{"no JSON", rawSafetensors(`{"a":`, 0), ErrMalformed, "header"},
		{"not an object", rawSafetensors(`[1]`, 0), ErrMalformed, "header"},
		{"not closed", rawSafetensors(`{`+one, 24), ErrMalformed, "header"},
		{"rubbish behind", rawSafetensors(`{`+one+`}x`, 24), ErrMalformed, "header"},
		{"twice", rawSafetensors(`{`+one+`,`+one+`}`, 24), ErrDuplicate, "a"},
		{"overlap", rawSafetensors(`{`+one+`,"b":{"dtype":"F16","shape":[4],"data_offsets":[20,28]}}`, 28), ErrOverlap, "b"},
		{"data missing", rawSafetensors(`{`+one+`}`, 23), ErrTruncated, "a"},
		{"size mismatch", rawSafetensors(`{"a":{"dtype":"F32","shape":[2,2],"data_offsets":[0,24]}}`, 24), ErrShape, "a"},
		{"negative dimension", rawSafetensors(`{"a":{"dtype":"F32","shape":[-2,-3],"data_offsets":[0,24]}}`, 24), ErrShape, "a"},
		{"overflowing shape", rawSafetensors(`{"a":{"dtype":"F32","shape":[2147483647,2147483647,2147483647],"data_offsets":[0,24]}}`, 24), ErrShape, "a"},
		{"too many dimensions", rawSafetensors(`{"a":{"dtype":"F32","shape":[1,1,1,1,1,1,1,1,1],"data_offsets":[0,4]}}`, 4), ErrShape, "a"},
		{"offsets backwards", rawSafetensors(`{"a":{"dtype":"F32","shape":[0],"data_offsets":[8,4]}}`, 8), ErrMalformed, "a"},
		{"negative offset", rawSafetensors(`{"a":{"dtype":"F32","shape":[1],"data_offsets":[-4,0]}}`, 8), ErrMalformed, "a"},
		{"one offset", rawSafetensors(`{"a":{"dtype":"F32","shape":[1],"data_offsets":[4]}}`, 8), ErrMalformed, "a"},
		{"fractional shape", rawSafetensors(`{"a":{"dtype":"F32","shape":[1.5],"data_offsets":[0,4]}}`, 8), ErrMalformed, "header"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := parseSafetensors("f", bytes.NewReader(c.file), int64(len(c.file)))
			if !errors.Is(err, c.want) || (err == nil) != (c.want == nil) {
				t.Fatalf("got %v, want %v", err, c.want)
			}
			var fe *FileError
			if errors.As(err, &fe) && fe.Tensor != c.tensor {
				t.Errorf("blames %q, want %q", fe.Tensor, c.tensor)
			}
			if err == nil && s.has("a") {
				if a, err := s.entries["a"].all(); err != nil || len(a) != 6 {
					t.Error(a, err)
				}
			}
		})
	}
}

// failingReader breaks after the header.
type failingReader struct {
	io.ReaderAt
	from int64
}

func (f failingReader) ReadAt(b []byte, off int64) (int, error) {
	if off >= f.from {
		return 0, io.ErrClosedPipe
	}
	return f.ReaderAt.ReadAt(b, off)
}

func TestSafetensorsReadError(t *testing.T) {
	b := rawSafetensors(`{"a":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}}`, 24)
	for _, from := range []int64{0, 8} {
		if _, err := parseSafetensors("f", failingReader{bytes.NewReader(b), from}, int64(len(b))); !errors.Is(err, io.ErrClosedPipe) {
			t.Error(err)
		}
	}
	s, err := parseSafetensors("f", failingReader{bytes.NewReader(b), 40}, int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.entries["a"].all(); !errors.Is(err, io.ErrClosedPipe) || !strings.Contains(err.Error(), "a ") {
		t.Error(err)
	}
}

func FuzzSafetensors(f *testing.F) {
	f.Add(rawSafetensors(`{"a":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]},"b":{"dtype":"BF16","shape":[],"data_offsets":[24,26]}}`, 26))
	f.Add(rawSafetensors(`{"a":{"dtype":"F16","shape":[0,9],"data_offsets":[0,0]}}`, 0))
	f.Add([]byte{8, 0, 0, 0, 0, 0, 0, 0, '{', '}'})
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := parseSafetensors("f", bytes.NewReader(b), int64(len(b)))
		if err != nil {
			var fe *FileError
			if !errors.As(err, &fe) {
				t.Errorf("untyped error %v", err)
			}
			return
		}
		for name, a := range s.entries {
			if a.want(a.shape...) != nil || len(a.shape) > 2 {
				continue
			}
			// what the header promised can be read
			if _, err := a.all(); err != nil && !errors.Is(err, ErrNotFinite) {
				t.Errorf("%q: %v", name, err)
			}
		}
	})
}
