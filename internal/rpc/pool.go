package rpc

import (
	"context"
	"errors"
	"log/slog"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"
)

// workerIdle is how long a worker above the minimum waits for work before it
// leaves: longer than the pause between two hooks of one turn, shorter than a
// coffee.
const workerIdle = 10 * time.Second

var (
	errQueueFull  = errors.New("the queue is full")
	errPoolClosed = errors.New("the pool is closed")
)

// task is one piece of work for the pool.
type task struct {
	run func()
	// describe gives the watchdog something to say; it is only called when the
	// task turns out to be slow.
	describe func() []any
}

// pool runs tasks on a number of workers that follows the load. At most max
// tasks run and at most limit wait; more are refused. A task that outlives its
// caller keeps its worker, and the watchdog reports it.
type pool struct {
	min, max, limit int
	idle, slowAfter time.Duration
	log             *slog.Logger

	tasks chan *task
	quit  chan struct{}  // closed by close: workers leave when tasks are gone
	wg    sync.WaitGroup // workers and watchdog reports

	mu      sync.Mutex
	workers int
	pending int // tasks submitted and not finished
	closed  bool

	running atomic.Int64
	slow    atomic.Int64
	panics  atomic.Int64
}

func newPool(minWorkers, maxWorkers, limit int, slowAfter time.Duration, log *slog.Logger) *pool {
	minWorkers = max(1, minWorkers)
	maxWorkers = max(minWorkers, maxWorkers)
	limit = max(0, limit)
	return &pool{
		min: minWorkers, max: maxWorkers, limit: limit,
		idle: workerIdle, slowAfter: slowAfter, log: log,
		// Room for every task that can be pending, so that submit never blocks.
		tasks: make(chan *task, maxWorkers+limit),
		quit:  make(chan struct{}),
	}
}

// start launches the minimum of workers.
func (p *pool) start() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for !p.closed && p.workers < p.min {
		p.addWorker()
	}
}

// submit hands a task over or says at once that it cannot.
func (p *pool) submit(t *task) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return errPoolClosed
	}
	if p.pending >= p.max+p.limit {
		return errQueueFull
	}
	p.pending++
	if p.pending > p.workers && p.workers < p.max {
		p.addWorker()
	}
	p.tasks <- t
	return nil
}

// addWorker is called with the mutex held.
func (p *pool) addWorker() {
	p.workers++
	p.wg.Go(p.work)
}

func (p *pool) work() {
	idle := time.NewTimer(p.idle)
	defer idle.Stop()
	for {
		select {
		case t := <-p.tasks:
			p.execute(t)
			idle.Reset(p.idle)
		case <-idle.C:
			if p.leave() {
				return
			}
			idle.Reset(p.idle)
		case <-p.quit:
			return
		}
	}
}

// leave lets a worker go unless it is one of the minimum or there is work for
// all of them.
func (p *pool) leave() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.workers <= p.min || p.pending >= p.workers {
		return false
	}
	p.workers--
	return true
}

func (p *pool) execute(t *task) {
	started := time.Now()
	p.running.Add(1)
	stop := p.watch(t, started)
	defer func() {
		if v := recover(); v != nil {
			p.panics.Add(1)
			p.log.Error("task panicked", keyPanic, v, keyStack, string(debug.Stack()))
		}
		stop()
		p.running.Add(-1)
		p.mu.Lock()
		p.pending--
		p.mu.Unlock()
	}()
	t.run()
}

// watch reports the task once if it still runs after slowAfter. The returned
// function ends the watch.
func (p *pool) watch(t *task, started time.Time) (stop func()) {
	if p.slowAfter <= 0 {
		return func() {}
	}
	p.wg.Add(1)
	timer := time.AfterFunc(p.slowAfter, func() {
		defer p.wg.Done()
		p.slow.Add(1)
		p.log.Warn("request is slow", append(t.describe(), keyAge, time.Since(started).Round(time.Millisecond))...)
	})
	return func() {
		if timer.Stop() {
			p.wg.Done()
		}
	}
}

// queued is how many tasks wait for a worker.
func (p *pool) queued() int { return len(p.tasks) }

func (p *pool) workerCount() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.workers
}

// close refuses new tasks, drops the waiting ones, and waits until the running
// ones are finished or ctx ends. It may be called again to go on waiting. Only
// tasks whose caller has given up are still waiting by then.
func (p *pool) close(ctx context.Context) error {
	p.mu.Lock()
	if !p.closed {
		p.closed = true
		close(p.quit)
	}
	p.mu.Unlock()
	p.dropWaiting()
	done := make(chan struct{})
	go func() {
		p.wg.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (p *pool) dropWaiting() {
	for {
		select {
		case <-p.tasks:
			p.mu.Lock()
			p.pending--
			p.mu.Unlock()
		default:
			return
		}
	}
}
