package past

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

// ShowInput names a session or a message to read.
type ShowInput struct {
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

// ShowOutput is a page of a session, or one message.
type ShowOutput struct {
	Session  Session   `json:"session"`
	Single   bool      `json:"single,omitempty"` // one message was asked for
	Agent    string    `json:"agent,omitempty"`
	Agents   []Thread  `json:"agents,omitempty"` // subagents that have threads of their own
	Messages []Message `json:"messages"`
	Page     int       `json:"page,omitempty"`
	Pages    int       `json:"pages,omitempty"`
	Total    int       `json:"total"`            // messages of the thread
	Around   string    `json:"around,omitempty"` // id of the message in the middle
	From     int       `json:"from,omitempty"`
	// Passage says which of the message's passages is shown, of so many; 0 if
	// all of it is.
	Passage  int `json:"passage,omitempty"`
	Passages int `json:"passages,omitempty"`
}

// Thread is a subagent's thread.
type Thread struct {
	Agent    string `json:"agent"`
	Messages int    `json:"messages"`
}

// Message is a message in readable form.
type Message struct {
	ID       string    `json:"id"`
	Position int64     `json:"position"`
	Role     string    `json:"role"` // user, assistant, tool or system
	Speaker  string    `json:"speaker,omitempty"`
	Agent    string    `json:"agent,omitempty"`
	Time     time.Time `json:"time,omitzero"`
	SHA256   string    `json:"sha256"`
	Shared   string    `json:"shared,omitempty"` // the session it was said in, from which this one was forked
	Parts    []Part    `json:"parts"`
	Raw      string    `json:"raw,omitempty"`
}

// Part is a part of a message in readable form.
type Part struct {
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

// Show returns a page of a session's transcript, or one message.
func (a *Archive) Show(ctx context.Context, who Reader, in ShowInput) (ShowOutput, error) {
	if (in.ID == "") == (in.Hash == "") {
		return ShowOutput{}, &memory.InputError{Field: "id", Problem: "or hash is needed, and only one of them", Hint: "chitta sessions shows the ids of sessions, chitta search those of messages"}
	}
	if in.Hash != "" {
		row, err := a.messageByHash(ctx, in.Hash)
		if err == nil {
			err = a.mayRead(ctx, who, row)
		}
		if err != nil {
			return ShowOutput{}, err
		}
		return a.showMessage(ctx, row, in)
	}
	s, row, err := a.sessionOrMessage(ctx, who, in)
	if whole, nth, ok := CutPassage(strings.TrimSpace(in.ID)); ok && errors.As(err, new(*memory.NotFoundError)) {
		named := in
		named.ID = whole
		if _, row, wholeErr := a.sessionOrMessage(ctx, who, named); wholeErr == nil && row != nil {
			return a.showPassage(ctx, row, in, nth)
		}
	}
	switch {
	case err != nil:
		return ShowOutput{}, err
	case row != nil:
		return a.showMessage(ctx, row, in)
	case in.Raw:
		return ShowOutput{}, &memory.InputError{Field: "raw", Problem: "is for a message", Hint: "name a message, or get the records of a session with chitta export --session " + s.ID}
	}
	return a.showSession(ctx, who, s, in)
}

// sessionOrMessage finds what an id names: a session, a message, or the start
// of either. The whole id of one goes before the start of the other.
func (a *Archive) sessionOrMessage(ctx context.Context, who Reader, in ShowInput) (store.Session, *store.Said, error) {
	id := strings.TrimSpace(in.ID)
	if err := checkID("id", id); err != nil {
		return store.Session{}, nil, err
	}
	if in.Session != "" {
		s, err := a.Find(ctx, who, "session", in.Session)
		if err != nil {
			return s, nil, err
		}
		row, err := a.messageIn(ctx, who, "id", id, s)
		return s, row, err
	}
	s, err := a.Find(ctx, who, "id", id)
	if err == nil && s.ID == id {
		return s, nil, nil
	}
	row, rowErr := a.messageNamed(ctx, who, "id", id, nil)
	if rowErr == nil {
		rowErr = a.mayRead(ctx, who, row)
	}
	missing, none := (*memory.NotFoundError)(nil), errors.As(err, new(*memory.NotFoundError))
	switch {
	case rowErr == nil && (row.ID == id || none):
		return s, row, nil
	case none && !errors.As(rowErr, &missing):
		return s, nil, rowErr // several messages fit, or it could not be found out
	case none:
		if within, withinErr := a.messageShown(ctx, who, id); within != nil || withinErr != nil {
			return s, within, withinErr
		}
	}
	return s, nil, err
}

// showMessage shows one message, whole.
func (a *Archive) showMessage(ctx context.Context, row *store.Said, in ShowInput) (ShowOutput, error) {
	if in.From < 0 {
		return ShowOutput{}, &memory.InputError{Field: "from", Problem: fmt.Sprintf("is %d", in.From), Hint: "begin at 0"}
	}
	sessions, err := a.store.SessionsBySeq(ctx, []int64{row.Session})
	if err != nil {
		return ShowOutput{}, err
	}
	views, err := a.sessionsOf(ctx, sessions[row.Session])
	if err != nil {
		return ShowOutput{}, err
	}
	out := ShowOutput{Session: views[0], Single: true, Agent: row.Agent, Total: 1, From: in.From}
	if in.Raw {
		out.Messages = []Message{{ID: row.ID, Position: row.Position, Role: row.Role, Agent: row.Agent, Time: row.Time,
			SHA256: hex.EncodeToString(row.Hash[:]), Parts: []Part{}, Raw: string(row.Raw)}}
		return out, nil
	}
	r := reading{full: true, thinking: true, room: showBytes, source: row.Source}
	r.read([]store.Message{row.Message})
	out.Messages = r.views(nil)
	return out, nil
}

// showPassage shows one of the passages that a long message is found by. A
// record is shown whole.
func (a *Archive) showPassage(ctx context.Context, row *store.Said, in ShowInput, nth int) (ShowOutput, error) {
	out, err := a.showMessage(ctx, row, in)
	if err != nil || in.Raw {
		return out, err
	}
	all, err := a.store.ChunksBeginning(ctx, row.Session, row.Agent, row.Position)
	if err == nil && nth > len(all) {
		err = NoPassage(strings.TrimSpace(in.ID), len(all))
	}
	if err != nil {
		return ShowOutput{}, err
	}
	out.Passage, out.Passages = nth, len(all)
	v := &out.Messages[0]
	v.Parts = []Part{{Kind: string(session.Text), Role: v.Role, Text: all[nth-1].Text}}
	return out, nil
}

// showSession shows a page of a session, or what stands around a message.
func (a *Archive) showSession(ctx context.Context, who Reader, s store.Session, in ShowInput) (ShowOutput, error) {
	out := ShowOutput{Agent: in.Agent, Messages: []Message{}}
	limit, err := memory.CheckLimit(in.Limit, showDefault, showMost, "ask for less and page on with page")
	if err != nil {
		return out, err
	}
	if in.Page < 0 || in.Context < 0 || in.Context > showMost/2 {
		return out, &memory.InputError{Field: "page", Problem: "or context is out of range", Hint: fmt.Sprintf("pages count from 1, and context goes to %d", showMost/2)}
	}
	var middle *store.Said
	if in.Around != "" {
		middle, err = a.messageIn(ctx, who, "around", in.Around, s)
		if whole, _, ok := CutPassage(in.Around); ok && errors.As(err, new(*memory.NotFoundError)) {
			middle, err = a.messageIn(ctx, who, "around", whole, s)
		}
		if err != nil {
			return out, err
		}
		out.Agent, out.Around = middle.Agent, middle.ID
	}
	views, err := a.sessionsOf(ctx, s)
	if err != nil {
		return out, err
	}
	out.Session = views[0]
	if err := a.threads(ctx, &s, &out); err != nil {
		return out, err
	}
	t, err := a.threadOf(ctx, who, s, out.Agent)
	if err != nil {
		return out, err
	}
	out.Total, out.Session.Inherited = len(t.places), t.inherited(s.Seq)
	r := reading{full: in.Full, thinking: in.Thinking, room: showBytes, source: s.Source, shared: t.shared}
	seen, err := a.visible(ctx, &r, t.places)
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
	rows, err := a.messagesAt(ctx, t.places[from:to], showRead)
	if err != nil {
		return out, err
	}
	r.read(rows)
	out.Messages = r.views(func(i int) bool { _, ok := slices.BinarySearch(seen, from+i); return ok })
	return out, nil
}

// threads lists the subagents of a session and refuses one that it has not.
func (a *Archive) threads(ctx context.Context, s *store.Session, out *ShowOutput) error {
	threads, err := a.store.Threads(ctx, s.Seq)
	if err != nil {
		return err
	}
	known := out.Agent == ""
	var names []string
	for _, t := range threads {
		known = known || t.Agent == out.Agent
		if t.Agent != "" {
			out.Agents = append(out.Agents, Thread(t))
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
