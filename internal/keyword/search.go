package keyword

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
)

const (
	defaultK = 10

	// maxScoredTerms of a query are scored, the ones with the highest weight
	// and idf. Long queries are pasted errors and logs; their common words
	// cost time and decide nothing.
	maxScoredTerms = 64
)

// negInf is below every score.
const negInf = -math.MaxFloat64

// Query asks for the best documents.
type Query struct {
	Text       string      // analysed, unless Terms is given
	Terms      []QueryTerm // instead of Text
	Must       []string    // of the terms: only documents that have all of these, in any field that counts
	K          int         // results wanted; default 10
	Filter     Filter
	Fields     []Field // other weights, k1 or b, by name
	RoleIDF    bool    // count documents for idf within the role only
	Explain    bool    // fill Hit.Terms
	Exhaustive bool    // score every match; for tests and comparisons
}

// Hit is a document found.
type Hit struct {
	ID    uint64
	Score float64
	Terms []string // what matched, as it stands in the query; see Query.Explain
}

// Search returns the k best documents, highest score first and lower ids first
// among equals. It sees the index as of one moment.
func (x *Index) Search(ctx context.Context, q Query) ([]Hit, error) {
	hits, _, err := x.search(ctx, q)
	return hits, err
}

func (x *Index) search(ctx context.Context, q Query) (hits []Hit, counts scanCounts, err error) {
	s := &searching{query: q, counts: &counts, scan: x.newScan()}
	if s.fields, err = override(x.opts.Fields, q.Fields); err != nil {
		return nil, counts, fmt.Errorf("searching keyword index: %w", err)
	}
	if s.terms, err = x.queryTerms(q); err != nil {
		return nil, counts, fmt.Errorf("searching keyword index: %w", err)
	}
	views, err := x.snapshot(s)
	if err != nil {
		return nil, counts, err
	}
	defer func() {
		for _, v := range views {
			v.release()
		}
	}()
	err = x.guard(func() error {
		hits, err = s.run(ctx)
		return err
	})
	if err != nil {
		return nil, counts, fmt.Errorf("searching keyword index: %w", err)
	}
	x.scans.Put(s.scan) // after an error it may hold what must not be used again
	return hits, counts, nil
}

// newScan returns a scan, if possible one whose memory a search before used.
func (x *Index) newScan() *scan {
	if s, ok := x.scans.Get().(*scan); ok {
		return s
	}
	return &scan{}
}

func (x *Index) queryTerms(q Query) ([]QueryTerm, error) {
	if q.Terms == nil {
		return x.analyzer.QueryTerms(q.Text), nil
	}
	terms := slices.Clone(q.Terms)
	for i, t := range terms {
		if !(t.Weight >= 0) || math.IsInf(t.Weight, 0) {
			return nil, fmt.Errorf("term %q has the weight %v", t.Term, t.Weight)
		}
		terms[i].Weight = cmp.Or(t.Weight, 1)
		terms[i].Surface = cmp.Or(t.Surface, t.Term)
	}
	return terms, nil
}

// snapshot takes hold of everything the search will look at.
func (x *Index) snapshot(s *searching) ([]*view, error) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	if x.closed {
		return nil, ErrClosed
	}
	labels := s.query.Filter.labels()
	for _, p := range x.live.parts {
		if p.published > 0 {
			s.leaves = append(s.leaves, p.view(s.terms, labels))
		}
	}
	for _, v := range x.views {
		v.acquire()
		for i, l := range v.leaves {
			s.leaves = append(s.leaves, &searchLeaf{role: l.role, stats: l.stats, segment: l, gone: v.dead[i]})
		}
	}
	return x.views, nil
}

// searching is one search under way.
type searching struct {
	query  Query
	fields []Field
	terms  []QueryTerm
	leaves []*searchLeaf
	counts *scanCounts
	scan   *scan

	roles   map[string]*roleScoring
	overall []fieldStats
	df      []uint64 // by list, over all roles
	top     topK
}

// roleScoring is what scores of a role depend on besides the document.
type roleScoring struct {
	stats []fieldStats
	df    []uint64      // by list; only kept for Query.RoleIDF
	norms []*saturation // by field
}

func (s *searching) run(ctx context.Context) ([]Hit, error) {
	for _, l := range s.leaves {
		if l.segment != nil {
			if err := l.find(s.terms); err != nil {
				return nil, err
			}
		}
	}
	s.statistics()
	s.limitTerms()
	s.top.k = s.query.K
	if s.top.k <= 0 {
		s.top.k = defaultK
	}
	sc := s.scan
	sc.top, sc.counts, sc.exhaustive = &s.top, s.counts, s.query.Exhaustive
	s.top.heap = sc.heap[:0]
	for len(sc.cursors) < len(s.df) {
		sc.cursors = append(sc.cursors, new(cursor))
	}
	accepted, err := s.accepted()
	if err != nil {
		return nil, err
	}
	if sc.floor, err = s.floor(ctx, sc, accepted); err != nil {
		return nil, err
	}
	for i, l := range s.leaves {
		if l.live != nil {
			s.scanLive(int32(i), l, accepted[i])
			continue
		}
		if s.prepare(sc, int32(i), l, accepted[i], nil) {
			if err := sc.run(ctx); err != nil {
				return nil, err
			}
		}
	}
	sc.heap = s.top.heap
	return s.hits(), nil
}

