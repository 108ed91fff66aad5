package route

// Event is something that happened.
type Event interface{ Title() string }

// Served is a path that was answered.
type Served string

// Title names it.
func (s Served) Title() string { return label("served", string(s)) }

// Failed is one that was not.
type Failed struct{ Err error }

// Title names it.
func (f Failed) Title() string { return label("failed", f.Err.Error()) }

func label(kind, text string) string { return kind + " " + text }
