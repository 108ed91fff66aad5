package past

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"time"

	"chitta/internal/follow"
	"chitta/internal/session"
	"chitta/internal/store"
)

// SessionInput names a session.
type SessionInput struct {
	ID string `json:"id" jsonschema:"the session: its id or the unique start of it"`
}

// ResumeOutput is what is needed to go on with a session.
type ResumeOutput struct {
	Session     Session       `json:"session"`
	Cwd         string        `json:"cwd,omitempty"`      // where it began, and the client finds it
	LastCwd     string        `json:"last_cwd,omitempty"` // where work went on, if that is elsewhere
	Branch      string        `json:"branch,omitempty"`
	LastRequest *Spoken       `json:"last_request,omitempty"`
	LastAnswer  *Spoken       `json:"last_answer,omitempty"`
	Todos       []Todo        `json:"todos"` // not done yet, as far as the session shows
	Files       []TouchedFile `json:"files"` // the last first
	Command     string        `json:"command,omitempty"`
}

// Spoken is something that was said.
type Spoken struct {
	ID   string    `json:"id"`
	Time time.Time `json:"time,omitzero"`
	Text string    `json:"text"`
	Cut  int       `json:"cut,omitempty"` // characters that are left out
}

// Todo is an entry of an agent's list of things to do.
type Todo struct {
	Content string `json:"content"`
	Status  string `json:"status"` // pending or in_progress
}

// TouchedFile is a file and what was last done to it.
type TouchedFile struct {
	Path   string `json:"path"`
	Action string `json:"action"` // read, edit, write, search
}

const (
	// resumeLook is how many messages at the end of a session are looked at
	// first, resumeMost if they do not show what a person last asked for.
	resumeLook = 500
	resumeMost = 20_000
	// resumeRunes is how much of what was said is repeated.
	resumeRunes = 2000
	resumeFiles = 10
)

// Resume returns what is needed to go on with a session.
func (a *Archive) Resume(ctx context.Context, who Reader, in SessionInput) (ResumeOutput, error) {
	s, err := a.Find(ctx, who, "id", in.ID)
	if err != nil {
		return ResumeOutput{}, err
	}
	return a.ResumeOf(ctx, who, s)
}

// ResumeOf is Resume for a session at hand, also where its directory is
// gone.
func (a *Archive) ResumeOf(ctx context.Context, who Reader, s store.Session) (ResumeOutput, error) {
	views, err := a.sessionsOf(ctx, s)
	if err != nil {
		return ResumeOutput{}, err
	}
	out := ResumeOutput{Session: views[0], Todos: []Todo{}, Files: []TouchedFile{}}
	t, err := a.threadOf(ctx, who, s, "")
	if err != nil {
		return ResumeOutput{}, err
	}
	for _, most := range []int{resumeLook, resumeMost} {
		rows, err := a.messagesAt(ctx, t.places[max(0, len(t.places)-most):], math.MaxInt)
		if err != nil {
			return ResumeOutput{}, err
		}
		out.read(s.Source, rows)
		if out.LastRequest != nil || len(rows) < most {
			break
		}
	}
	if s.Cwd != "" && s.Cwd != out.Cwd {
		out.Cwd, out.LastCwd = s.Cwd, out.Cwd
	}
	if out.Branch == "" {
		out.Branch = s.Branch
	}
	if s.Source == (session.ClaudeCode{}).Name() {
		out.Command = "claude --resume " + shellWord(s.ID)
		if out.Cwd != "" {
			out.Command = "cd " + shellWord(out.Cwd) + " && " + out.Command
		}
	}
	return out, nil
}

// read takes from the end of a session what counts, the last first.
func (o *ResumeOutput) read(source string, rows []store.Message) {
	o.LastRequest, o.LastAnswer, o.Cwd, o.Branch = nil, nil, "", ""
	var touched []session.Message
	todos := ""
	for _, row := range slices.Backward(rows) {
		m, err := follow.ReadMessage(source, row.Raw)
		if err != nil {
			continue
		}
		touched = append(touched, *m)
		if o.Cwd == "" {
			o.Cwd = m.Cwd
		}
		if o.Branch == "" {
			o.Branch = m.Branch
		}
		if text := m.Human(); text != "" && o.LastRequest == nil {
			o.LastRequest = spokenAt(&row, text)
		}
		if text := answer(m); text != "" && o.LastAnswer == nil {
			o.LastAnswer = spokenAt(&row, text)
		}
		for _, p := range slices.Backward(m.Parts) {
			if p.Kind == session.ToolUse && p.Tool == "TodoWrite" && todos == "" {
				todos = p.Input
			}
		}
	}
	o.Todos = openTodos(todos)
	slices.Reverse(touched)
	o.Files = []TouchedFile{}
	for _, f := range slices.Backward(session.FileTouches(touched)) {
		known := slices.ContainsFunc(o.Files, func(x TouchedFile) bool { return x.Path == f.Path })
		if !known && !f.Failed && f.Action != session.Search && len(o.Files) < resumeFiles {
			o.Files = append(o.Files, TouchedFile{f.Path, string(f.Action)})
		}
	}
}

func spokenAt(row *store.Message, text string) *Spoken {
	cut := clip(strings.TrimSpace(text), resumeRunes)
	return &Spoken{ID: row.ID, Time: row.Time, Text: cut, Cut: len([]rune(strings.TrimSpace(text))) - len([]rune(cut))}
}

// answer returns what the agent says in a message.
func answer(m *session.Message) string {
	var texts []string
	for i := range m.Parts {
		if p := &m.Parts[i]; p.Kind == session.Text && follow.PartRole(m, p) == follow.RoleAssistant && strings.TrimSpace(p.Text) != "" {
			texts = append(texts, p.Text)
		}
	}
	return strings.Join(texts, "\n\n")
}

// openTodos returns what is not done of a list of things to do.
func openTodos(input string) []Todo {
	var list struct{ Todos []Todo }
	out := []Todo{}
	if json.Unmarshal([]byte(input), &list) != nil {
		return out
	}
	for _, t := range list.Todos {
		if t.Status != "completed" && t.Status != "cancelled" {
			out = append(out, t)
		}
	}
	return out
}

// shellWord quotes a word for a shell where it has to be.
func shellWord(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+:@%,=", r)
	}
	if s != "" && !strings.ContainsFunc(s, func(r rune) bool { return !plain(r) }) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
