package mind

import (
	"bytes"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"

	"chitta/internal/code"
	"chitta/internal/codebase"
	"chitta/internal/follow"
	"chitta/internal/memory"
	"chitta/internal/realm"
	"chitta/internal/store"
	"chitta/internal/syntax"
)

// codeBase is what anchors to symbols are held against. There is none where
// nothing is indexed, or this build cannot; then anchors are to whole files.
type codeBase interface {
	Store() *store.Code
	Projects(ctx context.Context) ([]codebase.Project, error)
	Refresh(ctx context.Context, root string, paths []string) error
	Touch(path string)
	FactsOf(ctx context.Context, path string, text []byte) (*code.File, error)
}

// tree is a folder of source code as anchors name it from.
type tree struct {
	root string   // "" if there is none
	base codeBase // nil if the root is not indexed
}

func (t tree) full(path string) string { return filepath.Join(t.root, filepath.FromSlash(path)) }

// anchorRoom is what the check of anchors keeps in memory.
type anchorRoom struct {
	mu      sync.Mutex
	texts   map[string]textSeen      // by full path
	roots   map[string][]string      // tops of realms
	changed uint64                   // as of when roots are
	reading map[string]chan struct{} // by root: closed when it was brought up to date
	looked  map[string]time.Time     // by root: when all of it was last looked at for what is gone
	outside map[string]time.Time     // by full path: as of when the index does not want a file
	marks   map[anchorKey]markedAnchor
}

// treeOf returns where the code of a realm is, seen from a directory of work:
// the clone or work tree that it lies in, or else the one that was worked on
// last. A work tree that is not indexed is not held against another that is.
func (m *Mind) treeOf(ctx context.Context, of, cwd string) (tree, error) {
	if !memory.IsProject(of) {
		return tree{}, nil
	}
	if real, err := filepath.EvalSymlinks(cwd); err == nil && cwd != "" {
		cwd = real
	}
	indexed, err := m.indexedTrees(ctx, of)
	if err != nil {
		return tree{}, err
	}
	tops, err := m.realmTops(ctx, of)
	if err != nil {
		return tree{}, err
	}
	tops = slices.Clone(tops)
	for i := range tops {
		tops[i] = filepath.FromSlash(tops[i])
	}
	if t := treeAround(cwd, indexed, tops); t.root != "" {
		return t, nil
	}
	if len(indexed) > 0 {
		return indexed[0], nil
	}
	if i := slices.IndexFunc(tops, isFolder); i >= 0 {
		return tree{root: tops[i]}, nil
	}
	return tree{}, nil
}

// indexedTrees returns the indexed trees of a realm, the last changed first.
func (m *Mind) indexedTrees(ctx context.Context, of string) ([]tree, error) {
	base, err := m.codeIfThere(ctx)
	if err != nil {
		m.opts.Log.Debug("memories are not held against code", "error", err)
	}
	if err != nil || base == nil || !syntax.Available {
		return nil, nil
	}
	projects, err := base.Projects(ctx)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(projects, func(a, b codebase.Project) int { return b.Changed.Compare(a.Changed) })
	var out []tree
	for _, p := range projects {
		if p.Realm == of && !p.Indexed.IsZero() && isFolder(p.Root) {
			out = append(out, tree{p.Root, base})
		}
	}
	return out, nil
}

// treeAround returns the innermost tree around a directory of work, if that lies
// in one of the realm.
func treeAround(cwd string, indexed []tree, tops []string) tree {
	var inner tree
	if cwd == "" {
		return inner
	}
	for _, t := range indexed {
		if codebase.Within(t.root, cwd) && len(t.root) > len(inner.root) {
			inner = t
		}
	}
	top := realm.Top(cwd)
	switch {
	case inner.root != "" && (top == "" || codebase.Within(top, inner.root) || realm.Top(inner.root) == ""):
		return inner
	case top != "" && slices.ContainsFunc(tops, func(r string) bool { return sameClone(realm.Top(r), top) }):
		return tree{root: top}
	case top != "" && slices.ContainsFunc(indexed, func(t tree) bool { return sameClone(t.root, top) }):
		return tree{root: top}
	case top != "":
		return inner // it is in another project, within this one or not
	}
	for _, r := range tops {
		if codebase.Within(r, cwd) && isFolder(r) && len(r) > len(inner.root) {
			inner = tree{root: r}
		}
	}
	return inner
}

