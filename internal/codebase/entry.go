package codebase

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
	"time"
)

// Entry is what tells of a change that a file's size and time do not: which file
// it is, and when its entry was last changed, which nobody can set. Where a
// system has no such thing it is empty.
type Entry struct {
	Inode   uint64
	Changed int64 // nanoseconds since 1970
}

// Written is when a file was last written, as far as the system tells: the time
// of its text can be set back by anyone, that of its entry cannot.
func Written(fi fs.FileInfo) time.Time {
	text := fi.ModTime()
	if e := EntryOf(fi); e != (Entry{}) && time.Unix(0, e.Changed).After(text) {
		return time.Unix(0, e.Changed)
	}
	return text
}

// OpenRegular opens a file to be read, with what it looks like. It never waits
// for a pipe that stands in its place.
func OpenRegular(path string) (*os.File, fs.FileInfo, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, err
	}
	fi, err := f.Stat()
	if err == nil && !fi.Mode().IsRegular() {
		err = errors.New("not a regular file")
	}
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return f, fi, nil
}
