package ingest

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"chitta/internal/session"
	"chitta/internal/store"
)

// ingesting stores records within one transaction.
type ingesting struct {
	*Ingester
	target
	tx     *store.Tx
	file   int64              // where they come from, or 0
	call   string             // what started the subagent whose thread they are
	barred map[string]bool    // ids of messages that were erased for good
	known  map[string][]int64 // conversations that have a message, by its id
	open   map[string]*conversation
	order  []*conversation
	forks  map[string]int64 // by id of a conversation: another that has its messages
	counts *LineCounts
	stored []Stored
}

// conversation is a conversation that grows.
type conversation struct {
	store.Session
	before  *store.Session // as it was, nil if it is new
	changed bool
	threads map[string]*thread
	order   []*thread
}

// storeRecords stores the records of a batch with all that is derived from
// them, and counts what became of them.
func (m *Ingester) storeRecords(tx *store.Tx, into target, file int64, b *batch, counts *LineCounts) error {
	in := ingesting{
		Ingester: m, target: into, tx: tx, file: file, call: b.call,
		open: map[string]*conversation{}, forks: map[string]int64{}, counts: counts,
	}
	ids := make([]string, 0, len(b.records))
	around := b.session // of the messages around a title
	for i := range slices.Backward(b.records) {
		if msg := b.records[i].message; msg != nil {
			ids = append(ids, msg.ID)
			around = msg.Session
		} else if leaf := b.records[i].title.leaf; leaf != "" {
			ids = append(ids, leaf)
		}
	}
	var err error
	if in.known, err = tx.KnownMessages(into.format.Name(), ids); err != nil {
		return err
	}
	if into.format.Name() == claudeCode {
		if in.barred, err = tx.Barred(ids); err != nil {
			return err
		}
	}
	var titles []func() error // later: the messages they name may follow them
	for i := range b.records {
		rec := &b.records[i]
		if rec.message == nil {
			of := around
			titles = append(titles, func() error { return in.title(of, rec.title) })
			continue
		}
		around = rec.message.Session
		if err := in.add(rec); err != nil {
			return err
		}
	}
	for _, give := range titles {
		if err := give(); err != nil {
			return err
		}
	}
	b.stored = in.stored
	return in.finish()
}

// skipForgotten is what messages of a conversation are counted as that was
// erased and is not to come back.
const skipForgotten = "forgotten session"

// add stores a message, unless it is known. A client's message is known
// wherever it is: a fork repeats the messages of the conversation it comes from.
// Two that merely share an id are two messages, and ids of turns are only
// unique within their session.
func (in *ingesting) add(rec *record) error {
	msg := rec.message
	if msg.Session == "" {
		msg.Session = in.unnamed
	}
	s, err := in.session(msg.Session)
	if err != nil {
		return err
	}
	at := in.known[msg.ID]
	here := s != nil && slices.Contains(at, s.Seq)
	var origin int64
	if !here && in.format.Name() == claudeCode {
		if origin, err = in.repeated(at, rec); err != nil {
			return err
		}
	}
	switch {
	case here:
		in.counts.Known++
		return in.compare(s, rec)
	case origin != 0:
		in.counts.Known++
		return in.inherit(s, msg, origin)
	case in.barred[msg.ID]:
		in.counts.Skipped[skipForgotten]++
		return nil
	case s == nil:
		if s, err = in.create(msg); err != nil {
			return err
		}
	case !s.Forgotten.IsZero():
		in.counts.Skipped[skipForgotten]++
		return nil
	}
	if err := in.begin(s); err != nil {
		return err
	}
	th, err := in.thread(s, msg)
	if err != nil {
		return err
	}
	m := store.Message{
		Session: s.Seq, Position: int64(s.Messages), ID: msg.ID, Role: string(msg.Role), Time: msg.Time,
		Parent: msg.Parent, Agent: msg.Agent, File: in.file, Offset: rec.offset, Raw: rec.raw, Migration: in.migration,
	}
	th.admit(msg, len(rec.raw))
	m.Turn = th.turn
	if err := in.tx.AddMessage(&m); err != nil {
		return err
	}
	th.keep(m, msg)
	in.stored = append(in.stored, Stored{m.Hash, len(m.Raw), msg})
	in.known[msg.ID] = append(at, s.Seq)
	in.counts.Added++
	s.note(msg)
	return in.link(s, msg)
}

