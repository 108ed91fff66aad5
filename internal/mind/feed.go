package mind

import (
	"context"
	"strings"
	"time"

	"chitta/internal/keyword"
	"chitta/internal/recall"
	"chitta/internal/store"
)

// feed is one kind of thing that can be found. The indexes follow it and know
// nothing else of what they hold: every change moves a row to the end of its
// feed's sequence, so catching up is always to take what comes after.
type feed struct {
	name  string
	owner store.Owner
	count func(ctx context.Context) (int, error) // rows that are not gone
	last  func(ctx context.Context) (rev int64, err error)
	// after returns the next changes in their order.
	after func(ctx context.Context, rev int64, limit int) ([]entry, error)
	bySeq func(ctx context.Context, seqs []int64) (map[int64]entry, error)
	// filed is bySeq without the texts, which are long.
	filed func(ctx context.Context, seqs []int64) (map[int64]entry, error)
	// each calls fn for every row that is not gone, without reading its text.
	each func(ctx context.Context, fn func(seq int64, hash string) error) error
}

// entry is a row of a feed as the indexes file it.
type entry struct {
	seq, rev int64
	gone     bool     // erased; nothing below is set
	role     string   // words are counted per role
	text     []string // by field of the keyword index
	embed    string   // what is embedded
	hash     string   // changes when embed does
	labels   []string // what filters ask for
	time     time.Time
}

func (e *entry) doc() keyword.Doc {
	return keyword.Doc{ID: uint64(e.seq), Role: e.role, Text: e.text, Labels: e.labels, Time: e.time.UnixMilli()}
}

// memoryFields are the fields of the keyword index of memories.
var memoryFields = []keyword.Field{{Name: "content"}, {Name: "tags"}}

func memoryFeed(s *store.Store) feed {
	bySeq := func(ctx context.Context, seqs []int64) (map[int64]entry, error) {
		records, err := s.BySeq(ctx, seqs)
		entries := make(map[int64]entry, len(records))
		for seq, r := range records {
			entries[seq] = memoryEntry(&r)
		}
		return entries, err
	}
	return feed{
		name:  "memories",
		owner: store.OwnerMemory,
		count: func(ctx context.Context) (int, error) { return s.Count(ctx, store.Filter{}) },
		last:  s.LastRev,
		after: func(ctx context.Context, rev int64, limit int) ([]entry, error) {
			records, err := s.List(ctx, store.Filter{ByRev: true, After: rev, Limit: limit, Erased: true})
			entries := make([]entry, len(records))
			for i := range records {
				entries[i] = memoryEntry(&records[i])
			}
			return entries, err
		},
		bySeq: bySeq,
		filed: bySeq,
		each:  s.EachMemory,
	}
}

func memoryEntry(r *store.Record) entry {
	if !r.Erased.IsZero() {
		return entry{seq: r.Seq, rev: r.Rev, gone: true}
	}
	return entry{
		seq: r.Seq, rev: r.Rev, role: "memory", text: []string{r.Content, strings.Join(r.Tags, " ")},
		embed: r.Content, hash: r.Hash, labels: recall.Labels(&r.Memory), time: r.Created,
	}
}
