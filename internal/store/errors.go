package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

var (
	// ErrNotFound is returned when no row has the id asked for.
	ErrNotFound = errors.New("not found")
	// ErrFull is returned when the disk has no room; nothing was written.
	ErrFull = errors.New("disk is full")
	// ErrReadOnly is returned when the data directory cannot be written.
	ErrReadOnly = errors.New("data directory is read-only")
	// ErrDamaged is returned when the database file is not sound.
	ErrDamaged = errors.New("database is damaged")
)

// AmbiguousError is returned when a shortened id fits several rows.
type AmbiguousError struct {
	Prefix string
	IDs    []string
}

func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("id %q fits %d memories", e.Prefix, len(e.IDs))
}

// NewerSchemaError is returned when the database was written by a newer
// chitta; opening it could lose what the newer version stored.
type NewerSchemaError struct{ Have, Known int64 }

func (e *NewerSchemaError) Error() string {
	return fmt.Sprintf("database has schema version %d, this chitta knows up to %d", e.Have, e.Known)
}

// primaryCode masks the part of an engine's code that names the kind of error;
// the rest says more about it.
const primaryCode = 0xff

// classify wraps an error of the database engine in the sentinel that callers
// branch on, keeping the engine's own words.
func classify(err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if errors.Is(err, sql.ErrNoRows) {
		return ErrNotFound
	}
	if errors.Is(err, syscall.ENOSPC) {
		return fmt.Errorf("%w: %w", ErrFull, err)
	}
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		return fmt.Errorf("%w: %w", ErrReadOnly, err)
	}
	var engine *sqlite.Error
	if !errors.As(err, &engine) {
		return err
	}
	return classifyCode(engine.Code(), err)
}

// DiskError is returned when the system could not read or write a file of the
// database. Whether the database is sound is not known.
type DiskError struct{ Err error }

func (e *DiskError) Error() string { return "the disk reports an error: " + e.Err.Error() }

func (e *DiskError) Unwrap() error { return e.Err }

// classifyCode is classify for an error with this extended code of the engine.
func classifyCode(code int, err error) error {
	switch code {
	case sqlite3.SQLITE_IOERR_SHORT_READ, sqlite3.SQLITE_IOERR_CORRUPTFS:
		// The file ends too early, or the file system itself is damaged.
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	switch code & primaryCode {
	case sqlite3.SQLITE_IOERR:
		return &DiskError{Err: err}
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	case sqlite3.SQLITE_FULL:
		return fmt.Errorf("%w: %w", ErrFull, err)
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN:
		return fmt.Errorf("%w: %w", ErrReadOnly, err)
	case sqlite3.SQLITE_INTERRUPT:
		return fmt.Errorf("%w: %w", context.Canceled, err)
	}
	return err
}
