package moment

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"chitta/internal/memory"
	"chitta/internal/mind"
	"chitta/internal/store"
)

// CostInput says which hooks to count.
type CostInput struct {
	Session string `json:"session,omitempty" jsonschema:"only of this client session"`
	Days    int    `json:"days,omitempty" jsonschema:"how many days back, 1 to 90; default 30"`
	Limit   int    `json:"limit,omitempty" jsonschema:"most sessions to list, 1 to 100; default 10"`
}

// CostOutput is what hooks cost and brought, in all and by session.
type CostOutput struct {
	Since    time.Time `json:"since"`
	Sessions int       `json:"sessions"`
	Spent
	Events    []EventCost    `json:"events"`              // by event, in the order of a session
	Kinds     map[string]int `json:"captured"`            // learned without anybody saying so, by kind
	Converged int            `json:"converged"`           // of them, those somebody also said
	Latest    []SessionCost  `json:"latest"`              // the sessions heard of last
	Truncated bool           `json:"truncated,omitempty"` // there were more calls than are counted
}

// Spent is what some hooks cost and brought.
type Spent struct {
	Calls    int            `json:"calls"`
	Injected int            `json:"injected"` // times that something was handed over
	Tokens   int            `json:"tokens"`   // handed over, estimated
	Withheld map[string]int `json:"withheld"` // times that nothing was, by reason
	Failed   int            `json:"failed"`
}

// EventCost is what the hooks of one event cost.
type EventCost struct {
	Event string `json:"event"`
	Spent
	P50 float64 `json:"p50_ms"`
	P99 float64 `json:"p99_ms"`
}

// SessionCost is what the hooks of one session cost.
type SessionCost struct {
	Session string    `json:"session"`
	Last    time.Time `json:"last"`
	Spent
	Captured  int `json:"captured"`
	Converged int `json:"converged"`
}

const (
	costDays     = 30
	costSessions = 10
	costMost     = 100
	// maxCounted bounds how many calls are counted: months of heavy use.
	maxCounted = 200_000
)

// add counts one call.
func (s *Spent) add(c *store.HookCall) {
	s.Calls++
	s.Tokens += c.Tokens
	switch c.Outcome {
	case Injected:
		s.Injected++
	case Failed:
		s.Failed++
	case Noted, Ignored:
	default:
		if s.Withheld == nil {
			s.Withheld = map[string]int{}
		}
		s.Withheld[c.Outcome]++
	}
}

// Cost says what hooks cost and brought.
func (k *Keeper) Cost(ctx context.Context, _ mind.Caller, in CostInput) (CostOutput, error) {
	for _, f := range []struct {
		name       string
		value      *int
		usual, max int
	}{{"days", &in.Days, costDays, int(keepCalls / (24 * time.Hour))}, {"limit", &in.Limit, costSessions, costMost}} {
		if *f.value == 0 {
			*f.value = f.usual
		}
		if *f.value < 1 || *f.value > f.max {
			return CostOutput{}, &memory.InputError{Field: f.name, Problem: fmt.Sprintf("%d is out of range", *f.value), Hint: fmt.Sprintf("use 1 to %d", f.max)}
		}
	}
	if err := k.saveCalls(ctx); err != nil { // so that the answer is of now
		return CostOutput{}, err
	}
	since := k.mind.Now().AddDate(0, 0, -in.Days)
	calls, err := k.store.HookCalls(ctx, store.HookCallFilter{Session: in.Session, Since: since, Limit: maxCounted})
	if err != nil {
		return CostOutput{}, err
	}
	captured, err := k.store.Captured(ctx)
	if err != nil {
		return CostOutput{}, err
	}
	out := CostOutput{Since: since, Kinds: map[string]int{}, Events: eventCosts(calls), Truncated: len(calls) == maxCounted}
	sessions := map[string]*SessionCost{}
	for i := range calls {
		c := &calls[i]
		out.add(c)
		s := sessions[c.Session]
		if s == nil {
			s = &SessionCost{Session: c.Session, Last: c.At}
			sessions[c.Session] = s
		}
		s.add(c)
	}
	out.count(captured, sessions, in.Session)
	out.Sessions = len(sessions)
	list := slices.SortedFunc(maps.Values(sessions), func(a, b *SessionCost) int {
		return cmp.Or(b.Last.Compare(a.Last), cmp.Compare(a.Session, b.Session))
	})
	out.Latest = make([]SessionCost, 0, in.Limit)
	for _, s := range list[:min(len(list), in.Limit)] {
		out.Latest = append(out.Latest, *s)
	}
	return out, nil
}

// count adds what was learned; of one session only, if that was asked for.
func (o *CostOutput) count(captured []store.Captured, sessions map[string]*SessionCost, only string) {
	for _, c := range captured {
		if only != "" && c.Session != only {
			continue
		}
		o.Kinds[c.Kind.String()] += c.Memories
		o.Converged += c.Converged
		if s := sessions[c.Session]; s != nil {
			s.Captured += c.Memories
			s.Converged += c.Converged
		}
	}
}

// eventCosts counts calls by event.
func eventCosts(calls []store.HookCall) []EventCost {
	times := map[string][]time.Duration{}
	costs := map[string]*EventCost{}
	for i := range calls {
		c := &calls[i]
		e := costs[c.Event]
		if e == nil {
			e = &EventCost{Event: c.Event}
			costs[c.Event] = e
		}
		e.add(c)
		times[c.Event] = append(times[c.Event], c.Took)
	}
	var out []EventCost
	for _, name := range slices.Concat(Events(), slices.Sorted(maps.Keys(costs))) {
		e := costs[name]
		if e == nil {
			continue
		}
		delete(costs, name)
		took := times[name]
		slices.Sort(took)
		e.P50, e.P99 = atShare(took, 0.5), atShare(took, 0.99)
		out = append(out, *e)
	}
	return out
}

// atShare returns the time in milliseconds that a share of sorted times does
// not exceed.
func atShare(sorted []time.Duration, share float64) float64 {
	i := min(int(share*float64(len(sorted))), len(sorted)-1)
	return float64(sorted[i].Microseconds()) / 1000
}
