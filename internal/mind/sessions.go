package mind

import (
	"cmp"
	"context"
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"chitta/internal/follow"
	"chitta/internal/memory"
	"chitta/internal/store"
)

// SessionView is a conversation as operations show it.
type SessionView struct {
	ID       string    `json:"id"`
	Short    string    `json:"short"`  // the start of the id that only it has
	Source   string    `json:"source"` // the format it came in
	Realm    string    `json:"realm"`
	Project  string    `json:"project"` // name of the realm
	Title    string    `json:"title"`
	Started  time.Time `json:"started,omitzero"`
	Ended    time.Time `json:"ended,omitzero"`
	Messages int       `json:"messages"` // its own
	Cwd      string    `json:"cwd,omitempty"`
	Branch   string    `json:"branch,omitempty"`
	Client   string    `json:"client,omitempty"`
	Model    string    `json:"model,omitempty"`
	// Fork is the id of the session whose messages it goes on from. If that was
	// forgotten, so was the beginning of this one.
	Fork               string `json:"fork,omitempty"`
	BeginningForgotten bool   `json:"beginning_forgotten,omitempty"`
	// Inherited is how many messages of other sessions it begins with.
	Inherited int      `json:"inherited,omitempty"`
	Forks     []string `json:"forks,omitempty"` // sessions that go on from this one
}

// When is when something last happened in the session, as far as known.
func (v *SessionView) When() time.Time {
	if v.Ended.IsZero() {
		return v.Started
	}
	return v.Ended
}

func sessionView(s *store.Session, names map[string]string) SessionView {
	return SessionView{
		ID: s.ID, Short: s.ID, Source: s.Source, Realm: s.Realm, Project: names[s.Realm], Title: s.Title, Started: s.Started, Ended: s.Ended,
		Messages: s.Messages, Cwd: s.Cwd, Branch: s.Branch, Client: s.Client, Model: s.Model,
	}
}

// viewsOf shows sessions with the names of their projects and short ids.
func (m *Mind) viewsOf(ctx context.Context, sessions ...store.Session) ([]SessionView, error) {
	names, err := m.store.RealmNames(ctx)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(sessions))
	for i := range sessions {
		ids[i] = sessions[i].ID
	}
	around, err := m.store.IDsBeside(ctx, ids)
	if err != nil {
		return nil, err
	}
	views := make([]SessionView, len(sessions))
	for i := range sessions {
		views[i] = sessionView(&sessions[i], names)
		views[i].Short = shortest(sessions[i].ID, around[sessions[i].ID])
	}
	return views, m.addForks(ctx, views, sessions)
}

// addForks says of sessions which go on from which.
func (m *Mind) addForks(ctx context.Context, views []SessionView, sessions []store.Session) error {
	var seqs, from []int64
	for i := range sessions {
		seqs = append(seqs, sessions[i].Seq)
		if sessions[i].ForkedFrom != 0 {
			from = append(from, sessions[i].ForkedFrom)
		}
	}
	forks, err := m.store.Forks(ctx, seqs)
	if err != nil {
		return err
	}
	origins, err := m.store.SessionsBySeq(ctx, from)
	if err != nil {
		return err
	}
	for i := range sessions {
		views[i].Forks = forks[sessions[i].Seq]
		if origin, ok := origins[sessions[i].ForkedFrom]; ok {
			views[i].Fork, views[i].BeginningForgotten = origin.ID, !origin.Forgotten.IsZero()
		}
	}
	return nil
}

// shortID is how long a shortened id is at least.
const shortID = 8

// shortest returns the start of an id that tells it from those beside it.
func shortest(id string, beside [2]string) string {
	need := shortID
	for _, other := range beside {
		same := 0
		for same < min(len(id), len(other)) && id[same] == other[same] {
			same++
		}
		need = max(need, same+1)
	}
	if need >= len(id) {
		return id
	}
	for need < len(id) && !utf8.RuneStart(id[need]) {
		need++
	}
	return id[:need]
}

