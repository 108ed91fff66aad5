package moment

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"chitta/internal/distil"
	"chitta/internal/memory"
	"chitta/internal/store"
)

const (
	// ledgersLooked is how many entries of the ledger are looked at.
	ledgersLooked = 20
	// sessionsLooked is of how many sessions the files are looked at, and
	// filesLooked how many of each.
	sessionsLooked = 3
	filesLooked    = 30
)

// standings is how things stood.
type standings struct {
	title string
	items []item // to be told before the state
	state LedgerState
	of    stoodEntry // where it is written down
	files []string
}

// stoodEntry is an entry of the ledger with when its session was last active:
// it may be summed up long after that.
type stoodEntry struct {
	store.Ledger
	active time.Time
}

// stood finds out how things stood in the last session here; for a session that
// was compacted, in itself. A session in which nothing was worked on does not
// hide how the work stood.
func (k *Keeper) stood(ctx context.Context, e *Event, m *morning) (standings, error) {
	f := store.LedgerFilter{Realm: m.realm, Limit: ledgersLooked}
	out := standings{title: "How things stood in the last session here"}
	if e.Source == sourceCompact {
		f.Session, out.title = e.Session, "How this session stood before it was compacted"
	}
	rows, err := k.reads.ledgers.get(k.store, nameOf(f.Realm, f.Session), func() ([]stoodEntry, error) { return k.entries(ctx, f) })
	if err != nil {
		return out, err
	}
	rows = slices.DeleteFunc(slices.Clone(rows), func(l stoodEntry) bool {
		return e.Source != sourceCompact && l.Session == e.Session && e.Session != "" || m.own[l.Session] ||
			!m.since.IsZero() && !l.Updated.After(m.since)
	})
	if len(rows) == 0 {
		return out, k.lastAsked(ctx, e, m, stoodEntry{}, &out)
	}
	last := rows[0]
	if err := k.lastAsked(ctx, e, m, last, &out); err != nil {
		return out, err
	}
	out.of, out.state = last, stateAt(rows, &last)
	if !out.state.atWork() && last.Kind != LedgerSaved {
		for i := range rows {
			if state := stateAt(rows, &rows[i]); state.atWork() || rows[i].Kind == LedgerSaved {
				since := item{id: last.ID, label: "since then", text: out.state.Summary, when: last.active, source: "ledger", trust: memory.TrustAgent, most: sinceMost}
				out.items = append(out.items, since)
				out.title = "How things stood in the last session here with work"
				out.of, out.state = rows[i], state
				break
			}
		}
	}
	out.files = out.state.Files
	return out, nil
}

// sinceMost is how much is told of a session in which nothing was worked on.
const sinceMost = 200

// entries returns what the ledger has, that of the session last active first.
func (k *Keeper) entries(ctx context.Context, f store.LedgerFilter) ([]stoodEntry, error) {
	rows, err := k.store.Ledgers(ctx, f)
	if err != nil {
		return nil, err
	}
	out := make([]stoodEntry, len(rows))
	for i, l := range rows {
		out[i] = stoodEntry{l, l.Updated}
		if l.Kind == LedgerSaved || l.Session == "" {
			continue // written on purpose, then and there
		}
		if at, err := k.lastActive(ctx, l.Session); err != nil {
			return nil, err
		} else if !at.IsZero() {
			out[i].active = at
		}
	}
	slices.SortStableFunc(out, func(a, b stoodEntry) int { return b.active.Compare(a.active) })
	return out, nil
}

// lastActive says when a session was last active; zero if that is not known.
func (k *Keeper) lastActive(ctx context.Context, session string) (time.Time, error) {
	v, err := k.store.Visit(ctx, session)
	if err == nil || !errors.Is(err, store.ErrNotFound) {
		return v.Seen, err
	}
	found, err := k.store.SessionByID(ctx, session, 1)
	if err != nil || len(found) == 0 || found[0].ID != session {
		return time.Time{}, err
	}
	return found[0].Ended, nil
}

