package keyword

import "encoding/binary"

// Labels of a leaf: a count, a table of u32 offsets sorted by label, then per
// label its name and the set of documents that bear it.
type labelTable struct {
	count int
	index []byte
	data  []byte
}

func appendLabels(dst []byte, names []string, ords func(name string) []uint32, docs int) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(names)))
	at := len(dst)
	dst = append(dst, make([]byte, 4*len(names))...)
	start := len(dst)
	for i, name := range names {
		binary.LittleEndian.PutUint32(dst[at+4*i:], uint32(len(dst)-start))
		dst = appendBytes(dst, []byte(name))
		dst = appendSet(dst, ords(name), docs)
	}
	return dst
}

func parseLabels(b []byte) (labelTable, bool) {
	d := decoder{b: b}
	count := uint64(d.u32())
	index := d.take(count * 4)
	if d.bad {
		return labelTable{}, false
	}
	return labelTable{count: int(count), index: index, data: d.b}, true
}

// entry returns the name of label i and a decoder at its set.
func (t *labelTable) entry(i int) (name []byte, set decoder, ok bool) {
	off := binary.LittleEndian.Uint32(t.index[4*i:])
	if uint64(off) > uint64(len(t.data)) {
		return nil, set, false
	}
	d := decoder{b: t.data[off:]}
	name = d.bytes()
	return name, d, !d.bad
}

// addTo adds the documents that bear a label to s.
func (t *labelTable) addTo(s bitset, label string, docs int) bool {
	lo, hi := 0, t.count
	for lo < hi {
		mid := (lo + hi) / 2
		name, set, ok := t.entry(mid)
		if !ok {
			return false
		}
		switch {
		case string(name) == label:
			return addSet(&set, s, docs)
		case string(name) < label:
			lo = mid + 1
		default:
			hi = mid
		}
	}
	return true
}
