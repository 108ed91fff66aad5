package moment

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"chitta/internal/memory"
	"chitta/internal/mind"
	"chitta/internal/store"
)

// HandoffInput says what to hand over.
type HandoffInput struct {
	Session string `json:"session,omitempty" jsonschema:"the session: its id or the unique start of it; default: the last one of the project"`
}

// HandoffOutput is a brief of how things stand, to be pasted as it is.
type HandoffOutput struct {
	Session string `json:"session"`
	Text    string `json:"text"`   // Markdown
	Tokens  int    `json:"tokens"` // estimated
}

const (
	handoffSaid  = 600 // characters of the last request and answer
	handoffItems = 12  // of a section
)

// Handoff returns a brief of how a session stands for whoever goes on with it.
func (k *Keeper) Handoff(ctx context.Context, c mind.Caller, in HandoffInput) (HandoffOutput, error) {
	id := in.Session
	if id == "" {
		list, err := k.mind.SessionList(ctx, c, mind.SessionListInput{Limit: 1})
		if err != nil {
			return HandoffOutput{}, err
		}
		if len(list.Sessions) == 0 {
			return HandoffOutput{}, &memory.InputError{Field: "session", Problem: "there is none of this project yet", Hint: "chitta import takes over what the client has kept; chitta sessions --realm all lists all"}
		}
		id = list.Sessions[0].ID
	}
	r, err := k.mind.SessionResume(ctx, c, mind.SessionInput{ID: id})
	if err != nil {
		return HandoffOutput{}, err
	}
	state, err := k.stateFor(ctx, &r)
	if err != nil {
		return HandoffOutput{}, err
	}
	learned, err := k.store.List(ctx, store.Filter{Session: r.Session.ID, Realm: r.Session.Realm, Reach: store.ReachOnly, States: []memory.Status{memory.Active}, Limit: 100})
	if err != nil {
		return HandoffOutput{}, err
	}
	text := brief(&r, state, learned)
	return HandoffOutput{Session: r.Session.ID, Text: text, Tokens: (len([]rune(text)) + charsPerToken - 1) / charsPerToken}, nil
}

// stateFor joins what a session shows with what was written down of it; what
// was written on purpose counts most.
func (k *Keeper) stateFor(ctx context.Context, r *mind.SessionResumeOutput) (LedgerState, error) {
	state := stateOf(r)
	state.Summary = "" // what was asked last has a section of its own
	rows, err := k.store.Ledgers(ctx, store.LedgerFilter{Session: r.Session.ID, Kinds: []string{LedgerSunset, LedgerSaved}, Limit: handoffItems})
	var errs []error
	for _, kind := range []string{LedgerSunset, LedgerSaved} {
		for i := range rows {
			if rows[i].Kind != kind {
				continue
			}
			l, err := viewLedger(&rows[i])
			errs = append(errs, err)
			state.take(l.State)
		}
	}
	return state, errors.Join(append(errs, err)...)
}

// brief says how things stand in Markdown.
func brief(r *mind.SessionResumeOutput, s LedgerState, learned []store.Record) string {
	var b strings.Builder
	v := &r.Session
	fmt.Fprintf(&b, "# Handoff: %s\n\n", v.Project)
	fmt.Fprintf(&b, "Session %s", v.Short)
	if v.Title != "" {
		fmt.Fprintf(&b, " (%s)", oneLine(clip(v.Title, 120)))
	}
	if when := v.When(); !when.IsZero() {
		fmt.Fprintf(&b, ", last active %s", when.Format(time.DateOnly+" 15:04 UTC"))
	}
	if r.Branch != "" {
		fmt.Fprintf(&b, ", branch %s", r.Branch)
	}
	b.WriteString(".\n")
	section := func(title, text string) {
		if text = strings.TrimSpace(text); text != "" {
			fmt.Fprintf(&b, "\n## %s\n\n%s\n", title, text)
		}
	}
	section("Where it stands", strings.TrimSpace(s.Summary+"\n"+s.Mood))
	if r.LastRequest != nil {
		section("Asked last", quote(r.LastRequest.Text))
	}
	if r.LastAnswer != nil {
		section("Answered last", quote(r.LastAnswer.Text))
	}
	for _, f := range s.lists() {
		section(f.title, bullets(*f.items))
	}
	for _, g := range []struct {
		title string
		kinds []memory.Kind
	}{
		{"Solved", []memory.Kind{memory.Insight, memory.Outcome, memory.Wisdom}},
		{"Did not work", []memory.Kind{memory.Failure, memory.Correction}},
		{"How it is wanted", []memory.Kind{memory.Preference}},
		{"Learned", []memory.Kind{memory.Approach, memory.Belief, memory.Milestone}},
	} {
		section(g.title, bullets(ofKinds(learned, g.kinds...)))
	}
	section("Notes", s.Snapshot)
	if r.Command != "" {
		section("Go on with", "```sh\n"+r.Command+"\n```")
	}
	return b.String()
}

// ofKinds returns what memories of some kinds say, with their ids.
func ofKinds(records []store.Record, kinds ...memory.Kind) []string {
	var out []string
	for _, kind := range kinds {
		for i := range records {
			if records[i].Kind == kind {
				out = append(out, fmt.Sprintf("%s [%s]", oneLine(records[i].Content), records[i].ID))
			}
		}
	}
	return out
}

func bullets(items []string) string {
	var b strings.Builder
	for i, item := range items {
		if i == handoffItems {
			fmt.Fprintf(&b, "- and %d more\n", len(items)-i)
			break
		}
		fmt.Fprintf(&b, "- %s\n", oneLine(item))
	}
	return b.String()
}

func quote(text string) string {
	return "> " + strings.ReplaceAll(clip(strings.TrimSpace(text), handoffSaid), "\n", "\n> ")
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
