package moment

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"chitta/internal/distil"
	"chitta/internal/memory"
	"chitta/internal/mind"
	"chitta/internal/past"
	"chitta/internal/store"
)

// HandoffInput says what to hand over.
type HandoffInput struct {
	Session string `json:"session,omitempty" jsonschema:"that session alone: its id or the unique start of it; default: how things stand in the project"`
}

// HandoffOutput is a brief of how things stand, to be pasted as it is.
type HandoffOutput struct {
	Session string `json:"session"` // the one it is about, or the last with work
	Text    string `json:"text"`    // Markdown
	Tokens  int    `json:"tokens"`  // estimated
}

const (
	handoffSaid    = 600 // characters of the last request and answer
	handoffText    = 300 // of one entry
	handoffTitle   = 120 // of a session's title
	handoffSession = 12  // entries of a section about one session
	handoffProject = 6   // and about a project, of which few matter to all who go on
	// handoffLooked is how many sessions are looked at for the last with work.
	handoffLooked = 20
	// handoffSince is how many later ones without work are named.
	handoffSince = 3
)

// Handoff returns a brief of how things stand for whoever goes on: of a session,
// or of the project, that is its last session with work and what holds or is
// left open from all of them.
func (k *Keeper) Handoff(ctx context.Context, c mind.Caller, in HandoffInput) (HandoffOutput, error) {
	b := briefing{known: &known{texts: &k.reads.known}, now: k.mind.Now(), most: handoffSession}
	id := in.Session
	if id == "" {
		b.most, b.project = handoffProject, true
		var err error
		if id, b.since, err = k.lastWork(ctx, c); err != nil {
			return HandoffOutput{}, err
		}
	}
	var err error
	if b.resume, err = k.mind.SessionResume(ctx, c, past.SessionInput{ID: id}); err != nil {
		return HandoffOutput{}, err
	}
	// what was believed when work stopped counts: a project that rests forgets nothing
	if last := b.resume.Session.When(); !last.IsZero() && last.Before(b.now) {
		b.now = last
	}
	if b.state, err = k.stateFor(ctx, &b.resume); err != nil {
		return HandoffOutput{}, err
	}
	if b.records, err = k.handedOver(ctx, &b); err != nil {
		return HandoffOutput{}, err
	}
	text := b.text()
	return HandoffOutput{Session: b.resume.Session.ID, Text: text, Tokens: (len([]rune(text)) + charsPerToken - 1) / charsPerToken}, nil
}

// lastWork finds the last session of the project in which something was done,
// and those after it.
func (k *Keeper) lastWork(ctx context.Context, c mind.Caller) (id string, since []past.Session, err error) {
	list, err := k.mind.SessionList(ctx, c, past.ListInput{Limit: handoffLooked})
	if err != nil {
		return "", nil, err
	}
	if len(list.Sessions) == 0 {
		return "", nil, &memory.NotFoundError{What: "session of the project in", ID: c.Cwd, Hint: "chitta import takes over what the client has kept; chitta sessions --realm all lists those of all projects"}
	}
	for i := range list.Sessions {
		worked, err := k.worked(ctx, &list.Sessions[i])
		if err != nil {
			return "", nil, err
		}
		if worked {
			return list.Sessions[i].ID, list.Sessions[:i], nil
		}
	}
	return list.Sessions[0].ID, nil, nil
}

// worked reports whether something came of a session: a file was changed, or
// somebody wrote down how it stands.
func (k *Keeper) worked(ctx context.Context, v *past.Session) (bool, error) {
	rows, err := k.store.Ledgers(ctx, store.LedgerFilter{Session: v.ID, Realm: v.Realm, Kinds: []string{LedgerSunset, LedgerSaved}, Limit: handoffSession})
	if err != nil {
		return false, err
	}
	for i := range rows {
		l, err := viewLedger(&rows[i])
		if err == nil && (l.Kind == LedgerSaved || len(l.State.Files) > 0) {
			return true, nil
		}
	}
	return k.store.ChangedFiles(ctx, v.Realm, v.ID)
}

