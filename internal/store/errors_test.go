package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"

	sqlite3 "modernc.org/sqlite/lib"
)

func TestClassifyCode(t *testing.T) {
	tests := []struct {
		name string
		code int
		want error // nil for the disk's own errors
	}{
		{name: "corrupt", code: sqlite3.SQLITE_CORRUPT, want: ErrDamaged},
		{name: "corrupt index", code: sqlite3.SQLITE_CORRUPT_INDEX, want: ErrDamaged},
		{name: "not a database", code: sqlite3.SQLITE_NOTADB, want: ErrDamaged},
		{name: "short read", code: sqlite3.SQLITE_IOERR_SHORT_READ, want: ErrDamaged},
		{name: "damaged file system", code: sqlite3.SQLITE_IOERR_CORRUPTFS, want: ErrDamaged},
		{name: "full", code: sqlite3.SQLITE_FULL, want: ErrFull},
		{name: "read-only", code: sqlite3.SQLITE_READONLY, want: ErrReadOnly},
		{name: "moved", code: sqlite3.SQLITE_READONLY_DBMOVED, want: ErrReadOnly},
		{name: "cannot be opened", code: sqlite3.SQLITE_CANTOPEN, want: ErrReadOnly},
		{name: "interrupted", code: sqlite3.SQLITE_INTERRUPT, want: context.Canceled},
		{name: "disk", code: sqlite3.SQLITE_IOERR},
		{name: "read", code: sqlite3.SQLITE_IOERR_READ},
		{name: "write", code: sqlite3.SQLITE_IOERR_WRITE},
		{name: "sync", code: sqlite3.SQLITE_IOERR_FSYNC},
		{name: "size", code: sqlite3.SQLITE_IOERR_FSTAT},
		{name: "shared memory", code: sqlite3.SQLITE_IOERR_SHMSIZE},
	}
	sentinels := []error{ErrDamaged, ErrFull, ErrReadOnly, ErrNotFound, context.Canceled}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			engine := errors.New("the engine's own words")
			got := classifyCode(tt.code, engine)
			if !errors.Is(got, engine) || !strings.Contains(got.Error(), engine.Error()) {
				t.Errorf("%v does not keep %v", got, engine)
			}
			for _, s := range sentinels {
				if errors.Is(got, s) != (s == tt.want) {
					t.Errorf("%v: is %v = %v", got, s, !(s == tt.want))
				}
			}
			var disk *DiskError
			if errors.As(got, &disk) != (tt.want == nil) {
				t.Errorf("%v: a disk error = %v", got, disk != nil)
			}
			if tt.want == nil && !strings.HasPrefix(got.Error(), "the disk reports an error: ") {
				t.Errorf("message = %q", got)
			}
		})
	}
	constraint := errors.New("constraint")
	if got := classifyCode(sqlite3.SQLITE_CONSTRAINT, constraint); got != constraint {
		t.Errorf("an error of another kind became %v", got)
	}
}

func TestClassify(t *testing.T) {
	other := errors.New("other")
	tests := []struct {
		name string
		err  error
		want error
	}{
		{name: "none"},
		{name: "canceled", err: context.Canceled, want: context.Canceled},
		{name: "no rows", err: fmt.Errorf("get: %w", sql.ErrNoRows), want: ErrNotFound},
		{name: "no space", err: &fs.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}, want: ErrFull},
		{name: "permission", err: &fs.PathError{Op: "open", Path: "x", Err: syscall.EACCES}, want: ErrReadOnly},
		{name: "read-only", err: &fs.PathError{Op: "open", Path: "x", Err: syscall.EROFS}, want: ErrReadOnly},
		{name: "other", err: other, want: other},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := classify(tt.err); !errors.Is(got, tt.want) {
				t.Errorf("classify(%v) = %v, want %v", tt.err, got, tt.want)
			}
		})
	}
}
