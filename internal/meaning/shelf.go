package meaning

import (
	"context"
	"slices"
	"sync/atomic"

	"chitta/internal/follow"
	"chitta/internal/store"
	"chitta/internal/vector"
)

// shelf holds the vectors that one model made of one feed: those on disk, the
// same in memory to be searched, and which rows still wait for theirs. Nothing
// on disk says how far it has come. A vector holds if it was made of the text
// its row has now, and every row without one that holds is waiting; so whatever
// was lost in a crash is found out at the next start.
type shelf struct {
	feed    follow.Feed
	vectors *store.Vectors
	model   int64 // the model's entry in vectors
	index   *vector.Index

	top     int64 // the newest row that has a vector
	pending queue
	aside   queue // rows that get no vector of this model

	rev           atomic.Int64 // changes of the feed are known up to here
	todo, missing atomic.Int64 // lengths, for those who only look
}

// rowsAtOnce is how many rows of a feed are read at once.
const rowsAtOnce = 500

// loadShelf fills a shelf from disk and finds out what is missing.
func loadShelf(ctx context.Context, f follow.Feed, v *store.Vectors, m store.VectorModel) (*shelf, error) {
	index, err := vector.New(vector.Options{Dims: m.Dims})
	if err != nil {
		return nil, err
	}
	s := &shelf{feed: f, vectors: v, model: m.ID, index: index}
	// before anything is read: what changes meanwhile is seen again
	last, err := f.Last(ctx)
	if err != nil {
		return nil, err
	}
	s.rev.Store(last)
	have, err := s.fill(ctx, m)
	if err != nil {
		return nil, err
	}
	return s, s.await(ctx, have)
}

// fill puts the stored vectors that hold into the index, with the labels their
// rows have now, and returns their rows. Those of rows that are gone are
// removed from disk.
func (s *shelf) fill(ctx context.Context, m store.VectorModel) (have queue, err error) {
	var batch []store.Vector
	var gone []int64
	flush := func() error {
		entries, err := s.feed.Filed(ctx, seqsOf(batch))
		if err != nil {
			return err
		}
		var items []vector.Item
		for _, v := range batch {
			switch e, ok := entries[v.Seq]; {
			case !ok || e.Gone:
				gone = append(gone, v.Seq)
			case e.Hash == v.Text:
				items = append(items, itemOf(&e, v.Vector))
				have.add(v.Seq)
				s.top = max(s.top, v.Seq)
			}
		}
		batch = batch[:0]
		return s.index.Apply(items, nil)
	}
	err = s.vectors.Each(ctx, m, s.feed.Owner, func(v store.Vector) error {
		if batch = append(batch, v); len(batch) < rowsAtOnce {
			return nil
		}
		return flush()
	})
	if err == nil && len(batch) > 0 {
		err = flush()
	}
	if err != nil || len(gone) == 0 {
		return have, err
	}
	return have, s.vectors.Remove(ctx, s.feed.Owner, gone)
}

func seqsOf(vectors []store.Vector) []int64 {
	seqs := make([]int64, len(vectors))
	for i, v := range vectors {
		seqs[i] = v.Seq
	}
	return seqs
}

// itemOf is a row as the index of vectors files it.
func itemOf(e *follow.Entry, v []float32) vector.Item {
	return vector.Item{ID: uint64(e.Seq), Vector: v, Labels: e.Labels, Time: e.Time.UnixMilli()}
}

// await lets all rows of the feed wait for their vectors but those that have
// one.
func (s *shelf) await(ctx context.Context, have queue) error {
	err := s.feed.Each(ctx, func(seq int64, _ string) error {
		if !have.holds(seq) {
			s.pending.add(seq)
		}
		return nil
	})
	s.count()
	return err
}

