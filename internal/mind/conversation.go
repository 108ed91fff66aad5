package mind

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"

	"chitta/internal/keyword"
	"chitta/internal/recall"
	"chitta/internal/store"
)

// What is said in conversations is found by chunk, by whole conversation, and
// by where a chunk stands.

// chunkFields are the fields of the keyword index of chunks.
var chunkFields = []keyword.Field{{Name: "text"}}

// sessionFields are the fields of the keyword index of whole conversations.
// Their lengths differ by orders of magnitude, so length counts more than for
// turns.
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
}

func newTimeline(s *store.Store) *timeline {
	return &timeline{Timeline: recall.NewTimeline(), store: s}
}

// placesAtOnce is how many places are read at once.
const placesAtOnce = 10_000

// follow takes over all changes since the last time.
func (t *timeline) follow(ctx context.Context) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	for {
		chunks, err := t.store.PlacesAfter(ctx, t.rev, placesAtOnce)
		if err != nil || len(chunks) == 0 {
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
			put = append(put, recall.Place{Seq: c.Seq, Session: c.Session, First: c.First, Part: c.Part, Role: c.Role, Speaker: c.Speaker, Agent: c.Agent, Time: c.Time, Asks: c.Asks})
		}
		t.Apply(put, gone)
	}
}

// passages loads chunks with the conversations they stand in.
func (m *Mind) passages(ctx context.Context, seqs []int64) (map[int64]recall.Passage, error) {
	chunks, err := m.store.ChunksBySeq(ctx, seqs)
	if err != nil {
		return nil, err
	}
	var sessions []int64
	for _, c := range chunks {
		if !slices.Contains(sessions, c.Session) {
			sessions = append(sessions, c.Session)
		}
	}
	byID, err := m.store.SessionsBySeq(ctx, sessions)
	if err != nil {
		return nil, err
	}
	messages, err := m.store.ChunkMessages(ctx, seqs)
	if err != nil {
		return nil, err
	}
	out := make(map[int64]recall.Passage, len(chunks))
	for seq, c := range chunks {
		if ids := messages[seq]; !c.Gone && len(ids) > 0 {
			out[seq] = recall.Passage{Chunk: c, Session: byID[c.Session], Message: ids[0]}
		}
	}
	return out, nil
}
