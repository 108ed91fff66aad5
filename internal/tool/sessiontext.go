package tool

import (
	"fmt"
	"strings"
	"time"

	"chitta/internal/capture"
	"chitta/internal/mind"
	"chitta/internal/past"
)

// What was said in conversations, in words for agents.

func textSearch(out past.SearchOutput) string {
	note := searchNote(&out)
	if len(out.Sessions) == 0 {
		return "nothing that was said matches" + note
	}
	var items []string
	for _, s := range out.Sessions {
		head := sessionHeading(&s.Session)
		for _, h := range s.Hits {
			items = append(items, head+hitText(&h))
			head = ""
		}
		if s.More > 0 {
			items[len(items)-1] += fmt.Sprintf("\n  %d more in this session", s.More)
		}
	}
	shown, n := fitting(items)
	s := capture.Wrap(shown)
	if n < len(items) {
		s += fmt.Sprintf("\n%d of %d messages shown, the rest does not fit; ask with limit %d, or narrow the search", n, len(items), max(1, n))
	} else if out.Found > len(items) {
		s += fmt.Sprintf("\n%d messages match in all; narrow the search to see others", out.Found)
	}
	return s + note
}

// searchNote says how complete a search is.
func searchNote(out *past.SearchOutput) string {
	note := ""
	if out.Loose {
		note += "\n(no message has all of these words; the best have some)"
	}
	if out.Stopped != "" {
		note += "\n(" + out.Stopped + ")"
	}
	if len(out.Sessions) == 0 && out.Realm != "" {
		note += "\n(only this project was searched; realm all searches every one)"
	}
	return note + degradedNote(out.Degraded)
}

func sessionHeading(s *past.Session) string {
	head := fmt.Sprintf("session %s (%s)", s.ID, s.Project)
	if when := s.When(); !when.IsZero() {
		head += " · " + when.Format(time.DateOnly)
	}
	if s.Title != "" {
		head += " · " + s.Title
	}
	return head + "\n"
}

func hitText(h *past.SearchHit) string {
	who := h.Role
	if h.Speaker != "" {
		who = h.Speaker
	}
	if h.Tool != "" {
		who += " " + h.Tool
	}
	s := fmt.Sprintf("  [%s] %s", h.ID, who)
	if !h.Time.IsZero() {
		s += " · " + h.Time.Format(time.DateTime)
	}
	return s + "\n  " + marked(h.Snippet, h.Marks)
}

// marked puts stars around what matched.
func marked(text string, marks []past.Mark) string {
	runes := []rune(text)
	var b strings.Builder
	at := 0
	for _, m := range marks {
		if m.Start < at || m.End > len(runes) || m.Start >= m.End {
			continue
		}
		b.WriteString(string(runes[at:m.Start]) + "**" + string(runes[m.Start:m.End]) + "**")
		at = m.End
	}
	return b.String() + string(runes[at:])
}

func textSessions(out past.ListOutput) string {
	if len(out.Sessions) == 0 {
		if out.Realm != "" {
			return "no conversations of this project; realm all lists those of every project"
		}
		return "no conversations"
	}
	items := make([]string, len(out.Sessions))
	for i, s := range out.Sessions {
		items[i] = strings.TrimSuffix(sessionHeading(&s), "\n") + fmt.Sprintf(" · %d messages", s.Messages)
		if s.Inherited > 0 {
			items[i] += fmt.Sprintf(" after %d of the session it was forked from", s.Inherited)
		}
	}
	shown, n := fitting(items)
	s := capture.Wrap(shown)
	switch {
	case n < len(items):
		s += fmt.Sprintf("\n%d of %d shown, the rest of this page does not fit; ask with limit %d and go on with the cursor", n, out.Total, max(1, n))
	case out.Next != "":
		s += fmt.Sprintf("\n%d of %d; next page: cursor %s", n, out.Total, out.Next)
	}
	return s
}

