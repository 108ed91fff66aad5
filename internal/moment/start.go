package moment

import (
	"cmp"
	"context"
	"slices"
	"time"

	"chitta/internal/memory"
	"chitta/internal/mind"
	"chitta/internal/store"
)

// How a session starts, in the client's words.
const (
	sourceResume  = "resume"
	sourceFork    = "fork"
	sourceCompact = "compact"
)

const (
	// Shares of what a session is told, in characters. They add up to less than
	// [sunriseMost].
	ledgerShare     = 2000
	intentionShare  = 900
	preferenceShare = 1200
	learnedShare    = 1600
	// How many of each are told at most.
	mostIntentions  = 5
	mostPreferences = 8
	mostLearned     = 8
	// summaryMost is how much is told of what was done last.
	summaryMost = 700
	// looked is how many memories of a sort are ranked.
	looked = 60
	// minConfidence is what a memory's confidence must be worth today.
	minConfidence = 0.3
)

// start tells a session what a colleague would say in half a minute: how things
// stood, what is left to do, how the user wants things done, what was decided
// and learned about what is being worked on. With nothing worth saying it is
// silent.
func (k *Keeper) start(ctx context.Context, c mind.Caller, e *Event) (Answer, error) {
	k.refreshClaudeMD(ctx, e.Cwd)
	k.checkpointCompacted(ctx, e)
	anew := e.Source != sourceResume && e.Source != sourceFork
	text, ids, why, err := k.sunrise(ctx, c, e, anew)
	if err != nil && ctx.Err() != nil {
		err, why = nil, TooLate
	}
	if err != nil {
		return Answer{}, err
	}
	k.give(e.Session, ids, anew)
	if text == "" {
		return Answer{Outcome: why}, nil
	}
	return Answer{Context: text, Items: ids, Outcome: Injected}, nil
}

// morning is what a session is told at its start, while it is put together.
type morning struct {
	realm string
	now   time.Time
	since time.Time       // only what is newer is told; zero is all
	own   map[string]bool // conversations the agent has before it
	known *known          // what the client tells it anyway
	about map[string]bool // files being worked on, from the project's root
	under string          // directory of work from the project's root, "" is all of it
	cwd   string          // directory of work
}

func (k *Keeper) sunrise(ctx context.Context, c mind.Caller, e *Event, anew bool) (text string, ids []string, why string, err error) {
	m := &morning{realm: e.realm, now: k.mind.Now(), own: map[string]bool{}, known: k.reads.known.of(e), cwd: e.Cwd}
	if !anew {
		since, err := k.lastKnown(ctx, e, m)
		if err != nil || since.IsZero() {
			return "", nil, NothingNew, err
		}
		m.since = since
	}
	stood, err := k.stood(ctx, e, m)
	if err != nil {
		return "", nil, "", err
	}
	if err := k.surroundings(ctx, e, m, stood.files); err != nil {
		return "", nil, "", err
	}
	// what is to be heeded first: a summary that names it in passing must not
	// take its place
	intentions, err := k.standing(ctx, m, memory.Intention, mostIntentions, intentionShare)
	if err != nil {
		return "", nil, "", err
	}
	wishes, err := k.standing(ctx, m, memory.Preference, mostPreferences, preferenceShare)
	if err != nil {
		return "", nil, "", err
	}
	learned, err := k.learned(ctx, m)
	if err != nil {
		return "", nil, "", err
	}
	text, ids = fence([]section{
		{stood.title, stood.tell(m), ledgerShare},
		{"Left to do", intentions, intentionShare},
		{"How the user wants things done", wishes, preferenceShare},
		{"Decided and learned here", learned, learnedShare},
	}, sunriseMost)
	if !anew {
		return text, ids, NothingNew, nil
	}
	return text, ids, Unknown, nil
}

// lastKnown says up to when an agent that goes on knows what happened; zero if
// that cannot be said, and then it is taken to know all. A fork goes on from the
// session that was heard of last.
func (k *Keeper) lastKnown(ctx context.Context, e *Event, m *morning) (time.Time, error) {
	kin, err := k.kin(ctx, e.Session)
	if err != nil {
		return time.Time{}, err
	}
	m.own[e.Session] = true
	var last time.Time
	for i, s := range kin {
		m.own[s.ID] = true
		if i == 0 {
			last = s.Active()
		}
	}
	calls, err := k.store.HookCalls(ctx, store.HookCallFilter{Session: e.Session, Limit: 1})
	if err != nil {
		return time.Time{}, err
	}
	if len(calls) > 0 && calls[0].At.After(last) {
		last = calls[0].At
	}
	if e.Source != sourceFork || !last.IsZero() {
		return last, nil
	}
	visits, err := k.store.VisitsIn(ctx, m.realm, 2)
	for _, v := range visits {
		if v.Session != e.Session {
			m.own[v.Session] = true
			return v.Seen, err
		}
	}
	return time.Time{}, err
}