// sameClone says whether two tops are one, or work trees of one clone.
func sameClone(a, b string) bool {
	if a == "" || a == b {
		return a != ""
	}
	common := realm.CommonDir(a)
	return common != "" && common == realm.CommonDir(b)
}

// realmTops returns the tops of a realm, which seldom change.
func (m *Mind) realmTops(ctx context.Context, realm string) ([]string, error) {
	changed := m.store.Changed("realm", "session")
	m.anchors.mu.Lock()
	if m.anchors.roots == nil || m.anchors.changed != changed {
		m.anchors.roots, m.anchors.changed = map[string][]string{}, changed
	}
	roots, ok := m.anchors.roots[realm]
	m.anchors.mu.Unlock()
	if ok {
		return roots, nil
	}
	roots, err := follow.RealmRoots(ctx, m.store, realm)
	if err != nil {
		return nil, err
	}
	m.anchors.mu.Lock()
	defer m.anchors.mu.Unlock()
	if m.anchors.changed == changed {
		m.anchors.roots[realm] = roots
	}
	return roots, nil
}

func isFolder(path string) bool {
	fi, err := os.Stat(path)
	return err == nil && fi.IsDir()
}

// textSeen is what was seen of a file's text.
type textSeen struct {
	size     int64
	modified time.Time
	mark     codebase.Entry
	sum      [sha256.Size]byte // of the text
	name     string            // as git calls it
	plain    string            // hash of it without blank space and lines of comments
}

const (
	// maxTexts bounds how many texts are remembered; each takes about 200 bytes.
	maxTexts = 20_000
	// settled is how old a file must be for its time to tell of every change.
	settledFor = 2 * time.Second
)

var errNoText = errors.New("no text")

// text reads a file, or remembers what it read while nothing tells of a change.
// A file that is not there gives [fs.ErrNotExist].
func (a *anchorRoom) text(full string) (textSeen, error) {
	fi, err := os.Stat(full)
	if errors.Is(err, syscall.ENOTDIR) {
		err = fs.ErrNotExist
	}
	if err != nil {
		return textSeen{}, err
	}
	if !fi.Mode().IsRegular() || fi.Size() > codebase.MaxFile {
		return textSeen{}, errNoText
	}
	mark := codebase.EntryOf(fi)
	a.mu.Lock()
	seen, ok := a.texts[full]
	a.mu.Unlock()
	if ok && seen.size == fi.Size() && seen.modified.Equal(fi.ModTime()) && seen.mark == mark {
		return seen, nil
	}
	text, err := readText(full)
	if err != nil {
		return textSeen{}, err
	}
	seen = textSeen{size: fi.Size(), modified: fi.ModTime(), mark: mark, sum: sha256.Sum256(text), name: blobName(text), plain: plainHash(text)}
	if time.Since(fi.ModTime()) < settledFor || time.Since(time.Unix(0, mark.Changed)) < settledFor {
		return seen, nil // it may be written again without its time telling
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.texts == nil || len(a.texts) >= maxTexts {
		a.texts = map[string]textSeen{}
	}
	a.texts[full] = seen
	return seen, nil
}

// forget has files read again, whatever they look like.
func (a *anchorRoom) forget(full ...string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, f := range full {
		delete(a.texts, f)
	}
}

// blobName is what git calls a text: with it, a text that was committed at any
// time is found again.
func blobName(text []byte) string {
	h := sha1.New()
	fmt.Fprintf(h, "blob %d\x00", len(text))
	h.Write(text)
	return hex.EncodeToString(h.Sum(nil))
}

// readText reads a regular file.
func readText(full string) ([]byte, error) {
	f, _, err := codebase.OpenRegular(full)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, codebase.MaxFile+1))
	if len(text) > codebase.MaxFile {
		return nil, errNoText
	}
	return text, err
}

