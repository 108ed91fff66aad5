package codebase

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"chitta/internal/code"
	"chitta/internal/resolve"
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

// put takes the facts of a file in, if others are there.
func (p *project) put(f *code.File) {
	if p.hot == nil {
		return
	}
	p.hot.Put(f)
	p.facts[f.Path], p.ids[f.Path] = f, symbolIDs(p.root, f)
}

// drop takes the facts of a file out.
func (p *project) drop(path string) {
	if p.hot == nil || p.facts[path] == nil {
		return
	}
	p.hot.Remove(path)
	delete(p.facts, path)
	delete(p.ids, path)
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
		for path, text := range changed {
			u.p.hot.Manifest(path, text)
		}
	}
	return u.db.PutManifests(ctx, u.p.row.ID, changed)
}

func readManifest(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxFile))
	if text == nil {
		text = []byte{} // empty, but there
	}
	return text, err
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
	candidates := map[string]bool{}
	for _, path := range u.p.hot.Resolve() {
		candidates[path] = true
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if whole || u.layout > 0 { // names of modules may be others
		for path := range u.p.files {
			candidates[path] = true
		}
	}
	for _, path := range fresh {
		candidates[path] = true
	}
	u.p.loose = u.p.loose || !whole
	return u.write(ctx, u.p, sortedPaths(candidates), u.progress)
}

// guarded keeps a fault in what works on facts, which are those of any text
// there is, from ending the process.
func (b *Base) guarded(root string, fn func() error) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			b.opts.Log.Error("resolving source code failed", "root", root, "fault", fault, "stack", string(debug.Stack()))
			err = fmt.Errorf("resolving failed: %v", fault)
		}
	}()
	return fn()
}

// warm loads the facts of a project into memory.
func (b *Base) warm(ctx context.Context, p *project) error {
	if p.hot != nil {
		return nil
	}
	facts, damaged, err := b.loadFacts(ctx, p)
	if err != nil {
		return fmt.Errorf("load facts: %w", err)
	}
	for _, path := range damaged { // it is read again next time
		b.opts.Log.Warn("stored facts of a file are damaged", "file", path, "root", p.root)
		if f := p.files[path]; f != nil {
			f.Hash, f.Modified, f.Facts = nil, 0, nil
			again := []store.CodeFile{*f}
			if err := b.db.PutCodeFiles(ctx, p.row.ID, again); err != nil {
				return err
			}
			f.Made = again[0].Made
		}
	}
	manifests, err := b.db.Manifests(ctx, p.row.ID)
	if err != nil {
		return err
	}
	p.hot, p.facts, p.ids = resolve.New(), make(map[string]*code.File, len(facts)), make(map[string][]int64, len(facts))
	for _, path := range sortedPaths(manifests) {
		p.hot.Manifest(path, manifests[path])
	}
	for _, path := range sortedPaths(facts) { // in one order, so that the same comes out
		p.put(facts[path])
	}
	p.loose = false
	return nil
}

// loadFacts decodes what is stored, on all cores.
func (b *Base) loadFacts(ctx context.Context, p *project) (facts map[string]*code.File, damaged []string, err error) {
	type stored struct {
		path string
		data []byte
	}
	facts = make(map[string]*code.File, len(p.files))
	var mu sync.Mutex
	group, ctx := errgroup.WithContext(ctx)
	todo := make(chan stored, pipelined)
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() error {
			for s := range todo {
				f, err := code.Decode(s.data)
				mu.Lock()
				if err != nil || f.Path != s.path {
					damaged = append(damaged, s.path)
				} else {
					facts[s.path] = f
				}
				mu.Unlock()
			}
			return nil
		})
	}
	group.Go(func() error {
		defer close(todo)
		return b.db.EachFacts(ctx, p.row.ID, func(path string, data []byte) error {
			select {
			case todo <- stored{path, bytes.Clone(data)}:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})
	})
	err = group.Wait()
	return facts, damaged, err
}

const (
	// writeFiles and writeRows bound a transaction of rows made from files, so
	// that others who write need not wait for long.
	writeFiles = 1000
	writeRows  = 20_000
)

// write stores the rows of files where they differ from what is stored.
func (b *Base) write(ctx context.Context, p *project, paths []string, progress func(Progress)) error {
	var batch []store.CodeMade
	rows := 0
	flush := func() error {
		if len(batch) == 0 {
			return nil
		}
		if err := b.db.PutCodeMade(ctx, p.row.ID, batch); err != nil {
			return err
		}
		batch, rows = batch[:0], 0
		return nil
	}
	made := map[string]int64{}
	for i, path := range paths {
		file := p.files[path]
		if file == nil {
			continue
		}
		m := p.made(file, p.facts[path])
		if m.Hash == file.Made {
			continue
		}
		made[path] = m.Hash
		batch = append(batch, m)
		rows += len(m.Symbols) + len(m.Edges) + len(m.Loose) + len(m.Inherits) + len(m.Imports)
		if len(batch) >= writeFiles || rows >= writeRows {
			progress(Progress{Phase: PhaseWriting, Done: i, Total: len(paths)})
			if err := flush(); err != nil {
				return err
			}
		}
	}
	if err := flush(); err != nil {
		return err
	}
	for path, hash := range made {
		p.files[path].Made = hash
	}
	return nil
}

// settle finds everything that calls anything anew from what is stored: what was
// found in steps may differ from what is found at once.
func (b *Base) settle(ctx context.Context, root string) error {
	p, release, err := b.take(ctx, root)
	if err != nil {
		return err
	}
	defer release()
	if p.row.ID == 0 || !p.loose {
		return nil
	}
	p.cool()
	err = b.guarded(root, func() error {
		if err := b.warm(ctx, p); err != nil {
			return err
		}
		p.hot.Resolve()
		return b.write(ctx, p, sortedPaths(p.files), func(Progress) {})
	})
	if err != nil {
		p.forget()
		return fmt.Errorf("resolve %s: %w", root, err)
	}
	return nil
}
