package codebase

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"chitta/internal/code"
	"chitta/internal/realm"
	"chitta/internal/store"
)

// ErrUnknown is returned for a path that belongs to no indexed project.
var ErrUnknown = errors.New("this project is not indexed")

// Options says how to open a base. Zero values mean defaults.
type Options struct {
	Path string           // of the database; required
	Log  *slog.Logger     // default: discard
	Now  func() time.Time // default time.Now
	// Worker starts a process that calls [Work]; default: this binary with the
	// arguments "code worker".
	Worker func() (*exec.Cmd, error)
	// Solver starts a process that calls [Solve] for a root; default: this binary
	// with the arguments "code solver".
	Solver func(root string) (*exec.Cmd, error)
	// Workers is how many parse at once while somebody waits for an index; default:
	// one for each core. What changes later is parsed by one.
	Workers  int
	Patience time.Duration // how long a worker may be silent; default 10 s
}

// Base is the index of all projects. It is safe for concurrent use; one process
// has it open at a time.
type Base struct {
	opts   Options
	db     *store.Code
	pool   *pool
	timing timing
	broken atomic.Bool // the database is damaged

	mu       sync.Mutex
	projects map[string]*project // by root
	touched  map[string]bool     // files that somebody said were changed
	wake     chan struct{}
	watching WatchStatus

	catalogues catalogues // what questions look through
}

// project is what is known of one project beyond what is stored. All but turn
// belongs to who holds it.
type project struct {
	root string
	turn chan struct{} // holds a token while somebody works on the project

	row   store.CodeProject
	files map[string]*store.CodeFile // as stored; nil: to be loaded
	hot   *solving                   // has the facts in memory; nil: to be started
	loose bool                       // resolved in steps since all was resolved
}

// Open opens the database, making it anew where it is damaged or of another
// version.
func Open(ctx context.Context, o Options) (*Base, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Worker == nil {
		o.Worker = ownWorker
	}
	if o.Solver == nil {
		o.Solver = ownSolver
	}
	if o.Workers <= 0 {
		o.Workers = runtime.NumCPU()
	}
	if o.Patience <= 0 {
		o.Patience = workerPatience
	}
	db, anew, err := store.OpenCode(ctx, o.Path, code.Version)
	if err != nil {
		return nil, err
	}
	if anew != "" {
		o.Log.Warn("the index of source code was made anew", "reason", anew)
	}
	return &Base{
		opts: o, db: db, projects: map[string]*project{}, touched: map[string]bool{}, wake: make(chan struct{}, 1),
		timing: usualTiming(),
		pool:   &pool{command: o.Worker, patience: o.Patience},
	}, nil
}

// Close ends what was started and releases the database. Nobody may be working
// on a project.
func (b *Base) Close() error {
	for _, p := range b.projects {
		p.cool()
	}
	err := b.db.Close()
	if b.broken.Load() {
		err = errors.Join(err, store.RemoveCode(b.opts.Path))
	}
	return err
}

// noteDamage has a database that proved damaged in use removed when it is
// closed, so that the next start makes it anew.
func (b *Base) noteDamage(err error) {
	if errors.Is(err, store.ErrDamaged) && !b.broken.Swap(true) {
		b.opts.Log.Error("the index of source code is damaged; it is made anew with the next start", "error", err)
	}
}

// Store is where everything is kept, for questions; its tables are described in
// internal/store/code.sql.
func (b *Base) Store() *store.Code { return b.db }

// take waits for a project's turn and loads what is stored of it. The function
// it returns gives the turn back.
func (b *Base) take(ctx context.Context, root string) (*project, func(), error) {
	b.mu.Lock()
	p := b.projects[root]
	if p == nil {
		p = &project{root: root, turn: make(chan struct{}, 1)}
		b.projects[root] = p
	}
	b.mu.Unlock()
	select {
	case p.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, nil, fmt.Errorf("wait for another index of %s: %w", root, ctx.Err())
	}
	release := func() { <-p.turn }
	if err := b.load(ctx, p); err != nil {
		p.forget()
		release()
		return nil, nil, err
	}
	return p, release, nil
}

// inUse reports whether somebody works on a project.
func (b *Base) inUse(root string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	p := b.projects[root]
	return p != nil && len(p.turn) > 0
}

// load reads a project's row and files. One that is not stored has no number.
func (b *Base) load(ctx context.Context, p *project) error {
	if p.files != nil {
		return nil
	}
	row, err := b.db.Project(ctx, p.root)
	if errors.Is(err, store.ErrNotFound) {
		p.row, p.files = store.CodeProject{Root: p.root}, map[string]*store.CodeFile{}
		return nil
	}
	if err != nil {
		return err
	}
	files, err := b.db.CodeFiles(ctx, row.ID)
	if err != nil {
		return err
	}
	p.row, p.files = row, make(map[string]*store.CodeFile, len(files))
	for i := range files {
		p.files[files[i].Path] = &files[i]
	}
	return nil
}

