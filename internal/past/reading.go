package past

import (
	"encoding/hex"
	"strings"
	"unicode/utf8"

	"chitta/internal/follow"
	"chitta/internal/session"
	"chitta/internal/store"
)

// reading turns records into readable messages.
type reading struct {
	source         string
	full, thinking bool
	room           int              // bytes of text left
	shared         map[int64]string // ids of other sessions, by row number

	rows     []store.Message
	messages []*session.Message // nil where a record cannot be read
	calls    map[string]placed  // by the id of the call
	results  map[string]placed
}

// placed is a part of a message, and where that stands.
type placed struct {
	*session.Part
	at int
}

// near reports whether a part stands near enough to a message to be shown with
// it, and is there at all.
func (p placed) near(at int) bool { return p.Part != nil && max(p.at-at, at-p.at) <= pairWithin }

func (r *reading) read(rows []store.Message) {
	r.rows, r.messages, r.calls, r.results = rows, nil, map[string]placed{}, map[string]placed{}
	for i := range rows {
		m, err := follow.ReadMessage(r.source, rows[i].Raw)
		if err != nil {
			m = nil
		}
		r.messages = append(r.messages, m)
		if m == nil {
			continue
		}
		for j := range m.Parts {
			switch p := &m.Parts[j]; p.Kind {
			case session.ToolUse:
				r.calls[p.ToolID] = placed{p, i}
			case session.ToolResult:
				r.results[p.ToolID] = placed{p, i}
			}
		}
	}
}

// views returns the messages that are wanted, all if that is nil. Those with
// nothing to show are left out.
func (r *reading) views(wanted func(i int) bool) []Message {
	out := []Message{}
	for i := range r.rows {
		row := &r.rows[i]
		if wanted != nil && !wanted(i) {
			continue
		}
		v := Message{ID: row.ID, Position: row.Position, Role: row.Role, Agent: row.Agent, Time: row.Time, SHA256: hex.EncodeToString(row.Hash[:]), Shared: r.shared[row.Session], Parts: []Part{}}
		m := r.messages[i]
		if m == nil {
			v.Parts = append(v.Parts, Part{Kind: string(session.Text), Role: follow.RoleSystem, Text: "(this record cannot be read)"})
			out = append(out, v)
			continue
		}
		v.Speaker = m.Speaker
		for j := range m.Parts {
			if p, ok := r.part(i, m, &m.Parts[j]); ok {
				v.Parts = append(v.Parts, p)
			}
		}
		if len(v.Parts) == 0 && wanted != nil {
			continue
		}
		v.Role = messageRole(m)
		out = append(out, v)
	}
	return out
}

// messageRole says whose message it is: an agent's, a person's if a person
// says anything in it, a tool's if it brings results, the client's otherwise.
func messageRole(m *session.Message) string {
	if m.Role == session.Assistant && !m.Meta {
		return follow.RoleAssistant
	}
	for _, role := range follow.Roles {
		for i := range m.Parts {
			if follow.PartRole(m, &m.Parts[i]) == role {
				return role
			}
		}
	}
	return string(m.Role)
}

// part shows one part of the message at a place, false if it is to be left out.
func (r *reading) part(at int, m *session.Message, p *session.Part) (Part, bool) {
	v := Part{Kind: string(p.Kind), Role: follow.PartRole(m, p), Tool: p.Tool, Text: p.Text, Files: p.Files}
	call := r.calls[p.ToolID]
	if !r.shows(p) || r.folds(p, call.near(at)) {
		return v, false
	}
	most := -1
	switch p.Kind {
	case session.ToolUse:
		v.Text = oneLine(strings.TrimPrefix(p.Call(m.Cwd), "["+p.Tool+"]"))
		if result := r.results[p.ToolID]; result.near(at) {
			v.Failed, v.Exit = result.Failed, result.ExitCode
			if !r.full {
				v.Outcome = oneLine(strings.TrimPrefix(strings.TrimSpace(p.Outcome(result.Part)), "→ "))
			}
		}
		if r.full && p.Input != "" {
			v.Text = p.Input
		}
	case session.ToolResult:
		if call.Part != nil {
			v.Tool = call.Tool
		}
		v.Failed, v.Exit = p.Failed, p.ExitCode
		most = outputRunes
	default:
		if v.Role == follow.RoleSystem && p.Kind != session.Thinking {
			most = metaRunes
		}
	}
	if r.full {
		most = -1
	}
	v.Text, v.Cut = r.fit(v.Text, most)
	return v, true
}

// fit cuts a text to a number of characters, below 0 none, and to the room
// that is left.
func (r *reading) fit(text string, most int) (string, int) {
	cut := text
	if most >= 0 {
		cut = clip(cut, most)
	}
	if len(cut) > r.room {
		cut = cut[:boundary(cut, max(0, r.room))]
	}
	r.room -= len(cut)
	return cut, utf8.RuneCountInString(text[len(cut):])
}
