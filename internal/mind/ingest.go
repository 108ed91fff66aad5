package mind

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"chitta/internal/capture"
	"chitta/internal/session"
	"chitta/internal/store"
)

// SessionImportInput is lines of a conversation's log.
type SessionImportInput struct {
	Format string   `json:"format" jsonschema:"what the lines are: turns"`
	Lines  []string `json:"lines" jsonschema:"lines of the log, in order"`
	Realm  string   `json:"realm,omitempty" jsonschema:"project: id or name; default: that of the working directory"`
}

// SessionImportOutput counts what became of the lines.
type SessionImportOutput struct {
	Sessions int             `json:"sessions"` // new ones
	Added    int             `json:"added"`    // messages
	Known    int             `json:"known"`    // messages that were here already
	Redacted int             `json:"redacted"` // secrets taken out
	Refused  []ImportProblem `json:"refused"`
	Realm    string          `json:"realm"`
}

// SessionImport takes over messages of conversations, word for word but for
// secrets. A message that is known already is not taken again, so a file can
// be imported as often as it grows. All good lines of a call are stored
// together; bad ones are reported.
func (m *Mind) SessionImport(ctx context.Context, c Caller, in SessionImportInput) (SessionImportOutput, error) {
	out := SessionImportOutput{Refused: []ImportProblem{}}
	format, err := formatNamed(in.Format)
	if err != nil {
		return out, err
	}
	if len(in.Lines) > importMost {
		return out, &InputError{Field: "lines", Problem: fmt.Sprintf("are %d, more than %d", len(in.Lines), importMost), Hint: "send them in several calls"}
	}
	realm, err := m.realmFor(ctx, c, in.Realm)
	if err != nil {
		return out, err
	}
	out.Realm = realm.ID
	var lines []ingestLine
	for i, raw := range in.Lines {
		line, err := m.readLine(format, raw, &out)
		switch {
		case err != nil:
			out.Refused = append(out.Refused, ImportProblem{Line: i + 1, Why: err.Error()})
		case line.message != nil:
			lines = append(lines, line)
		}
	}
	err = m.store.Write(ctx, func(tx *store.Tx) error {
		added, known, sessions := 0, 0, 0
		in := ingesting{Mind: m, tx: tx, realm: realm.ID, source: format.Name(), open: map[string]*ingestSession{}}
		for _, line := range lines {
			s, err := in.session(line.message)
			if err != nil {
				return err
			}
			if s.fresh {
				sessions++
				s.fresh = false
			}
			isNew, err := in.add(s, line)
			if err != nil {
				return err
			}
			if isNew {
				added++
			} else {
				known++
			}
		}
		out.Added, out.Known, out.Sessions = added, known, sessions
		return in.finish()
	})
	if err != nil {
		return SessionImportOutput{}, err
	}
	return out, m.followConversations(ctx)
}

func formatNamed(name string) (session.Format, error) {
	if name == (session.Turns{}).Name() {
		return session.Turns{}, nil
	}
	return nil, &InputError{Field: "format", Problem: fmt.Sprintf("%q is not known", name), Hint: "use turns"}
}

// ingestLine is a line that is part of a conversation.
type ingestLine struct {
	raw     []byte // without secrets
	message *session.Message
}

// readLine takes secrets out of a line and reads it. What chitta itself put
// into a conversation is left out: memory must not feed on itself.
func (m *Mind) readLine(format session.Format, raw string, out *SessionImportOutput) (ingestLine, error) {
	clean, err := session.RewriteStrings([]byte(raw), func(s string) string {
		s, found := m.redactor.Redact(capture.StripEcho(s))
		out.Redacted += len(found)
		return s
	})
	if err != nil {
		return ingestLine{}, err
	}
	record, err := format.Line(clean)
	return ingestLine{raw: clean, message: record.Message}, err
}

// ingesting stores messages within one transaction.
type ingesting struct {
	*Mind
	tx     *store.Tx
	realm  string
	source string
	open   map[string]*ingestSession
	order  []*ingestSession
}

// ingestSession is a conversation that grows.
type ingestSession struct {
	store.Session
	fresh bool
	turn  int64             // how often a person has spoken
	tail  []store.Message   // from the start of the last turn before this call
	said  []session.Message // of tail
}

// session returns the conversation of a message, making it when it is new.
func (in *ingesting) session(m *session.Message) (*ingestSession, error) {
	if s := in.open[m.Session]; s != nil {
		return s, nil
	}
	s := &ingestSession{turn: -1}
	var err error
	s.Session, err = in.tx.Session(in.realm, in.source, m.Session)
	switch {
	case errors.Is(err, store.ErrNotFound):
		s.Session = store.Session{ID: m.Session, Source: in.source, Realm: in.realm, Created: in.now(), Updated: in.now()}
		s.fresh = true
		err = in.tx.PutSession(&s.Session)
	case err == nil:
		err = in.resume(s)
	}
	if err != nil {
		return nil, err
	}
	in.open[m.Session] = s
	in.order = append(in.order, s)
	return s, nil
}

