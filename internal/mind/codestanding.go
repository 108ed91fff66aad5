package mind

import (
	"errors"

	"chitta/internal/codebase"
	"chitta/internal/memory"
)

// notWhole says of what was not found in an index that is not whole that it may
// be there.
func notWhole(ask *codebase.Ask, err error) error {
	note := ask.Standing().Unfinished()
	if missing := (*memory.NotFoundError)(nil); note != "" && errors.As(err, &missing) {
		missing.Hint = note
	}
	return err
}
