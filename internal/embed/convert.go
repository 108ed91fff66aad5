package embed

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Convert is the body of cmd/weights: IN_DIR OUT_FILE [ID] turns a model
// folder into a container and reports what it wrote. The same folder always
// gives the same bytes.
func Convert(_ context.Context, args []string, report io.Writer) error {
	if len(args) != 2 && len(args) != 3 {
		return errors.New("usage: weights IN_DIR OUT_FILE [ID]")
	}
	dir, out := args[0], args[1]
	abs, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	id := filepath.Base(abs)
	if len(args) == 3 {
		id = args[2]
	}
	f, err := readFolder(dir)
	if err != nil {
		return err
	}
	defer f.close()
	b, err := f.container(id)
	if err != nil {
		return err
	}
	// What was written must load before it replaces anything.
	c, err := openContainer(out, bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return err
	}
	if _, err := c.load(&portable); err != nil {
		return err
	}
	if err := writeAtomically(out, b); err != nil {
		return err
	}
	_, err = fmt.Fprintf(report, "%s: %s, %d dimensions, %d bytes, hash %s\n", out, id, f.config.Hidden, len(b), c.header.Hash)
	return err
}

func writeAtomically(file string, b []byte) error {
	tmp, err := os.CreateTemp(filepath.Dir(file), ".weights-*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.Write(b)
	if err == nil {
		err = tmp.Chmod(0o644)
	}
	if err == nil {
		err = tmp.Sync()
	}
	if cerr := tmp.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return err
	}
	return os.Rename(tmp.Name(), file)
}

// container builds the file in memory.
func (f *folder) container(id string) ([]byte, error) {
	h := containerHeader{ID: id, Config: f.config, Tokenizer: f.settings}
	var data bytes.Buffer
	add := func(b []byte) section {
		data.Write(make([]byte, up(data.Len(), sectionAlign)-data.Len()))
		s := section{int64(data.Len()), int64(len(b))}
		data.Write(b)
		return s
	}
	h.Vocab = add(joinVocab(f.vocab))
	names := make([]string, 0, len(f.weights.entries))
	for name := range f.weights.entries {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		t := f.weights.entries[name]
		name = strings.TrimPrefix(name, "bert.")
		if !strings.HasPrefix(name, "embeddings.") && !strings.HasPrefix(name, "encoder.") || width(t.dtype) == 0 || t.dtype == i8 {
			continue // heads, and tables of integers that nobody reads
		}
		e := containerTensor{Name: name, Type: t.dtype}
		for _, d := range t.shape {
			e.Shape = append(e.Shape, int64(d))
		}
		if len(t.shape) == 2 && t.shape[0] >= minQuantRows {
			values, scales, err := quantize(t)
			if err != nil {
				return nil, err
			}
			e.Type, e.Data, e.Scales, e.Group = i8, add(values), add(scales), quantGroup
		} else {
			raw := make([]byte, t.rows()*t.cols()*width(t.dtype))
			if err := readFull(t.file, t.r, raw, t.off); err != nil {
				return nil, err
			}
			e.Data = add(raw)
		}
		h.Tensors = append(h.Tensors, e)
	}
	head, err := json.Marshal(h)
	if err != nil {
		return nil, err
	}
	sum := sha256.New()
	sum.Write(head)
	sum.Write(data.Bytes())
	h.Hash = hashString(sum)
	if head, err = json.Marshal(h); err != nil {
		return nil, err
	}
	out := append([]byte(containerMagic), make([]byte, 8)...)
	binary.LittleEndian.PutUint32(out[len(containerMagic):], containerVersion)
	binary.LittleEndian.PutUint32(out[len(containerMagic)+4:], uint32(len(head)))
	out = append(out, head...)
	out = append(out, make([]byte, up(len(out), sectionAlign)-len(out))...)
	out = append(out, data.Bytes()...)
	return binary.LittleEndian.AppendUint32(out, crc32.Checksum(out, crc32.MakeTable(crc32.Castagnoli))), nil
}

// minQuantRows leaves the table of token types alone: it saves nothing.
const minQuantRows = 16

// quantTop is the largest integer used; -128 is not, so that rows are
// symmetric.
const quantTop = 127

// quantGroup is the number of columns that share a scale. Against one scale
// per row it halves the error for 6 % more bytes.
const quantGroup = 64

// quantClip is the largest part of a group's range given up for finer steps,
// tried in quantSteps.
const (
	quantClip  = 0.3
	quantSteps = 24
)

// quantize turns the rows into integers, group by group. Of a few scales, the
// smaller ones clipping the largest values a little, it takes the one with the
// smallest squared error.
func quantize(t *tensor) (values, scales []byte, err error) {
	cols := t.cols()
	row := make([]float32, cols)
	best, try := make([]byte, quantGroup), make([]byte, quantGroup)
	var rr rowReader
	for r := range t.rows() {
		if err := rr.read(t, r, row, true); err != nil {
			return nil, nil, err
		}
		for group := range slices.Chunk(row, quantGroup) {
			var top float32
			for _, v := range group {
				top = max(top, v, -v)
			}
			scale, least := float32(0), math.Inf(1)
			clear(best)
			for step := 0; step < quantSteps && top > 0; step++ {
				s := top * (1 - quantClip*float32(step)/quantSteps) / quantTop
				if e := quantRow(try, group, s); e < least {
					scale, least = s, e
					best, try = try, best
				}
			}
			values = append(values, best[:len(group)]...)
			scales = binary.LittleEndian.AppendUint32(scales, math.Float32bits(scale))
		}
	}
	return values, scales, nil
}

func quantRow(dst []byte, row []float32, scale float32) (squaredError float64) {
	for i, v := range row {
		q := math.RoundToEven(float64(v / scale))
		q = max(-quantTop, min(quantTop, q))
		dst[i] = byte(int8(q))
		d := float64(v) - q*float64(scale)
		squaredError += d * d
	}
	return squaredError
}
