package realm

import (
	"os"
	"path/filepath"
	"strings"
)

// Top returns the top of the git work tree that a path lies in, or "". It looks
// for what git keeps there and starts no process: it is asked for with every
// question about code.
func Top(path string) string {
	for dir := filepath.Clean(path); ; {
		if isTop(dir) {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir || !filepath.IsAbs(dir) {
			return ""
		}
		dir = parent
	}
}

// isTop says whether a folder is the top of a work tree: of a clone, or a
// further one, whose .git is a file.
func isTop(dir string) bool {
	at := filepath.Join(dir, ".git")
	fi, err := os.Stat(at)
	switch {
	case err != nil:
		return false
	case fi.IsDir():
		_, err := os.Lstat(filepath.Join(at, "HEAD"))
		return err == nil
	}
	return strings.HasPrefix(firstLine(at), "gitdir: ")
}

// CommonDir returns the folder that all work trees of a clone share, or "". It
// starts no process.
func CommonDir(top string) string {
	if !isTop(top) {
		return ""
	}
	return canonical(commonOf(gitDir(top)))
}

func commonOf(dir string) string {
	switch to := firstLine(filepath.Join(dir, "commondir")); { // of a further work tree
	case to == "":
		return dir
	case filepath.IsAbs(to):
		return to
	default:
		return filepath.Join(dir, to)
	}
}
