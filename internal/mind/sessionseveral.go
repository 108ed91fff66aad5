package mind

import (
	"fmt"
	"strings"
)

// Fit is a message that a shortened or shared id may mean.
type Fit struct{ ID, Session string }

// SeveralError is returned when an id fits several messages: they begin alike,
// or are the same in sessions that were forked.
type SeveralError struct {
	Field string
	ID    string
	Fits  []Fit // the first of them
}

func (e *SeveralError) Error() string {
	return fmt.Sprintf("%s %q fits several messages", e.Field, e.ID)
}

// Hint says what to do.
func (e *SeveralError) Hint() string {
	fits := make([]string, len(e.Fits))
	for i, f := range e.Fits {
		fits[i] = f.ID + " in session " + f.Session
	}
	return "give more of it, or the session; these fit: " + strings.Join(fits, ", ")
}
