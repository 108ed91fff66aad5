package codebase

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"

	"chitta/internal/store"
)

// relative makes paths count from the root, with slashes, and drops those that
// lie outside.
func relative(root string, paths []string) []string {
	var out []string
	seen := map[string]bool{}
	for _, path := range paths {
		if filepath.IsAbs(path) {
			real := filepath.Join(realPath(filepath.Dir(path)), filepath.Base(path))
			rel, err := filepath.Rel(root, real)
			if err != nil {
				continue
			}
			path = rel
		}
		path = filepath.ToSlash(filepath.Clean(path))
		if path == ".." || strings.HasPrefix(path, "../") || seen[path] || path == ".git" || strings.HasPrefix(path, ".git/") {
			continue
		}
		seen[path] = true
		out = append(out, path)
	}
	return out
}

// below reports whether a path is another or lies below it; both have slashes.
func below(dir, path string) bool {
	return path == dir || len(path) > len(dir) && path[len(dir)] == '/' && path[:len(dir)] == dir
}

// put tells who has the facts in memory of those of a file; nil: it has none.
func (p *project) put(path string, facts []byte) error {
	switch {
	case p.hot == nil:
		return nil
	case facts == nil:
		return p.hot.tell(&order{Kind: dropFacts, Path: path})
	}
	// what is stored of it, if anything, was made from another text
	return p.hot.tell(&order{Kind: putFacts, Path: path, Data: facts, Known: store.MadeStale})
}

// manifests stores the manifests that changed.
func (u *update) manifests(ctx context.Context) error {
	stored, err := u.db.Manifests(ctx, u.p.row.ID)
	if err != nil {
		return err
	}
	changed := map[string][]byte{}
	there := map[string]bool{}
	for _, path := range u.tree.Manifests {
		text, err := readManifest(filepath.Join(u.p.root, filepath.FromSlash(path)))
		if err != nil {
			continue // as good as not there
		}
		there[path] = true
		if have, ok := stored[path]; !ok || !bytes.Equal(have, text) {
			changed[path] = text
		}
	}
	for path := range stored {
		if !there[path] && u.about(path) {
			changed[path] = nil
		}
	}
	if u.layout = len(changed); u.layout == 0 {
		return nil
	}
	if err := u.unsettle(ctx); err != nil {
		return err
	}
	if u.p.hot != nil {
		for _, path := range sortedPaths(changed) {
			if err := u.p.hot.tell(&order{Kind: putManifest, Path: path, Data: changed[path], Gone: changed[path] == nil}); err != nil {
				return err
			}
		}
	}
	return u.db.PutManifests(ctx, u.p.row.ID, changed)
}

func readManifest(path string) ([]byte, error) {
	_, text, _, err := readSource(path)
	if text == nil {
		text = []byte{} // empty, but there
	}
	return text[:min(len(text), MaxFile)], err
}

// resolve finds what calls what and stores what came out differently.
func (u *update) resolve(ctx context.Context) error {
	var fresh []string // files whose rows are not made yet
	for path, f := range u.p.files {
		if f.Made == store.MadeNever || f.Made == store.MadeStale {
			fresh = append(fresh, path)
		}
	}
	if len(fresh) == 0 && u.removed == 0 && u.layout == 0 && u.p.row.Settled {
		return nil // nothing that anything depends on
	}
	u.progress(Progress{Phase: PhaseResolving})
	whole := u.p.hot == nil
	if err := u.warm(ctx, u.p); err != nil {
		return err
	}
	u.p.loose = u.p.loose || !whole
	// with another layout names of modules may be others
	return u.solve(ctx, u.p, &order{Kind: solveNow, All: whole || u.layout > 0, Fresh: fresh}, u.progress)
}

// warm starts who finds what calls what, and tells it what is stored.
func (b *Base) warm(ctx context.Context, p *project) error {
	if p.hot != nil {
		return nil
	}
	hot, err := startSolving(ctx, func() (*exec.Cmd, error) { return b.opts.Solver(p.root) })
	if err != nil {
		return err
	}
	p.hot, p.loose = hot, false
	manifests, err := b.db.Manifests(ctx, p.row.ID)
	if err != nil {
		return err
	}
	for _, path := range sortedPaths(manifests) {
		if err := hot.tell(&order{Kind: putManifest, Path: path, Data: manifests[path]}); err != nil {
			return err
		}
	}
	err = b.db.EachFacts(ctx, p.row.ID, func(path string, data []byte) error {
		known := int64(store.MadeStale)
		if f := p.files[path]; f != nil {
			known = f.Made
		}
		return hot.tell(&order{Kind: putFacts, Path: path, Data: data, Known: known})
	})
	if err != nil {
		return fmt.Errorf("load facts: %w", err)
	}
	return nil
}

