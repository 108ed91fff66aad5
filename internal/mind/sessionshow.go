package mind

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"chitta/internal/memory"
	"chitta/internal/session"
	"chitta/internal/store"
)

// SessionShowInput names a session or a message to read.
type SessionShowInput struct {
	ID       string `json:"id,omitempty" jsonschema:"the session or message: its id or the unique start of it"`
	Hash     string `json:"hash,omitempty" jsonschema:"instead of an id: the SHA-256 of a message in hexadecimal, or its first 8 digits or more"`
	Session  string `json:"session,omitempty" jsonschema:"the session of a message whose id is not unique"`
	Agent    string `json:"agent,omitempty" jsonschema:"of a session, the thread of this subagent; default: the main thread"`
	Page     int    `json:"page,omitempty" jsonschema:"of a session, which page, from 1; default 1"`
	Limit    int    `json:"limit,omitempty" jsonschema:"most to return"`
	Around   string `json:"around,omitempty" jsonschema:"of a session, show what stands around this message instead of a page"`
	Context  int    `json:"context,omitempty" jsonschema:"with around: how many messages before and after; default 5"`
	Thinking bool   `json:"thinking,omitempty" jsonschema:"with what the agent thought"`
	Full     bool   `json:"full,omitempty" jsonschema:"with the whole input and output of tools"`
	Raw      bool   `json:"raw,omitempty" jsonschema:"of a message, the record as it is stored"`
	From     int    `json:"from,omitempty" jsonschema:"for a long message: the character to begin at"`
}

// SessionShowOutput is a page of a session, or one message.
type SessionShowOutput struct {
	Session  SessionView   `json:"session"`
	Single   bool          `json:"single,omitempty"` // one message was asked for
	Agent    string        `json:"agent,omitempty"`
	Agents   []ThreadView  `json:"agents,omitempty"` // subagents that have threads of their own
	Messages []MessageView `json:"messages"`
	Page     int           `json:"page,omitempty"`
	Pages    int           `json:"pages,omitempty"`
	Total    int           `json:"total"`            // messages of the thread
	Around   string        `json:"around,omitempty"` // id of the message in the middle
	From     int           `json:"from,omitempty"`
	// Passage says which of the message's passages is shown, of so many; 0 if
	// all of it is.
	Passage  int `json:"passage,omitempty"`
	Passages int `json:"passages,omitempty"`
}

// ThreadView is a subagent's thread.
type ThreadView struct {
	Agent    string `json:"agent"`
	Messages int    `json:"messages"`
}

// MessageView is a message in readable form.
type MessageView struct {
	ID       string     `json:"id"`
	Position int64      `json:"position"`
	Role     string     `json:"role"` // user, assistant, tool or system
	Speaker  string     `json:"speaker,omitempty"`
	Agent    string     `json:"agent,omitempty"`
	Time     time.Time  `json:"time,omitzero"`
	SHA256   string     `json:"sha256"`
	Shared   string     `json:"shared,omitempty"` // the session it was said in, from which this one was forked
	Parts    []PartView `json:"parts"`
	Raw      string     `json:"raw,omitempty"`
}

// PartView is a part of a message in readable form.
type PartView struct {
	Kind    string   `json:"kind"` // text, tool_use, tool_result, thinking, summary, boundary
	Role    string   `json:"role"`
	Tool    string   `json:"tool,omitempty"`
	Text    string   `json:"text"`
	Outcome string   `json:"outcome,omitempty"` // of a call, how it ended
	Failed  bool     `json:"failed,omitempty"`
	Exit    *int     `json:"exit,omitempty"`
	Files   []string `json:"files,omitempty"`
	Cut     int      `json:"cut,omitempty"` // characters that are left out
}

