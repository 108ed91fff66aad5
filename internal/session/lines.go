package session

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"sync"
)

// DefaultLineLimit is the longest line that is read, in bytes. Records with
// images in them reach some megabytes.
const DefaultLineLimit = 64 << 20

// readSize is how much is read at a time. Nearly all records fit, and need no
// copy.
const readSize = 256 << 10

// keepSize is how large a buffer is kept for the next line; one that a single
// huge line needed is given back.
const keepSize = 4 << 20

// Line is one line of a file.
type Line struct {
	Bytes  []byte // without its end; valid until the next call of Next; nil if too long
	Offset int64  // where it begins in the file
	Length int64  // with its end; the next line begins at Offset+Length

	// Terminated says that the line ends with a newline. The last one may not,
	// while the client is still writing it: read again from its offset later.
	Terminated bool

	TooLong bool // longer than the limit, passed over
}

// Lines reads a file line by line and holds no more of it in memory than one
// line within the limit.
type Lines struct {
	r      *bufio.Reader
	offset int64
	limit  int
	long   []byte // a line larger than the reader's buffer
	nulls  bool   // NULs at the start of that line were passed over
}

// NewLines reads lines from r, which stands at offset in its file. A limit of
// 0 means [DefaultLineLimit].
func NewLines(r io.Reader, offset int64, limit int) *Lines {
	if limit <= 0 {
		limit = DefaultLineLimit
	}
	buffer, _ := buffers.Get().(*bufio.Reader)
	if buffer == nil {
		buffer = bufio.NewReaderSize(nil, readSize)
	}
	buffer.Reset(r)
	return &Lines{r: buffer, offset: offset, limit: limit}
}

// buffers are those that [Lines.Release] gave back. Most transcripts are small:
// a buffer for each would be most of the memory that reading them takes.
var buffers sync.Pool

// Release gives the buffer back for others to use. Neither l nor a line that it
// returned may be used after it. It may be left out.
func (l *Lines) Release() {
	if l.r == nil {
		return
	}
	l.r.Reset(nil) // hold on to no file
	buffers.Put(l.r)
	l.r = nil
}

// Next returns the next line, and [io.EOF] after the last. A byte order mark
// at the start of the file, a carriage return before a newline, and NUL bytes
// before a record are left out: a file system that lost power fills with NULs
// what was not written yet, and the client goes on behind them. A line of
// nothing but NULs stays one.
func (l *Lines) Next() (Line, error) {
	if cap(l.long) > keepSize {
		l.long = nil
	}
	l.long, l.nulls = l.long[:0], false
	line := Line{Offset: l.offset}
	for {
		piece, err := l.r.ReadSlice('\n')
		line.Length += int64(len(piece))
		switch {
		case err == nil:
			line.Terminated = true
		case errors.Is(err, io.EOF):
			if line.Length == 0 {
				return Line{}, io.EOF
			}
		case errors.Is(err, bufio.ErrBufferFull):
			l.hold(&line, piece)
			continue
		default:
			return Line{}, err
		}
		l.offset += line.Length
		if len(l.long) > 0 || line.TooLong {
			l.hold(&line, piece)
			piece = l.long
		}
		l.finish(&line, piece)
		return line, nil
	}
}

// hold keeps a piece of a line that does not fit into the reader's buffer, as
// long as the line is within the limit.
func (l *Lines) hold(line *Line, piece []byte) {
	// two bytes more than the limit, for the line's end
	if len(l.long) == 0 {
		rest := bytes.TrimLeft(piece, "\x00")
		l.nulls = l.nulls || len(rest) < len(piece)
		piece = rest
	}
	if line.TooLong || len(l.long)+len(piece) > l.limit+len("\r\n") {
		line.TooLong = true
		l.long = l.long[:0]
		return
	}
	l.long = append(l.long, piece...)
}

func (l *Lines) finish(line *Line, content []byte) {
	if line.TooLong {
		return
	}
	if line.Terminated {
		content = content[:len(content)-1]
		content = bytes.TrimSuffix(content, []byte("\r"))
	}
	if rest := bytes.TrimLeft(content, "\x00"); len(rest) > 0 {
		content = rest
	} else if l.nulls && len(content) == 0 {
		content = []byte{0} // nothing came behind those passed over
	}
	if line.Offset == 0 {
		content = bytes.TrimPrefix(content, []byte("\uFEFF"))
	}
	if len(content) > l.limit {
		line.TooLong = true
		return
	}
	line.Bytes = content
}
