package tool

import (
	"context"
	"errors"
	"fmt"

	"chitta/internal/capture"
	"chitta/internal/memory"
	"chitta/internal/past"
	"chitta/internal/rpc"
	"chitta/internal/store"
)

// WireError turns an error of an operation into what goes over the wire: a
// code to branch on, words that say what is wrong, a hint that says what to
// do.
func WireError(err error) *rpc.Error {
	var (
		already   *rpc.Error
		input     *memory.InputError
		refused   *memory.RefusedError
		missing   *memory.NotFoundError
		gate      *capture.GateError
		kind      *memory.UnknownKindError
		value     *memory.UnknownValueError
		ambiguous *store.AmbiguousError
		several   *past.SeveralError
		newer     *store.NewerSchemaError
		disk      *store.DiskError
		hinted    interface {
			error
			Hint() string
		}
	)
	make := func(code int, field, hint string) *rpc.Error {
		return &rpc.Error{Code: code, Message: err.Error(), Data: &rpc.ErrorData{Field: field, Hint: hint}}
	}
	switch {
	case errors.As(err, &already):
		return already
	case errors.As(err, &input):
		return make(rpc.CodeInvalidParams, input.Field, input.Hint)
	case errors.As(err, &several):
		e := make(rpc.CodeInvalidParams, several.Field, several.Hint())
		for _, f := range several.Fits {
			e.Data.Fits = append(e.Data.Fits, rpc.Fit(f))
		}
		return e
	case errors.As(err, &missing):
		return make(rpc.CodeNotFound, "id", missing.Hint)
	case errors.As(err, &gate):
		return make(rpc.CodeInvalidParams, gate.Field, gate.Hint())
	case errors.As(err, &kind):
		return make(rpc.CodeInvalidParams, "kind", kind.Hint())
	case errors.As(err, &value):
		return make(rpc.CodeInvalidParams, value.Field, value.Hint())
	case errors.As(err, &ambiguous):
		return make(rpc.CodeInvalidParams, "id", fmt.Sprintf("give more of it; these fit: %v", ambiguous.IDs))
	case errors.As(err, &hinted):
		return make(rpc.CodeRefused, "", hinted.Hint())
	case errors.As(err, &refused):
		return make(rpc.CodeRefused, "", refused.Hint)
	case errors.Is(err, store.ErrNotFound):
		return make(rpc.CodeNotFound, "id", "chitta list shows what is there")
	case errors.Is(err, store.ErrFull):
		return make(rpc.CodeStorage, "", "make room on the disk and try again; nothing was stored")
	case errors.Is(err, store.ErrReadOnly):
		return make(rpc.CodeStorage, "", "make the data directory writable and try again; nothing was stored")
	case errors.As(err, &disk):
		return make(rpc.CodeStorage, "", "check the disk and the system's log, then: chitta doctor")
	case errors.As(err, &newer):
		return make(rpc.CodeStorage, "", "use the newer chitta that wrote it, or restore an older backup")
	case errors.Is(err, store.ErrDamaged):
		return make(rpc.CodeDamaged, "", "restore a backup: chitta restore FILE (backups made before a migration are in the data directory)")
	case errors.Is(err, context.DeadlineExceeded):
		return make(rpc.CodeTimeout, "", "try again; if it stays, raise daemon.request_timeout")
	case errors.Is(err, context.Canceled):
		return make(rpc.CodeUnavailable, "", "the request was cancelled")
	default:
		return make(rpc.CodeInternal, "", "look into the log: chitta daemon logs")
	}
}