const (
	showDefault = 50
	showMost    = 500
	// aroundDefault is how many messages stand on each side of one.
	aroundDefault = 5
	// pairWithin is how many messages beyond a page are looked at for the
	// results of its calls and the calls of its results.
	pairWithin = 20
	// showBytes bounds the text of an answer; what is beyond it is cut.
	showBytes = 4 << 20
	// showRead bounds how many bytes of records are read for a page.
	showRead = 64 << 20
	// outputRunes is how much of a tool's output is shown unless all of it is
	// asked for, metaRunes how much of what a client put in.
	outputRunes = 300
	metaRunes   = 200
	// leastHash is how many digits of a hash are enough to look for it.
	leastHash = 8
)

// SessionShow returns a page of a session's transcript, or one message.
func (m *Mind) SessionShow(ctx context.Context, c Caller, in SessionShowInput) (SessionShowOutput, error) {
	if (in.ID == "") == (in.Hash == "") {
		return SessionShowOutput{}, &memory.InputError{Field: "id", Problem: "or hash is needed, and only one of them", Hint: "chitta sessions shows the ids of sessions, chitta search those of messages"}
	}
	if in.Hash != "" {
		row, err := m.messageByHash(ctx, in.Hash)
		if err == nil {
			err = m.mayRead(ctx, c, row)
		}
		if err != nil {
			return SessionShowOutput{}, err
		}
		return m.showMessage(ctx, row, in)
	}
	s, row, err := m.sessionOrMessage(ctx, c, in)
	if whole, nth, ok := cutPassage(strings.TrimSpace(in.ID)); ok && errors.As(err, new(*memory.NotFoundError)) {
		named := in
		named.ID = whole
		if _, row, wholeErr := m.sessionOrMessage(ctx, c, named); wholeErr == nil && row != nil {
			return m.showPassage(ctx, row, in, nth)
		}
	}
	switch {
	case err != nil:
		return SessionShowOutput{}, err
	case row != nil:
		return m.showMessage(ctx, row, in)
	case in.Raw:
		return SessionShowOutput{}, &memory.InputError{Field: "raw", Problem: "is for a message", Hint: "name a message, or get the records of a session with chitta export --session " + s.ID}
	}
	return m.showSession(ctx, c, s, in)
}

// sessionOrMessage finds what an id names: a session, a message, or the start
// of either. The whole id of one goes before the start of the other.
func (m *Mind) sessionOrMessage(ctx context.Context, c Caller, in SessionShowInput) (store.Session, *store.Said, error) {
	id := strings.TrimSpace(in.ID)
	if err := checkSessionID("id", id); err != nil {
		return store.Session{}, nil, err
	}
	if in.Session != "" {
		s, err := m.sessionNamed(ctx, c, "session", in.Session)
		if err != nil {
			return s, nil, err
		}
		row, err := m.messageIn(ctx, c, "id", id, s)
		return s, row, err
	}
	s, err := m.sessionNamed(ctx, c, "id", id)
	if err == nil && s.ID == id {
		return s, nil, nil
	}
	row, rowErr := m.messageNamed(ctx, c, "id", id, nil)
	if rowErr == nil {
		rowErr = m.mayRead(ctx, c, row)
	}
	missing, none := (*memory.NotFoundError)(nil), errors.As(err, new(*memory.NotFoundError))
	switch {
	case rowErr == nil && (row.ID == id || none):
		return s, row, nil
	case none && !errors.As(rowErr, &missing):
		return s, nil, rowErr // several messages fit, or it could not be found out
	case none:
		if within, withinErr := m.messageShown(ctx, c, id); within != nil || withinErr != nil {
			return s, within, withinErr
		}
	}
	return s, nil, err
}

// messageNamed finds a message by its id or the unique start of it, in one
// session or in all. Which others fit is told an agent of its own project only.
func (m *Mind) messageNamed(ctx context.Context, c Caller, field, id string, in *store.Session) (*store.Said, error) {
	if err := checkSessionID(field, id); err != nil {
		return nil, err
	}
	var seq int64
	if in != nil {
		seq = in.Seq
	}
	found, err := m.store.MessageByID(ctx, id, seq, maxFits+1)
	if err != nil {
		return nil, err
	}
	if in != nil && len(found) == 0 {
		return nil, noMessageIn(in, id)
	}
	if len(found) > 1 && !c.Person() {
		here, _, err := m.currentRealm(ctx, c)
		if err != nil {
			return nil, err
		}
		found = slices.DeleteFunc(found, func(x store.Said) bool { return x.Realm != here.ID })
	}
	return m.oneMessage(ctx, field, id, found)
}

