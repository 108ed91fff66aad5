package past

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"chitta/internal/memory"
	"chitta/internal/store"
)

// The id of a message is unique in its session only: turns are numbered anew in
// each conversation, and a fork repeats what it was forked from. Where an id
// alone does not tell which passage is meant, it is shown as SESSION:ID, and
// every operation that takes an id takes that. A long message is several
// passages; behind the first they are shown as ID#2, ID#3 and so on.

// Ref is the id of a passage, and the session that it is in.
type Ref struct {
	ID      *string // changed where it does not tell enough
	Session string
}

// TellApart makes ids that stand for messages of several sessions unambiguous.
func (a *Archive) TellApart(ctx context.Context, refs []Ref) error {
	ids := map[string]bool{}
	var list []string
	for _, r := range refs {
		whole, _, _ := CutPassage(*r.ID)
		for _, id := range []string{*r.ID, whole} {
			if id != "" && !ids[id] {
				ids[id] = true
				list = append(list, id)
			}
		}
	}
	if len(list) == 0 {
		return nil
	}
	saying, err := a.store.SessionsSaying(ctx, list)
	if err != nil {
		return err
	}
	short := map[string]string{}
	for _, r := range refs {
		sessions := saying[*r.ID]
		if whole, _, ok := CutPassage(*r.ID); ok && len(sessions) == 0 {
			sessions = saying[whole]
		}
		if len(sessions) < 2 {
			continue
		}
		if short[r.Session] == "" {
			if short[r.Session], err = a.shortSessionID(ctx, r.Session); err != nil {
				return err
			}
		}
		*r.ID = short[r.Session] + ":" + *r.ID
	}
	return nil
}

// CutPassage takes the number of a passage off an id such as ID#2.
func CutPassage(name string) (id string, nth int, ok bool) {
	at := strings.LastIndexByte(name, '#')
	if at < 1 {
		return "", 0, false
	}
	nth, err := strconv.Atoi(name[at+1:])
	if err != nil || nth < 1 || strconv.Itoa(nth) != name[at+1:] {
		return "", 0, false
	}
	return name[:at], nth, true
}

// NoPassage says that a message has fewer passages than one was named by.
func NoPassage(name string, passages int) error {
	id, _, _ := CutPassage(name)
	hint := fmt.Sprintf("message %s has %d; chitta show %s shows all of it", id, passages, id)
	return &memory.NotFoundError{What: "passage", ID: name, Hint: hint}
}

// shortSessionID returns the start of a session's id if that names it.
func (a *Archive) shortSessionID(ctx context.Context, id string) (string, error) {
	if utf8.RuneCountInString(id) <= shortID {
		return id, nil
	}
	short := string([]rune(id)[:shortID])
	found, err := a.store.SessionByID(ctx, short, 2)
	if err != nil || len(found) != 1 || found[0].ID != id {
		return id, err
	}
	return short, nil
}

// within is what SESSION:ID may mean.
type within struct {
	exact    *store.Said     // the message that has the id
	begun    []store.Said    // those whose id begins with it
	sessions []store.Session // that are named, whether or not they have such a message
	rest     string          // what is looked for in them
}

// lookWithin looks for what SESSION:ID names among what the reader may read.
// Both parts may have colons themselves, and the start of either will do.
func (a *Archive) lookWithin(ctx context.Context, who Reader, name string) (w within, err error) {
	for i := 1; i < len(name)-1; i++ {
		if name[i] != ':' {
			continue
		}
		sessions, err := a.store.SessionByID(ctx, name[:i], maxFits)
		if err != nil {
			return w, err
		}
		var exact []store.Said
		for _, s := range sessions {
			if a.mayRead(ctx, who, &store.Said{Realm: s.Realm}) != nil {
				continue
			}
			w.sessions, w.rest = append(w.sessions, s), name[i+1:]
			rows, err := a.store.MessageByID(ctx, name[i+1:], s.Seq, maxFits+1)
			if err != nil {
				return w, err
			}
			w.begun = append(w.begun, rows...)
			if len(rows) > 0 && rows[0].ID == name[i+1:] {
				exact = append(exact, rows[0])
			}
		}
		if len(exact) == 1 {
			w.exact = &exact[0]
			return w, nil
		}
	}
	return w, nil
}

// MessageWithin finds the message that SESSION:ID names, nil if there is none.
// Of a word that may as well be something to look for, the id of the message
// must be whole, unless the session's is clearly one.
func (a *Archive) MessageWithin(ctx context.Context, who Reader, name string) (*store.Said, error) {
	w, err := a.lookWithin(ctx, who, name)
	if err != nil || w.exact != nil {
		return w.exact, err
	}
	if session, _, _ := strings.Cut(name, ":"); len(w.begun) > 0 && LooksLikeID(session) {
		return a.oneMessage(ctx, "id", name, w.begun)
	}
	return nil, nil
}

// messageShown finds the message that SESSION:ID names where it can be nothing
// else: the start of the message's id will do, and if its session has none such
// the error says so. Nil if no session is named.
func (a *Archive) messageShown(ctx context.Context, who Reader, name string) (*store.Said, error) {
	w, err := a.lookWithin(ctx, who, name)
	switch {
	case err != nil || w.exact != nil:
		return w.exact, err
	case len(w.begun) > 0:
		return a.oneMessage(ctx, "id", name, w.begun)
	case len(w.sessions) == 1:
		return nil, noMessageIn(&w.sessions[0], w.rest)
	}
	return nil, nil
}

var uuidStart = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{0,4}(-[0-9a-f]{0,4}(-[0-9a-f]{0,4}(-[0-9a-f]{0,12})?)?)?)?$`)
})

// LooksLikeID says whether a word is an id of a message rather than something
// to look for: the beginning of a UUID with at least a digit in it.
func LooksLikeID(word string) bool {
	return uuidStart().MatchString(word) && strings.ContainsAny(word, "0123456789")
}
