package mind

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"chitta/internal/codebase"
	"chitta/internal/embed"
	"chitta/internal/meaning"
	"chitta/internal/recall"
	"chitta/internal/store"
	"chitta/internal/syntax"
	"chitta/internal/vector"
)

// Symbols of indexed projects are embedded in the background, when memories and
// conversations have their vectors: those first that others can use and that a
// comment tells of. Vectors are kept beside code.db; those of a project are in
// memory while it is searched.

const (
	// mostMeant is how many symbols of one project get a vector. As an estimate,
	// that is minutes of one core, and 50 MB while the project is searched.
	mostMeant = 50_000
	// meantSlice is how long one round embeds before other background work has
	// its turn.
	meantSlice = 2 * time.Second
	// meantBatch is how many symbols are stored at once, the most that a crash
	// costs; meantAtOnce of them are embedded at once, which is what the built-in
	// model takes in one pass on one core.
	meantBatch, meantAtOnce = 24, 3
	// meantRest is how long the vectors of a project stay in memory that nobody
	// searches.
	meantRest = 10 * time.Minute
)

// meantRoom keeps what symbols mean.
type meantRoom struct {
	mu      sync.Mutex
	db      *store.CodeVectors // nil until needed
	closed  bool
	shelves map[string]*vector.Index // by root
	rests   map[string]*time.Timer   // drop them
	counts  map[string]CodeMeaning   // by root
	listed  map[string]time.Time     // of projects, as of which change their symbols are listed
	todo    map[string][]int64       // symbols without a vector, the first first
	behind  atomic.Bool              // something is to be done, and can be
}

// codeEncoder is what embeds symbols.
type codeEncoder interface {
	recall.Encoder
	Embed(context.Context, []string) ([][]float32, error)
	Info() embed.Info
}

func modelKey(e codeEncoder) string { return e.Info().ID + " " + e.Info().Hash }

// open opens the database. The caller holds mu.
func (m *Mind) openMeant(ctx context.Context) (*store.CodeVectors, error) {
	r := &m.senses
	if r.closed {
		return nil, context.Canceled
	}
	if r.db != nil && r.db.Lost() {
		r.drop()
	}
	if r.db == nil {
		db, err := store.OpenCodeVectors(ctx, m.Paths().CodeVectors())
		if err != nil {
			return nil, err
		}
		r.db, r.shelves, r.rests, r.counts = db, map[string]*vector.Index{}, map[string]*time.Timer{}, map[string]CodeMeaning{}
		r.listed, r.todo = map[string]time.Time{}, map[string][]int64{}
	}
	return r.db, nil
}

// drop lets go of everything. The caller holds mu.
func (r *meantRoom) drop() error {
	if r.db == nil {
		return nil
	}
	for _, t := range r.rests {
		t.Stop()
	}
	err := r.db.Close()
	r.db, r.shelves = nil, nil
	return err
}

func (r *meantRoom) close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	return r.drop()
}

// rebuildMeant forgets all vectors of symbols; the background makes them again.
func (m *Mind) rebuildMeant() error {
	m.senses.mu.Lock()
	defer m.senses.mu.Unlock()
	return errors.Join(m.senses.drop(), store.RemoveVectors(m.Paths().CodeVectors()))
}

// clearMeant forgets what the symbols of a project mean.
func (m *Mind) clearMeant(ctx context.Context, root string) error {
	if _, err := os.Stat(m.Paths().CodeVectors()); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	r := &m.senses
	r.mu.Lock()
	defer r.mu.Unlock()
	db, err := m.openMeant(ctx)
	if err != nil {
		return err
	}
	delete(r.shelves, root)
	delete(r.counts, root)
	delete(r.listed, root)
	delete(r.todo, root)
	return db.Clear(ctx, root)
}

// embedCode embeds symbols for a while, if memories and conversations have
// nothing to embed.
func (m *Mind) embedCode(ctx context.Context) error {
	m.senses.behind.Store(false)
	base := m.code.there.Load()
	if base == nil || !syntax.Available || m.semantic.Behind() > 0 {
		return nil
	}
	if st := m.semantic.Status(); st.State != meaning.Ready || st.Answering != "" {
		return nil // the next model is about to take over
	}
	_, encoder, err := m.semantic.Ready(store.OwnerMemory)
	e, ok := encoder.(codeEncoder)
	if err != nil || !ok {
		return nil
	}
	err = m.embedProjects(ctx, base, e)
	if errors.Is(err, store.ErrVectorsDamaged) {
		m.opts.Log.Warn("the vectors of source code are damaged and made anew", "error", err)
		err = m.rebuildMeant()
	}
	if errors.Is(err, errLater) {
		m.senses.behind.Store(true)
		return nil
	}
	if err != nil {
		return fmt.Errorf("embed source code: %w", err)
	}
	return nil
}

// errLater ends a round before all is done.
var errLater = errors.New("later")

