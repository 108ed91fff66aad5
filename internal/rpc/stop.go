package rpc

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"time"
)

// Stop asks the running daemon to finish what it does and leave, and waits
// until it is gone. One that nobody can reach is ended by a signal. Stop returns
// [ErrNotRunning] when there is none.
func (c *Client) Stop(ctx context.Context) error {
	h, err := c.health(ctx)
	if errors.Is(err, ErrNotRunning) && c.holder().PID != 0 {
		var ended bool
		if ended, err = c.reach(ctx); ended || err != nil {
			return err
		}
		h, err = c.health(ctx)
	}
	if err != nil {
		return err
	}
	if err := c.askToLeave(ctx, "stop"); err != nil {
		return err
	}
	return c.waitGone(ctx, h.PID)
}

// reach waits for a daemon that holds its lock without a socket: it leaves, or
// it listens, or it is told to end by a signal. It says whether it has ended.
func (c *Client) reach(ctx context.Context) (ended bool, err error) {
	err = c.waitWhile(ctx, func() time.Duration { return c.holder().patience() }, c.unreachable(ctx))
	if err == nil {
		return c.holder().PID == 0, nil
	}
	stuck, ok := errors.AsType[*StuckError](err)
	if !ok {
		return false, err
	}
	// Who holds the lock is asked once more, right before the signal: the one
	// waited for may have left and its number may be another's by now. To a
	// daemon that is leaving a signal would mean to cut its requests, and who
	// says nothing of a state is no daemon.
	holder := c.holder()
	daemon := holder.State == LockServing || holder.State == LockStarting
	if !daemon || holder.PID <= 0 || holder.PID != stuck.Holder.PID || holder.PID == os.Getpid() {
		return false, err
	}
	if terr := terminate(holder.PID); terr != nil {
		return false, fmt.Errorf("%w; it cannot be told to end: %w", err, terr)
	}
	return true, c.waitGone(ctx, holder.PID)
}

// askToLeave asks for a drain. A daemon that has left meanwhile is fine.
func (c *Client) askToLeave(ctx context.Context, reason string) error {
	body, err := encodeJSON(map[string]string{"reason": reason})
	if err != nil {
		return err
	}
	_, err = c.control(ctx, http.MethodPost, "/shutdown", body)
	if err != nil && !errors.Is(err, ErrNotRunning) && !errors.Is(err, ErrLost) {
		return fmt.Errorf("ask the daemon to leave: %w", err)
	}
	return nil
}

// holder returns who holds the daemon lock; its PID is 0 when nobody does, or
// nobody can tell.
func (c *Client) holder() LockInfo {
	if c.opts.Lock == "" {
		return LockInfo{}
	}
	info, held, err := LockHolder(c.opts.Lock)
	if err != nil || !held {
		return LockInfo{}
	}
	if info.PID == 0 {
		info.PID = -1 // held, but the holder has not written who it is
	}
	return info
}

// waitGone waits until the daemon pid has left: its lock is free or somebody
// else's. Without a lock to look at, the socket has to do.
func (c *Client) waitGone(ctx context.Context, pid int) error {
	return c.waitWhile(ctx, func() time.Duration { return leaveTimeout }, func() bool {
		if c.opts.Lock != "" {
			holder := c.holder().PID
			return holder == pid || holder == -1
		}
		h, err := c.health(ctx)
		return !errors.Is(err, ErrNotRunning) && (err != nil || h.PID == pid)
	})
}

// waitFree waits until no daemon is on its way out, or one has come up.
func (c *Client) waitFree(ctx context.Context) error {
	return c.waitWhile(ctx, func() time.Duration { return c.holder().patience() }, c.unreachable(ctx))
}

// unreachable returns a function that tells whether a daemon holds the lock
// while nobody listens.
func (c *Client) unreachable(ctx context.Context) func() bool {
	return func() bool { return c.holder().PID != 0 && !c.listening(ctx) }
}

// waitWhile waits as long as there is true, at most for what most says then:
// what the holder is about may change meanwhile.
func (c *Client) waitWhile(ctx context.Context, most func() time.Duration, there func() bool) error {
	started := time.Now()
	for pause := pollMin; there(); pause = min(2*pause, pollMax) {
		if waited := time.Since(started); waited > most() {
			return &StuckError{Holder: c.holder(), Waited: waited}
		}
		if err := sleep(ctx, pause); err != nil {
			return fmt.Errorf("wait for the daemon to leave: %w", err)
		}
	}
	return nil
}
