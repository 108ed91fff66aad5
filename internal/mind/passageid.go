package mind

import (
	"context"
	"slices"
	"unicode/utf8"

	"chitta/internal/store"
)

// The id of a message is unique in its session only: turns are numbered anew in
// each conversation, and a fork repeats what it was forked from. Where an id
// alone does not tell which passage is meant, it is shown as SESSION:ID, and
// every operation that takes an id takes that.

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
		if id := *r.id; id != "" && !ids[id] {
			ids[id] = true
			list = append(list, id)
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
		if len(saying[*r.id]) < 2 {
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

// messageWithin finds the message that SESSION:ID names, nil if there is none.
// Both parts may have colons themselves.
func (m *Mind) messageWithin(ctx context.Context, c Caller, name string) (*store.Said, error) {
	for i := 1; i < len(name)-1; i++ {
		if name[i] != ':' {
			continue
		}
		sessions, err := m.store.SessionByID(ctx, name[:i], maxFits)
		if err != nil {
			return nil, err
		}
		var found []store.Said
		for _, s := range sessions {
			rows, err := m.store.MessageByID(ctx, name[i+1:], s.Seq, 1)
			if err != nil {
				return nil, err
			}
			rows = slices.DeleteFunc(rows, func(x store.Said) bool { return x.ID != name[i+1:] || m.mayRead(ctx, c, &x) != nil })
			found = append(found, rows...)
		}
		if len(found) == 1 {
			return &found[0], nil
		}
	}
	return nil, nil
}

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