// repeated returns which of the conversations that have a message of this id
// has this very message, 0 if none.
func (in *ingesting) repeated(at []int64, rec *record) (int64, error) {
	for _, seq := range at {
		raw, _, err := in.tx.Kept(seq, rec.message.ID)
		if err != nil {
			return 0, err
		}
		if in.says(raw, rec) {
			return seq, nil
		}
	}
	return 0, nil
}

// says reports whether a stored record says what a new one says. A client
// writes the same message again with other circumstances: in a fork under
// another session, after an update with other members.
func (in *ingesting) says(raw []byte, rec *record) bool {
	if bytes.Equal(raw, rec.raw) {
		return true
	}
	if in.format.Name() != claudeCode {
		return false
	}
	had, err := in.format.Line(raw)
	has, errNow := in.format.Line(rec.raw)
	return err == nil && errNow == nil && had.Message != nil && has.Message != nil &&
		had.Message.Role == has.Message.Role && reflect.DeepEqual(had.Message.Parts, has.Message.Parts)
}

// compare reports a message that says something else than the one that is here
// under its name: a transcript was rewritten, or two logs named different turns
// alike.
func (in *ingesting) compare(s *conversation, rec *record) error {
	raw, path, err := in.tx.Kept(s.Seq, rec.message.ID)
	if err != nil || in.says(raw, rec) {
		return err
	}
	if path == "" {
		path = "what was imported without a file"
	}
	in.counts.Conflicts++
	if len(in.counts.Problems) < maxLineProblems {
		in.counts.Problems = append(in.counts.Problems, LineProblem{Line: rec.line, Offset: rec.offset, Why: fmt.Sprintf(
			"%q of session %q is here with other words, from %s, and stays as it is; if it is another conversation, give its session another name", rec.message.ID, s.ID, path)})
	}
	return nil
}

// session returns a conversation, nil if it is not stored.
func (in *ingesting) session(id string) (*conversation, error) {
	if s := in.open[id]; s != nil {
		return s, nil
	}
	find := func() (store.Session, error) { return in.tx.SourceSession(in.format.Name(), id) }
	if in.format.Name() != claudeCode {
		find = func() (store.Session, error) { return in.tx.Session(in.realm, in.format.Name(), id) }
	}
	have, err := find()
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	s := in.opened(id, have)
	s.before = &have
	return s, nil
}

func (in *ingesting) opened(id string, have store.Session) *conversation {
	s := &conversation{Session: have, threads: map[string]*thread{}}
	in.open[id] = s
	in.order = append(in.order, s)
	return s
}

// create makes the conversation that begins with a message. One that follows
// a message of another conversation is a fork of that.
func (in *ingesting) create(msg *session.Message) (*conversation, error) {
	s := store.Session{ID: msg.Session, Source: in.format.Name(), Created: in.now(), Updated: in.now(), ForkedFrom: in.forks[msg.Session]}
	var err error
	if s.Realm, s.Cwd, err = in.realmOf(msg.Session); err != nil {
		return nil, err
	}
	if s.ForkedFrom == 0 && msg.Parent != "" && in.format.Name() == claudeCode {
		from, err := in.tx.KnownMessages(in.format.Name(), []string{msg.Parent})
		if err != nil {
			return nil, err
		}
		if at := from[msg.Parent]; len(at) > 0 {
			s.ForkedFrom = at[0]
		}
	}
	if err := in.tx.PutSession(&s); err != nil {
		return nil, err
	}
	in.counts.Sessions++
	return in.opened(msg.Session, s), nil
}

// inherit notes that a conversation repeats a message of another. It is there
// from its first one on, also if no others follow: somebody forked it.
func (in *ingesting) inherit(s *conversation, msg *session.Message, from int64) error {
	if s == nil {
		in.forks[msg.Session] = from
		var err error
		if s, err = in.create(msg); err != nil {
			return err
		}
	}
	if !s.Forgotten.IsZero() {
		return nil
	}
	if s.ForkedFrom == 0 || s.Messages == 0 { // it goes on from the last one it repeats
		s.ForkedFrom, s.changed = from, true
	}
	if t := msg.Time; s.Messages == 0 && t.After(s.Ended) { // until its own begin, it ends where it was forked
		s.Started, s.Ended, s.changed = t, t, true
	}
	return nil
}

