package past

import (
	"fmt"
	"strings"
	"time"

	"chitta/internal/follow"
	"chitta/internal/session"
)

// markdownHead begins a transcript, or a subagent's part of it.
func markdownHead(s *Session, agent string) string {
	if agent != "" {
		return fmt.Sprintf("# Subagent %s\n", codeSpan(agent))
	}
	title := oneLine(s.Title)
	if title == "" {
		title = "Session " + s.ID
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n", title)
	row := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "- %s: %s\n", name, codeSpan(value))
		}
	}
	row("session", s.ID)
	row("project", s.Project)
	row("directory", s.Cwd)
	row("branch", s.Branch)
	row("model", s.Model)
	if !s.Started.IsZero() {
		fmt.Fprintf(&b, "- time: %s to %s\n", s.Started.UTC().Format(markdownTime), s.Ended.UTC().Format(markdownTime))
	}
	fmt.Fprintf(&b, "- messages: %d\n", s.Messages)
	return b.String()
}

const markdownTime = time.DateTime + " UTC"

// markdownMessage is a message to read, "" if there is nothing in it.
func markdownMessage(m *session.Message) string {
	var parts []string
	for i := range m.Parts {
		if text := markdownPart(m, &m.Parts[i]); text != "" {
			parts = append(parts, text)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return markdownHeading(m) + "\n\n" + strings.Join(parts, "\n\n") + "\n"
}

func markdownHeading(m *session.Message) string {
	who := m.Speaker
	if who == "" {
		who = messageRole(m)
		who = strings.ToUpper(who[:1]) + who[1:]
	}
	head := "## " + oneLine(who)
	if !m.Time.IsZero() {
		head += ", " + m.Time.UTC().Format(markdownTime)
	}
	return head + " " + codeSpan(m.ID)
}

func markdownPart(m *session.Message, p *session.Part) string {
	switch {
	case p.Kind == session.ToolUse:
		text, language := follow.CallText(p), ""
		switch {
		case p.Command != "":
			text, language = p.Command, "sh"
		case p.Input != "":
			text, language = p.Input, "json"
		}
		return "**Call** of " + codeSpan(p.Tool) + "\n\n" + fenced(text, language)
	case p.Kind == session.ToolResult:
		head := "**Result**"
		switch {
		case p.ExitCode != nil:
			head += fmt.Sprintf(", exit %d", *p.ExitCode)
		case p.Failed:
			head += ", failed"
		}
		if strings.TrimSpace(p.Text) == "" {
			return head + ": nothing"
		}
		return head + "\n\n" + fenced(p.Text, "")
	case p.Kind == session.Boundary:
		return "---\n\n*The conversation was compacted here.*"
	case strings.TrimSpace(p.Text) == "":
		return ""
	case p.Kind == session.Thinking:
		return "**Thinking**\n\n" + quoted(p.Text)
	case p.Kind == session.Summary:
		return "**Summary of what went before**\n\n" + quoted(p.Text)
	case follow.PartRole(m, p) == follow.RoleSystem:
		return "**From the client**\n\n" + quoted(p.Text)
	}
	return closed(strings.TrimSpace(p.Text))
}

// fenced puts a text between fences that are longer than any it holds.
func fenced(text, language string) string {
	fence := strings.Repeat("`", max(3, longestRun(text, '`')+1))
	return fence + language + "\n" + strings.TrimRight(text, "\n") + "\n" + fence
}

// codeSpan puts a text on one line between backticks that are more than any
// it holds.
func codeSpan(text string) string {
	text = oneLine(text)
	ticks := strings.Repeat("`", longestRun(text, '`')+1)
	if len(ticks) > 1 || strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		return ticks + " " + text + " " + ticks
	}
	return ticks + text + ticks
}

func longestRun(text string, of byte) int {
	longest, run := 0, 0
	for i := range len(text) {
		if text[i] == of {
			run++
			longest = max(longest, run)
		} else {
			run = 0
		}
	}
	return longest
}

// quoted puts a text into a block quote, closed within it.
func quoted(text string) string {
	lines := strings.Split(closed(strings.TrimSpace(text)), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight("> "+l, " ")
	}
	return strings.Join(lines, "\n")
}

// closed ends a code block that a text leaves open, so that what follows is
// not swallowed.
func closed(text string) string {
	open := ""
	for line := range strings.Lines(text) {
		indent := len(line) - len(strings.TrimLeft(line, " "))
		line = strings.TrimSpace(line)
		if indent > 3 || !strings.HasPrefix(line, "```") && !strings.HasPrefix(line, "~~~") {
			continue
		}
		fence := line[:len(line)-len(strings.TrimLeft(line, line[:1]))]
		rest := line[len(fence):]
		switch {
		case open == "":
			if fence[0] == '~' || !strings.Contains(rest, "`") { // otherwise it is code within a line
				open = fence
			}
		case fence[0] == open[0] && len(fence) >= len(open) && rest == "":
			open = ""
		}
	}
	if open != "" {
		text += "\n" + open
	}
	return text
}
