package mind

import (
	"context"
	"errors"
	"fmt"
	"slices"
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
// Facts are looked for as well: those written in notation, and relations
// between what linked texts are about. All facts of it bear the job's name, so
// that they can be taken back as one.
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

	// turnSlices is how many slices are read at the end of a turn: what was
	// remembered in it, and what was said.
	turnSlices = 3
	// turnChunks is how many chunks may wait for that: a long turn has some
	// dozens. More come with an import, whose texts are to be found by words
	// first.
	turnChunks = 60

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
	return m.mineFor(ctx, mineTime, m.opts.Config.Graph.Mine)
}

// mineFor goes on slice by slice until nothing is left or time is up. facts
// says whether facts are looked for, or only mentions.
func (m *Mind) mineFor(ctx context.Context, most time.Duration, facts bool) error {
	for begin := time.Now(); ; {
		m.miner.mu.Lock()
		more, err := m.mineOnce(ctx, facts)
		m.miner.mu.Unlock()
		m.miner.todo.Store(more && err == nil)
		if err != nil {
			return fmt.Errorf("read for the knowledge graph: %w", err)
		}
		if !more || time.Since(begin) > most {
			return nil
		}
	}
}

// mineTurn reads what a turn has brought as soon as it is stored. What is more
// than a turn, as when a history is imported, is left to the background; so is
// everything while that is at work.
func (m *Mind) mineTurn(ctx context.Context) {
	if !m.miner.mu.TryLock() {
		m.miner.todo.Store(true)
		return
	}
	defer m.miner.mu.Unlock()
	at, err := store.Noted[readTo](ctx, m.store, notedMentions)
	var last int64
	if err == nil {
		last, err = m.store.LastChunkRev(ctx)
	}
	more := last-at.Chunks <= turnChunks
	for slice := 0; err == nil && more && slice < turnSlices; slice++ {
		more, err = m.mineTexts(ctx, m.opts.Config.Graph.Mine)
	}
	if err != nil && ctx.Err() == nil {
		m.opts.Log.Warn("a turn was not read for the knowledge graph; the background tries again", "error", err)
	}
	m.miner.todo.Store(true) // links are still to be looked at
}

// mineOnce takes the next slice of texts or, when those are done, of links.
func (m *Mind) mineOnce(ctx context.Context, facts bool) (more bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	more, err = m.mineTexts(ctx, facts)
	if err != nil || more || !facts {
		return more, err
	}
	return m.mineLinks(ctx)
}

// batch is the next changed memories or, when there are none, chunks.
type batch struct {
	memories []store.Record
	chunks   []store.Chunk
	dirs     map[int64]store.Session // where the chunks' sessions worked

	stating map[int64][]graph.Statement // by chunk: what its text states, read once
}

