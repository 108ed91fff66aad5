package ingest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"chitta/internal/session"
	"chitta/internal/store"
)

// record is one that is to be stored.
type record struct {
	message *session.Message // nil if it is a title
	raw     []byte           // without secrets
	offset  int64
	line    int
	title   titleRecord
}

// titleRecord is a title and what says whose it is; see [session.Record].
type titleRecord struct{ text, leaf, session string }

// batch is lines that are stored together.
type batch struct {
	records []record
	bad     []store.Quarantined
	tooLong []int // which of bad were passed over unread
	counts  LineCounts
	session string // by the name of the file
	call    string // what started the subagent whose thread this is, if known

	read  int64 // bytes of complete lines
	lines int   // and how many
	size  int   // bytes to be stored
	last  bool  // nothing follows

	stored []Stored // by the transaction under way
}

func (c LineCounts) clone() LineCounts {
	c.Types, c.Skipped, c.Problems = maps.Clone(c.Types), maps.Clone(c.Skipped), slices.Clone(c.Problems)
	return c
}

// reader turns lines into records.
type reader struct {
	*Ingester
	ctx     context.Context
	format  session.Format
	lines   *session.Lines
	number  int             // of the last line
	session string          // what records belong to that do not say
	call    string          // see batch
	calls   map[string]bool // calls of tools seen, by id: whether it is a tool of chitta's own
}

func (m *Ingester) newReader(ctx context.Context, format session.Format) *reader {
	return &reader{Ingester: m, ctx: ctx, format: format, calls: map[string]bool{}}
}

// batch reads the next lines.
func (r *reader) batch() (*batch, error) {
	b := &batch{counts: newLineCounts(), session: r.session, call: r.call}
	for b.size < batchBytes && b.counts.Lines < batchLines && b.read < scanBytes {
		line, err := r.lines.Next()
		if errors.Is(err, io.EOF) {
			b.last = true
			return b, nil
		}
		if err != nil {
			return nil, err
		}
		r.number++
		r.take(b, &line)
		if !line.Terminated {
			// the client may still be writing it: it is read again next time
			r.number--
			b.last = true
			return b, nil
		}
		b.read += line.Length
		b.lines++
	}
	return b, nil
}

// maxRecord is the longest record that is read, in bytes. Images make records
// of a few megabytes; a longer one would hold up everything else for seconds.
const maxRecord = 32 << 20

// skipBlank is what lines without anything on them are counted as.
const skipBlank = "blank line"

func (r *reader) take(b *batch, line *session.Line) {
	b.counts.Lines++
	switch {
	case line.TooLong:
		b.tooLong = append(b.tooLong, len(b.bad))
		r.refuse(b, nil, line.Offset, line.Length, fmt.Errorf("longer than %d MiB", maxRecord>>20))
	case len(bytes.TrimSpace(line.Bytes)) == 0:
		b.counts.Types[skipBlank]++
		b.counts.Skipped[skipBlank]++
	case !line.Terminated && !json.Valid(line.Bytes):
		b.counts.Quarantined++
		b.counts.Incomplete++
		b.counts.Problems = append(b.counts.Problems, LineProblem{Line: r.number, Offset: line.Offset, Why: "the line is not complete yet"})
	default:
		r.record(b, line.Bytes, line.Offset)
	}
}

// record reads one record, or several that share a line.
func (r *reader) record(b *batch, text []byte, offset int64) {
	rec, err := r.format.Line(text)
	if errors.As(err, new(*session.TrailingError)) {
		if pieces := session.Split(text); pieces != nil {
			b.counts.Lines += len(pieces) - 1
			for _, p := range pieces {
				r.record(b, p, offset+int64(cap(text)-cap(p))) // pieces are slices of text
			}
			return
		}
	}
	if err == nil && rec.Message != nil {
		var raw []byte
		redacted := 0
		if rec, raw, redacted, err = r.clean(rec, text); err == nil {
			b.counts.Types[rec.Type]++
			b.counts.Redacted += redacted
			b.records = append(b.records, record{message: rec.Message, raw: raw, offset: offset, line: r.number})
			b.size += len(raw)
			return
		}
	}
	if err != nil {
		r.refuse(b, text, offset, int64(len(text)), err)
		return
	}
	b.counts.Types[rec.Type]++
	b.counts.Skipped[rec.Type]++
	if title := r.cleanTitle(rec.Title); title != "" {
		b.records = append(b.records, record{title: titleRecord{title, rec.Leaf, rec.Session}})
	}
}

// quarantineHead is how much of an unreadable line is kept, in bytes: enough
// to see what went wrong.
const quarantineHead = 8 << 10

// refuse puts a line aside.
func (r *reader) refuse(b *batch, text []byte, offset, length int64, why error) {
	b.counts.Quarantined++
	if len(b.counts.Problems) < maxLineProblems {
		b.counts.Problems = append(b.counts.Problems, LineProblem{Line: r.number, Offset: offset, Why: why.Error()})
	}
	b.bad = append(b.bad, store.Quarantined{
		Offset: offset, Line: r.number, Length: length, Reason: why.Error(),
		Raw: r.quarantined(text[:min(len(text), 2*quarantineHead)]),
	})
}

// quarantined is the beginning of an unreadable line as it is kept. Twice as
// much is given as is kept, so that a secret at the end is recognised whole.
func (r *reader) quarantined(head []byte) []byte {
	text, _ := r.redactor.Redact(string(session.Unescape(head)))
	return []byte(text[:min(len(text), quarantineHead)])
}
