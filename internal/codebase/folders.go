package codebase

import (
	"context"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"chitta/internal/realm"
)

// foldersBelow lists the folders at or below some of a project where source may
// come to be, with slashes, from the root: also those that hold none yet. Those
// that git ignores, that are another repository's or hold what others wrote are
// passed over.
func foldersBelow(ctx context.Context, root string, starts []string) []string {
	ignored, git := ignoredFolders(ctx, root, starts)
	var out []string
	for _, start := range starts {
		_ = filepath.WalkDir(filepath.Join(root, filepath.FromSlash(start)), func(full string, d fs.DirEntry, err error) error {
			if ctx.Err() != nil || len(out) > maxWatches {
				return filepath.SkipAll
			}
			if err != nil || !d.IsDir() {
				return nil
			}
			rel, err := filepath.Rel(root, full)
			if err != nil {
				return filepath.SkipDir
			}
			rel = filepath.ToSlash(rel)
			if rel != "." && (ignored[rel] || vendored[d.Name()] || d.Name() == ".git" || !git && notOurs(d.Name()) || isRepository(full)) {
				return filepath.SkipDir
			}
			out = append(out, rel)
			return nil
		})
	}
	return out
}

func isRepository(folder string) bool {
	_, err := os.Lstat(filepath.Join(folder, ".git"))
	return err == nil
}

// ignoredFolders asks git which folders it ignores as a whole; git says whether
// it could be asked.
func ignoredFolders(ctx context.Context, root string, starts []string) (ignored map[string]bool, git bool) {
	if !isRepository(root) {
		return nil, false
	}
	ctx, cancel := context.WithTimeout(ctx, listTimeout)
	defer cancel()
	args := []string{"--literal-pathspecs", "ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory", "--"}
	out, err := realm.Command(ctx, root, append(args, starts...)...).Output()
	if err != nil {
		return nil, false
	}
	ignored = map[string]bool{}
	for name := range strings.SplitSeq(string(out), "\x00") {
		if strings.HasSuffix(name, "/") {
			ignored[path.Clean(name)] = true
		}
	}
	return ignored, true
}