// stateAt puts together what the entries of one session say. What was said on
// purpose counts more than what was summed up, and that more than what was noted
// on the way.
func stateAt(rows []stoodEntry, last *stoodEntry) (state LedgerState) {
	for _, kind := range []string{LedgerCheckpoint, LedgerSunset, LedgerSaved} {
		for i := len(rows) - 1; i >= 0; i-- {
			if l := &rows[i]; l.Kind == kind && (l.ID == last.ID || l.Session == last.Session && l.Session != "") {
				var s LedgerState
				if json.Unmarshal([]byte(l.State), &s) == nil {
					state.take(s)
				}
			}
		}
	}
	return state
}

// atWork says whether a state is one of work: there is something in play or left
// to do. What was decided is kept as memories too.
func (s *LedgerState) atWork() bool {
	return len(s.Files)+len(s.NextSteps)+len(s.Todos)+len(s.Blockers) > 0
}

// tell says a state in lines, as much as there is room for, without what is told
// elsewhere.
func (s *standings) tell(m *morning) []item {
	room := roomFor(ledgerShare)
	var out []item
	add := func(x item) {
		if !m.known.says(x.text) && room.take(&x) {
			m.known.add(x.printed())
			out = append(out, x)
		}
	}
	say := func(label string, most int, texts ...string) {
		for _, t := range texts {
			add(item{id: s.of.ID, label: label, text: unlabelled(t), when: s.of.active, source: "ledger", trust: memory.TrustAgent, most: most})
		}
	}
	for _, x := range s.items {
		add(x)
	}
	label, summary := s.state.summary()
	say(label, summaryMost, summary)
	say("in the way", 0, s.state.Blockers...)
	say("next", 0, s.state.NextSteps...)
	say("to do", 0, s.state.Todos...)
	say("decided", 0, s.state.Decisions...)
	if !mainBranch[s.state.Snapshot] {
		say("note", 0, s.state.Snapshot)
	}
	return out
}

// mainBranch are notes that say nothing.
var mainBranch = map[string]bool{"branch main": true, "branch master": true}

// summary returns what a state says was done, with a word for what that is.
// Summaries say themselves what was asked and done, and what was decided and
// left open is in lists of its own.
func (s *LedgerState) summary() (label, text string) {
	if asked, ok := strings.CutPrefix(s.Summary, "Last asked: "); ok {
		return "last asked", asked
	}
	if !strings.HasPrefix(s.Summary, "Asked: ") {
		return "done", s.Summary
	}
	text = s.Summary
	for _, list := range []struct {
		title string
		items []string
	}{{"Decided: ", s.Decisions}, {"Left open: ", s.NextSteps}} {
		if at := strings.LastIndex(text, list.title); at > 0 && len(list.items) > 0 {
			text = strings.TrimSpace(text[:at])
		}
	}
	return "", text
}

// lastAsked adds what was asked for last, if that is newer than what was
// written down: a session that has just ended is summed up in the background.
func (k *Keeper) lastAsked(ctx context.Context, e *Event, m *morning, after stoodEntry, out *standings) error {
	if e.Source == sourceCompact || !m.since.IsZero() {
		return nil
	}
	last, err := k.lastRequest(ctx, m.realm)
	if err != nil || !last.known {
		return err
	}
	written := after.active
	if after.Session == last.session.ID {
		written = after.Updated
	}
	if s, asked := &last.session, &last.chunk; s.ID != e.Session && asked.Time.After(written) && topicOf(k.mind, asked.Text).worthTelling() {
		out.items = append(out.items, item{id: s.ID, label: "last asked", text: asked.Text, when: asked.Time, source: "session", trust: memory.TrustUser})
	}
	return nil
}

// worthTelling says whether a request says by itself what it is about.
func (t topic) worthTelling() bool { return !t.vague() }

