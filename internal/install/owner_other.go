//go:build !unix

package install

import (
	"io/fs"
	"os"
)

// names is how many names a file has; where that is not told, one.
func names(fs.FileInfo) int { return 1 }

// keepOwner does nothing where a new file has the owner of its folder.
func keepOwner(*os.File, fs.FileInfo) error { return nil }
