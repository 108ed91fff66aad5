package rpc

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// Stop asks the running daemon to finish what it does and leave, and waits
// until it is gone. It returns [ErrNotRunning] when there is none.
func (c *Client) Stop(ctx context.Context) error {
	h, err := c.Health(ctx)
	if errors.Is(err, ErrNotRunning) {
		// One that is already leaving has no socket any more but its lock.
		if holder := c.holder(); holder.PID != 0 {
			return c.waitGone(ctx, holder.PID)
		}
		return err
	}
	if err != nil {
		return err
	}
	if err := c.askToLeave(ctx, "stop"); err != nil {
		return err
	}
	return c.waitGone(ctx, h.PID)
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
	return c.waitWhile(ctx, func() bool {
		if c.opts.Lock != "" {
			holder := c.holder().PID
			return holder == pid || holder == -1
		}
		h, err := c.Health(ctx)
		return !errors.Is(err, ErrNotRunning) && (err != nil || h.PID == pid)
	})
}

// waitFree waits until no daemon is on its way out, or one has come up.
func (c *Client) waitFree(ctx context.Context) error {
	return c.waitWhile(ctx, func() bool { return c.holder().PID != 0 && !c.listening(ctx) })
}

func (c *Client) waitWhile(ctx context.Context, there func() bool) error {
	started := time.Now()
	for pause := pollMin; there(); pause = min(2*pause, pollMax) {
		if waited := time.Since(started); waited > leaveTimeout {
			return &StuckError{Holder: c.holder(), Waited: waited}
		}
		if err := sleep(ctx, pause); err != nil {
			return fmt.Errorf("wait for the daemon to leave: %w", err)
		}
	}
	return nil
}
