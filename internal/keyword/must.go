package keyword

import (
	"context"
	"fmt"
	"slices"
)

// narrow keeps those documents of a leaf that have every term the query must
// have, in any field that counts. accept is nil for all.
func (s *searching) narrow(l *searchLeaf, accept bitset) (bitset, error) {
	for t := range s.terms {
		if !slices.Contains(s.query.Must, s.terms[t].Term) {
			continue
		}
		having := newBitset(l.count())
		for f := range s.fields {
			if s.fields[f].Weight <= 0 {
				continue
			}
			if err := l.addTerm(having, t*len(s.fields)+f); err != nil {
				return nil, err
			}
		}
		if accept == nil {
			accept = having
			continue
		}
		accept.and(having)
	}
	return accept, nil
}

// addTerm adds the documents of a list.
func (l *searchLeaf) addTerm(s bitset, list int) error {
	if l.df(list) == 0 {
		return nil
	}
	if l.live != nil {
		for _, p := range l.live.lists[list] {
			s.set(p.doc())
		}
		return nil
	}
	var c cursor
	c.list, c.lengths = l.lists[list], l.segment.lengths[list%len(l.segment.fields)]
	docs := uint32(l.segment.docs)
	for c.block = range c.list.blocks() {
		if c.last = c.list.last(c.block); c.last >= docs {
			return damagedf("a list names documents that are not there")
		}
		if c.unpack(); c.damaged {
			return damagedf("a list does not hold together")
		}
		for _, d := range c.docs[:c.n] {
			s.set(d)
		}
	}
	n := c.list.tail()
	if n == 0 {
		return nil
	}
	if !c.list.decodeTail(&c.docs, &c.tfs) || c.docs[n-1] >= docs {
		return damagedf("a list does not hold together")
	}
	for _, d := range c.docs[:n] {
		s.set(d)
	}
	return nil
}

// IDs returns every document that a filter lets through, in no order.
func (x *Index) IDs(ctx context.Context, f Filter) (ids []uint64, err error) {
	s := &searching{query: Query{Filter: f}, fields: x.opts.Fields, counts: &scanCounts{}}
	views, err := x.snapshot(s)
	if err != nil {
		return nil, err
	}
	defer func() {
		for _, v := range views {
			v.release()
		}
	}()
	err = x.guard(func() error {
		for _, l := range s.leaves {
			if err := ctx.Err(); err != nil {
				return err
			}
			accept, err := f.accept(l)
			if err != nil {
				return err
			}
			if accept == nil {
				accept = newBitset(l.count())
				accept.fill(l.count())
			}
			for _, ord := range accept.members() {
				ids = append(ids, l.id(ord))
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("listing documents of the keyword index: %w", err)
	}
	return ids, nil
}
