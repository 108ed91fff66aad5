package codebase

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"chitta/internal/store"
	"chitta/internal/syntax"
)

// Index brings what is known of the project that a path lies in up to date: its
// files are listed, those that changed parsed, and what calls what is found. It
// may be cut off at any time; the next goes on from what is stored. Who asks
// while the same project is being indexed waits for that. realm is noted with
// the project.
func (b *Base) Index(ctx context.Context, path, realm string, progress func(Progress)) (Report, error) {
	if !syntax.Available {
		return Report{}, ErrOff
	}
	if progress == nil {
		progress = func(Progress) {}
	}
	root, err := RootOf(ctx, path)
	if err != nil {
		return Report{}, err
	}
	progress(Progress{Phase: PhaseWaiting})
	p, release, err := b.take(ctx, root)
	if err != nil {
		return Report{}, err
	}
	defer release()
	p.retry()
	r, err := b.index(ctx, p, realm, progress)
	if err != nil {
		p.forget() // what is stored is what counts
		b.noteDamage(err)
		return Report{}, fmt.Errorf("index %s: %w", root, err)
	}
	b.signal() // it is to be watched
	return r, nil
}

// retry has files read again that a worker had no answer for: it may have been
// the machine. Who looks at what changed does not, or a bad file would cost each
// look.
func (p *project) retry() {
	for _, f := range p.files {
		if f.Skipped == LeftCrash || f.Skipped == LeftTimeout {
			f.Hash, f.Modified = nil, 0
		}
	}
}

func (b *Base) index(ctx context.Context, p *project, realm string, progress func(Progress)) (Report, error) {
	begun := b.opts.Now()
	progress(Progress{Phase: PhaseWalking})
	tree, err := Walk(ctx, p.root)
	if err != nil {
		return Report{}, err
	}
	if p.row.ID == 0 {
		p.row.Begun = begun
	}
	if realm != "" {
		p.row.Realm = realm
	}
	p.row.Changed = begun
	if p.row.ID, err = b.db.PutProject(ctx, p.row); err != nil {
		return Report{}, err
	}
	u := update{Base: b, p: p, tree: tree, workers: b.opts.Workers, progress: progress}
	if err := u.run(ctx); err != nil {
		return Report{}, err
	}
	r := Report{
		Root: p.root, Git: tree.Git, Languages: map[string]int{}, Left: tree.Left, Skipped: []Skipped{},
		Parsed: u.parsed, Unchanged: len(tree.Files) - u.read, Removed: u.removed, Problem: tree.Problem,
	}
	r.count(p.files)
	counts, err := b.db.CodeCounts(ctx, p.row.ID)
	if err != nil {
		return Report{}, err
	}
	r.Symbols, r.Calls = counts.Symbols, Calls{Edges: counts.Edges, External: counts.External, Unknown: counts.Unknown}
	now := b.opts.Now()
	r.Seconds = now.Sub(begun).Seconds()
	text, err := json.Marshal(r)
	if err != nil {
		return Report{}, err
	}
	p.row.Indexed, p.row.Report = now, string(text)
	_, err = b.db.PutProject(ctx, p.row)
	return r, err
}

// Refresh brings files of a project up to date: those at or below some paths,
// which may be absolute or count from the root. What calls what is found again
// where that may have changed. Paths outside of the project are passed over.
func (b *Base) Refresh(ctx context.Context, root string, paths []string) error {
	if !syntax.Available {
		return ErrOff
	}
	only := relative(root, paths)
	if len(only) == 0 {
		return nil
	}
	if len(only) > maxRefresh || slices.Contains(only, ".") {
		only = nil // a look at everything is no more work
	}
	again, err := b.refreshOnce(ctx, root, only)
	if again && ctx.Err() == nil {
		_, err = b.refreshOnce(ctx, root, only)
	}
	return err
}

// refreshOnce brings files up to date. again says that it failed with a resolving
// process that was there before and may have ended long ago: a new one may do.
func (b *Base) refreshOnce(ctx context.Context, root string, only []string) (again bool, err error) {
	p, release, err := b.take(ctx, root)
	if err != nil {
		return false, err
	}
	defer release()
	if p.row.ID == 0 {
		p.forget()
		return false, ErrUnknown
	}
	again = p.hot != nil
	if err := b.refresh(ctx, p, only); err != nil {
		p.forget()
		b.noteDamage(err)
		return again, fmt.Errorf("refresh %s: %w", root, err)
	}
	return false, nil
}

// maxRefresh is how many paths git is asked about by name.
const maxRefresh = 200

func (b *Base) refresh(ctx context.Context, p *project, only []string) error {
	tree, err := walkSome(ctx, p.root, only)
	if err != nil {
		return err
	}
	was := p.row.Settled
	u := update{Base: b, p: p, tree: tree, only: only, workers: 1, progress: func(Progress) {}}
	if err := u.run(ctx); err != nil {
		return err
	}
	if u.read+u.removed+u.layout == 0 && was == p.row.Settled {
		return nil
	}
	p.row.Changed = b.opts.Now()
	_, err = b.db.PutProject(ctx, p.row)
	return err
}

// update is one pass over a tree, or a part of it.
type update struct {
	*Base
	p        *project
	tree     *Tree
	only     []string // paths it is about; nil: all
	workers  int      // that parse at once
	progress func(Progress)

	read, parsed, removed int // files; some that are read cannot be parsed
	layout                int // manifests that changed
	batch                 []store.CodeFile
	batchBytes            int
	same                  []store.CodeFile
}

