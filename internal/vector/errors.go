package vector

import (
	"errors"
	"fmt"
)

var (
	// ErrDims is returned, wrapped with both numbers, for a vector that is not
	// as long as the index says.
	ErrDims = errors.New("vector has the wrong number of dimensions")

	// ErrNotFinite is returned for a vector with a NaN or an infinity in it.
	ErrNotFinite = errors.New("vector is not finite")

	// ErrZero is returned for a vector of zeros: it has no direction, so it is
	// like nothing and like everything.
	ErrZero = errors.New("vector is zero")
)

// ItemError says which item of a batch was refused. Err is one of the errors
// above.
type ItemError struct {
	ID  uint64
	Err error
}

func (e *ItemError) Error() string { return fmt.Sprintf("item %d: %v", e.ID, e.Err) }

func (e *ItemError) Unwrap() error { return e.Err }
