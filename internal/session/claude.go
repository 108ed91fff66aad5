package session

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"time"
)

// ClaudeCode reads the transcripts that Claude Code writes.
//
// The conversation is in the records of type user and assistant, and in the
// boundaries where it was compacted. All other types are copies, counters and
// snapshots, more with every version of the client; they are recognised by
// their type alone and not read.
type ClaudeCode struct{}

// Name returns "claude-code".
func (ClaudeCode) Name() string { return "claude-code" }

const skipNoConversation = "no part of the conversation"

// Line reads one record.
func (ClaudeCode) Line(line []byte) (Record, error) {
	typ, ok := memberText(line, "type")
	if !ok {
		return Record{}, noType(line)
	}
	rec := Record{Type: plainName(typ)}
	switch typ {
	case "user", "assistant":
		var err error
		rec.Message, rec.long, err = readClaude(line, Role(typ))
		return rec, err
	case "system":
		subtype, _ := memberText(line, "subtype")
		if subtype == "compact_boundary" {
			var err error
			rec.Message, rec.long, err = readClaude(line, System)
			return rec, err
		}
		if subtype != "" {
			rec.Type += "/" + plainName(subtype)
		}
	case "summary":
		rec.Title, _ = memberText(line, "summary")
		rec.Leaf, _ = memberText(line, "leafUuid")
	case "custom-title":
		rec.Title, _ = memberText(line, "customTitle")
		rec.Session, _ = memberText(line, "sessionId")
	}
	rec.Skip = skipNoConversation
	return rec, hiddenRecord(line)
}

// noType says why a line has no readable type.
func noType(line []byte) error {
	s := scanner{data: line}
	if s.peek() != '{' {
		if err := s.skip(0); err != nil {
			return err
		}
		return &FieldError{"", "is not an object"}
	}
	if err := s.skip(0); err != nil {
		return err
	}
	if err := s.end(); err != nil {
		return err
	}
	l, err := glance(line)
	if err != nil {
		return err
	}
	if l.has("type") {
		return &FieldError{"type", "is not a string"}
	}
	return &FieldError{"", `has no "type"`}
}

// hiddenRecord reports a second record behind one that is not read. The bytes
// it looks for can stand only between two records, or at the end of a string,
// so a look at the structure is hardly ever needed.
func hiddenRecord(line []byte) error {
	if !bytes.Contains(line, []byte(`}{"`)) {
		return nil
	}
	s := scanner{data: line}
	if err := s.skip(0); err != nil {
		return err
	}
	return s.end()
}

// readClaude reads a record of the conversation.
func readClaude(line []byte, role Role) (*Message, *longTexts, error) {
	r := claudeReader{scanner: scanner{data: line, long: newLongTexts(line)}, msg: &Message{Role: role}}
	if err := r.record(); err != nil {
		return nil, nil, err
	}
	if err := r.end(); err != nil {
		return nil, nil, err
	}
	if err := r.settle(); err != nil {
		return nil, nil, err
	}
	m := r.msg
	if m.ID == "" {
		sum := sha256.Sum256(append([]byte(m.Session+"\n"), line...))
		m.ID = "line:" + hex.EncodeToString(sum[:16])
	}
	if len(r.long.list) == 0 {
		return m, nil, nil
	}
	return m, r.long, nil
}

// claudeReader fills a message from a record in one pass.
type claudeReader struct {
	scanner
	msg        *Message
	time       string
	hasMessage bool
	content    string // of a system record
	apiError   bool
	result     claudeResult
}

// record reads the record's outermost object.
func (r *claudeReader) record() error {
	r.peek()
	seen := names{}
	more, err := r.open('}', 0)
	for more && err == nil {
		var key quoted
		if key, err = r.key(); err != nil {
			return err
		}
		if err = seen.add(key); err != nil {
			return err
		}
		if err = r.member(key); err != nil {
			return within(string(key.raw), err)
		}
		more, err = r.next('}')
	}
	return err
}

func (r *claudeReader) member(key quoted) error {
	m := r.msg
	switch string(key.raw) {
	case "uuid":
		return r.string(&m.ID)
	case "parentUuid":
		return r.string(&m.Parent)
	case "logicalParentUuid":
		return r.string(&m.LogicalParent)
	case "sessionId":
		return r.string(&m.Session)
	case "agentId":
		return r.string(&m.Agent)
	case "timestamp":
		return r.string(&r.time)
	case "cwd":
		return r.string(&m.Cwd)
	case "gitBranch":
		return r.string(&m.Branch)
	case "version":
		return r.string(&m.Version)
	case "sourceToolAssistantUUID":
		return r.string(&m.ToolUseSource)
	case "isSidechain":
		return r.bool(&m.Sidechain)
	case "isMeta":
		return r.bool(&m.Meta)
	case "isCompactSummary":
		return r.bool(&m.CompactSummary)
	case "isApiErrorMessage":
		return r.bool(&r.apiError)
	case "content":
		if m.Role == System {
			return r.string(&r.content)
		}
	case "message":
		r.hasMessage = true
		return r.message()
	case "toolUseResult":
		return r.result.read(&r.scanner)
	}
	return r.skip(1)
}

// settle checks what a record must have, and puts together what its fields say
// in several places.
func (r *claudeReader) settle() error {
	m := r.msg
	if r.time == "" {
		return &FieldError{"timestamp", "is missing"}
	}
	t, err := time.Parse(time.RFC3339, r.time)
	if err != nil {
		return &FieldError{"timestamp", "is not a time"}
	}
	m.Time = t
	if m.Sidechain && m.Agent == "" {
		m.Agent = anonymousAgent
	}
	if m.Role == System {
		m.Parts = []Part{{Kind: Boundary, Text: r.content}}
		return nil
	}
	if !r.hasMessage {
		return &FieldError{"message", "is missing"}
	}
	r.result.apply(m.Parts)
	m.Parts = readable(m)
	m.Meta = m.Meta || r.apiError || onlyMeta(m.Parts)
	return nil
}

// anonymousAgent stands for the subagents of old clients, which wrote their
// threads into the main file without names.
const anonymousAgent = "sidechain"

func onlyMeta(parts []Part) bool {
	for i := range parts {
		if !parts[i].Meta {
			return false
		}
	}
	return len(parts) > 0
}