// plainHash is the hash of a text without blank space at the ends of its lines
// and of itself. Everything else counts: what looks like a comment may stand
// within a text, and blank space may be what the file is about.
func plainHash(text []byte) string {
	h := sha256.New()
	for line := range bytes.Lines(bytes.TrimRight(text, blanks)) {
		h.Write(bytes.TrimRight(line, blanks))
		h.Write([]byte{'\n'})
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

const blanks = " \t\r\n"

// codeState is how a file stands against the index.
type codeState int

const (
	asIndexed codeState = iota
	behindDisk
	notIndexed // or nothing is known of what is in it
	goneFile
)

// states says of files of an indexed tree how they stand against the index. A
// stat is all it takes while nothing was changed.
func (m *Mind) states(ctx context.Context, t tree, files []string) (map[string]codeState, error) {
	stamps, err := t.base.Store().CodeStamps(ctx, t.root, files)
	if err != nil {
		return nil, err
	}
	out := make(map[string]codeState, len(files))
	for _, f := range files {
		out[f] = m.state(t.full(f), stamps[f])
	}
	return out, nil
}

func (m *Mind) state(full string, s store.CodeStamp) codeState {
	fi, err := os.Stat(full)
	switch {
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR):
		return goneFile
	case err != nil || !fi.Mode().IsRegular():
		return notIndexed
	case s.Path == "":
		if syntax.LangOf(full) == "" || m.anchors.leftOut(full, fi.ModTime()) {
			return notIndexed
		}
		return behindDisk // it is new
	}
	// the time that the index has of it does not tell of every change; the text is
	// remembered
	text, err := m.anchors.text(full)
	switch {
	case err != nil:
		return notIndexed
	case !bytes.Equal(text.sum[:], s.Hash) || s.Stale && s.Skipped == "":
		return behindDisk
	case s.Skipped != "":
		return notIndexed
	}
	return asIndexed
}

// leaveOut notes that files that are not indexed still are not after they were
// read: they are of no interest to the index.
func (a *anchorRoom) leaveOut(full string) {
	fi, err := os.Stat(full)
	if err != nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.outside == nil || len(a.outside) >= maxTexts {
		a.outside = map[string]time.Time{}
	}
	a.outside[full] = fi.ModTime()
}

func (a *anchorRoom) leftOut(full string, modified time.Time) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	at, ok := a.outside[full]
	return ok && at.Equal(modified)
}

// current says of files of an indexed tree how they stand against the index,
// which is given a while to catch up.
func (m *Mind) current(ctx context.Context, t tree, files []string, wait time.Duration) (map[string]codeState, error) {
	states, err := m.states(ctx, t, files)
	if err != nil {
		return nil, err
	}
	var late []string
	for _, f := range files {
		if states[f] == behindDisk {
			late = append(late, f)
		}
	}
	if len(late) == 0 || !m.catchUp(ctx, t, late, wait) {
		return states, nil
	}
	if states, err = m.states(ctx, t, files); err != nil {
		return nil, err
	}
	for _, f := range late {
		if states[f] == behindDisk {
			m.anchors.leaveOut(t.full(f))
		}
	}
	return states, nil
}

// How long is waited for the index to catch up with a file that was changed.
const (
	waitAsked   = 5 * time.Second        // where somebody asks just that
	waitWriting = 300 * time.Millisecond // before something is remembered
	waitReading = 40 * time.Millisecond  // before something is told
)

// catchUp has files read by the index and waits a while for that. What takes
// longer goes on. It reports whether it came to its end.
func (m *Mind) catchUp(ctx context.Context, t tree, files []string, wait time.Duration) bool {
	r := &m.anchors
	r.mu.Lock()
	done := r.reading[t.root]
	if done == nil {
		done = make(chan struct{})
		if !m.beside(func(inner context.Context) {
			if err := t.base.Refresh(inner, t.root, files); err != nil && inner.Err() == nil {
				m.opts.Log.Debug("source code could not be read again", "root", t.root, "error", err)
			}
			r.mu.Lock()
			delete(r.reading, t.root)
			r.mu.Unlock()
			close(done)
		}) {
			r.mu.Unlock()
			return false
		}
		if r.reading == nil {
			r.reading = map[string]chan struct{}{}
		}
		r.reading[t.root] = done
	} else {
		for _, f := range files { // another is being read; these come after it
			t.base.Touch(t.full(f))
		}
	}
	r.mu.Unlock()
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-done:
		return true
	case <-timer.C:
	case <-ctx.Done():
	}
	return false
}

// beside runs something that ends with the base of source code. It reports
// whether there is one.
func (m *Mind) beside(fn func(context.Context)) bool {
	m.code.mu.Lock()
	defer m.code.mu.Unlock()
	if m.code.closed || m.code.base == nil {
		return false
	}
	ctx := m.code.ctx
	m.code.at.Go(func() { fn(ctx) })
	return true
}
