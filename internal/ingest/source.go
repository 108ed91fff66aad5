package ingest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"chitta/internal/memory"
	"chitta/internal/session"
	"chitta/internal/store"
)

// source is a transcript that is being read.
type source struct {
	store.SourceFile // as it is stored, or will be
	file             *os.File
	format           session.Format
	rewritten        bool
	unchanged        bool
	size             int64
	modified         time.Time
	reader           *reader
}

// openSource opens a transcript where reading has to go on. The file is nil if
// there is nothing to read: it has not changed, or it is no conversation.
func (m *Ingester) openSource(ctx context.Context, w File) (*source, error) {
	fi, err := os.Stat(w.Path)
	if err != nil {
		return nil, unreadable(w.Path, err)
	}
	if !fi.Mode().IsRegular() {
		return nil, &memory.InputError{Field: "path", Problem: w.Path + " is not a file", Hint: "name a file"}
	}
	known, err := m.store.SourceFile(ctx, w.Path)
	if err != nil {
		return nil, err
	}
	src := &source{SourceFile: known, size: fi.Size(), modified: fi.ModTime().UTC().Truncate(time.Millisecond), format: w.Format}
	if w.Format != nil && known.Format != w.Format.Name() {
		src.Offset, src.Lines = 0, 0 // it was read as something else, if at all
	} else if known.ID != 0 && known.Size == src.size && known.Modified.Equal(src.modified) {
		src.unchanged = true
		return src, nil
	}
	f, err := os.Open(w.Path)
	if err != nil {
		return nil, unreadable(w.Path, err)
	}
	if err := src.begin(f); err != nil || src.format == nil {
		return src, errors.Join(err, f.Close())
	}
	src.file = f
	src.reader = m.newReader(ctx, src.format)
	src.reader.lines = session.NewLines(io.NewSectionReader(f, src.Offset, src.size-src.Offset), src.Offset, maxRecord)
	src.reader.number = src.Lines
	src.reader.session = strings.TrimSuffix(filepath.Base(w.Path), transcriptSuffix)
	src.reader.call = spawningCall(w.Path)
	return src, nil
}

func unreadable(path string, err error) error {
	var cause *fs.PathError
	if errors.As(err, &cause) {
		err = cause.Err
	}
	return &memory.InputError{Field: "path", Problem: fmt.Sprintf("%s: %v", path, err), Hint: "name a file that can be read"}
}

// transcriptSuffix is how transcripts are called.
const transcriptSuffix = ".jsonl"

// begin finds out where to go on and which format the file is in.
func (s *source) begin(f *os.File) error {
	if s.Offset > 0 {
		same := s.Offset <= s.size
		if same {
			sum, err := prefixSum(f, s.Offset)
			if err != nil {
				return err
			}
			same = bytes.Equal(sum, s.Prefix)
		}
		if !same {
			s.rewritten, s.Offset, s.Lines = true, 0, 0
		}
	}
	if s.format == nil && s.Offset > 0 {
		s.format, _ = FormatNamed(s.Format)
	}
	if s.format == nil {
		var err error
		if s.format, err = detectFormat(f, s.size); err != nil || s.format == nil {
			return err
		}
	}
	s.Format = s.format.Name()
	return nil
}

// prefixEdge is how much of the beginning and of the end of what was read is
// looked at to notice that a file was rewritten. A client appends; whoever
// rewrites a transcript changes its beginning or moves its end.
const prefixEdge = 64 << 10

// prefixSum is a SHA-256 over the edges of the first offset bytes.
func prefixSum(f io.ReaderAt, offset int64) ([]byte, error) {
	h := sha256.New()
	edge := min(offset, prefixEdge)
	for _, from := range []int64{0, offset - edge} {
		if _, err := io.Copy(h, io.NewSectionReader(f, from, edge)); err != nil {
			return nil, err
		}
	}
	return h.Sum(nil), nil
}

// detectLines is how many lines of a file are looked at to see what it is.
const detectLines = 50

// detectFormat returns the format that the first lines show, nil if they show
// none.
func detectFormat(f io.ReaderAt, size int64) (session.Format, error) {
	lines := session.NewLines(io.NewSectionReader(f, 0, size), 0, maxRecord)
	read := int64(0)
	for range detectLines {
		if read >= scanBytes {
			break
		}
		line, err := lines.Next()
		if errors.Is(err, io.EOF) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		if format, ok := session.Detect([][]byte{line.Bytes}); ok {
			return format, nil
		}
		read += line.Length
	}
	return nil, nil
}

// moveTo sets where reading goes on after a batch.
func (s *source) moveTo(next *store.SourceFile, b *batch) error {
	next.Offset, next.Lines = s.Offset+b.read, s.Lines+b.lines
	next.Size, next.Modified = store.NotAllRead, s.modified
	if b.last && b.counts.Incomplete == 0 {
		next.Size = s.size
	}
	var err error
	next.Prefix, err = prefixSum(s.file, next.Offset)
	return err
}

// batch reads the next lines.
func (s *source) batch() (*batch, error) {
	b, err := s.reader.batch()
	if err != nil {
		return nil, err
	}
	for _, i := range b.tooLong { // what the reader passed over
		q := &b.bad[i]
		head := make([]byte, min(q.Length, 2*quarantineHead))
		n, err := s.file.ReadAt(head, q.Offset)
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		q.Raw = s.reader.quarantined(head[:n])
	}
	return b, nil
}

// report says how things stand before anything is read.
func (s *source) report() Report {
	out := Report{
		Path: s.Path, Offset: s.Offset, Size: s.size, Done: s.file == nil,
		Unchanged: s.unchanged, Rewritten: s.rewritten, LineCounts: newLineCounts(),
	}
	if s.unchanged {
		out.Format = s.Format
	} else if s.format != nil {
		out.Format = s.format.Name()
	}
	return out
}

// spawningCall returns the call that started the subagent whose transcript a
// file is, as the client notes it beside the file, or "".
func spawningCall(path string) string {
	meta, err := os.ReadFile(strings.TrimSuffix(path, transcriptSuffix) + ".meta.json")
	if err != nil || len(meta) > maxMeta {
		return ""
	}
	var note struct {
		ToolUseID string `json:"toolUseId"`
	}
	if json.Unmarshal(meta, &note) != nil {
		return ""
	}
	return note.ToolUseID
}

// maxMeta is far beyond what the client notes beside a transcript.
const maxMeta = 1 << 20