func textShow(out past.ShowOutput) string {
	if out.Single {
		return textMessage(out)
	}
	items := []string{strings.TrimSuffix(sessionHeading(&out.Session), "\n")}
	if out.Agent != "" {
		items[0] += " · subagent " + out.Agent
	}
	for i := range out.Messages {
		items = append(items, messageText(&out.Messages[i]))
	}
	shown, n := fitting(items)
	s := capture.Wrap(shown)
	switch {
	case n < len(items):
		s += fmt.Sprintf("\n%d of %d messages shown, the rest does not fit; ask with limit %d, or for one message by its id", n-1, len(out.Messages), max(1, n-1))
	case out.Page < out.Pages:
		s += fmt.Sprintf("\npage %d of %d; next: page %d", out.Page, out.Pages, out.Page+1)
	}
	if len(out.Agents) > 0 && out.Agent == "" {
		names := make([]string, len(out.Agents))
		for i, a := range out.Agents {
			names[i] = a.Agent
		}
		s += "\nsubagents: " + strings.Join(names, ", ")
	}
	return s
}

// textMessage says one message, from the character asked for on.
func textMessage(out past.ShowOutput) string {
	m := &out.Messages[0]
	text := []rune(m.Raw)
	if m.Raw == "" {
		text = []rune(messageText(m))
	}
	from := min(out.From, len(text))
	end := min(len(text), from+viewRunes)
	s := capture.Wrap(sessionHeading(&out.Session) + string(text[from:end]))
	if from > 0 || end < len(text) {
		s += fmt.Sprintf("\ncharacters %d to %d of %d", from+1, end, len(text))
	}
	if end < len(text) {
		s += fmt.Sprintf("; go on with from %d", end)
	}
	if out.Passage > 0 {
		s += fmt.Sprintf("\npassage %d of %d of this message; its id alone shows all of it", out.Passage, out.Passages)
	}
	return s
}

func messageText(m *past.Message) string {
	who := m.Role
	if m.Speaker != "" {
		who = m.Speaker
	}
	s := fmt.Sprintf("[%s] %s", m.ID, who)
	if !m.Time.IsZero() {
		s += " · " + m.Time.Format(time.DateTime)
	}
	if m.Shared != "" {
		s += " · shared with " + m.Shared
	}
	for _, p := range m.Parts {
		s += "\n" + partText(&p)
	}
	return s
}

func partText(p *past.Part) string {
	text := p.Text
	switch {
	case p.Kind == "tool_use":
		text = strings.TrimSpace("→ " + p.Tool + " " + p.Text)
		if p.Outcome != "" {
			text += " ⇒ " + p.Outcome
		}
	case p.Kind == "tool_result":
		text = strings.TrimSpace("⇒ "+p.Tool) + " " + p.Text
	case p.Kind == "thinking":
		text = "(thinking) " + p.Text
	case p.Kind == "boundary":
		text = "(the conversation was compacted here)"
	case p.Role == "system":
		text = "(client) " + p.Text
	}
	if p.Cut > 0 {
		text += fmt.Sprintf(" … %d characters more", p.Cut)
	}
	return text
}

func textResume(out past.ResumeOutput) string {
	var b strings.Builder
	b.WriteString(sessionHeading(&out.Session))
	row := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%s: %s\n", name, value)
		}
	}
	row("directory", out.Cwd)
	row("branch", out.Branch)
	row("to go on", out.Command)
	spoken := func(name string, s *past.Spoken) {
		if s == nil {
			return
		}
		row(name, fmt.Sprintf("[%s] %s", s.ID, s.Text))
		if s.Cut > 0 {
			fmt.Fprintf(&b, "… %d characters more\n", s.Cut)
		}
	}
	spoken("last request", out.LastRequest)
	spoken("last answer", out.LastAnswer)
	for _, t := range out.Todos {
		fmt.Fprintf(&b, "open: %s (%s)\n", t.Content, t.Status)
	}
	for _, f := range out.Files {
		fmt.Fprintf(&b, "%s: %s\n", f.Action, f.Path)
	}
	return capture.Wrap(strings.TrimRight(b.String(), "\n"))
}

func textSessionExport(out past.ExportOutput) string {
	shown, n := fitting(out.Pieces)
	s := capture.Wrap(shown)
	if n < len(out.Pieces) || out.Next != "" {
		s += "\nthere is more than fits here; chitta export --session writes all of it to a file"
	}
	return s
}

func textSessionForget(out mind.SessionForgetOutput) string {
	text := fmt.Sprintf("session %s is erased for good: %d messages", out.ID, out.Messages)
	if out.Memories > 0 {
		text += fmt.Sprintf(", and %d memories learned from it", out.Memories)
	}
	if len(out.Forks) > 0 {
		text += fmt.Sprintf("; with them the beginning of sessions forked from it (%d messages): %s", out.Shared, strings.Join(out.Forks, ", "))
	}
	return text
}
