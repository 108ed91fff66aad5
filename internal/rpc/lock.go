package rpc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// LockInfo is what the holder of a lock says of itself. It is for messages
// only; whether the lock is held is known to the kernel alone.
type LockInfo struct {
	PID     int       `json:"pid"`
	Version string    `json:"version,omitempty"`
	Started time.Time `json:"started,omitzero"`
	// State is what a daemon is about. It tells a missing socket that will
	// come, or is gone for good, from one that somebody removed.
	State string `json:"state,omitempty"`
}

// What a daemon is about, in [LockInfo].
const (
	LockStarting = "starting" // it does not listen yet
	LockServing  = "serving"  // it listens, and again if its socket goes
	LockLeaving  = "leaving"  // it finishes what it has and ends
)

// patience is how long to wait for the holder of a daemon lock while nobody
// listens. A holder that does not say is given the time a drain takes.
func (i LockInfo) patience() time.Duration {
	if i.State == LockServing {
		return relistenTimeout
	}
	return leaveTimeout
}

// ErrLocked is matched by the *[LockedError] of a lock somebody else holds.
var ErrLocked = errors.New("locked by another process")

// LockedError is returned when somebody else holds a lock.
type LockedError struct {
	Path   string
	Holder LockInfo // zero when the holder has not written it yet
}

// Is makes errors.Is(err, ErrLocked) true.
func (e *LockedError) Is(target error) bool { return target == ErrLocked }

func (e *LockedError) Error() string {
	if e.Holder.PID == 0 {
		return fmt.Sprintf("%s is %v", e.Path, ErrLocked)
	}
	s := fmt.Sprintf("%s is locked by process %d", e.Path, e.Holder.PID)
	if e.Holder.Version != "" {
		s += " (version " + e.Holder.Version + ")"
	}
	return s
}

// Lock is an exclusive lock on a file, held until Release or the end of the
// process, however it ends. The file stays: removing it would let two
// processes hold locks on two files of one name.
type Lock struct {
	path string
	once sync.Once
	file *os.File
}

const (
	// lockPollMin and lockPollMax bound the pause between two tries for a lock.
	lockPollMin = time.Millisecond
	lockPollMax = 20 * time.Millisecond
	// probeGrace is how long AcquireLock tries before it takes no for an
	// answer. Somebody who only asks whether a lock is free holds it for some
	// microseconds, which must not make a starting daemon give up.
	probeGrace = 100 * time.Millisecond
	// maxLockBytes bounds what is read from a lock file.
	maxLockBytes = 4096
)

// AcquireLock takes the lock at path and writes info into it. It does not wait
// for a holder: the error is *[LockedError] with the holder's information.
func AcquireLock(path string, info LockInfo) (*Lock, error) {
	ctx, cancel := context.WithTimeout(context.Background(), probeGrace)
	defer cancel()
	l, err := AcquireLockWait(ctx, path)
	if errors.Is(err, context.DeadlineExceeded) {
		return nil, &LockedError{Path: path, Holder: readLockInfo(path)}
	}
	if err != nil {
		return nil, err
	}
	if err := l.write(info); err != nil {
		return nil, errors.Join(err, l.Release())
	}
	return l, nil
}

// AcquireLockWait takes the lock at path as soon as it is free, or returns the
// error of ctx. It leaves the content of the file alone.
func AcquireLockWait(ctx context.Context, path string) (*Lock, error) {
	for pause := lockPollMin; ; pause = min(2*pause, lockPollMax) {
		l, err := tryLock(path)
		if l != nil || err != nil {
			return l, err
		}
		if err := sleep(ctx, pause); err != nil {
			return nil, fmt.Errorf("wait for lock %s: %w", path, err)
		}
	}
}

// LockHolder tells whether the lock at path is held, and by whom.
func LockHolder(path string) (info LockInfo, held bool, err error) {
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return LockInfo{}, false, nil
	}
	l, err := tryLock(path)
	if err != nil {
		return LockInfo{}, false, err
	}
	if l != nil {
		return LockInfo{}, false, l.Release()
	}
	return readLockInfo(path), true, nil
}

// tryLock returns nil and no error when somebody else holds the lock.
func tryLock(path string) (*Lock, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open lock: %w", err)
	}
	ok, err := lockFile(f)
	if err == nil && ok && samePath(f, path) {
		return &Lock{path: path, file: f}, nil
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	return nil, nil
}

// samePath tells whether the open file is still the one at path: the whole
// directory may have been removed and made again meanwhile.
func samePath(f *os.File, path string) bool {
	open, err1 := f.Stat()
	there, err2 := os.Stat(path)
	return err1 == nil && err2 == nil && os.SameFile(open, there)
}

// Lost tells whether the path of the lock does not lead to the locked file any
// more: it or its directory was removed, and another process can take a lock
// of that name. Not being able to look says nothing.
func (l *Lock) Lost() bool {
	open, err := l.file.Stat()
	if err != nil {
		return errors.Is(err, os.ErrClosed)
	}
	there, err := os.Stat(l.path)
	return absent(err) || (err == nil && !os.SameFile(open, there))
}

// Update replaces what the holder says of itself.
func (l *Lock) Update(info LockInfo) error { return l.write(info) }

// write replaces the content of the lock file. What was there is written over
// before the rest is cut off, so that a full disk does not leave the file empty.
func (l *Lock) write(info LockInfo) error {
	data, err := json.Marshal(info)
	if err != nil {
		return fmt.Errorf("write lock: %w", err)
	}
	data = append(data, '\n')
	if _, err := l.file.WriteAt(data, 0); err != nil {
		return fmt.Errorf("write lock: %w", err)
	}
	if err := l.file.Truncate(int64(len(data))); err != nil {
		return fmt.Errorf("write lock: %w", err)
	}
	return nil
}

// Release gives the lock up. Only the first call does anything.
func (l *Lock) Release() error {
	var err error
	l.once.Do(func() { err = l.file.Close() })
	if err != nil {
		return fmt.Errorf("release lock %s: %w", l.path, err)
	}
	return nil
}

// readLockInfo reads what the holder wrote. The zero value means that there is
// nothing readable, for instance because it is being written.
func readLockInfo(path string) LockInfo {
	f, err := os.Open(path)
	if err != nil {
		return LockInfo{}
	}
	defer f.Close()
	var info LockInfo
	data, err := io.ReadAll(io.LimitReader(f, maxLockBytes))
	if err != nil || json.Unmarshal(data, &info) != nil {
		return LockInfo{}
	}
	return info
}

// sleep pauses for d or until ctx ends.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
