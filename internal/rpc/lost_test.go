//go:build !windows

package rpc

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A server whose socket file is removed listens again; who was being served
// meanwhile is answered.
func TestRelisten(t *testing.T) {
	h := newHome(t)
	started, release := make(chan struct{}), make(chan struct{})
	s := serve(t, h.socket(), ServerOptions{Handler: HandlerFunc(func(_ context.Context, method string, _ json.RawMessage) (any, error) {
		if method == "slow" {
			close(started)
			<-release
		}
		return method, nil
	})})
	c := h.client(t, "1.0.0", nil)
	slow := make(chan error, 1)
	go func() { slow <- c.Call(context.Background(), "slow", nil, nil) }()
	<-started

	before, err := os.Lstat(h.socket())
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Relisten(); err != nil || s.SocketLost() {
		t.Errorf("nothing was lost: %v", err)
	}
	if after, err := os.Lstat(h.socket()); err != nil || !os.SameFile(before, after) {
		t.Errorf("the socket was replaced without need: %v", err)
	}
	for name, lose := range map[string]func() error{
		"removed": func() error { return os.Remove(h.socket()) },
		"replaced by another socket": func() error {
			ln, err := Listen(h.socket())
			if err != nil {
				return err
			}
			return ln.Close()
		},
	} {
		if err := lose(); err != nil {
			t.Fatal(err)
		}
		if !s.SocketLost() {
			t.Errorf("%s: not noticed", name)
		}
		if err := s.Relisten(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := c.Call(t.Context(), "fast", nil, nil); err != nil {
			t.Errorf("%s: after listening again: %v", name, err)
		}
	}
	info, err := os.Lstat(h.socket())
	if err != nil || info.Mode() != fs.ModeSocket|0o600 {
		t.Errorf("the new socket: %v, %v", info, err)
	}
	close(release)
	if err := <-slow; err != nil {
		t.Errorf("the request from before was lost: %v", err)
	}
	if err := s.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
	// One that leaves has no socket and wants none.
	if err := s.Relisten(); err != nil || s.SocketLost() {
		t.Errorf("after the end: %v", err)
	}
	if _, err := os.Lstat(h.socket()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the socket file stays: %v", err)
	}
}

func TestRelistenKeepsOtherFiles(t *testing.T) {
	h := newHome(t)
	s := serve(t, h.socket(), ServerOptions{Handler: testHandler()})
	c := h.client(t, "1.0.0", nil)
	if err := c.Call(t.Context(), "nothing", nil, nil); err != nil { // it serves by now
		t.Fatal(err)
	}
	if err := os.Remove(h.socket()); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(h.socket(), []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Relisten(); err == nil {
		t.Error("a file was replaced")
	}
	if err := os.Remove(h.socket()); err != nil {
		t.Fatal(err)
	}
	if err := s.Relisten(); err != nil {
		t.Error(err)
	}
	if err := c.Call(t.Context(), "nothing", nil, nil); err != nil {
		t.Error(err)
	}
}

// Clients hammer away while the socket is removed again and again: nothing is
// lost, nothing is done twice.
func TestRelistenLosesNothing(t *testing.T) {
	const clients, times = 8, 20
	h := newHome(t)
	l := &ledger{seen: make(map[string]int)}
	s := serve(t, h.socket(), ServerOptions{Handler: l.handler(0), QueueLimit: 1000})
	var wg sync.WaitGroup
	var stop atomic.Bool
	var sent atomic.Int64
	for i := range clients {
		c := h.client(t, "1.0.0", nil)
		wg.Go(func() {
			for n := 0; !stop.Load(); n++ {
				key := map[string]string{"key": fmt.Sprintf("%d/%d", i, n)}
				for {
					err := c.Call(context.Background(), "x", key, nil)
					if err == nil {
						break
					}
					if !errors.Is(err, ErrNotRunning) {
						t.Errorf("%v: %v", key, err)
						return
					}
					time.Sleep(time.Millisecond)
				}
				sent.Add(1)
			}
		})
	}
	for range times {
		time.Sleep(10 * time.Millisecond)
		if err := os.Remove(h.socket()); err != nil {
			t.Error(err)
		}
		time.Sleep(time.Millisecond)
		if err := s.Relisten(); err != nil {
			t.Error(err)
		}
	}
	stop.Store(true)
	wg.Wait()
	if int64(len(l.seen)) != sent.Load() || len(l.seen) == 0 {
		t.Errorf("%d requests were answered, %d carried out", sent.Load(), len(l.seen))
	}
	for key, n := range l.seen {
		if n != 1 {
			t.Errorf("%s was carried out %d times", key, n)
		}
	}
}

// hiddenHolder is a process that holds the daemon lock and has no socket.
func hiddenHolder(t *testing.T, h home, state string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, h.in("daemon.lock"), state)
	cmd.Env = append(os.Environ(), roleEnv+"=holder", "GORACE=atexit_sleep_ms=0")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // fails when it has ended, as it may
		_ = cmd.Wait()
	})
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "held\n" {
		t.Fatalf("holder says %q, %v", line, err)
	}
	return cmd
}

