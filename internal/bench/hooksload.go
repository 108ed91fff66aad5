package bench

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"chitta/internal/hook/quick"
	"chitta/internal/moment"
	"chitta/internal/past"
)

// HooksLoadOptions says how much goes on at once.
type HooksLoadOptions struct {
	Exe      string
	Sessions int
	For      time.Duration
	// Pause is the mean time between two hooks of a session. An agent at work
	// needs seconds for what lies between.
	Pause time.Duration
}

const (
	// memoryFlat is how much more memory the last quarter may need than the
	// first, for what is stored meanwhile.
	memoryFlat = 1.25
	// storedWithin is how long the last turn may take until it is stored.
	storedWithin = 60 * time.Second
	memoryEvery  = 200 * time.Millisecond
)

// HooksLoad lets many sessions run hooks at the same time and holds what was
// stored against what was sent.
func HooksLoad(ctx context.Context, o HooksLoadOptions, progress func(done, total int64)) (report Report, err error) {
	dir, err := os.MkdirTemp("", "chitta-bench-*")
	if err != nil {
		return report, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	d, err := startHookDaemon(ctx, o.Exe, dir)
	if err != nil {
		return report, err
	}
	defer func() { err = errors.Join(err, d.stop()) }()
	if err := d.warm(ctx); err != nil {
		return report, err
	}
	l := &load{times: map[string]latencies{}}
	sessions, err := l.run(ctx, o, d, progress)
	if err != nil {
		return report, err
	}
	g := Group{Name: fmt.Sprintf("%d sessions for %s, a hook every %s each", o.Sessions, o.For, o.Pause)}
	if err := l.figures(ctx, d, sessions, &g); err != nil {
		return report, err
	}
	return Report{Set: "hooks under load", Groups: []Group{g}}, nil
}

// load is what was seen while sessions ran.
type load struct {
	mu     sync.Mutex
	times  map[string]latencies // by event
	memory []float64            // of the daemon, bytes, over time
	others int                  // processes that were there before
}

// run runs the sessions to their ends.
func (l *load) run(ctx context.Context, o HooksLoadOptions, d *hookDaemon, progress func(done, total int64)) ([]*hookSession, error) {
	l.others, _ = childProcesses(d.cmd.Process.Pid)
	begun := time.Now()
	until := begun.Add(o.For)
	group, ctx := errgroup.WithContext(ctx)
	sessions := make([]*hookSession, o.Sessions)
	for i := range sessions {
		s, err := newHookSession(d, fmt.Sprintf("load-%d", i))
		if err != nil {
			return nil, err
		}
		sessions[i] = s
		group.Go(func() error { return l.session(ctx, s, o.Pause, until, rand.New(rand.NewPCG(uint64(i), 3))) })
	}
	group.Go(func() error {
		for time.Now().Before(until) && ctx.Err() == nil {
			l.memory = append(l.memory, residentOf(d.cmd.Process.Pid))
			progress(time.Since(begun).Milliseconds(), o.For.Milliseconds())
			time.Sleep(memoryEvery)
		}
		return nil
	})
	return sessions, group.Wait()
}

// session works in turns until its time is over, and ends.
func (l *load) session(ctx context.Context, s *hookSession, pause time.Duration, until time.Time, rnd *rand.Rand) error {
	hook := func(event string, n int) error {
		time.Sleep(time.Duration(rnd.Float64() * 2 * float64(pause)))
		took, err := s.run(ctx, event, n)
		l.mu.Lock()
		defer l.mu.Unlock()
		l.times[event] = append(l.times[event], took)
		return err
	}
	if err := hook(moment.SessionStart, 0); err != nil {
		return err
	}
	for n := rnd.IntN(100); time.Now().Before(until); n++ {
		for _, event := range []string{moment.UserPromptSubmit, moment.PreToolUse, moment.PostToolUse, moment.Stop} {
			if err := hook(event, n); err != nil {
				return err
			}
		}
	}
	return hook(moment.SessionEnd, 0)
}

func (l *load) figures(ctx context.Context, d *hookDaemon, sessions []*hookSession, g *Group) error {
	sent, records := 0, 0
	for _, s := range sessions {
		sent += s.turns
		records += s.records
	}
	stored, err := storedRecords(ctx, d, sessions, records)
	if err != nil {
		return err
	}
	hooks := 0
	for _, event := range moment.Events() {
		t := l.times[event]
		if len(t) == 0 {
			continue
		}
		hooks += len(t)
		slices.Sort(t)
		rule, _ := quick.RuleOf(event)
		g.add(event+" p50", t.ms(0.5), "ms")
		g.atMost(event+" p99", t.ms(0.99), "ms", float64(rule.Limit.Milliseconds()))
	}
	g.add("hooks", float64(hooks), "")
	g.add("turns sent", float64(sent), "")
	g.atMost("records lost", float64(records-stored), "", 0)
	if err := d.failures(g); err != nil {
		return err
	}
	if quarter := len(l.memory) / 4; quarter > 0 && l.memory[0] > 0 {
		first, last := mean(l.memory[:quarter]), mean(l.memory[len(l.memory)-quarter:])
		g.add("memory of the daemon, last quarter", last/(1<<20), "MB")
		g.atMost("memory, last quarter over first", last/first, "×", memoryFlat)
	}
	left, known := childProcesses(d.cmd.Process.Pid)
	for tries := 0; known && left > l.others && tries < 30; tries++ { // git, while the daemon learns
		time.Sleep(100 * time.Millisecond)
		left, known = childProcesses(d.cmd.Process.Pid)
	}
	if known {
		g.atMost("processes left behind", float64(max(0, left-l.others)), "", 0)
	}
	return nil
}

// storedRecords waits until everything that was written is stored, and returns
// how much is.
func storedRecords(ctx context.Context, d *hookDaemon, sessions []*hookSession, want int) (stored int, err error) {
	ours := map[string]bool{}
	for _, s := range sessions {
		ours[s.id] = true
	}
	for deadline := time.Now().Add(storedWithin); ; time.Sleep(memoryEvery) {
		in := past.ListInput{Realm: "all", Limit: 100}
		stored = 0
		for {
			var page past.ListOutput
			if err := d.client.Call(ctx, "session_list", in, &page); err != nil {
				return 0, err
			}
			for _, v := range page.Sessions {
				if ours[v.ID] {
					stored += v.Messages
				}
			}
			if in.Cursor = page.Next; in.Cursor == "" {
				break
			}
		}
		if stored >= want || time.Now().After(deadline) {
			return stored, nil
		}
	}
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// residentOf returns the memory of a process in bytes, 0 where the system does
// not say.
func residentOf(pid int) float64 {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(b))
	if len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.ParseFloat(fields[1], 64)
	return pages * float64(os.Getpagesize())
}

// childProcesses counts the processes that this one and the daemon have started
// and not seen end, the daemon itself aside.
func childProcesses(daemon int) (n int, known bool) {
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil || len(stats) == 0 {
		return 0, false
	}
	for _, file := range stats {
		b, err := os.ReadFile(file)
		if err != nil {
			continue // it has just ended
		}
		// pid (name) state parent …: the name may hold blanks
		_, rest, _ := strings.Cut(string(b), ") ")
		fields := strings.Fields(rest)
		if len(fields) < 2 || filepath.Base(filepath.Dir(file)) == strconv.Itoa(daemon) {
			continue
		}
		if fields[1] == strconv.Itoa(os.Getpid()) || fields[1] == strconv.Itoa(daemon) {
			n++
		}
	}
	return n, true
}
