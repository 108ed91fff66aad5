package follow

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"chitta/internal/causal"
	"chitta/internal/store"
	"chitta/internal/vector"
)

// Linker keeps the edges between chunks in step with the chunks. It follows
// their sequence of changes in small slices; each slice and how far it has come
// are written together, so a crash costs at most a slice. Edges are derived:
// what leaves a chunk depends only on what the store holds, so making them in
// any order, or anew, comes to the same.
type Linker struct {
	store   *store.Store
	settled Settled

	mu      sync.Mutex // one slice at a time; guards what follows
	anew    int64      // while all edges are made for the first time: the last change there was when that began
	lookups atomic.Int64
	todo    atomic.Int64 // changes still to follow, as last seen
}

const (
	// linkSlice is how many changed chunks are looked at in one transaction.
	linkSlice = 200
	// linkTime is how long one round goes on before other background work gets
	// its turn.
	linkTime = 2 * time.Second

	// hubTouches is how often a file may be touched before sharing it says
	// little; from there on its edges lose weight. hubCounted is where counting
	// ends: beyond it weights are all the same.
	hubTouches = 200
	hubCounted = 4000

	notedEdges  = "edges"  // key of how far the edges have come
	notedTopics = "topics" // and of those by meaning
)

// Settled returns the vectors of chunks when all of them are there, what made
// them, and up to which change of the chunks. ok is false while some are
// missing.
type Settled func() (index *vector.Index, model string, rev int64, ok bool)

// NewLinker makes the linker of a store's chunks.
func NewLinker(s *store.Store, settled Settled) *Linker {
	return &Linker{store: s, settled: settled}
}

// Maintain follows the chunks for a while.
func (l *Linker) Maintain(ctx context.Context) error {
	for begin := time.Now(); ; {
		more, err := l.step(ctx)
		if err != nil {
			return fmt.Errorf("link chunks: %w", err)
		}
		if !more {
			break
		}
		if time.Since(begin) > linkTime {
			return nil
		}
	}
	if err := l.topics(ctx); err != nil {
		return fmt.Errorf("link chunks by topic: %w", err)
	}
	return nil
}

// Behind reports whether there is more to follow.
func (l *Linker) Behind() bool { return l.todo.Load() > 0 }

// Rebuild lets all edges be made again.
func (l *Linker) Rebuild(ctx context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.todo.Store(1)
	return l.store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.ClearEdges(); err != nil {
			return err
		}
		if err := tx.SetNote(notedTopics, ""); err != nil {
			return err
		}
		return tx.SetNote(notedEdges, "0")
	})
}

// position reads how far something has come.
func (l *Linker) position(ctx context.Context, key string) (int64, error) {
	text, err := l.store.Note(ctx, key)
	if err != nil || text == "" {
		return 0, err
	}
	rev, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, nil // not ours: begin again
	}
	return rev, nil
}

// step follows one slice of changes and reports whether there may be more.
func (l *Linker) step(ctx context.Context) (more bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return false, err
	}
	done, err := l.position(ctx, notedEdges)
	if err != nil {
		return false, err
	}
	last, err := l.store.LastChunkRev(ctx)
	if err != nil {
		return false, err
	}
	if done > last {
		done = 0 // chunks of another time
	}
	changed, err := l.store.PlacesAfter(ctx, done, linkSlice)
	if err != nil || len(changed) == 0 {
		l.todo.Store(0)
		return false, err
	}
	if done == 0 {
		l.anew = last
	}
	s := slice{Linker: l, ctx: ctx, done: done, anew: changed[len(changed)-1].Rev <= l.anew, batch: map[int64]bool{}, realms: map[int64]string{}, roots: map[string][]string{},
		variants: map[string][]string{}, hubs: map[string]float64{}}
	if err := s.look(changed); err != nil {
		return false, err
	}
	end := changed[len(changed)-1].Rev
	if err := l.store.Write(ctx, func(tx *store.Tx) error { return s.write(tx, end) }); err != nil {
		return false, err
	}
	l.todo.Store(last - end)
	return len(changed) == linkSlice, nil
}

