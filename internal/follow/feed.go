package follow

import (
	"context"
	"strings"
	"time"

	"chitta/internal/keyword"
	"chitta/internal/recall"
	"chitta/internal/store"
)

// Feed is one kind of thing that can be found. The indexes follow it and know
// nothing else of what they hold: every change moves a row to the end of its
// feed's sequence, so catching up is always to take what comes after.
type Feed struct {
	name   string
	Owner  store.Owner
	fields []keyword.Field                        // of the keyword index
	Count  func(ctx context.Context) (int, error) // rows that are not gone
	Last   func(ctx context.Context) (rev int64, err error)
	// After returns the next changes in their order.
	After func(ctx context.Context, rev int64, limit int) ([]Entry, error)
	BySeq func(ctx context.Context, seqs []int64) (map[int64]Entry, error)
	// Filed is BySeq without the texts, which are long.
	Filed func(ctx context.Context, seqs []int64) (map[int64]Entry, error)
	// atHand reports that the next changes, this many, need not be read from the
	// store, so that a writer may wait for more than usual. nil: they never are.
	atHand func(changes int64) bool
	// Each calls fn for every row that is not gone, without reading its text.
	Each func(ctx context.Context, fn func(seq int64, hash string) error) error
}

// Entry is a row of a feed as the indexes file it.
type Entry struct {
	Seq, Rev int64
	Gone     bool     // erased; nothing below is set
	role     string   // words are counted per role
	text     []string // by field of the keyword index
	Embed    string   // what is embedded
	Hash     string   // changes when Embed does
	Labels   []string // what filters ask for
	Time     time.Time
}

func (e *Entry) doc() keyword.Doc {
	return keyword.Doc{ID: uint64(e.Seq), Role: e.role, Text: e.text, Labels: e.Labels, Time: e.Time.UnixMilli()}
}

// memoryFields are the fields of the keyword index of memories.
var memoryFields = []keyword.Field{{Name: "content"}, {Name: "tags"}}

// Memories has one entry per memory.
func Memories(s *store.Store) Feed {
	bySeq := func(ctx context.Context, seqs []int64) (map[int64]Entry, error) {
		records, err := s.BySeq(ctx, seqs)
		entries := make(map[int64]Entry, len(records))
		for seq, r := range records {
			entries[seq] = memoryEntry(&r)
		}
		return entries, err
	}
	return Feed{
		name:   "memories",
		fields: memoryFields,
		Owner:  store.OwnerMemory,
		Count:  func(ctx context.Context) (int, error) { return s.Count(ctx, store.Filter{}) },
		Last:   s.LastRev,
		After: func(ctx context.Context, rev int64, limit int) ([]Entry, error) {
			records, err := s.List(ctx, store.Filter{ByRev: true, After: rev, Limit: limit, Erased: true})
			entries := make([]Entry, len(records))
			for i := range records {
				entries[i] = memoryEntry(&records[i])
			}
			return entries, err
		},
		BySeq: bySeq,
		Filed: bySeq,
		Each:  s.EachMemory,
	}
}

func memoryEntry(r *store.Record) Entry {
	if !r.Erased.IsZero() {
		return Entry{Seq: r.Seq, Rev: r.Rev, Gone: true}
	}
	return Entry{
		Seq: r.Seq, Rev: r.Rev, role: "memory", text: []string{r.Content, strings.Join(r.Tags, " ")},
		Embed: r.Content, Hash: r.Hash, Labels: recall.Labels(&r.Memory), Time: r.Created,
	}
}