// resume reads the last turn of a conversation again: what comes now may
// belong to it.
func (in *ingesting) resume(s *ingestSession) error {
	tail, err := in.tx.LastTurn(s.Seq, "")
	if err != nil {
		return err
	}
	format, err := formatNamed(s.Source)
	if err != nil {
		return err
	}
	for _, m := range tail {
		record, err := format.Line(m.Raw)
		if err != nil || record.Message == nil {
			return fmt.Errorf("message %s of session %s cannot be read any more: %w", m.ID, s.ID, err)
		}
		s.tail, s.said, s.turn = append(s.tail, m), append(s.said, *record.Message), m.Turn
	}
	return nil
}

// add stores a message unless the conversation has it.
func (in *ingesting) add(s *ingestSession, line ingestLine) (bool, error) {
	has, err := in.tx.HasMessage(s.Seq, line.message.ID)
	if err != nil || has {
		return false, err
	}
	if line.message.Human() != "" || s.turn < 0 {
		s.turn++
	}
	m := store.Message{
		Session: s.Seq, Position: int64(s.Messages), Turn: s.turn, ID: line.message.ID,
		Role: string(line.message.Role), Time: line.message.Time, Raw: line.raw,
	}
	if err := in.tx.AddMessage(&m); err != nil {
		return false, err
	}
	s.Messages++
	s.tail, s.said = append(s.tail, m), append(s.said, *line.message)
	if t := m.Time; !t.IsZero() {
		if s.Started.IsZero() || t.Before(s.Started) {
			s.Started = t
		}
		if t.After(s.Ended) {
			s.Ended = t
		}
	}
	if s.Title == "" {
		s.Title = titleOf(line.message.Human())
	}
	return true, nil
}

// maxTitle is how long a title may be, in characters.
const maxTitle = 80

// titleOf is the first line of what was said first.
func titleOf(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	runes := []rune(strings.Join(strings.Fields(line), " "))
	if len(runes) > maxTitle {
		return string(runes[:maxTitle-1]) + "…"
	}
	return string(runes)
}

// finish cuts what is new into chunks and closes the books of every
// conversation that grew.
func (in *ingesting) finish() error {
	for _, s := range in.order {
		if err := in.chunk(s); err != nil {
			return err
		}
		s.Updated = in.now()
		if err := in.tx.PutSession(&s.Session); err != nil {
			return err
		}
	}
	return nil
}

// chunk cuts the end of a conversation again, from its last known turn on,
// and replaces the chunks that came out differently.
func (in *ingesting) chunk(s *ingestSession) error {
	if len(s.tail) == 0 {
		return nil
	}
	had, err := in.tx.ChunksFrom(s.Seq, "", s.tail[0].Position)
	if err != nil {
		return err
	}
	known := map[string][]int64{} // by what makes a chunk what it is
	for _, c := range had {
		key := chunkKey(&c)
		known[key] = append(known[key], c.Seq)
	}
	for _, x := range session.Chunks(s.said, session.ChunkOptions{}) {
		c := store.Chunk{
			Session: s.Seq, First: s.tail[x.First].Position, Last: s.tail[x.Last].Position, Part: x.Part,
			Role: string(x.Role), Speaker: x.Speaker, Agent: x.Agent, Time: x.Time, Text: x.Text,
		}
		c.Hash, c.Asks = capture.Hash(c.Text), asks(c.Text)
		key := chunkKey(&c)
		if same := known[key]; len(same) > 0 {
			known[key] = same[1:]
			continue
		}
		if err := in.tx.AddChunk(&c); err != nil {
			return err
		}
	}
	for _, seqs := range known {
		for _, seq := range seqs {
			if err := in.tx.DropChunk(seq); err != nil {
				return err
			}
		}
	}
	return nil
}

func chunkKey(c *store.Chunk) string {
	return fmt.Sprintf("%d %d %d %s %s", c.First, c.Last, c.Part, c.Agent, c.Hash)
}

// followConversations lets the indexes take over what was stored.
func (m *Mind) followConversations(ctx context.Context) error {
	m.chunks.follow(ctx)
	m.sessions.follow(ctx)
	return m.timeline.follow(ctx)
}

// askingEnd is how near its end a question mark makes a text a question to
// whoever speaks next.
const askingEnd = 200

func asks(text string) bool { return strings.Contains(text[max(0, len(text)-askingEnd):], "?") }
