package embed

import (
	"fmt"
	"sync"
	"time"
)

// BreakerState says whether an Embedder calls its model.
type BreakerState string

const (
	BreakerClosed   BreakerState = "closed"    // calls pass
	BreakerOpen     BreakerState = "open"      // calls fail at once
	BreakerHalfOpen BreakerState = "half-open" // the next call is a probe
)

const (
	breakerFailures = 3 // in a row
	breakerPause    = 60 * time.Second
)

// BreakerError means that the model failed too often and is left alone.
type BreakerError struct {
	Until time.Time // when the next probe may pass
	Last  error     // what the model said last
}

func (e *BreakerError) Error() string {
	return fmt.Sprintf("embedding model is resting until %s after %d failures: %v", e.Until.Format(time.TimeOnly), breakerFailures, e.Last)
}

func (e *BreakerError) Unwrap() error { return e.Last }

type breaker struct {
	now func() time.Time

	mu       sync.Mutex
	failures int // in a row
	last     error
	openedAt time.Time
	probing  bool
}

// allow returns whether a call may pass, and whether it is the probe. Every
// allowed call is followed by one done.
func (b *breaker) allow() (probe bool, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch b.stateLocked() {
	case BreakerOpen:
		return false, &BreakerError{Until: b.openedAt.Add(breakerPause), Last: b.last}
	case BreakerHalfOpen:
		if b.probing {
			return false, &BreakerError{Until: b.openedAt.Add(breakerPause), Last: b.last}
		}
		b.probing = true
		return true, nil
	}
	return false, nil
}

type outcome int

const (
	succeeded outcome = iota
	failed
	undecided // the caller gave up, or the texts were at fault
)

func (b *breaker) done(probe bool, o outcome, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if probe {
		b.probing = false
	}
	switch o {
	case succeeded:
		if probe || b.failures < breakerFailures {
			b.failures, b.last = 0, nil
		} // a straggler from before the breaker opened closes nothing
	case failed:
		if b.last = err; b.failures < breakerFailures {
			b.failures++
			b.openedAt = b.now()
		} else if probe {
			b.openedAt = b.now()
		}
	}
}

func (b *breaker) state() BreakerState {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.stateLocked()
}

func (b *breaker) stateLocked() BreakerState {
	switch {
	case b.failures < breakerFailures:
		return BreakerClosed
	case b.now().Sub(b.openedAt) < breakerPause:
		return BreakerOpen
	}
	return BreakerHalfOpen
}
