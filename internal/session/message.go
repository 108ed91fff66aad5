package session

import (
	"strings"
	"time"
)

// Role says whose side a message is on.
type Role string

// The roles. Tool results come from the user's side of the protocol, so a
// message of role user is not always a person's: see [Message.Human].
const (
	User      Role = "user"
	Assistant Role = "assistant"
	System    Role = "system"
)

// Kind says what a part of a message is.
type Kind string

// The kinds of parts.
const (
	Text       Kind = "text"
	ToolUse    Kind = "tool_use"
	ToolResult Kind = "tool_result"
	Thinking   Kind = "thinking"
	Summary    Kind = "summary"  // the client's summary of a compacted conversation
	Boundary   Kind = "boundary" // where the conversation was compacted
)

// Part is one block of a message.
type Part struct {
	Kind Kind
	Text string

	// Meta marks text that the client put in, not the speaker: a reminder, the
	// file open in the editor, the output of a local command.
	Meta bool

	// Tool is the name of the tool that a call is for, ToolID what links a call
	// and its result.
	Tool   string
	ToolID string

	Files   []string // paths that a call names, or that a result is about
	Command string   // shell command of a call
	Input   string   // input of a call, as compact JSON

	// Failed and ExitCode belong to results. ExitCode is nil when it is not
	// known, as for a command left running.
	Failed   bool
	ExitCode *int

	// Agent names the subagent whose work a result is.
	Agent string
}

// Usage counts the tokens of one response. Records that share a
// [Message.Response] repeat it.
type Usage struct {
	Input         int64
	Output        int64
	CacheRead     int64
	CacheCreation int64
}

// Message is one record of a conversation as its source has it.
type Message struct {
	ID      string // unique across sessions; forks of a session repeat it
	Parent  string // the message this one follows; empty at the start
	Session string
	Agent   string // the subagent whose thread this is; empty for the main thread

	Role    Role
	Speaker string // name of the speaker, where the source has names
	Parts   []Part
	Time    time.Time // zero when the source has none

	Cwd     string
	Branch  string
	Version string // of the client
	Model   string
	Usage   *Usage

	// Response is the id of the model's response that this record is a piece
	// of; usage counts once per response.
	Response string

	Done           bool   // the agent had nothing more to do
	Sidechain      bool   // part of a subagent's thread
	Meta           bool   // nothing in it was said by user or agent
	CompactSummary bool   // stands in for a compacted conversation
	ToolUseSource  string // the message whose call this one answers
	LogicalParent  string // the message before a compaction, where Parent is cut
}

// Text returns what a reader of the conversation would see: everything but
// thinking, with tool calls shortened to one line.
func (m *Message) Text() string {
	var b strings.Builder
	for i := range m.Parts {
		p := &m.Parts[i]
		text := p.Text
		switch p.Kind {
		case Thinking:
			continue
		case ToolUse:
			text = callLine(p, m.Cwd)
		}
		if text == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteString("\n\n")
		}
		b.WriteString(text)
	}
	return b.String()
}

// Human returns what a person said in m, empty if no person did. In a
// subagent's thread the part of the person is played by the agent that
// started it.
func (m *Message) Human() string {
	text := ""
	for i := range m.Parts {
		if !m.saidByHuman(&m.Parts[i]) {
			continue
		}
		if text != "" {
			text += "\n\n"
		}
		text += m.Parts[i].Text
	}
	return text
}

func (m *Message) saidByHuman(p *Part) bool {
	return m.Role == User && p.Kind == Text && !p.Meta && !m.Meta && !m.CompactSummary &&
		strings.TrimSpace(p.Text) != ""
}
