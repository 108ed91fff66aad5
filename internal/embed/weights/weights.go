// Package weights carries the file of weights that scripts/model.sh makes, if
// it was there at build time. It owns nothing but that file, so that only what
// runs the model links it, and its entry is [Open].
package weights

import (
	"embed"
	"io/fs"
)

// Name is the file's name in this directory.
const Name = "minilm.int8"

// The pattern takes README.md or minilm.int8 or both: one that named the file
// would break the build without it.
//
//go:embed [Rm]*[d8]
var files embed.FS

// Open opens the file; fs.ErrNotExist means that the build had none. The file
// is also an io.ReaderAt.
func Open() (fs.File, error) { return files.Open(Name) }
