package codebase

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"chitta/internal/code"
)

const (
	// pipelined is how many files a worker has before it, so that it never
	// waits for the next.
	pipelined = 8
	// workerPatience is how long a file may take: five times what parsing is
	// given by itself.
	workerPatience = 10 * time.Second
	// maxCrashes is how many workers may end one after the other without
	// an answer between: then it is not the files.
	maxCrashes = 20
	// maxKills is how often a file is tried again whose worker somebody else
	// killed: a person, or the system for want of memory, which may be for this file.
	maxKills = 3
)

// ErrOff is returned by a build without parsers.
var ErrOff = errors.New("this build cannot read source code: it was compiled without cgo")

// pool has files read by worker processes.
type pool struct {
	command  func() (*exec.Cmd, error)
	patience time.Duration
}

// worker command of this binary.
func ownWorker() (*exec.Cmd, error) {
	exe, err := selfExe()
	if err != nil {
		return nil, fmt.Errorf("find this program: %w", err)
	}
	return exec.Command(exe, "code", "worker"), nil
}

// solver command of this binary.
func ownSolver(root string) (*exec.Cmd, error) {
	exe, err := selfExe()
	if err != nil {
		return nil, fmt.Errorf("find this program: %w", err)
	}
	return exec.Command(exe, "code", "solver", root), nil
}