func TestStopOfUnreachableDaemon(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	cmd := hiddenHolder(t, h, LockServing)
	c := h.client(t, "1.0.0", nil)
	began := time.Now()
	if err := c.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(began); took > 2*relistenTimeout {
		t.Errorf("it took %v", took)
	}
	if err := cmd.Wait(); err == nil || c.holder().PID != 0 {
		t.Errorf("the process ended with %v, the lock is held by %+v", err, c.holder())
	}
}

// A daemon that leaves is not told twice, and a holder that is no daemon is
// left alone.
func TestStopSignalsOnlyWhoServes(t *testing.T) {
	t.Parallel()
	for _, state := range []string{LockLeaving, ""} {
		h := newHome(t)
		cmd := hiddenHolder(t, h, state)
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		err := h.client(t, "1.0.0", nil).Stop(ctx)
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%q: %v", state, err)
		}
		if !pidAlive(cmd.Process.Pid) || cmd.ProcessState != nil {
			t.Errorf("%q: the process was ended", state)
		}
	}
}

// A daemon that has lost its socket is waited for as long as it takes to listen
// again, not as long as a drain takes.
func TestUnreachableDaemonIsNotWaitedForLong(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	lock, err := AcquireLock(h.in("daemon.lock"), LockInfo{PID: os.Getpid(), Version: "1.0.0", State: LockServing})
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Release()
	var wg sync.WaitGroup
	for name, call := range map[string]func(*Client) error{
		"health": func(c *Client) error { _, err := c.Health(t.Context()); return err },
		"call":   func(c *Client) error { return c.Call(t.Context(), "record", nil, nil) },
		"stop":   func(c *Client) error { return c.Stop(t.Context()) }, // and does not signal its own process
	} {
		c := h.client(t, "1.0.0", h.launcher(t))
		wg.Go(func() {
			began := time.Now()
			err := call(c)
			var stuck *StuckError
			if !errors.As(err, &stuck) || stuck.Holder.PID != os.Getpid() || errors.Is(err, ErrNotRunning) {
				t.Errorf("%s: %v", name, err)
			}
			if took := time.Since(began); took < relistenTimeout || took > leaveTimeout/2 {
				t.Errorf("%s took %v", name, took)
			}
		})
	}
	wg.Wait()
	if _, err := os.Stat(h.in("spawned")); !errors.Is(err, fs.ErrNotExist) {
		t.Error("a second daemon was started")
	}
}

func TestHealthWaitsForTheSocket(t *testing.T) {
	h := newHome(t)
	lock, err := AcquireLock(h.in("daemon.lock"), LockInfo{PID: os.Getpid(), State: LockServing})
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Release()
	c := h.client(t, "1.0.0", nil)
	asked := make(chan error, 1)
	go func() {
		_, err := c.Health(context.Background())
		asked <- err
	}()
	time.Sleep(50 * time.Millisecond)
	serve(t, h.socket(), ServerOptions{Handler: testHandler()})
	if err := <-asked; err != nil {
		t.Errorf("health: %v", err)
	}
}

func TestLockLost(t *testing.T) {
	for name, lose := range map[string]func(h home) error{
		"file removed": func(h home) error { return os.Remove(h.in("d/daemon.lock")) },
		"file replaced": func(h home) error {
			return errors.Join(os.WriteFile(h.in("d/new"), nil, 0o600), os.Rename(h.in("d/new"), h.in("d/daemon.lock")))
		},
		"directory removed":         func(h home) error { return os.RemoveAll(h.in("d")) },
		"directory became a file":   func(h home) error { return errors.Join(os.RemoveAll(h.in("d")), os.WriteFile(h.in("d"), nil, 0o600)) },
		"directory made once again": func(h home) error { return errors.Join(os.RemoveAll(h.in("d")), os.Mkdir(h.in("d"), 0o700)) },
	} {
		t.Run(name, func(t *testing.T) {
			h := newHome(t)
			if err := os.Mkdir(h.in("d"), 0o700); err != nil {
				t.Fatal(err)
			}
			lock, err := AcquireLock(h.in("d/daemon.lock"), LockInfo{PID: 1})
			if err != nil {
				t.Fatal(err)
			}
			defer lock.Release()
			if lock.Lost() {
				t.Error("lost before anything happened")
			}
			if err := lose(h); err != nil {
				t.Fatal(err)
			}
			if !lock.Lost() {
				t.Error("not noticed")
			}
		})
	}
}

func TestLockUpdate(t *testing.T) {
	h := newHome(t)
	info := LockInfo{PID: os.Getpid(), Version: "1.0.0-a.long.one", State: LockStarting}
	lock, err := AcquireLock(h.in("daemon.lock"), info)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Release()
	info.Version, info.State = "1.0.0", LockServing // shorter: nothing of the old may stay
	if err := lock.Update(info); err != nil {
		t.Fatal(err)
	}
	got, held, err := LockHolder(h.in("daemon.lock"))
	if err != nil || !held || got != info {
		t.Errorf("%+v %v %v", got, held, err)
	}
}