// slice is one step of a linker: what it reads, and the edges it makes of it.
type slice struct {
	*Linker
	ctx  context.Context
	done int64 // changes up to here were followed before
	anew bool  // and those who followed them saw everything in this slice

	batch    map[int64]bool // chunks that changed
	gone     []int64
	sources  []int64 // chunks whose edges to the next are made again
	edges    []store.Edge
	threads  []agentEdges
	realms   map[int64]string    // by session
	roots    map[string][]string // by realm
	variants map[string][]string // by realm and path: names of the same file
	hubs     map[string]float64  // by path
}

// look finds the edges of chunks that changed, and of those before them whose
// edges lead to others now.
func (s *slice) look(changed []store.Chunk) error {
	var seqs []int64
	for _, c := range changed {
		s.batch[c.Seq] = true
		seqs = append(seqs, c.Seq)
		if c.Gone {
			s.gone = append(s.gone, c.Seq)
		} else {
			s.sources = append(s.sources, c.Seq)
		}
	}
	if err := s.loadRealms(changed); err != nil {
		return err
	}
	touched, err := s.store.TouchesOf(s.ctx, seqs)
	if err != nil {
		return err
	}
	if !s.anew {
		if err := s.addBefore(touched); err != nil {
			return err
		}
	}
	var rest []int64
	for _, seq := range s.sources {
		if !s.batch[seq] {
			rest = append(rest, seq)
		}
	}
	more, err := s.store.TouchesOf(s.ctx, rest)
	if err != nil {
		return err
	}
	for _, seq := range s.sources {
		list := touched[seq]
		if !s.batch[seq] {
			list = more[seq]
		}
		if err := s.follow(seq, list); err != nil {
			return err
		}
	}
	return s.lookAtThreads(changed)
}

func (s *slice) loadRealms(changed []store.Chunk) error {
	var sessions []int64
	for _, c := range changed {
		if !slices.Contains(sessions, c.Session) {
			sessions = append(sessions, c.Session)
		}
	}
	found, err := s.store.SessionsBySeq(s.ctx, sessions)
	for seq, x := range found {
		s.realms[seq] = x.Realm
	}
	return err
}

func (s *slice) realmOf(session int64) (string, error) {
	if r, ok := s.realms[session]; ok {
		return r, nil
	}
	found, err := s.store.SessionsBySeq(s.ctx, []int64{session})
	s.realms[session] = found[session].Realm
	return s.realms[session], err
}

// Counted says whether a touch counts: a search names directories and patterns
// more than files, and a failed call did nothing.
func Counted(t *store.Touch) bool { return !t.Failed && t.Action != "search" }

// addBefore adds the chunks that touched the same files last before. Those that
// changed themselves are looked at anyway, now or in a later slice.
func (s *slice) addBefore(touched map[int64][]store.Touch) error {
	known := map[int64]bool{}
	for chunk, list := range touched {
		seen := map[string]bool{}
		for i := range list {
			t := &list[i]
			if !Counted(t) || seen[t.Path] {
				continue
			}
			seen[t.Path] = true
			before, err := s.nearest(t, true)
			if err != nil {
				return err
			}
			if seq := before.Chunk; seq != 0 && seq != chunk && !s.batch[seq] {
				known[seq] = true
			}
		}
	}
	if len(known) == 0 {
		return nil
	}
	var seqs []int64
	for seq := range known {
		seqs = append(seqs, seq)
	}
	chunks, err := s.store.ChunksBySeq(s.ctx, seqs)
	if err != nil {
		return err
	}
	for seq, c := range chunks {
		if c.Rev <= s.done {
			s.sources = append(s.sources, seq)
		}
	}
	slices.Sort(s.sources)
	return nil
}