const (
	maxSessionID = 512
	// maxFits bounds how many sessions or messages an ambiguous id names.
	maxFits = 5
	// nearbySessions is how many sessions a mistyped id is compared with.
	nearbySessions = 1000
)

func checkSessionID(field, id string) error {
	if id == "" {
		return &memory.InputError{Field: field, Problem: "is empty", Hint: "chitta sessions shows the ids"}
	}
	return memory.CheckText(field, id, maxSessionID)
}

// sessionNamed finds a session by its id or the unique start of it. Of several
// with one id, that of the caller's project is meant.
func (m *Mind) sessionNamed(ctx context.Context, c Caller, field, id string) (store.Session, error) {
	return m.sessionNear(ctx, c, field, id, "")
}

// sessionNear is sessionNamed where it was asked for in a realm, or in all: a
// mistyped id is compared with those there. "" is the caller's own.
func (m *Mind) sessionNear(ctx context.Context, c Caller, field, id, realm string) (store.Session, error) {
	id = strings.TrimSpace(id)
	if err := checkSessionID(field, id); err != nil {
		return store.Session{}, err
	}
	found, err := m.store.SessionByID(ctx, id, maxFits+1)
	if err != nil {
		return store.Session{}, err
	}
	if !c.Person() {
		// an agent sees the conversations of its project
		here, _, err := m.currentRealm(ctx, c)
		if err != nil {
			return store.Session{}, err
		}
		found = slices.DeleteFunc(found, func(s store.Session) bool { return s.Realm != here.ID })
	}
	switch len(found) {
	case 0:
		return store.Session{}, m.noSession(ctx, c, realm, id)
	case 1:
		return found[0], nil
	}
	if here, _, err := m.currentRealm(ctx, c); err == nil {
		var ours []store.Session
		for _, s := range found {
			if s.Realm == here.ID {
				ours = append(ours, s)
			}
		}
		if len(ours) == 1 && ours[0].ID == id {
			return ours[0], nil
		}
	}
	return store.Session{}, m.severalSessions(ctx, field, id, found)
}

// noSession says that there is no such session, and which is called nearly so:
// of a realm, of all if a person asked for all, else of the caller's own. What
// other projects have is not told unasked.
func (m *Mind) noSession(ctx context.Context, c Caller, realm, id string) error {
	missing := &memory.NotFoundError{What: "session", ID: id, Hint: "chitta sessions --realm all shows what is there"}
	if realm == "" || !c.Person() {
		here, _, err := m.currentRealm(ctx, c)
		if err != nil {
			return missing // where nobody can tell where it is, nothing is near
		}
		realm = here.ID
	}
	f := store.SessionFilter{Realm: realm, Limit: nearbySessions}
	if strings.EqualFold(realm, realmAll) {
		f.Realm = ""
	}
	recent, _, err := m.store.ListSessions(ctx, f)
	if err != nil {
		return err
	}
	ids := make([]string, len(recent))
	for i := range recent {
		ids[i] = recent[i].ID
	}
	if near := cmp.Or(memory.Nearest(id, ids), nearestStart(id, ids)); near != "" {
		missing.Hint = fmt.Sprintf("did you mean %s? %s", near, missing.Hint)
	}
	return missing
}

// nearestStart compares a mistyped start of an id with those of others.
func nearestStart(id string, ids []string) string {
	starts := make([]string, len(ids))
	whole := map[string]string{}
	for i, other := range ids {
		starts[i] = other[:min(len(id), len(other))]
		whole[starts[i]] = other
	}
	return whole[memory.Nearest(id, starts)]
}

