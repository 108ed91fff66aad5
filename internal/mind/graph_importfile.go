package mind

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"chitta/internal/graph"
	"chitta/internal/memory"
	"chitta/internal/store"
)

// A file of facts is stored in one transaction, so that all of it is there or
// nothing, whatever happens meanwhile. A large one takes longer than a request
// may: it is read beside the requests, and who asked for it asks again how far
// it is. Nothing is held of it but the line at hand and a bounded number of
// names.

const (
	// importWait is how long a call waits for an import before it says how far
	// it is.
	importWait = 2 * time.Second
	// importPatience is how long an import goes on when nobody asks for it: who
	// started it is gone, and has not heard that anything was stored.
	importPatience = 20 * time.Second
	// wrongLines is how many wrong lines are named before giving up.
	wrongLines = 20

	phaseChecking = "checking"
	phaseStoring  = "storing"
)

// imports is the import of a file that is at work, if there is one.
type imports struct {
	mu  sync.Mutex
	now *fileImport
}

// fileImport is an import of a file: a pass that changes nothing and finds what
// is wrong, then one that stores.
type fileImport struct {
	*Mind
	id     string
	path   string
	format graph.Format
	dry    bool
	size   int64
	caller Caller
	realm  string

	storing atomic.Bool
	read    atomic.Int64 // bytes, in this pass
	asked   atomic.Int64 // when somebody last asked how far it is
	cancel  context.CancelFunc
	done    chan struct{} // closed when out and err stand
	out     GraphImportOutput
	err     error
}

var (
	errAbandoned = errors.New("nobody asked for the import any more; nothing was stored")
	errBadLine   = errors.New("a line is wrong")
)

// importFile begins the import of a file, or waits for it a while longer.
func (m *Mind) importFile(ctx context.Context, c Caller, in *GraphImportInput) (GraphImportOutput, error) {
	x, err := m.fileImport(ctx, c, in)
	if err != nil {
		return GraphImportOutput{}, err
	}
	x.asked.Store(time.Now().UnixNano())
	select {
	case <-x.done:
	case <-time.After(importWait):
		x.asked.Store(time.Now().UnixNano())
		out := GraphImportOutput{Problems: []ImportProblem{}, Job: x.id, Phase: phaseChecking, Read: x.read.Load(), Size: x.size}
		if x.storing.Load() {
			out.Phase = phaseStoring
		}
		return out, nil
	case <-ctx.Done():
		return GraphImportOutput{}, ctx.Err()
	}
	return x.out, factRefusal(x.err)
}

// fileImport finds the import that is asked for, or begins it.
func (m *Mind) fileImport(ctx context.Context, c Caller, in *GraphImportInput) (*fileImport, error) {
	m.imports.mu.Lock()
	defer m.imports.mu.Unlock()
	if in.Job != "" {
		if x := m.imports.now; x != nil && x.id == in.Job {
			return x, nil
		}
		return nil, &NotFoundError{What: "import", ID: in.Job, Hint: "it was cut off and nothing of it is stored; import the file again"}
	}
	if x := m.imports.now; x != nil && !x.ended() {
		return nil, &memory.RefusedError{Reason: "another file of facts is being imported", Hint: "try again when that is done"}
	}
	x, err := m.newFileImport(c, in)
	if err != nil {
		return nil, err
	}
	if _, err := m.importTargets(ctx, c, in.Realm); err != nil {
		return nil, err
	}
	m.imports.now = x
	running, cancel := context.WithCancel(context.WithoutCancel(ctx))
	x.cancel = cancel
	x.asked.Store(time.Now().UnixNano())
	go x.run(running)
	return x, nil
}

func (x *fileImport) ended() bool {
	select {
	case <-x.done:
		return true
	default:
		return false
	}
}

// stop ends the import that is at work; nothing of it is stored.
func (i *imports) stop() {
	i.mu.Lock()
	x := i.now
	i.mu.Unlock()
	if x != nil {
		x.cancel()
		<-x.done
	}
}

