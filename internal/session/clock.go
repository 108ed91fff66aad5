package session

import "maps"

// Clock is a vector clock: for each stream of thought (the human, the main
// agent, each subagent) how many cycles of input, work and output it has
// gone through, as far as the holder knows. Clocks are values: every method
// returns a new one. A stream that is absent stands at 0.
type Clock map[string]uint32

// Names of the streams that every session has; subagents go by their ids.
const (
	HumanStream = "human"
	MainStream  = "main"
)

// Stream returns the name of the agent stream that m belongs to.
func (m *Message) Stream() string {
	if m.Agent == "" {
		return MainStream
	}
	return m.Agent
}

// Order says how two clocks stand to each other.
type Order int

// The four ways two clocks can stand.
const (
	Equal Order = iota
	Before
	After
	Concurrent
)

func (o Order) String() string {
	switch o {
	case Equal:
		return "equal"
	case Before:
		return "before"
	case After:
		return "after"
	case Concurrent:
		return "concurrent"
	}
	return "unknown"
}

// Tick returns c after one more cycle of stream.
func (c Clock) Tick(stream string) Clock {
	next := make(Clock, len(c)+1)
	maps.Copy(next, c)
	next[stream]++
	return next
}

// Fork returns the clock that a subagent starts with: all that its parent
// knows, and its own first cycle.
func (c Clock) Fork(child string) Clock { return c.Tick(child) }

// Merge returns the clock of one who knows both what c and what other knows,
// as a parent does when its subagent has ended.
func (c Clock) Merge(other Clock) Clock {
	joined := make(Clock, max(len(c), len(other)))
	maps.Copy(joined, c)
	for stream, n := range other {
		if n > joined[stream] {
			joined[stream] = n
		}
	}
	return joined
}

// Compare says whether c comes before other, after it, is equal to it, or
// neither knew of the other.
func (c Clock) Compare(other Clock) Order {
	behind, ahead := c.lag(other), other.lag(c)
	switch {
	case behind == 0 && ahead == 0:
		return Equal
	case ahead == 0:
		return Before
	case behind == 0:
		return After
	}
	return Concurrent
}

// Hops counts the cycles, of all streams together, that lie between a and b,
// and says how a stands to b. Between concurrent clocks it counts the way from
// one to what both know and on to the other.
func Hops(a, b Clock) (int, Order) {
	return a.lag(b) + b.lag(a), a.Compare(b)
}

// lag counts the cycles that other knows of and c does not.
func (c Clock) lag(other Clock) int {
	n := 0
	for stream, theirs := range other {
		if mine := c[stream]; theirs > mine {
			n += int(theirs - mine)
		}
	}
	return n
}

// How far a causal edge reaches, in hops. What led here fades at once and
// steadily; what follows from here holds for a while first.
const (
	backwardEnd = 10
	forwardHold = 5
	forwardEnd  = 20
)

// Backward returns the weight of an edge into the past: 1 at no hops, falling
// in a line to 0 at ten.
func Backward(hops int) float64 {
	return fade(hops, 0, backwardEnd)
}

// Forward returns the weight of an edge into the future: 1 for five hops, then
// falling in a line to 0 at twenty.
func Forward(hops int) float64 {
	return fade(hops, forwardHold, forwardEnd)
}

func fade(hops, hold, end int) float64 {
	switch {
	case hops <= hold:
		return 1
	case hops >= end:
		return 0
	}
	return 1 - float64(hops-hold)/float64(end-hold)
}
