package session

import (
	"time"
	"unicode/utf8"
)

// Size and overlap of chunks in tokens, and how many characters count for one.
const (
	DefaultChunkSize    = 500
	DefaultChunkOverlap = 50
	charsPerToken       = 4
)

// ChunkOptions says how to cut. The zero value is sensible.
type ChunkOptions struct {
	Size    int // about how many tokens a chunk has; 0 means [DefaultChunkSize]
	Overlap int // tokens that pieces of one long text share; 0 means [DefaultChunkOverlap], below 0 none

	// Tokens counts the tokens of a text. Nil estimates them by length.
	Tokens func(string) int

	// Messages and Turns count what went before the first message given, when
	// only the end of a stream is chunked.
	Messages int
	Turns    int
}

// Chunk is a piece of a conversation, the unit that is searched.
type Chunk struct {
	Role    Role
	Speaker string
	Agent   string
	Text    string

	First, Last int // index of the first and the last message in it
	Turn        int // number of the human turn it belongs to, 0 before the first
	Part        int // counts the pieces of one long text, from 0
	Time        time.Time

	Files    []FileTouch
	Commands []CommandRun

	Summary bool // the client's summary of a compacted conversation
}

// Chunks cuts the messages of one stream (the main thread of a session, or one
// subagent's), in their order, into chunks.
//
// What a person says is a chunk of its own. What the agent says and does
// within a turn is put together up to the size; a tool call is reduced to the
// tool, what it was about, its exit status and the first lines of an error. In
// a turn without tools, as in plain conversations, every message is its own
// chunk. A text longer than the size is cut at a paragraph, a sentence or a
// line, in this order, and code only between lines. Thinking and what the
// client put in are left out.
//
// Chunks never reach across the start of a human turn. So when messages have
// been appended, a caller keeps the chunks of all turns but the last, and cuts
// again from where that began:
//
//	first, before := LastTurn(old)
//	o.Messages, o.Turns = first, before
//	fresh := Chunks(all[first:], o)
//
// The result is the same as cutting everything again.
func Chunks(messages []Message, o ChunkOptions) []Chunk {
	c := chunker{ChunkOptions: o.withDefaults(), messages: messages}
	for _, t := range turns(messages, o.Turns) {
		c.turn(t)
	}
	return c.chunks
}

func (o ChunkOptions) withDefaults() ChunkOptions {
	if o.Size <= 0 {
		o.Size = DefaultChunkSize
	}
	if o.Overlap == 0 {
		o.Overlap = DefaultChunkOverlap
	}
	// More would make pieces that say little new.
	o.Overlap = max(0, min(o.Overlap, o.Size/4))
	if o.Tokens == nil {
		o.Tokens = EstimateTokens
	}
	return o
}

// EstimateTokens estimates how many tokens a text has, from its length.
func EstimateTokens(text string) int {
	return (utf8.RuneCountInString(text) + charsPerToken - 1) / charsPerToken
}

// chunker cuts one stream.
type chunker struct {
	ChunkOptions
	messages []Message
	chunks   []Chunk

	number int   // of the turn
	work   *work // what the agent did since the last chunk; nil if nothing
}

// turn cuts one human turn.
func (c *chunker) turn(t span) {
	c.number = t.turn
	// The answer to the last call can stand in the record with which the person
	// takes over, so that one is looked at too.
	results := resultsOf(c.messages[t.first:min(t.end+1, len(c.messages))], t.first)
	plain := !hasCalls(c.messages[t.first:t.end])
	calls := map[string]bool{}
	for i := t.first; i < t.end; i++ {
		m := &c.messages[i]
		for k := range m.Parts {
			p := &m.Parts[k]
			switch p.Kind {
			case Text:
				c.text(i, p)
			case Summary:
				c.flush()
				c.long(i, p.Text, Chunk{Role: System, Summary: true}) // nobody said it
			case Boundary:
				c.flush()
			case ToolUse:
				r, found := results[p.ToolID]
				calls[p.ToolID] = calls[p.ToolID] || found
				c.call(i, p, r)
			case ToolResult:
				// one that opens a turn answers a call of the turn before
				if !calls[p.ToolID] && i > t.first {
					c.orphan(i, p)
				}
			}
		}
		if human := m.Human(); human != "" {
			c.flush()
			c.long(i, human, Chunk{Role: User})
		}
		if plain {
			c.flush()
		}
	}
	c.flush()
}

// text takes a text that is not a person's; theirs are taken together, once
// per message.
func (c *chunker) text(i int, p *Part) {
	m := &c.messages[i]
	if p.Meta || m.Meta || m.Role == User {
		return
	}
	if m.Role == System {
		c.flush()
		c.long(i, p.Text, Chunk{Role: System})
		return
	}
	c.add(i, i, piece{text: p.Text, paragraph: true})
}

// long makes chunks of one text of one message, as many as it needs. like says
// what they have in common.
func (c *chunker) long(i int, text string, like Chunk) {
	m := &c.messages[i]
	for part, piece := range split(text, c.Size, c.Overlap, c.Tokens) {
		chunk := like
		chunk.Text, chunk.Part = piece, part
		chunk.Speaker, chunk.Agent, chunk.Time = m.Speaker, m.Agent, m.Time
		chunk.First, chunk.Last = c.Messages+i, c.Messages+i
		chunk.Turn = c.number
		c.chunks = append(c.chunks, chunk)
	}
}

func hasCalls(messages []Message) bool {
	for i := range messages {
		for k := range messages[i].Parts {
			if messages[i].Parts[k].Kind == ToolUse {
				return true
			}
		}
	}
	return false
}