// stateFor joins what a session shows with what was written down of it; what
// was written on purpose counts most.
func (k *Keeper) stateFor(ctx context.Context, r *past.ResumeOutput) (LedgerState, error) {
	state := stateOf(r)
	state.Summary = "" // what was asked last has a section of its own
	rows, err := k.store.Ledgers(ctx, store.LedgerFilter{Session: r.Session.ID, Kinds: []string{LedgerSunset, LedgerSaved}, Limit: handoffSession})
	var errs []error
	for _, kind := range []string{LedgerSunset, LedgerSaved} {
		for i := range rows {
			if rows[i].Kind != kind {
				continue
			}
			l, err := viewLedger(&rows[i])
			errs = append(errs, err)
			if kind == LedgerSunset {
				l.State.Decisions = nil // they are memories, and told as what they are
			}
			state.take(l.State)
		}
	}
	return state, errors.Join(append(errs, err)...)
}

// handedOver returns the memories to hand over: of the session, and in a project
// what stands from earlier ones; those that are worth most first.
func (k *Keeper) handedOver(ctx context.Context, b *briefing) ([]store.Record, error) {
	v := &b.resume.Session
	f := store.Filter{Session: v.ID, Realm: v.Realm, Reach: store.ReachOnly, States: []memory.Status{memory.Active}, Limit: looked}
	records, err := k.store.List(ctx, f)
	if err != nil || !b.project {
		return b.worthiest(records), err
	}
	for _, s := range handoffSections {
		if !s.standing {
			continue
		}
		f := store.Filter{Realm: v.Realm, Reach: store.ReachGlobal, Kinds: s.kinds, States: []memory.Status{memory.Active}, Limit: looked}
		more, err := k.store.List(ctx, f)
		if err != nil {
			return nil, err
		}
		records = append(records, more...)
	}
	return b.worthiest(records), nil
}

// worthiest orders memories by what they are worth now, each once.
func (b *briefing) worthiest(records []store.Record) []store.Record {
	worth := func(r *store.Record) float64 {
		w := worthOf(r, b.now)
		if r.Pinned {
			w++
		}
		return w
	}
	seen := map[int64]bool{}
	records = slices.DeleteFunc(records, func(r store.Record) bool {
		again := seen[r.Seq]
		seen[r.Seq] = true
		return again || believed(&r, b.now) < minConfidence || slices.Contains(r.Tags, mind.TagDone)
	})
	slices.SortStableFunc(records, func(x, y store.Record) int {
		return cmp.Or(cmp.Compare(worth(&y), worth(&x)), y.Created.Compare(x.Created), cmp.Compare(x.Seq, y.Seq))
	})
	return records
}

// handoffSection is a part of a brief that memories fill.
type handoffSection struct {
	title    string
	kinds    []memory.Kind
	standing bool // also what earlier sessions of the project left
	is       func(*store.Record) bool
}

// handoffSections are those parts in order. What fits into several stands in the
// first.
var handoffSections = []handoffSection{
	{"Left to do", []memory.Kind{memory.Intention}, true, nil},
	{"Decided", []memory.Kind{memory.Approach, memory.Belief, memory.Insight, memory.Wisdom}, true, isDecision},
	{"How it is wanted", []memory.Kind{memory.Preference, memory.Correction}, true, nil},
	{"Did not work", []memory.Kind{memory.Failure}, true, nil},
	{"Solved", []memory.Kind{memory.Outcome}, false, nil},
	{"Learned", []memory.Kind{memory.Approach, memory.Belief, memory.Insight, memory.Wisdom, memory.Milestone}, false, nil},
}

// isDecision reports whether a memory is of something decided.
func isDecision(r *store.Record) bool { return slices.Contains(r.Tags, distil.RuleDecision) }

// isCommand reports whether a memory is of a command that works: that is asked
// for, not told.
func isCommand(r *store.Record) bool { return slices.Contains(r.Tags, distil.RuleCommand) }

// handoffLine is a text on one line and not too long.
func handoffLine(text string) string { return plain(text, handoffText) }

// dateOf is a day to be read.
func dateOf(t time.Time) string { return t.Format(time.DateOnly) }
