package mind

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"chitta/internal/follow"
	"chitta/internal/keyword"
	"chitta/internal/memory"
	"chitta/internal/session"
	"chitta/internal/store"
)

// SearchInput is a verbatim search over everything said in conversations.
type SearchInput struct {
	Query    string `json:"query" jsonschema:"words that all have to occur, a phrase in double quotes that has to stand there as it is, or /a regular expression/ (RE2)"`
	Regex    bool   `json:"regex,omitempty" jsonschema:"the query is a regular expression"`
	Exact    bool   `json:"exact,omitempty" jsonschema:"the whole query is one phrase"`
	Realm    string `json:"realm,omitempty" jsonschema:"project: id or name; all for every project; default: that of the working directory"`
	Role     string `json:"role,omitempty" jsonschema:"who says it: user (a person), assistant, tool (calls and results) or system; default all"`
	Since    string `json:"since,omitempty" jsonschema:"only from this time on: a date, a time or a span such as 3d"`
	Until    string `json:"until,omitempty" jsonschema:"only before this time"`
	File     string `json:"file,omitempty" jsonschema:"only messages about this file: its name, the end of its path or the whole path"`
	Tool     string `json:"tool,omitempty" jsonschema:"only calls and results of this tool"`
	Session  string `json:"session,omitempty" jsonschema:"only this session: its id or the unique start of it"`
	Thinking bool   `json:"thinking,omitempty" jsonschema:"search what agents thought as well"`
	Limit    int    `json:"limit,omitempty" jsonschema:"most messages, 1 to 100; default 20"`
}

// SearchOutput is what was found, by session.
type SearchOutput struct {
	Mode     string          `json:"mode"` // how the query was understood: words, phrase or regex
	Sessions []SearchSession `json:"sessions"`
	Found    int             `json:"found"`             // messages that match, as far as was counted
	More     bool            `json:"more,omitempty"`    // there may be others
	Loose    bool            `json:"loose,omitempty"`   // no message has all words; these have some
	Stopped  string          `json:"stopped,omitempty"` // why not everything was looked at
	Realm    string          `json:"realm"`             // "" for every project
	Degraded []string        `json:"degraded,omitempty"`
}

// SearchSession is a session and what was found in it.
type SearchSession struct {
	Session SessionView `json:"session"`
	Hits    []SearchHit `json:"hits"`           // in the order they were said
	More    int         `json:"more,omitempty"` // found in it and not shown
}

// SearchHit is a message that matches.
type SearchHit struct {
	ID       string    `json:"id"`
	Position int64     `json:"position"`
	Role     string    `json:"role"` // of the passage shown
	Speaker  string    `json:"speaker,omitempty"`
	Agent    string    `json:"agent,omitempty"` // the subagent whose thread it is in
	Tool     string    `json:"tool,omitempty"`
	Time     time.Time `json:"time,omitzero"`
	Snippet  string    `json:"snippet"`
	Marks    []Mark    `json:"marks"`
}

const (
	searchDefault = 20
	searchMost    = 100
	// perSession is how many messages of one session are shown before others
	// get their turn.
	perSession = 5
	// searchCount is how far matches are counted.
	searchCount = 1000
	// searchCandidates is how many messages a phrase or an expression is held
	// against at most, the best by words first.
	searchCandidates = 10_000
	// searchShown is how many messages are read to show those that words found.
	searchShown = 200
	// searchLoad is how many messages are read at once at most.
	searchLoad = 100
	// searchScan is how many bytes of records are looked through, newest first,
	// for what the index cannot find: about a second's work.
	searchScan = 256 << 20
)

// Search finds messages word for word.
func (m *Mind) Search(ctx context.Context, c Caller, in SearchInput) (SearchOutput, error) {
	s, err := m.newSearch(ctx, c, in)
	if err != nil {
		return SearchOutput{}, err
	}
	if err := s.run(ctx); err != nil {
		return SearchOutput{}, err
	}
	return s.finish(ctx)
}

// searching is one verbatim search.
type searching struct {
	*Mind
	query  *searchQuery
	filter keyword.Filter
	roles  map[string]bool // that are searched
	fields []keyword.Field // those that are not, switched off
	file   string          // to be held against messages; "" when labels do
	tool   string
	scan   store.MessageFilter
	limit  int
	most   int // of one session
	out    SearchOutput

	found map[int64]*SearchSession // by session
	order []int64                  // of sessions
	shown int
	seen  map[string]bool // ids of messages: forks repeat them
	calls *follow.Calls

	scratch []byte
}

