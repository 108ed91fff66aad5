package keyword

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
)

// BM25 defaults: the values that did best on turns of conversations, with
// average lengths kept per role. Mixed lengths in one role want a higher b.
const (
	defaultK1     = 0.9
	defaultB      = 0.4
	defaultWeight = 1.0
)

const (
	// defaultFlushBytes is the estimated heap size at which the live segment
	// is written out. 16 MiB holds about 20,000 chat turns: scoring them all
	// stays well under a millisecond, and 500,000 turns make some 25 flushes.
	defaultFlushBytes = 16 << 20

	// defaultMergeFactor segments of similar size are merged into one. Eight
	// keeps 500,000 turns at about ten segments while each document is
	// rewritten about twice.
	defaultMergeFactor = 8

	// defaultMaxDeleted is the share of deleted documents above which a
	// segment is rewritten although its size does not ask for it.
	defaultMaxDeleted = 0.25

	maxFields = 32
)

// Field is one text field of a document and how it is scored. A zero number
// means the default (in Options) or the index's own value (in Query.Fields); a
// negative number means a real zero: Weight -1 ignores the field, B -1 switches
// length normalisation off, K1 -1 ignores how often a term occurs.
type Field struct {
	Name   string
	Weight float64 // factor on the field's share of the score; default 1
	K1     float64 // term frequency saturation; default 0.9
	B      float64 // length normalisation, at most 1; default 0.4
}

// Options says what an index holds and how it is kept. The zero value is an
// index of one unnamed field.
type Options struct {
	// Fields are the text fields, in the order of Doc.Text. Their names are
	// part of the index on disk; weights, k1 and b may change freely.
	Fields []Field

	// Source names what the index is derived from. An index made from another
	// source is refused with ErrOptionsChanged.
	Source string

	// FlushBytes is the estimated size of the live segment at which the next
	// Apply writes it to disk first. Default 16 MiB.
	FlushBytes int

	// MergeFactor is how many segments of similar size are merged into one by
	// Maintain. Default 8, at least 2.
	MergeFactor int

	// MaxDeleted is the share of deleted documents above which Maintain
	// rewrites a segment. Default 0.25.
	MaxDeleted float64

	fs fileSystem // test seam; nil is the real one
}

func (o Options) withDefaults() (Options, error) {
	if len(o.Fields) == 0 {
		o.Fields = []Field{{}}
	}
	if len(o.Fields) > maxFields {
		return o, fmt.Errorf("keyword options: %d fields, at most %d are possible", len(o.Fields), maxFields)
	}
	defaults := Field{Weight: defaultWeight, K1: defaultK1, B: defaultB}
	fields := make([]Field, len(o.Fields))
	seen := make(map[string]bool)
	for i, f := range o.Fields {
		if seen[f.Name] {
			return o, fmt.Errorf("keyword options: field %q is named twice", f.Name)
		}
		seen[f.Name] = true
		f, err := f.over(defaults)
		if err != nil {
			return o, fmt.Errorf("keyword options: %w", err)
		}
		fields[i] = f
	}
	o.Fields = fields
	o.FlushBytes = cmp.Or(max(o.FlushBytes, 0), defaultFlushBytes)
	o.MergeFactor = max(2, cmp.Or(max(o.MergeFactor, 0), defaultMergeFactor))
	if !(o.MaxDeleted > 0 && o.MaxDeleted < 1) {
		o.MaxDeleted = defaultMaxDeleted
	}
	if o.fs == nil {
		o.fs = osFS{}
	}
	return o, nil
}

// over returns f with zero numbers taken from base and negative ones as zero.
func (f Field) over(base Field) (Field, error) {
	for _, v := range []struct {
		name  string
		value float64
		limit float64
	}{{"weight", f.Weight, 1e6}, {"k1", f.K1, 1e3}, {"b", f.B, 1}} {
		if math.IsNaN(v.value) || v.value > v.limit {
			return f, fmt.Errorf("field %q: %s is %v, at most %v is possible", f.Name, v.name, v.value, v.limit)
		}
	}
	f.Weight = max(0, cmp.Or(f.Weight, base.Weight))
	f.K1 = max(0, cmp.Or(f.K1, base.K1))
	f.B = max(0, cmp.Or(f.B, base.B))
	return f, nil
}

// override applies the query's fields, matched by name, to the index's.
func override(fields, by []Field) ([]Field, error) {
	if len(by) == 0 {
		return fields, nil
	}
	out := append([]Field(nil), fields...)
next:
	for _, f := range by {
		for i := range out {
			if out[i].Name == f.Name {
				g, err := f.over(out[i])
				if err != nil {
					return nil, err
				}
				out[i] = g
				continue next
			}
		}
		return nil, fmt.Errorf("no field is named %q", f.Name)
	}
	return out, nil
}

// hash covers what the files depend on, and nothing that a query may change.
func (o Options) hash() uint64 {
	h := fnv.New64a()
	var b [8]byte
	put := func(n int) {
		binary.LittleEndian.PutUint64(b[:], uint64(n))
		h.Write(b[:])
	}
	put(analysisVersion)
	put(len(o.Fields))
	for _, f := range o.Fields {
		put(len(f.Name))
		h.Write([]byte(f.Name))
	}
	put(len(o.Source))
	h.Write([]byte(o.Source))
	return h.Sum64()
}
