package past

import (
	"context"
	"slices"
	"time"

	"chitta/internal/follow"
	"chitta/internal/session"
	"chitta/internal/store"
)

// thread is a thread of a session as its client has it. Messages that a
// fork repeats are stored once, with the session they were said in, so the
// beginning of a fork stands in other sessions.
type thread struct {
	places []store.Position // in order
	shared map[int64]string // ids of the other sessions, by row number
}

// inherited returns how many messages belong to other sessions than this.
func (t *thread) inherited(session int64) (n int) {
	for i := range t.places {
		if t.places[i].Session != session {
			n++
		}
	}
	return n
}

// threadOf returns a thread of a session: of a fork's main thread what it
// shares with the sessions it was forked from, then its own. What was forgotten
// is missing, and for an agent what was said in another project.
func (a *Archive) threadOf(ctx context.Context, who Reader, s store.Session, agent string) (thread, error) {
	own, err := a.store.Positions(ctx, s.Seq, agent)
	if err != nil || agent != "" || s.ForkedFrom == 0 {
		return thread{places: own}, err
	}
	origins, err := a.origins(ctx, who, &s)
	if err != nil {
		return thread{}, err
	}
	w := lineage{store: a.store, source: s.Source, at: map[string]int{}, forked: s.Ended}
	out := thread{shared: map[int64]string{}}
	for _, o := range origins {
		places, err := a.store.Positions(ctx, o.Seq, "")
		if err != nil {
			return thread{}, err
		}
		w.all = append(w.all, places...)
		out.shared[o.Seq] = o.ID
	}
	w.own = len(w.all)
	w.all = append(w.all, own...)
	out.places, err = w.thread(ctx)
	return out, err
}

// origins returns the sessions that a fork comes from, the first of them first,
// as far back as they are there and may be read.
func (a *Archive) origins(ctx context.Context, who Reader, s *store.Session) ([]store.Session, error) {
	var out []store.Session
	seen := map[int64]bool{0: true, s.Seq: true}
	for from := s.ForkedFrom; !seen[from]; {
		seen[from] = true
		found, err := a.store.SessionsBySeq(ctx, []int64{from})
		if err != nil {
			return nil, err
		}
		o, ok := found[from]
		if !ok || !o.Forgotten.IsZero() || o.Source != s.Source || !who.Person && o.Realm != s.Realm {
			break
		}
		out = append(out, o)
		from = o.ForkedFrom
	}
	slices.Reverse(out)
	return out, nil
}

// lineage finds which messages of the sessions it comes from belong to a fork.
type lineage struct {
	store  *store.Store
	source string
	all    []store.Position // of the sessions it comes from, then its own
	own    int              // where its own begin
	at     map[string]int   // by id
	in     []bool           // whether they belong to the fork
	forked time.Time        // when, if it has none of its own
}

// thread returns the messages that the fork's own ones follow, and those.
func (w *lineage) thread(ctx context.Context) ([]store.Position, error) {
	for i := range w.all {
		w.at[w.all[i].ID] = i
	}
	w.in = make([]bool, len(w.all))
	for i := w.first(); i < len(w.all); i++ {
		for j := i; j >= 0 && !w.in[j]; {
			w.in[j] = true
			var err error
			if j, err = w.before(ctx, j); err != nil {
				return nil, err
			}
		}
	}
	if err := w.beside(ctx); err != nil {
		return nil, err
	}
	var out []store.Position
	for i := range w.all {
		if w.in[i] {
			out = append(out, w.all[i])
		}
	}
	return out, nil
}

// first returns where to begin: with the fork's own messages, or if it has none
// with the last one it repeats.
func (w *lineage) first() int {
	if w.own < len(w.all) {
		return w.own
	}
	last := len(w.all) - 1
	for last > 0 && w.all[last].Time.After(w.forked) {
		last--
	}
	w.all = w.all[:last+1]
	w.own = len(w.all)
	return max(0, last)
}

// before returns the message that one follows, -1 if there is none. Clients
// link messages through notes that are not stored; across one of those it is
// the last message that was said before.
func (w *lineage) before(ctx context.Context, i int) (int, error) {
	p := &w.all[i]
	parent := p.Parent
	if parent == "" {
		said, err := w.read(ctx, i)
		if err != nil || said == nil || said.LogicalParent == "" {
			return -1, err
		}
		parent = said.LogicalParent
	}
	if j, ok := w.at[parent]; ok {
		return j, nil
	}
	for j := i - 1; j >= 0; j-- {
		if w.all[j].Session == p.Session || !w.all[j].Time.After(p.Time) {
			return j, nil
		}
	}
	return -1, nil
}

// beside adds what stands beside the line of messages: of calls that were made
// at once, only one is on it.
func (w *lineage) beside(ctx context.Context) error {
	last := w.own - 1
	for last >= 0 && !w.in[last] {
		last--
	}
	for i := range max(0, last) {
		parent, ok := w.at[w.all[i].Parent]
		if w.in[i] || !ok || parent >= i || !w.in[parent] {
			continue
		}
		said, err := w.read(ctx, i)
		if err != nil {
			return err
		}
		before, err := w.read(ctx, parent)
		if err != nil {
			return err
		}
		w.in[i] = said != nil && before != nil && (said.Response != "" && said.Response == before.Response || answers(said))
	}
	return nil
}

// answers reports whether a message brings the result of a call.
func answers(m *session.Message) bool {
	return slices.ContainsFunc(m.Parts, func(p session.Part) bool { return p.Kind == session.ToolResult })
}

// read returns a message, nil if its record cannot be read.
func (w *lineage) read(ctx context.Context, i int) (*session.Message, error) {
	raw, err := w.store.Record(ctx, w.all[i].Session, w.all[i].ID)
	if err != nil {
		return nil, err
	}
	said, err := follow.ReadMessage(w.source, raw)
	if err != nil {
		return nil, nil // it says nothing about others
	}
	return said, nil
}

// messagesAt reads messages, at least one if there is any and no more than
// about maxBytes of them.
func (a *Archive) messagesAt(ctx context.Context, places []store.Position, maxBytes int) ([]store.Message, error) {
	var seqs []int64
	for size, i := 0, 0; i < len(places) && size < maxBytes; i++ {
		size += places[i].Bytes
		seqs = append(seqs, places[i].Seq)
	}
	found, err := a.store.MessagesBySeq(ctx, seqs)
	if err != nil {
		return nil, err
	}
	var out []store.Message
	for _, seq := range seqs {
		if x, ok := found[seq]; ok {
			out = append(out, x.Message)
		}
	}
	return out, nil
}
