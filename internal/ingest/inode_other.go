//go:build !unix

package ingest

import "io/fs"

// inodeOf tells a file from another that is put in its place; here nothing
// does but size and time.
func inodeOf(fs.FileInfo) int64 { return 0 }
