package distil

import (
	"strings"

	"chitta/internal/session"
)

const (
	// maxProse is how much of one text is read for lessons, in bytes; what
	// people and agents mean to say stands at the beginning or the end.
	maxProse = 16 << 10
	// maxSpoken bounds all of an agent's prose in a turn, in bytes.
	maxSpoken = 256 << 10
	// maxOutput is how much of a command's output is searched for errors, in
	// bytes: half from its beginning, half from its end.
	maxOutput = 16 << 10
)

// turn is a turn as the rules want it.
type turn struct {
	root    string   // top of the project, from which files are named
	prompt  string   // what the person said
	asked   string   // id of that message
	refused bool     // they said it when refusing a call
	human   bool     // it was a person, not the agent that started a subagent
	before  string   // what the agent said last before it
	answer  string   // id of that message
	worked  []string // files changed in the turn before it
	spoken  []remark
	heard   int // bytes of it
	calls   []call
	touches []touch // changes of files, in order
	back    []putBack
	files   []string // that were changed and stayed so
	ran     []run    // commands that do more than look around, in order
}

// remark is one text of the agent.
type remark struct {
	id, text string
	at       int // how many calls went before it
}

// call is one tool call with its result; result is nil if none is known.
type call struct {
	id     string
	part   *session.Part
	result *session.Part
	answer string // id of the message with the result
	cwd    string
}

// read takes the last turn of messages apart. Without a root, the project lies
// where the conversation was at first.
func read(root string, messages []session.Message, strip func(string) string) *turn {
	if strip == nil {
		strip = func(text string) string { return text }
	}
	for i := 0; i < len(messages) && root == ""; i++ {
		root = messages[i].Cwd
	}
	t := &turn{root: strings.TrimRight(root, "/")}
	first, _ := session.LastTurn(messages)
	t.readBefore(messages[:first], strip)
	results := resultsOf(messages[first:])
	for i := first; i < len(messages); i++ {
		m := &messages[i]
		if i == first && m.Human() != "" {
			t.readPrompt(m, strip)
		}
		for k := range m.Parts {
			p := &m.Parts[k]
			switch {
			case p.Kind == session.ToolUse:
				r := results[p.ToolID]
				t.calls = append(t.calls, call{m.ID, p, r.part, r.message, m.Cwd})
			case spokenByAgent(m, p):
				t.hear(remark{m.ID, ends(strip(p.Text), maxProse), len(t.calls)})
			}
		}
	}
	t.touches, t.ran = t.touched(), t.runs()
	t.back = t.putBack()
	t.files = t.lasting()
	return t
}

// hear adds a remark. Beyond the bound only the last one is kept, because it is
// the one that sums up.
func (t *turn) hear(r remark) {
	if t.heard > maxSpoken {
		t.spoken[len(t.spoken)-1] = r
		return
	}
	t.heard += len(r.text)
	t.spoken = append(t.spoken, r)
}

// spokenByAgent says whether a part is the agent's own prose.
func spokenByAgent(m *session.Message, p *session.Part) bool {
	return m.Role == session.Assistant && p.Kind == session.Text && !p.Meta && !m.Meta &&
		strings.TrimSpace(p.Text) != "" && strings.TrimSpace(p.Text) != noResponse
}

// noResponse is what the client has the agent say to a local command.
const noResponse = "No response requested."

func (t *turn) readPrompt(m *session.Message, strip func(string) string) {
	t.prompt = withoutElements(strings.TrimSpace(ends(strip(m.Human()), maxProse)))
	t.asked = m.ID
	t.human = !m.Sidechain && m.Agent == ""
	for i := range m.Parts {
		if p := &m.Parts[i]; p.Kind == session.ToolResult && p.Failed {
			t.refused = true
		}
	}
	for _, phrase := range clientWords {
		if strings.HasPrefix(t.prompt, phrase) {
			t.prompt, t.refused = "", false
		}
	}
}

// withoutElements leaves out the elements that a prompt begins with, such as
// <teammate-message>…</teammate-message>: what programs put there, nobody said.
func withoutElements(prompt string) string {
	for strings.HasPrefix(prompt, "<") {
		name := prompt[1:]
		if end := strings.IndexFunc(name, func(r rune) bool { return !(r == '-' || r == '_' || r >= 'a' && r <= 'z') }); end > 0 {
			name = name[:end]
		} else {
			return prompt
		}
		_, rest, closed := strings.Cut(prompt, "</"+name+">")
		if !closed {
			return prompt
		}
		prompt = strings.TrimSpace(rest)
	}
	return prompt
}

// clientWords begin texts that the client writes in a person's name: when they
// decline to answer, or a hook did not let them ask.
var clientWords = []string{"The user wants to clarify these questions.", "Operation stopped by hook:"}

// readBefore finds what the agent said last, and what it had changed.
func (t *turn) readBefore(messages []session.Message, strip func(string) string) {
	t.worked = t.changedIn(messages)
	for i := len(messages) - 1; i >= 0; i-- {
		m := &messages[i]
		for k := len(m.Parts) - 1; k >= 0; k-- {
			if p := &m.Parts[k]; spokenByAgent(m, p) {
				t.before, t.answer = ends(strip(p.Text), maxProse), m.ID
				return
			}
		}
	}
}

// changedIn lists the files that the last turn of messages changed.
func (t *turn) changedIn(messages []session.Message) []string {
	first := max(0, len(messages)-1)
	for first > 0 && messages[first].Human() == "" {
		first--
	}
	results := resultsOf(messages[first:])
	before := turn{root: t.root}
	for i := first; i < len(messages); i++ {
		m := &messages[i]
		for k := range m.Parts {
			if p := &m.Parts[k]; p.Kind == session.ToolUse && len(p.Files) > 0 {
				before.calls = append(before.calls, call{m.ID, p, results[p.ToolID].part, "", m.Cwd})
			}
		}
	}
	return pathsOf(before.touched())
}

type answer struct {
	part    *session.Part
	message string
}

// resultsOf finds results by the calls they answer; the first answer counts.
func resultsOf(messages []session.Message) map[string]answer {
	found := map[string]answer{}
	for i := range messages {
		for k := range messages[i].Parts {
			p := &messages[i].Parts[k]
			if p.Kind != session.ToolResult || p.ToolID == "" {
				continue
			}
			if _, there := found[p.ToolID]; !there {
				found[p.ToolID] = answer{p, messages[i].ID}
			}
		}
	}
	return found
}

// last returns the agent's closing text, if nothing was done after it.
func (t *turn) last() (remark, bool) {
	if len(t.spoken) == 0 {
		return remark{}, false
	}
	r := t.spoken[len(t.spoken)-1]
	return r, r.at == len(t.calls)
}
