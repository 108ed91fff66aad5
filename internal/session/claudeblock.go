package session

import (
	"fmt"
	"strings"
)

// message reads the member of that name: the message as the model's interface
// has it.
func (r *claudeReader) message() error {
	if r.peek() != '{' {
		return r.wrongType("an object")
	}
	seen, hasContent := names{}, false
	more, err := r.open('}', 1)
	for more && err == nil {
		var key quoted
		if key, err = r.key(); err != nil {
			return err
		}
		if err = seen.add(key); err != nil {
			return err
		}
		switch string(key.raw) {
		case "id":
			err = r.string(&r.msg.Response)
		case "model":
			err = r.string(&r.msg.Model)
		case "usage":
			err = r.usage()
		case "stop_reason":
			err = r.stopReason()
		case "content":
			hasContent = true
			err = r.messageContent()
		default:
			err = r.skip(2)
		}
		if err != nil {
			return within(string(key.raw), err)
		}
		more, err = r.next('}')
	}
	if err == nil && !hasContent {
		return &FieldError{"content", "is missing"}
	}
	return err
}

// stopReason reads why the model stopped; while it goes on there is none.
func (r *claudeReader) stopReason() error {
	if r.peek() != '"' {
		return r.skip(2)
	}
	var reason string
	err := r.string(&reason)
	r.msg.Done = reason == "end_turn"
	return err
}

func (r *claudeReader) usage() error {
	if r.peek() != '{' {
		return r.skip(2)
	}
	var u Usage
	more, err := r.open('}', 2)
	for more && err == nil {
		var key quoted
		if key, err = r.key(); err != nil {
			return err
		}
		switch string(key.raw) {
		case "input_tokens":
			err = r.count(&u.Input)
		case "output_tokens":
			err = r.count(&u.Output)
		case "cache_read_input_tokens":
			err = r.count(&u.CacheRead)
		case "cache_creation_input_tokens":
			err = r.count(&u.CacheCreation)
		default:
			err = r.skip(3)
		}
		if err != nil {
			return within(string(key.raw), err)
		}
		more, err = r.next('}')
	}
	r.msg.Usage = &u
	return err
}

func (r *claudeReader) messageContent() error {
	switch r.peek() {
	case '"':
		var text string
		err := r.string(&text)
		r.msg.Parts = []Part{{Kind: Text, Text: text}}
		return err
	case '[':
		more, err := r.open(']', 2)
		for i := 0; more && err == nil; i++ {
			var b claudeBlock
			if err = b.read(&r.scanner, 3); err != nil {
				return within(fmt.Sprintf("[%d]", i), err)
			}
			if b.typ == "" {
				return &FieldError{fmt.Sprintf("[%d].type", i), "is missing"}
			}
			r.msg.Parts = append(r.msg.Parts, b.part())
			more, err = r.next(']')
		}
		return err
	}
	return r.wrongType("a string or an array")
}

// claudeBlock is a block of content, before its type is known.
type claudeBlock struct {
	typ, text, thinking string
	id, name, toolUseID string
	input               []byte
	content             string
	failed              bool
}

func (b *claudeBlock) read(s *scanner, depth int) error {
	if s.peek() != '{' {
		return s.wrongType("an object")
	}
	seen := names{}
	more, err := s.open('}', depth)
	for more && err == nil {
		var key quoted
		if key, err = s.key(); err != nil {
			return err
		}
		if err = seen.add(key); err != nil {
			return err
		}
		switch string(key.raw) {
		case "type":
			err = s.string(&b.typ)
		case "text":
			err = s.string(&b.text)
		case "thinking":
			err = s.string(&b.thinking)
		case "id":
			err = s.string(&b.id)
		case "name":
			err = s.string(&b.name)
		case "tool_use_id":
			err = s.string(&b.toolUseID)
		case "is_error":
			err = s.bool(&b.failed)
		case "input":
			b.input, err = s.raw(depth + 1)
		case "content":
			b.content, err = resultText(s, depth+1)
		default:
			err = s.skip(depth + 1)
		}
		if err != nil {
			return within(string(key.raw), err)
		}
		more, err = s.next('}')
	}
	return err
}

// resultText reads the content of a tool's result: a string, or blocks whose
// texts are joined. Content of any other shape is left out.
func resultText(s *scanner, depth int) (string, error) {
	switch s.peek() {
	case '"':
		var text string
		err := s.string(&text)
		return text, err
	case '[':
		var texts []string
		more, err := s.open(']', depth)
		for i := 0; more && err == nil; i++ {
			if s.peek() != '{' {
				err = s.skip(depth + 1)
			} else {
				var b claudeBlock
				if err = b.read(s, depth+1); err != nil {
					return "", within(fmt.Sprintf("[%d]", i), err)
				}
				texts = append(texts, b.part().Text)
			}
			if err != nil {
				return "", err
			}
			more, err = s.next(']')
		}
		return strings.Join(texts, "\n"), err
	}
	return "", s.skip(depth)
}

// part turns the block into a part of a message.
func (b *claudeBlock) part() Part {
	switch b.typ {
	case "text", "":
		return Part{Kind: Text, Text: b.text}
	case "thinking":
		return Part{Kind: Thinking, Text: b.thinking}
	case "redacted_thinking":
		return Part{Kind: Thinking}
	case "tool_use", "server_tool_use", "mcp_tool_use":
		p := Part{Kind: ToolUse, Tool: b.name, ToolID: b.id, Input: compact(b.input)}
		p.Files, p.Command = inputFacts(b.name, b.input)
		return p
	case "tool_result", "web_search_tool_result", "mcp_tool_result":
		return Part{Kind: ToolResult, ToolID: b.toolUseID, Text: b.content, Failed: b.failed}
	case "tool_reference":
		return Part{Kind: Text, Meta: true, Text: "[tool]"}
	}
	return Part{Kind: Text, Meta: true, Text: "[" + b.typ + "]"} // image, document, and what is to come
}

// compact returns raw, which is valid JSON, without white space between its
// tokens. Clients write it so already.
func compact(raw []byte) string {
	var out []byte
	done := 0
	for i := 0; i < len(raw); i++ {
		switch raw[i] {
		case '"':
			i = closingQuote(raw, i+1)
		case ' ', '\t', '\n', '\r':
			out = append(out, raw[done:i]...)
			done = i + 1
		}
	}
	if done == 0 {
		return string(raw)
	}
	return string(append(out, raw[done:]...))
}

// inputFacts finds the paths and the shell command in the input of a call.
func inputFacts(tool string, input []byte) (files []string, command string) {
	for name, q := range texts(input) {
		switch name {
		case "file_path", "filePath", "path", "notebook_path", "absolute_path":
			if path := q.text(); path != "" {
				files = append(files, path)
			}
		case "command":
			if runsCommands(tool) {
				command = q.text()
			}
		}
	}
	return files, command
}

func runsCommands(tool string) bool {
	tool = strings.ToLower(tool)
	for _, word := range []string{"bash", "shell", "exec", "terminal", "command"} {
		if strings.Contains(tool, word) {
			return true
		}
	}
	return false
}
