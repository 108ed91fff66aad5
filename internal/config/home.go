package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// privateDir is the mode of every directory that holds what users said.
const privateDir fs.FileMode = 0o700

// EnsureHome makes the data directory exist, be private and be writable, and
// the same for the directory of the socket where that is another one. It
// tightens the mode of a directory that is ours and refuses everything it
// cannot make safe with a *[HomeError].
func (p Paths) EnsureHome() error {
	if inClient(p.home) {
		return inClientError(p.home)
	}
	if err := ensurePrivate(p.home); err != nil {
		return err
	}
	if dir := p.SocketDir(); dir != p.home {
		return ensureRuntime(dir)
	}
	return nil
}

// ensureRuntime is stricter than ensurePrivate: the parent is writable for
// everybody, so a symbolic link there may have been laid by somebody else.
func ensureRuntime(dir string) error {
	if info, err := os.Lstat(dir); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return &HomeError{Path: dir, Err: ErrHomeNotDirectory, Hint: "remove the symbolic link; the socket needs a directory of your own"}
	}
	return ensurePrivate(dir)
}

func ensurePrivate(dir string) error {
	_, err := os.Stat(dir)
	created := errors.Is(err, fs.ErrNotExist)
	if err := os.MkdirAll(dir, privateDir); err != nil {
		return explainMkdir(dir, err)
	}
	if created { // whatever the umask took away
		if err := os.Chmod(dir, privateDir); err != nil {
			return &HomeError{Path: dir, Err: err}
		}
	}
	info, err := os.Stat(dir)
	if err != nil {
		return &HomeError{Path: dir, Err: err}
	}
	if !info.IsDir() {
		return notDirectory(dir)
	}
	if owner, ok := foreignOwner(info); ok {
		return &HomeError{
			Path: dir, Err: ErrHomeOwner,
			Hint: fmt.Sprintf("it belongs to user id %d, you are %d: set CHITTA_HOME to a directory of your own", owner, os.Getuid()),
		}
	}
	// A directory whose owner may not write was made so on purpose: say so
	// rather than overrule it, even for root, who could write anyway.
	if info.Mode().Perm()&0o300 != 0o300 {
		return readOnly(dir, "run: chmod u+wx "+dir)
	}
	if shared(info) {
		if err := os.Chmod(dir, privateDir); err != nil {
			return &HomeError{Path: dir, Err: fmt.Errorf("%w: %w", ErrHomeShared, err), Hint: "run: chmod 700 " + dir}
		}
		if info, err = os.Stat(dir); err != nil || shared(info) {
			return &HomeError{Path: dir, Err: ErrHomeShared, Hint: "its file system ignores modes: set CHITTA_HOME to a directory on a local disk"}
		}
	}
	if err := writable(dir); err != nil {
		return readOnly(dir, "set CHITTA_HOME to a directory that can be written to")
	}
	return nil
}

// explainMkdir turns the error of creating a directory into one that says
// which part of the path is in the way.
func explainMkdir(dir string, err error) error {
	if info, lerr := os.Lstat(dir); lerr == nil {
		if info.Mode()&fs.ModeSymlink != 0 {
			if _, serr := os.Stat(dir); errors.Is(serr, fs.ErrNotExist) {
				return dangling(dir)
			}
		}
		return notDirectory(dir)
	}
	switch {
	case isReadOnlyFS(err):
		return readOnly(dir, "set CHITTA_HOME to a directory that can be written to")
	case errors.Is(err, fs.ErrPermission):
		return &HomeError{Path: dir, Err: err, Hint: "you may not create it there: set CHITTA_HOME to a directory of your own"}
	}
	return &HomeError{Path: dir, Err: err, Hint: "set CHITTA_HOME to a directory that can be created"}
}

func dangling(path string) error {
	return &HomeError{Path: path, Err: ErrHomeDangling, Hint: "create the directory it points to, or remove the link"}
}

func notDirectory(path string) error {
	return &HomeError{Path: path, Err: ErrHomeNotDirectory, Hint: "move that file away, or set CHITTA_HOME to another place"}
}

func readOnly(path, hint string) error {
	return &HomeError{Path: path, Err: ErrHomeReadOnly, Hint: hint}
}

func inClientError(path string) error {
	return &HomeError{
		Path: path, Err: ErrHomeInClient,
		Hint: "people delete that directory to reset their client, and all memories would go with it: use ~/.chitta or another place",
	}
}

// inClient tells whether a part of the path is named .claude. Case is ignored
// because some file systems ignore it.
func inClient(path string) bool {
	for part := range strings.SplitSeq(filepath.ToSlash(path), "/") {
		if strings.EqualFold(part, ".claude") {
			return true
		}
	}
	return false
}

// canonicalPath resolves symbolic links in the part of an absolute path that
// exists; what does not exist yet is kept as written.
func canonicalPath(path string) (string, error) {
	rest := ""
	for head := path; ; {
		real, err := filepath.EvalSymlinks(head)
		if err == nil {
			return filepath.Join(real, rest), nil
		}
		if info, lerr := os.Lstat(head); lerr == nil && info.Mode()&fs.ModeSymlink != 0 {
			if errors.Is(err, fs.ErrNotExist) {
				return "", dangling(head)
			}
			return "", &HomeError{Path: head, Err: err, Hint: "the symbolic link cannot be followed"}
		}
		parent := filepath.Dir(head)
		if parent == head {
			return "", &HomeError{Path: path, Err: err}
		}
		rest = filepath.Join(filepath.Base(head), rest)
		head = parent
	}
}
