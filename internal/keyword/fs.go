package keyword

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

const (
	dirMode  = 0o700
	fileMode = 0o600
)

// fileSystem is what the index does to the disk besides reading. Tests put one
// in that fails.
type fileSystem interface {
	mkdir(dir string) error
	create(name string) (outFile, error)
	rename(from, to string) error
	remove(name string) error
	syncDir(dir string) error
}

type outFile interface {
	io.Writer
	Sync() error
	Close() error
}

type osFS struct{}

func (osFS) mkdir(dir string) error { return os.MkdirAll(dir, dirMode) }

func (osFS) create(name string) (outFile, error) {
	return os.OpenFile(name, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, fileMode)
}

func (osFS) rename(from, to string) error { return os.Rename(from, to) }
func (osFS) remove(name string) error     { return os.Remove(name) }

func (osFS) syncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil // directories cannot be synced there
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// Remove deletes the index in dir, and dir itself if nothing else is in it.
// Only files the index made are touched. The index must not be open.
func Remove(dir string) error {
	// The manifest goes first: without it the rest is debris to Open too.
	err := os.Remove(filepath.Join(dir, manifestName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	left := 0
	for _, e := range entries {
		if !isIndexFile(e.Name()) {
			left++
			continue
		}
		if err := os.Remove(filepath.Join(dir, e.Name())); err != nil {
			return err
		}
	}
	if left > 0 {
		return nil
	}
	return os.Remove(dir)
}
