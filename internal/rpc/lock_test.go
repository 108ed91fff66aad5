package rpc

import (
	"bufio"
	"context"
	"errors"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestLock(t *testing.T) {
	path := newHome(t).in("daemon.lock")
	if _, held, err := LockHolder(path); held || err != nil {
		t.Errorf("before: %v, %v", held, err)
	}
	info := LockInfo{PID: 77, Version: "1.2.3", Started: time.Now().UTC().Truncate(time.Second)}
	l, err := AcquireLock(path, info)
	if err != nil {
		t.Fatal(err)
	}
	_, err = AcquireLock(path, LockInfo{PID: 78})
	var locked *LockedError
	if !errors.Is(err, ErrLocked) || !errors.As(err, &locked) {
		t.Fatalf("second: %v", err)
	}
	if diff := cmp.Diff(info, locked.Holder); diff != "" {
		t.Error(diff)
	}
	if want := path + " is locked by process 77 (version 1.2.3)"; err.Error() != want {
		t.Errorf("message %q, want %q", err, want)
	}
	if got, held, err := LockHolder(path); !held || err != nil || got.PID != 77 {
		t.Errorf("holder: %+v, %v, %v", got, held, err)
	}
	for range 2 { // twice is fine
		if err := l.Release(); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(path); err != nil {
		t.Errorf("the file must stay: %v", err)
	}
	again, err := AcquireLock(path, LockInfo{PID: 1})
	if err != nil {
		t.Fatal(err)
	}
	// A shorter text leaves nothing of a longer one behind.
	if got := readLockInfo(path); got != (LockInfo{PID: 1}) {
		t.Errorf("content: %+v", got)
	}
	if err := again.Release(); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("mode: %v, %v", info.Mode(), err)
	}
}

func TestLockOfDeadProcessIsFree(t *testing.T) {
	path := newHome(t).in("daemon.lock")
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, path)
	cmd.Env = append(os.Environ(), roleEnv+"=holder")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "held\n" {
		t.Fatalf("holder says %q, %v", line, err)
	}
	_, err = AcquireLock(path, LockInfo{})
	var locked *LockedError
	if !errors.As(err, &locked) || locked.Holder.PID != cmd.Process.Pid {
		t.Errorf("while it lives: %v", err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	l, err := AcquireLock(path, LockInfo{PID: os.Getpid()})
	if err != nil {
		t.Fatalf("after it was killed: %v", err)
	}
	if err := l.Release(); err != nil {
		t.Error(err)
	}
}

func TestLockWaitExcludes(t *testing.T) {
	path := newHome(t).in("start.lock")
	var wg sync.WaitGroup
	var inside, most atomic.Int64
	for range 20 {
		wg.Go(func() {
			l, err := AcquireLockWait(t.Context(), path)
			if err != nil {
				t.Error(err)
				return
			}
			most.Store(max(most.Load(), inside.Add(1)))
			time.Sleep(time.Millisecond)
			inside.Add(-1)
			if err := l.Release(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if most.Load() != 1 {
		t.Errorf("%d held the lock at once", most.Load())
	}
	l, err := AcquireLockWait(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Release()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := AcquireLockWait(ctx, path); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("waiting without end: %v", err)
	}
}

// Who only asks whether a lock is free must not keep a daemon from starting.
func TestLockProbesDoNotDisturb(t *testing.T) {
	path := newHome(t).in("daemon.lock")
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for ctx.Err() == nil {
				if _, _, err := LockHolder(path); err != nil {
					t.Error(err)
				}
				time.Sleep(100 * time.Microsecond)
			}
		})
	}
	for range 50 {
		l, err := AcquireLock(path, LockInfo{PID: 1})
		if err != nil {
			t.Fatal(err)
		}
		if err := l.Release(); err != nil {
			t.Fatal(err)
		}
	}
	cancel()
	wg.Wait()
}

// A lock on a file that was removed meanwhile protects nothing.
func TestLockOfReplacedDirectory(t *testing.T) {
	h := newHome(t)
	path := h.in("daemon.lock")
	l, err := AcquireLock(path, LockInfo{PID: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Release()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if samePath(l.file, path) {
		t.Error("another file of the same name was taken for the locked one")
	}
}

func TestLockInMissingDirectory(t *testing.T) {
	if _, err := AcquireLock(newHome(t).in("none/daemon.lock"), LockInfo{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error = %v", err)
	}
}
