package past

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"chitta/internal/follow"
	"chitta/internal/keyword"
	"chitta/internal/session"
	"chitta/internal/store"
)

// run looks in the index, or in the messages themselves while that is out of
// order: what was said is not lost because an index is.
func (s *searching) run(ctx context.Context) error {
	if damage := s.messages.Damage(); damage != nil {
		return s.readInstead(ctx, damage)
	}
	var err error
	if s.query.exact() {
		err = s.verified(ctx)
	} else {
		err = s.ranked(ctx)
	}
	if none := (*noIndexError)(nil); errors.As(err, &none) {
		return s.readInstead(ctx, none.why)
	}
	if text := s.messages.Lagging(); text != "" {
		s.note(text)
	}
	return err
}

// ranked finds messages by words, the best first: those that have all of them
// as typed, or if there are none those that have the words of names and paths,
// or if there are none of these either those that have some.
func (s *searching) ranked(ctx context.Context) error {
	hits, err := s.ask(ctx, s.query.strict, searchCount)
	if err == nil && len(hits) == 0 {
		hits, err = s.ask(ctx, s.query.must, searchCount)
	}
	if err != nil {
		return err
	}
	if len(hits) == 0 && len(s.query.must) > 1 {
		if hits, err = s.ask(ctx, nil, s.limit); err != nil {
			return err
		}
		s.out.Loose = len(hits) > 0
	}
	s.out.More = len(hits) == searchCount || s.out.Loose && len(hits) == s.limit
	// what is shown is known from the index but for the text, so only that is
	// read
	for read := 0; len(hits) > 0 && s.shown < s.limit && read < searchShown; {
		batch := hits[:min(len(hits), s.limit)]
		hits, read = hits[len(batch):], read+len(batch)
		rows, err := s.load(ctx, batch)
		if err != nil {
			return err
		}
		for i := range rows {
			if err := s.consider(ctx, &rows[i], false); err != nil {
				return err
			}
		}
	}
	s.out.Found += len(hits)
	return nil
}

// ask asks the index.
func (s *searching) ask(ctx context.Context, must []string, most int) ([]keyword.Hit, error) {
	index, err := s.messages.Ready()
	if err != nil {
		return nil, &noIndexError{err}
	}
	hits, err := index.Search(ctx, keyword.Query{Terms: s.query.terms, Must: must, K: most, Filter: s.filter, Fields: s.fields})
	if err != nil && ctx.Err() == nil {
		err = &noIndexError{err}
	}
	return hits, err
}

// load reads messages in the order of the hits.
func (s *searching) load(ctx context.Context, hits []keyword.Hit) ([]store.Said, error) {
	seqs := make([]int64, len(hits))
	for i, h := range hits {
		seqs[i] = int64(h.ID)
	}
	rows, err := s.store.MessagesBySeq(ctx, seqs)
	out := make([]store.Said, 0, len(rows))
	for _, seq := range seqs {
		if row, ok := rows[seq]; ok {
			out = append(out, row)
		}
	}
	return out, err
}

// verified finds messages by phrases or an expression, the last stored first.
// The index proposes candidates where it can; otherwise records are looked
// through.
func (s *searching) verified(ctx context.Context) error {
	if len(s.query.must) == 0 {
		return s.look(ctx)
	}
	hits, err := s.ask(ctx, s.query.must, searchCandidates)
	if err != nil {
		return err
	}
	s.out.More = len(hits) == searchCandidates
	slices.SortFunc(hits, func(a, b keyword.Hit) int { return cmp.Compare(b.ID, a.ID) })
	for size := s.limit; len(hits) > 0; size = min(2*size, searchLoad) {
		batch := hits[:min(len(hits), size)]
		hits = hits[len(batch):]
		seqs := make([]int64, len(batch))
		for i, h := range batch {
			seqs[i] = int64(h.ID)
		}
		enough := false
		err := s.store.EachBySeq(ctx, seqs, func(row *store.Said) (bool, error) {
			err := s.verify(ctx, row)
			enough = s.shown == s.limit
			return !enough, err
		})
		if err != nil || enough {
			s.out.More = s.out.More || enough
			return err
		}
	}
	return nil
}

// look looks through records, the last stored first.
func (s *searching) look(ctx context.Context) error {
	read := 0
	err := s.store.ScanMessages(ctx, s.scan, func(row *store.Said) (bool, error) {
		if read += len(row.Raw); read > searchScan {
			s.out.More = true
			s.out.Stopped = fmt.Sprintf("stopped after %d MB of records, at %s; a session, a time or a longer word narrows it", searchScan>>20, row.Time.Format(time.DateOnly))
			return false, nil
		}
		if err := s.verify(ctx, row); err != nil {
			return false, err
		}
		if s.shown == s.limit {
			s.out.More = true
			return false, nil
		}
		return true, ctx.Err()
	})
	if errors.Is(err, context.DeadlineExceeded) && len(s.order) > 0 {
		s.out.More, s.out.Stopped = true, "stopped when the time was up"
		return nil
	}
	return err
}