// statements returns the notation in the text of a chunk.
func (b *batch) statements(c *store.Chunk) []graph.Statement {
	found, read := b.stating[c.Seq]
	if !read {
		if b.stating == nil {
			b.stating = map[int64][]graph.Statement{}
		}
		found, _ = graph.ParseSaid(c.Text)
		b.stating[c.Seq] = found
	}
	return found
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

// mineTexts reads the next slice of texts: what they name, and what they state
// if facts are looked for. Both go hand in hand, but for what has been read for
// one of them only.
func (m *Mind) mineTexts(ctx context.Context, facts bool) (more bool, err error) {
	begin := time.Now()
	at, err := store.Noted[readTo](ctx, m.store, notedMentions)
	if err != nil {
		return false, err
	}
	job, err := m.job(ctx)
	if err != nil {
		return false, err
	}
	reading := facts && job.on()
	from := at
	b, err := m.next(ctx, &at)
	if err != nil {
		return false, err
	}
	var s textSlice
	if b.len() > 0 {
		s.names, s.at = namedIn(&b, reading), &at
		if s.moved, err = m.followPassages(ctx, &b, &job); err != nil {
			return false, err
		}
	} else if reading {
		from = job.Read // behind what was read for names
		next := job.Read
		if b, err = m.next(ctx, &next); err != nil {
			return false, err
		}
		at = next
		s.names = namedIn(&b, true) // what its notation speaks of was left out before
	}
	if b.len() == 0 {
		return false, nil
	}
	if reading && job.Read == from {
		if s.found, err = m.notationOf(ctx, &b, job.Job); err != nil {
			return false, err
		}
		job.Memories += len(b.memories)
		job.Chunks += len(b.chunks)
		job.Read, s.job, s.begin = at, &job, begin
	}
	if err := m.storeTexts(ctx, &b, &s); err != nil {
		return false, err
	}
	if len(s.found)+len(s.moved) > 0 {
		m.net.Follow(ctx)
	}
	return true, nil
}

// textSlice is what was read in a batch of texts, to be stored as one.
type textSlice struct {
	names []named
	at    *readTo // up to where names are noted then, nil = no further
	moved []movedEvidence
	found []finding
	job   *mining // that found them, nil = none
	begin time.Time
}

// named says what a text names.
type named struct {
	owner store.Owner
	item  int64
	realm string
	names []conceptRef
}

// conceptRef is a canonical name and its key.
type conceptRef struct{ name, key string }

// namedIn finds what the texts of a batch name. What conversations speak of in
// notation counts only while facts are looked for; that of memories are facts in
// any case.
func namedIn(b *batch, facts bool) (list []named) {
	for i := range b.memories {
		r := &b.memories[i]
		x := named{owner: store.OwnerMemory, item: r.Seq, realm: r.Realm}
		if r.Erased.IsZero() {
			found, _ := graph.Parse(r.Content)
			x.names = namesIn(r.Content, "", found)
		}
		list = append(list, x)
	}
	for i := range b.chunks {
		c := &b.chunks[i]
		if c.Gone { // it lost its mentions with its text
			continue
		}
		var stated []graph.Statement
		if facts {
			stated = b.statements(c)
		}
		list = append(list, named{store.OwnerChunk, c.Seq, c.Realm, namesIn(c.Text, b.dirs[c.Session].Cwd, stated)})
	}
	return list
}

// storeTexts stores what was read, and how far.
func (m *Mind) storeTexts(ctx context.Context, b *batch, s *textSlice) error {
	return m.store.Write(ctx, func(tx *store.Tx) error {
		standing, err := tx.Standing(b.rows())
		if err != nil {
			return err
		}
		for _, x := range s.moved {
			if err := x.store(tx); err != nil {
				return err
			}
		}
		// facts come before names, so that the concepts they bring are counted
		if err := m.storeFindings(tx, s.found, standing, s.job); err != nil {
			return err
		}
		if err := m.storeNames(tx, s.names, standing); err != nil {
			return err
		}
		if s.job != nil {
			s.job.Seconds += time.Since(s.begin).Seconds()
			if err := tx.SetNoted(notedMining, s.job); err != nil {
				return err
			}
		}
		if s.at == nil {
			return nil
		}
		return tx.SetNoted(notedMentions, s.at)
	})
}

// storeNames notes what texts name, but for chunks that were dropped since they
// were read.
func (m *Mind) storeNames(tx *store.Tx, list []named, standing map[int64]bool) error {
	known, err := conceptsOf(tx, list)
	if err != nil {
		return err
	}
	for _, x := range list {
		if x.owner == store.OwnerChunk && !standing[x.item] {
			continue
		}
		var concepts []int64
		for _, n := range x.names {
			at := [2]string{x.realm, n.key}
			if known[at] == 0 {
				c := store.Concept{Realm: x.realm, Name: n.name, Key: n.key, Confidence: mentionConfidence, Created: m.now()}
				if err := tx.AddConcept(&c); errors.As(err, new(*store.FactError)) {
					continue // not sound text: nobody will ask for it
				} else if err != nil {
					return err
				}
				known[at] = c.Seq
			}
			concepts = append(concepts, known[at])
		}
		put := tx.SetMentions
		if x.owner == store.OwnerChunk {
			put = tx.AddMentions // a chunk is never changed, only dropped
		}
		if err := put(x.owner, x.item, concepts); err != nil {
			return err
		}
	}
	return nil
}

// conceptsOf returns the concepts that are named and known already, by realm and
// key.
func conceptsOf(tx *store.Tx, list []named) (map[[2]string]int64, error) {
	keys := map[string][]string{}
	for _, x := range list {
		for _, n := range x.names {
			keys[x.realm] = append(keys[x.realm], n.key)
		}
	}
	known := map[[2]string]int64{}
	for realm, list := range keys {
		rows, err := tx.ConceptRows(realm, list)
		if err != nil {
			return nil, err
		}
		for key, seq := range rows {
			known[[2]string{realm, key}] = seq
		}
	}
	return known, nil
}

// namesIn returns what a text names: files, symbols, and the concepts of the
// notation in it. What cannot be a name is left out.
func namesIn(text, dir string, statements []graph.Statement) (names []conceptRef) {
	add := func(name string) {
		canonical, err := graph.CanonicalName(name)
		key := graph.Key(canonical)
		if err == nil && key != "" && !slices.ContainsFunc(names, func(n conceptRef) bool { return n.key == key }) {
			names = append(names, conceptRef{canonical, key})
		}
	}
	for _, n := range mine.Mentions(text, dir) {
		add(n.Name)
	}
	for _, s := range statements {
		add(s.Subject)
		add(s.Object)
	}
	return names
}

// mentionConfidence is that of a concept of which only a name is known.
const mentionConfidence = 0.5

// rebuildMentions lets all mentions be noted anew.
func (m *Mind) rebuildMentions(ctx context.Context) error {
	m.miner.mu.Lock()
	defer m.miner.mu.Unlock()
	m.miner.todo.Store(true)
	return m.store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.ClearMentions(); err != nil {
			return err
		}
		return tx.SetNoted(notedMentions, readTo{})
	})
}
