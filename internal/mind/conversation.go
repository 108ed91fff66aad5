package mind

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"chitta/internal/causal"
	"chitta/internal/keyword"
	"chitta/internal/recall"
	"chitta/internal/session"
	"chitta/internal/store"
)

// What is said in conversations is found by chunk, by whole conversation, and
// by where a chunk stands.

// chunkFields are the fields of the keyword index of chunks.
var chunkFields = []keyword.Field{{Name: "text"}}

// sessionFields are the fields of the keyword index of whole conversations.
var sessionFields = []keyword.Field{{Name: "text"}}

func chunkFeed(s *store.Store) feed {
	return feed{
		name:  "chunks",
		owner: store.OwnerChunk,
		count: s.CountChunks,
		last:  s.LastChunkRev,
		after: func(ctx context.Context, rev int64, limit int) ([]entry, error) {
			chunks, err := s.ChunksAfter(ctx, rev, limit)
			entries := make([]entry, len(chunks))
			for i := range chunks {
				entries[i] = chunkEntry(&chunks[i])
			}
			return entries, err
		},
		bySeq: func(ctx context.Context, seqs []int64) (map[int64]entry, error) {
			chunks, err := s.ChunksBySeq(ctx, seqs)
			entries := make(map[int64]entry, len(chunks))
			for seq, c := range chunks {
				entries[seq] = chunkEntry(&c)
			}
			return entries, err
		},
		filed: func(ctx context.Context, seqs []int64) (map[int64]entry, error) {
			chunks, err := s.ChunkHeads(ctx, seqs)
			entries := make(map[int64]entry, len(chunks))
			for i := range chunks {
				entries[chunks[i].Seq] = chunkEntry(&chunks[i])
			}
			return entries, err
		},
		each: s.EachChunk,
	}
}

func chunkEntry(c *store.Chunk) entry {
	if c.Gone {
		return entry{seq: c.Seq, rev: c.Rev, gone: true}
	}
	return entry{
		seq: c.Seq, rev: c.Rev, role: c.Role, text: []string{c.Text},
		embed: c.Text, hash: c.Hash, labels: chunkLabels(c), time: c.Time,
	}
}

func chunkLabels(c *store.Chunk) []string {
	labels := []string{"realm=" + c.Realm, "session=" + strconv.FormatInt(c.Session, 10), "role=" + c.Role}
	if c.Speaker != "" {
		labels = append(labels, "speaker="+c.Speaker)
	}
	return labels
}

// sessionFeed has one entry per conversation: all that was said in it.
func sessionFeed(s *store.Store) feed {
	return feed{
		name:  "sessions",
		count: s.CountSessions,
		last:  s.LastSessionRev,
		after: func(ctx context.Context, rev int64, limit int) ([]entry, error) {
			// each may be long: a few at a time
			sessions, err := s.SessionsAfter(ctx, rev, min(limit, sessionsAtOnce))
			if err != nil {
				return nil, err
			}
			entries := make([]entry, len(sessions))
			for i, x := range sessions {
				if !x.Forgotten.IsZero() {
					entries[i] = entry{seq: x.Seq, rev: x.Rev, gone: true}
					continue
				}
				chunks, err := s.ChunksOf(ctx, x.Seq)
				if err != nil {
					return nil, err
				}
				var text strings.Builder
				for _, c := range chunks {
					text.WriteString(c.Speaker + " " + c.Text)
					text.WriteByte('\n')
				}
				entries[i] = entry{seq: x.Seq, rev: x.Rev, role: "session", text: []string{text.String()}, labels: []string{"realm=" + x.Realm}, time: x.Ended}
			}
			return entries, nil
		},
	}
}

// sessionsAtOnce bounds how many conversations are read at once.
const sessionsAtOnce = 8

// timeline keeps the order of chunks in step with the store.
type timeline struct {
	*recall.Timeline
	store *store.Store
	mu    sync.Mutex
	rev   int64
	ready atomic.Bool // all that was there at the start is known
	warm  int64       // rev up to which searches are prepared; used by Maintain alone
}

func newTimeline(s *store.Store) *timeline {
	return &timeline{Timeline: recall.NewTimeline(), store: s}
}

const (
	// placesAtOnce is how many places are read at once.
	placesAtOnce = 10_000
	// placesAtStart is how many a start waits for; more are left to the
	// background.
	placesAtStart = 20_000
)

var errPlaces = errors.New("conversations are being loaded")

// open takes over what is there if that is quickly done.
func (t *timeline) open(ctx context.Context) error {
	last, err := t.store.LastChunkRev(ctx)
	if err != nil || last > placesAtStart {
		return err
	}
	return t.follow(ctx)
}

// warm prepares the search of conversations once everything is embedded and
// something changed since the last time.
func (m *Mind) warm(ctx context.Context) error {
	m.timeline.mu.Lock()
	rev := m.timeline.rev
	m.timeline.mu.Unlock()
	if rev == m.timeline.warm || m.semantic.status().State != ModelReady {
		return nil
	}
	err := m.conversations.Warm(ctx)
	if err == nil {
		m.timeline.warm = rev
	}
	return err
}

func (t *timeline) usable() error {
	if t.ready.Load() {
		return nil
	}
	return errPlaces
}

// follow takes over all changes since the last time.
func (t *timeline) follow(ctx context.Context) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	for {
		chunks, err := t.store.PlacesAfter(ctx, t.rev, placesAtOnce)
		if err != nil || len(chunks) == 0 {
			t.ready.Store(err == nil)
			return err
		}
		var put []recall.Place
		var gone []int64
		for _, c := range chunks {
			t.rev = c.Rev
			if c.Gone {
				gone = append(gone, c.Seq)
				continue
			}
			put = append(put, recall.Place{Seq: c.Seq, Session: c.Session, First: c.First, Part: c.Part, Role: c.Role, Speaker: c.Speaker, Agent: c.Agent, Time: c.Time, Asks: c.Asks, Work: c.Source != (session.Turns{}).Name(), Realm: c.Realm})
		}
		t.Apply(put, gone)
	}
}

// passages loads chunks with the conversations they stand in.
func (m *Mind) passages(ctx context.Context, seqs []int64) (map[int64]recall.Passage, error) {
	places, err := m.store.ChunkPlaces(ctx, seqs)
	out := make(map[int64]recall.Passage, len(places))
	for seq, p := range places {
		out[seq] = recall.Passage(p)
	}
	return out, err
}

// reach finds what led to passages or followed from them.
func (m *Mind) reach(ctx context.Context, q *recall.Query, from []recall.Ranked) ([]recall.Ranked, error) {
	reached, err := m.Reached(ctx, q.Text, from, causal.Options{})
	out := make([]recall.Ranked, len(reached))
	for i, r := range reached {
		out[i] = recall.Ranked{Seq: r.Chunk, Score: r.Score}
	}
	return out, err
}
