package ingest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
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
	inode            int64
	sum              hash.Hash // of everything before Offset
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
	src := &source{SourceFile: known, size: fi.Size(), modified: fi.ModTime().UTC().Truncate(time.Millisecond), inode: inodeOf(fi), format: w.Format}
	if w.Format != nil && known.Format != w.Format.Name() {
		src.Offset, src.Lines = 0, 0 // it was read as something else, if at all
	} else if known.ID != 0 && known.Size == src.size && known.Modified.Equal(src.modified) && (known.Inode == 0 || known.Inode == src.inode) {
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
	return &memory.InputError{Field: "path", Problem: fmt.Sprintf("%s: %v", path, err), Hint: "name a file that can be read", Err: err}
}

// transcriptSuffix is how transcripts are called.
const transcriptSuffix = ".jsonl"

// begin finds out where to go on and which format the file is in.
func (s *source) begin(f *os.File) error {
	s.sum = sha256.New()
	if s.Offset > 0 {
		same, err := s.stillThere(f)
		if err != nil {
			return err
		}
		if !same {
			s.rewritten, s.Offset, s.Lines, s.sum = true, 0, 0, sha256.New()
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

// stillThere reports whether what was read is still in the file, and sums it up
// to go on from there. The whole of it is looked at: a file of gigabytes takes a
// second, and a change in its middle is lost otherwise.
func (s *source) stillThere(f io.ReaderAt) (bool, error) {
	if s.Offset > s.size {
		return false, nil
	}
	if len(s.Whole) == 0 { // it was read before all of it was summed up
		edges, err := prefixSum(f, s.Offset)
		if err != nil || !bytes.Equal(edges, s.Prefix) {
			return false, err
		}
	}
	if err := addTo(s.sum, f, 0, s.Offset); err != nil {
		return false, err
	}
	return len(s.Whole) == 0 || bytes.Equal(s.sum.Sum(nil), s.Whole), nil
}

// addTo adds a part of a file to a sum.
func addTo(sum hash.Hash, f io.ReaderAt, from, upto int64) error {
	buffer, _ := sumBuffers.Get().(*[]byte)
	if buffer == nil {
		fresh := make([]byte, sumBuffer)
		buffer = &fresh
	}
	defer sumBuffers.Put(buffer)
	_, err := io.CopyBuffer(sum, io.NewSectionReader(f, from, upto-from), *buffer)
	return err
}

// sumBuffers are used again: there is one for every file that is read.
var sumBuffers sync.Pool

// sumBuffer is how much of a file is read at once to be summed up.
const sumBuffer = 256 << 10

// prefixEdge is how much of the beginning and of the end of what was read was
// summed up before [store.SourceFile.Whole] was.
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

// detectFormat returns the format that the first lines show, nil if they show
// none.
func detectFormat(f io.ReaderAt, size int64) (session.Format, error) {
	lines := session.NewLines(io.NewSectionReader(f, 0, size), 0, maxRecord)
	defer lines.Release()
	format, _, err := session.DetectFrom(lines)
	return format, err
}

// moveTo sets where reading goes on after a batch.
func (s *source) moveTo(next *store.SourceFile, b *batch) error {
	next.Offset, next.Lines = s.Offset+b.read, s.Lines+b.lines
	next.Size, next.Modified, next.Inode = store.NotAllRead, s.modified, s.inode
	if b.last && b.counts.Incomplete == 0 {
		next.Size = s.size
	}
	if err := addTo(s.sum, s.file, s.Offset, next.Offset); err != nil {
		return err
	}
	next.Whole = s.sum.Sum(nil)
	return nil
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
