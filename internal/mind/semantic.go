package mind

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"chitta/internal/config"
	"chitta/internal/embed"
	"chitta/internal/recall"
	"chitta/internal/store"
	"chitta/internal/vector"
)

// semantic keeps the vectors of memories in step with the store. Like the
// keyword index it follows the store's sequence of changes: what comes after
// the last position is embedded, a batch at a time, in the background.
type semantic struct {
	cfg   config.Model
	path  string
	store *store.Store
	log   *slog.Logger
	now   func() time.Time

	mu      sync.Mutex // one batch at a time
	vectors *store.Vectors
	model   store.VectorModel

	closeModel func() error

	state    sync.RWMutex // guards what follows
	embedder *embed.Embedder
	index    *vector.Index // nil until the stored vectors are loaded
	err      error         // why there is no index
	todo     int64
	total    int64
}

// embedBatch is how many changes are looked at in one step; the embedder makes
// its own batches of them.
const embedBatch = 64

const (
	// embedSlice is how long one round of embedding goes on before other
	// background work gets its turn.
	embedSlice = 5 * time.Second
	// embedPause is how soon the next round follows, or how long a failed one
	// is left alone.
	embedPause = 2 * time.Second
)

var (
	errLoading   = errors.New("vectors are being loaded")
	errNoVectors = fmt.Errorf("%w: model.use is none", recall.ErrOff)
)

func newSemantic(cfg config.Config, s *store.Store, log *slog.Logger, now func() time.Time) *semantic {
	return &semantic{cfg: cfg.Model, path: cfg.Paths().Vectors(), store: s, log: log, now: now, err: errLoading}
}

// open chooses the model. Nothing is loaded yet; that is left to the
// background, and until then recall works on words alone and says so.
func (s *semantic) open(ctx context.Context) {
	model, err := openModel(s.cfg)
	if err != nil {
		s.off(err)
		return
	}
	vectors, err := store.OpenVectors(ctx, s.path)
	if err != nil {
		s.off(errors.Join(err, model.Close()))
		return
	}
	s.vectors, s.closeModel = vectors, model.Close
	s.state.Lock()
	s.embedder = embed.New(model, embed.Options{Now: s.now})
	s.state.Unlock()
}

func (s *semantic) off(err error) {
	if errors.Is(err, embed.ErrNoModel) {
		err = fmt.Errorf("%w: %w", recall.ErrOff, err)
	}
	if !errors.Is(err, recall.ErrOff) && !errors.Is(err, errLoading) {
		s.log.Error("no search by meaning", "error", err)
	}
	s.state.Lock()
	defer s.state.Unlock()
	s.index, s.err = nil, err
}

func openModel(cfg config.Model) (embed.Model, error) {
	kind, rest, _ := strings.Cut(cfg.Use, ":")
	switch {
	case cfg.Use == "none":
		return nil, errNoVectors
	case cfg.Use == "builtin":
		return embed.Builtin()
	case filepath.IsAbs(cfg.Use):
		return embed.OpenFolder(cfg.Use)
	case kind == "ollama":
		return embed.Endpoint(kind, "", rest, embed.EndpointOptions{Timeout: cfg.Timeout})
	default:
		return embed.Endpoint(kind, rest, cfg.Name, embed.EndpointOptions{Timeout: cfg.Timeout, KeyEnv: cfg.KeyVariable})
	}
}

// ready returns what a search by meaning needs, or why there is none.
func (s *semantic) ready() (*vector.Index, recall.Encoder, error) {
	s.state.RLock()
	defer s.state.RUnlock()
	if s.index == nil {
		return nil, nil, s.err
	}
	return s.index, s.embedder, nil
}

// maintain loads the stored vectors if that is still to be done, then embeds
// what changed since, for a while: other work waits meanwhile.
func (s *semantic) maintain(ctx context.Context) error {
	for begin := time.Now(); ; {
		todo, err := s.round(ctx)
		if err != nil {
			return err
		}
		if todo == 0 || time.Since(begin) > embedSlice {
			return nil
		}
	}
}

// round is one step with the lock held, so that nobody waits for longer than
// a batch takes.
func (s *semantic) round(ctx context.Context) (todo int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.vectors == nil {
		return 0, nil // off; said when it happened
	}
	if _, _, err := s.ready(); err != nil {
		if err := s.load(ctx); err != nil {
			s.off(err)
			return 0, fmt.Errorf("load vectors: %w", err)
		}
	}
	if todo, err = s.step(ctx); err != nil {
		return 0, fmt.Errorf("embed: %w", err)
	}
	return todo, nil
}

// behindBy returns how many changes are still to be embedded.
func (s *semantic) behindBy() int64 {
	s.state.RLock()
	defer s.state.RUnlock()
	if s.index == nil && !errors.Is(s.err, errLoading) {
		return 0 // off
	}
	return s.todo
}

