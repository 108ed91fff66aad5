package quick

import (
	"errors"
	"io"
	"time"
)

// Longest texts taken over, in bytes. Paths and ids are dropped rather than
// cut: half a path is another path; see [scanner.name].
const (
	maxID   = 256
	maxPath = 4096
	maxText = 64 << 10
)

// Report is what is of use in what the client says of an event. Its JSON is the
// input of the daemon's operation "hook".
type Report struct {
	Event                             string // as the client calls it
	Session, Transcript, Cwd          string
	Source, Reason, Trigger           string
	Prompt, Message                   string
	Tool, ToolID                      string
	Input                             []byte // JSON, or nil
	Error                             string
	Interrupt                         bool
	Agent, AgentType, AgentTranscript string
}

// Read takes a report from a stream. Unknown members are ignored, and so are
// those of a type they should not have. It returns at the end of the report
// and does not wait for that of the stream. When until passes first, what was
// read by then counts, as long as it tells the session.
func Read(from io.Reader, until time.Time) (Report, error) {
	s := &scanner{from: from, until: until}
	var r Report
	if s.token() == 0xEF { // a byte order mark
		for range 3 {
			s.peek()
			s.pos = min(s.pos+1, s.end)
		}
	}
	if s.token() == 0 && s.err == errEnds {
		return r, errEmpty
	}
	s.object(func(key string) { r.member(s, key) })
	if errors.Is(s.err, errTime) && r.Session != "" {
		return r, nil
	}
	return r, s.err
}

func (r *Report) member(s *scanner, key string) {
	text := func() string { t, _ := s.word(maxText); return t }
	switch key {
	case "hook_event_name":
		r.Event = s.name(maxID)
	case "session_id":
		r.Session = s.name(maxID)
	case "transcript_path":
		r.Transcript = s.name(maxPath)
	case "cwd":
		r.Cwd = s.name(maxPath)
	case "source":
		r.Source = s.name(maxID)
	case "reason":
		r.Reason = s.name(maxID)
	case "trigger":
		r.Trigger = s.name(maxID)
	case "prompt":
		r.Prompt = text()
	case "last_assistant_message":
		r.Message = text()
	case "tool_name":
		r.Tool = s.name(maxID)
	case "tool_use_id":
		r.ToolID = s.name(maxID)
	case "tool_input":
		r.Input = nil
		if s.token() == '{' {
			r.Input = s.value(nil, 0)
		} else {
			s.skip()
		}
	case "error":
		r.Error = text()
	case "is_interrupt":
		r.Interrupt = s.truth()
	case "agent_id":
		r.Agent = s.name(maxID)
	case "agent_type":
		r.AgentType = s.name(maxID)
	case "agent_transcript_path":
		r.AgentTranscript = s.name(maxPath)
	default:
		s.skip()
	}
}

// Params returns the report as the parameters of the daemon's operation. since
// is how long the hook's process has been running.
func (r *Report) Params(event string, since time.Duration) []byte {
	out := make([]byte, 0, 512+len(r.Prompt)+len(r.Message)+len(r.Input)+len(r.Error))
	out = appendString(append(out, `{"event":`...), event)
	add := func(name, text string) {
		if text == "" {
			return
		}
		out = append(append(append(out, `,"`...), name...), `":`...)
		out = appendString(out, text)
	}
	add("session", r.Session)
	add("transcript", r.Transcript)
	add("cwd", r.Cwd)
	add("source", r.Source)
	add("reason", r.Reason)
	add("trigger", r.Trigger)
	add("prompt", r.Prompt)
	add("message", r.Message)
	add("tool", r.Tool)
	add("tool_id", r.ToolID)
	if r.Input != nil {
		out = append(append(out, `,"input":`...), r.Input...)
	}
	add("error", r.Error)
	if r.Interrupt {
		out = append(out, `,"interrupt":true`...)
	}
	add("agent", r.Agent)
	add("agent_type", r.AgentType)
	add("agent_transcript", r.AgentTranscript)
	out = append(out, `,"micros":`...)
	return append(appendInt(out, since.Microseconds()), '}')
}

// appendInt appends a number that is not negative.
func appendInt(out []byte, n int64) []byte {
	var digits [20]byte
	i := len(digits)
	for n = max(n, 0); ; n /= 10 {
		i--
		digits[i] = byte('0' + n%10)
		if n < 10 {
			return append(out, digits[i:]...)
		}
	}
}
