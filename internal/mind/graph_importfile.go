package mind

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"chitta/internal/graph"
	"chitta/internal/memory"
)

// A file of facts is stored in one transaction, so that all of it is there or
// nothing, whatever happens meanwhile. Everything else that writes waits for
// that, so a file that would take long is refused, unless it is asked for in
// parts: each of them is stored whole or not at all, and others write between
// them.
//
// An import may take longer than a request: it goes on beside the requests, and
// who asked for it asks again how far it is.

const (
	// importWait is how long a call waits for an import before it says how far
	// it is.
	importWait = 2 * time.Second
	// importPatience is how long an import goes on when nobody asks for it: who
	// started it is gone, and has not heard that anything was stored.
	importPatience = 20 * time.Second
	// stopPatience is how long the end of the process waits for an import that
	// was told to stop: it looks up after each fact.
	stopPatience = 2 * time.Second
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
// is wrong, then the facts are stored. The file is opened once, so that it is
// the same file all along, whatever is moved to its place.
type fileImport struct {
	*Mind
	id     string
	path   string
	format graph.Format
	dry    bool
	parts  bool // to be stored in parts
	file   *os.File
	info   os.FileInfo // of the file when it was opened
	facts  int         // in the file
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
	errCancelled = errors.New("the import was cancelled; nothing was stored")
	errChanged   = errors.New("the file was changed while it was read; nothing was stored, import it again")
	errBadLine   = errors.New("a line is wrong")
)

// importFile begins the import of a file, or waits for it a while longer.
func (m *Mind) importFile(ctx context.Context, c Caller, in *GraphImportInput) (GraphImportOutput, error) {
	if in.Cancel {
		return m.cancelImport(ctx, in)
	}
	x, err := m.fileImport(ctx, c, in)
	if err != nil {
		return GraphImportOutput{}, err
	}
	x.asked.Store(time.Now().UnixNano())
	select {
	case <-x.done:
	case <-time.After(importWait):
		x.asked.Store(time.Now().UnixNano())
		out := GraphImportOutput{Problems: []ImportProblem{}, Job: x.id, Phase: phaseChecking, Read: x.read.Load(), Size: x.info.Size()}
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
		return nil, &memory.NotFoundError{What: "import", ID: in.Job, Hint: "it was cut off and nothing of it is stored; import the file again"}
	}
	if x := m.imports.now; x != nil && !x.ended() {
		return nil, &memory.RefusedError{Reason: "another file of facts is being imported", Hint: "try again when that is done"}
	}
	x, err := m.newFileImport(c, in)
	if err != nil {
		return nil, err
	}
	if _, err := m.importTargets(ctx, c, in.Realm); err != nil {
		x.file.Close()
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

// cancelImport ends an import, named by its job or its file, and says what
// became of it: it may have been done before it heard of that.
func (m *Mind) cancelImport(ctx context.Context, in *GraphImportInput) (GraphImportOutput, error) {
	m.imports.mu.Lock()
	x := m.imports.now
	m.imports.mu.Unlock()
	if x == nil || in.Job != "" && x.id != in.Job || in.Job == "" && x.path != in.File {
		return GraphImportOutput{}, &memory.NotFoundError{What: "import", ID: cmp.Or(in.Job, in.File), Hint: "there is nothing to cancel"}
	}
	x.cancel()
	select {
	case <-x.done:
	case <-ctx.Done():
		return GraphImportOutput{}, ctx.Err()
	}
	if errors.Is(x.err, errCancelled) {
		return GraphImportOutput{Problems: []ImportProblem{}, Cut: x.err.Error()}, nil
	}
	return x.out, factRefusal(x.err)
}

// stop ends the import that is at work. It does not wait for ever: what holds
// the import up must not hold up the end of the process.
func (i *imports) stop() {
	i.mu.Lock()
	x := i.now
	i.mu.Unlock()
	if x == nil {
		return
	}
	x.cancel()
	select {
	case <-x.done:
	case <-time.After(stopPatience):
		x.opts.Log.Warn("an import of facts did not stop in time; what it had not stored is not stored", "file", x.path)
	}
}

// newFileImport looks whether a file can be imported.
func (m *Mind) newFileImport(c Caller, in *GraphImportInput) (*fileImport, error) {
	if err := memory.CheckText("file", in.File, memory.MaxPath); err != nil {
		return nil, err
	}
	path, err := resolvePath(c, "file", in.File)
	if err != nil {
		return nil, err
	}
	x := &fileImport{Mind: m, path: path, format: graph.Format(in.Format), dry: in.Dry, parts: in.Parts, caller: c, realm: in.Realm, done: make(chan struct{})}
	if !slices.Contains(graph.Formats(), x.format) {
		return nil, &memory.InputError{Field: "format", Problem: fmt.Sprintf("%q is not known", firstRunes(in.Format, problemRunes)), Hint: "use csv, json-ld or dot"}
	}
	if err := x.open(in.File); err != nil {
		return nil, err
	}
	if x.id, err = memory.NewID("import_", m.opts.Random); err != nil {
		x.file.Close()
	}
	return x, err
}

// open opens the file. A pipe would wait for whoever writes to it, so it is
// opened without waiting, and looked at before anything is read.
func (x *fileImport) open(shown string) error {
	const another = "name a file that chitta graph export wrote"
	file, err := os.OpenFile(x.path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return &memory.InputError{Field: "file", Problem: "cannot be read: " + err.Error(), Hint: another}
	}
	info, err := file.Stat()
	var wrong *memory.InputError
	switch {
	case err != nil:
		wrong = &memory.InputError{Field: "file", Problem: "cannot be read: " + err.Error(), Hint: another}
	case info.IsDir():
		wrong = &memory.InputError{Field: "file", Problem: shown + " is a folder", Hint: another}
	case !info.Mode().IsRegular():
		wrong = &memory.InputError{Field: "file", Problem: shown + " is a pipe or a device: the file is read from its beginning, by the daemon and more than once",
			Hint: "write it to a file first, and import that"}
	case info.Size() == 0:
		wrong = &memory.InputError{Field: "file", Problem: shown + " is empty", Hint: another}
	case info.Size() > wholeBytes && !x.parts && !x.dry:
		wrong = tooLarge(fmt.Sprintf("has more than %d MiB", wholeBytes>>20))
	}
	if wrong != nil {
		file.Close()
		return wrong
	}
	x.file, x.info = file, info
	return nil
}

// tooLarge refuses a file that would keep others from writing for too long.
func tooLarge(problem string) *memory.InputError {
	return &memory.InputError{Field: "file", Problem: problem + ": other writes would have to wait too long for it to be stored at once",
		Hint: "let it be stored in parts, each of them whole or not at all, with --parts (parts: true)"}
}

// run imports the file.
func (x *fileImport) run(ctx context.Context) {
	defer close(x.done)
	defer x.cancel()
	defer x.file.Close()
	x.out.Problems = []ImportProblem{}
	all, err := x.check(ctx)
	slices.SortStableFunc(x.out.Problems, func(a, b ImportProblem) int { return a.Line - b.Line })
	if err == nil && len(x.out.Problems) == 0 && !x.dry && x.facts > 0 {
		x.storing.Store(true)
		if x.parts {
			err = x.storeParts(ctx)
		} else {
			err = x.storeWhole(ctx, all)
		}
	}
	if ctx.Err() != nil && err != nil {
		err = errCancelled
	}
	x.conclude(err)
}

// conclude makes what is answered of how an import ended.
func (x *fileImport) conclude(err error) {
	if errors.Is(err, errBadLine) {
		err = nil
	}
	switch {
	case err == nil && len(x.out.Problems) == 0:
	case x.out.Parts == 0: // nothing is stored
		x.out, x.err = GraphImportOutput{Problems: x.out.Problems}, err
	case err != nil:
		why, _, _ := strings.Cut(err.Error(), "; nothing was stored")
		x.out.Cut = why
	default:
		x.out.Cut = "a line is wrong"
	}
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
	if _, err := x.file.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("read the file from its beginning: %w", err)
	}
	lines := &lineReader{from: bufio.NewReaderSize(x.file, lineBuffer)}
	for r, err := range graph.Read(x.format, lines) {
		x.read.Store(lines.bytes)
		if err := x.wanted(ctx); err != nil {
			return err
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
	return x.unchanged()
}

// wanted says whether to go on: nobody cancelled the import, and somebody still
// waits for it.
func (x *fileImport) wanted(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if time.Since(time.Unix(0, x.asked.Load())) > importPatience {
		return errAbandoned
	}
	return nil
}

// unchanged says that the file is as it was when it was opened.
func (x *fileImport) unchanged() error {
	info, err := x.file.Stat()
	if err != nil {
		return fmt.Errorf("look at the file: %w", err)
	}
	if info.Size() != x.info.Size() || !info.ModTime().Equal(x.info.ModTime()) {
		return errChanged
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
