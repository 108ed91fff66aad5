package recall

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"

	"chitta/internal/memory"
	"chitta/internal/store"
)

// Query is one question put to memory.
type Query struct {
	Text         string
	Realm        string      // the realm asked from; "" looks at every realm's global items
	Reach        store.Reach // what of other realms may answer
	Kinds        []memory.Kind
	Tags         []string // all of them
	States       []memory.Status
	Since, Until time.Time
	Limit        int // most results
	Budget       int // most tokens of text, 0 = no limit
	Now          time.Time
	Cwd          string    // directory of work: which clone of a project counts
	AsOf         time.Time // answer as memory was then; zero is now
	At           time.Time // when the question is asked, for "yesterday"; Now if zero
	Targets      []string  // names of the targets asked; empty asks all
	NoFacts      bool      // facts of this realm are not for who asks
	NoCode       bool      // symbols of source code are not wanted unless asked for alone
	Everywhere   bool      // conversations of every realm may answer; somebody asked for that
	Explain      bool      // say which words matched, and what lies outside the query's conditions
	Outside      bool      // with Explain: count what other realms would have answered
	// Past has, by row, the texts as they were at AsOf of memories that were
	// edited since: indexes know only what they say now.
	Past   map[int64]string
	Recipe *Recipe // how conversations are ranked; nil is the default

	vectors   vectorMemo
	resonance resonanceMemo
	asides    asides
}

// until returns the end of the time that may answer.
func (q *Query) until() time.Time {
	if !q.AsOf.IsZero() && (q.Until.IsZero() || q.AsOf.Before(q.Until)) {
		return q.AsOf.Add(time.Millisecond)
	}
	return q.Until
}

// at returns when the question is asked.
func (q *Query) at() time.Time {
	if q.At.IsZero() {
		return q.Now
	}
	return q.At
}

// Why a memory does not fit a query's conditions.
const (
	heldRealm = "of another realm"
	heldState = "in another state"
	heldKind  = "of another kind"
	heldTags  = "without the tags asked for"
	heldTime  = "from another time"
	heldGone  = "gone since it was indexed"
)

// refuses returns why a memory does not fit the query's conditions, "" if it
// does.
func (q *Query) refuses(r *store.Record) string {
	switch {
	case r.ID == "" || !r.Erased.IsZero():
		return heldGone
	case !q.reaches(r):
		return heldRealm
	case len(q.States) > 0 && !slices.Contains(q.States, r.State):
		return heldState
	case len(q.Kinds) > 0 && !slices.Contains(q.Kinds, r.Kind):
		return heldKind
	case slices.ContainsFunc(q.Tags, func(t string) bool { return !slices.Contains(r.Tags, t) }):
		return heldTags
	case !q.Since.IsZero() && r.Created.Before(q.Since) || !q.until().IsZero() && !r.Created.Before(q.until()):
		return heldTime
	}
	return ""
}

// reaches reports whether a memory can be seen from the realm asked from.
func (q *Query) reaches(r *store.Record) bool {
	if q.Realm == "" || r.Realm == q.Realm {
		return true
	}
	switch q.Reach {
	case store.ReachOnly:
		return false
	case store.ReachShared:
		return r.Visibility != memory.Private
	default:
		return r.Visibility == memory.Global
	}
}

// Evidence is why a candidate is in the answer: who says so and how strongly.
type Evidence struct {
	Source   string  `json:"source"`           // vector, keyword, tag, confidence, trust, …
	Score    float64 `json:"score"`            // the source's own measure
	Weighted float64 `json:"weighted"`         // what it contributed to the final score, or its points if raw
	Raw      bool    `json:"raw,omitempty"`    // it takes part in the fusion or relevance behind it, whose score is the sum of points
	Detail   string  `json:"detail,omitempty"` // e.g. the words that matched
}

// Candidate is something on its way into the answer: a memory or a passage of
// a conversation.
type Candidate struct {
	Memory    *store.Record
	Passage   *Passage
	Fact      *store.Triple
	Symbol    *Symbol
	ID        string
	Text      string
	Created   time.Time
	Score     float64
	Evidence  []Evidence
	Shortened bool // its text was cut to fit the budget
	Fresh     Freshness
}

// Passage is a piece of a conversation.
type Passage struct {
	Chunk   store.Chunk
	Session store.Session
	Message string // id of the message it begins with
	Nth     int    // which of the passages that begin with it, from 1
}

// ID is what the passage is called by: the message it begins with, and if
// others begin with it before this one, which it is, such as ID#2.
func (p *Passage) ID() string {
	if p.Nth < 2 || p.Message == "" {
		return p.Message
	}
	return p.Message + "#" + strconv.Itoa(p.Nth)
}

// Suppressed is a candidate that was found and left out, and why.
type Suppressed struct {
	ID      string `json:"id"`
	Session string `json:"session,omitempty"` // of a passage
	Why     string `json:"why"`
}

