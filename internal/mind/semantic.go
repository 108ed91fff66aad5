package mind

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"sync"
	"time"

	"chitta/internal/config"
	"chitta/internal/embed"
	"chitta/internal/recall"
	"chitta/internal/store"
	"chitta/internal/vector"
)

// semantic keeps vectors of everything that can be found by meaning. It
// follows the feeds as the keyword index does, and embeds in the background, a
// batch at a time, newest first.
//
// Another model means other vectors for everything. Until it has made them,
// the model before goes on answering: it is the former generation, the
// configured one the present generation.
type semantic struct {
	path   string
	source string // what the vectors are derived from
	feeds  []feed // in the order they are embedded
	log    *slog.Logger
	now    func() time.Time

	instead func() (embed.Model, error) // opens the model, if not nil

	choosing sync.Mutex // one change of the model at a time; taken before mu

	mu      sync.Mutex // one batch at a time; guards what follows
	vectors *store.Vectors
	sought  bool // a former generation was looked for
	settled bool // no vectors but the present generation's are left

	state   sync.RWMutex // guards what follows; those who change it hold mu too
	setting config.Model
	present *generation // of the setting; nil when it cannot be opened
	former  *generation // answers until present is complete
	err     error       // why there is no present generation, or what it fails at
	total   int64       // most that was to be embedded since nothing was
}

const (
	// embedSlice is how long one round of embedding goes on before other
	// background work gets its turn.
	embedSlice = 5 * time.Second
	// embedPause is how soon the next round follows, or how long a failed one
	// is left alone.
	embedPause = 2 * time.Second
)

// Values of model.use that are not an address of a model.
const (
	useBuiltin = "builtin"
	useNone    = "none"
)

var (
	errLoading   = errors.New("vectors are being loaded")
	errNoVectors = fmt.Errorf("%w: model.use is none", recall.ErrOff)
	errClosed    = errors.New("closed")
)

func newSemantic(cfg config.Config, source string, feeds []feed, log *slog.Logger, now func() time.Time) *semantic {
	return &semantic{setting: cfg.Model, path: cfg.Paths().Vectors(), source: source, feeds: feeds, log: log, now: now, err: errLoading}
}

// open chooses the model. Nothing is loaded yet; that is left to the
// background, and until then recall works on words alone and says so.
func (s *semantic) open(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.start(ctx)
}

// start opens the model that is set, and the vectors if there are any or will
// be. Where the model cannot be opened, one whose vectors are there may answer.
func (s *semantic) start(ctx context.Context) {
	model, err := s.openSet()
	if err != nil {
		s.off(err)
		if _, missing := os.Stat(s.path); missing != nil || errors.Is(err, errNoVectors) {
			return
		}
	} else {
		s.state.Lock()
		s.present = newGeneration(s.setting, model, s.now)
		s.state.Unlock()
	}
	if s.vectors, err = store.OpenVectors(ctx, s.path); err != nil {
		s.off(err)
	}
}

// openSet opens the model that is set.
func (s *semantic) openSet() (embed.Model, error) {
	if s.instead != nil {
		return s.instead()
	}
	return openModel(s.setting, 0)
}

// off says why there is no search by meaning.
func (s *semantic) off(err error) {
	if errors.Is(err, embed.ErrNoModel) {
		err = fmt.Errorf("%w: %w", recall.ErrOff, err)
	}
	if !errors.Is(err, recall.ErrOff) {
		s.log.Error("no search by meaning", "error", err)
	}
	s.fail(err)
}

// fail remembers what is wrong, for those who ask.
func (s *semantic) fail(err error) {
	s.state.Lock()
	defer s.state.Unlock()
	s.err = err
}

// loaded returns the generations whose vectors are in memory, the one first
// that is to answer: the former as long as it has more to answer with, and
// does.
func (s *semantic) loaded() []*generation {
	s.state.RLock()
	defer s.state.RUnlock()
	return s.answering()
}

// answering is loaded for those who hold state.
func (s *semantic) answering() (out []*generation) {
	for _, g := range []*generation{s.former, s.present} {
		if g != nil && len(g.shelves) > 0 {
			out = append(out, g)
		}
	}
	if len(out) == 2 && (out[0].vectors() <= out[1].vectors() || out[0].embedder.Stats().Breaker == embed.BreakerOpen) {
		slices.Reverse(out)
	}
	return out
}

// ready returns what a search by meaning in one feed needs, or why there is
// none.
func (s *semantic) ready(owner store.Owner) (*vector.Index, recall.Encoder, error) {
	_, index, encoder, err := s.next(owner, nil)
	return index, encoder, err
}

// next is ready, past generations that were tried.
func (s *semantic) next(owner store.Owner, tried map[*generation]bool) (*generation, *vector.Index, recall.Encoder, error) {
	s.state.RLock()
	defer s.state.RUnlock()
	for _, g := range s.answering() {
		if shelf := g.shelf(owner); shelf != nil && !tried[g] {
			return g, shelf.index, g.embedder, nil
		}
	}
	if s.err == nil {
		return nil, nil, nil, errLoading
	}
	return nil, nil, nil, s.err
}

