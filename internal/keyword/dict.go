package keyword

import (
	"bytes"
	"encoding/binary"
)

// A dictionary maps the terms of one field of a leaf to their posting lists.
// Terms are sorted and stored in blocks of dictBlock, each term without the
// prefix it shares with the one before:
//
//	block: postings offset, { shared, suffix length, suffix, df, list size }*
//
// all numbers as uvarints. A table of u32 block offsets follows, for binary
// search by first terms.
const dictBlock = 16

// dictWriter builds a dictionary in memory; terms come in ascending order.
type dictWriter struct {
	buf    []byte
	index  []byte
	prev   []byte
	count  int
	offset uint64 // of the next list in the field's postings
}

func (w *dictWriter) add(term []byte, df, size int) {
	shared := 0
	if w.count%dictBlock == 0 {
		w.index = binary.LittleEndian.AppendUint32(w.index, uint32(len(w.buf)))
		w.buf = binary.AppendUvarint(w.buf, w.offset)
	} else {
		for shared < len(term) && shared < len(w.prev) && term[shared] == w.prev[shared] {
			shared++
		}
	}
	w.buf = binary.AppendUvarint(w.buf, uint64(shared))
	w.buf = appendBytes(w.buf, term[shared:])
	w.buf = binary.AppendUvarint(w.buf, uint64(df))
	w.buf = binary.AppendUvarint(w.buf, uint64(size))
	w.prev = append(w.prev[:0], term...)
	w.count++
	w.offset += uint64(size)
}

// dict reads a dictionary. Its bytes may be anything.
type dict struct {
	count    int
	terms    []byte
	index    []byte
	postings []byte // the field's lists and the padding behind them
	docs     uint32
}

// dictIter walks over entries in order.
type dictIter struct {
	d      *dict
	dec    decoder
	i      int // entries read
	term   []byte
	df     int
	offset uint64
	size   uint64
}

func (d *dict) iter(block int) dictIter {
	it := dictIter{d: d, i: block * dictBlock}
	off := binary.LittleEndian.Uint32(d.index[block*4:])
	if uint64(off) > uint64(len(d.terms)) {
		it.dec.bad = true
		return it
	}
	it.dec.b = d.terms[off:]
	return it
}

// next reads one entry; at the end or at damage it returns false.
func (it *dictIter) next() bool {
	if it.dec.bad || it.i >= it.d.count {
		return false
	}
	if it.i%dictBlock == 0 {
		it.offset, it.size = it.dec.uvarint(), 0
		it.term = it.term[:0]
	}
	it.offset += it.size
	shared := it.dec.uvarint()
	suffix := it.dec.bytes()
	df := it.dec.uvarint()
	it.size = it.dec.uvarint()
	limit := uint64(len(it.d.postings) - postingsPad)
	if it.dec.bad || shared > uint64(len(it.term)) || df == 0 || df > uint64(it.d.docs) ||
		it.offset > limit || it.size > limit-it.offset {
		it.dec.bad = true
		return false
	}
	it.term = append(it.term[:shared], suffix...)
	it.df = int(df)
	it.i++
	return true
}

func (it *dictIter) damaged() bool { return it.dec.bad }

func (it *dictIter) list() (postingList, bool) {
	data := it.d.postings[it.offset : it.offset+it.size+postingsPad]
	return parseList(data, int(it.size), it.df, it.d.docs)
}

// first returns the first term of a block.
func (d *dict) first(block int) ([]byte, bool) {
	off := binary.LittleEndian.Uint32(d.index[block*4:])
	if uint64(off) > uint64(len(d.terms)) {
		return nil, false
	}
	dec := decoder{b: d.terms[off:]}
	dec.uvarint() // postings offset
	dec.uvarint() // shared, zero
	term := dec.bytes()
	return term, !dec.bad
}

// lookup finds a term. A missing term is a list with df 0.
func (d *dict) lookup(term string) (l postingList, ok bool) {
	lo, hi := 0, len(d.index)/4 // the block is below lo in the end
	for lo < hi {
		mid := (lo + hi) / 2
		first, ok := d.first(mid)
		if !ok {
			return l, false
		}
		if string(first) <= term {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo == 0 {
		return l, true
	}
	it := d.iter(lo - 1)
	for range dictBlock {
		if !it.next() {
			break
		}
		switch c := bytes.Compare(it.term, []byte(term)); {
		case c == 0:
			return it.list()
		case c > 0:
			return l, true
		}
	}
	return l, !it.damaged()
}
