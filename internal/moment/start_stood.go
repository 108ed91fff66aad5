package moment

import (
	"context"
	"encoding/json"
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
	items []item
	files []string
}

// stood says how things stood in the last session here; for a session that was
// compacted, in itself.
func (k *Keeper) stood(ctx context.Context, e *Event, m *morning) (standings, error) {
	f := store.LedgerFilter{Realm: m.realm, Limit: ledgersLooked}
	out := standings{title: "How things stood in the last session here"}
	if e.Source == sourceCompact {
		f.Session, out.title = e.Session, "How this session stood before it was compacted"
	}
	rows, err := k.store.Ledgers(ctx, f)
	if err != nil {
		return out, err
	}
	rows = slices.DeleteFunc(rows, func(l store.Ledger) bool {
		return e.Source != sourceCompact && l.Session == e.Session && e.Session != "" || m.own[l.Session] ||
			!m.since.IsZero() && !l.Updated.After(m.since)
	})
	if len(rows) == 0 {
		return out, k.lastAsked(ctx, e, m, time.Time{}, &out)
	}
	last := rows[0]
	if e.Source != sourceCompact {
		if err := k.lastAsked(ctx, e, m, last.Updated, &out); err != nil {
			return out, err
		}
	}
	state := LedgerState{}
	// what was said on purpose counts more than what was summed up, and that
	// more than what was noted on the way
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
	out.files = state.Files
	out.tell(&state, &last, m)
	return out, nil
}

// tell says a state in lines.
func (s *standings) tell(state *LedgerState, l *store.Ledger, m *morning) {
	say := func(label string, most int, texts ...string) {
		for _, t := range texts {
			if t == "" || m.known.says(t) {
				continue
			}
			m.known.add(t)
			s.items = append(s.items, item{id: l.ID, label: label, text: t, when: l.Updated, source: "ledger", trust: memory.TrustAgent, most: most})
		}
	}
	say("done", summaryMost, state.Summary)
	say("in the way", 0, state.Blockers...)
	say("next", 0, state.NextSteps...)
	say("to do", 0, state.Todos...)
	say("decided", 0, state.Decisions...)
	say("note", 0, state.Snapshot)
}

// lastAsked adds what was asked for last, if that is newer than what was
// written down: a session that has just ended is summed up in the background.
func (k *Keeper) lastAsked(ctx context.Context, e *Event, m *morning, after time.Time, out *standings) error {
	if e.Source == sourceCompact || !m.since.IsZero() {
		return nil
	}
	asked, err := k.store.LatestRequest(ctx, m.realm)
	if err != nil || asked.Seq == 0 || !asked.Time.After(after) {
		return err
	}
	in, err := k.store.SessionsBySeq(ctx, []int64{asked.Session})
	if err != nil {
		return err
	}
	if s, ok := in[asked.Session]; ok && s.ID != e.Session && topicOf(k.mind, asked.Text).worthTelling() {
		out.items = append(out.items, item{id: s.ID, label: "last asked", text: asked.Text, when: asked.Time, source: "session", trust: memory.TrustUser})
	}
	return nil
}

// worthTelling says whether a request says by itself what it is about.
func (t topic) worthTelling() bool { return !t.vague() }

// surroundings finds out what is being worked on: the files touched in the last
// sessions here, as far as they are still there, and the directory of work.
func (k *Keeper) surroundings(ctx context.Context, e *Event, m *morning, files []string) error {
	roots, err := k.mind.Roots(ctx, m.realm)
	if err != nil {
		return err
	}
	m.about = map[string]bool{}
	sessions, _, err := k.store.ListSessions(ctx, store.SessionFilter{Realm: m.realm, Limit: sessionsLooked})
	if err != nil {
		return err
	}
	for _, s := range sessions {
		touched, err := k.store.RecentFiles(ctx, s.Seq, filesLooked)
		if err != nil {
			return err
		}
		for _, f := range touched {
			files = append(files, f.Path)
		}
	}
	for _, f := range files {
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
	var kinds []memory.Kind
	for kind := range learnedKinds {
		kinds = append(kinds, kind)
	}
	records, err := k.store.List(ctx, store.Filter{
		Realm: m.realm, Reach: store.ReachGlobal, Kinds: kinds,
		States: []memory.Status{memory.Active}, Since: m.since, Limit: looked,
	})
	if err != nil {
		return nil, err
	}
	var paths []string
	for p := range m.about {
		paths = append(paths, p)
	}
	slices.Sort(paths)
	near, err := k.store.MemoriesAbout(ctx, m.realm, paths, looked)
	if err != nil {
		return nil, err
	}
	seen := map[int64]bool{}
	var seqs []int64
	all := slices.DeleteFunc(append(near, records...), func(r store.Record) bool {
		again := seen[r.Seq]
		seen[r.Seq] = true
		return again
	})
	for i := range all {
		seqs = append(seqs, all[i].Seq)
	}
	anchors, err := k.store.AnchorsOf(ctx, seqs)
	if err != nil {
		return nil, err
	}
	return m.rank(all, func(r *store.Record) float64 { return m.bearsOn(r, anchors[r.Seq]) }), nil
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
