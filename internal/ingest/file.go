package ingest

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"chitta/internal/memory"
	"chitta/internal/session"
	"chitta/internal/store"
)

// Report says how far a transcript has been read and what became of its lines
// in this call.
type Report struct {
	Path   string `json:"path"`
	Format string `json:"format"` // "" if it is no conversation
	Offset int64  `json:"offset"` // everything before it has been taken over
	Size   int64  `json:"size"`
	Done   bool   `json:"done"` // nothing is left to read; otherwise call again

	Unchanged bool `json:"unchanged"` // since it was last read
	Rewritten bool `json:"rewritten"` // it is another file than it was, and read from the beginning

	LineCounts
}

// LineCounts says what became of lines. Added, Known, Skipped and Quarantined
// add up to Lines. A line that holds several records counts as that many.
type LineCounts struct {
	Lines       int            `json:"lines"`
	Types       map[string]int `json:"types"`       // lines by their type
	Added       int            `json:"added"`       // messages
	Known       int            `json:"known"`       // messages that were here already
	Conflicts   int            `json:"conflicts"`   // of those: here with other words under the same name
	Skipped     map[string]int `json:"skipped"`     // no part of a conversation, by type
	Quarantined int            `json:"quarantined"` // could not be read
	Incomplete  int            `json:"incomplete"`  // of those: a last line that is still being written
	Problems    []LineProblem  `json:"problems"`    // the first of them and of the conflicts
	Sessions    int            `json:"sessions"`    // new ones
	Redacted    int            `json:"redacted"`    // secrets taken out
}

// LineProblem is a line that could not be read.
type LineProblem struct {
	Line   int    `json:"line"` // counted from 1
	Offset int64  `json:"offset"`
	Why    string `json:"why"`
}

// maxLineProblems bounds a report; the quarantine keeps them all.
const maxLineProblems = 100

func newLineCounts() LineCounts {
	return LineCounts{Types: map[string]int{}, Skipped: map[string]int{}, Problems: []LineProblem{}}
}

// Add adds the counts of another part. The zero value has counted nothing.
func (c *LineCounts) Add(other LineCounts) {
	if c.Types == nil {
		*c = newLineCounts()
	}
	c.Lines += other.Lines
	c.Added += other.Added
	c.Known += other.Known
	c.Conflicts += other.Conflicts
	c.Quarantined += other.Quarantined
	c.Incomplete += other.Incomplete
	c.Sessions += other.Sessions
	c.Redacted += other.Redacted
	for t, n := range other.Types {
		c.Types[t] += n
	}
	for t, n := range other.Skipped {
		c.Skipped[t] += n
	}
	c.Problems = append(c.Problems, other.Problems[:min(len(other.Problems), maxLineProblems-min(len(c.Problems), maxLineProblems))]...)
}

const (
	// batchBytes and batchLines bound what is stored in one transaction, and so
	// how long other writers wait and how much memory is needed. They must not
	// depend on time: the same file is always cut into the same batches.
	batchBytes = 4 << 20
	batchLines = 2000
	// scanBytes bounds how much is passed over in one batch.
	scanBytes = 64 << 20
)

// File is a transcript to be read.
type File struct {
	Path   string         // absolute
	Format session.Format // nil: what the file shows
	// Realm says where conversations go that do not say where they took place.
	Realm func(context.Context) (memory.Realm, error)
	// Fixed says that all of them go to Realm, wherever they took place.
	Fixed bool
	// Migration is the number of the one that brings what is read, or 0: what it
	// brought can be taken back.
	Migration int64
	// Budget is how long to read before returning.
	Budget time.Duration
}

// ReadFile takes over what is new in a transcript. It returns after a while
// whether it is through or not; what was read is stored, and the next call goes
// on from there. A file that has not changed is not read.
func (m *Ingester) ReadFile(ctx context.Context, w File) (Report, error) {
	if real, err := filepath.EvalSymlinks(w.Path); err == nil {
		w.Path = real
	}
	release, err := m.reading.hold(ctx, w.Path)
	if err != nil {
		return Report{}, err
	}
	defer release()
	src, err := m.openSource(ctx, w)
	if err != nil {
		return Report{}, err
	}
	out := src.report()
	if src.file == nil {
		return out, nil
	}
	defer src.file.Close()
	defer src.reader.lines.Release()
	into, err := m.targetOf(ctx, w, src.format)
	if err != nil {
		return out, err
	}
	defer easeCollector()()
	begin := time.Now()
	for !out.Done && (time.Since(begin) < w.Budget || out.Lines == 0) {
		counts, done, err := m.ingestBatch(ctx, src, into)
		if err != nil {
			return out, err
		}
		out.LineCounts.Add(counts)
		out.Offset, out.Done = src.Offset, done
	}
	if out.Added > 0 || out.Sessions > 0 {
		err = m.after(ctx)
	}
	return out, err
}

// ingestBatch reads and stores the next lines.
func (m *Ingester) ingestBatch(ctx context.Context, src *source, into target) (LineCounts, bool, error) {
	b, err := src.batch()
	if err != nil {
		return LineCounts{}, false, unreadable(src.Path, err)
	}
	if err := m.place(ctx, into, b); err != nil {
		return LineCounts{}, false, err
	}
	next := src.SourceFile
	if err := src.moveTo(&next, b); err != nil {
		return LineCounts{}, false, unreadable(src.Path, err)
	}
	var counts LineCounts
	err = m.store.Write(ctx, func(tx *store.Tx) error {
		counts = b.counts.clone()
		next.Updated = m.now()
		if err := tx.PutSourceFile(&next); err != nil {
			return err
		}
		if src.Offset == 0 { // what was put aside before is put aside again
			if err := tx.ClearQuarantine(next.ID); err != nil {
				return err
			}
		}
		for i := range b.bad {
			b.bad[i].File, b.bad[i].At = next.ID, m.now()
			if err := tx.Quarantine(&b.bad[i]); err != nil {
				return err
			}
		}
		return m.storeRecords(tx, into, next.ID, b, &counts)
	})
	if err != nil {
		return LineCounts{}, false, err
	}
	src.SourceFile = next
	m.stored(ctx, into.format.Name(), b.stored)
	return counts, b.last, nil
}

// FormatNamed returns the format of that name.
func FormatNamed(name string) (session.Format, error) {
	for _, f := range []session.Format{session.Turns{}, session.ClaudeCode{}} {
		if name == f.Name() {
			return f, nil
		}
	}
	return nil, &memory.InputError{Field: "format", Problem: fmt.Sprintf("%q is not known", name), Hint: "use turns or claude-code"}
}

// fileLocks lets one at a time read a file.
type fileLocks struct {
	mu   sync.Mutex
	held map[string]chan struct{}
}

// hold waits until nobody else reads the file, and returns how to let go.
func (l *fileLocks) hold(ctx context.Context, path string) (release func(), err error) {
	for {
		l.mu.Lock()
		wait, busy := l.held[path]
		if !busy {
			done := make(chan struct{})
			l.held[path] = done
			l.mu.Unlock()
			return func() {
				l.mu.Lock()
				defer l.mu.Unlock()
				delete(l.held, path)
				close(done)
			}, nil
		}
		l.mu.Unlock()
		select {
		case <-wait:
		case <-ctx.Done():
			return nil, errors.Join(ctx.Err(), fmt.Errorf("waiting for another import of %s", path))
		}
	}
}