// accepted returns the documents that may be found, by leaf, nil for all.
func (s *searching) accepted() ([]bitset, error) {
	out := make([]bitset, len(s.leaves))
	for i, l := range s.leaves {
		accept, err := s.query.Filter.accept(l)
		if err == nil {
			out[i], err = s.narrow(l, accept)
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// statistics adds the leaves up.
func (s *searching) statistics() {
	lists := len(s.terms) * len(s.fields)
	s.overall, s.df = make([]fieldStats, len(s.fields)), make([]uint64, lists)
	s.roles = make(map[string]*roleScoring)
	for _, l := range s.leaves {
		r := s.roles[l.role]
		if r == nil {
			r = &roleScoring{stats: make([]fieldStats, len(s.fields)), df: make([]uint64, lists)}
			s.roles[l.role] = r
		}
		for f, st := range l.stats {
			r.stats[f].docs += st.docs
			r.stats[f].total += st.total
			s.overall[f].docs += st.docs
		}
		for i := range lists {
			df := l.df(i)
			r.df[i] += df
			s.df[i] += df
			s.counts.postings += df
		}
	}
	for _, r := range s.roles {
		for f := range s.fields {
			r.norms = append(r.norms, newSaturation(s.fields[f], r.stats[f]))
		}
	}
}

// limitTerms drops the least telling terms of a very long query.
func (s *searching) limitTerms() {
	if len(s.terms) <= maxScoredTerms {
		return
	}
	worth := make([]float64, len(s.terms))
	order := make([]int, len(s.terms))
	for t := range s.terms {
		order[t] = t
		for f := range s.fields {
			if df := s.df[t*len(s.fields)+f]; df > 0 {
				worth[t] = max(worth[t], s.terms[t].Weight*idf(s.overall[f].docs, df))
			}
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(worth[b], worth[a]) })
	for _, t := range order[maxScoredTerms:] {
		s.terms[t].Weight = 0
	}
}

// scoring returns how a list is scored in a leaf, or false if it adds nothing.
func (s *searching) scoring(l *searchLeaf, list int) (scoring, bool) {
	t, f := list/len(s.fields), list%len(s.fields)
	weight := s.terms[t].Weight * s.fields[f].Weight
	if weight == 0 || l.df(list) == 0 {
		return scoring{}, false
	}
	r := s.roles[l.role]
	n, df := s.overall[f].docs, s.df[list]
	if s.query.RoleIDF {
		n, df = r.stats[f].docs, r.df[list]
	}
	return scoring{factor: weight * idf(n, max(df, 1)) * (s.fields[f].K1 + 1), saturation: r.norms[f]}, true
}

// prepare sets the cursors of a segment's leaf up, those of the lists wanted or
// all.
func (s *searching) prepare(sc *scan, at int32, l *searchLeaf, accept bitset, wanted []bool) bool {
	sc.slots, sc.accept, sc.leaf, sc.idAt = sc.slots[:0], accept, at, l.id
	for i, list := range l.lists {
		if wanted != nil && !wanted[i] {
			continue
		}
		c := sc.cursors[i]
		if how, ok := s.scoring(l, i); ok {
			c.reset(list, how, l.segment.lengths[i%len(s.fields)], i)
			sc.slots = append(sc.slots, c)
		}
	}
	return len(sc.slots) > 0
}

// scanLive scores all of a live leaf, list by list: it is small, and the sum
// runs in the same order as everywhere.
func (s *searching) scanLive(at int32, l *searchLeaf, accept bitset) {
	var scores []float64
	for i, list := range l.live.lists {
		how, ok := s.scoring(l, i)
		if !ok {
			continue
		}
		if scores == nil {
			scores = make([]float64, l.count())
			for d := range scores {
				scores[d] = negInf
			}
		}
		codes := l.live.lengths[i%len(s.fields)]
		for _, p := range list {
			d := p.doc()
			score := how.score(uint32(p.tf()), codes[d])
			if scores[d] != negInf {
				score += scores[d]
			}
			scores[d] = score
		}
	}
	for d, score := range scores {
		if score != negInf && (accept == nil || accept.has(uint32(d))) {
			s.counts.touched++
			s.counts.scored++
			s.top.push(candidate{score: score, id: l.live.ids[d], leaf: at, ord: uint32(d)})
		}
	}
}

func (s *searching) hits() []Hit {
	found := s.top.sorted()
	hits := make([]Hit, len(found))
	for i, c := range found {
		hits[i] = Hit{ID: c.id, Score: c.score}
		if s.query.Explain {
			hits[i].Terms = s.matched(c)
		}
	}
	return hits
}

// matched lists what a hit matched, in the order of the query.
func (s *searching) matched(c candidate) []string {
	l := s.leaves[c.leaf]
	var out []string
	var cur cursor
	for i := range len(s.df) {
		how, ok := s.scoring(l, i)
		if !ok {
			continue
		}
		var found bool
		if l.live != nil {
			_, found = slices.BinarySearchFunc(l.live.lists[i], c.ord, func(p posting, ord uint32) int { return cmp.Compare(p.doc(), ord) })
		} else {
			cur.reset(l.lists[i], how, l.segment.lengths[i%len(s.fields)], i)
			cur.seek(c.ord)
			found = cur.doc == c.ord
		}
		if surface := s.terms[i/len(s.fields)].Surface; found && !slices.Contains(out, surface) {
			out = append(out, surface)
		}
	}
	return out
}
