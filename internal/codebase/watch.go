package codebase

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"

	"chitta/internal/syntax"
)

// timing is when [Base.Run] does what.
type timing struct {
	quiet     time.Duration // how long a file must not have changed to be read
	mostQuiet time.Duration // after this it is read even so
	soon      time.Duration // after the start, until everything is looked at once
	scan      time.Duration // between two looks at a project that is watched
	blindScan time.Duration // the same for one that is not
	settle    time.Duration // how long nothing must have changed to resolve all anew
	cool      time.Duration // how long what is in memory is kept unused
}

func usualTiming() timing {
	return timing{
		quiet: 300 * time.Millisecond, mostQuiet: 5 * time.Second, soon: 2 * time.Second,
		scan: 10 * time.Minute, blindScan: time.Minute, settle: time.Minute, cool: 10 * time.Minute,
	}
}

const (
	// maxWatches bounds how many folders are watched: the system has a limit
	// for all programs of a user together.
	maxWatches = 8192
	// scanShare is how many times as long as a look took the next has to wait.
	scanShare = 30
)

// WatchStatus says how the watch stands.
type WatchStatus struct {
	Projects int    `json:"projects"`
	Folders  int    `json:"folders"`
	Waiting  int    `json:"waiting"`           // files that were said to have changed and not looked at yet
	Problem  string `json:"problem,omitempty"` // why changes are noticed by looking alone
}

// WatchStatus says how the watch stands.
func (b *Base) WatchStatus() WatchStatus {
	b.mu.Lock()
	defer b.mu.Unlock()
	st := b.watching
	st.Waiting = len(b.touched)
	return st
}

// Run keeps what is indexed current until ctx ends: it notices changes by file
// events, looks at whole projects once in a while because events get lost, and
// at files that [Base.Touch] names.
func (b *Base) Run(ctx context.Context) {
	if !syntax.Available {
		return
	}
	var checking sync.WaitGroup
	defer checking.Wait()
	checking.Go(func() { b.noteDamage(b.db.Check(ctx)) }) // a large file takes a while
	w := &watcher{Base: b, roots: map[string]*watched{}, dirs: map[string]string{}}
	var events <-chan fsnotify.Event
	var failures <-chan error
	if n, err := fsnotify.NewWatcher(); err != nil {
		w.problem(err)
	} else {
		defer n.Close()
		w.events, events, failures = n, n.Events, n.Errors
	}
	timer := time.NewTimer(0)
	defer timer.Stop()
	w.sync(ctx)
	for {
		select {
		case <-ctx.Done():
			return
		case e, ok := <-events:
			if !ok {
				events = nil
				continue
			}
			w.noticed(e)
		case err, ok := <-failures:
			if !ok {
				failures = nil
				continue
			}
			b.opts.Log.Debug("watching source code", "error", err)
			w.scanAll() // it finds what was lost
		case <-b.wake:
			w.sync(ctx)
			w.named(ctx)
		case <-timer.C:
			w.work(ctx)
		}
		timer.Reset(w.wait())
	}
}

// watcher belongs to [Base.Run].
type watcher struct {
	*Base
	events *fsnotify.Watcher   // nil if there are none to be had
	roots  map[string]*watched // by root
	dirs   map[string]string   // folder that is watched → root
}

// watched is a project that is kept current.
type watched struct {
	root        string
	join        time.Time       // when its folders are to be watched; zero: they are
	blind       bool            // not all of its folders are watched
	due         map[string]bool // paths that changed
	first, last time.Time       // when that was noticed
	scan        time.Time       // when everything is to be looked at
	settle      time.Time       // when all is to be resolved anew; zero: never
	cool        time.Time       // when memory is to be given back; zero: never
	rest        time.Time       // until then it is let alone: somebody else works on it, or it failed
	tries       int             // how often what is due failed
}

// busyRest is how long a project that somebody else works on is let alone:
// others must not wait for it.
const busyRest = time.Second

// sync takes up projects that are new and lets go of those that are gone.
func (w *watcher) sync(ctx context.Context) {
	projects, err := w.Projects(ctx)
	if err != nil {
		if ctx.Err() == nil {
			w.opts.Log.Warn("watching source code", "error", err)
		}
		return
	}
	there := map[string]bool{}
	for _, p := range projects {
		there[p.Root] = true
		if w.roots[p.Root] == nil {
			now := time.Now()
			w.roots[p.Root] = &watched{root: p.Root, due: map[string]bool{}, join: now, scan: now.Add(w.timing.soon)}
		}
	}
	for root := range w.roots {
		if !there[root] {
			delete(w.roots, root)
			w.unwatch(root)
		}
	}
	w.tell()
}

