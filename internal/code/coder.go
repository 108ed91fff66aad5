package code

import (
	"encoding/binary"
	"errors"
	"sync"
)

var (
	errShort   = errors.New("facts end early")
	errNumber  = errors.New("facts hold a number that is too large")
	errCount   = errors.New("facts hold a count that is not that of what follows")
	errForeign = errors.New("these bytes are no facts")
)

// coder goes over facts in one order, reading or writing, so that both always
// agree. After an error it reads zeros.
type coder struct {
	reading bool
	buf     []byte // what is written so far, or to be read
	at      int    // how far it is read
	err     error

	// Names come again and are written once, in a table; signatures and comments
	// hardly do, and stand one after the other.
	table map[string]uint64 // writing: the place of a name
	lens  []int             // writing: of the names
	text  []byte            // writing: the names
	prose []byte            // writing
	known []string          // reading: the names
	rest  string            // reading: prose that was not taken yet

	// reading: memory for what is many and small, made at once
	ints     room[int32]
	mores    room[More]
	bindings room[Binding]

	last last
}

// coders are those that wrote facts: the memory that they took serves for the
// next ones.
var coders = sync.Pool{New: func() any { return &coder{table: map[string]uint64{}} }}

// largestTable is how many names a table may have to be emptied and used again:
// emptying a larger one costs more than most files make anew.
const largestTable = 2000

// reuse makes a coder that wrote one that has written nothing.
func (c *coder) reuse() {
	next := coder{table: c.table, buf: c.buf[:0], lens: c.lens[:0], text: c.text[:0], prose: c.prose[:0]}
	if len(c.table) > largestTable {
		next = coder{table: map[string]uint64{}}
	}
	clear(next.table)
	*c = next
	coders.Put(c)
}

// last is what stood before in a list, as near as what follows is likely to be.
type last struct {
	start, at, bound           uint32
	line, called               int
	symbol, scope, value, call int32
	opened, caller             int32
	refs                       [8]int32 // of bindings, by their kind
}

// room is memory that lists are cut from.
type room[T any] struct{ free []T }

// take cuts a list of n off; more than there is fails.
func (r *room[T]) take(c *coder, n int) []T {
	if n > len(r.free) {
		c.fail(errCount)
		return nil
	}
	out := r.free[:n:n]
	r.free = r.free[n:]
	return out
}

// rooms codes how much of something there is in all and, reading, makes room.
func rooms[T any](c *coder, r *room[T], n, least int) {
	if !c.reading {
		c.buf = binary.AppendUvarint(c.buf, uint64(n))
	} else if n := c.count(least); n > 0 {
		r.free = make([]T, n)
	}
}

// full fails unless everything that room was made for came.
func (r *room[T]) full(c *coder) {
	if len(r.free) > 0 {
		c.fail(errCount)
	}
}

func (c *coder) fail(err error) {
	if c.err == nil {
		c.err = err
	}
	c.buf, c.at = nil, 0
}

// left is how many bytes are still to be read.
func (c *coder) left() int { return len(c.buf) - c.at }

func (c *coder) take() uint64 {
	if c.at < len(c.buf) && c.buf[c.at] < 0x80 { // most are small
		c.at++
		return uint64(c.buf[c.at-1])
	}
	v, n := binary.Uvarint(c.buf[c.at:])
	if n <= 0 {
		c.fail(errShort)
		return 0
	}
	c.at += n
	return v
}

// strings reads the names and where the prose begins.
func (c *coder) strings() {
	lens := make([]int, c.count(1))
	total := 0
	for i := range lens {
		n := c.take()
		if n > uint64(c.left()) {
			c.fail(errCount)
			return
		}
		lens[i] = int(n)
		total += lens[i]
		if total > c.left() {
			c.fail(errCount)
			return
		}
	}
	prose := c.take()
	if prose > uint64(c.left()) || total+int(prose) > c.left() {
		c.fail(errCount)
	}
	if c.err != nil {
		return
	}
	all := string(c.buf[c.at : c.at+total+int(prose)]) // one allocation; the strings share it
	c.at += len(all)
	c.known = make([]string, len(lens))
	for i, n := range lens {
		c.known[i], all = all[:n], all[n:]
	}
	c.rest = all
}

// count reads how many of something follow that take at least least bytes each.
func (c *coder) count(least int) int {
	n := c.take()
	if n > uint64(c.left()/least) {
		c.fail(errCount)
		return 0
	}
	return int(n)
}