// load fills the index from the stored vectors of the present model.
func (s *semantic) load(ctx context.Context) error {
	info := s.embedder.Info()
	if info.Dims == 0 { // an endpoint tells with its first answer
		if _, err := s.embedder.Query(ctx, "dimensions"); err != nil {
			return err
		}
		info = s.embedder.Info()
	}
	// vectors made from another database are not this one's
	hash := info.Hash + "/" + s.store.Identity()
	model, err := s.vectors.Model(ctx, info.ID, hash, info.Dims, s.now())
	if err != nil {
		return err
	}
	last, err := s.store.LastRev(ctx)
	if err != nil {
		return err
	}
	if model.Position > last {
		// The store is older than the vectors: a backup was put in place.
		if err := s.vectors.Forget(ctx, 0); err != nil {
			return err
		}
		if model, err = s.vectors.Model(ctx, info.ID, hash, info.Dims, s.now()); err != nil {
			return err
		}
	}
	index, err := vector.New(vector.Options{Dims: info.Dims})
	if err != nil {
		return err
	}
	var batch []store.Vector
	flush := func() error {
		err := s.add(ctx, index, batch)
		batch = batch[:0]
		return err
	}
	err = s.vectors.Each(ctx, model, store.OwnerMemory, func(v store.Vector) error {
		if batch = append(batch, v); len(batch) < followBatch {
			return nil
		}
		return flush()
	})
	if err == nil {
		err = flush()
	}
	if errors.Is(err, store.ErrDamaged) {
		s.log.Warn("vectors are made anew", "reason", err)
		if err := s.vectors.Forget(ctx, 0); err != nil {
			return err
		}
		return s.load(ctx)
	}
	if err != nil {
		return err
	}
	s.model = model
	s.state.Lock()
	s.index, s.err = index, nil
	s.state.Unlock()
	return s.vectors.Forget(ctx, model.ID)
}

// add puts stored vectors into the index with the labels their memories have
// now.
func (s *semantic) add(ctx context.Context, index *vector.Index, vectors []store.Vector) error {
	seqs := make([]int64, len(vectors))
	for i, v := range vectors {
		seqs[i] = v.Seq
	}
	records, err := s.store.BySeq(ctx, seqs)
	if err != nil {
		return err
	}
	var items []vector.Item
	for _, v := range vectors {
		if r, ok := records[v.Seq]; ok && r.Erased.IsZero() {
			items = append(items, vectorItem(&r, v.Vector))
		}
	}
	return index.Apply(items, nil)
}

func vectorItem(r *store.Record, v []float32) vector.Item {
	return vector.Item{ID: uint64(r.Seq), Vector: v, Labels: recall.Labels(&r.Memory), Time: r.Created.UnixMilli()}
}

// step embeds the next changes and returns how many there were.
func (s *semantic) step(ctx context.Context) (int, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	if err := s.behind(ctx); err != nil {
		return 0, err
	}
	records, err := s.store.List(ctx, store.Filter{ByRev: true, After: s.model.Position, Limit: embedBatch, Erased: true})
	if err != nil || len(records) == 0 {
		return 0, err
	}
	seqs := make([]int64, len(records))
	for i := range records {
		seqs[i] = records[i].Seq
	}
	known, err := s.vectors.Texts(ctx, s.model.ID, store.OwnerMemory, seqs)
	if err != nil {
		return 0, err
	}
	var fresh []*store.Record
	var texts []string
	var gone []int64
	var goneIDs []uint64
	for i := range records {
		r := &records[i]
		switch {
		case !r.Erased.IsZero():
			gone, goneIDs = append(gone, r.Seq), append(goneIDs, uint64(r.Seq))
		case known[r.Seq] == r.Hash:
			s.index.Relabel(uint64(r.Seq), recall.Labels(&r.Memory), r.Created.UnixMilli())
		default:
			fresh, texts = append(fresh, r), append(texts, r.Content)
		}
	}
	vectors, err := s.embedder.Embed(ctx, texts)
	if err != nil {
		return 0, err
	}
	put := make([]store.Vector, len(fresh))
	items := make([]vector.Item, len(fresh))
	for i, r := range fresh {
		put[i] = store.Vector{Seq: r.Seq, Text: r.Hash, Vector: vectors[i]}
		items[i] = vectorItem(r, vectors[i])
	}
	position := records[len(records)-1].Rev
	if err := s.vectors.Put(ctx, s.model.ID, store.OwnerMemory, put, gone, position); err != nil {
		return 0, err
	}
	s.model.Position = position
	return len(records), errors.Join(s.index.Apply(items, goneIDs), s.behind(ctx))
}

