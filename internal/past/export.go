package past

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"chitta/internal/follow"
	"chitta/internal/memory"
	"chitta/internal/session"
	"chitta/internal/store"
)

// Formats that sessions are exported in.
const (
	FormatJSONL    = "jsonl" // the records as they are stored
	FormatMarkdown = "md"    // to read
	FormatJSON     = "json"  // messages with their parts
)

// Formats lists the formats that sessions are exported in.
func Formats() []string { return []string{FormatJSONL, FormatMarkdown, FormatJSON} }

// ExportInput chooses what to export of a session.
type ExportInput struct {
	ID     string `json:"id" jsonschema:"the session: its id or the unique start of it"`
	Realm  string `json:"realm,omitempty" jsonschema:"its project, where several have a session of that id"`
	Format string `json:"format,omitempty" jsonschema:"jsonl (the records as stored), md (to read) or json (messages with their parts); default jsonl"`
	Agent  string `json:"agent,omitempty" jsonschema:"the thread of this subagent; default: the main thread"`
	Cursor string `json:"cursor,omitempty" jsonschema:"next of the page before"`
}

// ExportOutput is a page of a thread.
type ExportOutput struct {
	Session Session  `json:"session"`
	Agents  []Thread `json:"agents,omitempty"` // subagents that have threads of their own
	Pieces  []string `json:"pieces"`           // in order: a record, a message as JSON, or a piece of Markdown

	Messages int    `json:"messages"` // on this page
	Next     string `json:"next,omitempty"`
}

// ExportedMessage is a message of an export as JSON: what its record says, in
// words that do not depend on the client.
type ExportedMessage struct {
	ID      string         `json:"id"`
	Parent  string         `json:"parent,omitempty"`
	Agent   string         `json:"agent,omitempty"`
	Role    string         `json:"role"` // user, assistant, tool or system
	Speaker string         `json:"speaker,omitempty"`
	Time    time.Time      `json:"time,omitzero"`
	Cwd     string         `json:"cwd,omitempty"`
	Branch  string         `json:"branch,omitempty"`
	Model   string         `json:"model,omitempty"`
	SHA256  string         `json:"sha256"`           // of the record
	Shared  string         `json:"shared,omitempty"` // the session it was said in, from which this one was forked
	Parts   []ExportedPart `json:"parts"`
}

// ExportedPart is a part of an exported message.
type ExportedPart struct {
	Kind   string          `json:"kind"`
	Role   string          `json:"role"`
	Text   string          `json:"text,omitempty"`
	Tool   string          `json:"tool,omitempty"`
	ToolID string          `json:"tool_id,omitempty"` // links a call and its result
	Input  json.RawMessage `json:"input,omitempty"`
	Files  []string        `json:"files,omitempty"`
	Failed bool            `json:"failed,omitempty"`
	Exit   *int            `json:"exit,omitempty"`
	Agent  string          `json:"agent,omitempty"`
}

// Export returns a thread of a session a page at a time.
func (a *Archive) Export(ctx context.Context, who Reader, in ExportInput) (ExportOutput, error) {
	format := FormatJSONL
	var err error
	if in.Format != "" {
		if format, err = memory.ParseOneOf("format", in.Format, Formats()); err != nil {
			return ExportOutput{}, err
		}
	}
	from, err := memory.DecodeCursor(in.Cursor)
	if err != nil {
		return ExportOutput{}, err
	}
	s, err := a.findIn(ctx, who, in.Realm, in.ID)
	if err != nil {
		return ExportOutput{}, err
	}
	views, err := a.sessionsOf(ctx, s)
	if err != nil {
		return ExportOutput{}, err
	}
	shown := ShowOutput{Agent: in.Agent}
	if err := a.threads(ctx, &s, &shown); err != nil {
		return ExportOutput{}, err
	}
	out := ExportOutput{Session: views[0], Agents: shown.Agents, Pieces: []string{}}
	t, err := a.threadOf(ctx, who, s, in.Agent)
	if err != nil {
		return ExportOutput{}, err
	}
	rows, err := a.messagesAt(ctx, t.places[min(from, int64(len(t.places))):], exportPage)
	if err != nil {
		return ExportOutput{}, err
	}
	if format == FormatMarkdown && from == 0 {
		out.Pieces = append(out.Pieces, markdownHead(&out.Session, in.Agent))
	}
	for i := range rows {
		piece, err := exportPiece(format, &s, &rows[i], t.shared[rows[i].Session])
		if err != nil {
			return ExportOutput{}, err
		}
		if piece != "" {
			out.Pieces = append(out.Pieces, piece)
		}
	}
	if out.Messages = len(rows); len(rows) > 0 {
		if next := from + int64(len(rows)); next < int64(len(t.places)) {
			out.Next = memory.EncodeCursor(next)
		}
		if out.Next == "" && format == FormatJSONL && in.Agent == "" {
			if err := a.addTitle(ctx, &out, s, t.places); err != nil {
				return ExportOutput{}, err
			}
		}
	}
	return out, nil
}

