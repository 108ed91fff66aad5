package store

import (
	"context"
	"encoding/json"
	"slices"
)

const chunkColumns = `c.seq, c.rev, c.session, c.first, c.last, c.part, c.role, c.speaker, c.agent, c.at, c.gone, c.turn, c.summary, c.asks, c.clock, c.hash, c.text,
	(SELECT realm FROM session s WHERE s.seq = c.session)`

func scanChunk(row scanner) (Chunk, error) {
	var c Chunk
	var at int64
	var clock string
	err := row.Scan(&c.Seq, &c.Rev, &c.Session, &c.First, &c.Last, &c.Part, &c.Role, &c.Speaker, &c.Agent, &at, &c.Gone,
		&c.Turn, &c.Summary, &c.Asks, &clock, &c.Hash, &c.Text, &c.Realm)
	c.Time = fromMillis(at)
	if err == nil {
		err = json.Unmarshal([]byte(clock), &c.Clock)
	}
	return c, err
}

// AddChunk stores a chunk and sets its Seq and Rev.
func (t *Tx) AddChunk(c *Chunk) error {
	clock, err := clockText(c.Clock)
	if err != nil {
		return err
	}
	return t.QueryRowContext(t.ctx, `INSERT INTO chunk (rev, session, first, last, part, role, speaker, agent, at, gone, turn, summary, asks, clock, hash, text)
		VALUES ((SELECT coalesce(max(rev), 0) + 1 FROM chunk), ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?) RETURNING seq, rev`,
		c.Session, c.First, c.Last, c.Part, c.Role, c.Speaker, c.Agent, millis(c.Time), c.Turn, c.Summary, c.Asks, clock, c.Hash, c.Text).Scan(&c.Seq, &c.Rev)
}

// DropChunk empties a chunk, drops its edges and mentions and tells the indexes
// to let it go.
func (t *Tx) DropChunk(seq int64) error {
	if err := t.DropEdges(seq); err != nil {
		return err
	}
	if err := t.SetMentions(OwnerChunk, seq, nil); err != nil {
		return err
	}
	return t.exec(`UPDATE chunk SET rev = (SELECT max(rev) + 1 FROM chunk), gone = 1, hash = '', text = '', speaker = '', clock = '{}' WHERE seq = ?`, seq)
}

// ChunksFrom returns the chunks of a thread of a conversation that begin at a
// message or later, in order, as this transaction sees them.
func (t *Tx) ChunksFrom(session int64, agent string, first int64) ([]Chunk, error) {
	return collect(t.ctx, t, scanChunk, `SELECT `+chunkColumns+` FROM chunk c WHERE session = 0 + ? AND agent = ('' || ?) AND first >= 0 + ? AND gone = 0 ORDER BY first, part`, session, agent, first) // see fixedPlan
}

// ChunksOf returns all chunks of a conversation in order.
func (s *Store) ChunksOf(ctx context.Context, session int64) ([]Chunk, error) {
	return collect(ctx, s.reading, scanChunk, `SELECT `+chunkColumns+` FROM chunk c WHERE session = 0 + ? AND gone = 0 ORDER BY first, part`, session) // see fixedPlan
}

// ChunksAfter returns the next changed chunks in the sequence of changes.
func (s *Store) ChunksAfter(ctx context.Context, rev int64, limit int) ([]Chunk, error) {
	return collect(ctx, s.reading, scanChunk, `SELECT `+chunkColumns+` FROM chunk c WHERE rev > ? ORDER BY rev LIMIT 0 + ?`, rev, limit) // see fixedPlan
}

// ChunksBySeq returns chunks by row number; gone ones too.
func (s *Store) ChunksBySeq(ctx context.Context, seqs []int64) (map[int64]Chunk, error) {
	list, err := json.Marshal(seqs)
	if err != nil || len(seqs) == 0 {
		return nil, err
	}
	chunks, err := collect(ctx, s.reading, scanChunk, `SELECT `+chunkColumns+` FROM chunk c WHERE seq IN (SELECT value FROM json_each(?))`, string(list))
	out := make(map[int64]Chunk, len(chunks))
	for _, c := range chunks {
		out[c.Seq] = c
	}
	return out, err
}

// ChunkHeads returns chunks by row number without their texts and clocks; gone
// ones too.
func (s *Store) ChunkHeads(ctx context.Context, seqs []int64) ([]Chunk, error) {
	list, err := json.Marshal(seqs)
	if err != nil || len(seqs) == 0 {
		return nil, err
	}
	return collect(ctx, s.reading, func(row scanner) (Chunk, error) {
		var c Chunk
		var at int64
		err := row.Scan(&c.Seq, &c.Rev, &c.Session, &c.Role, &c.Speaker, &at, &c.Gone, &c.Hash, &c.Realm)
		c.Time = fromMillis(at)
		return c, err
	}, `SELECT c.seq, c.rev, c.session, c.role, c.speaker, c.at, c.gone, c.hash, s.realm
		FROM json_each(?) wanted JOIN chunk c ON c.seq = wanted.value JOIN session s ON s.seq = c.session`, string(list))
}

