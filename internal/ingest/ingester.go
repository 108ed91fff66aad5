package ingest

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"chitta/internal/capture"
	"chitta/internal/memory"
	"chitta/internal/store"
)

// Options are what an ingester works with.
type Options struct {
	Store    *store.Store
	Redactor *capture.Redactor
	// Identify finds out which project a directory belongs to.
	Identify func(ctx context.Context, dir string) (memory.Identity, error)
	// Recognise returns the realm of a project among those known, and whether
	// the store has yet to learn of it.
	Recognise func(known []memory.Realm, id memory.Identity) (r memory.Realm, isNew bool)
	// Here is where conversations go that the watch finds and that do not say
	// where they took place.
	Here func(context.Context) (memory.Realm, error)
	// After is called when something was stored.
	After func(context.Context) error
	Now   func() time.Time
	Log   *slog.Logger
}

// Ingester takes conversations over. It is safe for concurrent use.
type Ingester struct {
	store     *store.Store
	redactor  *capture.Redactor
	identify  func(ctx context.Context, dir string) (memory.Identity, error)
	recognise func(known []memory.Realm, id memory.Identity) (r memory.Realm, isNew bool)
	here      func(context.Context) (memory.Realm, error)
	after     func(context.Context) error
	now       func() time.Time
	log       *slog.Logger

	reading  fileLocks    // transcripts
	deriving atomic.Int64 // conversations whose chunks are still to be made again
	watching watchState
}

// New makes an ingester.
func New(o Options) *Ingester {
	return &Ingester{
		store: o.Store, redactor: o.Redactor, identify: o.Identify, recognise: o.Recognise,
		here: o.Here, after: o.After, now: o.Now, log: o.Log,
		reading: fileLocks{held: map[string]chan struct{}{}},
	}
}