func (m *Mind) severalSessions(ctx context.Context, field, id string, found []store.Session) error {
	names, err := m.store.RealmNames(ctx)
	if err != nil {
		return err
	}
	var fits []string
	for _, s := range found[:min(len(found), maxFits)] {
		fits = append(fits, fmt.Sprintf("%s (%s)", s.ID, names[s.Realm]))
	}
	count := strconv.Itoa(len(found))
	if len(found) > maxFits {
		count = fmt.Sprintf("more than %d", maxFits)
	}
	hint := "give more of it; these fit: " + strings.Join(fits, ", ")
	if found[0].ID == id {
		hint = "ask from the directory of the project that is meant; these fit: " + strings.Join(fits, ", ")
	}
	return &memory.InputError{Field: field, Problem: fmt.Sprintf("%q fits %s sessions", id, count), Hint: hint}
}

// SessionListInput chooses sessions to list.
type SessionListInput struct {
	Realm  string `json:"realm,omitempty" jsonschema:"project: id or name; all for every project; default: that of the working directory"`
	Since  string `json:"since,omitempty" jsonschema:"only from this time on: a date, a time or a span such as 3d"`
	Until  string `json:"until,omitempty" jsonschema:"only before this time"`
	File   string `json:"file,omitempty" jsonschema:"only what touched this file: its name, the end of its path or the whole path"`
	Limit  int    `json:"limit,omitempty" jsonschema:"most to return"`
	Cursor string `json:"cursor,omitempty" jsonschema:"next of the page before"`
}

// SessionListOutput is one page of sessions.
type SessionListOutput struct {
	Sessions []SessionView `json:"sessions"`
	Total    int           `json:"total"` // on all pages
	Realm    string        `json:"realm"` // "" for every project
	Next     string        `json:"next,omitempty"`
}

// SessionList returns sessions, the last active first.
func (m *Mind) SessionList(ctx context.Context, c Caller, in SessionListInput) (SessionListOutput, error) {
	var f store.SessionFilter
	var err error
	if f.Realm, err = m.searchRealm(ctx, c, in.Realm); err != nil {
		return SessionListOutput{}, err
	}
	if f.Since, err = memory.ParseTime("since", in.Since, m.opts.Now()); err != nil {
		return SessionListOutput{}, err
	}
	if f.Until, err = memory.ParseTime("until", in.Until, m.opts.Now()); err != nil {
		return SessionListOutput{}, err
	}
	if f.Limit, err = memory.CheckLimit(in.Limit, listDefault, listMost, memory.PageOn); err != nil {
		return SessionListOutput{}, err
	}
	if f.Before, err = decodePlace(in.Cursor); err != nil {
		return SessionListOutput{}, err
	}
	if in.File != "" {
		if err := memory.CheckText("file", in.File, memory.MaxPath); err != nil {
			return SessionListOutput{}, err
		}
		f.File = follow.CleanPath(in.File)
	}
	page, total, err := m.store.ListSessions(ctx, f)
	if err != nil {
		return SessionListOutput{}, err
	}
	out := SessionListOutput{Total: total, Realm: f.Realm}
	if out.Sessions, err = m.viewsOf(ctx, page...); err != nil {
		return SessionListOutput{}, err
	}
	for i := range page {
		if page[i].ForkedFrom == 0 {
			continue
		}
		t, err := m.threadOf(ctx, c, page[i], "")
		if err != nil {
			return SessionListOutput{}, err
		}
		out.Sessions[i].Inherited = t.inherited(page[i].Seq)
	}
	if len(page) == f.Limit {
		out.Next = encodePlace(page[len(page)-1].Place())
	}
	return out, nil
}

func encodePlace(p store.SessionPlace) string {
	return base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "p%d.%d", p.Active, p.Seq))
}

func decodePlace(cursor string) (p store.SessionPlace, err error) {
	if cursor == "" {
		return p, nil
	}
	b, err := base64.RawURLEncoding.DecodeString(cursor)
	if err == nil {
		_, err = fmt.Sscanf(string(b), "p%d.%d", &p.Active, &p.Seq)
	}
	if err != nil || p.Seq <= 0 {
		return store.SessionPlace{}, &memory.InputError{Field: "cursor", Problem: fmt.Sprintf("%q is not one that a listing gave", cursor), Hint: "pass on the next of the page before, or leave it out"}
	}
	return p, nil
}
