package follow

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"chitta/internal/keyword"
	"chitta/internal/session"
	"chitta/internal/store"
)

// Whole messages are found word for word through a keyword index of their
// own. A message is taken apart by who says what in it: one record of a client
// may hold what a person typed, what the client put in, and the result of a
// tool.

// Who speaks in a passage of a message.
const (
	RoleUser      = "user"      // a person
	RoleAssistant = "assistant" // an agent, also one that instructs another
	RoleTool      = "tool"      // calls of tools and their results
	RoleSystem    = "system"    // what the client put in: reminders, summaries
	RoleThinking  = "thinking"  // an agent to itself
)

// Roles are the roles that can be asked for.
var Roles = []string{RoleUser, RoleAssistant, RoleTool, RoleSystem}

// messageFields are the fields of the keyword index of messages: one per role,
// so that asking for a role is to ask its field alone. What was said counts
// more than what passed through tools, which is most of the text. Thinking is
// kept apart and searched only on request. The weights are judgement, not
// measurement: verbatim search finds by words, they only order what is found.
var messageFields = []keyword.Field{
	{Name: RoleUser}, {Name: RoleAssistant}, {Name: RoleTool, Weight: 0.5}, {Name: RoleSystem, Weight: 0.25}, {Name: RoleThinking, Weight: 0.5},
}

// Passage is what one speaker says in one part of a message.
type Passage struct {
	Role string
	Tool string // of a call or a result, where known
	Text string
}

// PassagesOf takes a message apart. tools names the tools of calls by id, for
// results, which do not say.
func PassagesOf(m *session.Message, tools map[string]string) []Passage {
	var out []Passage
	for i := range m.Parts {
		p := &m.Parts[i]
		x := Passage{Role: PartRole(m, p), Tool: p.Tool, Text: p.Text}
		switch p.Kind {
		case session.ToolUse:
			x.Text = CallText(p)
		case session.ToolResult:
			x.Tool = tools[p.ToolID]
		}
		if strings.TrimSpace(x.Text) != "" {
			out = append(out, x)
		}
	}
	return out
}

// PartRole says who speaks in a part.
func PartRole(m *session.Message, p *session.Part) string {
	switch {
	case p.Kind == session.ToolUse || p.Kind == session.ToolResult:
		return RoleTool
	case p.Kind == session.Thinking:
		return RoleThinking
	case p.Kind != session.Text || p.Meta || m.Meta || m.CompactSummary || m.Role == session.System:
		return RoleSystem
	case m.Role == session.User && m.Agent == "" && !m.Sidechain:
		return RoleUser
	}
	return RoleAssistant
}

