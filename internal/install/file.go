package install

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// maxFile is far more than any settings file; the client's own file has some
// megabytes after years.
const maxFile = 64 << 20

// readFile returns what a file holds, and whether it exists.
func readFile(path string) (text []byte, exists bool, err error) {
	fi, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("read: %w", err)
	}
	if !fi.Mode().IsRegular() {
		return nil, false, fmt.Errorf("%s is not a file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, false, fmt.Errorf("read: %w", err)
	}
	defer f.Close()
	text, err = io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, false, fmt.Errorf("read: %w", err)
	}
	if len(text) > maxFile {
		return nil, false, fmt.Errorf("%s has more than %d bytes, which no settings file has", path, maxFile)
	}
	return text, true, nil
}

// destination follows symbolic links, also to a file that does not exist yet.
func destination(path string) (string, error) {
	const most = 40 // as many as the kernel follows
	for range most {
		target, err := os.Readlink(path)
		if err != nil {
			return path, nil // no link, or nothing at all
		}
		path = joined(filepath.Dir(path), target)
	}
	return "", fmt.Errorf("%s: too many symbolic links", path)
}

// writeFile replaces a file whole or not at all. Links stay links, and mode and
// owner stay as they are. It refuses when the file is not what it was.
func writeFile(path string, text, was []byte, mode fs.FileMode) (err error) {
	path, err = destination(path)
	if err != nil {
		return err
	}
	old, err := os.Stat(path)
	if err == nil {
		mode = old.Mode().Perm()
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*.tmp")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	if err := errors.Join(fill(f, text, mode, old), f.Close()); err != nil {
		return fmt.Errorf("write beside %s: %w", path, err)
	}
	now, _, err := readFile(path)
	if err != nil {
		return err
	}
	if !bytes.Equal(now, was) {
		return fmt.Errorf("%s was changed by somebody else just now: try again", path)
	}
	return os.Rename(f.Name(), path)
}

// fill writes a new file down to the disk, with the owner of the one it is to
// replace, if there is one.
func fill(f *os.File, text []byte, mode fs.FileMode, old fs.FileInfo) error {
	if _, err := f.Write(text); err != nil {
		return err
	}
	if err := f.Chmod(mode); err != nil {
		return err
	}
	if old != nil {
		if err := keepOwner(f, old); err != nil {
			return fmt.Errorf("keep the owner: %w", err)
		}
	}
	return f.Sync()
}

// removeFile removes a file, and not the link that leads to it.
func removeFile(path string) error {
	path, err := destination(path)
	if err != nil {
		return err
	}
	return os.Remove(path)
}

func isFolder(path string) bool {
	fi, err := os.Stat(path)
	return err == nil && fi.IsDir()
}

// Backups are named by their time and stand beside the file, or in copiesFolder
// of the data directory.
const (
	copiesFolder = "backups/files"
	backupMark   = ".chitta-backup-"
	backupTime   = "20060102-150405.000"
	backupsStay  = 5
	backupsAtOne = 100 // at the same millisecond; a guard, not a limit
)

// backUp keeps a copy of a text, named after a path, and drops the oldest
// copies.
func backUp(path string, text []byte, now time.Time) (string, error) {
	if err := os.MkdirAll(filepath.Dir(path), ownFolder); err != nil {
		return "", err
	}
	base := path + backupMark + now.UTC().Format(backupTime)
	name := base
	for n := 1; ; n++ {
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, ownFile)
		if errors.Is(err, fs.ErrExist) && n < backupsAtOne {
			name = fmt.Sprintf("%s-%02d", base, n)
			continue
		}
		if err != nil {
			return "", err
		}
		if _, err := f.Write(text); err != nil {
			return "", errors.Join(err, f.Close(), os.Remove(name))
		}
		if err := errors.Join(f.Sync(), f.Close()); err != nil {
			return "", err
		}
		return name, dropBackups(path)
	}
}

func dropBackups(path string) error {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return err
	}
	var names []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), filepath.Base(path)+backupMark) && e.Type().IsRegular() {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	for len(names) > backupsStay {
		if err := os.Remove(filepath.Join(filepath.Dir(path), names[0])); err != nil {
			return err
		}
		names = names[1:]
	}
	return nil
}

// The client guards its own file by a folder beside it, which is stale when
// nobody has touched it for a while.
const (
	lockSuffix = ".lock"
	lockStale  = 10 * time.Second // the client's own rule
	lockWait   = 5 * time.Second  // it writes in milliseconds
	lockPause  = 20 * time.Millisecond
)

// lock keeps the client from writing a file until the returned function is
// called.
func lock(ctx context.Context, path string) (unlock func() error, err error) {
	ctx, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	name := path + lockSuffix
	for {
		err := os.Mkdir(name, ownFolder)
		if err == nil {
			return func() error { return os.Remove(name) }, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, fmt.Errorf("lock %s: %w", path, err)
		}
		if fi, err := os.Stat(name); err == nil && time.Since(fi.ModTime()) > lockStale {
			if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, fmt.Errorf("remove a stale lock: %w", err)
			}
			continue
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("the client is writing %s: try again in a moment", path)
		case <-time.After(lockPause):
		}
	}
}