const (
	// exportPage is about how many bytes of records a page has: messages can be
	// long, answers are bounded.
	exportPage = 4 << 20
	// firstWords is among how many messages a person is expected to have spoken,
	// and firstBytesRead how much of them is read to find out.
	firstWords     = 100
	firstBytesRead = 4 << 20
)

// addTitle adds a title that the messages do not tell, as the client writes it:
// as a record of its own, with the last message it speaks of.
func (a *Archive) addTitle(ctx context.Context, out *ExportOutput, s store.Session, places []store.Position) error {
	if s.Title == "" || s.Source != (session.ClaudeCode{}).Name() {
		return nil
	}
	rows, err := a.messagesAt(ctx, places[:min(len(places), firstWords)], firstBytesRead)
	if err != nil {
		return err
	}
	for i := range rows {
		said, err := follow.ReadMessage(s.Source, rows[i].Raw)
		if err != nil {
			continue // it has no words
		}
		if title := session.TitleOf(said.Human()); title == s.Title {
			return nil
		} else if title != "" {
			break
		}
	}
	record, err := json.Marshal(struct {
		Type    string `json:"type"`
		Summary string `json:"summary"`
		Leaf    string `json:"leafUuid"`
	}{"summary", s.Title, places[len(places)-1].ID})
	out.Pieces = append(out.Pieces, string(record))
	return err
}

// exportPiece is a message of a session in a format; shared is the other
// session that has it, if one has.
func exportPiece(format string, s *store.Session, row *store.Message, shared string) (string, error) {
	switch {
	case format == FormatJSONL && shared != "":
		return inSession(row, s.ID)
	case format == FormatJSONL:
		return string(row.Raw), nil
	}
	m, err := follow.ReadMessage(s.Source, row.Raw)
	if err != nil {
		return "", fmt.Errorf("message %s: %w", row.ID, err)
	}
	if format == FormatMarkdown {
		return markdownMessage(m), nil
	}
	x := exported(row, m)
	x.Shared = shared
	b, err := json.Marshal(x)
	return string(b), err
}

func exported(row *store.Message, m *session.Message) ExportedMessage {
	out := ExportedMessage{
		ID: row.ID, Parent: m.Parent, Agent: row.Agent, Role: messageRole(m), Speaker: m.Speaker, Time: m.Time, Cwd: m.Cwd,
		Branch: m.Branch, Model: m.Model, SHA256: hex.EncodeToString(row.Hash[:]), Parts: []ExportedPart{},
	}
	for i := range m.Parts {
		p := &m.Parts[i]
		x := ExportedPart{
			Kind: string(p.Kind), Role: follow.PartRole(m, p), Text: p.Text, Tool: p.Tool, ToolID: p.ToolID, Files: p.Files,
			Failed: p.Failed, Exit: p.ExitCode, Agent: p.Agent,
		}
		if json.Valid([]byte(p.Input)) {
			x.Input = json.RawMessage(p.Input)
		}
		out.Parts = append(out.Parts, x)
	}
	return out
}

// inSession returns a record with the id of another session: a client writes
// what a fork shares under the fork's id.
func inSession(row *store.Message, id string) (string, error) {
	only := func(path [][]byte) bool { return len(path) == 1 && string(path[0]) == "sessionId" }
	raw, err := session.RewriteMembers(row.Raw, only, func(string) string { return id })
	if err != nil {
		return "", fmt.Errorf("message %s: name its session: %w", row.ID, err)
	}
	return string(raw), nil
}