// ChunkPlace is a chunk with the conversation it stands in and the message it
// begins with.
type ChunkPlace struct {
	Chunk   Chunk
	Session Session
	Message string
	Nth     int // which of the chunks that begin with that message, from 1
}

// ChunksBeginning returns the chunks that begin with the message at a position
// of a thread, in the order that [ChunkPlace.Nth] counts.
func (s *Store) ChunksBeginning(ctx context.Context, session int64, agent string, position int64) ([]Chunk, error) {
	return collect(ctx, s.reading, scanChunk, `SELECT `+chunkColumns+` FROM chunk c
		WHERE session = ? AND agent = ? AND first = ? AND gone = 0 ORDER BY part, seq`, session, agent, position)
}

// ChunkPlaces returns chunks by row number, each with where it stands. Those
// that are gone are left out.
func (s *Store) ChunkPlaces(ctx context.Context, seqs []int64) (map[int64]ChunkPlace, error) {
	list, err := json.Marshal(seqs)
	if err != nil || len(seqs) == 0 {
		return nil, err
	}
	var sessions []int64
	places, err := collect(ctx, s.reading, func(row scanner) (p ChunkPlace, err error) {
		p.Chunk, err = scanChunk(withMore{row, []any{&p.Message, &p.Nth}})
		return p, err
	}, `SELECT `+chunkColumns+`, (SELECT id FROM message m WHERE m.session = c.session AND m.position = c.first),
		(SELECT count(*) FROM chunk o WHERE o.session = c.session AND o.agent = c.agent AND o.first = c.first AND o.gone = 0 AND (o.part, o.seq) <= (c.part, c.seq))
		FROM chunk c WHERE gone = 0 AND seq IN (SELECT value FROM json_each(?))`, string(list))
	if err != nil {
		return nil, err
	}
	for _, p := range places {
		if !slices.Contains(sessions, p.Chunk.Session) {
			sessions = append(sessions, p.Chunk.Session)
		}
	}
	bySeq, err := s.SessionsBySeq(ctx, sessions)
	out := make(map[int64]ChunkPlace, len(places))
	for _, p := range places {
		p.Session = bySeq[p.Chunk.Session]
		out[p.Chunk.Seq] = p
	}
	return out, err
}

// withMore scans columns behind those that a scan function knows.
type withMore struct {
	scanner
	more []any
}

func (w withMore) Scan(dest ...any) error { return w.scanner.Scan(append(dest, w.more...)...) }

// ChunkMessages returns the ids of the messages that chunks stand on, in
// order, by chunk. Chunks that are gone are left out.
func (s *Store) ChunkMessages(ctx context.Context, seqs []int64) (map[int64][]string, error) {
	list, err := json.Marshal(seqs)
	if err != nil || len(seqs) == 0 {
		return nil, err
	}
	type owned struct {
		chunk   int64
		message string
	}
	ids, err := collect(ctx, s.reading, func(row scanner) (o owned, err error) {
		return o, row.Scan(&o.chunk, &o.message)
	}, `SELECT c.seq, m.id FROM json_each(?) wanted JOIN chunk c ON c.seq = wanted.value
		JOIN message m ON m.session = c.session AND m.agent = c.agent AND m.position BETWEEN c.first AND c.last
		WHERE c.gone = 0 ORDER BY c.seq, m.position`, string(list))
	out := make(map[int64][]string, len(seqs))
	for _, o := range ids {
		out[o.chunk] = append(out[o.chunk], o.message)
	}
	return out, err
}

// LastChunkRev returns the end of the sequence of changes of chunks.
func (s *Store) LastChunkRev(ctx context.Context) (int64, error) {
	return s.lastRev(ctx, `SELECT max(rev) FROM chunk`)
}

// CountChunks returns how many chunks there are.
func (s *Store) CountChunks(ctx context.Context) (int, error) {
	return s.count(ctx, `SELECT count(*) FROM chunk WHERE gone = 0`)
}

// EachChunk calls fn with the row number and the hash of every chunk there is,
// in order.
func (s *Store) EachChunk(ctx context.Context, fn func(seq int64, hash string) error) error {
	return s.each(ctx, `SELECT seq, hash FROM chunk WHERE gone = 0 ORDER BY seq`, fn)
}

// PlacesAfter returns the next changed chunks without their text: where they
// stand in which conversation, who speaks and when.
func (s *Store) PlacesAfter(ctx context.Context, rev int64, limit int) ([]Chunk, error) {
	return collect(ctx, s.reading, func(row scanner) (Chunk, error) {
		var c Chunk
		var at int64
		err := row.Scan(&c.Seq, &c.Rev, &c.Session, &c.First, &c.Last, &c.Part, &c.Role, &c.Speaker, &c.Agent, &at, &c.Gone, &c.Asks, &c.Source, &c.Realm)
		c.Time = fromMillis(at)
		return c, err
	}, `SELECT c.seq, c.rev, c.session, c.first, c.last, c.part, c.role, c.speaker, c.agent, c.at, c.gone, c.asks, s.source, s.realm
		FROM chunk c JOIN session s ON s.seq = c.session WHERE c.rev > ? ORDER BY c.rev LIMIT 0 + ?`, rev, limit) // see fixedPlan
}