// surroundings finds out what is being worked on: the files touched in the last
// sessions here, as far as they are still there, and the directory of work.
func (k *Keeper) surroundings(ctx context.Context, e *Event, m *morning, files []string) error {
	roots, err := k.rootsOf(ctx, m.realm)
	if err != nil {
		return err
	}
	touched, err := k.lastFiles(ctx, m.realm)
	if err != nil {
		return err
	}
	m.about = map[string]bool{}
	for _, f := range slices.Concat(files, touched) {
		for _, p := range namesOf(f, roots) {
			if stillThere(f, p, e.Cwd) {
				m.about[p] = true
			}
		}
	}
	for _, p := range namesOf(e.Cwd, roots) {
		if !path.IsAbs(p) && p != "." {
			m.under = p
		}
	}
	return nil
}

// stillThere says whether a file exists, under its own name or in the directory
// of work.
func stillThere(file, name, cwd string) bool {
	for _, p := range []string{file, filepath.Join(cwd, filepath.FromSlash(name))} {
		if !filepath.IsAbs(p) {
			continue
		}
		if _, err := os.Lstat(p); err == nil {
			return true
		}
	}
	return false
}

// namesOf returns the names under which a memory may speak of a file: from the
// top of the project, whichever clone it is, and the whole.
func namesOf(file string, roots []string) []string {
	file = path.Clean(strings.ReplaceAll(file, `\`, "/"))
	out := []string{file}
	for _, r := range roots {
		if rel, ok := strings.CutPrefix(file, strings.TrimSuffix(r, "/")+"/"); ok && !slices.Contains(out, rel) {
			out = append(out, rel)
		}
	}
	return out
}

// learnedKinds are the kinds of memory that are told of what is being worked
// on, and what each counts.
var learnedKinds = map[memory.Kind]float64{
	memory.Correction: 1, memory.Failure: 1, memory.Approach: 0.9,
	memory.Wisdom: 0.8, memory.Insight: 0.8, memory.Belief: 0.8, memory.Gap: 0.6, memory.Outcome: 0.6,
}

const (
	// What being about a file at hand, or about the directory of work, counts.
	aboutFile = 2.0
	aboutDir  = 1.5
	// elsewhere is what is left of a memory about another part of the project,
	// when work is in one of its directories.
	elsewhere = 0.3
)

// learned returns what was decided and learned about what is being worked on,
// the weightiest first.
func (k *Keeper) learned(ctx context.Context, m *morning) ([]item, error) {
	kinds := slices.Sorted(maps.Keys(learnedKinds))
	records, err := k.active(ctx, store.Filter{Realm: m.realm, Kinds: kinds, Since: m.since})
	if err != nil {
		return nil, err
	}
	near, err := k.memoriesAbout(ctx, m.realm, slices.Sorted(maps.Keys(m.about)), looked)
	if err != nil {
		return nil, err
	}
	seen := map[int64]bool{}
	all := slices.DeleteFunc(append(near, records...), func(r store.Record) bool {
		again := seen[r.Seq]
		seen[r.Seq] = true
		return again
	})
	anchors, err := k.anchorsOf(ctx, all)
	if err != nil {
		return nil, err
	}
	return k.rank(ctx, m, all, mostLearned, learnedShare, func(r *store.Record) float64 { return m.bearsOn(r, anchors[r.Seq]) })
}

// bearsOn says what a memory counts by its kind and by what it is about.
func (m *morning) bearsOn(r *store.Record, anchors []store.Anchor) float64 {
	switch {
	case slices.Contains(r.Tags, distil.RuleCommand):
		return 0 // a command that works is asked for, not told
	case r.Kind == memory.Correction && r.Source == memory.Subconscious && r.Confidence.Mean < explicit:
		return 0 // the person may just have been asking
	}
	w := learnedKinds[r.Kind]
	place := 1.0
	if m.under != "" && len(anchors) > 0 {
		place = elsewhere
	}
	for _, a := range anchors {
		switch {
		case m.about[a.Path]:
			place = max(place, aboutFile)
		case m.under != "" && strings.HasPrefix(a.Path, m.under+"/"):
			place = max(place, aboutDir)
		}
	}
	return w * place
}