// mayRead lets an agent read what was said in its own project.
func (m *Mind) mayRead(ctx context.Context, c Caller, row *store.Said) error {
	if c.Person() {
		return nil
	}
	here, _, err := m.currentRealm(ctx, c)
	if err == nil && row.Realm != here.ID {
		err = &memory.NotFoundError{What: "message", ID: row.ID, Hint: "it was said in another project; the user can show it"}
	}
	return err
}

func (m *Mind) messageByHash(ctx context.Context, digits string) (*store.Said, error) {
	digits = strings.ToLower(strings.TrimSpace(digits))
	if _, err := hex.DecodeString(digits + strings.Repeat("0", len(digits)%2)); err != nil || len(digits) < leastHash || len(digits) > 64 {
		return nil, &memory.InputError{Field: "hash", Problem: fmt.Sprintf("%q is not the start of a SHA-256", clipText(digits, 80)), Hint: fmt.Sprintf("give %d to 64 hexadecimal digits", leastHash)}
	}
	found, err := m.store.MessageByHash(ctx, digits, maxFits+1)
	if err != nil {
		return nil, err
	}
	if len(found) > 1 && !slices.ContainsFunc(found, func(x store.Said) bool { return x.Hash != found[0].Hash }) {
		found = found[:1] // the same record in several sessions
	}
	return m.oneMessage(ctx, "hash", digits, found)
}

func (m *Mind) oneMessage(ctx context.Context, field, id string, found []store.Said) (*store.Said, error) {
	switch len(found) {
	case 0:
		return nil, &memory.NotFoundError{What: "message", ID: id, Hint: "chitta search finds messages and shows their ids"}
	case 1:
		return &found[0], nil
	}
	var sessions []int64
	for _, x := range found {
		sessions = append(sessions, x.Session)
	}
	bySeq, err := m.store.SessionsBySeq(ctx, sessions)
	if err != nil {
		return nil, err
	}
	e := &SeveralError{Field: field, ID: id}
	for _, x := range found[:min(len(found), maxFits)] {
		e.Fits = append(e.Fits, Fit{ID: x.ID, Session: bySeq[x.Session].ID})
	}
	return nil, e
}

// showMessage shows one message, whole.
func (m *Mind) showMessage(ctx context.Context, row *store.Said, in SessionShowInput) (SessionShowOutput, error) {
	if in.From < 0 {
		return SessionShowOutput{}, &memory.InputError{Field: "from", Problem: fmt.Sprintf("is %d", in.From), Hint: "begin at 0"}
	}
	sessions, err := m.store.SessionsBySeq(ctx, []int64{row.Session})
	if err != nil {
		return SessionShowOutput{}, err
	}
	views, err := m.viewsOf(ctx, sessions[row.Session])
	if err != nil {
		return SessionShowOutput{}, err
	}
	out := SessionShowOutput{Session: views[0], Single: true, Agent: row.Agent, Total: 1, From: in.From}
	if in.Raw {
		out.Messages = []MessageView{{ID: row.ID, Position: row.Position, Role: row.Role, Agent: row.Agent, Time: row.Time,
			SHA256: hex.EncodeToString(row.Hash[:]), Parts: []PartView{}, Raw: string(row.Raw)}}
		return out, nil
	}
	r := reading{full: true, thinking: true, room: showBytes, source: row.Source}
	r.read([]store.Message{row.Message})
	out.Messages = r.views(nil)
	return out, nil
}

