package codebase

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"chitta/internal/store"
	"chitta/internal/syntax"
)

// Between the process and its workers go frames: a length of four bytes, then
// so many bytes. Each holds one message, its fields one after the other: texts
// with their length before them, numbers as varints. A worker begins with a
// frame that says what it is; then each request is answered by one frame.

// maxFrame is beyond the facts of any file, which are bounded by maxFacts.
const maxFrame = 128 << 20

var (
	errFrame = errors.New("a frame holds something else")
	errLarge = errors.New("a frame would be too large") // nothing of it was written
)

// message is what goes in a frame. fields goes over its fields in one order,
// reading or writing.
type message interface{ fields(*fields) }

// greeting is a worker's first frame. One of another version is of no use.
type greeting struct {
	Version int64  // of facts
	Off     string // why it cannot parse
}

func (g *greeting) fields(f *fields) {
	f.number(&g.Version)
	f.text(&g.Off)
}

// request asks for the facts of a file.
type request struct {
	Root  string
	Path  string
	Lang  syntax.Lang
	Known []byte // hash that is stored; a file that still has it is not parsed
}

func (q *request) fields(f *fields) {
	f.text(&q.Root)
	f.text(&q.Path)
	f.text((*string)(&q.Lang))
	f.bytes(&q.Known)
}

// answer says what became of a file. Left is why it has no facts.
type answer struct {
	Path     string
	Hash     []byte
	Size     int64
	Modified int64 // nanoseconds since 1970
	Same     bool  // the hash is the known one
	Gone     bool
	Left     string
	Why      string // in words, where Left does not say it all
	Errors   int    // places that fit no rule of the language
	Lines    []int  // of the first of them
	facts    []byte // encoded
}

func (a *answer) fields(f *fields) {
	f.text(&a.Path)
	f.bytes(&a.Hash)
	f.number(&a.Size)
	f.number(&a.Modified)
	f.flag(&a.Same)
	f.flag(&a.Gone)
	f.text(&a.Left)
	f.text(&a.Why)
	f.count(&a.Errors)
	each(f, &a.Lines, f.count)
	f.bytes(&a.facts)
}

// fields reads or writes the fields of a message.
type fields struct {
	reading bool
	buf     []byte // written so far, or left to read
	all     string // what was left when texts began to share it
	err     error
}

func (f *fields) number(v *int64) {
	if !f.reading {
		f.buf = binary.AppendVarint(f.buf, *v)
		return
	}
	x, n := binary.Varint(f.buf)
	if n <= 0 {
		f.err, f.buf = errFrame, nil
		return
	}
	*v, f.buf = x, f.buf[n:]
}

func (f *fields) flag(v *bool) {
	n := flag(*v)
	f.number(&n)
	*v = n != 0
}

// bytes reads what shares its memory with the frame; nothing comes back as nil.
func (f *fields) bytes(v *[]byte) {
	n := int64(len(*v))
	f.number(&n)
	switch {
	case !f.reading:
		f.buf = append(f.buf, *v...)
	case n < 0 || n > int64(len(f.buf)):
		f.err, f.buf = errFrame, nil
	case n > 0:
		*v, f.buf = f.buf[:n:n], f.buf[n:]
	}
}

func (f *fields) text(v *string) {
	if !f.reading {
		f.buf = append(binary.AppendVarint(f.buf, int64(len(*v))), *v...)
		return
	}
	var b []byte
	f.bytes(&b)
	*v = string(b)
}

// shared is a text that is read as a part of all.
func (f *fields) shared(v *string) {
	if !f.reading {
		f.text(v)
		return
	}
	var b []byte
	f.bytes(&b)
	end := len(f.all) - len(f.buf)
	*v = f.all[end-len(b) : end]
}

// count and decimal are numbers of other types.
func (f *fields) count(v *int) {
	n := int64(*v)
	f.number(&n)
	*v = int(n)
}

func (f *fields) decimal(v *float64) {
	n := int64(math.Float64bits(*v))
	f.number(&n)
	*v = math.Float64frombits(uint64(n))
}