func (m *Mind) embedProjects(ctx context.Context, base *codebase.Base, e codeEncoder) error {
	projects, err := base.Projects(ctx)
	if err != nil {
		return err
	}
	projects = slices.DeleteFunc(projects, func(p codebase.Project) bool { return p.Indexed.IsZero() })
	if len(projects) == 0 {
		return nil
	}
	// where somebody works first
	slices.SortFunc(projects, func(a, b codebase.Project) int { return b.Changed.Compare(a.Changed) })
	if err := m.beginMeant(ctx, e, projects); err != nil {
		return err
	}
	until := time.Now().Add(meantSlice)
	late := func() error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if time.Now().After(until) || m.semantic.Behind() > 0 {
			return errLater
		}
		return nil
	}
	for _, p := range projects {
		ask, err := base.Ask(ctx, p.Root)
		if errors.Is(err, codebase.ErrUnknown) {
			continue // erased just now
		}
		if err == nil {
			err = m.listMeant(ctx, ask, p.Changed, late)
		}
		for more := true; more && err == nil; {
			if more, err = m.stepMeant(ctx, ask, e); more && err == nil {
				err = late()
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// beginMeant makes sure that the vectors are those of the model, and drops those
// of projects that are gone for good: neither indexed nor on the disk.
func (m *Mind) beginMeant(ctx context.Context, e codeEncoder, projects []codebase.Project) error {
	r := &m.senses
	r.mu.Lock()
	defer r.mu.Unlock()
	db, err := m.openMeant(ctx)
	if err != nil {
		return err
	}
	key, err := db.Model(ctx)
	if err != nil {
		return err
	}
	if key != modelKey(e) {
		if err := db.Begin(ctx, modelKey(e)); err != nil {
			return err
		}
		clear(r.shelves)
		clear(r.listed)
		clear(r.counts)
	}
	roots, err := db.Roots(ctx)
	for _, root := range roots {
		if isFolder(root) || slices.ContainsFunc(projects, func(p codebase.Project) bool { return p.Root == root }) {
			continue
		}
		if err := db.Clear(ctx, root); err != nil {
			return err
		}
	}
	return err
}

// listMeant brings the list of symbols that are to have a vector up to date.
func (m *Mind) listMeant(ctx context.Context, ask *codebase.Ask, changed time.Time, late func() error) error {
	r, root := &m.senses, ask.Root()
	r.mu.Lock()
	db, err := m.openMeant(ctx)
	done := err == nil && r.listed[root].Equal(changed)
	r.mu.Unlock()
	if err != nil || done {
		return err
	}
	marks, err := db.Marks(ctx, root)
	if err != nil {
		return err
	}
	put := func(files []store.MeantFile, gone []string) error {
		r.mu.Lock()
		defer r.mu.Unlock()
		lost, err := db.PutFiles(ctx, root, files, gone)
		if err != nil {
			return err
		}
		return r.unshelve(root, lost)
	}
	gone, err := ask.EachMeant(ctx, marks, func(files []codebase.MeantFile) error {
		if err := put(meantFiles(files), nil); err != nil {
			return err
		}
		return late()
	})
	if err == nil && len(gone) > 0 {
		err = put(nil, gone)
	}
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	lost, err := db.Bound(ctx, root, mostMeant)
	if err != nil {
		return err
	}
	if r.todo[root], err = db.Wanting(ctx, root, mostMeant); err != nil {
		return err
	}
	r.listed[root] = changed
	delete(r.counts, root)
	return r.unshelve(root, lost)
}

// unshelve takes symbols out of memory. The caller holds mu.
func (r *meantRoom) unshelve(root string, lost []int64) error {
	index := r.shelves[root]
	if index == nil || len(lost) == 0 {
		return nil
	}
	ids := make([]uint64, len(lost))
	for i, id := range lost {
		ids[i] = uint64(id)
	}
	return index.Apply(nil, ids)
}

func meantFiles(files []codebase.MeantFile) []store.MeantFile {
	out := make([]store.MeantFile, len(files))
	for i := range files {
		f := &files[i]
		out[i] = store.MeantFile{Path: f.Path, Made: f.Made}
		for j := range f.Symbols {
			s := &f.Symbols[j]
			out[i].Symbols = append(out[i].Symbols, store.MeantSymbol{
				ID: s.Number(), Text: hashOf(symbolText(&s.Symbol)), Rank: s.Rank, Kind: s.Kind, Lang: s.Lang,
			})
		}
	}
	return out
}

func hashOf(text string) int64 {
	sum := sha256.Sum256([]byte(text))
	return int64(binary.LittleEndian.Uint64(sum[:]))
}

// stepMeant embeds the next symbols of a project and reports whether there are
// more.
func (m *Mind) stepMeant(ctx context.Context, ask *codebase.Ask, e codeEncoder) (more bool, err error) {
	r, root := &m.senses, ask.Root()
	r.mu.Lock()
	todo := r.todo[root]
	r.mu.Unlock()
	if len(todo) == 0 {
		return false, nil
	}
	batch := todo[:min(len(todo), meantBatch)]
	symbols, err := ask.Numbered(ctx, batch)
	if err != nil {
		return false, err
	}
	put := make([]store.CodeVector, len(symbols))
	texts := make([]string, len(symbols))
	for i := range symbols {
		s := &symbols[i]
		texts[i] = symbolText(s)
		put[i] = store.CodeVector{ID: s.Number(), Text: hashOf(texts[i]), Kind: s.Kind, Lang: s.Lang}
	}
	if err := embedEach(ctx, e, texts, func(i int, v []float32) { put[i].Vector = v }); err != nil {
		return false, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	db, err := m.openMeant(ctx)
	if err != nil {
		return false, err
	}
	if err := db.Put(ctx, put); err != nil {
		return false, err
	}
	if c, ok := r.counts[root]; ok {
		c.Have = min(c.Want, c.Have+len(batch))
		r.counts[root] = c
	}
	if r.todo[root] != nil {
		r.todo[root] = r.todo[root][len(batch):]
	}
	if index := r.shelves[root]; index != nil {
		return len(r.todo[root]) > 0, index.Apply(meantItems(put), nil)
	}
	return len(r.todo[root]) > 0, nil
}

// embedEach embeds texts, a few at once. One that the model refuses has no
// vector, and does not hold up the others.
func embedEach(ctx context.Context, e codeEncoder, texts []string, set func(i int, v []float32)) error {
	for at := 0; at < len(texts); at += meantAtOnce {
		part := texts[at:min(at+meantAtOnce, len(texts))]
		made, err := e.Embed(ctx, part)
		for i := range part {
			if err != nil && len(part) > 1 { // which of them is it?
				one, oneErr := e.Embed(ctx, part[i:i+1])
				if oneErr != nil && !refuses(oneErr) {
					return oneErr
				}
				if oneErr == nil {
					set(at+i, one[0])
				}
			} else if err == nil {
				set(at+i, made[i])
			} else if !refuses(err) {
				return err
			}
		}
	}
	return nil
}

// refuses reports whether an error of a model is about the text it was given.
func refuses(err error) bool {
	var resting *embed.BreakerError
	return !errors.As(err, &resting) && (errors.Is(err, embed.ErrRejected) || errors.Is(err, embed.ErrBadVector))
}

func meantItems(list []store.CodeVector) []vector.Item {
	out := make([]vector.Item, 0, len(list))
	for _, x := range list {
		if x.Vector != nil {
			out = append(out, vector.Item{ID: uint64(x.ID), Vector: x.Vector, Labels: []string{kindLabel + x.Kind, langLabel + x.Lang}})
		}
	}
	return out
}

// Labels that a search by meaning is narrowed with.
const kindLabel, langLabel = "kind=", "lang="

// shelf returns the vectors of a project in memory, loaded if need be. The
// caller holds mu.
func (r *meantRoom) shelf(ctx context.Context, root string, dims int) (*vector.Index, error) {
	if index := r.shelves[root]; index != nil {
		r.rests[root].Reset(meantRest)
		return index, nil
	}
	index, err := vector.New(vector.Options{Dims: dims})
	if err != nil {
		return nil, err
	}
	var batch []store.CodeVector
	err = r.db.Each(ctx, root, dims, func(x store.CodeVector) error {
		if batch = append(batch, x); len(batch) < shelfBatch {
			return nil
		}
		err := index.Apply(meantItems(batch), nil)
		batch = batch[:0]
		return err
	})
	if err == nil {
		err = index.Apply(meantItems(batch), nil)
	}
	if err != nil {
		return nil, err
	}
	r.shelves[root] = index
	r.rests[root] = time.AfterFunc(meantRest, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.shelves[root] == index {
			delete(r.shelves, root)
		}
	})
	return index, nil
}

// shelfBatch is how many vectors are put into memory at once.
const shelfBatch = 1000

const (
	// symbolDocRunes and symbolSignRunes are how much of a comment and of a
	// signature is embedded: what a symbol is for is said first, and the time
	// grows with the text.
	symbolDocRunes, symbolSignRunes = 200, 100
)

// symbolText is what of a symbol has a meaning: its kind, its name in words, what
// its comment begins with, its signature.
func symbolText(s *codebase.Symbol) string {
	var b strings.Builder
	b.WriteString(s.Kind + " " + strings.Join(codebase.NameWords(s.Path), " "))
	if s.Doc != "" {
		doc, _, _ := strings.Cut(s.Doc, "\n\n")
		b.WriteString(". " + firstRunes(strings.Join(strings.Fields(doc), " "), symbolDocRunes))
	}
	if sign := cmp.Or(s.Signature, s.Name); sign != "" {
		b.WriteString("\n" + firstRunes(sign, symbolSignRunes))
	}
	return b.String()
}
