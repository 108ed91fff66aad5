package past

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"chitta/internal/follow"
	"chitta/internal/memory"
	"chitta/internal/session"
	"chitta/internal/store"
)

// BlameInput asks which sessions touched a file.
type BlameInput struct {
	File  string `json:"file" jsonschema:"the file: a path from the working directory or from the top of the project, an absolute path, or the end of one"`
	Reads bool   `json:"reads,omitempty" jsonschema:"show sessions that only read it too"`
	Limit int    `json:"limit,omitempty" jsonschema:"most sessions, 1 to 100; default 10"`
	Since string `json:"since,omitempty" jsonschema:"only from this time on: a date, a time or a span such as 3d"`
	Realm string `json:"realm,omitempty" jsonschema:"project: id or name; all for every project; default: that of the working directory"`
}

// BlameTurn is one turn in which a file was touched.
type BlameTurn struct {
	ID      string    `json:"id"` // of the message with the last touch
	Created time.Time `json:"created,omitzero"`
	Agent   string    `json:"agent,omitempty"` // the subagent that did it
	Edits   int       `json:"edits"`
	Writes  int       `json:"writes"`
	Reads   int       `json:"reads"`
	Why     string    `json:"why,omitempty"` // what was asked for
	WhyID   string    `json:"why_id,omitempty"`
	Decided string    `json:"decided,omitempty"` // what the agent said at the end of it
	SaidID  string    `json:"said_id,omitempty"`
}

// BlameSession is a session that touched a file.
type BlameSession struct {
	Session string      `json:"session"`
	Title   string      `json:"title,omitempty"`
	Branch  string      `json:"branch,omitempty"`
	First   time.Time   `json:"first,omitzero"`
	Last    time.Time   `json:"last,omitzero"`
	Edits   int         `json:"edits"`
	Writes  int         `json:"writes"`
	Reads   int         `json:"reads"`
	Paths   []string    `json:"paths"` // as they were named there
	Turns   []BlameTurn `json:"turns"` // newest first, not all of them
}

// Blamed is who touched a file: sessions that changed it first, newest first.
type Blamed struct {
	Files    []string // which files were meant
	Sessions []BlameSession
	Changed  int    // sessions that changed it
	Read     int    // sessions that only read it
	Realm    string // "" for every project
}

const (
	blameSessions = 10
	blameMost     = 100
	blameTurns    = 3
	// blameTouches bounds how far back is looked.
	blameTouches = 20_000
	whyTokens    = 60
	decidedRunes = 400
)

// Blame says which sessions touched a file, what they were asked for and what
// came of it.
func (a *Archive) Blame(ctx context.Context, who Reader, in BlameInput) (Blamed, error) {
	out := Blamed{Files: []string{}, Sessions: []BlameSession{}}
	file := strings.TrimSpace(in.File)
	if file == "" {
		return out, &memory.InputError{Field: "file", Problem: "is empty", Hint: "name a file"}
	}
	if err := memory.CheckText("file", file, memory.MaxPath); err != nil {
		return out, err
	}
	limit, err := memory.CheckLimit(in.Limit, blameSessions, blameMost, "ask for less")
	if err != nil {
		return out, err
	}
	since, err := memory.ParseTime("since", in.Since, a.now())
	if err != nil {
		return out, err
	}
	realm := in.Realm
	if strings.EqualFold(realm, All) && !who.Person {
		realm = "" // what was done is told an agent of its own project only
	}
	if out.Realm, err = a.Scope(ctx, who, realm); err != nil {
		return out, err
	}
	paths, roots, err := a.filesMeant(ctx, who, out.Realm, file)
	if err != nil {
		return out, err
	}
	for _, p := range paths {
		if name := follow.ShownPath(roots, p); !slices.Contains(out.Files, name) {
			out.Files = append(out.Files, name)
		}
	}
	touches, err := a.store.TouchesOfFiles(ctx, out.Realm, paths, since, blameTouches)
	if err != nil {
		return out, err
	}
	sessions := groupTouches(touches, in.Reads, &out)
	sessions = sessions[:min(len(sessions), limit)]
	out.Sessions, err = a.blamed(ctx, sessions)
	return out, err
}

// touchedTurn is what one turn of a session did to a file.
type touchedTurn struct {
	last                 store.Touch
	edits, writes, reads int
}

// touchedSession is what a session did to a file.
type touchedSession struct {
	session              int64
	first, last          time.Time // of changes if there are any
	edits, writes, reads int
	paths                []string
	turns                []*touchedTurn // newest first
}

