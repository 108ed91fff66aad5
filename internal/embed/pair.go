package embed

import (
	"runtime"
	"sync/atomic"
	"time"
)

const (
	// pairRows is how many rows a pass may have for a second core to help: a
	// prompt that somebody waits for. Longer texts are background work, mostly.
	pairRows = 128
	// pairPanels is how many panels a layer must have to be worth sharing.
	pairPanels = 8
	// pairPatience is how long a helper looks for work in vain before it leaves:
	// longer than what lies between two layers.
	pairPatience = 500 * time.Microsecond
	// lateAfter is how long a helper may need for its last panel, which takes
	// about ten microseconds. One that needs longer has no core of its own, and
	// is asked no more.
	lateAfter = 100 * time.Microsecond
	// spins is how often a core looks before it looks at the clock and lets
	// other goroutines run: some microseconds.
	spins = 1000
)

// pair lets a second core compute panels of a pass. Most of the time of a short
// text is spent on reading weights, and two cores read twice as much. What a
// panel comes to does not depend on who computes it, so the result is the same to
// the bit. Nobody waits for a helper to begin: with no core to spare, the one who
// asks computes all by itself.
type pair struct {
	job   atomic.Pointer[share]
	over  atomic.Bool
	alone bool // the helper was late
}

// share is a layer being computed by two: each begins with its own half of the
// panels and goes on with what is left of the other's.
type share struct {
	run  func(panel int)
	next [2]atomic.Int32
	end  [2]int32
	done atomic.Int32
}

// newPair has a helper begin; leave must be called.
func newPair() *pair {
	p := &pair{}
	go p.help()
	return p
}

// leave lets the helper go.
func (p *pair) leave() { p.over.Store(true) }

// each calls run for every panel, on either core, and returns when all are done.
func (p *pair) each(panels int, run func(panel int)) {
	if p == nil || p.alone || panels < pairPanels {
		for i := range panels {
			run(i)
		}
		return
	}
	s := &share{run: run, end: [2]int32{int32(panels / 2), int32(panels)}}
	s.next[1].Store(s.end[0])
	p.job.Store(s)
	s.drain(0)
	begun := time.Time{}
	for n := 1; s.done.Load() < s.end[1]; n++ {
		switch {
		case n%spins != 0:
		case begun.IsZero():
			begun = time.Now()
		case p.alone:
			time.Sleep(time.Microsecond) // the helper may need this core
		case time.Since(begun) > lateAfter:
			p.alone = true
			p.leave()
		default:
			runtime.Gosched()
		}
	}
}

func (s *share) drain(own int) {
	for _, half := range [2]int{own, 1 - own} {
		for i := s.next[half].Add(1) - 1; i < s.end[half]; i = s.next[half].Add(1) - 1 {
			s.run(int(i))
			s.done.Add(1)
		}
	}
}

func (p *pair) help() {
	if crowded() {
		return
	}
	var last *share
	begun := time.Now()
	for n := 1; !p.over.Load(); n++ {
		if s := p.job.Load(); s != last {
			s.drain(1)
			last, begun = s, time.Now()
		}
		if n%spins == 0 {
			if time.Since(begun) > pairPatience {
				return
			}
			runtime.Gosched()
		}
	}
}
