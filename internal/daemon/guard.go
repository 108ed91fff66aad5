package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"chitta/internal/config"
	"chitta/internal/rpc"
)

const (
	// guardEvery is how often the files are looked at: three looks of some
	// microseconds. Clients wait somewhat longer for a socket that was lost.
	guardEvery = time.Second
	// lostDrain is how long requests may take to finish once the directory is
	// not this daemon's any more: another one may be serving it by then.
	lostDrain = 2 * time.Second
)

// guard looks after the files without which a daemon is not what others take
// it for. Without its lock another daemon can come up beside it, and without
// its database whatever it stores is lost: then it has to leave. Without its
// socket nobody finds it: then it listens again.
//
// It also stands before the handler, so that nothing is acknowledged that went
// into a database which is not there any more.
type guard struct {
	paths  config.Paths
	lock   *rpc.Lock
	opened fs.FileInfo // the database the mind has opened
	next   rpc.Handler
	log    *slog.Logger

	lost atomic.Pointer[rpc.Error]
	once sync.Once
	gone chan struct{} // closed when lost is set
}

// newGuard notes which database is open; the mind must just have opened it.
func newGuard(cfg config.Config, lock *rpc.Lock, next rpc.Handler, log *slog.Logger) (*guard, error) {
	paths := cfg.Paths()
	opened, err := os.Stat(paths.DB())
	if err != nil {
		return nil, fmt.Errorf("look at the database: %w", err)
	}
	return &guard{paths: paths, lock: lock, opened: opened, next: next, log: log, gone: make(chan struct{})}, nil
}

// Call carries out a request, unless the files it would work on are not those
// of the data directory any more. That is looked at afterwards: what was done
// before they went is in them.
func (g *guard) Call(ctx context.Context, method string, params json.RawMessage) (any, error) {
	if e := g.lost.Load(); e != nil {
		return nil, e
	}
	out, err := g.next.Call(ctx, method, params)
	if e := g.check(); e != nil {
		return nil, e
	}
	return out, err
}

// watch looks at the files until ctx ends. Its error says what was lost that a
// daemon cannot be without.
func (g *guard) watch(ctx context.Context, server *rpc.Server) error {
	tick := time.NewTicker(guardEvery)
	defer tick.Stop()
	said := "" // the last failure to listen, which is not repeated every second
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-g.gone:
		case <-tick.C:
		}
		if e := g.check(); e != nil {
			g.log.Error("leaving: "+e.Message, "hint", e.Hint())
			return e
		}
		said = g.listenAgain(server, said)
	}
}

// listenAgain opens the socket anew if it was lost, and returns what to
// remember of a failure.
func (g *guard) listenAgain(server *rpc.Server, said string) string {
	if !server.SocketLost() {
		return ""
	}
	// The directory of the socket may be gone as well: not every socket lives
	// in the data directory, and temporary directories are cleaned.
	err := g.paths.EnsureHome()
	if err == nil {
		err = server.Relisten()
	}
	if err == nil {
		g.log.Warn("the socket was removed; listening again", "socket", g.paths.Socket())
		return ""
	}
	if err.Error() != said {
		g.log.Error("the socket was removed and cannot be made again", "socket", g.paths.Socket(), "error", err)
	}
	return err.Error()
}

// check tells what was lost, now or before.
func (g *guard) check() *rpc.Error {
	if e := g.lost.Load(); e != nil {
		return e
	}
	var e *rpc.Error
	switch {
	case g.lock.Lost():
		e = rpc.Errorf(rpc.CodeUnavailable, "the lock file %s was removed or replaced under the daemon", g.paths.Lock()).
			WithHint("look whether it was done, then try again: the next command starts another daemon")
	case databaseLost(g.paths.DB(), g.opened):
		e = rpc.Errorf(rpc.CodeStorage, "the database %s was removed or replaced under the daemon", g.paths.DB()).
			WithHint("put the file back or restore a backup, then try again: chitta restore FILE")
	default:
		return nil
	}
	g.once.Do(func() {
		g.lost.Store(e)
		close(g.gone)
	})
	return g.lost.Load()
}

// databaseLost tells whether the path does not lead to the opened file any
// more. Not being able to look says nothing.
func databaseLost(path string, opened fs.FileInfo) bool {
	there, err := os.Stat(path)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
	}
	return !os.SameFile(there, opened)
}

// drainTimeout is how long a drain may take, given how long it usually may.
func (g *guard) drainTimeout(usual time.Duration) time.Duration {
	if g.lost.Load() != nil {
		return min(usual, lostDrain)
	}
	return usual
}
