package embed

import (
	"errors"
	"io"
	"io/fs"
	"sync"

	"chitta/internal/embed/weights"
)

// builtin is shared by the whole process, so that the weights are in memory
// once.
var builtin = sync.OnceValues(func() (*local, error) {
	f, err := weights.Open()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNoModel
	}
	if err != nil {
		return nil, err
	}
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	// The files of embed.FS are strings in the binary; reading at an offset
	// copies just that part, and the system pages it in and out as needed.
	r, ok := f.(io.ReaderAt)
	if !ok {
		return nil, errors.New("embedded weights cannot be read at an offset")
	}
	k := kernels()[0]
	c, err := openContainer(weights.Name, r, st.Size())
	if err != nil {
		return nil, err
	}
	return newLocal(c.info(k, SourceBuiltin), func() (*brain, error) { return c.load(k) }), nil
})

// Builtin is the model inside the binary, or [ErrNoModel]. All callers share
// it; its weights are decoded by the first text and let go when every caller
// has closed it.
func Builtin() (Model, error) {
	l, err := builtin()
	if err != nil {
		return nil, err
	}
	return l.open(), nil
}