// maintain loads the stored vectors if that is still to be done, then embeds
// what lacks one, for a while: other work waits meanwhile.
func (s *semantic) maintain(ctx context.Context) error {
	for begin := time.Now(); ; {
		more, err := s.round(ctx)
		if err != nil {
			return err
		}
		if !more || time.Since(begin) > embedSlice {
			return nil
		}
	}
}

// round is one step with the lock held, so that nobody waits for longer than
// a batch takes.
func (s *semantic) round(ctx context.Context) (more bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.vectors == nil && s.present == nil {
		return false, nil // off; said when it happened
	}
	if err := ctx.Err(); err != nil {
		return false, err
	}
	more, err = s.advance(ctx)
	if errors.Is(err, store.ErrVectorsDamaged) {
		err = s.renew(ctx, err)
		more = err == nil
	}
	s.count()
	if err != nil && ctx.Err() == nil {
		s.fail(err)
	}
	return more, err
}

func (s *semantic) advance(ctx context.Context) (more bool, err error) {
	if s.vectors == nil {
		if err := s.attach(ctx); err != nil {
			return false, err
		}
	}
	if s.vectors.Lost() {
		if err := s.renew(ctx, errors.New("the file was removed or replaced")); err != nil {
			return false, err
		}
	}
	// what cannot be loaded must not hold up what is
	loadErr := s.load(ctx)
	if loadErr != nil {
		loadErr = fmt.Errorf("load vectors: %w", loadErr)
	}
	for _, g := range s.loaded() {
		if err := g.follow(ctx); err != nil {
			return false, errors.Join(loadErr, fmt.Errorf("follow changes: %w", err))
		}
	}
	s.count()
	if err := s.takeOver(ctx); err != nil {
		return false, err
	}
	more, err = s.step(ctx)
	if err != nil {
		return false, errors.Join(loadErr, fmt.Errorf("embed: %w", err))
	}
	if loadErr == nil {
		s.well()
	}
	return more, loadErr
}

// step embeds one batch: what is new for the generation that answers, then
// what the next one lacks.
func (s *semantic) step(ctx context.Context) (did bool, err error) {
	if old := s.former; old != nil {
		did, err := old.step(ctx)
		if did || errors.Is(err, store.ErrVectorsDamaged) || ctx.Err() != nil {
			return did, err
		}
		if err != nil { // whatever becomes of the old one, the new one comes on
			s.log.Warn("the former model does not embed", "error", err)
		}
	}
	if s.present == nil {
		return false, nil
	}
	if did, err = s.present.step(ctx); err != nil || !did {
		return false, err
	}
	return true, s.takeOver(ctx)
}

// well forgets what went wrong.
func (s *semantic) well() {
	s.state.Lock()
	defer s.state.Unlock()
	if s.present != nil && len(s.present.shelves) > 0 {
		s.err = nil
	}
}

// count keeps track of how much there was to do.
func (s *semantic) count() {
	s.state.Lock()
	defer s.state.Unlock()
	todo := int64(0)
	if s.present != nil {
		todo = s.present.todo()
	}
	if s.total = max(s.total, todo); todo == 0 {
		s.total = 0
	}
}

// behindBy returns how many texts are still to be embedded.
func (s *semantic) behindBy() (n int64) {
	for _, g := range s.loaded() {
		n += g.todo()
	}
	return n
}

// erase drops the vectors of rows at once. They are on disk also when the
// model is switched off now.
func (s *semantic) erase(ctx context.Context, owner store.Owner, seqs []int64) (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, g := range s.loaded() {
		if shelf := g.shelf(owner); shelf != nil {
			if err := shelf.drop(seqs); err != nil {
				return err
			}
		}
	}
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
	err = vectors.Remove(ctx, owner, seqs)
	if errors.Is(err, store.ErrVectorsDamaged) && s.vectors != nil {
		return s.renew(ctx, err) // nothing stays behind in a file that is no more
	}
	return err
}

// rebuild forgets all vectors and opens the model anew; the background makes
// them again.
func (s *semantic) rebuild(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.vectors == nil && s.present == nil {
		return nil
	}
	if err := s.stop(errLoading); err != nil {
		s.log.Warn("closing the vectors", "error", err)
	}
	err := store.RemoveVectors(s.path)
	s.start(ctx)
	return err
}

// stop lets go of everything, for the given reason.
func (s *semantic) stop(why error) error {
	s.state.Lock()
	olds := []*generation{s.former, s.present}
	s.former, s.present, s.err, s.total = nil, nil, why, 0
	s.state.Unlock()
	var errs []error
	for _, g := range olds {
		if g != nil {
			errs = append(errs, g.close())
		}
	}
	if s.vectors != nil {
		errs = append(errs, s.vectors.Close())
	}
	s.vectors, s.sought, s.settled = nil, false, false
	return errors.Join(errs...)
}

func (s *semantic) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stop(errClosed)
}

// check looks whether the vectors on disk can be relied on.
func (s *semantic) check(ctx context.Context) []store.Problem {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.vectors == nil:
		return nil
	case s.vectors.Lost():
		return []store.Problem{{What: "the vectors are there", Where: s.path, Detail: "the file was removed or replaced; chitta rebuild makes it anew"}}
	}
	if err := s.vectors.Check(ctx); err != nil {
		return []store.Problem{{What: "the vectors are sound", Where: s.path, Detail: err.Error() + "; chitta rebuild makes them anew"}}
	}
	return nil
}
