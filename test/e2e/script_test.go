package e2e

import (
	"encoding/json"
	"regexp"
	"strings"
	"sync"
	"time"
)

// step is one answer of the model: a message, or an error in its place.
type step struct {
	blocks []block
	usage  int           // tokens of input that it claims
	wait   time.Duration // before it answers
	status int           // of an error
}

// block is a part of a message, as the API has it.
type block struct {
	Type      string          `json:"type"`
	Text      string          `json:"text,omitempty"`
	Thinking  string          `json:"thinking,omitempty"`
	Signature string          `json:"signature,omitempty"`
	ID        string          `json:"id,omitempty"`
	Name      string          `json:"name,omitempty"`
	Input     json.RawMessage `json:"input,omitempty"`
}

// say has the model say something.
func say(text string) step { return step{blocks: []block{{Type: "text", Text: text}}} }

// think has the model think something; it goes before a say or use.
func think(text string) step {
	return step{blocks: []block{{Type: "thinking", Thinking: text, Signature: "c2NyaXB0"}}}
}

// use has the model call a tool.
func use(tool string, input map[string]any) step {
	raw, err := json.Marshal(input)
	if err != nil {
		panic(err) // inputs are literals of these tests
	}
	return step{blocks: []block{{Type: "tool_use", Name: tool, Input: raw}}}
}

// bash has the model run a command.
func bash(command string) step {
	return use("Bash", map[string]any{"command": command, "description": "run it"})
}

// write and edit have it change a file.
func write(file, content string) step {
	return use("Write", map[string]any{"file_path": file, "content": content})
}

func edit(file, from, to string) step {
	return use("Edit", map[string]any{"file_path": file, "old_string": from, "new_string": to})
}

func read(file string) step { return use("Read", map[string]any{"file_path": file}) }

// refuse has the API answer with an error.
func refuse(status int) step { return step{status: status} }

// with joins steps into one message: several calls side by side, or thinking
// and saying.
func (s step) with(others ...step) step {
	for _, o := range others {
		s.blocks = append(s.blocks[:len(s.blocks):len(s.blocks)], o.blocks...)
	}
	return s
}

// claiming has the answer say that its request had this many tokens, which is
// by what the client decides to compact.
func (s step) claiming(tokens int) step {
	s.usage = tokens
	return s
}

// after delays an answer.
func (s step) after(d time.Duration) step {
	s.wait = d
	return s
}

// script knows what the model answers to which prompt. It keeps no place: how
// far an answer has come is told by the request itself, so that sessions may
// be resumed, forked and run side by side.
type script struct {
	mu    sync.Mutex
	steps map[string][]step
}

// on sets what a prompt is answered with. Subagents are prompted too.
func (s *script) on(prompt string, steps ...step) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.steps == nil {
		s.steps = map[string][]step{}
	}
	s.steps[own(prompt)] = steps
}

// own is what of a text is not the client's.
func own(text string) string { return strings.TrimSpace(reminder.ReplaceAllString(text, "")) }

// body is what of a request matters.
type body struct {
	Model    string            `json:"model"`
	Stream   bool              `json:"stream"`
	System   json.RawMessage   `json:"system"`
	Tools    []json.RawMessage `json:"tools"`
	Messages []struct {
		Role    string  `json:"role"`
		Content content `json:"content"`
	} `json:"messages"`
}

// content is that of a message: a string, or blocks.
type content []block

func (c *content) UnmarshalJSON(raw []byte) error {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		*c = content{{Type: "text", Text: text}}
		return nil
	}
	return json.Unmarshal(raw, (*[]block)(c))
}

// reminder is what the client itself adds to what a person said.
var reminder = regexp.MustCompile(`(?s)<system-reminder>.*?</system-reminder>`)

// said returns what a person said in a message, or "".
func (c content) said() string {
	var texts []string
	for _, b := range c {
		if text := own(b.Text); b.Type == "text" && text != "" {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "\n")
}

// Answers to requests that no prompt of a test leads to.
const (
	summary    = "<analysis>It was scripted.</analysis>\n<summary>A scripted summary of the conversation.</summary>"
	beside     = `{"title": "Scripted work"}`
	unscripted = "There is nothing in the script for this."
	finished   = "That was all."
)

// next returns the answer to a request: that of the newest prompt the script
// knows, as many steps on as the model has answered since.
func (s *script) next(b *body) step {
	if last := len(b.Messages) - 1; last >= 0 && strings.Contains(b.Messages[last].Content.said(), "<summary>") {
		return say(summary) // the client compacts
	}
	if len(b.Tools) == 0 {
		return say(beside) // the client asks for something of its own
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	answered := 0
	for i := len(b.Messages) - 1; i >= 0; i-- {
		m := b.Messages[i]
		if m.Role == "assistant" {
			answered++
			continue
		}
		steps, ok := s.find(m.Content.said())
		if !ok || m.Role != "user" {
			continue
		}
		if answered < len(steps) {
			return steps[answered]
		}
		return say(finished)
	}
	return say(unscripted)
}

// find returns the steps of the longest known prompt that a text holds: what
// the client expands a command to may stand around it.
func (s *script) find(said string) (steps []step, ok bool) {
	best := ""
	for prompt, known := range s.steps {
		if strings.Contains(said, prompt) && len(prompt) > len(best) {
			best, steps, ok = prompt, known, true
		}
	}
	return steps, ok
}
