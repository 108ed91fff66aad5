package moment

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"chitta/internal/memory"
	"chitta/internal/mind"
	"chitta/internal/past"
)

// ReplayInput names a session to go through again.
type ReplayInput struct {
	Session string `json:"session" jsonschema:"the session: its id or the unique start of it"`
	Cursor  string `json:"cursor,omitempty" jsonschema:"next of the page before"`
}

// ReplayOutput is a part of a session with what each of its prompts would have
// been answered with.
type ReplayOutput struct {
	Session  string           `json:"session"`
	Title    string           `json:"title,omitempty"`
	Prompts  []ReplayedPrompt `json:"prompts"`
	Injected int              `json:"injected"` // prompts of this part that would have got something
	Tokens   int              `json:"tokens"`   // that they would have got, estimated
	Done     int              `json:"done"`     // messages gone through so far
	Total    int              `json:"total"`
	Next     string           `json:"next,omitempty"`  // cursor of the next part
	Notes    []string         `json:"notes,omitempty"` // where this is not exactly what would have been
}

// ReplayedPrompt is a prompt and what it would have been answered with.
type ReplayedPrompt struct {
	ID      string    `json:"id"`
	Time    time.Time `json:"time,omitzero"`
	Prompt  string    `json:"prompt"`         // shortened
	Outcome string    `json:"outcome"`        // injected, or why nothing was
	Best    float64   `json:"best,omitempty"` // how much the best of what was measured had to do with the prompt
	Bar     float64   `json:"bar,omitempty"`  // what that was compared with; 0 if nothing was measured
	Tokens  int       `json:"tokens"`
	Items   []string  `json:"items,omitempty"`
	Text    string    `json:"text,omitempty"` // that would have been handed over, without the marks around it
}

const (
	// replayPage is how many messages are gone through at a time.
	replayPage = 100
	// replayFor is for how long a call goes on before it returns what it has.
	replayFor = 2 * time.Second
	// replayShown is how much of a prompt is shown, in characters.
	replayShown = 160
	// replayGiven bounds how many ids of what was handed over a cursor carries.
	replayGiven = 300
)

// replayCursor is where to go on, and what was handed over so far.
type replayCursor struct {
	Page  int      `json:"page"` // from 0
	At    int      `json:"at"`   // within it
	Given []string `json:"given,omitempty"`
}

// Replay goes through a session again and says for each prompt what it would
// have been answered with then. It changes nothing.
func (k *Keeper) Replay(ctx context.Context, c mind.Caller, in ReplayInput) (ReplayOutput, error) {
	at, err := readCursor(in.Cursor)
	if err != nil {
		return ReplayOutput{}, err
	}
	r := replay{keeper: k, at: at, caller: c, out: ReplayOutput{Prompts: []ReplayedPrompt{}}}
	for begun := time.Now(); ; {
		page, err := k.mind.SessionShow(ctx, c, past.ShowInput{ID: in.Session, Page: r.at.Page + 1, Limit: replayPage})
		if err != nil {
			return r.out, err
		}
		if page.Single {
			return r.out, &memory.InputError{Field: "session", Problem: "names a message", Hint: "name a session; chitta sessions lists them"}
		}
		if r.out.Session == "" {
			r.begin(ctx, &page)
		}
		for ; r.at.At < len(page.Messages); r.at.At++ {
			if len(r.out.Prompts) > 0 && time.Since(begun) > replayFor {
				return r.pause()
			}
			if err := r.message(ctx, &page.Messages[r.at.At]); err != nil {
				return r.out, err
			}
		}
		r.at.Page, r.at.At = r.at.Page+1, 0
		switch {
		case r.at.Page >= page.Pages:
			r.out.Done = page.Total
			return r.out, nil
		case time.Since(begun) > replayFor:
			return r.pause()
		}
	}
}

// replay is a session being gone through.
type replay struct {
	keeper *Keeper
	caller mind.Caller
	realm  string
	placed bool // the caller is where the session was
	at     replayCursor
	out    ReplayOutput
}

// begin notes which session it is and goes where it took place.
func (r *replay) begin(ctx context.Context, page *past.ShowOutput) {
	s := &page.Session
	r.out.Session, r.out.Title, r.out.Total, r.realm = s.ID, s.Title, page.Total, s.Realm
	for _, dir := range []string{s.Cwd, r.caller.Cwd} {
		there := r.caller
		there.Cwd = dir
		if dir == "" {
			continue
		}
		if found, err := r.keeper.mind.RealmDetect(ctx, there, mind.RealmDetectInput{}); err == nil && found.Realm.ID == s.Realm {
			r.caller, r.placed = there, true
			break
		}
	}
	r.out.Notes = []string{"what was known then is told as far as the history has it: scores by words go by what is stored now, and what was learned from a session later counts from when it was said"}
	if !r.placed {
		r.out.Notes = append(r.out.Notes, "the directory of the session is gone: what holds in all projects is left out")
	}
}

// pause says where to go on.
func (r *replay) pause() (ReplayOutput, error) {
	r.out.Done = min(r.out.Total, r.at.Page*replayPage+r.at.At)
	r.at.Given = r.at.Given[max(0, len(r.at.Given)-replayGiven):]
	text, err := json.Marshal(r.at)
	r.out.Next = base64.RawURLEncoding.EncodeToString(text)
	return r.out, err
}

func readCursor(cursor string) (replayCursor, error) {
	var at replayCursor
	if cursor == "" {
		return at, nil
	}
	text, err := base64.RawURLEncoding.DecodeString(cursor)
	if err == nil {
		err = json.Unmarshal(text, &at)
	}
	if err != nil || at.At < 0 || at.Page < 0 {
		return at, &memory.InputError{Field: "cursor", Problem: "is none of replay's", Hint: "pass next of the page before, or nothing"}
	}
	return at, nil
}

// message asks for a message if it is a prompt.
func (r *replay) message(ctx context.Context, m *past.Message) error {
	prompt := promptIn(m)
	if prompt == "" {
		return nil
	}
	p := ReplayedPrompt{ID: m.ID, Time: m.Time, Prompt: plain(prompt, replayShown), Outcome: "when it was said is not known"}
	if !m.Time.IsZero() {
		h, err := r.keeper.resonate(ctx, r.caller, asking{
			// the prompt itself was not stored yet when it was asked
			session: r.out.Session, prompt: prompt, at: m.Time.Add(-time.Millisecond), realm: r.realm, elsewhere: !r.placed,
			given: func(id string) bool { return slices.Contains(r.at.Given, id) },
		})
		if err != nil {
			return err
		}
		text, ids := fence([]section{{title: promptTitle, items: h.items}}, promptMost)
		p.Best, p.Bar, p.Outcome = h.best, h.bar, h.why
		switch {
		case text != "":
			p.Outcome, p.Items, p.Text = Injected, ids, inside(text)
			p.Tokens = (utf8.RuneCountInString(text) + charsPerToken - 1) / charsPerToken
			r.at.Given = append(r.at.Given, ids...)
			r.out.Injected++
			r.out.Tokens += p.Tokens
		case len(h.items) > 0:
			p.Outcome = Withheld
		}
	}
	r.out.Prompts = append(r.out.Prompts, p)
	return nil
}

// promptIn returns what a person said in a message, or "".
func promptIn(m *past.Message) string {
	var said []string
	for i := range m.Parts {
		if p := &m.Parts[i]; p.Role == "user" && p.Kind == "text" && p.Text != "" {
			said = append(said, p.Text)
		}
	}
	return strings.TrimSpace(strings.Join(said, "\n"))
}
