package keyword

import (
	"encoding/binary"
	"math/bits"
)

// A posting list is the documents of a leaf that hold a term in a field, and
// how often. It is stored as full blocks of blockSize, bit-packed, and a tail
// of single postings. A list with full blocks starts with the impacts of the
// whole list and a table with the last document and the end of every block:
//
//	impacts, { last u32, end u32 }*, { block }*, tail
//	block:   gap bits u8, tf bits u8, impacts, gaps, tfs
//	impacts: count u8, { tf u8, length code u8 }*
//	tail:    { uvarint gap<<1 | (tf > 1), [tf u8] }*
//
// The impacts of a block are those (tf, length) pairs that no other document
// of the block beats in both. Whatever k1, b, weights and average lengths are,
// the score of some pair is the highest in the block, so bounds taken from
// them are exact and never go stale.
const (
	blockSize = 128
	skipSize  = 8

	// maxTF caps a term frequency. BM25 has long saturated there.
	maxTF = 255

	// postingsPad bytes follow the postings, so that eight bytes can be
	// loaded wherever a packed value starts.
	postingsPad = 8
)

// posting is a document and a term frequency in one sortable word.
type posting uint64

func newPosting(doc uint32, tf uint8) posting { return posting(doc)<<8 | posting(tf) }
func (p posting) doc() uint32                 { return uint32(p >> 8) }
func (p posting) tf() uint8                   { return uint8(p) }

// frontier collects the impacts that are not beaten: highest tf per length,
// kept only if no shorter document has as high a tf.
type frontier struct {
	best [256]uint8 // highest tf by length code
	used [4]uint64  // length codes present
}

func (f *frontier) add(tf, length uint8) {
	f.best[length] = max(f.best[length], tf)
	f.used[length>>6] |= 1 << (length & 63)
}

func (f *frontier) merge(o *frontier) {
	for w, word := range o.used {
		for ; word != 0; word &= word - 1 {
			c := uint8(w<<6 + bits.TrailingZeros64(word))
			f.add(o.best[c], c)
		}
	}
}

// take appends the encoded impacts and empties the frontier.
func (f *frontier) take(dst []byte) []byte {
	at := len(dst)
	dst = append(dst, 0)
	highest := uint8(0)
	for w := range f.used {
		for word := f.used[w]; word != 0; word &= word - 1 {
			c := uint8(w<<6 + bits.TrailingZeros64(word))
			if f.best[c] > highest {
				highest = f.best[c]
				dst = append(dst, highest, c)
				dst[at]++
			}
			f.best[c] = 0
		}
		f.used[w] = 0
	}
	return dst
}

// postingsEncoder appends lists to a buffer, reusing its scratch memory.
type postingsEncoder struct {
	block, list frontier
	body, skips []byte
	gaps        [blockSize]uint32
	tfs         [blockSize]uint32
}

// encode appends a list with ascending documents. lengths holds the length
// codes of the field by document.
func (e *postingsEncoder) encode(dst []byte, list []posting, lengths []byte) []byte {
	e.body, e.skips = e.body[:0], e.skips[:0]
	next := uint32(0)
	full := len(list) / blockSize * blockSize
	for at := 0; at < full; at += blockSize {
		var gapBits, tfBits uint32
		for i, p := range list[at : at+blockSize] {
			gap := p.doc() - next
			next = p.doc() + 1
			e.gaps[i], e.tfs[i] = gap, uint32(p.tf()-1)
			gapBits |= gap
			tfBits |= e.tfs[i]
			e.block.add(p.tf(), lengths[p.doc()])
		}
		e.list.merge(&e.block)
		gw, tw := bits.Len32(gapBits), bits.Len32(tfBits)
		e.body = append(e.body, byte(gw), byte(tw))
		e.body = e.block.take(e.body)
		e.body = pack(e.body, &e.gaps, gw)
		e.body = pack(e.body, &e.tfs, tw)
		e.skips = binary.LittleEndian.AppendUint32(e.skips, next-1)
		e.skips = binary.LittleEndian.AppendUint32(e.skips, uint32(len(e.body)))
	}
	for _, p := range list[full:] {
		gap := uint64(p.doc()-next) << 1
		next = p.doc() + 1
		if p.tf() > 1 {
			e.body = binary.AppendUvarint(e.body, gap|1)
			e.body = append(e.body, p.tf())
		} else {
			e.body = binary.AppendUvarint(e.body, gap)
		}
		if full > 0 {
			e.list.add(p.tf(), lengths[p.doc()])
		}
	}
	if full > 0 {
		dst = e.list.take(dst)
		dst = append(dst, e.skips...)
	}
	return append(dst, e.body...)
}

// pack appends the low width bits of each value, lowest bits first.
func pack(dst []byte, values *[blockSize]uint32, width int) []byte {
	var acc uint64
	n := 0
	for _, v := range values {
		acc |= uint64(v) << n
		for n += width; n >= 8; n -= 8 {
			dst = append(dst, byte(acc))
			acc >>= 8
		}
	}
	return dst // 128 values end on a byte boundary at any width
}

// packedSize is what pack appends.
func packedSize(width int) int { return blockSize / 8 * width }

// unpack reads what pack wrote. src must reach eight bytes past the values.
func unpack(dst *[blockSize]uint32, src []byte, width int) {
	if width == 0 {
		clear(dst[:])
		return
	}
	mask := uint64(1)<<width - 1
	if width <= 8 { // eight values fit into one load
		w := uint(width)
		for i := 0; i < blockSize; i += 8 {
			v := binary.LittleEndian.Uint64(src)
			src = src[width:]
			d := dst[i : i+8 : i+8]
			d[0] = uint32(v & mask)
			d[1] = uint32(v >> (w & 63) & mask)
			d[2] = uint32(v >> (2 * w & 63) & mask)
			d[3] = uint32(v >> (3 * w & 63) & mask)
			d[4] = uint32(v >> (4 * w & 63) & mask)
			d[5] = uint32(v >> (5 * w & 63) & mask)
			d[6] = uint32(v >> (6 * w & 63) & mask)
			d[7] = uint32(v >> (7 * w & 63) & mask)
		}
		return
	}
	bit := 0
	for i := range dst {
		dst[i] = uint32(binary.LittleEndian.Uint64(src[bit>>3:]) >> (bit & 7) & mask)
		bit += width
	}
}

// unpackOne reads one of the values that pack wrote.
func unpackOne(src []byte, width, i int) uint32 {
	bit := i * width
	return uint32(binary.LittleEndian.Uint64(src[bit>>3:]) >> (bit & 7) & (1<<width - 1))
}

// A document's length in a field is stored in one byte: exact below 128, then
// rounded down to eight steps per doubling, up to some eight million.
const exactLengths = 128

func lengthCode(n int) uint8 {
	if n < exactLengths {
		return uint8(n)
	}
	shift := bits.Len(uint(n)) - 4 // leaves the top four bits, 8 … 15
	return uint8(min(255, exactLengths+(shift-4)*8+n>>shift-8))
}

func codedLength(code uint8) uint32 {
	if code < exactLengths {
		return uint32(code)
	}
	c := uint32(code - exactLengths)
	return (8 + c&7) << (c>>3 + 4)
}