// Held counts what was found and held back for one reason.
type Held struct {
	Why   string `json:"why"`
	Count int    `json:"count"`
}

// Bar is a measure below which something is not proposed at all.
type Bar struct {
	Stage   string  `json:"stage"`
	Measure string  `json:"measure"`
	Least   float64 `json:"least"`
	Unless  string  `json:"unless,omitempty"` // what is proposed all the same
}

// Found is what a finder proposes.
type Found struct {
	Seq    int64
	Score  float64 // higher is better; the scale is the finder's own
	Detail string
}

// Finder proposes candidates on its own. Finders run side by side.
type Finder interface {
	Name() string
	Find(ctx context.Context, q *Query) ([]Found, error)
}

// Refiner looks at all candidates together: it may add evidence, change
// scores and drop candidates.
type Refiner interface {
	Name() string
	Refine(ctx context.Context, q *Query, a *Answer) error
}

// StageTime is how long a stage took.
type StageTime struct {
	Stage string  `json:"stage"`
	Ms    float64 `json:"ms"`
}

// Answer is what a pipeline made of a query.
type Answer struct {
	Candidates []Candidate // best first
	Found      int         // distinct candidates before anything was left out
	Tokens     int         // estimated, of the candidates' text
	Suppressed []Suppressed
	Held       []Held // how many were held back, and why
	Bars       []Bar  // below which nothing was proposed
	Stages     []StageTime
	Degraded   []string // stages that could not take part, and why
	Off        []string // stages that are not in use, and why
	Ranking    *Ranking // of conversations, if they were asked
}

// ErrOff marks the error of a finder that is not in use by choice or by
// build, rather than failing.
var ErrOff = errors.New("not in use")

// Target is one kind of thing that can be recalled. It finds its own
// candidates and gives each a relevance between 0 and 1, because what makes a
// memory relevant is not what makes a turn of a conversation so.
type Target interface {
	Name() string
	Recall(ctx context.Context, q *Query) (*Answer, error)
}

// Pipeline asks all targets side by side and settles one answer.
type Pipeline struct {
	Targets  []Target
	Refiners []Refiner
}

// Run answers a query.
func (p *Pipeline) Run(ctx context.Context, q *Query) (*Answer, error) {
	answers := make([]*Answer, len(p.Targets))
	group, inner := errgroup.WithContext(ctx)
	for i, t := range p.Targets {
		if len(q.Targets) > 0 && !slices.Contains(q.Targets, t.Name()) {
			continue
		}
		group.Go(func() (err error) {
			if answers[i], err = t.Recall(inner, q); err != nil {
				err = fmt.Errorf("%s: %w", t.Name(), err)
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, errors.Join(ctx.Err(), err)
	}
	all := &Answer{}
	for _, a := range answers {
		if a != nil {
			all.take(a)
		}
	}
	slices.SortFunc(all.Candidates, byScore)
	for _, r := range p.Refiners {
		start := time.Now()
		if err := r.Refine(ctx, q, all); err != nil {
			return nil, fmt.Errorf("%s: %w", r.Name(), err)
		}
		all.Stages = append(all.Stages, stageTime(r.Name(), start))
	}
	return all, nil
}

// take adds another target's answer; what both say is said once.
func (a *Answer) take(b *Answer) {
	a.Candidates = append(a.Candidates, b.Candidates...)
	a.Found += b.Found
	a.Suppressed = append(a.Suppressed, b.Suppressed...)
	for _, h := range b.Held {
		a.hold(h.Why, h.Count)
	}
	a.Bars = append(a.Bars, b.Bars...)
	a.Stages = append(a.Stages, b.Stages...)
	if b.Ranking != nil {
		a.Ranking = b.Ranking
	}
	for _, d := range b.Degraded {
		if !slices.Contains(a.Degraded, d) {
			a.Degraded = append(a.Degraded, d)
		}
	}
	for _, o := range b.Off {
		if !slices.Contains(a.Off, o) {
			a.Off = append(a.Off, o)
		}
	}
}

// hold counts what was held back.
func (a *Answer) hold(why string, n int) {
	if n <= 0 {
		return
	}
	for i := range a.Held {
		if a.Held[i].Why == why {
			a.Held[i].Count += n
			return
		}
	}
	a.Held = append(a.Held, Held{why, n})
}

// blame notes why a finder did not take part.
func (a *Answer) blame(finder string, err error) {
	if errors.Is(err, ErrOff) {
		a.Off = append(a.Off, fmt.Sprintf("%s: %v", finder, err))
	} else {
		a.Degraded = append(a.Degraded, fmt.Sprintf("%s: %v", finder, err))
	}
}

func stageTime(name string, start time.Time) StageTime {
	return StageTime{Stage: name, Ms: float64(time.Since(start).Microseconds()) / 1000}
}

// byScore orders candidates best first; equals by age, newest first, then by
// id, so that the same question always gets the same answer.
func byScore(a, b Candidate) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), b.Created.Compare(a.Created), cmp.Compare(a.ID, b.ID))
}
