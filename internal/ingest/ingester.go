package ingest

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"chitta/internal/capture"
	"chitta/internal/memory"
	"chitta/internal/session"
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
	// Stored is called with the messages of a transaction when it is through; nil
	// if nobody wants them.
	Stored func(ctx context.Context, source string, messages []Stored)
	// After is called when something was stored, after all of its transactions.
	After func(context.Context) error
	Now   func() time.Time
	Log   *slog.Logger
}

// Stored is a message that was stored, by the hash of its record.
type Stored struct {
	Hash    [32]byte
	Size    int // of the record
	Message *session.Message
}

// Ingester takes conversations over. It is safe for concurrent use.
type Ingester struct {
	store     *store.Store
	redactor  *capture.Redactor
	identify  func(ctx context.Context, dir string) (memory.Identity, error)
	recognise func(known []memory.Realm, id memory.Identity) (r memory.Realm, isNew bool)
	here      func(context.Context) (memory.Realm, error)
	stored    func(ctx context.Context, source string, messages []Stored)
	after     func(context.Context) error
	now       func() time.Time
	log       *slog.Logger

	reading  fileLocks    // transcripts
	deriving atomic.Int64 // conversations whose chunks are still to be made again
	watching watchState
}

// New makes an ingester.
func New(o Options) *Ingester {
	if o.Stored == nil {
		o.Stored = func(context.Context, string, []Stored) {}
	}
	return &Ingester{
		store: o.Store, redactor: o.Redactor, identify: o.Identify, recognise: o.Recognise,
		here: o.Here, stored: o.Stored, after: o.After, now: o.Now, log: o.Log,
		reading: fileLocks{held: map[string]chan struct{}{}},
	}
}
