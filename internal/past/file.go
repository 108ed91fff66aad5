package past

import (
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"chitta/internal/follow"
	"chitta/internal/memory"
	"chitta/internal/store"
)

// filesMeant finds the paths in the history of a realm that a name stands for.
func (a *Archive) filesMeant(ctx context.Context, who Reader, realm, file string) (paths, roots []string, err error) {
	if roots, err = follow.RealmRoots(ctx, a.store, realm); err != nil {
		return nil, nil, err
	}
	here := ""
	if who.Dir != "" {
		here = filepath.ToSlash(who.Dir)
		if id, err := a.identify(ctx, who.Dir); err == nil && id.WorkDir() != "" {
			if top := filepath.ToSlash(id.WorkDir()); !slices.Contains(roots, top) {
				roots = append(roots, top)
			}
			here = filepath.ToSlash(id.Path) // without symbolic links, as the top is
		}
	}
	all, err := a.store.TouchedFiles(ctx, realm)
	if err != nil {
		return nil, nil, err
	}
	if paths = matchFiles(filepath.ToSlash(file), here, roots, all); len(paths) > 0 {
		return paths, roots, nil
	}
	hint := "no session of this project touched any file"
	if len(all) > 0 {
		hint = "chitta search finds what was said about it"
	}
	if near := nearestFiles(file, roots, all); len(near) > 0 {
		hint = "did you mean " + strings.Join(near, " or ") + "?"
	}
	return nil, nil, &memory.NotFoundError{What: "file", ID: file, Hint: hint}
}

// matchFiles returns the touched paths that a name stands for, seen from a
// directory: the file itself, the same file in other clones and worktrees, or
// else every file whose path ends so.
func matchFiles(file, cwd string, roots []string, all []store.TouchedFile) []string {
	full := path.Clean(file)
	if !path.IsAbs(full) && cwd != "" {
		full = path.Join(cwd, full)
	}
	rel, below := follow.RelativeTo(roots, full)
	var out, elsewhere []string
	for _, f := range all {
		own, inRoot := follow.RelativeTo(roots, f.Path)
		switch {
		case f.Path == full || below && inRoot && own == rel:
			out = append(out, f.Path)
		case below && !inRoot && strings.Contains(rel, "/") && strings.HasSuffix(f.Path, "/"+rel):
			elsewhere = append(elsewhere, f.Path) // a clone that is not known as one
		}
	}
	if out = append(out, elsewhere...); len(out) > len(elsewhere) || path.IsAbs(file) {
		return out
	}
	out = nil
	end := path.Clean(file)
	for strings.HasPrefix(end, "../") {
		end = end[len("../"):]
	}
	for _, f := range all {
		if end != "." && end != ".." && (f.Path == end || strings.HasSuffix(f.Path, "/"+end)) {
			out = append(out, f.Path)
		}
	}
	return out
}

// mostNear is how many names are offered for one that is not known.
const mostNear = 3

// nearestFiles returns touched files whose names are like one that is not
// known.
func nearestFiles(file string, roots []string, all []store.TouchedFile) []string {
	name := path.Base(filepath.ToSlash(file))
	var out, names []string
	byName := map[string][]string{}
	add := func(list ...string) {
		for _, p := range list {
			if len(out) < mostNear && !slices.Contains(out, p) {
				out = append(out, p)
			}
		}
	}
	for _, f := range all {
		shown := follow.ShownPath(roots, f.Path)
		base := path.Base(shown)
		if byName[base] == nil {
			names = append(names, base)
		}
		byName[base] = append(byName[base], shown)
		if strings.EqualFold(base, name) {
			add(shown)
		}
	}
	for range mostNear {
		near := memory.Nearest(name, names)
		if near == "" {
			break
		}
		add(byName[near]...)
		names = slices.DeleteFunc(names, func(n string) bool { return n == near })
	}
	return out
}
