package embed

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
)

// The limits are the format's own, or far above any model of this kind.
const (
	maxHeaderBytes = 100 << 20
	maxTensors     = 1 << 16
	maxDimensions  = 8
)

// safetensors is an opened file of that format: its header, checked. The data
// is read when a tensor is.
type safetensors struct {
	file    string
	r       io.ReaderAt
	entries map[string]*tensor
}

func (s *safetensors) has(name string) bool { return s.entries[name] != nil }

func (s *safetensors) tensor(name string) (*tensor, error) {
	t := s.entries[name]
	if t == nil {
		return nil, fileErr(s.file, name, ErrMissing, "")
	}
	return t, nil
}

// parseSafetensors reads and checks the header. Every tensor it returns lies
// within the file and apart from the others.
func parseSafetensors(file string, r io.ReaderAt, size int64) (*safetensors, error) {
	var head [8]byte
	if size < int64(len(head)) {
		return nil, fileErr(file, "header", ErrTruncated, "%d bytes", size)
	}
	if err := readFull(file, r, head[:], 0); err != nil {
		return nil, err
	}
	n := binary.LittleEndian.Uint64(head[:])
	if n > maxHeaderBytes {
		return nil, fileErr(file, "header", ErrTooLarge, "%d bytes", n)
	}
	if int64(n) > size-int64(len(head)) {
		return nil, fileErr(file, "header", ErrTruncated, "%d bytes in a file of %d", n, size)
	}
	raw := make([]byte, n)
	if err := readFull(file, r, raw, int64(len(head))); err != nil {
		return nil, err
	}
	s := &safetensors{file: file, r: r, entries: map[string]*tensor{}}
	base := int64(len(head)) + int64(n)
	if err := s.header(raw, base, size-base); err != nil {
		return nil, err
	}
	return s, nil
}

func readFull(file string, r io.ReaderAt, b []byte, off int64) error {
	if n, err := r.ReadAt(b, off); n < len(b) {
		if err == io.EOF || err == nil {
			return fileErr(file, "", ErrTruncated, "")
		}
		return &FileError{File: file, Err: err}
	}
	return nil
}

// header walks the JSON by tokens, because decoding into a map would hide a
// name that occurs twice.
func (s *safetensors) header(raw []byte, base, room int64) error {
	bad := func(err error) error { return fileErr(s.file, "header", ErrMalformed, "%v", err) }
	dec := json.NewDecoder(bytes.NewReader(raw))
	if tok, err := dec.Token(); err != nil {
		return bad(err)
	} else if tok != json.Delim('{') {
		return bad(fmt.Errorf("begins with %v", tok))
	}
	type span struct {
		from, to int64
		name     string
	}
	var spans []span
	for dec.More() {
		tok, err := dec.Token()
		if err != nil {
			return bad(err)
		}
		name, _ := tok.(string)
		if name == "__metadata__" {
			var skip json.RawMessage
			if err := dec.Decode(&skip); err != nil {
				return bad(err)
			}
			continue
		}
		var e struct {
			Dtype   string  `json:"dtype"`
			Shape   []int64 `json:"shape"`
			Offsets []int64 `json:"data_offsets"`
		}
		if err := dec.Decode(&e); err != nil {
			return bad(err)
		}
		if s.entries[name] != nil {
			return fileErr(s.file, name, ErrDuplicate, "")
		}
		if len(s.entries) == maxTensors {
			return fileErr(s.file, "header", ErrTooLarge, "more than %d tensors", maxTensors)
		}
		if len(e.Offsets) != 2 || e.Offsets[0] < 0 || e.Offsets[1] < e.Offsets[0] {
			return fileErr(s.file, name, ErrMalformed, "offsets %v", e.Offsets)
		}
		if e.Offsets[1] > room {
			return fileErr(s.file, name, ErrTruncated, "ends at byte %d of %d", e.Offsets[1], room)
		}
		shape, count, err := checkShape(e.Shape)
		if err != nil {
			return fileErr(s.file, name, ErrShape, "%v", err)
		}
		if w := int64(width(e.Dtype)); e.Dtype != i8 && w > 0 && count*w != e.Offsets[1]-e.Offsets[0] {
			return fileErr(s.file, name, ErrShape, "%v of %s in %d bytes", shape, e.Dtype, e.Offsets[1]-e.Offsets[0])
		}
		s.entries[name] = &tensor{file: s.file, name: name, dtype: e.Dtype, shape: shape, r: s.r, off: base + e.Offsets[0]}
		if e.Offsets[1] > e.Offsets[0] {
			spans = append(spans, span{e.Offsets[0], e.Offsets[1], name})
		}
	}
	if _, err := dec.Token(); err != nil {
		return bad(err)
	}
	if rest := bytes.TrimRight(raw[dec.InputOffset():], " \t\r\n"); len(rest) > 0 {
		return bad(fmt.Errorf("%d bytes after the end", len(rest)))
	}
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	for i := 1; i < len(spans); i++ {
		if spans[i].from < spans[i-1].to {
			return fileErr(s.file, spans[i].name, ErrOverlap, "%s", spans[i-1].name)
		}
	}
	return nil
}

// checkShape refuses shapes whose number of elements does not fit.
func checkShape(dims []int64) ([]int, int64, error) {
	if len(dims) > maxDimensions {
		return nil, 0, fmt.Errorf("%d dimensions", len(dims))
	}
	shape, count := make([]int, len(dims)), int64(1)
	for i, d := range dims {
		if d < 0 || d > math.MaxInt32 {
			return nil, 0, fmt.Errorf("%v", dims)
		}
		if d > 0 && count > math.MaxInt64/8/d {
			return nil, 0, fmt.Errorf("%v", dims)
		}
		shape[i] = int(d)
		count *= d
	}
	return shape, count, nil
}
