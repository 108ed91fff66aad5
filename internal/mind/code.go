package mind

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"chitta/internal/codebase"
	"chitta/internal/memory"
	"chitta/internal/store"
	"chitta/internal/syntax"
)

// An index of source code may take longer than a request: it goes on beside the
// requests, and who asked for it asks again how far it is. One that nobody asks
// for any more goes on as well: what it finds is of use to the next.

const (
	// codeWait is how long a call waits for an index before it says how far it
	// is.
	codeWait = time.Second
	// keptJobs is how many indexes that have ended can still be asked for.
	keptJobs = 32
	// codeStop is how long the end of the process waits for an index.
	codeStop = 3 * time.Second
)

// codeRoom opens the base of source code when it is first needed: most commands
// never do.
type codeRoom struct {
	mu     sync.Mutex
	base   *codebase.Base
	there  atomic.Pointer[codebase.Base] // the same, for who cannot wait while it is opened
	opened chan struct{}                 // closed when there is one; nil while nobody waits
	closed bool
	jobs   []*codeJob // newest last
	stop   context.CancelFunc
	ctx    context.Context // of jobs
	at     sync.WaitGroup
}

// codeJob is an index at work, or one that has ended.
type codeJob struct {
	id   string
	path string
	done chan struct{} // closed when report and err stand

	mu       sync.Mutex
	progress codebase.Progress
	report   codebase.Report
	err      error
}

// Code returns the base of source code, opened if need be.
func (m *Mind) Code(ctx context.Context) (*codebase.Base, error) {
	r := &m.code
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.base != nil {
		return r.base, nil
	}
	if r.closed {
		return nil, context.Canceled
	}
	base, err := codebase.Open(ctx, codebase.Options{Path: m.Paths().Code(), Log: m.opts.Log, Now: m.opts.Now})
	if err != nil {
		return nil, err
	}
	r.base = base
	r.there.Store(base)
	r.ctx, r.stop = context.WithCancel(context.Background())
	if r.opened != nil {
		close(r.opened)
	}
	return base, nil
}

func (r *codeRoom) close() error {
	r.mu.Lock()
	r.closed = true
	base, stop := r.base, r.stop
	r.mu.Unlock()
	if base == nil {
		return nil
	}
	stop()
	ended := make(chan struct{})
	go func() { r.at.Wait(); close(ended) }()
	select {
	case <-ended:
	case <-time.After(codeStop):
	}
	return base.Close()
}

// beside runs something that ends with the base. It reports whether there is
// one.
func (r *codeRoom) beside(fn func(context.Context)) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed || r.base == nil {
		return false
	}
	ctx := r.ctx
	r.at.Go(func() { fn(ctx) })
	return true
}

// WatchCode keeps what is indexed of source code current until ctx ends. While
// nothing is, it does nothing.
func (m *Mind) WatchCode(ctx context.Context) {
	if !syntax.Available {
		return
	}
	if _, err := os.Stat(m.Paths().Code()); err == nil {
		if _, err := m.Code(ctx); err != nil && ctx.Err() == nil {
			m.opts.Log.Warn("source code is not watched", "error", err)
		}
	}
	m.code.mu.Lock()
	if m.code.opened == nil {
		m.code.opened = make(chan struct{})
		if m.code.base != nil {
			close(m.code.opened)
		}
	}
	opened := m.code.opened
	m.code.mu.Unlock()
	select {
	case <-opened:
		m.code.there.Load().Run(ctx)
	case <-ctx.Done():
	}
}

// CodeTouched says that a file may have changed. It returns at once.
func (m *Mind) CodeTouched(dir, file string) {
	base := m.code.there.Load()
	if base == nil {
		return // nothing is indexed
	}
	if !filepath.IsAbs(file) {
		if dir == "" {
			return
		}
		file = filepath.Join(dir, file)
	}
	base.Touch(file)
}

