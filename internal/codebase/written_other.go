//go:build !linux

package codebase

import (
	"io/fs"
	"time"
)

// Written is when a file was last written, as far as the system tells.
func Written(fi fs.FileInfo) time.Time { return fi.ModTime() }
