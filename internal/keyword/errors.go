package keyword

import (
	"errors"
	"fmt"
)

var (
	// ErrDamaged is returned, wrapped with what is wrong, when a file of the
	// index is missing, cut short or not what was written. The index is derived
	// data: wipe it with Remove and feed it again.
	ErrDamaged = errors.New("keyword index is damaged")

	// ErrOptionsChanged is returned by Open when the index on disk was built
	// with other fields or another version of the analysis. Rebuild it.
	ErrOptionsChanged = errors.New("keyword index was built with other options")

	// ErrClosed is returned by every method of an Index after Close.
	ErrClosed = errors.New("keyword index is closed")
)

func damagedf(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrDamaged, fmt.Sprintf(format, args...))
}
