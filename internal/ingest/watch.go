package ingest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"

	"chitta/internal/config"
	"chitta/internal/memory"
)

const (
	// scanEvery is how often the whole folder is looked at: events get lost.
	scanEvery = time.Minute
	// quiet is how long a transcript must not have changed to be read; one that
	// keeps changing is read after mostQuiet.
	quiet     = 2 * time.Second
	mostQuiet = 10 * time.Second
	// watchBudget is how long a file is read before others get their turn.
	watchBudget = 500 * time.Millisecond
	// restShare is how long the watch rests after reading, as a share of how
	// long it read: whoever works with the agent comes first.
	restShare = 4
	// recentFolder is how long ago the folder of a single session may have
	// changed to be watched. There are thousands of them, and watches are
	// limited; the scan looks into all of them.
	recentFolder = time.Hour
)

// TranscriptsDir returns the folder with the client's transcripts: as
// configured, else as the client finds it.
func TranscriptsDir(cfg config.Config) (string, error) {
	if cfg.Sessions.Dir != "" {
		return cfg.Sessions.Dir, nil
	}
	const projects = "projects"
	if dir := os.Getenv("CLAUDE_CONFIG_DIR"); dir != "" {
		return filepath.Join(dir, projects), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(home, ".claude", projects), nil
}

// WatchStatus says how the watch stands.
type WatchStatus struct {
	Dir     string // "" if nothing is watched
	Problem string // why changes are noticed by scanning alone
	Failed  string // why a file or a folder could not be read
	Missing bool   // the folder is not there
}

// watchState is what is known of the watch.
type watchState struct {
	mu sync.Mutex
	WatchStatus
	until time.Time // somebody has the transcripts to themselves
}

// WatchStatus says how the watch stands.
func (m *Ingester) WatchStatus() (st WatchStatus) {
	m.watching.set(func(s *watchState) { st = s.WatchStatus })
	return st
}

// HoldWatch keeps the watch from reading until a time; zero lets it go on.
func (m *Ingester) HoldWatch(until time.Time) {
	m.watching.set(func(s *watchState) { s.until = until })
}

func (w *watchState) held(now time.Time) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return now.Before(w.until)
}

func (w *watchState) set(fn func(*watchState)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	fn(w)
}

// Watcher follows one folder.
type Watcher struct {
	ScanEvery time.Duration // how often the whole folder is looked at
	Quiet     time.Duration // how long a file must not have changed to be read

	ingester *Ingester
	dir      string
	events   *fsnotify.Watcher // nil if there are none to be had
	seen     map[string]fileMark
	due      map[string]changed
	failed   map[string]string // by file or folder: why it cannot be read
	lost     error             // why not all folders can be watched, as far as the last scan saw
}

// Watch makes the watch of a folder; [Watcher.Run] runs it.
func (m *Ingester) Watch(dir string) *Watcher {
	m.watching.set(func(s *watchState) { s.Dir = dir })
	return &Watcher{ingester: m, dir: dir, ScanEvery: scanEvery, Quiet: quiet, seen: map[string]fileMark{}, due: map[string]changed{}, failed: map[string]string{}}
}

// fileMark is what a file looked like when it was last read.
type fileMark struct {
	size     int64
	modified time.Time
}

// changed says when changes of a file were first and last noticed.
type changed struct{ first, last time.Time }

// Run reads what changes below the folder until ctx ends.
func (w *Watcher) Run(ctx context.Context) {
	events, failures := w.subscribe()
	if w.events != nil {
		defer w.events.Close()
	}
	scan := time.NewTicker(w.ScanEvery)
	defer scan.Stop()
	next := time.NewTimer(0)
	defer next.Stop()
	w.scan()
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
			w.ingester.log.Warn("watching transcripts", "error", err) // the scan finds what was lost
			w.scan()
		case <-scan.C:
			w.scan()
		case <-next.C:
			if path := w.next(); path != "" {
				w.readFile(ctx, path)
			}
		}
		if wait, some := w.wait(); some {
			next.Reset(wait)
		}
	}
}

// subscribe asks for events. Without them the scan has to do.
func (w *Watcher) subscribe() (<-chan fsnotify.Event, <-chan error) {
	events, err := fsnotify.NewWatcher()
	if err != nil {
		w.fallBack(err)
		return nil, nil
	}
	w.events = events
	return events.Events, events.Errors
}

// fallBack notes that not everything can be watched.
func (w *Watcher) fallBack(err error) {
	w.lost = err
	why := err.Error()
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EMFILE) {
		why = "the limit of watched folders is reached"
	}
	w.ingester.watching.set(func(s *watchState) {
		if s.Problem == "" {
			w.ingester.log.Warn("transcripts are noticed by scanning alone", "reason", why)
		}
		s.Problem = why
	})
}

// noticed takes an event.
func (w *Watcher) noticed(e fsnotify.Event) {
	if e.Has(fsnotify.Remove) || e.Has(fsnotify.Rename) {
		return // what was read stays
	}
	if strings.HasSuffix(e.Name, transcriptSuffix) && !isDir(e.Name) {
		w.later(e.Name)
	} else if e.Has(fsnotify.Create) && isDir(e.Name) && !ofOtherThings(e.Name) {
		_ = w.look(e.Name, true) // the scan tells if it cannot be read
	}
}