func (w *watcher) tell() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.watching.Projects, w.watching.Folders = len(w.roots), len(w.dirs)
}

func (w *watcher) problem(err error) {
	why := err.Error()
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EMFILE) || errors.Is(err, errManyFolders) {
		why = "the limit of watched folders is reached"
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.watching.Problem == "" {
		w.opts.Log.Warn("changes of source code are noticed by looking alone", "reason", why)
	}
	w.watching.Problem = why
}

var errManyFolders = errors.New("too many folders")

// watch asks for the events of all folders of a project where source is or may
// come to be.
func (w *watcher) watch(ctx context.Context, x *watched) {
	if w.events == nil {
		x.blind = true
		return
	}
	p, release, err := w.take(ctx, x.root)
	if err != nil {
		return // the next look tries again
	}
	dirs := map[string]bool{".": true}
	for file := range p.files { // also those in submodules
		for dir := path.Dir(file); !dirs[dir]; dir = path.Dir(dir) {
			dirs[dir] = true
		}
	}
	release()
	for _, dir := range foldersBelow(ctx, x.root, []string{"."}) {
		dirs[dir] = true
	}
	x.blind = false
	w.watchFolders(x, sortedPaths(dirs))
}

// watchFolders asks for the events of folders, given from the root.
func (w *watcher) watchFolders(x *watched, dirs []string) {
	for _, dir := range dirs {
		full := filepath.Join(x.root, filepath.FromSlash(dir))
		if w.dirs[full] != "" {
			continue
		}
		err := errManyFolders
		if len(w.dirs) < maxWatches {
			err = w.events.Add(full)
		}
		switch {
		case err == nil:
			w.dirs[full] = x.root
		case !errors.Is(err, os.ErrNotExist):
			x.blind = true
			w.problem(err)
			return
		}
	}
}

// forgetFolder lets go of a folder that is not where it was, with all below: the
// system goes on telling of those by the names they had.
func (w *watcher) forgetFolder(full string) {
	for dir := range w.dirs {
		if Within(full, dir) {
			_ = w.events.Remove(dir) // it may be gone
			delete(w.dirs, dir)
		}
	}
}

func (w *watcher) unwatch(root string) {
	for dir, of := range w.dirs {
		if of == root {
			_ = w.events.Remove(dir) // it may be gone
			delete(w.dirs, dir)
		}
	}
}

// noticed takes an event.
func (w *watcher) noticed(e fsnotify.Event) {
	x := w.roots[w.dirs[filepath.Dir(e.Name)]]
	if x == nil || e.Op == fsnotify.Chmod {
		return
	}
	base := filepath.Base(e.Name)
	wasDir := w.dirs[e.Name] != ""
	if wasDir && (e.Has(fsnotify.Remove) || e.Has(fsnotify.Rename)) {
		w.forgetFolder(e.Name)
	}
	switch {
	case base == ".gitignore":
		x.scan = time.Now().Add(w.timing.quiet)
	case base == ".git" || vendored[base]:
	case wasDir, syntax.LangOf(base) != "", isManifest(base), e.Has(fsnotify.Create) && isFolder(e.Name):
		x.later(e.Name)
	}
}

func isFolder(path string) bool {
	fi, err := os.Lstat(path)
	return err == nil && fi.IsDir()
}

// later has a path looked at when it has been quiet for a while.
func (x *watched) later(path string) {
	now := time.Now()
	if len(x.due) == 0 {
		x.first = now
	}
	x.last = now
	x.due[path] = true
}

// named takes the files that somebody said were changed.
func (w *watcher) named(ctx context.Context) {
	w.mu.Lock()
	paths := w.touched
	w.touched = map[string]bool{}
	w.mu.Unlock()
	for path := range paths {
		if syntax.LangOf(path) == "" && !isManifest(filepath.ToSlash(path)) {
			continue
		}
		root, err := w.ProjectOf(ctx, path)
		if x := w.roots[root]; err == nil && x != nil {
			x.later(path)
		}
	}
}

func (w *watcher) scanAll() {
	for _, x := range w.roots {
		x.scan = time.Now().Add(w.timing.quiet)
	}
}

// next says when a project is to be seen to.
func (w *watcher) next(x *watched) time.Time {
	at := x.scan
	earlier := func(t time.Time) {
		if !t.IsZero() && t.Before(at) {
			at = t
		}
	}
	if len(x.due) > 0 {
		earlier(w.dueAt(x))
	}
	earlier(x.join)
	earlier(x.settle)
	earlier(x.cool)
	if at.Before(x.rest) {
		return x.rest
	}
	return at
}

