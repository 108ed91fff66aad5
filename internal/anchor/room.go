// Package anchor ties memories to the code they name. A memory is anchored to a
// symbol, or to a file as a whole, with the hash of what stands there. When that
// changes, what the memory says may have become wrong, and it is told with that.
//
// [Room.Take] finds what a memory names and takes its hashes, [Room.Check] holds
// memories against the code as it is, [Room.Retake] takes it anew where somebody
// looked, and [Room.Maintain] anchors in the background what could not be
// anchored when it was stored.
//
// It knows realms and directories of work, and nothing of who asks: what may be
// seen by whom is decided above.
package anchor

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"chitta/internal/codebase"
	"chitta/internal/store"
)

// Options is what a room is given. All of it is required.
type Options struct {
	Store *store.Store
	// Code returns the index of source code, opened if need be, or nil if nothing
	// was ever indexed; then anchors are to whole files.
	Code func(ctx context.Context) (*codebase.Base, error)
	// Opened is the same index if it is open already, for the background.
	Opened func() *codebase.Base
	// Beside runs something that ends with the index, and reports whether there is
	// one.
	Beside func(fn func(context.Context)) bool
	Secret func(name string) bool // whether a name holds one: then it is no name
	Wake   func()                 // tells the background that there is something to do
	Now    func() time.Time
	Log    *slog.Logger
}

// Room anchors memories and holds them against code. It is safe for concurrent
// use. What it keeps in memory is only what was read of files before.
type Room struct {
	opts Options

	mu      sync.Mutex
	texts   map[string]textSeen      // by full path
	roots   map[string][]string      // tops of realms
	changed uint64                   // as of when roots are
	reading map[string]chan struct{} // by root: closed when it was brought up to date
	looked  map[string]time.Time     // by root: when all of it was last looked at for what is gone
	outside map[string]time.Time     // by full path: as of when the index does not want a file
	marks   map[key]marked
}

// New returns a room.
func New(o Options) *Room {
	return &Room{
		opts: o, texts: map[string]textSeen{}, roots: map[string][]string{}, reading: map[string]chan struct{}{},
		looked: map[string]time.Time{}, outside: map[string]time.Time{}, marks: map[key]marked{},
	}
}
