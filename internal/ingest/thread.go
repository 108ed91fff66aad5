package ingest

import (
	"fmt"
	"maps"
	"strings"
	"time"

	"chitta/internal/session"
	"chitta/internal/store"
)

// thread is one stream of a conversation, the main one or a subagent's, from
// where its last section begins.
//
// A section is what is cut into chunks together. It begins where a person
// speaks, so that growing never changes the sections before it. A person may
// let an agent work for days, so a section that has become large ends where no
// tool is at work; where that is depends on the messages alone, never on how
// they were split into batches.
type thread struct {
	store.Section
	fresh    bool // not stored yet
	linked   bool // what started it has become known
	moved    bool // a message stands in another turn than it did
	old      int  // how many of the messages were stored before
	messages []store.Message
	said     []session.Message
	clocks   []session.Clock // as of each message
	forced   []int           // where sections begin that no person opened
	last     int             // where the last section begins

	turn    int64 // how often a person has spoken
	clock   session.Clock
	worked  bool            // the agent has, since a person spoke
	size    int             // of the last section, in bytes
	waiting map[string]bool // calls in it without a result
	spoke   bool            // the agent has, in it
}

// Sizes of sections in bytes. One this large ends when no tool is at work; the
// largest end anyhow, so that memory is bounded.
const (
	sectionSize    = 1 << 20
	maxSectionSize = 4 << 20
)

func newThread(s store.Section, fresh bool) *thread {
	return &thread{Section: s, fresh: fresh, turn: s.Turn, clock: s.Clock, waiting: map[string]bool{}}
}

// admit takes a message into account: whether a section begins with it, in
// which turn it stands, and what the clock shows.
func (t *thread) admit(msg *session.Message, size int) {
	human := msg.Human() != ""
	switch i := len(t.said); {
	case i == 0:
		t.worked = t.Clock[t.stream()] > 0 && (t.Agent != "" || !human)
	case human || t.full(msg):
		if !human {
			t.forced = append(t.forced, i)
		}
		t.last, t.size, t.spoke = i, 0, false
		clear(t.waiting)
	}
	if human {
		t.turn++
	}
	t.size += size
	t.spoke = t.spoke || msg.Role == session.Assistant
	t.tick(msg, human)
	for i := range msg.Parts {
		switch p := &msg.Parts[i]; p.Kind {
		case session.ToolUse:
			t.waiting[p.ToolID] = true
		case session.ToolResult:
			delete(t.waiting, p.ToolID)
		}
	}
}

func (t *thread) full(msg *session.Message) bool {
	return t.size >= maxSectionSize ||
		t.size >= sectionSize && msg.Role == session.Assistant && t.spoke && len(t.waiting) == 0
}

func (t *thread) stream() string {
	if t.Agent == "" {
		return session.MainStream
	}
	return t.Agent
}

// tick moves the clock. A person's stream ticks when they speak, the agent's
// when it sets to work on that. For a subagent the agent that started it plays
// the person, so its own stream alone ticks. When a subagent's result comes
// back, its clock is merged: it has then gone through as many cycles as it has
// returned results, whether its own transcript was read or not.
func (t *thread) tick(msg *session.Message, human bool) {
	switch {
	case human && t.Agent == "":
		t.clock, t.worked = t.clock.Tick(session.HumanStream), false
	case human || msg.Role == session.Assistant && !t.worked:
		t.clock, t.worked = t.clock.Tick(t.stream()), true
	}
	for i := range msg.Parts {
		if p := &msg.Parts[i]; p.Kind == session.ToolResult && p.Agent != "" {
			t.clock = t.clock.Tick(p.Agent)
		}
	}
}

// keep adds a message that was admitted.
func (t *thread) keep(m store.Message, msg *session.Message) {
	t.messages, t.said, t.clocks = append(t.messages, m), append(t.said, *msg), append(t.clocks, t.clock)
}

// thread returns the thread of a message. Its last section is read again: what
// comes now may belong to it.
func (in *ingesting) thread(s *conversation, msg *session.Message) (*thread, error) {
	if t := s.threads[msg.Agent]; t != nil {
		return t, nil
	}
	section, known, err := in.tx.Section(s.Seq, msg.Agent)
	if err != nil {
		return nil, err
	}
	if !known && msg.Agent != "" {
		if err := in.spawned(s, msg, &section); err != nil {
			return nil, err
		}
	}
	t := newThread(section, !known)
	if known {
		err := in.tx.EachOfThread(s.Seq, msg.Agent, section.First, func(m *store.Message) (bool, error) {
			return true, t.again(in.format, m)
		})
		if err != nil {
			return nil, err
		}
		t.old = len(t.messages)
	}
	s.threads[msg.Agent] = t
	s.order = append(s.order, t)
	return t, nil
}