func (s *semantic) behind(ctx context.Context) error {
	last, err := s.store.LastRev(ctx)
	if err != nil {
		return err
	}
	s.state.Lock()
	defer s.state.Unlock()
	if s.todo = last - s.model.Position; s.todo == 0 {
		s.total = 0
	} else {
		s.total = max(s.total, s.todo)
	}
	return nil
}

// erase drops the vectors of erased memories at once. They are on disk also
// when the model is switched off now.
func (s *semantic) erase(ctx context.Context, seqs []int64) (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	vectors := s.vectors
	if vectors == nil {
		if _, err := os.Stat(s.path); errors.Is(err, os.ErrNotExist) {
			return nil
		}
		if vectors, err = store.OpenVectors(ctx, s.path); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, vectors.Close()) }()
	}
	if err := vectors.Remove(ctx, store.OwnerMemory, seqs); err != nil {
		return err
	}
	index, _, notReady := s.ready()
	if notReady != nil {
		return nil
	}
	ids := make([]uint64, len(seqs))
	for i, seq := range seqs {
		ids[i] = uint64(seq)
	}
	return index.Apply(nil, ids)
}

// rebuild forgets all vectors; the background makes them again.
func (s *semantic) rebuild(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.vectors == nil {
		return nil
	}
	s.off(errLoading)
	return s.vectors.Forget(ctx, 0)
}

func (s *semantic) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state.Lock()
	defer s.state.Unlock()
	s.index, s.err = nil, errors.New("closed")
	var errs []error
	if s.closeModel != nil {
		errs = append(errs, s.closeModel())
	}
	if s.vectors != nil {
		errs = append(errs, s.vectors.Close())
	}
	return errors.Join(errs...)
}

// ModelStatus says which embedding model is in use and how far it has come.
type ModelStatus struct {
	State   string `json:"state"` // ready, loading, embedding, off
	ID      string `json:"id,omitempty"`
	Hash    string `json:"hash,omitempty"`
	Dims    int    `json:"dims,omitempty"`
	Kernel  string `json:"kernel,omitempty"`
	Source  string `json:"source,omitempty"`
	Vectors int    `json:"vectors"`
	Bytes   int64  `json:"bytes"` // on disk
	Todo    int64  `json:"todo"`  // changes still to embed
	Total   int64  `json:"total"`
	Hits    int64  `json:"cache_hits"`
	Misses  int64  `json:"cache_misses"`
	Breaker string `json:"breaker,omitempty"`
	Problem string `json:"problem,omitempty"`
}

// The states of a model.
const (
	ModelReady     = "ready"
	ModelLoading   = "loading"
	ModelEmbedding = "embedding"
	ModelOff       = "off"
)

// Model says which embedding model is in use and how far it has come.
func (m *Mind) Model(context.Context, Caller, NoInput) (ModelStatus, error) {
	return m.semantic.status(), nil
}

func (s *semantic) status() ModelStatus {
	s.state.RLock()
	defer s.state.RUnlock()
	st := ModelStatus{State: ModelReady, Todo: s.todo, Total: s.total}
	if s.embedder != nil {
		info := s.embedder.Info()
		st.ID, st.Hash, st.Dims, st.Kernel, st.Source = info.ID, info.Hash, info.Dims, info.Kernel, info.Source
		es := s.embedder.Stats()
		st.Hits, st.Misses, st.Breaker = es.Hits, es.Misses, string(es.Breaker)
	}
	if fi, err := os.Stat(s.path); err == nil {
		st.Bytes = fi.Size()
	}
	switch {
	case s.index == nil && errors.Is(s.err, errLoading):
		st.State = ModelLoading
	case s.index == nil:
		st.State, st.Problem = ModelOff, s.err.Error()
	default:
		st.Vectors = s.index.Len()
		if s.todo > 0 {
			st.State = ModelEmbedding
		}
	}
	return st
}

// VerifyOutput says whether the model gives the vectors it should.
type VerifyOutput struct {
	OK      bool   `json:"ok"`
	Problem string `json:"problem,omitempty"`
}

// ModelVerify embeds texts whose vectors are known and compares.
func (m *Mind) ModelVerify(ctx context.Context, _ Caller, _ NoInput) (VerifyOutput, error) {
	m.semantic.state.RLock()
	e := m.semantic.embedder
	m.semantic.state.RUnlock()
	if e == nil {
		return VerifyOutput{}, &RefusedError{Reason: m.semantic.status().Problem, Hint: "choose a model: model.use in config.toml"}
	}
	if err := e.Verify(ctx); err != nil {
		return VerifyOutput{Problem: err.Error()}, nil
	}
	return VerifyOutput{OK: true}, nil
}
