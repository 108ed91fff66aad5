package ingest

import (
	"bytes"
	"strings"

	"chitta/internal/capture"
	"chitta/internal/session"
)

// clean takes secrets out of a record, and what chitta itself put into the
// conversation: memory must not feed on itself.
func (r *reader) clean(rec session.Record, text []byte) (session.Record, []byte, int, error) {
	want, redacted := r.isText, 0
	fn := func(s string) string {
		if isRecordID(s) {
			return s
		}
		clean, found := r.redactor.Redact(capture.StripEcho(s))
		redacted += len(found)
		return clean
	}
	if r.answersOwnCall(rec.Message) {
		want = func(path [][]byte) bool { return r.isText(path) && isAnswer(path) }
		fn = func(string) string { return ownAnswer }
	}
	clean, err := rec.RewriteMembers(text, want, fn)
	if err != nil {
		return rec, nil, 0, err
	}
	if mayHaveLongName(clean) {
		clean, err = session.RewriteNames(clean, isLongName, func(name string) string {
			name, found := r.redactor.Redact(name)
			redacted += len(found)
			return name
		})
		if err != nil {
			return rec, nil, 0, err
		}
	}
	if &clean[0] == &text[0] {
		clean = bytes.Clone(text)
	} else if rec, err = r.format.Line(clean); err != nil {
		return rec, nil, 0, err
	}
	if m := rec.Message; m.Session == "" && r.format.Name() == claudeCode {
		m.Session = r.session
	}
	return rec, clean, redacted, nil
}

// longName is how long the name of a member has to be to hold a secret. Those
// that clients write are shorter.
const longName = 16

func isLongName(name []byte) bool {
	return len(name) >= longName && !plainMembers[string(name)] && !longPlain[string(name)]
}

// longPlain are long names that clients write in nearly every record.
var longPlain = set("cache_creation_input_tokens", "cache_read_input_tokens", "ephemeral_5m_input_tokens", "ephemeral_1h_input_tokens",
	"web_search_requests", "web_fetch_requests", "isVisibleInTranscriptOnly", "noOutputExpected", "returnCodeInterpretation")

// mayHaveLongName looks at a line without taking it apart, which costs as much
// as reading it: almost none has a name in it that is worth that. A quote before
// a colon ends a name, unless it is escaped and part of a text.
func mayHaveLongName(line []byte) bool {
	for from := 0; ; {
		at := bytes.IndexByte(line[from:], ':')
		if at < 0 {
			return false
		}
		at += from
		from = at + 1
		if at == 0 {
			continue
		}
		switch line[at-1] {
		case '"':
			if endsLongName(line[:at-1]) {
				return true
			}
		case ' ', '\t', '\n', '\r': // as no client writes it
			if bytes.HasSuffix(bytes.TrimRight(line[:at], " \t\n\r"), []byte(`"`)) {
				return true
			}
		}
	}
}

