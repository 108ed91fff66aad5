package realm

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"time"

	"chitta/internal/memory"
)

const (
	// trustFor is how long an answer is given again without looking at all.
	trustFor = 2 * time.Second
	// maxAge is how long an answer is kept while nothing seems to change.
	maxAge = 10 * time.Minute
	// maxEntries bounds the directories remembered.
	maxEntries = 512
)

// Detector detects identities and remembers them by directory. Within two
// seconds it answers from memory; after that it compares a few file times of
// the repository, and only when one differs does it run git again. It is safe
// for concurrent use, and asks git once however many callers wait.
type Detector struct {
	now    func() time.Time
	detect func(context.Context, string) (memory.Identity, layout, error)

	mu      sync.Mutex
	entries map[string]entry
	pending map[string]chan struct{} // closed when the detection ends
}

type entry struct {
	id      memory.Identity
	marks   []mark
	taken   time.Time // when git was asked
	checked time.Time // when the marks were last compared
}

// NewDetector returns a detector that reads the time from now.
func NewDetector(now func() time.Time) *Detector {
	return &Detector{now: now, detect: detect, entries: map[string]entry{}, pending: map[string]chan struct{}{}}
}

// Detect returns the identity of the project that a directory belongs to, as
// [Detect] does. The caller must not change the lists in it.
func (d *Detector) Detect(ctx context.Context, dir string) (memory.Identity, error) {
	key, err := filepath.Abs(dir)
	if err != nil || dir == "" {
		key = dir
	}
	for {
		if err := ctx.Err(); err != nil {
			return memory.Identity{}, err
		}
		d.mu.Lock()
		if e, ok := d.entries[key]; ok && d.recent(e) {
			d.mu.Unlock()
			return e.id, nil
		}
		wait, busy := d.pending[key]
		if !busy {
			wait = make(chan struct{})
			d.pending[key] = wait
		}
		d.mu.Unlock()
		if !busy {
			return d.refresh(ctx, key, dir, wait)
		}
		select {
		case <-wait: // then look again: the other caller may have failed
		case <-ctx.Done():
			return memory.Identity{}, ctx.Err()
		}
	}
}

// Forget drops what is remembered, so that the next call looks anew.
func (d *Detector) Forget() {
	d.mu.Lock()
	defer d.mu.Unlock()
	clear(d.entries)
}

func (d *Detector) refresh(ctx context.Context, key, dir string, done chan struct{}) (memory.Identity, error) {
	defer func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		delete(d.pending, key)
		close(done)
	}()
	d.mu.Lock()
	old, known := d.entries[key]
	d.mu.Unlock()
	now := d.now()
	if age := now.Sub(old.taken); known && age >= 0 && age < maxAge && canonical(key) == old.id.Path && unchanged(old.marks) {
		old.checked = now
		d.put(key, old)
		return old.id, nil
	}
	id, at, err := d.detect(ctx, dir)
	if err != nil {
		if !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
			d.drop(key)
		}
		return memory.Identity{}, err
	}
	// The marks need the layout that only git knows, so they are taken after
	// it has answered; a change in between shows at the age limit at the
	// latest.
	d.put(key, entry{id: id, marks: marksFor(key, id, at), taken: now, checked: now})
	return id, nil
}

// recent reports whether an entry may be used without looking.
func (d *Detector) recent(e entry) bool {
	age := d.now().Sub(e.checked)
	return age >= 0 && age < trustFor
}

func (d *Detector) drop(key string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.entries, key)
}

func (d *Detector) put(key string, e entry) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, there := d.entries[key]; !there && len(d.entries) >= maxEntries {
		d.evict()
	}
	d.entries[key] = e
}

// evict drops the entry that was not needed for longest.
func (d *Detector) evict() {
	var oldest string
	for key, e := range d.entries {
		if oldest == "" || e.checked.Before(d.entries[oldest].checked) {
			oldest = key
		}
	}
	delete(d.entries, oldest)
}

// mark is what a file looked like. For a mark of presence only the sort of
// file counts, because the times of a .git directory change with every git
// command.
type mark struct {
	path     string
	presence bool
	mode     os.FileMode
	size     int64
	modified time.Time
}

func take(path string, presence bool) mark {
	m := mark{path: path, presence: presence}
	info, err := os.Stat(path)
	if err != nil {
		return m
	}
	m.mode = info.Mode().Type() | 1 // never zero: the file is there
	if !presence {
		m.size, m.modified = info.Size(), info.ModTime()
	}
	return m
}

func unchanged(marks []mark) bool {
	for _, m := range marks {
		now := take(m.path, m.presence)
		if now.mode != m.mode || now.size != m.size || !now.modified.Equal(m.modified) {
			return false
		}
	}
	return true
}

// marksFor returns marks of everything that could make another answer right:
// the directory itself, a .git appearing or vanishing on the way up, the
// remote, the branch, the refs.
func marksFor(dir string, id memory.Identity, at layout) []mark {
	marks := []mark{take(dir, true)}
	for up := id.Path; ; up = filepath.Dir(up) {
		marks = append(marks, take(filepath.Join(up, ".git"), true))
		if up == id.TopLevel || up == filepath.Dir(up) {
			break
		}
	}
	if !id.Git {
		return marks
	}
	marks = append(marks, take(filepath.Join(at.gitDir, "HEAD"), false))
	for _, name := range []string{"config", "packed-refs", "shallow"} {
		marks = append(marks, take(filepath.Join(id.CommonDir, name), false))
	}
	if len(id.Roots) == 0 { // the first commit creates a file here
		marks = append(marks, take(filepath.Join(id.CommonDir, "refs", "heads"), false))
	}
	return marks
}