func (m *Mind) newSearch(ctx context.Context, c Caller, in SearchInput) (*searching, error) {
	s := &searching{Mind: m, roles: map[string]bool{}, found: map[int64]*SearchSession{}, seen: map[string]bool{}, most: perSession,
		calls: follow.NewCalls(m.store)}
	var err error
	if s.query, err = parseSearch(m.analyzer, in.Query, in.Regex, in.Exact); err != nil {
		return nil, err
	}
	s.out = SearchOutput{Mode: s.query.mode(), Sessions: []SearchSession{}}
	if s.limit, err = memory.CheckLimit(in.Limit, searchDefault, searchMost, "narrow the search instead"); err != nil {
		return nil, err
	}
	if in.Tool != "" {
		if err := memory.CheckText("tool", in.Tool, memory.MaxName); err != nil {
			return nil, err
		}
		if in.Role != "" && !strings.EqualFold(in.Role, follow.RoleTool) {
			return nil, &memory.InputError{Field: "tool", Problem: "does not go with role " + in.Role, Hint: "leave one of them out"}
		}
		in.Role = follow.RoleTool
		s.tool = strings.ToLower(strings.TrimSpace(in.Tool))
		s.need("tool=" + s.tool)
	}
	if err := s.choose(in.Role, in.Thinking); err != nil {
		return nil, err
	}
	if s.out.Realm, err = m.searchRealm(ctx, c, in.Realm); err != nil {
		return nil, err
	}
	if in.Session != "" {
		x, err := m.sessionNear(ctx, c, "session", in.Session, cmp.Or(s.out.Realm, realmAll))
		if err != nil {
			return nil, err
		}
		s.need("session=" + strconv.FormatInt(x.Seq, 10))
		s.scan.Session, s.most, s.out.Realm = x.Seq, searchMost, x.Realm
	}
	if s.out.Realm != "" {
		s.need("realm=" + s.out.Realm)
		s.scan.Realm = s.out.Realm
	}
	if s.scan.Since, err = memory.ParseTime("since", in.Since, m.opts.Now()); err != nil {
		return nil, err
	}
	if s.scan.Until, err = memory.ParseTime("until", in.Until, m.opts.Now()); err != nil {
		return nil, err
	}
	if !s.scan.Since.IsZero() {
		s.filter.After = s.scan.Since.UnixMilli()
	}
	if !s.scan.Until.IsZero() {
		s.filter.Before = s.scan.Until.UnixMilli()
	}
	if in.File != "" {
		if err := memory.CheckText("file", in.File, memory.MaxPath); err != nil {
			return nil, err
		}
		label, _ := follow.PathLabel(in.File)
		s.need(label)
		s.file = in.File
	}
	return s, nil
}

func (s *searching) need(labels ...string) { s.filter.All = append(s.filter.All, labels) }

// choose says which roles are searched.
func (s *searching) choose(role string, thinking bool) error {
	wanted := follow.Roles
	if role != "" {
		name, err := memory.ParseOneOf("role", role, follow.Roles)
		if err != nil {
			return err
		}
		wanted = []string{name}
	}
	for _, r := range wanted {
		s.roles[r] = true
	}
	s.roles[follow.RoleThinking] = thinking
	var labels []string
	for _, name := range append(slices.Clone(follow.Roles), follow.RoleThinking) {
		if s.roles[name] {
			labels = append(labels, "role="+name)
		} else {
			s.fields = append(s.fields, keyword.Field{Name: name, Weight: -1})
		}
	}
	if role != "" {
		s.need(labels...)
	}
	return nil
}

// searchRealm says in which realm to look, "" for every one: people search
// their own history, and asking for all of it is explicit.
func (m *Mind) searchRealm(ctx context.Context, c Caller, name string) (string, error) {
	if strings.EqualFold(name, realmAll) {
		if !c.Person() {
			return "", &memory.RefusedError{Reason: "conversations of other projects are for people to search", Hint: "leave realm out, or ask the user to run: chitta search --realm all"}
		}
		return "", nil
	}
	r, _, err := m.scope(ctx, c, name)
	return r, err
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

// all is the set of conditions that a match meets.
func (q *searchQuery) all() uint64 {
	n := len(q.phrases) + len(q.words)
	if q.re != nil {
		n = 1
	}
	if n >= 64 {
		return ^uint64(0)
	}
	return 1<<n - 1
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
	views, err := s.viewsOf(ctx, sessions...)
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
