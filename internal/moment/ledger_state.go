package moment

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"chitta/internal/memory"
	"chitta/internal/past"
)

// LedgerState is how things stand.
type LedgerState struct {
	Mood      string   `json:"mood,omitempty" jsonschema:"how it goes, in a few words"`
	Summary   string   `json:"summary,omitempty" jsonschema:"what was asked and done"`
	Todos     []string `json:"todos,omitempty" jsonschema:"what is on the list"`
	Decisions []string `json:"decisions,omitempty" jsonschema:"what was decided, with the reason"`
	NextSteps []string `json:"next_steps,omitempty" jsonschema:"what to do next"`
	Blockers  []string `json:"blockers,omitempty" jsonschema:"what is in the way"`
	Files     []string `json:"files,omitempty" jsonschema:"files in play"`
	Snapshot  string   `json:"snapshot,omitempty" jsonschema:"anything else needed to go on: branch, commands, half-done work"`
}

const (
	maxLedgerText  = 4000 // characters of one text
	maxLedgerItems = 50   // of one list
)

// clean takes out secrets and what chitta itself handed over, and cuts to size.
func (k *Keeper) clean(s *LedgerState) {
	text := func(t string) string { return clip(k.mind.Clean(t), maxLedgerText) }
	list := func(items []string) []string {
		var out []string
		for _, i := range items {
			if i = text(i); i != "" && !slices.Contains(out, i) {
				out = append(out, i)
			}
		}
		return out[:min(len(out), maxLedgerItems)]
	}
	s.Mood, s.Summary, s.Snapshot = text(s.Mood), text(s.Summary), text(s.Snapshot)
	s.Todos, s.Decisions, s.NextSteps, s.Blockers, s.Files = list(s.Todos), list(s.Decisions), list(s.NextSteps), list(s.Blockers), list(s.Files)
}

// clip shortens a text to a number of characters.
func clip(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most-1]) + "…"
}

// check refuses what is too much to be a state.
func (s *LedgerState) check() error {
	for _, f := range s.lists() {
		if len(*f.items) > maxLedgerItems {
			return &memory.InputError{Field: f.name, Problem: fmt.Sprintf("has %d items", len(*f.items)), Hint: fmt.Sprintf("keep the %d that matter", maxLedgerItems)}
		}
		for _, i := range *f.items {
			if err := checkLedgerText(f.name, i); err != nil {
				return err
			}
		}
	}
	return errors.Join(checkLedgerText("mood", s.Mood), checkLedgerText("summary", s.Summary), checkLedgerText("snapshot", s.Snapshot))
}

func checkLedgerText(field, text string) error {
	switch {
	case !utf8.ValidString(text) || strings.ContainsRune(text, 0):
		return &memory.InputError{Field: field, Problem: "is not text", Hint: "use UTF-8 without NUL"}
	case utf8.RuneCountInString(text) > maxLedgerText:
		return &memory.InputError{Field: field, Problem: fmt.Sprintf("has %d characters", utf8.RuneCountInString(text)), Hint: fmt.Sprintf("say it in %d", maxLedgerText)}
	}
	return nil
}

// ledgerList is a list of a state with its name.
type ledgerList struct {
	name, title string
	items       *[]string
}

func (s *LedgerState) lists() []ledgerList {
	return []ledgerList{
		{"decisions", "Decided", &s.Decisions}, {"todos", "To do", &s.Todos}, {"next_steps", "Next", &s.NextSteps},
		{"blockers", "Blocked by", &s.Blockers}, {"files", "Files", &s.Files},
	}
}

// Lines says a state in lines of text, what counts most first. They are for
// agents too, so each is plain: one line, and nothing in it that poses as
// something else.
func (s *LedgerState) Lines() []string {
	var out []string
	add := func(title, text string) {
		if text != "" {
			out = append(out, title+": "+text)
		}
	}
	add("Summary", plain(s.Summary, maxLedgerText))
	add("Mood", plain(s.Mood, maxLedgerText))
	for _, f := range s.lists() {
		for _, item := range *f.items {
			add(f.title, plain(item, maxLedgerText))
		}
	}
	add("Snapshot", plain(s.Snapshot, maxLedgerText))
	return out
}

func (s *LedgerState) empty() bool {
	for _, f := range s.lists() {
		if len(*f.items) > 0 {
			return false
		}
	}
	return strings.TrimSpace(s.Mood+s.Summary+s.Snapshot) == ""
}

// take replaces what the other state says something about.
func (s *LedgerState) take(o LedgerState) {
	for _, p := range []struct{ to, from *string }{{&s.Mood, &o.Mood}, {&s.Summary, &o.Summary}, {&s.Snapshot, &o.Snapshot}} {
		if *p.from != "" {
			*p.to = *p.from
		}
	}
	from := o.lists()
	for i, to := range s.lists() {
		if *from[i].items != nil {
			*to.items = *from[i].items
		}
	}
}

// stateOf is how a session stands by what it shows.
func stateOf(r *past.ResumeOutput) LedgerState {
	s := LedgerState{Todos: []string{}, Files: []string{}}
	if r.LastRequest != nil {
		s.Summary = "Last asked: " + r.LastRequest.Text
	}
	for _, t := range r.Todos {
		s.Todos = append(s.Todos, t.Content)
	}
	for _, f := range r.Files {
		s.Files = append(s.Files, f.Path)
	}
	if r.Branch != "" {
		s.Snapshot = "branch " + r.Branch
	}
	return s
}
