package config

import (
	"errors"
	"strings"
)

// FieldError is a setting that cannot be used.
type FieldError struct {
	// Field is the key with its area, such as "daemon.request_timeout".
	Field string
	// Value is what was given, as written; empty where the key itself is wrong.
	Value string
	// Problem completes the sentence "Field Value …".
	Problem string
	// Source is where the value came from: "config.toml line 3", "environment
	// CHITTA_LOG_LEVEL", "flag"; empty for a default or a hand-made Config.
	Source string
	// Hint says what to do.
	Hint string
}

func (e *FieldError) Error() string {
	var b strings.Builder
	if e.Source != "" {
		b.WriteString(e.Source + ": ")
	}
	b.WriteString(e.Field)
	if e.Value != "" {
		b.WriteString(" = " + e.Value)
	}
	b.WriteString(" " + e.Problem)
	if e.Hint != "" {
		b.WriteString(" (" + e.Hint + ")")
	}
	return b.String()
}

// FileError is a configuration file that cannot be read as a whole.
type FileError struct {
	Path string
	Line int // 0 when the trouble has no place in the file
	Err  error
	Hint string
}

func (e *FileError) Error() string {
	var b strings.Builder
	b.WriteString(e.Path)
	if e.Line > 0 {
		b.WriteString(lineSuffix(e.Line))
	}
	b.WriteString(": " + e.Err.Error())
	if e.Hint != "" {
		b.WriteString(" (" + e.Hint + ")")
	}
	return b.String()
}

func (e *FileError) Unwrap() error { return e.Err }

// What can be wrong with a data directory; a *[HomeError] wraps one of them.
var (
	// ErrHomeUnknown is returned when there is no flag, no CHITTA_HOME and no
	// home directory of the user to put .chitta into.
	ErrHomeUnknown = errors.New("no data directory is set and the user has no home directory")
	// ErrHomeRelative is returned for a relative path in CHITTA_HOME.
	ErrHomeRelative = errors.New("CHITTA_HOME is not an absolute path")
	// ErrHomeInClient is returned for a directory inside a .claude directory.
	ErrHomeInClient = errors.New("data directory is inside a .claude directory")
	// ErrHomeNotDirectory is returned when something else is in the place.
	ErrHomeNotDirectory = errors.New("data directory is not a directory")
	// ErrHomeDangling is returned for a symbolic link that leads nowhere.
	ErrHomeDangling = errors.New("data directory is a symbolic link to nothing")
	// ErrHomeOwner is returned for a directory of another user.
	ErrHomeOwner = errors.New("data directory belongs to another user")
	// ErrHomeReadOnly is returned when nothing can be written there.
	ErrHomeReadOnly = errors.New("data directory is read-only")
	// ErrHomeShared is returned when others have access and it could not be
	// taken away.
	ErrHomeShared = errors.New("data directory is accessible to others")
)

// HomeError is a data directory, or the runtime directory of its socket, that
// cannot be used.
type HomeError struct {
	Path string
	// Err is one of the ErrHome sentinels or the error of the system.
	Err  error
	Hint string
}

func (e *HomeError) Error() string {
	s := e.Path + ": " + e.Err.Error()
	if e.Path == "" {
		s = e.Err.Error()
	}
	if e.Hint != "" {
		s += " (" + e.Hint + ")"
	}
	return s
}

func (e *HomeError) Unwrap() error { return e.Err }