func isDir(path string) bool {
	fi, err := os.Stat(path)
	return err == nil && fi.IsDir()
}

// later has a file read when it has been quiet for a while.
func (w *Watcher) later(path string) {
	now := time.Now()
	c, there := w.due[path]
	if !there {
		c.first = now
	}
	c.last = now
	w.due[path] = c
}

// wait says in how long the next file is to be read.
func (w *Watcher) wait() (time.Duration, bool) {
	now := time.Now()
	least, some := time.Duration(0), false
	for _, c := range w.due {
		if at := w.dueIn(c, now); !some || at < least {
			least, some = at, true
		}
	}
	return max(0, least), some
}

// dueIn says in how long a file is to be read.
func (w *Watcher) dueIn(c changed, now time.Time) time.Duration {
	return min(c.last.Add(w.Quiet).Sub(now), c.first.Add(mostQuiet).Sub(now))
}

// next picks the file to be read next and takes it from those that are due:
// the one that changed last, and a session before its subagents.
func (w *Watcher) next() string {
	now := time.Now()
	best := ""
	for path, c := range w.due {
		if w.dueIn(c, now) > 0 {
			continue
		}
		if best == "" || ofSubagent(best) && !ofSubagent(path) || ofSubagent(best) == ofSubagent(path) && c.last.After(w.due[best].last) {
			best = path
		}
	}
	delete(w.due, best)
	return best
}

// scan looks for files that have changed, and for folders to watch. What could
// not be read is tried again: it may be that only the permission was wrong,
// which changes neither size nor time.
func (w *Watcher) scan() {
	if w.events != nil {
		w.lost = nil
	}
	for path := range w.failed {
		if fi, err := os.Stat(path); err != nil || fi.IsDir() {
			delete(w.failed, path) // gone, or a folder that is looked at now
		}
		delete(w.seen, path)
	}
	_, err := os.Stat(w.dir)
	if err == nil {
		err = w.look(w.dir, false)
	}
	missing := errors.Is(err, fs.ErrNotExist)
	if err != nil && !missing {
		w.failed[w.dir] = err.Error()
	}
	w.ingester.watching.set(func(s *watchState) {
		if s.Missing = missing; w.lost == nil {
			s.Problem = ""
		}
	})
	w.tell()
}

// tell says what cannot be read, one of it.
func (w *Watcher) tell() {
	why := ""
	if paths := slices.Sorted(maps.Keys(w.failed)); len(paths) > 0 {
		why = w.failed[paths[0]]
		if more := len(paths) - 1; more > 0 {
			why += fmt.Sprintf(" (and %d more)", more)
		}
	}
	w.ingester.watching.set(func(s *watchState) { s.Failed = why })
}

// look walks a folder. Files that differ from what was read are due at once,
// unless they are still being written.
func (w *Watcher) look(dir string, fresh bool) error {
	return Walk(dir, func(path string, fi fs.FileInfo) error {
		if fi.IsDir() {
			depth := strings.Count(strings.TrimPrefix(path, w.dir), string(filepath.Separator))
			if fresh || depth <= 1 || time.Since(fi.ModTime()) < recentFolder {
				w.subscribeTo(path)
			}
			return nil
		}
		mark := fileMark{fi.Size(), fi.ModTime()}
		if w.seen[path] != mark {
			if _, there := w.due[path]; !there {
				at := fi.ModTime()
				if now := time.Now(); at.After(now) {
					at = now // clocks differ
				}
				w.due[path] = changed{first: at, last: at}
			}
		}
		return nil
	}, func(path string, err error) {
		w.ingester.log.Debug("a folder of transcripts cannot be read", "folder", path, "error", err)
		w.failed[path] = err.Error()
	})
}

func (w *Watcher) subscribeTo(dir string) {
	if w.events == nil {
		return
	}
	if err := w.events.Add(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		w.fallBack(err)
	}
}

// readFile reads what is new in a file, and rests.
func (w *Watcher) readFile(ctx context.Context, path string) {
	if w.ingester.watching.held(time.Now()) {
		w.due[path] = changed{first: time.Now(), last: time.Now()} // somebody has them to themselves
		return
	}
	fi, err := os.Stat(path)
	if err != nil {
		return // gone again
	}
	mark := fileMark{fi.Size(), fi.ModTime()}
	begin := time.Now()
	out, err := w.ingester.ReadFile(ctx, File{Path: path, Realm: w.ingester.here, Budget: watchBudget})
	switch {
	case ctx.Err() != nil:
		return
	case err != nil:
		w.ingester.log.Warn("a transcript cannot be read", "file", path, "error", err)
		w.failed[path] = err.Error()
		w.tell()
		var refused *memory.InputError
		if errors.As(err, &refused) {
			w.seen[path] = mark // it will not get better by itself; the next scan tries others again
		}
	case !out.Done:
		w.due[path] = changed{} // it goes on when others had their turn
	default:
		w.seen[path] = mark
		if _, was := w.failed[path]; was {
			delete(w.failed, path)
			w.tell()
		}
		if out.Added > 0 || out.Quarantined > out.Incomplete {
			w.ingester.log.Debug("transcript read", "file", path, "added", out.Added, "quarantined", out.Quarantined)
		}
	}
	select {
	case <-ctx.Done():
	case <-time.After(time.Since(begin) / restShare):
	}
}
