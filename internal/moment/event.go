package moment

import "encoding/json"

// The events of the client that are attended to, by the client's names.
const (
	SessionStart       = "SessionStart"
	UserPromptSubmit   = "UserPromptSubmit"
	PreToolUse         = "PreToolUse"
	PostToolUse        = "PostToolUse"
	PostToolUseFailure = "PostToolUseFailure"
	Stop               = "Stop"
	SubagentStart      = "SubagentStart"
	SubagentStop       = "SubagentStop"
	PreCompact         = "PreCompact"
	SessionEnd         = "SessionEnd"
)

// Events lists them in the order of a session.
func Events() []string {
	return []string{SessionStart, UserPromptSubmit, PreToolUse, PostToolUse, PostToolUseFailure,
		Stop, SubagentStart, SubagentStop, PreCompact, SessionEnd}
}

// Event is one event of the client: what of its report is of use.
type Event struct {
	Name       string `json:"event" jsonschema:"the client's name of the event"`
	Session    string `json:"session,omitempty" jsonschema:"the client's id of the session"`
	Transcript string `json:"transcript,omitempty" jsonschema:"file in which the client writes the session down"`
	Cwd        string `json:"cwd,omitempty" jsonschema:"directory of work"`

	Source  string `json:"source,omitempty" jsonschema:"of SessionStart: startup, resume, clear, compact or fork"`
	Reason  string `json:"reason,omitempty" jsonschema:"of SessionEnd: why"`
	Trigger string `json:"trigger,omitempty" jsonschema:"of PreCompact: manual or auto"`
	Prompt  string `json:"prompt,omitempty" jsonschema:"of UserPromptSubmit: what the person asks"`
	Message string `json:"message,omitempty" jsonschema:"of Stop and SubagentStop: what the agent said last"`

	Tool      string          `json:"tool,omitempty" jsonschema:"name of the tool"`
	ToolID    string          `json:"tool_id,omitempty" jsonschema:"the client's id of the call"`
	Input     json.RawMessage `json:"input,omitempty" jsonschema:"input of the tool"`
	Error     string          `json:"error,omitempty" jsonschema:"of PostToolUseFailure: what went wrong"`
	Interrupt bool            `json:"interrupt,omitempty" jsonschema:"of PostToolUseFailure: a person stopped it"`

	Agent           string `json:"agent,omitempty" jsonschema:"the subagent it happens in"`
	AgentType       string `json:"agent_type,omitempty" jsonschema:"its sort"`
	AgentTranscript string `json:"agent_transcript,omitempty" jsonschema:"of SubagentStop: file of its thread"`

	realm string // of the directory of work

	Micros int64 `json:"micros,omitempty" jsonschema:"how long the hook's process had been running when it asked"`
}

// Answer is what becomes of an event.
type Answer struct {
	// Context is text for the agent, wrapped as reference material; "" means
	// that there is nothing to say.
	Context string `json:"context,omitempty"`
	// Items are the ids of what it holds.
	Items []string `json:"items,omitempty"`
	// Outcome says in a word what was done, or why nothing was handed over.
	Outcome string `json:"outcome"`
}

// What becomes of an event.
const (
	Injected = "injected" // text was handed over
	Noted    = "noted"    // written down; such events get no text
	Ignored  = "ignored"  // an event that is not attended to
	Failed   = "failed"   // an error, which is in the log
)
