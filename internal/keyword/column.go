package keyword

import (
	"encoding/binary"
	"math"
)

// A column holds one 64-bit value per document, in blocks of columnBlock: a
// directory of {lowest value u64, offset u32, bytes per value u32}, then the
// differences to the lowest value in that many bytes each.
const (
	columnBlock = 128
	columnEntry = 16
	columnPad   = 8 // so that eight bytes can be loaded anywhere
)

type column struct {
	n         int
	dir, data []byte
}

func appendColumn(dst []byte, values []uint64) []byte {
	var data []byte
	for at := 0; at < len(values); at += columnBlock {
		block := values[at:min(at+columnBlock, len(values))]
		low, high := block[0], block[0]
		for _, v := range block {
			low, high = min(low, v), max(high, v)
		}
		width := 0
		for d := high - low; d != 0; d >>= 8 {
			width++
		}
		dst = binary.LittleEndian.AppendUint64(dst, low)
		dst = binary.LittleEndian.AppendUint32(dst, uint32(len(data)))
		dst = binary.LittleEndian.AppendUint32(dst, uint32(width))
		for _, v := range block {
			d := v - low
			for range width {
				data = append(data, byte(d))
				d >>= 8
			}
		}
	}
	dst = append(dst, data...)
	return append(dst, make([]byte, columnPad)...)
}

func parseColumn(b []byte, n int) (column, bool) {
	blocks := (n + columnBlock - 1) / columnBlock
	if blocks*columnEntry+columnPad > len(b) {
		return column{}, false
	}
	c := column{n: n, dir: b[:blocks*columnEntry], data: b[blocks*columnEntry:]}
	for i := range blocks {
		_, offset, width := c.block(i)
		count := min(columnBlock, n-i*columnBlock)
		if width > 8 || offset+count*width+columnPad > len(c.data) {
			return column{}, false
		}
	}
	return c, true
}

func (c *column) block(i int) (low uint64, offset, width int) {
	e := c.dir[i*columnEntry:][:columnEntry]
	return binary.LittleEndian.Uint64(e), int(binary.LittleEndian.Uint32(e[8:])), int(binary.LittleEndian.Uint32(e[12:]))
}

// values returns a block and its bytes, from which eight can be loaded anywhere
// in it. parseColumn has seen that they are there; the file may have changed
// since.
func (c *column) values(i int) (low uint64, data []byte, width int) {
	low, offset, width := c.block(i)
	size := min(columnBlock, c.n-i*columnBlock) * width
	if width > 8 || offset+size+columnPad > len(c.data) {
		panic(damage("a column does not hold together"))
	}
	return low, c.data[offset : offset+size+columnPad], width
}

func (c *column) at(i int) uint64 {
	low, data, width := c.values(i / columnBlock)
	v := binary.LittleEndian.Uint64(data[i%columnBlock*width:])
	return low + v&widthMask(width)
}

func widthMask(width int) uint64 {
	if width >= 8 {
		return math.MaxUint64
	}
	return 1<<(width*8) - 1
}

// find returns where v is in an ascending column.
func (c *column) find(v uint64) (int, bool) {
	lo, hi := 0, c.n
	for lo < hi {
		mid := int(uint(lo+hi) / 2)
		if c.at(mid) < v {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo, lo < c.n && c.at(lo) == v
}

// Times are signed; flipping the sign bit keeps their order as unsigned values.
func orderedTime(t int64) uint64 { return uint64(t) ^ 1<<63 }

// keepRange removes from s the documents whose value is outside from … to.
func (c *column) keepRange(s bitset, from, to uint64) {
	for b := 0; b*columnBlock < c.n; b++ {
		low, data, width := c.values(b)
		high := low + widthMask(width)
		if high < low {
			high = math.MaxUint64
		}
		if width == 0 {
			high = low
		}
		if low >= from && high <= to {
			continue
		}
		words := s[b*columnBlock/64 : min(len(s), (b+1)*columnBlock/64)]
		if low > to || high < from {
			clear(words)
			continue
		}
		for i := range min(columnBlock, c.n-b*columnBlock) {
			v := low + binary.LittleEndian.Uint64(data[i*width:])&widthMask(width)
			if v < from || v > to {
				words[i>>6] &^= 1 << (i & 63)
			}
		}
	}
}
