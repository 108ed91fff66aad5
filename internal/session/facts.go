package session

import "strings"

// Action says what was done to a file.
type Action string

// What can be done to a file.
const (
	Read   Action = "read"
	Edit   Action = "edit"
	Write  Action = "write"
	Search Action = "search"
)

// FileTouch is one call of a tool that names a file.
type FileTouch struct {
	Path    string
	Tool    string
	Action  Action
	Failed  bool
	Message string // id of the message with the call
}

func (f FileTouch) sameAs(other FileTouch) bool {
	return f.Path == other.Path && f.Tool == other.Tool && f.Failed == other.Failed
}

// CommandRun is one run of a shell command.
type CommandRun struct {
	Command  string
	ExitCode *int // nil if it is not known
	Failed   bool
	Message  string // id of the message with the call
	Result   string // id of the message with its result, empty if there is none
}

// FileTouches lists the files that a stream's tool calls name, in order.
func FileTouches(messages []Message) []FileTouch {
	var all []FileTouch
	eachCall(messages, func(m *Message, p *Part, r result) {
		all = append(all, touches(m, p, r)...)
	})
	return all
}

// CommandRuns lists the commands that a stream ran, in order, with their exit
// status from the results.
func CommandRuns(messages []Message) []CommandRun {
	var all []CommandRun
	eachCall(messages, func(m *Message, p *Part, r result) {
		all = append(all, runs(m, p, r)...)
	})
	return all
}

// result is what a call came to; part is nil if that is not known.
type result struct {
	part    *Part
	message *Message
	index   int
}

// resultsOf finds the results in messages by the calls they answer. first is
// the index of messages[0] in its stream. If a call is answered twice, the
// first answer counts.
func resultsOf(messages []Message, first int) map[string]result {
	found := map[string]result{}
	for i := range messages {
		m := &messages[i]
		for k := range m.Parts {
			p := &m.Parts[k]
			if p.Kind != ToolResult || p.ToolID == "" {
				continue
			}
			if _, there := found[p.ToolID]; !there {
				found[p.ToolID] = result{p, m, first + i}
			}
		}
	}
	return found
}

func eachCall(messages []Message, fn func(*Message, *Part, result)) {
	results := resultsOf(messages, 0)
	for i := range messages {
		m := &messages[i]
		for k := range m.Parts {
			if p := &m.Parts[k]; p.Kind == ToolUse {
				fn(m, p, results[p.ToolID])
			}
		}
	}
}

func touches(m *Message, p *Part, r result) []FileTouch {
	var list []FileTouch
	for _, path := range p.Files {
		list = append(list, FileTouch{
			Path: path, Tool: p.Tool, Action: actionOf(p.Tool), Message: m.ID,
			Failed: r.part != nil && r.part.Failed,
		})
	}
	return list
}

func runs(m *Message, p *Part, r result) []CommandRun {
	if p.Command == "" {
		return nil
	}
	run := CommandRun{Command: p.Command, Message: m.ID}
	if r.part != nil {
		run.ExitCode, run.Failed, run.Result = r.part.ExitCode, r.part.Failed, r.message.ID
	}
	return []CommandRun{run}
}

// actionOf judges by a tool's name. Tools of servers that are not known here
// mostly say what they do; one that does not is taken to read.
func actionOf(tool string) Action {
	name := strings.ToLower(tool)
	if i := strings.LastIndex(name, "__"); i >= 0 {
		name = name[i+2:] // mcp__server__tool
	}
	for _, a := range []struct {
		words  string
		action Action
	}{
		{"edit replace patch update insert", Edit},
		{"write create save", Write},
		{"grep glob search find list ls", Search},
	} {
		for word := range strings.FieldsSeq(a.words) {
			if name == word || len(word) > 2 && strings.Contains(name, word) {
				return a.action
			}
		}
	}
	return Read
}