// CodeIndexInput says what to index.
type CodeIndexInput struct {
	Path string `json:"path,omitempty" jsonschema:"a folder of the project; default: the directory of work"`
	Job  string `json:"job,omitempty" jsonschema:"of an earlier answer that was not done: wait for it a while longer"`
	// Project is what other questions call the path.
	Project string `json:"project,omitempty" jsonschema:"the same as path"`
}

// CodeIndexOutput says how far an index is. Report stands when it is done.
type CodeIndexOutput struct {
	Job      string            `json:"job"`
	Done     bool              `json:"done"`
	Progress codebase.Progress `json:"progress"`
	Report   *codebase.Report  `json:"report,omitempty"`
	// Meaning says how far symbols can be found by meaning, when it is done: the
	// background embeds them afterwards.
	Meaning *CodeMeaning `json:"meaning,omitempty"`
}

// CodeIndex indexes the source code of a project, or waits for that a while
// longer.
func (m *Mind) CodeIndex(ctx context.Context, c Caller, in CodeIndexInput) (CodeIndexOutput, error) {
	if !syntax.Available {
		return CodeIndexOutput{}, codeError(codebase.ErrOff, in.Path)
	}
	in.Path = cmp.Or(in.Path, in.Project)
	job, err := m.codeJob(ctx, c, in)
	if err != nil {
		return CodeIndexOutput{}, err
	}
	out := CodeIndexOutput{Job: job.id}
	select {
	case <-job.done:
		out.Done = true
	case <-time.After(codeWait):
	case <-ctx.Done():
		return out, ctx.Err()
	}
	job.mu.Lock()
	defer job.mu.Unlock()
	if out.Progress = job.progress; out.Done {
		if job.err != nil {
			return out, codeError(job.err, job.path)
		}
		out.Report = &job.report
		out.Meaning, err = m.meaningAfter(ctx, job.report.Root)
	}
	return out, err
}

// codeJob finds the index that is asked for, or begins it.
func (m *Mind) codeJob(ctx context.Context, c Caller, in CodeIndexInput) (*codeJob, error) {
	if in.Job != "" {
		m.code.mu.Lock()
		defer m.code.mu.Unlock()
		for _, j := range m.code.jobs {
			if j.id == in.Job {
				return j, nil
			}
		}
		return nil, &memory.NotFoundError{What: "index", ID: in.Job, Hint: "index the project again: what was done is not done twice"}
	}
	root, err := m.codeRoot(ctx, c, in.Path)
	if err != nil {
		return nil, err
	}
	base, err := m.Code(ctx)
	if err != nil {
		return nil, err
	}
	id, err := m.NewID("x_")
	if err != nil {
		return nil, err
	}
	realm := ""
	if r, err := m.RealmHere(ctx, Caller{Actor: c.Actor, Cwd: root}); err == nil {
		realm = r.ID
	}
	return m.beginIndex(base, id, root, realm)
}

func (m *Mind) beginIndex(base *codebase.Base, id, root, realm string) (*codeJob, error) {
	m.code.mu.Lock()
	defer m.code.mu.Unlock()
	if m.code.closed {
		return nil, context.Canceled
	}
	for _, j := range m.code.jobs {
		select {
		case <-j.done:
		default:
			if j.path == root {
				return j, nil // the same is under way
			}
		}
	}
	job := &codeJob{id: id, path: root, done: make(chan struct{})}
	m.code.jobs = append(m.code.jobs, job)
	if extra := len(m.code.jobs) - keptJobs; extra > 0 {
		m.code.jobs = append([]*codeJob(nil), m.code.jobs[extra:]...)
	}
	ctx := m.code.ctx
	m.code.at.Go(func() {
		defer close(job.done)
		report, err := base.Index(ctx, root, realm, func(p codebase.Progress) {
			job.mu.Lock()
			job.progress = p
			job.mu.Unlock()
		})
		job.mu.Lock()
		job.report, job.err = report, err
		job.mu.Unlock()
		m.signal() // memories can be anchored to it
		if err != nil && ctx.Err() == nil {
			m.opts.Log.Warn("source code could not be indexed", "root", root, "error", err)
		}
	})
	return job, nil
}