func (u *update) run(ctx context.Context) error {
	if err := u.remove(ctx); err != nil {
		return err
	}
	if err := u.manifests(ctx); err != nil {
		return err
	}
	if err := u.parse(ctx); err != nil {
		return err
	}
	if err := u.resolve(ctx); err != nil {
		return err
	}
	u.p.row.Settled = true // stored with the project's row
	return nil
}

// about reports whether a path belongs to what is looked at.
func (u *update) about(path string) bool {
	return u.only == nil || belowAny(u.only, path)
}

// remove erases files that are not there any more.
func (u *update) remove(ctx context.Context) error {
	there := make(map[string]bool, len(u.tree.Files))
	for _, f := range u.tree.Files {
		there[f.Path] = true
	}
	var ids []int64
	for path, f := range u.p.files {
		if !there[path] && u.about(path) {
			ids = append(ids, f.ID)
			delete(u.p.files, path)
			if err := u.p.put(path, nil); err != nil {
				return err
			}
		}
	}
	u.removed = len(ids)
	if len(ids) == 0 {
		return nil
	}
	if err := u.unsettle(ctx); err != nil {
		return err
	}
	return u.db.RemoveCodeFiles(ctx, ids)
}

// unsettle notes that facts are about to be others than those the edges were
// made from: whoever comes after a pass that is cut off makes all of them again.
func (u *update) unsettle(ctx context.Context) error {
	if !u.p.row.Settled {
		return nil
	}
	u.p.row.Settled = false
	_, err := u.db.PutProject(ctx, u.p.row)
	return err
}

// racy is how long after a file was written it may be written again without its
// time telling.
const racy = 2 * time.Second

// parse has the files that may have changed parsed, and stores their facts.
func (u *update) parse(ctx context.Context) error {
	var requests []request
	for _, f := range u.tree.Files {
		q := request{Root: u.p.root, Path: f.Path, Lang: f.Lang}
		if have := u.p.files[f.Path]; have != nil {
			if have.Size == f.Size && have.Modified == f.Modified.UnixNano() {
				continue
			}
			q.Known = have.Hash
		}
		requests = append(requests, q)
	}
	done := 0
	err := u.pool.run(ctx, u.workers, requests, func(a answer) error {
		done++
		u.progress(Progress{Phase: PhaseParsing, Done: done, Total: len(requests)})
		return u.answered(ctx, a)
	})
	// what was answered before is worth keeping, whatever happened
	return errors.Join(err, u.flush(context.WithoutCancel(ctx)))
}

const (
	// batchFiles and batchFacts bound what a transaction stores: little is lost
	// when it is cut off.
	batchFiles = 200
	batchFacts = 4 << 20
)

func (u *update) answered(ctx context.Context, a answer) error {
	if a.Gone {
		return u.goneAgain(ctx, a.Path)
	}
	now := u.opts.Now()
	// the hash is kept, and must not keep the frame that it came in
	f := store.CodeFile{Path: a.Path, Hash: bytes.Clone(a.Hash), Size: a.Size, Modified: a.Modified, Facts: a.facts, Skipped: a.Left, Why: a.Why, At: now}
	lang := syntax.LangOf(a.Path)
	if lang == syntax.TSX {
		lang = syntax.TypeScript
	}
	f.Lang = string(lang)
	if a.Left == LeftCrash {
		u.blame(&f)
	}
	if f.Hash == nil || now.Sub(time.Unix(0, f.Modified)) < racy {
		f.Modified = 0
	}
	if have := u.p.files[a.Path]; a.Same && have != nil {
		have.Size, have.Modified, have.At = f.Size, f.Modified, now
		u.same = append(u.same, *have)
		return u.flushFull(ctx)
	}
	u.read++
	if a.Left == "" {
		u.parsed++
	}
	f.Errors, f.ErrorLines = a.Errors, a.Lines
	if err := u.p.put(a.Path, a.facts); err != nil {
		return err
	}
	u.batch = append(u.batch, f)
	u.batchBytes += len(f.Facts)
	return u.flushFull(ctx)
}

// blame notes which text a worker did not survive.
func (u *update) blame(f *store.CodeFile) {
	u.opts.Log.Warn("a source file cannot be parsed", "file", f.Path, "root", u.p.root, "reason", f.Why)
	r := reader{}
	a := r.look(request{Root: u.p.root, Path: f.Path})
	f.Hash, f.Size, f.Modified = a.Hash, a.Size, a.Modified
}

func (u *update) goneAgain(ctx context.Context, path string) error {
	f := u.p.files[path]
	if err := u.p.put(path, nil); err != nil || f == nil {
		return err
	}
	delete(u.p.files, path)
	u.removed++
	if err := u.unsettle(ctx); err != nil {
		return err
	}
	return u.db.RemoveCodeFiles(ctx, []int64{f.ID})
}

func (u *update) flushFull(ctx context.Context) error {
	if len(u.batch)+len(u.same) < batchFiles && u.batchBytes < batchFacts {
		return nil
	}
	return u.flush(ctx)
}

func (u *update) flush(ctx context.Context) error {
	if len(u.same) > 0 {
		if err := u.db.TouchCodeFiles(ctx, u.same); err != nil {
			return err
		}
		u.same = nil
	}
	if len(u.batch) == 0 {
		return nil
	}
	if err := u.unsettle(ctx); err != nil {
		return err
	}
	if err := u.db.PutCodeFiles(ctx, u.p.row.ID, u.batch); err != nil {
		return err
	}
	for i := range u.batch {
		f := u.batch[i]
		f.Facts = nil
		u.p.files[f.Path] = &f
	}
	u.batch, u.batchBytes = nil, 0
	return nil
}

func sortedPaths[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