// groupTouches puts touches, newest first, together by session and turn, and
// counts the sessions. Those that only read come last, or not at all.
func groupTouches(touches []store.Touch, reads bool, out *Blamed) []*touchedSession {
	type turnKey struct {
		session, turn int64
		agent         string
	}
	sessions, turns := map[int64]*touchedSession{}, map[turnKey]*touchedTurn{}
	var order []*touchedSession
	for _, t := range touches {
		if t.Failed {
			continue
		}
		s := sessions[t.Session]
		if s == nil {
			s = &touchedSession{session: t.Session}
			sessions[t.Session] = s
			order = append(order, s)
		}
		key := turnKey{t.Session, t.Turn, t.Agent}
		x := turns[key]
		if x == nil {
			x = &touchedTurn{last: t}
			turns[key] = x
			s.turns = append(s.turns, x)
		}
		switch t.Action {
		case "edit":
			s.edits, x.edits = s.edits+1, x.edits+1
		case "write":
			s.writes, x.writes = s.writes+1, x.writes+1
		default:
			s.reads, x.reads = s.reads+1, x.reads+1
		}
		if t.Changes() && !x.last.Changes() {
			x.last = t
		}
		if t.Time.After(s.last) {
			s.last = t.Time
		}
		if s.first.IsZero() || t.Time.Before(s.first) {
			s.first = t.Time
		}
		if !slices.Contains(s.paths, t.Path) {
			s.paths = append(s.paths, t.Path)
		}
	}
	for _, s := range order {
		if s.changed() {
			out.Changed++
			// turns that only read say little beside those that changed it
			slices.SortStableFunc(s.turns, func(a, b *touchedTurn) int { return cmp.Compare(min(1, b.edits+b.writes), min(1, a.edits+a.writes)) })
		} else {
			out.Read++
		}
	}
	slices.SortStableFunc(order, func(a, b *touchedSession) int {
		if a.changed() != b.changed() {
			if a.changed() {
				return -1
			}
			return 1
		}
		return cmp.Or(b.last.Compare(a.last), cmp.Compare(b.session, a.session))
	})
	if !reads {
		order = order[:out.Changed]
	}
	return order
}

func (s *touchedSession) changed() bool { return s.edits+s.writes > 0 }

// blamed loads why a file was touched and what was decided.
func (a *Archive) blamed(ctx context.Context, list []*touchedSession) ([]BlameSession, error) {
	seqs := make([]int64, len(list))
	for i, s := range list {
		seqs[i] = s.session
	}
	sessions, err := a.store.SessionsBySeq(ctx, seqs)
	if err != nil {
		return nil, err
	}
	out := []BlameSession{}
	for _, s := range list {
		x := sessions[s.session]
		b := BlameSession{
			Session: x.ID, Title: x.Title, Branch: x.Branch, First: s.first, Last: s.last,
			Edits: s.edits, Writes: s.writes, Reads: s.reads, Paths: s.paths, Turns: []BlameTurn{},
		}
		for _, t := range s.turns[:min(len(s.turns), blameTurns)] {
			turn, err := a.blamedTurn(ctx, &x, t)
			if err != nil {
				return nil, err
			}
			b.Turns = append(b.Turns, turn)
		}
		out = append(out, b)
	}
	return out, nil
}

func (a *Archive) blamedTurn(ctx context.Context, s *store.Session, t *touchedTurn) (BlameTurn, error) {
	out := BlameTurn{ID: t.last.MessageID, Created: t.last.Time, Agent: t.last.Agent, Edits: t.edits, Writes: t.writes, Reads: t.reads}
	request, turn, err := a.requestOf(ctx, t.last.Session, t.last.Agent, t.last.Turn, t.last.Time)
	if err != nil || request.Seq == 0 {
		return out, err
	}
	ids, err := a.store.ChunkMessages(ctx, []int64{request.Seq})
	if err != nil {
		return out, err
	}
	out.Why = Beginning(request.Text, whyTokens)
	if list := ids[request.Seq]; len(list) > 0 {
		out.WhyID = list[0]
	}
	out.Decided, out.SaidID, err = a.closing(ctx, s, turn)
	return out, err
}

// requestOf returns what a person had asked for when something was done, and
// in which turn of the main thread. What a subagent did was asked for there.
func (a *Archive) requestOf(ctx context.Context, conversation int64, agent string, turn int64, at time.Time) (store.Chunk, int64, error) {
	if agent == "" {
		key := store.TurnKey{Session: conversation, Turn: turn}
		found, err := a.store.Requests(ctx, []store.TurnKey{key})
		return found[key], turn, err
	}
	c, err := a.store.RequestBefore(ctx, conversation, at)
	if err != nil || c.Seq == 0 {
		return c, 0, err
	}
	messages, err := a.store.MessagesBetween(ctx, conversation, c.First, c.First)
	if err != nil || len(messages) == 0 {
		return c, 0, err
	}
	return c, messages[0].Turn, nil
}

// closingMessages is how many messages at the end of a turn are looked at for
// what the agent said.
const closingMessages = 12

// closing returns what the agent said at the end of a turn.
func (a *Archive) closing(ctx context.Context, s *store.Session, turn int64) (text, id string, err error) {
	messages, err := a.store.TurnMessages(ctx, s.Seq, "", turn, closingMessages)
	if err != nil {
		return "", "", err
	}
	for _, x := range messages {
		if x.Role != string(session.Assistant) {
			continue
		}
		said, err := follow.ReadMessage(s.Source, x.Raw)
		if err != nil {
			continue // no longer readable; what came before may be
		}
		var parts []string
		for _, p := range said.Parts {
			if p.Kind == session.Text && !p.Meta && strings.TrimSpace(p.Text) != "" {
				parts = append(parts, strings.TrimSpace(p.Text))
			}
		}
		if len(parts) > 0 {
			return sentences(strings.Join(parts, "\n"), decidedRunes), x.ID, nil
		}
	}
	return "", "", nil
}

// sentences returns whole sentences from the beginning of a text, as many as
// fit.
func sentences(text string, most int) string {
	text = oneLine(text)
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	cut := string(runes[:most])
	end := -1
	for _, stop := range []string{". ", "! ", "? ", "; "} {
		end = max(end, strings.LastIndex(cut, stop))
	}
	if end > len(cut)/3 {
		return cut[:end+1]
	}
	short, _ := Shorten(text, most/runesPerToken)
	return short
}
