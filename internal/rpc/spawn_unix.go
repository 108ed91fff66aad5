//go:build !windows

package rpc

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"sync/atomic"
	"syscall"

	"golang.org/x/sys/unix"
)

// child is a daemon this process has started.
type child struct {
	pid   int
	ended atomic.Bool
	code  atomic.Int64 // valid when ended
}

func (ch *child) exited() (code int, ended bool) {
	if !ch.ended.Load() {
		return -1, false
	}
	return int(ch.code.Load()), true
}

// startChild starts a daemon in a new session and reaps it when it ends.
//
// A daemon usually outlives who started it, but not always: an MCP server lives
// for days and would keep a zombie for each daemon that was stopped meanwhile.
// Waiting for the process would pin a thread that cannot be called off, so a
// goroutine owned by the client looks after it whenever a child has ended, and
// leaves with the client.
func (c *Client) startChild(cmd *exec.Cmd) (*child, error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	closeOnExec()
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, unix.SIGCHLD)
	if err := cmd.Start(); err != nil {
		signal.Stop(signals)
		return nil, err
	}
	ch := &child{pid: cmd.Process.Pid}
	// The process is waited for by number below.
	if err := cmd.Process.Release(); err != nil {
		signal.Stop(signals)
		return nil, err
	}
	c.reapers.Go(func() {
		defer signal.Stop(signals)
		for !ch.reap() {
			select {
			case <-signals:
			case <-c.closing:
				return
			}
		}
	})
	return ch, nil
}

// reap collects the process if it has ended.
func (ch *child) reap() bool {
	for {
		var status unix.WaitStatus
		pid, err := unix.Wait4(ch.pid, &status, unix.WNOHANG, nil)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case err != nil: // not ours any more: somebody else has reaped it
			ch.code.Store(-1)
		case pid != ch.pid:
			return false
		default:
			ch.code.Store(int64(status.ExitStatus()))
		}
		ch.ended.Store(true)
		return true
	}
}

// closeOnExec marks every descriptor but the standard streams, so that the
// daemon inherits none. Go does that for its own; what is left are those this
// process got from its parent. A daemon that keeps one open makes whoever waits
// for the end of that pipe wait forever.
func closeOnExec() {
	entries, err := os.ReadDir("/dev/fd")
	if err != nil {
		return // nothing to go by; the usual parent passes none
	}
	for _, e := range entries {
		if fd, err := strconv.Atoi(e.Name()); err == nil && fd > 2 {
			unix.CloseOnExec(fd)
		}
	}
}

// pidAlive tells whether a process exists.
func pidAlive(pid int) bool {
	err := unix.Kill(pid, 0)
	return err == nil || errors.Is(err, unix.EPERM)
}

// terminate asks a process to end.
func terminate(pid int) error { return unix.Kill(pid, unix.SIGTERM) }

// isNobodyListening tells whether connecting failed because there is no socket
// or nobody behind it.
func isNobodyListening(err error) bool {
	return errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ECONNREFUSED)
}

// isBacklogFull tells whether the accept queue of the daemon is full.
func isBacklogFull(err error) bool { return errors.Is(err, unix.EAGAIN) }
