package follow

import (
	"context"
	"strconv"
	"strings"

	"chitta/internal/keyword"
	"chitta/internal/store"
)

// What is said in conversations is found by chunk, by whole conversation, and
// by where a chunk stands.

// chunkFields are the fields of the keyword index of chunks.
var chunkFields = []keyword.Field{{Name: "text"}}

// sessionFields are the fields of the keyword index of whole conversations.
var sessionFields = []keyword.Field{{Name: "text"}}

// Chunks has one entry per chunk of a conversation.
func Chunks(s *store.Store) Feed {
	return Feed{
		name:   "chunks",
		fields: chunkFields,
		Owner:  store.OwnerChunk,
		Count:  s.CountChunks,
		Last:   s.LastChunkRev,
		After: func(ctx context.Context, rev int64, limit int) ([]Entry, error) {
			chunks, err := s.ChunksAfter(ctx, rev, limit)
			entries := make([]Entry, len(chunks))
			for i := range chunks {
				entries[i] = chunkEntry(&chunks[i])
			}
			return entries, err
		},
		BySeq: func(ctx context.Context, seqs []int64) (map[int64]Entry, error) {
			chunks, err := s.ChunksBySeq(ctx, seqs)
			entries := make(map[int64]Entry, len(chunks))
			for seq, c := range chunks {
				entries[seq] = chunkEntry(&c)
			}
			return entries, err
		},
		Filed: func(ctx context.Context, seqs []int64) (map[int64]Entry, error) {
			chunks, err := s.ChunkHeads(ctx, seqs)
			entries := make(map[int64]Entry, len(chunks))
			for i := range chunks {
				entries[chunks[i].Seq] = chunkEntry(&chunks[i])
			}
			return entries, err
		},
		Each: s.EachChunk,
	}
}

func chunkEntry(c *store.Chunk) Entry {
	if c.Gone {
		return Entry{Seq: c.Seq, Rev: c.Rev, Gone: true}
	}
	return Entry{
		Seq: c.Seq, Rev: c.Rev, role: c.Role, text: []string{c.Text},
		Embed: c.Text, Hash: c.Hash, Labels: chunkLabels(c), Time: c.Time,
	}
}

func chunkLabels(c *store.Chunk) []string {
	labels := []string{"realm=" + c.Realm, "session=" + strconv.FormatInt(c.Session, 10), "role=" + c.Role}
	if c.Speaker != "" {
		labels = append(labels, "speaker="+c.Speaker)
	}
	return labels
}

// Sessions has one entry per conversation: all that was said in it.
func Sessions(s *store.Store) Feed {
	return Feed{
		name:   "sessions",
		fields: sessionFields,
		Count:  s.CountSessions,
		Last:   s.LastSessionRev,
		After: func(ctx context.Context, rev int64, limit int) ([]Entry, error) {
			// each may be long: a few at a time
			sessions, err := s.SessionsAfter(ctx, rev, min(limit, sessionsAtOnce))
			if err != nil {
				return nil, err
			}
			entries := make([]Entry, len(sessions))
			for i, x := range sessions {
				if !x.Forgotten.IsZero() {
					entries[i] = Entry{Seq: x.Seq, Rev: x.Rev, Gone: true}
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
				entries[i] = Entry{Seq: x.Seq, Rev: x.Rev, role: "session", text: []string{text.String()}, Labels: []string{"realm=" + x.Realm}, Time: x.Ended}
			}
			return entries, nil
		},
	}
}

// sessionsAtOnce bounds how many conversations are read at once.
const sessionsAtOnce = 8
