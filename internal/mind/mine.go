package mind

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"chitta/internal/graph"
	"chitta/internal/mine"
	"chitta/internal/store"
)

// miner reads memories and chunks for the knowledge graph, in the background.
//
// Which files and symbols they name is derived for all of them, like an index.
// Facts are found only when somebody switched that on: those written in
// notation, and relations between what linked texts are about. All facts of it
// bear the job's name, so that they can be taken back as one.
//
// It goes in slices. A slice and how far it has come are one transaction: a
// process that is killed goes on where it was.
type miner struct {
	mu   sync.Mutex // one slice at a time
	todo atomic.Bool
}

const (
	// mineSlice is how many memories or chunks are read in one transaction.
	mineSlice = 200
	// mineTime is how long one round goes on before other background work gets
	// its turn.
	mineTime = time.Second

	notedMentions = "mentions" // key of how far mentions have come
	notedMining   = "mining"   // and of the job that looks for facts
)

// readTo says up to which changes memories and chunks were read.
type readTo struct {
	Memories int64 `json:"memories"`
	Chunks   int64 `json:"chunks"`
}

// maintainMining reads what is new, for a while.
func (m *Mind) maintainMining(ctx context.Context) error {
	return m.mineFor(ctx, mineTime)
}

// mineFor goes on slice by slice until nothing is left or time is up.
func (m *Mind) mineFor(ctx context.Context, most time.Duration) error {
	for begin := time.Now(); ; {
		more, err := m.mineOnce(ctx)
		m.miner.todo.Store(more && err == nil)
		if err != nil {
			return fmt.Errorf("read for the knowledge graph: %w", err)
		}
		if !more || time.Since(begin) > most {
			return nil
		}
	}
}

// mineOnce takes the next slice of mentions or, when those are done, of facts.
func (m *Mind) mineOnce(ctx context.Context) (more bool, err error) {
	m.miner.mu.Lock()
	defer m.miner.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return false, err
	}
	more, err = m.mineMentions(ctx)
	if err != nil || more {
		return more, err
	}
	return m.mineFacts(ctx)
}

// noted reads what was noted under a key. What cannot be read counts as not
// noted: everything here can be derived again.
func noted[T any](ctx context.Context, s *store.Store, key string) (value T, err error) {
	text, err := s.Note(ctx, key)
	if err != nil || text == "" {
		return value, err
	}
	if json.Unmarshal([]byte(text), &value) != nil {
		value = *new(T)
	}
	return value, nil
}

func note(tx *store.Tx, key string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return tx.SetNote(key, string(text))
}

// batch is the next changed memories or, when there are none, chunks.
type batch struct {
	memories []store.Record
	chunks   []store.Chunk
	dirs     map[int64]store.Session // where the chunks' sessions worked
}

func (b *batch) len() int { return len(b.memories) + len(b.chunks) }

// rows returns the chunks of a batch by row number.
func (b *batch) rows() []int64 {
	rows := make([]int64, len(b.chunks))
	for i := range b.chunks {
		rows[i] = b.chunks[i].Seq
	}
	return rows
}

// next reads a batch and moves the position behind it.
func (m *Mind) next(ctx context.Context, at *readTo) (b batch, err error) {
	if b.memories, err = m.store.List(ctx, store.Filter{ByRev: true, After: at.Memories, Limit: mineSlice, Erased: true}); err != nil {
		return b, err
	}
	if n := len(b.memories); n > 0 {
		at.Memories = b.memories[n-1].Rev
		return b, nil
	}
	if b.chunks, err = m.store.ChunksAfter(ctx, at.Chunks, mineSlice); err != nil || len(b.chunks) == 0 {
		return b, err
	}
	at.Chunks = b.chunks[len(b.chunks)-1].Rev
	var sessions []int64
	for _, c := range b.chunks {
		sessions = append(sessions, c.Session)
	}
	b.dirs, err = m.store.SessionsBySeq(ctx, sessions)
	return b, err
}

