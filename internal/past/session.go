package past

import (
	"context"
	"time"
	"unicode/utf8"

	"chitta/internal/store"
)

// Session is a conversation as operations show it.
type Session struct {
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
func (v *Session) When() time.Time {
	if v.Ended.IsZero() {
		return v.Started
	}
	return v.Ended
}

func sessionOf(s *store.Session, names map[string]string) Session {
	return Session{
		ID: s.ID, Short: s.ID, Source: s.Source, Realm: s.Realm, Project: names[s.Realm], Title: s.Title, Started: s.Started, Ended: s.Ended,
		Messages: s.Messages, Cwd: s.Cwd, Branch: s.Branch, Client: s.Client, Model: s.Model,
	}
}

// sessionsOf shows sessions with the names of their projects and short ids.
func (a *Archive) sessionsOf(ctx context.Context, sessions ...store.Session) ([]Session, error) {
	names, err := a.store.RealmNames(ctx)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(sessions))
	for i := range sessions {
		ids[i] = sessions[i].ID
	}
	around, err := a.store.IDsBeside(ctx, ids)
	if err != nil {
		return nil, err
	}
	views := make([]Session, len(sessions))
	for i := range sessions {
		views[i] = sessionOf(&sessions[i], names)
		views[i].Short = shortest(sessions[i].ID, around[sessions[i].ID])
	}
	return views, a.addForks(ctx, views, sessions)
}

// addForks says of sessions which go on from which.
func (a *Archive) addForks(ctx context.Context, views []Session, sessions []store.Session) error {
	var seqs, from []int64
	for i := range sessions {
		seqs = append(seqs, sessions[i].Seq)
		if sessions[i].ForkedFrom != 0 {
			from = append(from, sessions[i].ForkedFrom)
		}
	}
	forks, err := a.store.Forks(ctx, seqs)
	if err != nil {
		return err
	}
	origins, err := a.store.SessionsBySeq(ctx, from)
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
