package mind

import (
	"context"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"chitta/internal/memory"
	"chitta/internal/session"
)

// spokenBytes bounds what is read of the messages of one passage. A passage is
// short, the results of the tools called in it may be long.
const spokenBytes = 8 << 20

// Spoken returns what the agent itself said in a passage, without the calls of
// tools and what came out of them: that is the word of a file, a page or a
// program, and nobody vouches for it. It goes by the stored messages, because in
// the text of a passage the output of a tool can look like anything. What the
// messages do not show to be said counts as not said.
func (m *Mind) Spoken(ctx context.Context, r *Result) (string, error) {
	p := r.Passage
	if p == nil || p.Chunk.Role != string(session.Assistant) {
		return r.Text, nil
	}
	rows, err := m.store.ThreadBetween(ctx, p.Chunk.Session, p.Chunk.Agent, p.Chunk.First, p.Chunk.Last, spokenBytes)
	if err != nil {
		return "", err
	}
	var said []string
	for _, msg := range readMessages(p.Session.Source, rows) {
		if msg.Role != session.Assistant || msg.Meta {
			continue
		}
		for _, part := range msg.Parts {
			text := strings.TrimSpace(part.Text)
			switch {
			case part.Kind != session.Text || part.Meta || text == "":
			case strings.Contains(r.Text, text):
				said = append(said, text)
			case strings.Contains(text, strings.TrimSpace(r.Text)):
				return r.Text, nil // a piece of something long
			}
		}
	}
	return strings.Join(said, "\n\n"), nil
}

// toolLine begins a line that says which tool was called, or what came out of
// one.
var toolLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\[[A-Za-z][\w.:-]*\]`) })

// mostlyTools says whether most of a passage is calls of tools and what came
// out of them. A call stands on lines of its own, with a blank line between it
// and what is said.
func mostlyTools(text string) bool {
	tools := 0
	for _, block := range strings.Split(text, "\n\n") {
		if toolLine().MatchString(block) {
			tools += utf8.RuneCountInString(block)
		}
	}
	return 2*tools > utf8.RuneCountInString(text)
}

// passageTrust is how far what was said in a conversation is trusted.
func passageTrust(role, text string) memory.Trust {
	switch {
	case role == string(session.User):
		return memory.TrustUser
	case mostlyTools(text):
		return memory.TrustTool
	}
	return memory.TrustAgent
}
