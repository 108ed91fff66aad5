package past

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"chitta/internal/memory"
	"chitta/internal/store"
)

const (
	maxSessionID = 512
	// maxFits bounds how many sessions or messages an ambiguous id names.
	maxFits = 5
	// nearbySessions is how many sessions a mistyped id is compared with.
	nearbySessions = 1000
)

func checkID(field, id string) error {
	if id == "" {
		return &memory.InputError{Field: field, Problem: "is empty", Hint: "chitta sessions shows the ids"}
	}
	return memory.CheckText(field, id, maxSessionID)
}

// Find finds a session by its id or the unique start of it. Of several
// with one id, that of the reader's project is meant.
func (a *Archive) Find(ctx context.Context, who Reader, field, id string) (store.Session, error) {
	return a.findNear(ctx, who, field, id, "")
}

// findNear is Find where it was asked for in a realm, or in all: a
// mistyped id is compared with those there. "" is the reader's own.
func (a *Archive) findNear(ctx context.Context, who Reader, field, id, realm string) (store.Session, error) {
	id = strings.TrimSpace(id)
	if err := checkID(field, id); err != nil {
		return store.Session{}, err
	}
	found, err := a.store.SessionByID(ctx, id, maxFits+1)
	if err != nil {
		return store.Session{}, err
	}
	if !who.Person {
		// an agent sees the conversations of its project
		here, err := a.here(ctx, who.Dir)
		if err != nil {
			return store.Session{}, err
		}
		found = slices.DeleteFunc(found, func(s store.Session) bool { return s.Realm != here.ID })
	}
	switch len(found) {
	case 0:
		return store.Session{}, a.noSession(ctx, who, realm, id)
	case 1:
		return found[0], nil
	}
	if here, err := a.here(ctx, who.Dir); err == nil {
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
	return store.Session{}, a.several(ctx, field, id, found)
}

// findIn finds a session, in one project if that is named.
func (a *Archive) findIn(ctx context.Context, who Reader, realm, id string) (store.Session, error) {
	if realm == "" {
		return a.Find(ctx, who, "id", id)
	}
	r, err := a.named(ctx, realm)
	if err != nil {
		return store.Session{}, err
	}
	if !who.Person {
		// an agent sees the conversations of its project, whatever it names
		here, err := a.here(ctx, who.Dir)
		if err != nil {
			return store.Session{}, err
		}
		if here.ID != r.ID {
			return store.Session{}, a.noSession(ctx, who, here.ID, id)
		}
	}
	found, err := a.store.SessionByID(ctx, id, maxFits+1)
	if err != nil {
		return store.Session{}, err
	}
	var fits []store.Session
	for _, s := range found {
		if s.Realm == r.ID {
			fits = append(fits, s)
		}
	}
	switch len(fits) {
	case 0:
		return store.Session{}, a.noSession(ctx, who, r.ID, id)
	case 1:
		return fits[0], nil
	}
	return store.Session{}, a.several(ctx, "id", id, fits)
}

// noSession says that there is no such session, and which is called nearly so:
// of a realm, of all if a person asked for all, else of the reader's own. What
// other projects have is not told unasked.
func (a *Archive) noSession(ctx context.Context, who Reader, realm, id string) error {
	missing := &memory.NotFoundError{What: "session", ID: id, Hint: "chitta sessions --realm all shows what is there"}
	if realm == "" || !who.Person {
		here, err := a.here(ctx, who.Dir)
		if err != nil {
			return missing // where nobody can tell where it is, nothing is near
		}
		realm = here.ID
	}
	f := store.SessionFilter{Realm: realm, Limit: nearbySessions}
	if strings.EqualFold(realm, All) {
		f.Realm = ""
	}
	recent, _, err := a.store.ListSessions(ctx, f)
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

func (a *Archive) several(ctx context.Context, field, id string, found []store.Session) error {
	names, err := a.store.RealmNames(ctx)
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
