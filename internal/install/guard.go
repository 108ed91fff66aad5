package install

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"chitta/internal/memory"
)

// writable refuses a CLAUDE.md that chitta must not write, with what is wrong
// and what to do: a repository brings the file along, and the one who made it
// may be somebody else. A link could lead to any file of the user's; a file
// without the right to write is not to be written, though it could be replaced;
// and one with several names would have another text under each.
func writable(path string) error {
	refuse := func(hint, format string, args ...any) error {
		return &memory.RefusedError{Reason: fmt.Sprintf(format, args...) + "; it was left as it is", Hint: hint}
	}
	real, err := destination(path)
	if err != nil {
		return refuse("put a file in the place of the link", "%v", err)
	}
	if inside, err := within(filepath.Dir(path), real); err != nil || !inside {
		return refuse("put a file of its own there, or a link to one in the repository", "%s is a link that leaves the repository, to %s", path, real)
	}
	fi, err := os.Stat(real)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case fi.Mode().Perm()&0o200 == 0:
		return refuse("chmod u+w it if chitta is to write it", "%s may not be written by its owner (mode %#o)", real, fi.Mode().Perm())
	case names(fi) > 1:
		return refuse("make it a file of its own: copy it and put the copy in its place", "%s has %d names (hard links), and would be changed under one of them only", real, names(fi))
	}
	return nil
}

// within says whether a file is in a repository, and not in git's own folder.
// The file itself need not exist.
func within(top, file string) (bool, error) {
	top, err := filepath.EvalSymlinks(top)
	if err != nil {
		return false, err
	}
	folder, err := filepath.EvalSymlinks(filepath.Dir(file))
	if err != nil {
		return false, err
	}
	rel, err := filepath.Rel(top, filepath.Join(folder, filepath.Base(file)))
	parts := strings.Split(filepath.ToSlash(rel), "/")
	return err == nil && filepath.IsLocal(rel) && !slices.ContainsFunc(parts, func(p string) bool { return strings.EqualFold(p, ".git") }), err
}
