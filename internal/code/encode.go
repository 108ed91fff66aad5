package code

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// magic opens encoded facts, so that other bytes are told from them at once.
const magic = 0xC7

var (
	errShort   = errors.New("facts end early")
	errNumber  = errors.New("facts hold a number that is too large")
	errCount   = errors.New("facts hold a count that is larger than what follows")
	errForeign = errors.New("these bytes are no facts")
)

// Encode writes facts in a compact form: every string once, in a table, and
// numbers as varints. Only [Decode] of the same [Version] reads it.
func Encode(f *File) []byte {
	c := &coder{table: map[string]uint64{}}
	c.file(f)
	out := make([]byte, 0, len(c.buf)+len(c.text)+2*len(c.lens)+16)
	out = append(out, magic)
	out = binary.AppendUvarint(out, uint64(len(c.lens)))
	for _, n := range c.lens {
		out = binary.AppendUvarint(out, uint64(n))
	}
	out = append(out, c.text...)
	return append(out, c.buf...)
}

// Decode reads what [Encode] wrote. Bytes that are something else give an
// error: what comes back has every index within its list.
func Decode(b []byte) (*File, error) {
	if len(b) == 0 || b[0] != magic {
		return nil, errForeign
	}
	c := &coder{reading: true, buf: b[1:]}
	c.strings()
	f := &File{}
	c.file(f)
	if c.err == nil && c.left() > 0 {
		c.err = fmt.Errorf("%d bytes follow the facts", c.left())
	}
	if c.err == nil {
		c.err = f.Check()
	}
	if c.err != nil {
		return nil, fmt.Errorf("decode facts: %w", c.err)
	}
	return f, nil
}

// coder goes over facts in one order, reading or writing, so that both always
// agree. After an error it reads zeros.
type coder struct {
	reading bool
	buf     []byte // what is written so far, or to be read
	at      int    // how far it is read
	err     error

	table map[string]uint64 // writing: the place of a string
	lens  []int
	text  []byte
	known []string // reading
	spare []int32  // reading: room for short lists, which are many
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

// strings reads the table.
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
	if c.err != nil {
		return
	}
	all := string(c.buf[c.at : c.at+total]) // one allocation; the strings share it
	c.at += total
	c.known = make([]string, len(lens))
	for i, n := range lens {
		c.known[i], all = all[:n], all[n:]
	}
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

// number codes signed numbers; those next to zero are short, -1 included.
func number[T ~int | ~int32](c *coder, v *T) {
	if !c.reading {
		c.buf = binary.AppendVarint(c.buf, int64(*v))
		return
	}
	u := c.take()
	x := int64(u>>1) ^ -int64(u&1)
	if *v = T(x); int64(*v) != x {
		c.fail(errNumber)
	}
}

func unsigned[T ~uint8 | ~uint32](c *coder, v *T) {
	if !c.reading {
		c.buf = binary.AppendUvarint(c.buf, uint64(*v))
		return
	}
	u := c.take()
	if *v = T(u); uint64(*v) != u {
		c.fail(errNumber)
	}
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

// spareInts is how much room for lists of indexes is made at once.
const spareInts = 256

// indexes codes a list of indexes, as [list] does; those that are read share
// their memory.
func (c *coder) indexes(s *[]int32) {
	if !c.reading {
		list(c, s, 1, number[int32])
		return
	}
	n := c.count(1)
	if n == 0 {
		return
	}
	if n > len(c.spare) {
		c.spare = make([]int32, max(n, spareInts))
	}
	*s, c.spare = c.spare[:n:n], c.spare[n:]
	for i := range *s {
		number(c, &(*s)[i])
	}
}

func (c *coder) file(f *File) {
	text(c, &f.Path)
	text(c, &f.Lang)
	text(c, &f.Package)
	list(c, &f.Symbols, 28, (*coder).symbol)
	list(c, &f.Scopes, 4, (*coder).scope)
	list(c, &f.Exprs, 8, (*coder).expr)
	list(c, &f.Imports, 7, (*coder).imported)
	list(c, &f.Exports, 3, (*coder).export)
	list(c, &f.Calls, 9, (*coder).call)
	list(c, &f.Inherits, 6, (*coder).inherit)
	list(c, &f.ErrorLines, 1, number[int])
	number(c, &f.ErrorCount)
	c.bits(&f.Cut)
}

func (c *coder) symbol(s *Symbol) {
	text(c, &s.Name)
	text(c, &s.Path)
	text(c, &s.Kind)
	text(c, &s.Signature)
	text(c, &s.Doc)
	unsigned(c, &s.Start)
	unsigned(c, &s.End)
	number(c, &s.Line)
	number(c, &s.EndLine)
	number(c, &s.Parent)
	text(c, &s.Owner)
	number(c, &s.Scope)
	c.bits(&s.Exported, &s.Static, &s.Abstract, &s.Yields)
	list(c, &s.Params, 4, (*coder).param)
	text(c, &s.Returns)
	text(c, &s.Type)
	number(c, &s.Value)
	c.indexes(&s.Results)
	c.indexes(&s.Decorators)
	list(c, &s.TypeParams, 1, text[string])
	c.hash(&s.Body)
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

func (c *coder) param(p *Param) {
	text(c, &p.Name)
	text(c, &p.Type)
	number(c, &p.Default)
	c.bits(&p.Optional, &p.Variadic, &p.Keyword)
}

func (c *coder) scope(s *Scope) {
	unsigned(c, &s.Kind)
	number(c, &s.Parent)
	number(c, &s.Symbol)
	list(c, &s.Bindings, 8, (*coder).binding)
}

func (c *coder) binding(b *Binding) {
	text(c, &b.Name)
	unsigned(c, &b.Kind)
	number(c, &b.Ref)
	text(c, &b.Type)
	number(c, &b.Value)
	c.bits(&b.Element)
	number(c, &b.Part)
	unsigned(c, &b.At)
}

func (c *coder) expr(e *Expr) {
	unsigned(c, &e.Kind)
	text(c, &e.Name)
	text(c, &e.Text)
	number(c, &e.X)
	number(c, &e.Ref)
	c.indexes(&e.Args)
	list(c, &e.Keys, 1, text[string])
	number(c, &e.Scope)
	unsigned(c, &e.At)
}

func (c *coder) call(a *Call) {
	text(c, &a.Kind)
	text(c, &a.Name)
	text(c, &a.Receiver)
	number(c, &a.Expr)
	number(c, &a.Caller)
	number(c, &a.Scope)
	number(c, &a.Args)
	number(c, &a.Line)
	unsigned(c, &a.At)
}

func (c *coder) imported(i *Import) {
	text(c, &i.Module)
	text(c, &i.Name)
	text(c, &i.Alias)
	number(c, &i.Level)
	c.bits(&i.Reexport, &i.Static, &i.TypeOnly)
	number(c, &i.Scope)
	number(c, &i.Line)
}

func (c *coder) export(e *Export) {
	text(c, &e.Name)
	number(c, &e.Expr)
	number(c, &e.Line)
}

func (c *coder) inherit(i *Inherit) {
	number(c, &i.Symbol)
	text(c, &i.Type)
	text(c, &i.Base)
	number(c, &i.Expr)
	text(c, &i.Kind)
	number(c, &i.Line)
}
