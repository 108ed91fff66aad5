package meaning

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"chitta/internal/config"
	"chitta/internal/embed"
	"chitta/internal/follow"
	"chitta/internal/recall"
	"chitta/internal/store"
	"chitta/internal/vector"
)

// Library keeps vectors of everything that can be found by meaning. It
// follows the feeds as the keyword indexes do, and embeds in the background, a
// batch at a time, newest first.
//
// Another model means other vectors for everything. Until it has made them,
// the model before goes on answering: it is the former generation, the
// configured one the present generation.
type Library struct {
	path   string
	source string        // what the vectors are derived from
	feeds  []follow.Feed // in the order they are embedded
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

// Values of model.use that are not an address of a model.
const (
	UseBuiltin = "builtin"
	UseNone    = "none"
)

var (
	errLoading   = errors.New("vectors are being loaded")
	errNoVectors = fmt.Errorf("%w: model.use is none", recall.ErrOff)
	errClosed    = errors.New("closed")
)

// Options says what a library is made of.
type Options struct {
	Config config.Config
	Source string        // names what the feeds come from; vectors of anything else are not used
	Feeds  []follow.Feed // in the order they are embedded
	// Model opens the embedding model instead of the configuration's, if not
	// nil.
	Model func() (embed.Model, error)
	Log   *slog.Logger
	Now   func() time.Time
}

// New makes a library in which nothing is open yet.
func New(o Options) *Library {
	return &Library{
		setting: o.Config.Model, path: o.Config.Paths().Vectors(), source: o.Source, feeds: o.Feeds,
		instead: o.Model, log: o.Log, now: o.Now, err: errLoading,
	}
}

// Open chooses the model. Nothing is loaded yet; that is left to the
// background, and until then recall works on words alone and says so.
func (s *Library) Open(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.start(ctx)
}

// start opens the model that is set, and the vectors if there are any or will
// be. Where the model cannot be opened, one whose vectors are there may answer.
func (s *Library) start(ctx context.Context) {
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
func (s *Library) openSet() (embed.Model, error) {
	if s.instead != nil {
		return s.instead()
	}
	return openModel(s.setting, 0)
}

// off says why there is no search by meaning.
func (s *Library) off(err error) {
	if errors.Is(err, embed.ErrNoModel) {
		err = fmt.Errorf("%w: %w", recall.ErrOff, err)
	}
	if !errors.Is(err, recall.ErrOff) {
		s.log.Error("no search by meaning", "error", err)
	}
	s.fail(err)
}

// fail remembers what is wrong, for those who ask.
func (s *Library) fail(err error) {
	s.state.Lock()
	defer s.state.Unlock()
	s.err = err
}

// loaded returns the generations whose vectors are in memory, the one first
// that is to answer: the former as long as it has more to answer with, and
// does.
func (s *Library) loaded() []*generation {
	s.state.RLock()
	defer s.state.RUnlock()
	return s.answering()
}

// answering is loaded for those who hold state.
func (s *Library) answering() (out []*generation) {
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

// Ready returns what a search by meaning in one feed needs, or why there is
// none.
func (s *Library) Ready(owner store.Owner) (*vector.Index, recall.Encoder, error) {
	_, index, encoder, err := s.next(owner, nil)
	return index, encoder, err
}

// next is ready, past generations that were tried.
func (s *Library) next(owner store.Owner, tried map[*generation]bool) (*generation, *vector.Index, recall.Encoder, error) {
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

// Round loads the stored vectors if that is still to be done and embeds a batch
// of what lacks one, with the lock held: nobody waits for longer than a batch
// takes. It reports whether there is more to do.
func (s *Library) Round(ctx context.Context) (more bool, err error) {
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

func (s *Library) advance(ctx context.Context) (more bool, err error) {
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
func (s *Library) step(ctx context.Context) (did bool, err error) {
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
func (s *Library) well() {
	s.state.Lock()
	defer s.state.Unlock()
	if s.present != nil && len(s.present.shelves) > 0 {
		s.err = nil
	}
}

// count keeps track of how much there was to do.
func (s *Library) count() {
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

// Behind returns how many texts are still to be embedded.
func (s *Library) Behind() (n int64) {
	for _, g := range s.loaded() {
		n += g.todo()
	}
	return n
}

// atOnce is how many texts a write waits for: those of one write.
const atOnce = 4

// Follow takes note of what is new in a feed, after a write, and embeds it at
// once if that is little, so that it can be found by meaning when the write
// returns. An endpoint is only waited for if it just embedded the same text. It
// never fails the write: what cannot be done now is left to the background.
func (s *Library) Follow(ctx context.Context, owner store.Owner, embedded bool) {
	if !s.mu.TryLock() {
		return // a batch is being embedded; the next one begins with what is new
	}
	defer s.mu.Unlock()
	defer s.count()
	if s.vectors == nil {
		return
	}
	for _, g := range s.loaded() {
		shelf := g.shelf(owner)
		if shelf == nil || shelf.follow(ctx) != nil {
			continue
		}
		if n := shelf.todo.Load(); n > 0 && n <= atOnce && (embedded || !g.remote()) {
			if _, err := shelf.step(ctx, g.embed); err != nil {
				continue
			}
		}
		g.settle()
	}
}

// Settled returns the vectors of a feed when all of them are there, what made
// them, and up to which change of the feed.
func (s *Library) Settled(owner store.Owner) (index *vector.Index, model string, rev int64, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.present
	if g == nil || s.former != nil || !g.complete.Load() || g.todo() > 0 {
		return nil, "", 0, false
	}
	shelf := g.shelf(owner)
	if shelf == nil {
		return nil, "", 0, false
	}
	return shelf.index, strings.ReplaceAll(g.row.Hash, " ", ""), shelf.rev.Load(), true
}

// Erase drops the vectors of rows at once. They are on disk also when the
// model is switched off now.
func (s *Library) Erase(ctx context.Context, owner store.Owner, seqs []int64) (err error) {
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

// Rebuild forgets all vectors and opens the model anew; the background makes
// them again.
func (s *Library) Rebuild(ctx context.Context) error {
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
func (s *Library) stop(why error) error {
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

// Close lets go of models and vectors; what was embedded is on disk.
func (s *Library) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stop(errClosed)
}

// Check looks whether the vectors on disk can be relied on.
func (s *Library) Check(ctx context.Context) []store.Problem {
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