// codeRoot finds the root of the project that is meant. A folder that holds
// everything is none.
func (m *Mind) codeRoot(ctx context.Context, c Caller, path string) (string, error) {
	if err := memory.CheckText("path", path, memory.MaxPath); err != nil {
		return "", err
	}
	path, err := resolvePath(c, "path", cmp.Or(path, "."))
	if err != nil {
		return "", err
	}
	root, err := codebase.RootOf(ctx, path)
	if err != nil {
		return "", &memory.InputError{Field: "path", Problem: fmt.Sprintf("%s cannot be read: %v", path, errors.Unwrap(err)), Hint: "name a folder that exists"}
	}
	home, _ := os.UserHomeDir()
	if real, err := filepath.EvalSymlinks(home); err == nil {
		home = real
	}
	_, gitErr := os.Lstat(filepath.Join(root, ".git"))
	if gitErr != nil && (root == home || root == filepath.Dir(root)) {
		return "", &memory.InputError{Field: "path", Problem: root + " is no project", Hint: "name the folder of one"}
	}
	return root, nil
}

// codeError says what to do about an error of the base.
func codeError(err error, path string) error {
	switch {
	case errors.Is(err, codebase.ErrOff):
		return &memory.RefusedError{Reason: err.Error(), Hint: "use a chitta that was built with cgo (CGO_ENABLED=1 and a C compiler)"}
	case errors.Is(err, codebase.ErrUnknown):
		return &memory.NotFoundError{What: "index of source code", ID: path, Hint: "make one: chitta code index " + path}
	case errors.Is(err, store.ErrDamaged):
		return &memory.RefusedError{Reason: "the index of source code is damaged", Hint: "stop the daemon, which removes it (chitta daemon stop), then: chitta code index"}
	case errors.Is(err, codebase.ErrTooMany):
		return &memory.InputError{Field: "path", Problem: "holds too many files for a project", Hint: "name a folder within"}
	}
	return err
}

// CodeStatsInput says which project is meant.
type CodeStatsInput struct {
	Path string `json:"path,omitempty" jsonschema:"a path of the project; default: the directory of work"`
	All  bool   `json:"all,omitempty" jsonschema:"list all indexed projects"`
	// Project is what other questions call the path.
	Project string `json:"project,omitempty" jsonschema:"the same as path"`
}

// CodeStatsOutput is what is known of source code.
type CodeStatsOutput struct {
	Projects []codebase.Project   `json:"projects"`
	Watch    codebase.WatchStatus `json:"watch"`
	Bytes    int64                `json:"bytes"` // of the database
	// Meaning says for each root how far its symbols can be found by meaning.
	Meaning map[string]CodeMeaning `json:"meaning,omitempty"`
	// Gone are the roots of projects whose folder is not there.
	Gone []string `json:"gone,omitempty"`
}

// CodeStats says what is known of a project's source code, or of all.
func (m *Mind) CodeStats(ctx context.Context, c Caller, in CodeStatsInput) (CodeStatsOutput, error) {
	in.Path = cmp.Or(in.Path, in.Project)
	out := CodeStatsOutput{Projects: []codebase.Project{}, Meaning: map[string]CodeMeaning{}}
	base, err := m.codeIfThere(ctx)
	if err != nil {
		return out, err
	}
	if base == nil {
		if in.All {
			return out, nil
		}
		return out, codeError(codebase.ErrUnknown, cmp.Or(in.Path, c.Cwd))
	}
	paths, err := m.codePaths(ctx, c, base, in)
	if err != nil {
		return out, err
	}
	for _, path := range paths {
		p, err := base.Stats(ctx, path)
		if err != nil {
			return out, codeError(err, path)
		}
		out.Projects = append(out.Projects, p)
		if out.Meaning[p.Root], err = m.CodeMeaningOf(ctx, p.Root, p.Changed); err != nil {
			return out, err
		}
		if !isFolder(p.Root) {
			out.Gone = append(out.Gone, p.Root)
		}
	}
	out.Watch = base.WatchStatus()
	for _, suffix := range []string{"", "-wal"} {
		out.Bytes += sizeOf(m.Paths().Code() + suffix)
	}
	return out, nil
}

