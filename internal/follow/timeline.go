package follow

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"chitta/internal/recall"
	"chitta/internal/session"
	"chitta/internal/store"
)

// Timeline keeps the order of chunks in step with the store.
type Timeline struct {
	*recall.Timeline
	store *store.Store
	mu    sync.Mutex
	rev   int64
	ready atomic.Bool // all that was there at the start is known
}

// NewTimeline makes an empty timeline.
func NewTimeline(s *store.Store) *Timeline {
	return &Timeline{Timeline: recall.NewTimeline(), store: s}
}

const (
	// placesAtOnce is how many places are read at once.
	placesAtOnce = 10_000
	// placesAtStart is how many a start waits for; more are left to the
	// background.
	placesAtStart = 20_000
)

var errPlaces = errors.New("conversations are being loaded")

// Open takes over what is there if that is quickly done.
func (t *Timeline) Open(ctx context.Context) error {
	last, err := t.store.LastChunkRev(ctx)
	if err != nil || last > placesAtStart {
		return err
	}
	return t.Follow(ctx)
}

// Rev returns up to which change of the chunks their order is known.
func (t *Timeline) Rev() int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.rev
}

// Ready returns nil when everything that was stored at the start is known.
func (t *Timeline) Ready() error {
	if t.ready.Load() {
		return nil
	}
	return errPlaces
}

// Follow takes over all changes since the last time.
func (t *Timeline) Follow(ctx context.Context) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	for {
		chunks, err := t.store.PlacesAfter(ctx, t.rev, placesAtOnce)
		if err != nil || len(chunks) == 0 {
			t.ready.Store(err == nil)
			return err
		}
		var put []recall.Place
		var gone []int64
		for _, c := range chunks {
			t.rev = c.Rev
			if c.Gone {
				gone = append(gone, c.Seq)
				continue
			}
			put = append(put, recall.Place{Seq: c.Seq, Session: c.Session, First: c.First, Part: c.Part, Role: c.Role, Speaker: c.Speaker, Agent: c.Agent, Time: c.Time, Asks: c.Asks, Work: c.Source != (session.Turns{}).Name(), Realm: c.Realm})
		}
		t.Apply(put, gone)
	}
}
