// Package daemon is the process that owns a data directory: it takes the
// lock, opens the mind, listens on the socket, schedules background work, and
// ends all of it in order.
//
// It is the only place that starts goroutines for life. It implements no
// operation; requests go to the registry.
//
// Start with [Run]. [Restore] works on a data directory nobody serves.
package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"
	"gopkg.in/natefinch/lumberjack.v2"

	"chitta/internal/config"
	"chitta/internal/mind"
	"chitta/internal/moment"
	"chitta/internal/rpc"
	"chitta/internal/store"
	"chitta/internal/tool"
)

// Run serves a data directory until ctx ends or a client asks the daemon to
// leave. The first signal, by way of ctx, lets requests finish; a second one
// cuts them short. A daemon that cannot start tells the client that launched
// it, if one did; a daemon whose files are removed under it leaves with an
// error.
func Run(ctx context.Context, cfg config.Config) error {
	listening := false
	err := run(ctx, cfg, func() { listening = true })
	if err != nil && !listening && os.Getenv(rpc.LaunchedEnv) != "" {
		// Where this cannot be written, neither can anything else be.
		_ = rpc.WriteStartFailure(os.Stderr, startFailure(err))
	}
	return err
}

// startFailure is why the daemon cannot start, in the form that crosses
// processes.
func startFailure(err error) *rpc.Error {
	if e, ok := errors.AsType[*rpc.Error](err); ok {
		return e
	}
	if home, ok := errors.AsType[*config.HomeError](err); ok {
		return rpc.Errorf(rpc.CodeStorage, "%v", err).WithHint(home.Hint)
	}
	return rpc.Errorf(rpc.CodeUnavailable, "the daemon cannot start: %v", err).
		WithHint("the daemon's log says more: chitta daemon logs")
}

// run is the life of the daemon; listening is called once it has its socket.
func run(ctx context.Context, cfg config.Config, listening func()) (err error) {
	paths := cfg.Paths()
	if err := paths.EnsureHome(); err != nil {
		return err
	}
	limitMemory()
	spareOnce()
	info := rpc.LockInfo{PID: os.Getpid(), Version: config.Version, Started: time.Now().UTC(), State: rpc.LockStarting}
	lock, err := rpc.AcquireLock(paths.Lock(), info)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Release()) }()

	log, closeLog, err := openLog(cfg)
	if err != nil {
		return err
	}
	defer closeLog()
	log.Info("starting", "version", config.Version, "pid", os.Getpid(), "home", cfg.Home)

	m, err := mind.Open(ctx, mind.Options{Config: cfg, Log: log})
	if err != nil {
		log.Error("cannot start", "error", err)
		return tool.WireError(err)
	}
	defer func() {
		if closeErr := m.Close(); closeErr != nil {
			log.Error("closing", "error", closeErr)
			err = errors.Join(err, closeErr)
		}
		log.Info("stopped")
	}()
	say := func(state string) {
		info.State = state
		if err := lock.Update(info); err != nil { // clients then wait longer than they have to
			log.Warn("the lock file cannot be written", "error", err)
		}
	}
	return serve(ctx, cfg, m, lock, log, func() { say(rpc.LockServing); listening() }, func() { say(rpc.LockLeaving) })
}

// serve listens and works until the daemon is to leave, then lets go in
// order: no new requests, the running ones finish, background work stops.
// listening and leaving are called when the socket is there and before it goes.
func serve(ctx context.Context, cfg config.Config, m *mind.Mind, lock *rpc.Lock, log *slog.Logger, listening, leaving func()) error {
	leave, asked := context.WithCancel(ctx)
	defer asked()
	keeper := moment.New(moment.Options{Mind: m, Log: log})
	registry := tool.NewRegistry(m, keeper)
	guard, err := newGuard(cfg, lock, registry, log)
	if err != nil {
		return err
	}
	posts := openPosts(cfg, guard, log)
	defer posts.close()
	server := rpc.NewServer(rpc.ServerOptions{
		Handler: guard, Version: config.Version, Logger: log,
		RequestTimeout: cfg.Daemon.RequestTimeout, SlowRequest: cfg.Daemon.SlowRequest,
		MaxBodyBytes: cfg.Daemon.MaxBodyBytes, MinWorkers: cfg.Daemon.MinWorkers,
		MaxWorkers: cfg.Daemon.MaxWorkers, QueueLimit: cfg.Daemon.QueueLimit,
		Known: registry.Known, HealthFields: posts.health(healthFields(cfg)), Samples: func() []rpc.Sample { return samples(m) },
		OnShutdown: func(string) { asked() }, // the server has logged it
	})
	listener, err := rpc.Listen(cfg.Paths().Socket())
	if err != nil {
		return fmt.Errorf("listen on %s: %w", cfg.Paths().Socket(), err)
	}
	log.Info("listening", "socket", cfg.Paths().Socket())
	listening()

	work, stopWork := context.WithCancel(context.WithoutCancel(ctx))
	defer stopWork()
	var group errgroup.Group
	group.Go(func() error {
		defer asked() // a server that cannot go on takes the daemon with it
		return server.Serve(listener)
	})
	group.Go(func() error { posts.serve(); return nil })
	group.Go(func() error { background(work, m, log); return nil })
	group.Go(func() error { m.Watch(work); return nil })
	group.Go(func() error { m.WatchCode(work); return nil })
	group.Go(func() error { keeper.Run(work); return nil })
	group.Go(func() error { giveBackMemory(work, log); return nil })
	group.Go(func() error {
		defer asked()
		return guard.watch(leave, server)
	})
	group.Go(func() error {
		<-leave.Done()
		defer stopWork()
		leaving()
		posts.close()
		return drain(guard.drainTimeout(cfg.Daemon.DrainTimeout), server, log)
	})
	return group.Wait()
}