// text codes a name.
func text[T ~string](c *coder, s *T) {
	if c.reading {
		i := c.take()
		if i > uint64(len(c.known)) {
			c.fail(errCount)
		} else if i > 0 {
			*s = T(c.known[i-1])
		}
		return
	}
	if *s == "" {
		c.buf = append(c.buf, 0)
		return
	}
	i, ok := c.table[string(*s)]
	if !ok {
		c.lens = append(c.lens, len(*s))
		c.text = append(c.text, *s...)
		i = uint64(len(c.lens))
		c.table[string(*s)] = i
	}
	c.buf = binary.AppendUvarint(c.buf, i)
}

// passage codes a text that stands nowhere else.
func (c *coder) passage(s *string) {
	if !c.reading {
		c.buf = binary.AppendUvarint(c.buf, uint64(len(*s)))
		c.prose = append(c.prose, *s...)
		return
	}
	n := c.take()
	if n > uint64(len(c.rest)) {
		c.fail(errCount)
		return
	}
	*s, c.rest = c.rest[:n], c.rest[n:]
}

// signed codes a number that is likely next to zero.
func (c *coder) signed(v int64) int64 {
	if !c.reading {
		c.buf = binary.AppendVarint(c.buf, v)
		return v
	}
	u := c.take()
	return int64(u>>1) ^ -int64(u&1)
}

// number codes signed numbers; those next to zero are short, -1 included.
func number[T ~int | ~int32](c *coder, v *T) {
	x := c.signed(int64(*v))
	if *v = T(x); int64(*v) != x {
		c.fail(errNumber)
	}
}

// near codes a number by how far it is from another.
func near[T ~int | ~int32 | ~uint32](c *coder, v *T, from T) {
	x := int64(from) + c.signed(int64(*v)-int64(from))
	if *v = T(x); int64(*v) != x {
		c.fail(errNumber)
	}
}

// after codes a number as [near] does, and makes it the one before the next.
func after[T ~int | ~int32 | ~uint32](c *coder, v, last *T) {
	near(c, v, *last)
	*last = *v
}

// index codes an index that is none or not far from another.
func (c *coder) index(v *int32, from int32) {
	if !c.reading {
		if *v == None {
			c.buf = append(c.buf, 0)
			return
		}
		d := int64(from) - int64(*v)
		c.buf = binary.AppendUvarint(c.buf, uint64(d<<1^d>>63)+1)
		return
	}
	u := c.take()
	if u == 0 {
		*v = None
		return
	}
	u--
	x := int64(from) - (int64(u>>1) ^ -int64(u&1))
	if *v = int32(x); int64(*v) != x {
		c.fail(errNumber)
	}
}

// flags are the lowest bits of a number whose others are what is coded with
// them; it returns both.
func (c *coder) flags(v uint64, width int, flags uint64) (uint64, uint64) {
	if !c.reading {
		c.buf = binary.AppendUvarint(c.buf, v<<width|flags)
		return v, flags
	}
	u := c.take()
	return u >> width, u & (1<<width - 1)
}

// bits codes up to seven flags in a byte.
func (c *coder) bits(flags ...*bool) {
	if !c.reading {
		var b byte
		for i, f := range flags {
			if *f {
				b |= 1 << i
			}
		}
		c.buf = append(c.buf, b)
		return
	}
	b := c.take()
	if b >= 1<<len(flags) {
		c.fail(errNumber)
	}
	for i, f := range flags {
		*f = b&(1<<i) != 0
	}
}

// hash codes a number that is as good as random.
func (c *coder) hash(v *uint64) {
	const size = 8
	switch {
	case !c.reading:
		c.buf = binary.LittleEndian.AppendUint64(c.buf, *v)
	case c.left() < size:
		c.fail(errShort)
	default:
		*v = binary.LittleEndian.Uint64(c.buf[c.at:])
		c.at += size
	}
}

// list codes a slice whose elements take at least least bytes each; an empty
// one comes back as nil.
func list[T any](c *coder, s *[]T, least int, each func(*coder, *T)) {
	if !c.reading {
		c.buf = binary.AppendUvarint(c.buf, uint64(len(*s)))
	} else if n := c.count(least); n > 0 {
		*s = make([]T, n)
	}
	for i := range *s {
		each(c, &(*s)[i])
	}
}

// spareInts is how much room for lists of indexes is made at once: few lists
// are longer, and half of it is wasted.
const spareInts = 64

// indexes codes a list of indexes, each as far from the one before; an empty one
// comes back as nil. Those that are read share their memory.
func (c *coder) indexes(s *[]int32, from int32) {
	if !c.reading {
		c.buf = binary.AppendUvarint(c.buf, uint64(len(*s)))
	} else if n := c.count(1); n > 0 {
		if n > len(c.ints.free) {
			c.ints.free = make([]int32, max(n, spareInts))
		}
		*s = c.ints.take(c, n)
	}
	for i := range *s {
		c.index(&(*s)[i], from)
		from = (*s)[i]
	}
}