// forget drops what is in memory, so that the next who takes the project reads
// what is stored.
func (p *project) forget() {
	p.files = nil
	p.cool()
}

// cool gives back the memory that the facts take.
func (p *project) cool() {
	if p.hot != nil {
		p.hot.end()
	}
	p.hot, p.loose = nil, false
}

// Project is an indexed project.
type Project struct {
	Root    string           `json:"root"`
	Realm   string           `json:"realm,omitempty"`
	Begun   time.Time        `json:"begun"`
	Indexed time.Time        `json:"indexed,omitzero"` // zero: it did not come to its end yet
	Changed time.Time        `json:"changed"`
	Counts  store.CodeCounts `json:"counts"`
	Report  *Report          `json:"report,omitempty"` // of the last whole index
}

// Projects lists the indexed projects by root, without counts and reports.
func (b *Base) Projects(ctx context.Context) ([]Project, error) {
	rows, err := b.db.Projects(ctx)
	if err != nil {
		return nil, fmt.Errorf("list projects: %w", err)
	}
	out := make([]Project, 0, len(rows))
	for _, r := range rows {
		out = append(out, Project{Root: r.Root, Realm: r.Realm, Begun: r.Begun, Indexed: r.Indexed, Changed: r.Changed})
	}
	return out, nil
}

// ProjectOf returns the root of the indexed project that a path lies in, the
// innermost, or [ErrUnknown]. The path need not exist.
func (b *Base) ProjectOf(ctx context.Context, path string) (string, error) {
	rows, err := b.db.Projects(ctx)
	if err != nil {
		return "", fmt.Errorf("find the project: %w", err)
	}
	path = realPath(path)
	best := ""
	for _, r := range rows {
		if Within(r.Root, path) && len(r.Root) > len(best) {
			best = r.Root
		}
	}
	// a work tree within another, or a clone, is not what lies around it
	if top := realm.Top(path); best == "" || len(top) > len(best) && Within(best, top) && realm.Top(best) == best {
		return "", ErrUnknown
	}
	return best, nil
}

// realPath follows the links of as much of a path as there is.
func realPath(path string) string {
	for rest := ""; ; {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			return filepath.Join(real, rest)
		}
		parent := filepath.Dir(path)
		if parent == path {
			return filepath.Join(path, rest)
		}
		path, rest = parent, filepath.Join(filepath.Base(path), rest)
	}
}

// Within reports whether a path is a folder or lies in it.
func Within(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// Stats says what is known of the project that a path lies in.
func (b *Base) Stats(ctx context.Context, path string) (Project, error) {
	root, err := b.ProjectOf(ctx, path)
	if err != nil {
		return Project{}, err
	}
	row, err := b.db.Project(ctx, root)
	if errors.Is(err, store.ErrNotFound) {
		return Project{}, ErrUnknown
	}
	if err != nil {
		return Project{}, fmt.Errorf("count: %w", err)
	}
	out := Project{Root: row.Root, Realm: row.Realm, Begun: row.Begun, Indexed: row.Indexed, Changed: row.Changed, Report: parseReport(row.Report)}
	if out.Counts, err = b.db.CodeCounts(ctx, row.ID); err != nil {
		return Project{}, fmt.Errorf("count: %w", err)
	}
	return out, nil
}

// Clear erases what is known of the project with this root. It is not watched
// any more.
func (b *Base) Clear(ctx context.Context, root string) error {
	p, release, err := b.take(ctx, root)
	if err != nil {
		return err
	}
	defer release()
	id := p.row.ID
	p.forget()
	if id == 0 {
		return ErrUnknown
	}
	if err := b.db.ClearProject(ctx, id); err != nil {
		return fmt.Errorf("clear %s: %w", root, err)
	}
	b.signal()
	return nil
}

// Touch says that a file may have changed; [Base.Run] looks at it soon. It
// returns at once, whatever the path.
func (b *Base) Touch(path string) {
	b.mu.Lock()
	if len(b.touched) < maxTouched { // beyond, the scan finds them
		b.touched[path] = true
	}
	b.mu.Unlock()
	b.signal()
}

// maxTouched bounds what waits to be looked at.
const maxTouched = 10_000

func (b *Base) signal() {
	select {
	case b.wake <- struct{}{}:
	default: // it knows
	}
}