// drain lets accepted requests finish, until a second signal or the time
// limit cuts them.
func drain(most time.Duration, server *rpc.Server, log *slog.Logger) error {
	limit, cancel := context.WithTimeout(context.Background(), most)
	defer cancel()
	again := make(chan os.Signal, 1)
	signal.Notify(again, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(again)
	drained := make(chan struct{})
	var watch sync.WaitGroup
	watch.Go(func() {
		select {
		case <-again:
			log.Warn("second signal: cutting requests")
			cancel()
		case <-drained:
		}
	})
	err := server.Shutdown(limit)
	close(drained)
	watch.Wait()
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		log.Warn("requests were cut", "error", err)
		return server.Close()
	}
	return err
}

const (
	// settle lets a burst of changes pass before background work looks at it.
	settle = 2 * time.Second
	// retryAfter is when background work that failed is tried again.
	retryAfter = time.Minute
	// rounds is how often background work runs when nothing asks for it.
	rounds = time.Hour
)

// background does what is due, soon after something asked for it and once in
// a while otherwise. An idle daemon sleeps.
func background(ctx context.Context, m *mind.Mind, log *slog.Logger) {
	timer := time.NewTimer(0) // once at start: an index may have to catch up
	defer timer.Stop()
	soon := true // the timer is set to go off soon; more requests change nothing
	for {
		select {
		case <-ctx.Done():
			return
		case <-m.Due():
			switch {
			case m.Behind():
				timer.Reset(0)
			case !soon:
				timer.Reset(settle)
			}
			soon = true
			continue
		case <-timer.C:
		}
		err := m.Maintain(ctx)
		rest := m.NextRound(rounds)
		if err != nil && ctx.Err() == nil {
			log.Error("background work", "error", err)
			rest = retryAfter
		}
		timer.Reset(rest)
		soon = false
	}
}

// healthFields tells which binary is running, so that a rebuilt one can be
// noticed.
func healthFields(cfg config.Config) func() map[string]any {
	exe, modified := Executable()
	return func() map[string]any {
		return map[string]any{"home": cfg.Home, "exe": exe, "exe_modified": modified}
	}
}

// Executable returns the path of this binary and when it was written.
func Executable() (path string, modified time.Time) {
	exe, err := os.Executable()
	if err != nil {
		return "", time.Time{}
	}
	if real, err := filepath.EvalSymlinks(exe); err == nil {
		exe = real
	}
	if fi, err := os.Stat(exe); err == nil {
		modified = fi.ModTime().UTC()
	}
	return exe, modified
}

// samplesTimeout keeps a scrape from waiting on a busy store.
const samplesTimeout = 2 * time.Second

func samples(m *mind.Mind) []rpc.Sample {
	ctx, cancel := context.WithTimeout(context.Background(), samplesTimeout)
	defer cancel()
	st, err := m.Status(ctx, mind.Caller{}, mind.NoInput{})
	if err != nil {
		return nil
	}
	gauge := func(name, help string, v float64) rpc.Sample {
		return rpc.Sample{Name: name, Help: help, Type: "gauge", Value: v}
	}
	return []rpc.Sample{
		gauge("chitta_memories", "Active memories.", float64(st.Memories.Active)),
		gauge("chitta_realms", "Realms known.", float64(st.Realms)),
		gauge("chitta_index_documents", "Documents in the keyword index.", float64(st.Index.Docs)),
		gauge("chitta_index_behind", "Changes the keyword index still lacks.", float64(st.Index.Todo)),
		gauge("chitta_database_bytes", "Size of the database.", float64(st.Disk.Database)),
		gauge("chitta_index_bytes", "Size of the keyword index.", float64(st.Disk.Index)),
	}
}

// openLog opens the rotated log file of the daemon.
func openLog(cfg config.Config) (*slog.Logger, func() error, error) {
	path := cfg.Paths().LogFile()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, nil, err
	}
	var level slog.Level
	if err := level.UnmarshalText([]byte(cfg.Log.Level)); err != nil {
		return nil, nil, err
	}
	file := &lumberjack.Logger{Filename: path, MaxSize: cfg.Log.MaxSizeMB, MaxBackups: cfg.Log.Files}
	return slog.New(slog.NewTextHandler(file, &slog.HandlerOptions{Level: level})), file.Close, nil
}

// Restore puts a backup in the place of a data directory's database. Nobody
// may be serving the directory. It returns where the database that was there
// is kept.
func Restore(ctx context.Context, cfg config.Config, file string) (kept string, err error) {
	paths := cfg.Paths()
	if err := paths.EnsureHome(); err != nil {
		return "", err
	}
	lock, err := rpc.AcquireLock(paths.Lock(), rpc.LockInfo{PID: os.Getpid(), Version: config.Version, Started: time.Now().UTC()})
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, lock.Release()) }()
	kept, err = store.Restore(ctx, file, store.Options{Path: paths.DB(), BackupDir: paths.Backups()})
	if err != nil {
		return kept, tool.WireError(err)
	}
	// What was derived from the old database goes; the daemon makes it anew.
	return kept, os.RemoveAll(paths.Index())
}
