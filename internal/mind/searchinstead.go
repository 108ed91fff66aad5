package mind

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// noIndexError says why the index of messages cannot answer.
type noIndexError struct{ why error }

func (e *noIndexError) Error() string { return e.why.Error() }
func (e *noIndexError) Unwrap() error { return e.why }

// run looks in the index, or in the messages themselves while that is out of
// order: what was said is not lost because an index is.
func (s *searching) run(ctx context.Context) error {
	if damage := s.messages.Damage(); damage != nil {
		return s.readInstead(ctx, damage)
	}
	var err error
	if s.query.exact() {
		err = s.verified(ctx)
	} else {
		err = s.ranked(ctx)
	}
	if none := (*noIndexError)(nil); errors.As(err, &none) {
		return s.readInstead(ctx, none.why)
	}
	if text := s.messages.Lagging(); text != "" {
		s.note(text)
	}
	return err
}

func (s *searching) note(text string) {
	s.out.Degraded = append(s.out.Degraded, s.messages.Name()+": "+text)
}

// readFor is how long messages are read one by one for one search.
const readFor = 10 * time.Second

// readInstead looks through the records, the last stored first, for what the
// index would have found.
func (s *searching) readInstead(ctx context.Context, why error) error {
	s.messages.Damage() // sees to it that it is made anew
	s.note(fmt.Sprintf("%v; they are read one by one instead, the last stored first", why))
	hurried, cancel := context.WithTimeout(ctx, readFor)
	defer cancel()
	err := s.look(hurried)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		s.out.More, s.out.Stopped = true, fmt.Sprintf("stopped after %s; a session or a time narrows it", readFor)
		return nil
	}
	return err
}
