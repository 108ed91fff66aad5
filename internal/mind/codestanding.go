package mind

import (
	"errors"

	"chitta/internal/codebase"
)

// notWhole says of what was not found in an index that is not whole that it may
// be there.
func notWhole(ask *codebase.Ask, err error) error {
	note := ask.Standing().Unfinished()
	if missing := (*NotFoundError)(nil); note != "" && errors.As(err, &missing) {
		missing.Hint = note
	}
	return err
}