// CallText is everything a call says: the strings of its input.
func CallText(p *session.Part) string {
	var b strings.Builder
	p.Strings(func(s string) {
		if strings.TrimSpace(s) == "" {
			return
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(s)
	})
	return b.String()
}

// ReadMessage reads a stored record again.
func ReadMessage(source string, raw []byte) (*session.Message, error) {
	var format session.Format
	switch source {
	case session.Turns{}.Name():
		format = session.Turns{}
	case session.ClaudeCode{}.Name():
		format = session.ClaudeCode{}
	default:
		return nil, fmt.Errorf("records of %q cannot be read", source)
	}
	record, err := format.Line(raw)
	if err == nil && record.Message == nil {
		err = fmt.Errorf("the record is no message: %s", record.Skip)
	}
	return record.Message, err
}

const (
	// messagesAtOnce is about how many bytes of messages are read at once to be
	// indexed.
	messagesAtOnce = 8 << 20
	// pathLabels is how many of the ends of a path a message can be found by.
	pathLabels = 4
)

// Messages has one entry per message. Messages are only ever added, so
// their row numbers are the sequence of changes; what is erased leaves the
// index by [Indexer.RemoveAll]. recent has what need not be read again.
func Messages(s *store.Store, recent *Recent) Feed {
	return Feed{
		name:   "messages",
		fields: messageFields,
		Count:  s.CountMessages,
		Last:   s.LastMessageSeq,
		atHand: func(n int64) bool { return n <= int64(recent.Len()) },
		After: func(ctx context.Context, rev int64, limit int) ([]Entry, error) {
			read, err := readRows(ctx, s, recent, rev, limit)
			if err != nil {
				return nil, err
			}
			calls := NewCalls(s)
			entries := make([]Entry, len(read))
			for i := range read {
				if entries[i], err = calls.entry(ctx, &read[i]); err != nil {
					return nil, err
				}
			}
			return entries, nil
		},
	}
}

// readRows returns the next messages after a row, taken apart.
func readRows(ctx context.Context, s *store.Store, recent *Recent, rev int64, limit int) (read []readRow, err error) {
	if recent.Len() == 0 {
		err = s.ReadMessagesAfter(ctx, rev, limit, messagesAtOnce, func(row *store.Said) { read = append(read, newReadRow(row)) })
		return read, err
	}
	heads, err := s.MessageHeadsAfter(ctx, rev, limit, messagesAtOnce)
	if err != nil {
		return nil, err
	}
	for i := range heads {
		row := &heads[i].Said
		if m := recent.take(row.Source, row.Hash); m != nil && heads[i].Size > 0 {
			read = append(read, readRow{Said: *row, message: m})
			continue
		}
		if heads[i].Size > 0 {
			if row.Raw, err = s.RecordAt(ctx, row.Seq); err != nil {
				return nil, err
			}
		}
		read = append(read, newReadRow(row))
	}
	return read, nil
}

// Calls knows which tools the calls seen so far were for.
type Calls struct {
	store *store.Store
	tools map[string]string // by id of the call
}

// NewCalls knows no calls yet.
func NewCalls(s *store.Store) *Calls {
	return &Calls{store: s, tools: map[string]string{}}
}

// readRow is a row of a message with its record taken apart.
type readRow struct {
	store.Said
	gone    bool
	message *session.Message // nil if the record cannot be read
}

// newReadRow reads the record of a row and lets go of it.
func newReadRow(row *store.Said) readRow {
	r := readRow{Said: *row, gone: row.Gone()}
	r.Raw = nil
	if !r.gone {
		r.message, _ = ReadMessage(row.Source, row.Raw) // what cannot be read has no words
	}
	return r
}

func (c *Calls) entry(ctx context.Context, row *readRow) (Entry, error) {
	if row.gone {
		return Entry{Seq: row.Seq, Rev: row.Seq, Gone: true}, nil
	}
	e := Entry{
		Seq: row.Seq, Rev: row.Seq, role: "message", Time: row.Time, text: make([]string, len(messageFields)),
		Labels: []string{"realm=" + row.Realm, "session=" + strconv.FormatInt(row.Session, 10)},
	}
	m := row.message
	if m == nil {
		return e, nil // it is there all the same
	}
	if err := c.Resolve(ctx, row.Session, m); err != nil {
		return e, err
	}
	for _, p := range PassagesOf(m, c.tools) {
		f := slices.IndexFunc(messageFields, func(f keyword.Field) bool { return f.Name == p.Role })
		if e.text[f] != "" {
			e.text[f] += "\n"
		}
		e.text[f] += p.Text
		e.label("role=" + p.Role)
		if p.Tool != "" {
			e.label("tool=" + strings.ToLower(p.Tool))
		}
	}
	for i := range m.Parts {
		for _, file := range m.Parts[i].Files {
			for _, end := range pathEnds(file) {
				e.label("file=" + end)
			}
		}
	}
	return e, nil
}

func (e *Entry) label(label string) {
	if !slices.Contains(e.Labels, label) {
		e.Labels = append(e.Labels, label)
	}
}

// Resolve notes the calls of a message and finds those that its results
// answer.
func (c *Calls) Resolve(ctx context.Context, conversation int64, m *session.Message) error {
	unknown := false
	for i := range m.Parts {
		switch p := &m.Parts[i]; p.Kind {
		case session.ToolUse:
			c.tools[p.ToolID] = p.Tool
		case session.ToolResult:
			unknown = unknown || c.tools[p.ToolID] == ""
		}
	}
	if !unknown {
		return nil
	}
	for _, id := range []string{m.ToolUseSource, m.Parent} {
		if id == "" {
			continue
		}
		raw, err := c.store.Record(ctx, conversation, id)
		if err != nil {
			return err
		}
		if raw == nil {
			continue
		}
		if call, err := ReadMessage((session.ClaudeCode{}).Name(), raw); err == nil {
			for i := range call.Parts {
				if p := &call.Parts[i]; p.Kind == session.ToolUse {
					c.tools[p.ToolID] = p.Tool
				}
			}
		}
	}
	return nil
}

// ToolOf returns the tool whose result a text is.
func (c *Calls) ToolOf(msg *session.Message, text string) string {
	for i := range msg.Parts {
		if p := &msg.Parts[i]; p.Kind == session.ToolResult && p.Text == text {
			return c.tools[p.ToolID]
		}
	}
	return ""
}

// pathEnds returns what a file can be asked for by: its base name, the last
// segments of its path, and the whole path.
func pathEnds(file string) []string {
	file = CleanPath(file)
	var out []string
	rest := strings.TrimPrefix(file, "/")
	for at := len(rest); at > 0 && len(out) < pathLabels; {
		if at = strings.LastIndexByte(rest[:at], '/'); at < 0 {
			break
		}
		out = append(out, rest[at+1:])
	}
	if len(out) < pathLabels && rest != "" {
		out = append(out, rest)
	}
	if file != rest {
		out = append(out, file)
	}
	return out
}

// CleanPath returns a path with slashes and without what says nothing.
func CleanPath(file string) string {
	return path.Clean(strings.ReplaceAll(file, `\`, "/"))
}

// PathLabel returns the label that messages about a file bear. more says that
// the path is longer than labels go, so that what is found has to be looked at.
func PathLabel(file string) (label string, more bool) {
	file = CleanPath(file)
	if strings.HasPrefix(file, "/") {
		return "file=" + file, false
	}
	segments := strings.Split(file, "/")
	if more = len(segments) > pathLabels; more {
		segments = segments[len(segments)-pathLabels:]
	}
	return "file=" + strings.Join(segments, "/"), more
}

// Touches reports whether a message is about a file: a whole path or the end
// of one.
func Touches(m *session.Message, file string) bool {
	file = CleanPath(file)
	for i := range m.Parts {
		for _, f := range m.Parts[i].Files {
			if f = CleanPath(f); f == file || strings.HasSuffix(f, "/"+strings.TrimPrefix(file, "/")) && !strings.HasPrefix(file, "/") {
				return true
			}
		}
	}
	return false
}