// follow makes the edges from a chunk to those that touch its files next: one
// for each file, to one chunk.
func (s *slice) follow(seq int64, list []store.Touch) error {
	last := map[string]*store.Touch{}
	var order []string
	for i := range list {
		if t := &list[i]; Counted(t) {
			if last[t.Path] == nil {
				order = append(order, t.Path)
			}
			last[t.Path] = t
		}
	}
	weights := map[int64]float64{}
	for _, file := range order {
		next, err := s.nearest(last[file], false)
		if err != nil {
			return err
		}
		if next.Chunk == 0 || next.Chunk == seq {
			continue
		}
		w, err := s.weight(file)
		if err != nil {
			return err
		}
		weights[next.Chunk] = max(weights[next.Chunk], w)
	}
	for target, w := range weights {
		s.edges = append(s.edges, store.Edge{Source: seq, Target: target, Kind: string(causal.FilePath), Weight: w})
	}
	return nil
}

// nearest returns the touch of the same file that comes next, or before, under
// whatever name.
func (s *slice) nearest(t *store.Touch, before bool) (store.Touch, error) {
	realm, err := s.realmOf(t.Session)
	if err != nil {
		return store.Touch{}, err
	}
	names, err := s.namesOf(realm, t.Path)
	if err != nil {
		return store.Touch{}, err
	}
	var best store.Touch
	for _, name := range names {
		s.lookups.Add(1)
		found, err := s.store.NextTouch(s.ctx, realm, name, t, before)
		if err != nil {
			return best, err
		}
		if found.Chunk == 0 {
			continue
		}
		if best.Chunk == 0 || before && beforeTouch(&best, &found) || !before && beforeTouch(&found, &best) {
			best = found
		}
	}
	return best, nil
}

// beforeTouch orders touches in time.
func beforeTouch(a, b *store.Touch) bool {
	if !a.Time.Equal(b.Time) {
		return a.Time.Before(b.Time)
	}
	return a.Message < b.Message || a.Message == b.Message && a.N < b.N
}

// namesOf returns the names that a file goes by: a project may lie in several
// clones and worktrees.
func (s *slice) namesOf(realm, file string) ([]string, error) {
	key := realm + "\x00" + file
	if names, ok := s.variants[key]; ok {
		return names, nil
	}
	roots, err := s.rootsOf(realm)
	if err != nil {
		return nil, err
	}
	names := []string{file}
	if rel, ok := RelativeTo(roots, file); ok {
		var others []string
		for _, root := range append([]string{""}, roots...) {
			if name := path.Join(root, rel); name != file {
				others = append(others, name)
			}
		}
		s.lookups.Add(1)
		touched, err := s.store.Touched(s.ctx, others)
		if err != nil {
			return nil, err
		}
		names = append(names, touched...)
	}
	s.variants[key] = names
	return names, nil
}

func (s *slice) rootsOf(realm string) ([]string, error) {
	if roots, ok := s.roots[realm]; ok {
		return roots, nil
	}
	roots, err := RealmRoots(s.ctx, s.store, realm)
	s.roots[realm] = roots
	return roots, err
}

// weight is what sharing a file says: less when everybody touches it.
func (s *slice) weight(file string) (float64, error) {
	if w, ok := s.hubs[file]; ok {
		return w, nil
	}
	s.lookups.Add(1)
	n, err := s.store.CountTouches(s.ctx, file, hubCounted)
	w := min(1, float64(hubTouches)/float64(max(1, n)))
	s.hubs[file] = w
	return w, err
}

// write puts the edges in the place of those that were.
func (s *slice) write(tx *store.Tx, end int64) error {
	for _, seq := range s.gone {
		if err := tx.DropEdges(seq); err != nil {
			return err
		}
	}
	for _, seq := range s.sources {
		if err := tx.DropEdgesFrom(seq, string(causal.FilePath)); err != nil {
			return err
		}
	}
	edges := s.edges
	for _, t := range s.threads {
		if err := tx.DropThreadEdges(t.session, t.agent, string(causal.Spawn), string(causal.Merge)); err != nil {
			return err
		}
		edges = append(edges, t.edges...)
	}
	for _, e := range edges {
		if err := tx.PutEdge(e); err != nil {
			return err
		}
	}
	return tx.SetNote(notedEdges, strconv.FormatInt(end, 10))
}