// each goes over a list, which has its length before it.
func each[T any](f *fields, list *[]T, one func(*T)) {
	n := len(*list)
	f.count(&n)
	if !f.reading {
		for i := range *list {
			one(&(*list)[i])
		}
		return
	}
	if n < 0 || n > len(f.buf) { // each takes a byte at least
		f.err, f.buf = errFrame, nil
		return
	}
	if n > 0 {
		*list = make([]T, n)
	}
	for i := 0; i < n && f.err == nil; i++ {
		one(&(*list)[i])
	}
}

// made goes over the rows of a file, which share the memory of their texts.
func (f *fields) made(m *store.CodeMade) {
	if f.reading {
		f.all = string(f.buf)
	}
	f.number(&m.Hash)
	each(f, &m.Symbols, func(s *store.CodeSymbol) {
		index, body := int64(s.Index), int64(s.Body)
		for _, n := range []*int64{&s.ID, &index, &s.Parent, &body} {
			f.number(n)
		}
		s.Index, s.Body = int32(index), uint64(body)
		for _, t := range []*string{&s.Name, &s.Folded, &s.Path, &s.Qualified, &s.Kind, &s.Signature, &s.Doc} {
			f.shared(t)
		}
		f.count(&s.Line)
		f.count(&s.EndLine)
		f.flag(&s.Exported)
	})
	each(f, &m.Edges, func(e *store.CodeEdge) {
		f.number(&e.Src)
		f.number(&e.Dst)
		f.count(&e.Line)
		f.shared(&e.Rule)
		f.decimal(&e.Confidence)
		f.shared(&e.Kind)
	})
	each(f, &m.Loose, func(l *store.CodeLoose) {
		f.number(&l.Src)
		f.shared(&l.Name)
		f.shared(&l.Target)
		f.flag(&l.External)
		f.count(&l.Line)
		f.shared(&l.Kind)
	})
	each(f, &m.Inherits, func(h *store.CodeInherit) {
		f.number(&h.Sub)
		f.number(&h.Super)
		f.shared(&h.Text)
		f.shared(&h.Kind)
	})
	each(f, &m.Imports, func(i *store.CodeImport) {
		f.count(&i.Line)
		for _, t := range []*string{&i.Module, &i.Name, &i.Alias, &i.External} {
			f.shared(t)
		}
		each(f, &i.Targets, f.shared)
	})
}

func writeFrame(w *bufio.Writer, m message) error {
	var room []byte
	return writeFrameIn(&room, w, m)
}

// writeFrameIn writes a frame in memory that is used for the next one again.
func writeFrameIn(room *[]byte, w *bufio.Writer, m message) error {
	f := fields{buf: append((*room)[:0], 0, 0, 0, 0)}
	m.fields(&f)
	*room = f.buf
	if len(f.buf)-4 > maxFrame {
		return errLarge
	}
	binary.BigEndian.PutUint32(f.buf, uint32(len(f.buf)-4))
	_, err := w.Write(f.buf)
	return errors.Join(err, w.Flush())
}

func readFrame(r *bufio.Reader, m message) error {
	var room []byte
	return readFrameIn(&room, r, m)
}

// readFrameIn reads a frame into memory that is used for the next one again, and
// so are the bytes of its message.
func readFrameIn(room *[]byte, r *bufio.Reader, m message) error {
	var size [4]byte
	if _, err := io.ReadFull(r, size[:]); err != nil {
		return err
	}
	n := binary.BigEndian.Uint32(size[:])
	if n > maxFrame {
		return fmt.Errorf("a frame of %d bytes", n)
	}
	if int(n) > cap(*room) {
		*room = make([]byte, n)
	}
	f := fields{reading: true, buf: (*room)[:n]}
	if _, err := io.ReadFull(r, f.buf); err != nil {
		return io.ErrUnexpectedEOF
	}
	m.fields(&f)
	if f.err == nil && len(f.buf) > 0 {
		f.err = errFrame
	}
	return f.err
}
