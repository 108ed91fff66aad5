package moment

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"chitta/internal/past"
	"chitta/internal/store"
)

// briefing is a brief while it is put together. Nothing is said twice.
type briefing struct {
	project bool // of all sessions, not of one
	resume  past.ResumeOutput
	state   LedgerState
	since   []past.Session // sessions after it, in which nothing was done
	records []store.Record
	now     time.Time
	most    int // entries of a section
	known   *known
	out     strings.Builder
}

// text says how things stand in Markdown. What has a section of its own is told
// there, and not a second time in the account of the whole.
func (b *briefing) text() string {
	own := b.sections()
	fmt.Fprintf(&b.out, "# Handoff: %s\n\n", plain(b.resume.Session.Project, labelMost))
	b.whence()
	stands, done := b.stands()
	b.section("Where it stands", stands)
	if r := b.resume.LastRequest; r != nil && b.news(r.Text) {
		b.section("Asked last", quote(r.Text))
	}
	if r := b.resume.LastAnswer; r != nil && !done {
		b.section("Answered last", quote(r.Text))
	}
	for _, s := range own {
		b.section(s[0], s[1])
	}
	b.section("Files", b.bullets(b.state.Files))
	if b.state.Snapshot != "branch "+b.resume.Branch { // it is named above
		b.section("Notes", b.state.Snapshot)
	}
	if c := b.resume.Command; c != "" && c == plain(c, maxLedgerText) && !strings.Contains(c, "```") { // nobody pastes another
		fmt.Fprintf(&b.out, "\n## Go on with\n\n```sh\n%s\n```\n", c)
	}
	return b.out.String()
}

// sections are the titles and texts of what memories and lists tell.
func (b *briefing) sections() [][2]string {
	out := [][2]string{{"In the way", b.bullets(b.lines(b.state.Blockers))}}
	given := map[string][]string{"Left to do": slices.Concat(b.state.NextSteps, b.state.Todos), "Decided": b.state.Decisions}
	for _, s := range handoffSections {
		out = append(out, [2]string{s.title, b.bullets(append(b.lines(given[s.title]), b.memories(&s)...))})
	}
	return out
}

// whence names the session.
func (b *briefing) whence() {
	v := &b.resume.Session
	if b.project {
		b.out.WriteString("Last session with work: ")
	} else {
		b.out.WriteString("Session ")
	}
	b.out.WriteString(plain(v.Short, labelMost))
	if title := strings.TrimSuffix(v.Title, "…"); title != "" && !strings.Contains(words(b.state.Summary), words(title)) &&
		(b.resume.LastRequest == nil || !strings.Contains(words(b.resume.LastRequest.Text), words(title))) {
		fmt.Fprintf(&b.out, " (%s)", plain(v.Title, handoffTitle))
	}
	if when := v.When(); !when.IsZero() {
		fmt.Fprintf(&b.out, ", last active %s", when.Format(time.DateOnly+" 15:04 UTC"))
	}
	if b.resume.Branch != "" {
		fmt.Fprintf(&b.out, ", branch %s", plain(b.resume.Branch, labelMost))
	}
	b.out.WriteString(".\n")
	for i := range b.since[:min(len(b.since), handoffSince)] {
		s := &b.since[i]
		fmt.Fprintf(&b.out, "Since then: session %s", plain(s.Short, labelMost))
		if s.Title != "" {
			fmt.Fprintf(&b.out, " (%s)", plain(s.Title, handoffTitle))
		}
		b.out.WriteString(", nothing was changed in it.\n")
	}
}

// The lines of a summary that have a section of their own here, and the one that
// says how the agent closed.
const (
	sumDecided = "Decided"
	sumOpen    = "Left open"
	sumDone    = "Done"
)

// stands is what was asked and done, and whether it says how the agent closed.
func (b *briefing) stands() (text string, done bool) {
	var lines []string
	for line := range strings.SplitSeq(b.state.Summary+"\n"+b.state.Mood, "\n") {
		title, rest, ok := strings.Cut(line, ": ")
		if !ok || len(title) > len(sumOpen) {
			title, rest = "", line
		}
		if title == sumDecided || title == sumOpen {
			continue
		}
		var parts []string
		for part := range strings.SplitSeq(rest, "; ") {
			if b.news(part) {
				parts = append(parts, part)
			}
		}
		if rest = strings.Join(parts, "; "); rest == "" {
			continue
		}
		if title != "" {
			rest = title + ": " + rest
		}
		done = done || title == sumDone
		lines = append(lines, rest)
	}
	return strings.Join(lines, "\n"), done
}

// news reports whether a text says something that was not said yet, and takes it
// as said from then on.
func (b *briefing) news(text string) bool {
	if b.known.says(text) {
		return false
	}
	b.known.add(text)
	return true
}

// lines are texts that were not said yet.
func (b *briefing) lines(texts []string) []string {
	var out []string
	for _, t := range texts {
		if t = plainOpen(t); b.news(t) {
			out = append(out, handoffLine(t))
		}
	}
	return out
}

// memories says what memories of a section say that was not said yet, with
// their ids; in a project also when that was.
func (b *briefing) memories(s *handoffSection) []string {
	var out []string
	for i := range b.records {
		r := &b.records[i]
		if len(out) == b.most || !slices.Contains(s.kinds, r.Kind) || s.is != nil && !s.is(r) || isCommand(r) || !b.news(plainOpen(r.Content)) {
			continue
		}
		mark := r.ID
		if b.project {
			mark = dateOf(r.Created) + " " + mark
		}
		out = append(out, fmt.Sprintf("%s [%s]", handoffLine(plainOpen(r.Content)), mark))
	}
	return out
}

// plainOpen takes off what the title of a section says, and what was being done
// when it came up.
func plainOpen(text string) string {
	for _, intro := range []string{"Left to do: ", "Left open: "} {
		text = strings.TrimPrefix(text, intro)
	}
	text, _, _ = strings.Cut(text, " — while: ")
	return text
}

// section adds a part. All that others wrote goes through here line by line, so
// that none of it poses as something else: a heading, a tag, an order to a
// terminal.
func (b *briefing) section(title, text string) {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for i, line := range lines {
		rest := strings.TrimLeft(line, "> \t")
		lead := line[:len(line)-len(rest)]
		rest = plain(rest, maxLedgerText)
		if !strings.HasPrefix(lead, ">") && (strings.HasPrefix(rest, "#") || strings.HasPrefix(rest, "```") || strings.HasPrefix(rest, "~~~")) {
			rest = `\` + rest
		}
		lines[i] = strings.TrimRight(lead+rest, " \t")
	}
	if text = strings.TrimSpace(strings.Join(lines, "\n")); text != "" {
		fmt.Fprintf(&b.out, "\n## %s\n\n%s\n", title, text)
	}
}

func (b *briefing) bullets(items []string) string {
	var out strings.Builder
	for i, item := range items {
		if i == handoffSession {
			fmt.Fprintf(&out, "- and %d more\n", len(items)-i)
			break
		}
		fmt.Fprintf(&out, "- %s\n", plain(item, maxLedgerText))
	}
	return out.String()
}

func quote(text string) string {
	return "> " + strings.ReplaceAll(clip(strings.TrimSpace(text), handoffSaid), "\n", "\n> ")
}
