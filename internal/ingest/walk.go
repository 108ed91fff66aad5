package ingest

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Walk calls fn with every folder and every transcript below a
// folder, a session's own before those of its subagents. Folders in which the
// client keeps other things are passed over, and so is what cannot be read.
func Walk(dir string, fn func(path string, fi fs.FileInfo) error) error {
	var subagents []func() error
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			if path == dir {
				return err
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
