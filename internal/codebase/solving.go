package codebase

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"time"

	"chitta/internal/code"
)

// solving is this process's end of a solving process. It belongs to who holds
// the project.
type solving struct {
	in     io.WriteCloser
	w      *bufio.Writer
	out    *bufio.Reader
	stderr limited
	kill   func()
	ended  chan struct{} // closed when it is gone
}

// solvePatience is how long resolving one project may take: beyond it something
// is wrong.
const solvePatience = 10 * time.Minute

// startSolving starts a process for a project.
func startSolving(ctx context.Context, command func() (*exec.Cmd, error)) (*solving, error) {
	cmd, err := command()
	if err != nil {
		return nil, err
	}
	s := &solving{ended: make(chan struct{})}
	bind(cmd)
	cmd.WaitDelay = endPatience
	cmd.Stderr = &s.stderr
	if s.in, err = cmd.StdinPipe(); err != nil {
		return nil, fmt.Errorf("start resolving: %w", err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("start resolving: %w", err)
	}
	started := make(chan error)
	go func() { // ends with the process
		// it is told when the thread that started it ends, which is to mean this
		// process
		runtime.LockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			_, _ = cmd.Process.Wait()
		}
		close(s.ended)
	}()
	if err := <-started; err != nil {
		return nil, fmt.Errorf("start resolving: %w", err)
	}
	s.kill = func() { _ = cmd.Process.Kill() }
	s.w, s.out = bufio.NewWriterSize(s.in, 1<<16), bufio.NewReaderSize(out, 1<<16)
	var g greeting
	if err := s.within(ctx, workerPatience, func() error { return readFrame(s.out, &g) }); err != nil {
		s.end()
		return nil, fmt.Errorf("start resolving: %w %s", err, s.stderr.line())
	}
	if g.Version != code.Version {
		s.end()
		return nil, fmt.Errorf("start resolving: it has facts of version %d, not %d: chitta was replaced by another version, start it again", g.Version, code.Version)
	}
	return s, nil
}

// within kills the process if fn does not return in time, which makes it return.
func (s *solving) within(ctx context.Context, limit time.Duration, fn func() error) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	stop := context.AfterFunc(ctx, s.kill)
	defer stop()
	err := fn()
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// tell gives an order that is not answered.
func (s *solving) tell(o *order) error {
	if err := writeFrame(s.w, o); err != nil {
		return fmt.Errorf("the resolving process ended: %w %s", err, s.stderr.line())
	}
	return nil
}

// solve has edges brought up to date and hands over every file whose rows
// changed.
func (s *solving) solve(ctx context.Context, o *order, each func(*solved) error) error {
	return s.within(ctx, solvePatience, func() error {
		if err := s.tell(o); err != nil {
			return err
		}
		for {
			var a solved
			if err := readFrame(s.out, &a); err != nil {
				if errors.Is(err, io.EOF) {
					err = errors.New("it ended")
				}
				return fmt.Errorf("resolving failed: %w %s", err, s.stderr.line())
			}
			if a.Done {
				return nil
			}
			if err := each(&a); err != nil {
				return err
			}
		}
	})
}

// end ends the process and waits for that.
func (s *solving) end() {
	s.in.Close()
	late := time.AfterFunc(endGrace, s.kill)
	defer late.Stop()
	<-s.ended
}