// standing returns memories of a kind that hold until further notice, the
// weightiest first.
func (k *Keeper) standing(ctx context.Context, m *morning, kind memory.Kind, most, share int) ([]item, error) {
	records, err := k.active(ctx, store.Filter{Realm: m.realm, Kinds: []memory.Kind{kind}, Since: m.since})
	if err != nil {
		return nil, err
	}
	items, err := k.rank(ctx, m, records, most, share, func(*store.Record) float64 { return 1 })
	for i := range items {
		items[i].label = "" // the title says it
	}
	return items, err
}

// rank orders memories by what they are worth now and says the first of them
// that fit into a share, without those the agent has anyway. The others are not
// looked at: what they say stays unsaid, and keeps nothing else from being told.
func (k *Keeper) rank(ctx context.Context, m *morning, records []store.Record, most, share int, weight func(*store.Record) float64) ([]item, error) {
	stale, err := k.staleness(ctx, use{dir: m.cwd}, records)
	if err != nil {
		return nil, err
	}
	worth := make(map[int64]float64, len(records))
	ranked := make([]*store.Record, 0, len(records))
	for i := range records {
		r := &records[i]
		w := weight(r)
		if believed(r, m.now) < minConfidence || w <= 0 || m.own[r.Provenance.Session] || !m.since.IsZero() && !r.Created.After(m.since) {
			continue
		}
		worth[r.Seq] = w * worthOf(r, m.now) * stale.share(r)
		if r.Pinned {
			worth[r.Seq] += 1
		}
		ranked = append(ranked, r)
	}
	slices.SortStableFunc(ranked, func(a, b *store.Record) int {
		return cmp.Or(cmp.Compare(worth[b.Seq], worth[a.Seq]), b.Created.Compare(a.Created), cmp.Compare(a.Seq, b.Seq))
	})
	var out []item
	room := roomFor(share)
	for _, r := range ranked {
		if len(out) == most {
			break
		}
		x, left := stale.told(r), room
		if left.take(&x) && !m.known.says(x.text) && (x.text == r.Content || !m.known.says(r.Content)) {
			room = left
			out = append(out, x)
			m.known.add(x.printed()) // nothing twice, and only what is read counts
		}
	}
	return out, nil
}

// freshness is what something is worth by its age: half after a month, and
// never nothing, because what is old and still stands has proved itself.
func freshness(age time.Duration) float64 {
	const month = 30 * 24 * time.Hour
	return 0.25 + 0.75/(1+max(0, float64(age)/float64(month)))
}

func toldMemory(r *store.Record) item {
	return item{id: r.ID, label: labelOf(r.Kind.String()), text: unlabelled(r.Content), when: r.Created, source: sourceOf(r.Trust), trust: r.Trust}
}

// subagent tells a subagent how the user wants things done, if the user said
// so: it starts with nothing, and what it is to do is not known yet.
func (k *Keeper) subagent(ctx context.Context, _ mind.Caller, e *Event) (Answer, error) {
	m := &morning{realm: e.realm, now: k.mind.Now(), own: map[string]bool{}, known: k.reads.known.of(e), cwd: e.Cwd}
	records, err := k.active(ctx, store.Filter{Realm: m.realm, Kinds: []memory.Kind{memory.Preference}})
	if err != nil {
		return Answer{}, err
	}
	wishes, err := k.rank(ctx, m, records, mostForSubagent, subagentMost-fenceCost, func(r *store.Record) float64 {
		if r.Trust != memory.TrustUser || believed(r, m.now) < decisive {
			return 0
		}
		return 1
	})
	if err != nil {
		return Answer{}, err
	}
	text, _ := fence([]section{{title: "How the user wants things done", items: wishes}}, subagentMost)
	if text == "" {
		return Answer{Outcome: Unknown}, nil
	}
	// no items: what a subagent was handed, its session's agent has not seen
	return Answer{Context: text, Outcome: Injected}, nil
}

const (
	// mostForSubagent and subagentMost bound what a subagent is told.
	mostForSubagent = 3
	subagentMost    = 1200
	// decisive is the confidence from which something is told at the moment it
	// matters, without having been asked for.
	decisive = 0.5
)