// restore writes what is in memory to a new database of vectors. What changed
// since it was noted is left out: it will be noted as new.
func (s *shelf) restore(ctx context.Context, v *store.Vectors, model int64) error {
	s.vectors, s.model = v, model
	var rows []int64
	err := s.feed.Each(ctx, func(seq int64, _ string) error {
		if !s.pending.holds(seq) && !s.aside.holds(seq) {
			rows = append(rows, seq)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for seqs := range slices.Chunk(rows, rowsAtOnce) {
		entries, err := s.feed.BySeq(ctx, seqs)
		if err != nil {
			return err
		}
		var put []store.Vector
		for seq, e := range entries {
			if made, ok := s.index.Vector(uint64(seq)); ok && !e.Gone && e.Rev <= s.rev.Load() {
				put = append(put, store.Vector{Seq: seq, Text: e.Hash, Vector: made})
			}
		}
		if err := v.Put(ctx, model, s.feed.Owner, put); err != nil {
			return err
		}
	}
	return nil
}

// unseen is how many rows came that are not even known to be waiting.
func (s *shelf) unseen(ctx context.Context) (int, error) {
	last, err := s.feed.Last(ctx)
	if err != nil || last <= s.rev.Load() {
		return 0, err
	}
	all, err := s.feed.Count(ctx)
	return max(0, all-s.index.Len()-int(s.missing.Load())), err
}

func (s *shelf) count() {
	s.todo.Store(int64(len(s.pending)))
	s.missing.Store(int64(len(s.pending) + len(s.aside)))
}

// retire leaves the rows that waited for long without a vector: the model that
// would make it is about to be replaced. Only what is newer than everything it
// has embedded still gets one.
func (s *shelf) retire() {
	newer, _ := slices.BinarySearch(s.pending, s.top+1)
	for _, seq := range s.pending[:newer] {
		s.aside.add(seq)
	}
	s.pending = slices.Clone(s.pending[newer:])
	s.count()
}

// revive lets what was put aside wait again.
func (s *shelf) revive() {
	for _, seq := range s.aside {
		s.pending.add(seq)
	}
	s.aside = nil
	s.count()
}

// follow takes note of what changed in the feed.
func (s *shelf) follow(ctx context.Context) error {
	defer s.count()
	for {
		entries, err := s.feed.After(ctx, s.rev.Load(), rowsAtOnce)
		if err != nil || len(entries) == 0 {
			return err
		}
		if err := s.note(ctx, entries); err != nil {
			return err
		}
		s.rev.Store(entries[len(entries)-1].Rev)
	}
}

func (s *shelf) note(ctx context.Context, entries []follow.Entry) error {
	seqs := make([]int64, len(entries))
	for i := range entries {
		seqs[i] = entries[i].Seq
	}
	texts, err := s.vectors.Texts(ctx, s.model, s.feed.Owner, seqs)
	if err != nil {
		return err
	}
	var gone []int64
	var stale []uint64 // made of a text that is no longer there
	for i := range entries {
		e := &entries[i]
		id := uint64(e.Seq)
		s.aside.remove(e.Seq)
		switch {
		case e.Gone:
			s.pending.remove(e.Seq)
			gone, stale = append(gone, e.Seq), append(stale, id)
		case texts[e.Seq] == e.Hash && s.index.Relabel(id, e.Labels, e.Time.UnixMilli()):
			s.pending.remove(e.Seq)
		default:
			s.pending.add(e.Seq)
			stale = append(stale, id)
		}
	}
	if err := s.index.Apply(nil, stale); err != nil {
		return err
	}
	if len(gone) == 0 {
		return nil
	}
	return s.vectors.Remove(ctx, s.feed.Owner, gone)
}

// drop takes rows out that are gone from the disk already.
func (s *shelf) drop(seqs []int64) error {
	ids := make([]uint64, len(seqs))
	for i, seq := range seqs {
		ids[i] = uint64(seq)
		s.pending.remove(seq)
		s.aside.remove(seq)
	}
	s.count()
	return s.index.Apply(nil, ids)
}

// step embeds the newest rows that wait and reports whether there were any.
// Their vectors are stored and can be searched, all or none of them. embed
// makes them; it may do fewer than asked, and give nil for a text that has
// none.
func (s *shelf) step(ctx context.Context, embed func(context.Context, []string) ([][]float32, error)) (bool, error) {
	seqs := s.pending.newest(embedBatch)
	if len(seqs) == 0 {
		return false, nil
	}
	defer s.count()
	entries, err := s.feed.BySeq(ctx, seqs)
	if err != nil {
		return false, err
	}
	var rows []follow.Entry
	var texts []string
	for _, seq := range seqs {
		if e, ok := entries[seq]; ok && !e.Gone {
			rows, texts = append(rows, e), append(texts, e.Embed)
		} else {
			s.pending.remove(seq)
		}
	}
	made, err := embed(ctx, texts)
	if err != nil {
		return false, err
	}
	var put []store.Vector
	var items []vector.Item
	for i, v := range made {
		if v == nil {
			continue
		}
		put = append(put, store.Vector{Seq: rows[i].Seq, Text: rows[i].Hash, Vector: v})
		items = append(items, itemOf(&rows[i], v))
		s.top = max(s.top, rows[i].Seq)
	}
	if err := s.vectors.Put(ctx, s.model, s.feed.Owner, put); err != nil {
		return false, err
	}
	if err := s.index.Apply(items, nil); err != nil {
		return false, err
	}
	for i, v := range made {
		s.pending.remove(rows[i].Seq)
		if v == nil {
			s.aside.add(rows[i].Seq)
		}
	}
	return true, nil
}

// queue is a set of row numbers in order, the newest last.
type queue []int64

func (q *queue) add(seq int64) {
	if at, ok := slices.BinarySearch(*q, seq); !ok {
		*q = slices.Insert(*q, at, seq)
	}
}

func (q queue) holds(seq int64) bool {
	_, ok := slices.BinarySearch(q, seq)
	return ok
}

func (q *queue) remove(seq int64) {
	if at, ok := slices.BinarySearch(*q, seq); ok {
		*q = slices.Delete(*q, at, at+1)
	}
}

// newest returns up to n rows, the newest first.
func (q queue) newest(n int) []int64 {
	out := slices.Clone(q[max(0, len(q)-n):])
	slices.Reverse(out)
	return out
}
