package mind

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"chitta/internal/memory"
	"chitta/internal/store"
)

// The id of a message is unique in its session only: turns are numbered anew in
// each conversation, and a fork repeats what it was forked from. Where an id
// alone does not tell which passage is meant, it is shown as SESSION:ID, and
// every operation that takes an id takes that. A long message is several
// passages; behind the first they are shown as ID#2, ID#3 and so on.

// shortSession is how many characters of a session's id are shown if they are
// enough to tell it from others.
const shortSession = 8

// passageRef is the id of a passage, and the session that it is in.
type passageRef struct {
	id      *string
	session string
}

// tellApart makes ids that stand for messages of several sessions unambiguous.
func (m *Mind) tellApart(ctx context.Context, refs []passageRef) error {
	ids := map[string]bool{}
	var list []string
	for _, r := range refs {
		whole, _, _ := cutPassage(*r.id)
		for _, id := range []string{*r.id, whole} {
			if id != "" && !ids[id] {
				ids[id] = true
				list = append(list, id)
			}
		}
	}
	if len(list) == 0 {
		return nil
	}
	saying, err := m.store.SessionsSaying(ctx, list)
	if err != nil {
		return err
	}
	short := map[string]string{}
	for _, r := range refs {
		sessions := saying[*r.id]
		if whole, _, ok := cutPassage(*r.id); ok && len(sessions) == 0 {
			sessions = saying[whole]
		}
		if len(sessions) < 2 {
			continue
		}
		if short[r.session] == "" {
			if short[r.session], err = m.shortSessionID(ctx, r.session); err != nil {
				return err
			}
		}
		*r.id = short[r.session] + ":" + *r.id
	}
	return nil
}

// cutPassage takes the number of a passage off an id such as ID#2.
func cutPassage(name string) (id string, nth int, ok bool) {
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

// noPassage says that a message has fewer passages than one was named by.
func noPassage(name string, passages int) error {
	id, _, _ := cutPassage(name)
	hint := fmt.Sprintf("message %s has %d; chitta show %s shows all of it", id, passages, id)
	return &memory.NotFoundError{What: "passage", ID: name, Hint: hint}
}

// tellResultsApart does so for the passages of an answer.
func (m *Mind) tellResultsApart(ctx context.Context, out *RecallOutput) error {
	var refs []passageRef
	take := func(results []Result) {
		for i := range results {
			if r := &results[i]; r.Kind == KindPassage {
				refs = append(refs, passageRef{&r.ID, r.Provenance.Session})
			}
		}
	}
	take(out.Results)
	for i := range out.Sessions {
		take(out.Sessions[i].Passages)
	}
	for i := range out.Suppressed {
		if s := &out.Suppressed[i]; s.Session != "" {
			refs = append(refs, passageRef{&s.ID, s.Session})
		}
	}
	return m.tellApart(ctx, refs)
}

// shortSessionID returns the start of a session's id if that names it.
func (m *Mind) shortSessionID(ctx context.Context, id string) (string, error) {
	if utf8.RuneCountInString(id) <= shortSession {
		return id, nil
	}
	short := string([]rune(id)[:shortSession])
	found, err := m.store.SessionByID(ctx, short, 2)
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

// lookWithin looks for what SESSION:ID names among what the caller may read.
// Both parts may have colons themselves, and the start of either will do.
func (m *Mind) lookWithin(ctx context.Context, c Caller, name string) (w within, err error) {
	for i := 1; i < len(name)-1; i++ {
		if name[i] != ':' {
			continue
		}
		sessions, err := m.store.SessionByID(ctx, name[:i], maxFits)
		if err != nil {
			return w, err
		}
		var exact []store.Said
		for _, s := range sessions {
			if m.mayRead(ctx, c, &store.Said{Realm: s.Realm}) != nil {
				continue
			}
			w.sessions, w.rest = append(w.sessions, s), name[i+1:]
			rows, err := m.store.MessageByID(ctx, name[i+1:], s.Seq, maxFits+1)
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

// messageWithin finds the message that SESSION:ID names, nil if there is none.
// Of a word that may as well be something to look for, the id of the message
// must be whole, unless the session's is clearly one.
func (m *Mind) messageWithin(ctx context.Context, c Caller, name string) (*store.Said, error) {
	w, err := m.lookWithin(ctx, c, name)
	if err != nil || w.exact != nil {
		return w.exact, err
	}
	if session, _, _ := strings.Cut(name, ":"); len(w.begun) > 0 && looksLikeID(session) {
		return m.oneMessage(ctx, "id", name, w.begun)
	}
	return nil, nil
}

// messageShown finds the message that SESSION:ID names where it can be nothing
// else: the start of the message's id will do, and if its session has none such
// the error says so. Nil if no session is named.
func (m *Mind) messageShown(ctx context.Context, c Caller, name string) (*store.Said, error) {
	w, err := m.lookWithin(ctx, c, name)
	switch {
	case err != nil || w.exact != nil:
		return w.exact, err
	case len(w.begun) > 0:
		return m.oneMessage(ctx, "id", name, w.begun)
	case len(w.sessions) == 1:
		return nil, noMessageIn(&w.sessions[0], w.rest)
	}
	return nil, nil
}

// noMessageIn says that a session has no such message.
func noMessageIn(s *store.Session, id string) error {
	return &memory.NotFoundError{What: "message", ID: id, Session: s.ID, Hint: "chitta show " + s.ID + " shows its messages"}
}

func (p *Passage) ref() passageRef { return passageRef{&p.ID, p.Session} }

// refsOf returns the ids of the passages of a chain.
func refsOf(links []ChainLink) []passageRef {
	var refs []passageRef
	for i := range links {
		refs = append(refs, passageRef{&links[i].ID, links[i].Session})
		if links[i].AskedID != "" {
			refs = append(refs, passageRef{&links[i].AskedID, links[i].Session})
		}
	}
	return refs
}
