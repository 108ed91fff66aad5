package session

import (
	"slices"
	"strings"
)

// piece is one thing the agent said or did.
type piece struct {
	text      string
	paragraph bool // text that stands by itself, not one line of a list of calls
	files     []FileTouch
	commands  []CommandRun
}

// work gathers pieces into one chunk.
type work struct {
	chunk     Chunk
	text      strings.Builder
	tokens    int
	paragraph bool            // the last piece was one
	lines     map[string]bool // calls that are already in the text
}

// add puts a piece of message i into the chunk at hand, or begins another if
// it does not fit. last is the last message that the piece speaks of.
func (c *chunker) add(i, last int, p piece) {
	p.text = strings.TrimSpace(p.text)
	if p.text == "" {
		return
	}
	tokens := c.Tokens(p.text)
	if c.work != nil && c.work.tokens+tokens > c.Size {
		c.flush()
	}
	m := &c.messages[i]
	if tokens > c.Size {
		c.long(i, p.text, Chunk{Role: Assistant, Files: p.files, Commands: p.commands})
		return
	}
	w := c.work
	if w == nil {
		w = &work{chunk: Chunk{
			Role: Assistant, Speaker: m.Speaker, Agent: m.Agent, Time: m.Time,
			First: c.Messages + i, Turn: c.number,
		}, lines: map[string]bool{}}
		c.work = w
	}
	w.write(p, tokens)
	w.chunk.Last = max(w.chunk.Last, c.Messages+last)
	w.chunk.Commands = append(w.chunk.Commands, p.commands...)
	for _, f := range p.files {
		if !slices.ContainsFunc(w.chunk.Files, f.sameAs) {
			w.chunk.Files = append(w.chunk.Files, f)
		}
	}
}

// write adds the text of a piece. A call that is there already, such as the
// third edit of a file, is not said again.
func (w *work) write(p piece, tokens int) {
	if !p.paragraph {
		if w.lines[p.text] {
			return
		}
		w.lines[p.text] = true
	}
	switch {
	case w.text.Len() == 0:
	case p.paragraph || w.paragraph:
		w.text.WriteString("\n\n")
	default:
		w.text.WriteString("\n")
	}
	w.text.WriteString(p.text)
	w.tokens += tokens
	w.paragraph = p.paragraph
}

// flush ends the chunk at hand.
func (c *chunker) flush() {
	if c.work == nil {
		return
	}
	c.work.chunk.Text = c.work.text.String()
	c.chunks = append(c.chunks, c.work.chunk)
	c.work = nil
}

// call takes a tool call together with its result, where that is known.
func (c *chunker) call(i int, p *Part, r result) {
	m := &c.messages[i]
	line := callLine(p, m.Cwd)
	last := i
	if r.part != nil {
		line += outcome(p, r.part)
		last = max(i, r.index)
	}
	c.add(i, last, piece{text: line, files: touches(m, p, r), commands: runs(m, p, r)})
}

// orphan takes a result whose call is not known.
func (c *chunker) orphan(i int, p *Part) {
	line := outcome(&Part{}, p)
	if line != "" {
		c.add(i, i, piece{text: "[result]" + line})
	}
}