// named gives a fork that has no messages of its own the title of where it comes
// from, unless that is another project: what was said there is not told here.
func (in *ingesting) named(s *conversation) error {
	if s.Messages > 0 || s.ForkedFrom == 0 || s.Title != "" {
		return nil
	}
	origin, err := in.tx.SessionBySeq(s.ForkedFrom)
	if err == nil && origin.Realm == s.Realm {
		s.Title = origin.Title
	}
	return unlessGone(err)
}

// begin lets a fork go by its own messages when the first of them comes.
func (in *ingesting) begin(s *conversation) error {
	if s.Messages > 0 || s.ForkedFrom == 0 {
		return nil
	}
	s.Started, s.Ended = time.Time{}, time.Time{}
	origin, err := in.tx.SessionBySeq(s.ForkedFrom)
	if err == nil && s.Title == origin.Title {
		s.Title = ""
	}
	return unlessGone(err)
}

// unlessGone passes an error on, but for that of a conversation that is not there
// any more.
func unlessGone(err error) error {
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	return err
}

// title gives a conversation the title that a record states: the one that the
// record names, or that has the message it names. A record that names neither,
// or a message that is not here, means that of the messages around it.
func (in *ingesting) title(around string, t titleRecord) error {
	id := around
	if at := in.known[t.leaf]; t.session != "" {
		id = t.session
	} else if len(at) > 0 {
		have, err := in.tx.SessionBySeq(at[0])
		if err != nil {
			return err
		}
		id = have.ID
	}
	s, err := in.session(id)
	if err != nil || s == nil || !s.Forgotten.IsZero() || s.Title == t.text {
		return err
	}
	gone, err := in.repeatsForgotten(s)
	if err == nil && !gone && !in.barred[t.leaf] {
		s.Title, s.changed = t.text, true
	}
	return err
}

// repeatsForgotten reports whether a conversation is a fork that has nothing but
// what was erased: a title would tell of that.
func (in *ingesting) repeatsForgotten(s *conversation) (bool, error) {
	if s.Messages > 0 || s.ForkedFrom == 0 {
		return false, nil
	}
	origin, err := in.tx.SessionBySeq(s.ForkedFrom)
	return err == nil && !origin.Forgotten.IsZero(), unlessGone(err)
}

// note takes over what a message says of its conversation.
func (s *conversation) note(msg *session.Message) {
	s.Messages++
	s.changed = true
	if t := msg.Time; !t.IsZero() {
		if s.Started.IsZero() || t.Before(s.Started) {
			s.Started = t
		}
		if t.After(s.Ended) {
			s.Ended = t
		}
	}
	if msg.Agent != "" {
		return // a subagent may run elsewhere, and with another model
	}
	if s.Title == "" {
		s.Title = session.TitleOf(msg.Human())
	}
	if s.Cwd == "" {
		s.Cwd = msg.Cwd
	}
	if msg.Branch != "" {
		s.Branch = msg.Branch
	}
	if msg.Version != "" {
		s.Client = msg.Version
	}
	if msg.Model != "" && !strings.HasPrefix(msg.Model, "<") { // the client's own messages have a model in brackets
		s.Model = msg.Model
	}
}

// finish cuts what is new into chunks and closes the books of every
// conversation that changed.
func (in *ingesting) finish() error {
	for _, s := range in.order {
		for _, th := range s.order {
			if err := in.cut(th, true); err != nil {
				return err
			}
		}
		if !s.changed {
			continue
		}
		if err := in.named(s); err != nil {
			return err
		}
		s.Updated = in.now()
		if err := in.tx.PutSession(&s.Session); err != nil {
			return err
		}
		if in.migration != 0 {
			if err := in.tx.NoteMigrated(in.migration, store.Migrated{Session: s.Seq, Before: s.before}); err != nil {
				return err
			}
		}
	}
	return nil
}