// mineMentions notes for a slice of texts which files and symbols they name.
func (m *Mind) mineMentions(ctx context.Context) (more bool, err error) {
	at, err := noted[readTo](ctx, m.store, notedMentions)
	if err != nil {
		return false, err
	}
	b, err := m.next(ctx, &at)
	if err != nil || b.len() == 0 {
		return false, err
	}
	type named struct {
		owner store.Owner
		item  int64
		realm string
		names []string
	}
	var list []named // read before the transaction, which others wait for
	for i := range b.memories {
		r := &b.memories[i]
		x := named{owner: store.OwnerMemory, item: r.Seq, realm: r.Realm}
		if r.Erased.IsZero() {
			x.names = namesIn(r.Content, "")
		}
		list = append(list, x)
	}
	for i := range b.chunks {
		if c := &b.chunks[i]; !c.Gone { // one that is gone lost its mentions with its text
			list = append(list, named{store.OwnerChunk, c.Seq, c.Realm, namesIn(c.Text, b.dirs[c.Session].Cwd)})
		}
	}
	return true, m.store.Write(ctx, func(tx *store.Tx) error {
		standing, err := tx.Standing(b.rows())
		if err != nil {
			return err
		}
		known := map[[2]string]int64{}
		for _, x := range list {
			if x.owner == store.OwnerChunk && !standing[x.item] {
				continue // dropped since it was read
			}
			var concepts []int64
			for _, n := range x.names {
				seq, err := m.mentioned(tx, known, x.realm, n)
				if err != nil {
					return err
				}
				if seq != 0 {
					concepts = append(concepts, seq)
				}
			}
			put := tx.SetMentions
			if x.owner == store.OwnerChunk {
				put = tx.AddMentions // a chunk is never changed, only dropped
			}
			if err := put(x.owner, x.item, concepts); err != nil {
				return err
			}
		}
		return note(tx, notedMentions, at)
	})
}

// operators are those of notation; a text without any need not be read for it.
var operators = []string{"]-> ", " → ", " -> ", " => ", " :: ", " ~ "}

// namesIn returns what a text names: files, symbols, and the concepts of the
// notation in it.
func namesIn(text, dir string) (names []string) {
	for _, n := range mine.Mentions(text, dir) {
		names = append(names, n.Name)
	}
	if !slices.ContainsFunc(operators, func(op string) bool { return strings.Contains(text, op) }) {
		return names
	}
	statements, _ := graph.Parse(text)
	for _, s := range statements {
		names = append(names, s.Subject, s.Object)
	}
	return names
}

// mentionConfidence is that of a concept of which only a name is known.
const mentionConfidence = 0.5

// mentioned returns the concept of a name that a text holds, 0 if it cannot be
// one.
func (m *Mind) mentioned(tx *store.Tx, known map[[2]string]int64, realm, name string) (int64, error) {
	canonical, err := graph.CanonicalName(name)
	if err != nil {
		return 0, nil
	}
	c := store.Concept{Realm: realm, Name: canonical, Key: graph.Key(canonical), Confidence: mentionConfidence, Created: m.now()}
	if seq := known[[2]string{realm, c.Key}]; seq != 0 || c.Key == "" {
		return seq, nil
	}
	if _, err := tx.EnsureConcept(&c); err != nil {
		if errors.As(err, new(*store.FactError)) {
			return 0, nil // not sound text: nobody will ask for it
		}
		return 0, err
	}
	known[[2]string{realm, graph.Key(canonical)}] = c.Seq
	return c.Seq, nil
}

// rebuildMentions lets all mentions be noted anew.
func (m *Mind) rebuildMentions(ctx context.Context) error {
	m.miner.mu.Lock()
	defer m.miner.mu.Unlock()
	m.miner.todo.Store(true)
	return m.store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.ClearMentions(); err != nil {
			return err
		}
		return note(tx, notedMentions, readTo{})
	})
}