// endsLongName reports whether what stands before a quote and a colon may end
// with a name to look at.
func endsLongName(before []byte) bool {
	head := before[max(0, len(before)-longestPlain-1):]
	slashes := len(head) - len(bytes.TrimRight(head, `\`))
	if slashes < len(head) && slashes%2 == 1 {
		return false
	}
	begin := bytes.LastIndexByte(head, '"')
	return isLongName(head[begin+1:]) || begin > 0 && head[begin-1] == '\\'
}

// longestPlain is longer than the names that clients write.
const longestPlain = 64

var claudeCode = session.ClaudeCode{}.Name()

// cleanTitle is a title as it may be stored.
func (r *reader) cleanTitle(title string) string {
	title, _ = r.redactor.Redact(capture.StripEcho(title))
	return session.TitleOf(title)
}

// Members of a record whose values are names, ids and times, not text. Some of
// them look random and would be taken for secrets.
var (
	plainMembers = set("type", "subtype", "uuid", "parentUuid", "logicalParentUuid", "sessionId", "agentId", "timestamp", "version",
		"cwd", "userType", "entrypoint", "requestId", "promptId", "promptSource", "permissionMode", "level",
		"sourceToolAssistantUUID", "sourceToolUseID", "toolUseID", "parentToolUseID", "leafUuid", "messageId")
	plainOfMessage = set("type", "id", "model", "role", "stop_reason", "stop_sequence", "tool_use_id", "signature", "service_tier")
	plainOfTurn    = set("id", "session", "time", "role")
)

func set(names ...string) map[string]bool {
	all := make(map[string]bool, len(names))
	for _, n := range names {
		all[n] = true
	}
	return all
}

// isText says whether text stands at a place of a record, by the names of the
// members around it. What tools are given and what they return is all text.
func (r *reader) isText(path [][]byte) bool {
	if len(path) == 0 {
		return true
	}
	last := path[len(path)-1]
	if n := len(path); n > 1 && (string(last) == "data" && string(path[n-2]) == "source" || string(last) == "base64" && string(path[n-2]) == "file") {
		return false // an image or a document
	}
	if r.format.Name() != claudeCode {
		return len(path) > 1 || !plainOfTurn[string(last)]
	}
	switch {
	case len(path) == 1:
		return !plainMembers[string(last)]
	case string(path[0]) != "message":
		return true
	case len(path) > 3 && string(path[2]) == "input":
		return true
	}
	return !plainOfMessage[string(last)]
}

// isAnswer says whether the answer of a tool stands at a place.
func isAnswer(path [][]byte) bool {
	return string(path[0]) == "toolUseResult" || len(path) > 1 && string(path[0]) == "message" && string(path[1]) == "content"
}

// ownAnswer stands in the place of what a tool of chitta's own answered.
const ownAnswer = "[what chitta answered is not kept]"

// answersOwnCall reports whether a record is the answer of one of chitta's own
// tools, and takes note of calls. A call that was read earlier than this
// reader began is looked up.
func (r *reader) answersOwnCall(m *session.Message) bool {
	own := false
	for i := range m.Parts {
		switch p := &m.Parts[i]; p.Kind {
		case session.ToolUse:
			r.calls[p.ToolID] = isOwnTool(p.Tool)
		case session.ToolResult:
			is, known := r.calls[p.ToolID]
			if !known {
				is = r.lookUpCall(m, p.ToolID)
				r.calls[p.ToolID] = is
			}
			own = own || is && !p.Failed
		}
	}
	return own
}

// isOwnTool recognises chitta's tools by the names clients give them, whether
// it was set up as a server or came with a plugin.
func isOwnTool(name string) bool {
	return strings.HasPrefix(name, "mcp__chitta__") || strings.HasPrefix(name, "mcp__plugin_chitta")
}

// lookUpCall looks for the call that a message answers among the messages
// stored. If it cannot be found, it counts as another's.
func (r *reader) lookUpCall(m *session.Message, call string) bool {
	for _, id := range []string{m.ToolUseSource, m.Parent} {
		if id == "" {
			continue
		}
		found, err := r.store.MessageByID(r.ctx, id, 0, 1)
		if err != nil || len(found) == 0 || found[0].ID != id {
			continue
		}
		rec, err := r.format.Line(found[0].Raw)
		if err != nil || rec.Message == nil {
			continue
		}
		for _, p := range rec.Message.Parts {
			if p.Kind == session.ToolUse && p.ToolID == call {
				return isOwnTool(p.Tool)
			}
		}
	}
	return false
}

// isRecordID reports whether a text is nothing but an id as the model's
// interface makes them.
func isRecordID(s string) bool {
	if len(s) > 64 {
		return false
	}
	for _, prefix := range []string{"toolu_", "srvtoolu_", "msg_", "req_"} {
		if rest, ok := strings.CutPrefix(s, prefix); ok && rest != "" {
			for i := range len(rest) {
				if !isAlnum(rest[i]) {
					return false
				}
			}
			return true
		}
	}
	return false
}

func isAlnum(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}
