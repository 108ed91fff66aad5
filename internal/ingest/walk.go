package ingest

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Walk calls fn with every folder and every transcript below a
// folder, a session's own before those of its subagents. Folders in which the
// client keeps other things are passed over. Folders below it that cannot be
// read are too, after telling closed.
func Walk(dir string, fn func(path string, fi fs.FileInfo) error, closed func(path string, err error)) error {
	return walk(filepath.WalkDir, dir, fn, closed)
}

// walk is [Walk] with the function that reads folders, for tests in which one
// cannot be read.
func walk(read func(string, fs.WalkDirFunc) error, dir string, fn func(path string, fi fs.FileInfo) error, closed func(path string, err error)) error {
	var subagents []func() error
	err := read(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			if path == dir {
				return err
			}
			if !errors.Is(err, fs.ErrNotExist) { // gone meanwhile
				closed(path, err)
			}
			return nil
		}
		if d.IsDir() && path != dir && ofOtherThings(path) {
			return filepath.SkipDir
		}
		if !d.IsDir() && !strings.HasSuffix(path, transcriptSuffix) {
			return nil
		}
		fi, err := os.Stat(path)
		if err != nil || fi.IsDir() != d.IsDir() || !fi.IsDir() && !fi.Mode().IsRegular() {
			return nil // gone meanwhile, or nothing to read
		}
		if !fi.IsDir() && ofSubagent(path) {
			subagents = append(subagents, func() error { return fn(path, fi) })
			return nil
		}
		return fn(path, fi)
	})
	for _, f := range subagents {
		if err == nil {
			err = f()
		}
	}
	return err
}

// ofSubagent reports whether a file is a subagent's transcript.
func ofSubagent(path string) bool { return filepath.Base(filepath.Dir(path)) == "subagents" }

// ofOtherThings reports whether the client keeps something else in a folder.
func ofOtherThings(dir string) bool {
	name := filepath.Base(dir)
	return name == "tool-results" || name == "memory"
}
