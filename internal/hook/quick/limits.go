package quick

import "time"

// The events of the client, by its names, in the order of a session.
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

// Rule is what a hook may do at an event.
type Rule struct {
	// Limit is how long the process may live. A person waits for most of them.
	Limit time.Duration
	// Speaks says that the client hands what the hook prints to its agent. On
	// others it must stay silent: text on Stop makes the agent go on, and on
	// PreCompact it changes the summary.
	Speaks bool
}

// RuleOf returns the rule of an event; known is false for one that is not
// attended to.
func RuleOf(event string) (r Rule, known bool) {
	switch event {
	case SessionStart:
		return Rule{500 * time.Millisecond, true}, true
	case UserPromptSubmit:
		return Rule{150 * time.Millisecond, true}, true
	case PreToolUse, PostToolUse, PostToolUseFailure:
		return Rule{50 * time.Millisecond, true}, true
	case SubagentStart:
		return Rule{100 * time.Millisecond, true}, true
	case Stop, SubagentStop, PreCompact, SessionEnd:
		return Rule{100 * time.Millisecond, false}, true
	}
	return Rule{Limit: 50 * time.Millisecond}, false
}

const (
	// started is what passes before the first line of this package runs: the
	// kernel loads the binary and the runtime starts.
	started = 3 * time.Millisecond
	// printReserve is kept back from the daemon's time for printing and for
	// noting what went wrong.
	printReserve = 10 * time.Millisecond
	// logReserve is what the watchdog leaves for noting why it ended the process.
	logReserve = 4 * time.Millisecond
	// latePart of a limit is kept back for a busy machine: the process begins
	// later than it should, timers fire late, and its end takes a moment, too.
	latePart = 20
)