// showPassage shows one of the passages that a long message is found by. A
// record is shown whole.
func (m *Mind) showPassage(ctx context.Context, row *store.Said, in SessionShowInput, nth int) (SessionShowOutput, error) {
	out, err := m.showMessage(ctx, row, in)
	if err != nil || in.Raw {
		return out, err
	}
	all, err := m.store.ChunksBeginning(ctx, row.Session, row.Agent, row.Position)
	if err == nil && nth > len(all) {
		err = noPassage(strings.TrimSpace(in.ID), len(all))
	}
	if err != nil {
		return SessionShowOutput{}, err
	}
	out.Passage, out.Passages = nth, len(all)
	v := &out.Messages[0]
	v.Parts = []PartView{{Kind: string(session.Text), Role: v.Role, Text: all[nth-1].Text}}
	return out, nil
}

// showSession shows a page of a session, or what stands around a message.
func (m *Mind) showSession(ctx context.Context, c Caller, s store.Session, in SessionShowInput) (SessionShowOutput, error) {
	out := SessionShowOutput{Agent: in.Agent, Messages: []MessageView{}}
	limit, err := memory.CheckLimit(in.Limit, showDefault, showMost, "ask for less and page on with page")
	if err != nil {
		return out, err
	}
	if in.Page < 0 || in.Context < 0 || in.Context > showMost/2 {
		return out, &memory.InputError{Field: "page", Problem: "or context is out of range", Hint: fmt.Sprintf("pages count from 1, and context goes to %d", showMost/2)}
	}
	var middle *store.Said
	if in.Around != "" {
		middle, err = m.messageIn(ctx, c, "around", in.Around, s)
		if whole, _, ok := cutPassage(in.Around); ok && errors.As(err, new(*memory.NotFoundError)) {
			middle, err = m.messageIn(ctx, c, "around", whole, s)
		}
		if err != nil {
			return out, err
		}
		out.Agent, out.Around = middle.Agent, middle.ID
	}
	views, err := m.viewsOf(ctx, s)
	if err != nil {
		return out, err
	}
	out.Session = views[0]
	if err := m.threads(ctx, &s, &out); err != nil {
		return out, err
	}
	t, err := m.threadOf(ctx, c, s, out.Agent)
	if err != nil {
		return out, err
	}
	out.Total, out.Session.Inherited = len(t.places), t.inherited(s.Seq)
	r := reading{full: in.Full, thinking: in.Thinking, room: showBytes, source: s.Source, shared: t.shared}
	seen, err := m.visible(ctx, &r, t.places)
	if err != nil {
		return out, err
	}
	if middle != nil {
		seen = seen.around(t.places, middle.Seq, in.Context)
	} else if seen, err = seen.page(in.Page, limit, &out); err != nil {
		return out, err
	}
	if len(seen) == 0 {
		return out, nil
	}
	from, to := max(0, seen[0]-pairWithin), min(len(t.places), seen[len(seen)-1]+1+pairWithin)
	rows, err := m.messagesAt(ctx, t.places[from:to], showRead)
	if err != nil {
		return out, err
	}
	r.read(rows)
	out.Messages = r.views(func(i int) bool { _, ok := slices.BinarySearch(seen, from+i); return ok })
	return out, nil
}

// threads lists the subagents of a session and refuses one that it has not.
func (m *Mind) threads(ctx context.Context, s *store.Session, out *SessionShowOutput) error {
	threads, err := m.store.Threads(ctx, s.Seq)
	if err != nil {
		return err
	}
	known := out.Agent == ""
	var names []string
	for _, t := range threads {
		known = known || t.Agent == out.Agent
		if t.Agent != "" {
			out.Agents = append(out.Agents, ThreadView(t))
			names = append(names, t.Agent)
		}
	}
	if !known {
		hint := "this session has no subagents"
		if len(names) > 0 {
			hint = "these there are: " + strings.Join(names, ", ")
		}
		return &memory.InputError{Field: "agent", Problem: fmt.Sprintf("%q is not one of session %s", out.Agent, s.ID), Hint: hint}
	}
	return nil
}
