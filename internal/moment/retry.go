package moment

import (
	"sync"
	"time"
)

const (
	// firstRetry is how long what failed once is left alone; each time it fails
	// again, twice as long, up to lastRetry.
	firstRetry = retryAfter
	lastRetry  = 6 * time.Hour
)

// retries knows what could not be learned from, so that one session that fails
// again and again neither holds up the others nor fills the log. It is safe for
// concurrent use.
type retries struct {
	mu sync.Mutex
	by map[string]retry // by session
}

type retry struct {
	times int
	until time.Time
	why   error
}

// wait says how long a session is left alone yet.
func (r *retries) wait(session string, now time.Time) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	return max(0, r.by[session].until.Sub(now))
}

// failed notes that and why a session could not be learned from, and reports
// whether that is the first time.
func (r *retries) failed(session string, now time.Time, why error) (first bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.by == nil {
		r.by = map[string]retry{}
	}
	x := r.by[session]
	pause := lastRetry
	if x.times < 20 { // doubled more often it would be longer than that anyway
		pause = min(lastRetry, firstRetry<<x.times)
	}
	x.times, x.until, x.why = x.times+1, now.Add(pause), why
	r.by[session] = x
	return x.times == 1
}

// worked forgets that a session failed.
func (r *retries) worked(session string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.by, session)
}

// waiting is how many sessions are left alone.
func (r *retries) waiting() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.by)
}

// first returns the first of them by name, with why it could not be learned from
// and when it is tried again.
func (r *retries) first() (session string, x retry) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for id, have := range r.by {
		if session == "" || id < session {
			session, x = id, have
		}
	}
	return session, x
}