const (
	// writeFiles and writeRows bound a transaction of rows made from files, so
	// that others who write need not wait for long.
	writeFiles = 1000
	writeRows  = 50_000
)

// solve has edges found and stores the rows of files where they changed.
func (b *Base) solve(ctx context.Context, p *project, o *order, progress func(Progress)) error {
	w := rowWriter{Base: b, ctx: ctx, p: p}
	for _, path := range sortedPaths(p.files) { // those without facts have no rows
		if f := p.files[path]; f.Skipped != "" {
			if err := w.put(path, store.CodeMade{Hash: sumOf(&store.CodeMade{})}); err != nil {
				return err
			}
		}
	}
	files := 0
	err := p.hot.solve(ctx, o, func(a *solved) error {
		if a.Damaged {
			return b.damagedFacts(ctx, p, a.Path)
		}
		if a.Cut {
			b.opts.Log.Warn("not all calls of a source file are kept: they are too many", "file", a.Path, "root", p.root)
		}
		if files++; files%writeFiles == 0 {
			progress(Progress{Phase: PhaseWriting, Done: files, Total: len(p.files)})
		}
		return w.put(a.Path, a.Made)
	})
	if err = errors.Join(err, w.flush()); w.written >= writeRows {
		err = errors.Join(err, b.db.Rest(context.WithoutCancel(ctx)))
	}
	return err
}

// damagedFacts has a file read again next time.
func (b *Base) damagedFacts(ctx context.Context, p *project, path string) error {
	b.opts.Log.Warn("stored facts of a file are damaged", "file", path, "root", p.root)
	f := p.files[path]
	if f == nil {
		return nil
	}
	f.Hash, f.Modified, f.Facts = nil, 0, nil
	again := []store.CodeFile{*f}
	if err := b.db.PutCodeFiles(ctx, p.row.ID, again); err != nil {
		return err
	}
	f.Made = again[0].Made
	return nil
}

// rowWriter stores rows in batches.
type rowWriter struct {
	*Base
	ctx   context.Context
	p     *project
	batch []store.CodeMade
	paths []string
	rows  int // of the batch

	written int // rows that are stored
}

func (w *rowWriter) put(path string, m store.CodeMade) error {
	file := w.p.files[path]
	if file == nil || m.Hash == file.Made {
		return nil
	}
	m.File, m.Fresh = file.ID, file.Made == store.MadeNever
	w.batch, w.paths = append(w.batch, m), append(w.paths, path)
	w.rows += len(m.Symbols) + len(m.Edges) + len(m.Loose) + len(m.Inherits) + len(m.Imports)
	if len(w.batch) >= writeFiles || w.rows >= writeRows {
		return w.flush()
	}
	return nil
}

func (w *rowWriter) flush() error {
	if len(w.batch) == 0 {
		return nil
	}
	if err := w.db.PutCodeMade(w.ctx, w.p.row.ID, w.batch); err != nil {
		return err
	}
	for i, path := range w.paths {
		w.p.files[path].Made = w.batch[i].Hash
	}
	w.written += w.rows
	clear(w.batch) // their texts may go
	w.batch, w.paths, w.rows = w.batch[:0], w.paths[:0], 0
	return nil
}

// settle finds everything that calls anything anew: what was found in steps may
// differ from what is found at once.
func (b *Base) settle(ctx context.Context, root string) error {
	p, release, err := b.take(ctx, root)
	if err != nil {
		return err
	}
	defer release()
	if p.row.ID == 0 || !p.loose {
		return nil
	}
	err = b.warm(ctx, p)
	if err == nil {
		err = b.solve(ctx, p, &order{Kind: solveWhole}, func(Progress) {})
	}
	if err != nil {
		p.forget()
		return fmt.Errorf("resolve %s: %w", root, err)
	}
	p.loose = false
	return nil
}
