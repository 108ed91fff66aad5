package session

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// How much of a call is shown, in characters: enough to say what was done,
// little enough that a chunk holds a dozen calls. A command may carry a commit
// message or a script; a plan is what the agent wrote for the person to read.
const (
	maxDetail  = 200
	maxCommand = 600
	maxPlan    = 4000
	maxError   = 600
	errorLines = 8
)

// callLine says in one line what a tool was called for. Paths below cwd are
// shown from there on.
func callLine(p *Part, cwd string) string {
	detail := ""
	switch {
	case p.Command != "":
		detail = clip(p.Command, maxCommand)
		if d := field(p, "description"); d != "" {
			detail += " # " + clip(oneLine(d), maxDetail)
		}
	case len(p.Files) > 0 && actionOf(p.Tool) != Search:
		detail = paths(p.Files, cwd)
	case p.Tool == todoTool:
		detail = todosUnderWay(p.Input)
	default:
		detail = callDetail(p, cwd)
	}
	if detail == "" {
		return "[" + p.Tool + "]"
	}
	return "[" + p.Tool + "] " + detail
}

// detailFields are the members of a call's input that say what it is about,
// the most telling first.
var detailFields = []string{"pattern", "query", "url", "subject", "title", "description", "skill", "question", "prompt", "name"}

func callDetail(p *Part, cwd string) string {
	if plan := field(p, "plan"); plan != "" {
		return "\n" + clip(plan, maxPlan)
	}
	for _, name := range detailFields {
		text := field(p, name)
		if text == "" {
			continue
		}
		detail := clip(oneLine(text), maxDetail)
		switch {
		case name == "pattern" && len(p.Files) > 0:
			detail += " in " + paths(p.Files, cwd)
		case name == "skill" && field(p, "args") != "":
			detail += " " + clip(oneLine(field(p, "args")), maxDetail)
		}
		return detail
	}
	if len(p.Input) <= len("{}") {
		return ""
	}
	return clip(p.Input, maxDetail)
}

func paths(files []string, cwd string) string {
	short := make([]string, len(files))
	for i, f := range files {
		short[i] = f
		if rest, ok := strings.CutPrefix(f, cwd+"/"); ok && cwd != "" {
			short[i] = rest
		}
	}
	return strings.Join(short, ", ")
}

// todoTool keeps the agent's list of things to do, and sends all of it each
// time.
const todoTool = "TodoWrite"

// todosUnderWay returns what the agent says it works on now.
func todosUnderWay(input string) string {
	var list struct {
		Todos []struct{ Content, Status string }
	}
	if json.Unmarshal([]byte(input), &list) != nil {
		return ""
	}
	var now []string
	for _, todo := range list.Todos {
		if todo.Status == "in_progress" {
			now = append(now, todo.Content)
		}
	}
	return clip(oneLine(strings.Join(now, "; ")), maxDetail)
}

func field(p *Part, name string) string {
	for n, q := range texts([]byte(p.Input)) {
		if n == name {
			text := q.text()
			return text
		}
	}
	return ""
}

// outcome says how a call ended: the exit status, the first lines of an error,
// the first line of what came out otherwise.
func outcome(call, result *Part) string {
	if result.Failed && strings.HasPrefix(result.Text, refusalStart) {
		return " (refused by the user)"
	}
	status := ""
	if result.ExitCode != nil && (*result.ExitCode != 0 || result.Failed) {
		status = fmt.Sprintf(" (exit %d)", *result.ExitCode)
	} else if result.Failed {
		status = " (failed)"
	}
	text := strings.TrimSpace(result.Text)
	if result.ExitCode != nil {
		text = strings.TrimSpace(strings.TrimPrefix(text, fmt.Sprintf("Exit code %d", *result.ExitCode)))
	}
	if inner, ok := strings.CutPrefix(text, "<tool_use_error>"); ok {
		text = strings.TrimSuffix(inner, "</tool_use_error>")
	}
	switch {
	case text == "":
		return status
	case result.Failed:
		return status + "\n" + clip(firstLines(text, errorLines), maxError)
	case call.Tool == askTool:
		return status + "\n" + clip(text, maxPlan) // what the person chose
	case quiet(call.Tool):
		return status
	}
	return status + " → " + clip(firstLines(text, 1), maxDetail)
}

// askTool puts questions to the person; its result is their answer.
const askTool = "AskUserQuestion"

// quiet says that the output of a tool repeats its input or a file, so that
// its first line tells nothing.
func quiet(tool string) bool {
	switch tool {
	case "Read", "Edit", "MultiEdit", "Write", "NotebookRead", "NotebookEdit", todoTool, "TaskUpdate":
		return true
	}
	return false
}

func firstLines(text string, n int) string {
	at := 0
	for range n {
		end := strings.IndexByte(text[at:], '\n')
		if end < 0 {
			return text
		}
		at += end + 1
	}
	return strings.TrimSpace(text[:at])
}

// oneLine puts a text on one line.
func oneLine(text string) string {
	if !strings.ContainsAny(text, "\n\r\t") {
		return text
	}
	return strings.Join(strings.Fields(text), " ")
}

// clip cuts a text after n characters.
func clip(text string, n int) string {
	if len(text) <= n || utf8.RuneCountInString(text) <= n {
		return text
	}
	for i := range text {
		if n == 0 {
			return text[:i] + "…"
		}
		n--
	}
	return text
}
