package keyword

import "encoding/binary"

// postingList is a list in its stored form, the parts told apart. Nothing in it
// is trusted: every read is checked against the bytes there are.
type postingList struct {
	df      int
	docs    uint32 // documents in the leaf; every document is below
	impacts []byte // of the whole list; nil without full blocks
	skips   []byte // one entry per full block
	body    []byte // blocks and tail, followed by at least postingsPad bytes
	size    int    // of body without the padding
}

func (l *postingList) blocks() int { return l.df / blockSize }
func (l *postingList) tail() int   { return l.df % blockSize }

// last returns the last document of a full block.
func (l *postingList) last(block int) uint32 {
	return binary.LittleEndian.Uint32(l.skips[block*skipSize:])
}

// end returns where a full block ends in body.
func (l *postingList) end(block int) int {
	return int(binary.LittleEndian.Uint32(l.skips[block*skipSize+4:]))
}

// parseList takes the head of a list apart. data holds size bytes and the
// padding behind them.
func parseList(data []byte, size, df int, docs uint32) (postingList, bool) {
	l := postingList{df: df, docs: docs, body: data, size: size}
	if df <= 0 || uint32(df) > docs || size > len(data)-postingsPad {
		return l, false
	}
	blocks := df / blockSize
	if blocks == 0 {
		return l, true
	}
	n := 0
	if size > 0 {
		n = 1 + 2*int(data[0])
	}
	head := n + blocks*skipSize
	if n <= 1 || head > size {
		return l, false
	}
	l.impacts, l.skips, l.body, l.size = data[1:n], data[n:head], data[head:], size-head
	return l, true
}

// block returns a full block: widths, impacts, and the packed bytes with the
// padding behind them.
func (l *postingList) block(i int) (gapBits, tfBits int, impacts, packed []byte, ok bool) {
	start, end := 0, l.end(i)
	if i > 0 {
		start = l.end(i - 1)
	}
	if start < 0 || end > l.size || end-start < 3 {
		return 0, 0, nil, nil, false
	}
	b := l.body[start : end+postingsPad]
	gapBits, tfBits = int(b[0]), int(b[1])
	head := 3 + 2*int(b[2])
	if gapBits > 32 || tfBits > 8 || b[2] == 0 ||
		head+packedSize(gapBits)+packedSize(tfBits) != end-start {
		return 0, 0, nil, nil, false
	}
	return gapBits, tfBits, b[3:head], b[head:], true
}

// prefix turns gaps into documents; next is the lowest the first may be. It
// reports whether they end at last, which also means that they ascend and that
// all of them are in the leaf.
func (l *postingList) prefix(docs *[blockSize]uint32, next, last uint32) bool {
	at := uint64(next)
	for i := range docs {
		at += uint64(docs[i])
		docs[i] = uint32(at)
		at++
	}
	return at == uint64(last)+1 && last < l.docs
}

// unpackDocs unpacks the documents of a block, as unpack and prefix do, but in
// one go where gaps are small: then lists are long, and that is where it counts.
func (l *postingList) unpackDocs(docs *[blockSize]uint32, packed []byte, gapBits int, next, last uint32) bool {
	if gapBits == 0 || gapBits > 8 {
		unpack(docs, packed, gapBits)
		return l.prefix(docs, next, last)
	}
	if last >= l.docs {
		return false
	}
	w, mask := uint(gapBits), uint32(1)<<gapBits-1
	at := next - 1
	for i := 0; i < blockSize; i += 8 {
		v := binary.LittleEndian.Uint64(packed)
		packed = packed[gapBits:]
		d := docs[i : i+8 : i+8]
		at += uint32(v)&mask + 1
		d[0] = at
		at += uint32(v>>(w&63))&mask + 1
		d[1] = at
		at += uint32(v>>(2*w&63))&mask + 1
		d[2] = at
		at += uint32(v>>(3*w&63))&mask + 1
		d[3] = at
		at += uint32(v>>(4*w&63))&mask + 1
		d[4] = at
		at += uint32(v>>(5*w&63))&mask + 1
		d[5] = at
		at += uint32(v>>(6*w&63))&mask + 1
		d[6] = at
		at += uint32(v>>(7*w&63))&mask + 1
		d[7] = at
	}
	// At most 2¹⁵ are added to next, which is below the number of documents
	// wherever the last one is: nothing wraps around.
	return at == last && next <= last
}

// decodeTail reads the postings after the full blocks.
func (l *postingList) decodeTail(docs *[blockSize]uint32, tfs *[blockSize]uint32) bool {
	start, next := 0, uint64(0)
	if b := l.blocks(); b > 0 {
		start, next = l.end(b-1), uint64(l.last(b-1))+1
	}
	if start > l.size {
		return false
	}
	b := l.body[start:l.size]
	at := 0
	for i := range l.tail() {
		var v uint64
		for shift := 0; ; shift += 7 {
			if at >= len(b) || shift > 35 {
				return false
			}
			c := b[at]
			at++
			v |= uint64(c&0x7f) << shift
			if c < 0x80 {
				break
			}
		}
		next += v >> 1
		if next >= uint64(l.docs) {
			return false
		}
		tf := uint32(1)
		if v&1 != 0 {
			if at >= len(b) || b[at] < 2 {
				return false
			}
			tf = uint32(b[at])
			at++
		}
		docs[i], tfs[i] = uint32(next), tf
		next++
	}
	return at == len(b)
}

// decode appends all postings; for merging and verifying.
func (l *postingList) decode(dst []posting) ([]posting, bool) {
	var docs, tfs [blockSize]uint32
	next := uint32(0)
	for i := range l.blocks() {
		gapBits, tfBits, _, packed, ok := l.block(i)
		if !ok {
			return dst, false
		}
		unpack(&docs, packed, gapBits)
		unpack(&tfs, packed[packedSize(gapBits):], tfBits)
		if !l.prefix(&docs, next, l.last(i)) {
			return dst, false
		}
		for j, d := range docs {
			dst = append(dst, newPosting(d, uint8(min(maxTF, tfs[j]+1))))
		}
		next = l.last(i) + 1
	}
	if !l.decodeTail(&docs, &tfs) {
		return dst, false
	}
	for j := range l.tail() {
		dst = append(dst, newPosting(docs[j], uint8(tfs[j])))
	}
	return dst, true
}
