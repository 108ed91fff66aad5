package recall

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"chitta/internal/keyword"
	"chitta/internal/memory"
	"chitta/internal/store"
)

// Sources of evidence.
const (
	SourceKeyword    = "keyword"
	SourceTag        = "tag"
	SourceConfidence = "confidence"
	SourceTrust      = "trust"
	SourceRecent     = "recent"
)

// candidatesPerFinder is how many a finder proposes: enough that confidence
// and trust can reorder them, few enough to load in a blink.
const candidatesPerFinder = 100

// Labels returns the labels under which a memory is filed in indexes, so that
// filters apply inside the search.
func Labels(m *memory.Memory) []string {
	labels := []string{
		"realm=" + m.Realm, "kind=" + m.Kind.String(), "state=" + string(m.State),
		"visibility=" + string(m.Visibility), "source=" + string(m.Source),
	}
	for _, t := range m.Tags {
		labels = append(labels, "tag="+t)
	}
	return labels
}

// indexFilter says a query's conditions in the labels of [Labels].
func indexFilter(q *Query) keyword.Filter {
	f := keyword.Filter{}
	if q.Realm != "" {
		reach := []string{"realm=" + q.Realm}
		if q.Reach != store.ReachOnly {
			reach = append(reach, "visibility="+string(memory.Global))
		}
		if q.Reach == store.ReachShared {
			reach = append(reach, "visibility="+string(memory.Shared))
		}
		f.All = append(f.All, reach)
	}
	if !q.Since.IsZero() {
		f.After = q.Since.UnixMilli()
	}
	if !q.until().IsZero() {
		f.Before = q.until().UnixMilli()
	}
	if !q.AsOf.IsZero() {
		return f // the labels below say how things are now; as they were is looked at later
	}
	var kinds, states []string
	for _, k := range q.Kinds {
		kinds = append(kinds, "kind="+k.String())
	}
	for _, s := range q.States {
		states = append(states, "state="+string(s))
	}
	for _, group := range [][]string{kinds, states} {
		if len(group) > 0 {
			f.All = append(f.All, group)
		}
	}
	for _, t := range q.Tags {
		f.All = append(f.All, []string{"tag=" + t})
	}
	return f
}

// Keyword proposes what shares words with the query, by BM25.
type Keyword struct {
	// Index returns the index, or why there is none at the moment.
	Index func() (*keyword.Index, error)
}

// Name returns the stage's name, which is also its evidence's source.
func (Keyword) Name() string { return SourceKeyword }

// Find searches the keyword index.
func (k Keyword) Find(ctx context.Context, q *Query) ([]Found, error) {
	index, err := k.Index()
	if err != nil {
		return nil, err
	}
	hits, err := index.Search(ctx, keyword.Query{Text: q.Text, K: max(candidatesPerFinder, 2*q.Limit), Filter: indexFilter(q), Explain: true})
	if err != nil {
		return nil, err
	}
	found := make([]Found, len(hits))
	for i, h := range hits {
		found[i] = Found{Seq: int64(h.ID), Score: h.Score, Detail: strings.Join(h.Terms, " ")}
	}
	return q.withPast(found, q.PastByWords()), nil
}

// Recent proposes pinned and recent memories, for when nothing can search.
type Recent struct{ Store *store.Store }

// Name returns the stage's name.
func (Recent) Name() string { return SourceRecent }

// Find lists the newest memories the query's filters allow, pinned ones
// first.
func (r Recent) Find(ctx context.Context, q *Query) ([]Found, error) {
	f := store.Filter{
		Realm: q.Realm, Reach: q.Reach, Kinds: q.Kinds, Tags: q.Tags, States: q.States,
		Since: q.Since, Until: q.Until, Limit: max(q.Limit, 1),
	}
	recent, err := r.Store.List(ctx, f)
	if err != nil {
		return nil, err
	}
	f.Pinned = true
	pinned, err := r.Store.List(ctx, f)
	if err != nil {
		return nil, err
	}
	var found []Found
	seen := map[int64]bool{}
	for _, rec := range append(pinned, recent...) {
		if !seen[rec.Seq] {
			seen[rec.Seq] = true
			// only the order matters: each a little less than the one before
			found = append(found, Found{Seq: rec.Seq, Score: 1 / float64(2+len(found))})
		}
	}
	return found, nil
}

// Weigh lifts or lowers relevance by confidence and trust, and adds a little
// for each tag that is named.
type Weigh struct{}

// Name returns the stage's name.
func (Weigh) Name() string { return "weigh" }