// again takes a message that is stored.
func (t *thread) again(format session.Format, m *store.Message) error {
	rec, err := format.Line(m.Raw)
	if err != nil || rec.Message == nil {
		return fmt.Errorf("message %s cannot be read any more: %w", m.ID, err)
	}
	t.admit(rec.Message, len(m.Raw))
	t.moved = t.moved || m.Turn != t.turn
	m.Turn = t.turn
	t.keep(*m, rec.Message)
	return nil
}

// callSpan is how long before a subagent's first message its call is looked
// for.
const callSpan = time.Hour

// spawned sets what a subagent begins with: the call that started it, where
// that is known, and the clock of whoever made the call. See [clockAtStart].
func (in *ingesting) spawned(s *conversation, msg *session.Message, section *store.Section) error {
	var err error
	if main := s.threads[""]; main != nil {
		section.Clock = without(main.clock, msg.Agent)
	} else if section.Clock, err = clockAtStart(in.tx, s.Seq, msg.Agent, msg.Time); err != nil {
		return err
	}
	if in.call != "" {
		m, found, err := in.tx.MessageWith(s.Seq, msg.Agent, string(session.Assistant), msg.Time.Add(-callSpan), msg.Time, `"`+in.call+`"`)
		if section.Call = in.call; found {
			section.Parent = m.ID
		}
		return err
	}
	m, found, err := in.tx.MessageWith(s.Seq, msg.Agent, string(session.User), msg.Time, farAway, `"agentId":"`+msg.Agent+`"`)
	if err != nil || !found {
		return err
	}
	if rec, err := in.format.Line(m.Raw); err == nil && rec.Message != nil {
		section.Call, section.Parent = spawnOf(rec.Message, msg.Agent)
	}
	return nil
}

// clockAtStart is the clock that a subagent begins with: that of the main
// thread's chunk at that time, as far as the main thread has been read. One
// that is read before its main thread begins with an empty clock; deriving
// again makes up for it.
func clockAtStart(tx *store.Tx, conversation int64, agent string, at time.Time) (session.Clock, error) {
	clock, err := tx.ClockAt(conversation, "", at)
	return without(clock, agent), err
}

// without leaves out a stream: the chunk with a call may have its result too,
// which the subagent could not know of.
func without(c session.Clock, stream string) session.Clock {
	c = maps.Clone(c)
	delete(c, stream)
	return c
}

var farAway = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

// spawnOf returns the call that a subagent's result in a message answers, and
// the message with that call.
func spawnOf(msg *session.Message, agent string) (call, parent string) {
	for i := range msg.Parts {
		if p := &msg.Parts[i]; p.Kind == session.ToolResult && p.Agent == agent {
			if msg.ToolUseSource != "" {
				return p.ToolID, msg.ToolUseSource
			}
			return p.ToolID, msg.Parent
		}
	}
	return "", ""
}

// link tells subagents whose results are in a message what started them, if
// they have been read before and nothing else has said so.
func (in *ingesting) link(s *conversation, msg *session.Message) error {
	for i := range msg.Parts {
		p := &msg.Parts[i]
		if p.Kind != session.ToolResult || p.Agent == "" {
			continue
		}
		call, parent := spawnOf(msg, p.Agent)
		if t := s.threads[p.Agent]; t != nil {
			if t.Parent == "" {
				t.Call, t.Parent, t.linked = call, parent, true
			}
			continue
		}
		section, known, err := in.tx.Section(s.Seq, p.Agent)
		if err != nil {
			return err
		}
		if known && section.Parent == "" {
			section.Call, section.Parent = call, parent
			if err := in.tx.PutSection(&section); err != nil {
				return err
			}
		}
	}
	return nil
}

// asksWithin is how near its end a chunk has to have a question mark to ask
// something of whoever speaks next, in bytes.
const asksWithin = 200

func asks(text string) bool {
	return strings.Contains(text[max(0, len(text)-asksWithin):], "?")
}
