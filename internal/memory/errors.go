package memory

import "fmt"

// InputError says that an input cannot be used: which field, what is wrong
// with it, what to do. Nothing was changed.
type InputError struct {
	Field   string
	Problem string
	Hint    string
	Err     error // what lies behind it, or nil
}

// Unwrap returns what lies behind it.
func (e *InputError) Unwrap() error { return e.Err }

func (e *InputError) Error() string { return fmt.Sprintf("%s %s", e.Field, e.Problem) }

// RefusedError says that a well-formed request goes against a rule. Nothing
// was changed.
type RefusedError struct {
	Reason string
	Hint   string
}

func (e *RefusedError) Error() string { return e.Reason }

// NotFoundError says that what was asked for does not exist.
type NotFoundError struct {
	What    string // session, message
	ID      string
	Session string // the one it is not in, if only that was looked at
	Hint    string
}

func (e *NotFoundError) Error() string {
	if e.Session != "" {
		return fmt.Sprintf("session %s has no %s %q", e.Session, e.What, e.ID)
	}
	return fmt.Sprintf("%s %q: not found", e.What, e.ID)
}