// newFileImport looks whether a file can be imported.
func (m *Mind) newFileImport(c Caller, in *GraphImportInput) (*fileImport, error) {
	if err := checkText("file", in.File, maxPathBytes); err != nil {
		return nil, err
	}
	path, err := resolvePath(c, "file", in.File)
	if err != nil {
		return nil, err
	}
	x := &fileImport{Mind: m, path: path, format: graph.Format(in.Format), dry: in.Dry, caller: c, realm: in.Realm, done: make(chan struct{})}
	if !slices.Contains(graph.Formats(), x.format) {
		return nil, &memory.InputError{Field: "format", Problem: fmt.Sprintf("%q is not known", firstRunes(in.Format, problemRunes)), Hint: "use csv, json-ld or dot"}
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, &memory.InputError{Field: "file", Problem: "cannot be read: " + err.Error(), Hint: "name a file that chitta graph export wrote"}
	case !info.Mode().IsRegular():
		return nil, &memory.InputError{Field: "file", Problem: in.File + " is not a file", Hint: "name a file; it is read twice"}
	case info.Size() == 0:
		return nil, &memory.InputError{Field: "file", Problem: in.File + " is empty", Hint: "name a file that chitta graph export wrote"}
	}
	x.size = info.Size()
	x.id, err = memory.NewID("import_", m.opts.Random)
	return x, err
}

// run imports the file.
func (x *fileImport) run(ctx context.Context) {
	defer close(x.done)
	defer x.cancel()
	x.out.Problems = []ImportProblem{}
	facts := 0
	x.err = x.pass(ctx, func(_ *importTargets, line int, r *GraphRecord) error {
		facts++
		if _, err := x.imported(r); err != nil {
			return x.wrong(line, inWords(err))
		}
		return nil
	})
	slices.SortStableFunc(x.out.Problems, func(a, b ImportProblem) int { return a.Line - b.Line })
	if x.err == nil && len(x.out.Problems) == 0 && !x.dry && facts > 0 {
		x.storing.Store(true)
		x.err = x.store(ctx)
	}
	if errors.Is(x.err, errBadLine) {
		x.err = nil
	}
	if len(x.out.Problems) > 0 || x.err != nil {
		x.out = GraphImportOutput{Problems: x.out.Problems}
	}
}

// store takes all facts over in one transaction.
func (x *fileImport) store(ctx context.Context) error {
	err := x.Mind.store.Write(ctx, func(tx *store.Tx) error {
		t, err := x.newTaking(tx, &x.out)
		if err != nil {
			return err
		}
		err = x.pass(ctx, func(to *importTargets, line int, r *GraphRecord) error {
			c, err := x.imported(r)
			if err == nil {
				err = t.take(to.of(r.Realm), &c)
				x.out.Moved = to.moved
			}
			if refused := new(store.FactError); errors.As(err, &refused) {
				err = errors.Join(x.wrong(line, refused.Reason), errBadLine)
			}
			return err
		})
		if err != nil {
			return err
		}
		if len(x.out.Problems) > 0 { // the file has changed since it was looked through
			return errBadLine
		}
		return t.settle()
	})
	if err == nil {
		x.net.Follow(ctx)
	}
	return err
}

// wrong notes that a line is wrong, and ends the pass when there are too many.
func (x *fileImport) wrong(line int, why string) error {
	x.out.Problems = append(x.out.Problems, ImportProblem{line, why})
	if len(x.out.Problems) >= wrongLines {
		return errBadLine
	}
	return nil
}

// pass reads the whole file once.
func (x *fileImport) pass(ctx context.Context, fn func(to *importTargets, line int, r *GraphRecord) error) error {
	to, err := x.importTargets(ctx, x.caller, x.realm)
	if err != nil {
		return err
	}
	file, err := os.Open(x.path)
	if err != nil {
		return fmt.Errorf("open the file: %w", err)
	}
	defer file.Close()
	lines := &lineReader{from: bufio.NewReaderSize(file, lineBuffer)}
	for r, err := range graph.Read(x.format, lines) {
		x.read.Store(lines.bytes)
		if err := ctx.Err(); err != nil {
			return err
		}
		if time.Since(time.Unix(0, x.asked.Load())) > importPatience {
			return errAbandoned
		}
		line := lines.lines
		var rec GraphRecord
		if err == nil {
			rec, err = recordOf(&r)
		}
		var at *graph.LineError
		switch {
		case errors.As(err, &at):
			err = x.wrong(at.Line, at.Err.Error())
		case err != nil:
			err = x.wrong(line, inWords(err))
		default:
			err = fn(to, line, &rec)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// lineBuffer is how much of a file is read at once.
const lineBuffer = 64 << 10

// lineReader hands out one line at a time, so that whoever reads records of a
// line each is never further than lines says.
type lineReader struct {
	from  *bufio.Reader
	rest  []byte
	lines int
	bytes int64
}

func (l *lineReader) Read(p []byte) (int, error) {
	if len(l.rest) == 0 {
		part, err := l.from.ReadSlice('\n')
		if len(part) == 0 {
			return 0, err
		}
		if part[len(part)-1] == '\n' || errors.Is(err, io.EOF) {
			l.lines++
		}
		l.bytes += int64(len(part))
		l.rest = part
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}
