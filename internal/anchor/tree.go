package anchor

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"chitta/internal/codebase"
	"chitta/internal/follow"
	"chitta/internal/memory"
	"chitta/internal/realm"
	"chitta/internal/syntax"
)

// tree is a folder of source code as anchors name it from.
type tree struct {
	root string         // "" if there is none
	base *codebase.Base // nil if the root is not indexed
}

func (t tree) full(path string) string { return filepath.Join(t.root, filepath.FromSlash(path)) }

// treeOf returns where the code of a realm is, seen from a directory of work:
// the clone or work tree that it lies in, or else the one that was worked on
// last. A work tree that is not indexed is not held against another that is.
func (r *Room) treeOf(ctx context.Context, of, cwd string) (tree, error) {
	if !memory.IsProject(of) {
		return tree{}, nil
	}
	if real, err := filepath.EvalSymlinks(cwd); err == nil && cwd != "" {
		cwd = real
	}
	indexed, err := r.indexedTrees(ctx, of)
	if err != nil {
		return tree{}, err
	}
	tops, err := r.tops(ctx, of)
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
func (r *Room) indexedTrees(ctx context.Context, of string) ([]tree, error) {
	base, err := r.opts.Code(ctx)
	if err != nil {
		r.opts.Log.Debug("memories are not held against code", "error", err)
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

// tops returns the tops of a realm, which seldom change.
func (r *Room) tops(ctx context.Context, realm string) ([]string, error) {
	changed := r.opts.Store.Changed("realm", "session")
	r.mu.Lock()
	if r.changed != changed {
		r.roots, r.changed = map[string][]string{}, changed
	}
	roots, ok := r.roots[realm]
	r.mu.Unlock()
	if ok {
		return roots, nil
	}
	roots, err := follow.RealmRoots(ctx, r.opts.Store, realm)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.changed == changed {
		r.roots[realm] = roots
	}
	return roots, nil
}

func isFolder(path string) bool {
	fi, err := os.Stat(path)
	return err == nil && fi.IsDir()
}