func (m *Mind) codePaths(ctx context.Context, c Caller, base *codebase.Base, in CodeStatsInput) ([]string, error) {
	if !in.All {
		path, err := codePath(c, "path", in.Path)
		return []string{path}, err
	}
	projects, err := base.Projects(ctx)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, p := range projects {
		out = append(out, p.Root)
	}
	return out, nil
}

// codePath returns the path that says which project is meant; by default it is the
// directory of work. One that somebody names must be there: a slip of the pen
// would mean whatever project lies around it.
func codePath(c Caller, field, path string) (string, error) {
	if err := memory.CheckText(field, path, memory.MaxPath); err != nil {
		return "", err
	}
	full, err := resolvePath(c, field, cmp.Or(path, "."))
	if err != nil || path == "" {
		return full, err
	}
	if _, err := os.Stat(full); err != nil {
		return "", noPath(field, full, err)
	}
	return full, nil
}

func noPath(field, path string, err error) error {
	if gone := (*fs.PathError)(nil); errors.As(err, &gone) {
		err = gone.Err
	}
	return &memory.InputError{Field: field, Problem: fmt.Sprintf("%s cannot be read: %v", path, err), Hint: "name a folder that exists; chitta code stats --all lists the indexed projects"}
}

func isFolder(path string) bool {
	fi, err := os.Stat(path)
	return err == nil && fi.IsDir()
}

// codeIfThere opens the base only where something was indexed once.
func (m *Mind) codeIfThere(ctx context.Context) (*codebase.Base, error) {
	if base := m.code.there.Load(); base != nil {
		return base, nil
	}
	if _, err := os.Stat(m.Paths().Code()); err != nil {
		return nil, nil
	}
	return m.Code(ctx)
}

// CodeClearInput says which project is meant.
type CodeClearInput struct {
	Path string `json:"path,omitempty" jsonschema:"the root of the project; default: that of the directory of work"`
}

// CodeClearOutput says what was erased.
type CodeClearOutput struct {
	Root string `json:"root"`
}

// CodeClear erases what is known of a project's source code. The source itself
// is not touched.
func (m *Mind) CodeClear(ctx context.Context, c Caller, in CodeClearInput) (CodeClearOutput, error) {
	base, err := m.codeIfThere(ctx)
	if err != nil {
		return CodeClearOutput{}, err
	}
	if base == nil {
		return CodeClearOutput{}, codeError(codebase.ErrUnknown, cmp.Or(in.Path, c.Cwd))
	}
	root, err := clearRoot(ctx, c, base, in.Path)
	if err != nil {
		return CodeClearOutput{}, err
	}
	return CodeClearOutput{Root: root}, codeError(errors.Join(base.Clear(ctx, root), m.clearMeant(ctx, root)), root)
}

// clearRoot returns the root of the project that is to be erased. What is named
// must be the root itself, which may be gone from the disk.
func clearRoot(ctx context.Context, c Caller, base *codebase.Base, path string) (string, error) {
	full, missing := codePath(c, "path", path)
	if missing != nil {
		if memory.CheckText("path", path, memory.MaxPath) != nil {
			return "", missing
		}
		var err error
		if full, err = resolvePath(c, "path", path); err != nil {
			return "", err
		}
	}
	root, err := base.ProjectOf(ctx, full)
	if missing != nil && (err != nil || root != full) {
		return "", missing
	}
	if err != nil {
		return "", codeError(err, full)
	}
	if real, err := filepath.EvalSymlinks(full); path != "" && root != full && (err != nil || root != real) {
		return "", &memory.InputError{Field: "path", Problem: fmt.Sprintf("%s is not the root of the project, which is %s", full, root), Hint: "to erase the index of that project: chitta code clear " + root}
	}
	return root, nil
}