// verify takes a message into the answer if it meets every condition.
func (s *searching) verify(ctx context.Context, row *store.Said) error {
	var may bool
	if may, s.scratch = s.query.mayMatch(row.Raw, s.scratch); !may {
		return nil
	}
	if x := s.found[row.Session]; x != nil && len(x.Hits) >= s.most && s.query.plain() {
		x.More++ // near enough to count it
		s.out.Found++
		return nil
	}
	return s.consider(ctx, row, true)
}

// consider takes a message into the answer if it matches; strict holds it
// against every condition, otherwise the index has done that.
func (s *searching) consider(ctx context.Context, row *store.Said, strict bool) error {
	msg, err := follow.ReadMessage(row.Source, row.Raw)
	if err != nil || s.seen[row.ID] || s.file != "" && !follow.Touches(msg, s.file) {
		return nil // what cannot be read has nothing to find
	}
	passages := slices.DeleteFunc(follow.PassagesOf(msg, nil), func(p follow.Passage) bool { return !s.roles[p.Role] })
	best, most, met := -1, 0, uint64(0)
	places := make([][]place, len(passages))
	for i, p := range passages {
		places[i] = s.query.places(s.analyzer, p.Text)
		if n := conditions(places[i]); n > most {
			best, most = i, n
		}
		for _, x := range places[i] {
			met |= 1 << min(x.what, 63)
		}
	}
	if len(passages) == 0 || strict && met != s.query.all() {
		return nil
	}
	p := &passages[max(best, 0)] // words may stand beyond what is looked at
	if p.Role == follow.RoleTool && p.Tool == "" {
		if err := s.calls.Resolve(ctx, row.Session, msg); err != nil {
			return err
		}
		p.Tool = s.calls.ToolOf(msg, p.Text)
	}
	if s.tool != "" && strings.ToLower(p.Tool) != s.tool {
		return nil
	}
	// the id of a turn is unique in its session only
	if row.Source == (session.ClaudeCode{}).Name() {
		s.seen[row.ID] = true
	}
	s.take(row, msg, *p, places[max(best, 0)])
	return nil
}

func (s *searching) take(row *store.Said, msg *session.Message, p follow.Passage, at []place) {
	s.out.Found++
	x := s.found[row.Session]
	if x == nil {
		if s.shown == s.limit {
			return
		}
		x = &SearchSession{}
		s.found[row.Session] = x
		s.order = append(s.order, row.Session)
	}
	if len(x.Hits) >= s.most || s.shown == s.limit {
		x.More++
		return
	}
	s.shown++
	text, marks := snippet(p.Text, at)
	x.Hits = append(x.Hits, SearchHit{
		ID: row.ID, Position: row.Position, Role: p.Role, Speaker: msg.Speaker, Agent: row.Agent, Tool: p.Tool,
		Time: row.Time, Snippet: text, Marks: marks,
	})
}

// finish names the sessions.
func (s *searching) finish(ctx context.Context) (SearchOutput, error) {
	bySeq, err := s.store.SessionsBySeq(ctx, s.order)
	if err != nil {
		return SearchOutput{}, err
	}
	sessions := make([]store.Session, len(s.order))
	for i, seq := range s.order {
		sessions[i] = bySeq[seq]
	}
	views, err := s.sessionsOf(ctx, sessions...)
	if err != nil {
		return SearchOutput{}, err
	}
	for i, seq := range s.order {
		x := s.found[seq]
		x.Session = views[i]
		slices.SortFunc(x.Hits, func(a, b SearchHit) int { return cmp.Compare(a.Position, b.Position) })
		s.out.Sessions = append(s.out.Sessions, *x)
	}
	return s.out, nil
}

// noIndexError says why the index of messages cannot answer.
type noIndexError struct{ why error }

func (e *noIndexError) Error() string { return e.why.Error() }

func (e *noIndexError) Unwrap() error { return e.why }

func (s *searching) note(text string) {
	s.out.Degraded = append(s.out.Degraded, s.messages.Name()+": "+text)
}

// readFor is how long messages are read one by one for one search.
const readFor = 10 * time.Second

// readInstead looks through the records, the last stored first, for what the
// index would have found.
func (s *searching) readInstead(ctx context.Context, why error) error {
	s.messages.Damage() // sees to it that it is made anew
	s.note(fmt.Sprintf("%v; they are read one by one instead, the last stored first", why))
	hurried, cancel := context.WithTimeout(ctx, readFor)
	defer cancel()
	err := s.look(hurried)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		s.out.More, s.out.Stopped = true, fmt.Sprintf("stopped after %s; a session or a time narrows it", readFor)
		return nil
	}
	return err
}