// run has every request answered by so many workers and hands each answer to done, from one
// goroutine at a time and in no order. A file that a worker crashes or hangs on
// is answered with [LeftCrash]; another worker goes on with the rest.
func (p *pool) run(ctx context.Context, workers int, requests []request, done func(answer) error) error {
	if len(requests) == 0 {
		return nil
	}
	group, ctx := errgroup.WithContext(ctx)
	todo, answers := make(chan request), make(chan answer)
	group.Go(func() error {
		defer close(todo)
		for _, q := range requests {
			select {
			case todo <- q:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	seats, working := errgroup.WithContext(ctx)
	for range min(workers, len(requests)) {
		seats.Go(func() error {
			s := seat{pool: p, ctx: working, todo: todo, answers: answers}
			return s.run()
		})
	}
	group.Go(func() error {
		defer close(answers)
		return seats.Wait()
	})
	group.Go(func() error {
		var err error
		for a := range answers { // to the end, or workers would wait
			if err == nil {
				err = done(a)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	return group.Wait()
}

// seat is one place for a worker: when its process ends, another takes over
// what it had before it.
type seat struct {
	*pool
	ctx     context.Context
	todo    <-chan request
	answers chan<- answer
	waiting []request // sent, or to be sent again; the first is being worked on
	drained bool      // todo has no more
	crashes int       // files in a row that were given up

	// A file that a worker did not answer for is tried again alone before it is
	// blamed: the fault may have been that of a file before it, or of a machine
	// that is busy.
	alone bool
	held  []request // that wait for the one that is alone
	kills int       // of workers, from outside, on that one
}

func (s *seat) run() error {
	// a worker is told when the thread that started it ends, which is to mean
	// this process
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for {
		if len(s.waiting) == 0 && !s.next(true) {
			return s.ctx.Err()
		}
		if err := s.process(); err != nil {
			return err
		}
	}
}

// next takes one more request; it waits for one if told to.
func (s *seat) next(wait bool) bool {
	if s.drained {
		return false
	}
	var q request
	ok := true
	if wait {
		select {
		case q, ok = <-s.todo:
		case <-s.ctx.Done():
			return false
		}
	} else {
		select {
		case q, ok = <-s.todo:
		default:
			return false
		}
	}
	if !ok {
		s.drained = true
		return false
	}
	s.waiting = append(s.waiting, q)
	return true
}

// process runs one process until there is nothing to do or it fails, and finds
// out whose fault that was.
func (s *seat) process() error {
	w, err := s.start()
	if err != nil {
		return err
	}
	reason, err := s.feed(w)
	clean, killed := w.end(reason != "" || err != nil)
	if err != nil || s.ctx.Err() != nil {
		return errors.Join(err, s.ctx.Err())
	}
	if reason == "" || clean || len(s.waiting) == 0 {
		return nil // done, or it had waited for long enough
	}
	if killed {
		s.kills++
	}
	if !s.alone || killed && s.kills <= maxKills {
		s.isolate()
		return nil
	}
	if s.crashes++; s.crashes > maxCrashes {
		return fmt.Errorf("read source code: workers ended on %d files one after the other, the last: %s %s", s.crashes, reason, w.said())
	}
	culprit := s.waiting[0]
	s.rejoin()
	return s.give(answer{Path: culprit.Path, Left: LeftCrash, Why: strings.TrimSpace(reason + " " + w.said())})
}

// isolate has the first request tried alone.
func (s *seat) isolate() {
	if !s.alone {
		s.alone, s.held, s.waiting = true, s.waiting[1:], s.waiting[:1:1]
	}
}

// rejoin goes on with the others after the first request is settled.
func (s *seat) rejoin() {
	s.waiting = append(s.waiting[1:], s.held...)
	s.alone, s.held, s.kills = false, nil, 0
}

func (s *seat) give(a answer) error {
	select {
	case s.answers <- a:
		return nil
	case <-s.ctx.Done():
		return s.ctx.Err()
	}
}

// feed keeps requests before the worker and takes its answers. reason says why
// the process is of no more use, "" that all is done.
func (s *seat) feed(w *workerProcess) (reason string, err error) {
	sent := 0
	for {
		for !s.alone && len(s.waiting) < pipelined && s.next(len(s.waiting) == 0) {
		}
		if len(s.waiting) == 0 {
			return "", s.ctx.Err()
		}
		for ; sent < len(s.waiting); sent++ {
			if err := w.ask(s.waiting[sent]); err != nil {
				break // it has ended; what it answered before is still to be read
			}
		}
		select {
		case a, ok := <-w.answers:
			if !ok {
				return "the parser crashed", nil
			}
			if a.Path != s.waiting[0].Path {
				return "the parser answered something else", nil
			}
			sent, s.crashes = sent-1, 0
			s.rejoin()
			if err := s.give(a); err != nil {
				return "", err
			}
		case <-time.After(s.patience):
			return fmt.Sprintf("the parser gave no answer in %v", s.patience), nil
		case <-s.ctx.Done():
			return "", s.ctx.Err()
		}
	}
}

// workerProcess is one child.
type workerProcess struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	w       *bufio.Writer
	answers chan answer // closed when no more come
	stop    chan struct{}
	stderr  limited
}

// start starts a process and waits until it says what it is.
func (s *seat) start() (*workerProcess, error) {
	cmd, err := s.command()
	if err != nil {
		return nil, err
	}
	w := &workerProcess{cmd: cmd, answers: make(chan answer, pipelined), stop: make(chan struct{})}
	bind(cmd)
	cmd.WaitDelay = endPatience
	cmd.Stderr = &w.stderr
	if w.in, err = cmd.StdinPipe(); err != nil {
		return nil, fmt.Errorf("start a worker: %w", err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("start a worker: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start a worker: %w", err)
	}
	w.w = bufio.NewWriter(w.in)
	hello := make(chan error, 1)
	go w.read(bufio.NewReader(out), hello) // ends with the process
	select {
	case err = <-hello:
	case <-time.After(s.patience):
		err = errors.New("it says nothing")
	case <-s.ctx.Done():
		err = s.ctx.Err()
	}
	if err != nil {
		w.end(true)
		if errors.Is(err, ErrOff) || s.ctx.Err() != nil {
			return nil, err
		}
		return nil, fmt.Errorf("start a worker: %w %s", err, w.said())
	}
	return w, nil
}

// read takes the greeting, then answers until there are no more.
func (w *workerProcess) read(r *bufio.Reader, hello chan<- error) {
	defer close(w.answers)
	var g greeting
	err := readFrame(r, &g)
	switch {
	case err == nil && g.Off != "":
		err = ErrOff
	case err == nil && g.Version != code.Version:
		err = fmt.Errorf("it has facts of version %d, not %d: chitta was replaced by another version, start it again", g.Version, code.Version)
	}
	hello <- err
	if err != nil {
		return
	}
	for {
		var a answer
		if err := readFrame(r, &a); err != nil {
			return
		}
		select {
		case w.answers <- a:
		case <-w.stop:
			return
		}
	}
}

func (w *workerProcess) ask(q request) error {
	return writeFrame(w.w, &q)
}

// end ends the process and says whether it ended by itself and in order, or
// somebody else killed it.
func (w *workerProcess) end(kill bool) (clean, killed bool) {
	close(w.stop)
	w.in.Close()
	patience := endPatience
	if kill {
		patience = endGrace
	}
	late := time.AfterFunc(patience, func() { _ = w.cmd.Process.Kill() })
	err := w.cmd.Wait()
	return err == nil, late.Stop() && wasKilled(w.cmd.ProcessState)
}

const (
	// endGrace lets a process that is about to end say how.
	endGrace = 50 * time.Millisecond
	// endPatience is how long one that has nothing to do may take to end.
	endPatience = 2 * time.Second
)

// said is the beginning of what the process complained about.
func (w *workerProcess) said() string { return w.stderr.line() }
