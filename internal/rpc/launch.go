package rpc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Launcher starts a daemon when there is none. However many clients want one at
// the same time, one of them starts one.
type Launcher struct {
	// Exe and Args are the command line of the daemon. Exe is required.
	Exe  string
	Args []string
	// Env is its environment; nil means that of this process.
	Env []string
	// Dir is its working directory; empty means the root directory, so that
	// the daemon keeps no other directory from being unmounted.
	Dir string
	// StartLock is the path of the lock held while starting. Required.
	StartLock string
	// StartLog is the file for what the daemon writes to its standard streams.
	// Required.
	StartLog string
	// ReadyTimeout is how long a daemon may take until it answers. Default 10 s.
	ReadyTimeout time.Duration
}

const (
	defaultReadyTimeout = 10 * time.Second
	// leaveTimeout is how long to wait for a daemon that is leaving: longer
	// than its drain (10 s by default) and cut take.
	leaveTimeout = 15 * time.Second
	// relistenTimeout is how long to wait for a daemon that serves but whose
	// socket is missing: it looks once a second and listens again.
	relistenTimeout = 3 * time.Second
	// pollMin and pollMax bound the pause between two looks at a daemon that is
	// starting or leaving. Starting takes some tens of milliseconds.
	pollMin = 2 * time.Millisecond
	pollMax = 50 * time.Millisecond
	// tailBytes and tailLines bound what an error repeats of the start log.
	tailBytes = 8 << 10
	tailLines = 20
)

// StartError is returned when a daemon was started and did not come up.
type StartError struct {
	// Output is the end of what the daemon wrote, usually the reason.
	Output string
	// ExitCode is what it ended with, -1 when that is not known.
	ExitCode int
	// Timeout is set when it has not ended but has not answered either. It is
	// left running: it may be busy with something that takes long once.
	Timeout bool
	// Log is the file with the whole output.
	Log string
}

func (e *StartError) Error() string {
	s := "the daemon ended while starting"
	if e.Timeout {
		s = "the daemon has started but does not answer yet"
	} else if e.ExitCode > 0 {
		s = fmt.Sprintf("the daemon ended with status %d while starting", e.ExitCode)
	}
	if e.Output == "" {
		return s + " (see " + e.Log + ")"
	}
	return s + ": " + e.Output
}

// StuckError is returned when a daemon holds its lock without answering: it is
// leaving or starting very slowly, or its socket file was removed.
type StuckError struct {
	Holder LockInfo
	Waited time.Duration
}

func (e *StuckError) Error() string {
	who := "a daemon"
	if e.Holder.PID > 0 {
		who = fmt.Sprintf("a daemon (process %d, version %s)", e.Holder.PID, e.Holder.Version)
	}
	return fmt.Sprintf("%s is running but neither answers nor leaves after %v (end that process if it stays like this)",
		who, e.Waited.Round(time.Millisecond))
}

func (l *Launcher) readyTimeout() time.Duration {
	if l.ReadyTimeout > 0 {
		return l.ReadyTimeout
	}
	return defaultReadyTimeout
}

// launch makes sure that a daemon listens.
func (c *Client) launch(ctx context.Context) error {
	lock, err := c.lockStart(ctx, c.listening)
	if lock == nil || err != nil {
		return err
	}
	return errors.Join(c.start(ctx, lock), lock.Release())
}

// replace makes sure that the daemon is not older than this client.
func (c *Client) replace(ctx context.Context) error {
	lock, err := c.lockStart(ctx, func(context.Context) bool { return false })
	if err != nil {
		return err
	}
	return errors.Join(c.replaceLocked(ctx, lock), lock.Release())
}

func (c *Client) replaceLocked(ctx context.Context, lock *Lock) error {
	h, err := c.health(ctx)
	switch {
	case errors.Is(err, ErrNotRunning):
		return c.start(ctx, lock)
	case err != nil:
		return err
	case !Newer(c.opts.Version, h.Version):
		return nil // another client was faster
	}
	if err := c.askToLeave(ctx, "upgrade to "+c.opts.Version); err != nil {
		return err
	}
	if err := c.waitGone(ctx, h.PID); err != nil {
		return err
	}
	return c.start(ctx, lock)
}

