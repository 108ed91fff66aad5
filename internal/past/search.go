package past

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"chitta/internal/follow"
	"chitta/internal/keyword"
	"chitta/internal/memory"
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
	Session Session     `json:"session"`
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
func (a *Archive) Search(ctx context.Context, who Reader, in SearchInput) (SearchOutput, error) {
	s, err := a.newSearch(ctx, who, in)
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
	*Archive
	query  *query
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

func (a *Archive) newSearch(ctx context.Context, who Reader, in SearchInput) (*searching, error) {
	s := &searching{Archive: a, roles: map[string]bool{}, found: map[int64]*SearchSession{}, seen: map[string]bool{}, most: perSession,
		calls: follow.NewCalls(a.store)}
	var err error
	if s.query, err = parseQuery(a.analyzer, in.Query, in.Regex, in.Exact); err != nil {
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
	if s.out.Realm, err = a.Scope(ctx, who, in.Realm); err != nil {
		return nil, err
	}
	if in.Session != "" {
		x, err := a.findNear(ctx, who, "session", in.Session, cmp.Or(s.out.Realm, All))
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
	if s.scan.Since, err = memory.ParseTime("since", in.Since, a.now()); err != nil {
		return nil, err
	}
	if s.scan.Until, err = memory.ParseTime("until", in.Until, a.now()); err != nil {
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