func (w *watcher) dueAt(x *watched) time.Time {
	at := x.last.Add(w.timing.quiet)
	if most := x.first.Add(w.timing.mostQuiet); most.Before(at) {
		return most
	}
	return at
}

// wait says how long there is nothing to do.
func (w *watcher) wait() time.Duration {
	least := time.Hour
	for _, x := range w.roots {
		least = min(least, time.Until(w.next(x)))
	}
	return max(0, least)
}

// work sees to one project whose time has come.
func (w *watcher) work(ctx context.Context) {
	now := time.Now()
	for _, x := range w.roots {
		if w.next(x).After(now) {
			continue
		}
		if w.inUse(x.root) {
			x.rest = now.Add(busyRest)
			continue
		}
		var err error
		switch {
		case !x.join.IsZero():
			x.join = time.Time{}
			w.watch(ctx, x)
			w.tell()
		case len(x.due) > 0 && !w.dueAt(x).After(now):
			err = w.refreshDue(ctx, x)
		case !x.scan.After(now):
			err = w.look(ctx, x)
		case !x.settle.IsZero() && !x.settle.After(now):
			x.settle = time.Time{}
			err = w.Base.settle(ctx, x.root)
		case !x.cool.IsZero() && !x.cool.After(now):
			x.cool = time.Time{}
			w.rest(ctx, x.root)
		default:
			continue
		}
		if err != nil && ctx.Err() == nil {
			w.opts.Log.Warn("source code could not be brought up to date", "root", x.root, "error", err)
		}
		return // events may have come meanwhile
	}
}

// dueTries is how often files that changed are looked at when that fails; then
// the look at everything finds them.
const dueTries = 3

func (w *watcher) refreshDue(ctx context.Context, x *watched) error {
	paths := sortedPaths(x.due)
	w.watchNew(ctx, x, paths) // before they are looked at, so that nothing comes between
	w.tell()
	err := w.Refresh(ctx, x.root, paths)
	if err != nil {
		if x.tries++; x.tries < dueTries {
			x.rest = time.Now().Add(busyRest)
			return err
		}
		x.scan = time.Now().Add(w.timing.blindScan)
	}
	x.due, x.tries = map[string]bool{}, 0
	x.busy(w.timing)
	return err
}

// watchNew watches those of some paths that are folders, and what is below.
func (w *watcher) watchNew(ctx context.Context, x *watched, paths []string) {
	var folders []string
	for _, p := range relative(x.root, paths) {
		if isFolder(filepath.Join(x.root, filepath.FromSlash(p))) {
			folders = append(folders, p)
		}
	}
	if w.events != nil && len(folders) > 0 {
		w.watchFolders(x, foldersBelow(ctx, x.root, folders))
	}
}

// busy notes that the project was just worked on.
func (x *watched) busy(t timing) {
	x.settle, x.cool = time.Now().Add(t.settle), time.Now().Add(t.cool)
}

// look looks at the whole project. One whose root is gone is left as it is: a
// disk may come back.
func (w *watcher) look(ctx context.Context, x *watched) error {
	begun := time.Now()
	every := w.timing.scan
	defer func() {
		if x.blind {
			every = w.timing.blindScan
		}
		x.scan = time.Now().Add(max(every, scanShare*time.Since(begun)))
	}()
	if !isFolder(x.root) {
		return nil
	}
	err := w.lookAt(ctx, x.root)
	if x.cool.IsZero() { // looking is no use
		x.busy(w.timing)
	}
	w.watch(ctx, x)
	w.tell()
	return err
}

// lookAt brings a project up to date, or an index of it to its end that was cut
// off or is to be made anew.
func (b *Base) lookAt(ctx context.Context, root string) error {
	row, err := b.db.Project(ctx, root)
	if err != nil || !row.Indexed.IsZero() {
		return b.Refresh(ctx, root, []string{"."})
	}
	p, release, err := b.take(ctx, root)
	if err != nil {
		return err
	}
	defer release()
	if p.row.ID == 0 {
		p.forget()
		return ErrUnknown
	}
	if _, err := b.index(ctx, p, "", func(Progress) {}); err != nil {
		p.forget()
		b.noteDamage(err)
		return fmt.Errorf("index %s: %w", root, err)
	}
	return nil
}

// rest gives back what a project takes in memory.
func (w *watcher) rest(ctx context.Context, root string) {
	p, release, err := w.take(ctx, root)
	if err != nil {
		return
	}
	defer release()
	p.forget()
}