// lockStart takes the start lock. It returns nil without an error when enough
// says that it is not needed any more.
func (c *Client) lockStart(ctx context.Context, enough func(context.Context) bool) (*Lock, error) {
	l := c.opts.Launcher
	if err := os.MkdirAll(filepath.Dir(l.StartLock), 0o700); err != nil {
		return nil, fmt.Errorf("start the daemon: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, leaveTimeout+l.readyTimeout())
	defer cancel()
	for pause := pollMin; ; pause = min(2*pause, pollMax) {
		lock, err := tryLock(l.StartLock)
		if lock != nil || err != nil {
			return lock, err
		}
		if enough(ctx) {
			return nil, nil
		}
		if err := sleep(ctx, pause); err != nil {
			return nil, fmt.Errorf("wait for another client to start the daemon: %w", err)
		}
	}
}

// listening tells whether somebody accepts connections.
func (c *Client) listening(ctx context.Context) bool {
	conn, err := c.dial(ctx)
	if err != nil {
		return false
	}
	return conn.Close() == nil
}

// start makes a daemon listen; the start lock is held.
func (c *Client) start(ctx context.Context, lock *Lock) error {
	if c.listening(ctx) {
		return nil
	}
	if done, err := c.adopt(ctx); done || err != nil {
		return err
	}
	if err := c.waitFree(ctx); err != nil {
		return err
	}
	if c.listening(ctx) {
		return nil
	}
	// Out of time, looking for a daemon fails whether there is one or not.
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("start the daemon: %w", err)
	}
	child, err := c.spawn()
	if err != nil {
		return fmt.Errorf("start the daemon: %w", err)
	}
	if err := lock.write(LockInfo{PID: child.pid, Version: c.opts.Version, Started: time.Now()}); err != nil {
		return err
	}
	if err := c.waitReady(ctx, c.opts.Launcher.readyTimeout(), child.exited); err != nil {
		return reason(err)
	}
	// Seen ready, it needs no adopting. Without this, its process id would
	// hold up the next start for as long as nobody reaps it after its end.
	return lock.write(LockInfo{})
}

// adopt waits for a daemon that another client has started and not seen ready:
// one with little time, such as a hook. It noted the process in the lock file.
func (c *Client) adopt(ctx context.Context) (ready bool, err error) {
	most := c.opts.Launcher.readyTimeout()
	prev := readLockInfo(c.opts.Launcher.StartLock)
	age := time.Since(prev.Started)
	if prev.PID <= 0 || age < 0 || age >= most || !pidAlive(prev.PID) {
		return false, nil
	}
	err = c.waitReady(ctx, most-age, func() (int, bool) { return -1, !pidAlive(prev.PID) })
	if se, ok := errors.AsType[*StartError](err); ok && !se.Timeout {
		// It has ended, perhaps because it was ready and then asked to leave.
		return false, nil
	}
	return err == nil, err
}

// spawn starts the daemon in a session of its own with nothing of ours but its
// standard streams.
func (c *Client) spawn() (*child, error) {
	l := c.opts.Launcher
	if err := os.MkdirAll(filepath.Dir(l.StartLog), 0o700); err != nil {
		return nil, err
	}
	log, err := os.OpenFile(l.StartLog, os.O_CREATE|os.O_TRUNC|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	cmd := exec.Command(l.Exe, l.Args...)
	env := l.Env
	if env == nil {
		env = os.Environ()
	}
	cmd.Env = append(slices.Clip(env), LaunchedEnv+"=1")
	cmd.Dir = l.Dir
	if cmd.Dir == "" {
		cmd.Dir = rootDir(l.Exe)
	}
	cmd.Stdout, cmd.Stderr = log, log
	return c.startChild(cmd)
}

// rootDir is the root of the volume the executable is on.
func rootDir(exe string) string {
	return filepath.VolumeName(exe) + string(filepath.Separator)
}

// waitReady waits until the daemon answers. exited tells whether the process
// that should do so has ended.
func (c *Client) waitReady(ctx context.Context, most time.Duration, exited func() (code int, ended bool)) error {
	limited, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	for pause := pollMin; ; pause = min(2*pause, pollMax) {
		code, ended := exited()
		h, err := c.health(limited)
		if err == nil && h.Status == StatusOK {
			return nil
		}
		// It ended because another one was faster, by hand for instance: that
		// one will answer.
		if ended && c.holder().PID == 0 {
			return c.startError(&StartError{ExitCode: code})
		}
		if sleep(limited, pause) == nil {
			continue
		}
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("wait for the daemon to start: %w", err)
		}
		return c.startError(&StartError{ExitCode: -1, Timeout: true})
	}
}

func (c *Client) startError(e *StartError) error {
	e.Log = c.opts.Launcher.StartLog
	e.Output = tail(e.Log)
	return e
}

// tail returns the last lines of a file, or nothing.
func tail(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Size() > tailBytes {
		if _, err := f.Seek(-tailBytes, io.SeekEnd); err != nil {
			return ""
		}
	}
	data, err := io.ReadAll(io.LimitReader(f, tailBytes))
	if err != nil {
		return ""
	}
	lines := strings.Split(strings.TrimSpace(strings.ToValidUTF8(string(data), "�")), "\n")
	return strings.Join(lines[max(0, len(lines)-tailLines):], "\n")
}