const (
	// keywordHalf is the BM25 score that counts as half relevant. It maps the
	// open scale onto 0–1 without depending on what else was found.
	keywordHalf = 6.0
	// tagBoost is added for each tag of the memory that the query names.
	tagBoost = 0.05
)

// Refine scores all candidates and puts them in order.
func (Weigh) Refine(_ context.Context, q *Query, a *Answer) error {
	words := queryWords(q.Text)
	for i := range a.Candidates {
		c := &a.Candidates[i]
		now := c.Memory.ConfidenceAt(q.Now).Mean
		trust := c.Memory.Trust
		byConfidence := c.Score * (0.5 + 0.5*now)
		byTrust := byConfidence * trust.Weight()
		c.Evidence = append(c.Evidence,
			Evidence{Source: SourceConfidence, Score: now, Weighted: byConfidence - c.Score},
			Evidence{Source: SourceTrust, Score: trust.Weight(), Weighted: byTrust - byConfidence, Detail: string(trust)})
		c.Score = byTrust
		for _, t := range c.Memory.Tags {
			if words[strings.ToLower(t)] {
				c.Score += tagBoost
				c.Evidence = append(c.Evidence, Evidence{Source: SourceTag, Score: 1, Weighted: tagBoost, Detail: t})
			}
		}
	}
	slices.SortFunc(a.Candidates, byScore)
	return nil
}

func queryWords(text string) map[string]bool {
	words := map[string]bool{}
	for _, w := range strings.Fields(strings.ToLower(text)) {
		words[strings.Trim(w, ".,;:!?\"'`()[]{}#")] = true
	}
	return words
}

// Settle keeps corrections above what they correct and fits the answer to its
// limit and its token budget.
type Settle struct{}

// Name returns the stage's name.
func (Settle) Name() string { return "settle" }

// Refine drops what the answer has no room for.
func (Settle) Refine(_ context.Context, q *Query, a *Answer) error {
	sinkCorrected(a.Candidates)
	kept := a.Candidates[:0]
	said := map[string]bool{}
	for _, c := range a.Candidates {
		if said[c.Text] {
			a.suppress(&c, "says the same as a result above")
			a.hold("say the same as another", 1)
			continue
		}
		if q.Limit > 0 && len(kept) >= q.Limit {
			a.suppress(&c, beyondLimit(q))
			a.hold(beyondLimit(q), 1)
			continue
		}
		tokens := EstimateTokens(c.Text)
		if q.Budget > 0 && len(kept) == 0 && tokens > q.Budget {
			// the best answer is worth more cut short than not at all
			c.Text, c.Shortened = shorten(c.Text, q.Budget), true
			tokens = EstimateTokens(c.Text)
		}
		if q.Budget > 0 && a.Tokens+tokens > q.Budget {
			a.suppress(&c, fmt.Sprintf("%d tokens do not fit the budget of %d", tokens, q.Budget))
			a.hold(fmt.Sprintf("do not fit the budget of %d tokens", q.Budget), 1)
			continue
		}
		a.Tokens += tokens
		said[c.Text] = true
		kept = append(kept, c)
	}
	a.Candidates = kept
	return nil
}

func beyondLimit(q *Query) string { return fmt.Sprintf("beyond the limit of %d", q.Limit) }

// maxSuppressed bounds how much an answer tells of what it left out.
const maxSuppressed = 20

func (a *Answer) suppress(c *Candidate, why string) {
	if len(a.Suppressed) >= maxSuppressed {
		return
	}
	s := Suppressed{ID: c.ID, Why: why}
	if c.Passage != nil {
		s.Session = c.Passage.Session.ID
	}
	a.Suppressed = append(a.Suppressed, s)
}

// sinkCorrected moves every memory that was corrected or rejected behind all
// that still stand, keeping the order otherwise: whatever its score, a
// mistake never outranks its correction.
func sinkCorrected(cs []Candidate) {
	slices.SortStableFunc(cs, func(a, b Candidate) int {
		return standing(a) - standing(b)
	})
}

func standing(c Candidate) int {
	if c.Memory == nil || c.Memory.State == memory.Active {
		return 0
	}
	return 1
}

// charsPerToken is the usual average for English and code; the figure is an
// estimate and labelled so wherever it is shown.
const charsPerToken = 4

// shorten cuts a text to a number of tokens.
func shorten(text string, tokens int) string {
	runes := []rune(text)
	return string(runes[:min(len(runes), max(0, charsPerToken*tokens-1))]) + "…"
}

// EstimateTokens returns about how many tokens a text costs a model.
func EstimateTokens(text string) int {
	return (utf8.RuneCountInString(text) + charsPerToken - 1) / charsPerToken
}
