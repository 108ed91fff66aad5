package meaning

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"chitta/internal/config"
	"chitta/internal/embed"
	"chitta/internal/store"
)

// load brings into memory what is not yet: the former generation first, which
// has more to answer with.
func (s *Library) load(ctx context.Context) error {
	if !s.sought {
		if err := s.seekFormer(ctx); err != nil {
			return err
		}
		s.sought = true
	}
	return s.loadPresent(ctx)
}

// hash is what tells a model's vectors from others: those made from another
// database are not this one's.
func (s *Library) hash(info embed.Info) string { return info.Hash + "/" + s.source }

// made reports whether the vectors of an entry are those of a model. The
// dimensions of an endpoint may not be known yet.
func (s *Library) made(row store.VectorModel, info embed.Info) bool {
	return row.Name == info.ID && row.Hash == s.hash(info) && (info.Dims == 0 || info.Dims == row.Dims)
}

// loadPresent loads the vectors of the model that is set.
func (s *Library) loadPresent(ctx context.Context) error {
	g := s.present
	if g == nil {
		return nil
	}
	if len(g.shelves) > 0 {
		if g.row.Setting == saveSetting(g.setting) {
			return nil
		}
		return s.enter(ctx, s.vectors, g)
	}
	dims, err := g.dims(ctx)
	if err != nil {
		// vectors that are there can be searched as soon as it answers again
		if dims, err = s.storedDims(ctx, g, err); err != nil {
			return err
		}
	}
	info := g.embedder.Info()
	row, err := s.vectors.Model(ctx, info.ID, s.hash(info), dims, saveSetting(g.setting), s.now())
	if err != nil {
		return err
	}
	shelves, err := loadShelves(ctx, s.feeds, s.vectors, row)
	if err != nil {
		return err
	}
	s.state.Lock()
	g.row, g.shelves = row, shelves
	s.state.Unlock()
	g.settle()
	return nil
}

// storedDims opens an endpoint that does not answer with the dimensions that
// its stored vectors have. Without any, the failure stands.
func (s *Library) storedDims(ctx context.Context, g *generation, failure error) (int, error) {
	models, err := s.vectors.Models(ctx)
	if err != nil {
		return 0, err
	}
	for _, row := range slices.Backward(models) {
		if !s.made(row, g.embedder.Info()) {
			continue
		}
		model, err := openModel(g.setting, row.Dims)
		if err != nil {
			return 0, err
		}
		s.log.Warn("the embedding model does not answer", "error", failure)
		fresh := newGeneration(g.setting, model, s.now)
		old := g.close
		s.state.Lock()
		g.embedder, g.close = fresh.embedder, fresh.close
		s.state.Unlock()
		return row.Dims, old()
	}
	return 0, failure
}

// seekFormer looks for a model whose vectors are there and that can still be
// asked. Of several the one with the most vectors is kept. One that cannot be
// opened now keeps its vectors until they are not needed any more.
func (s *Library) seekFormer(ctx context.Context) error {
	models, err := s.vectors.Models(ctx)
	if err != nil {
		return err
	}
	var foreign []int64
	var candidates []store.VectorModel
	for _, row := range models {
		switch {
		case !strings.HasSuffix(row.Hash, "/"+s.source):
			foreign = append(foreign, row.ID)
		case s.present == nil || !s.made(row, s.present.embedder.Info()):
			candidates = append(candidates, row)
		}
	}
	if err := s.vectors.Forget(ctx, foreign...); err != nil {
		return err
	}
	if s.former != nil || len(candidates) == 0 {
		return nil
	}
	if err := s.mostVectorsFirst(ctx, candidates); err != nil {
		return err
	}
	for i, row := range candidates {
		g, err := s.reopen(row)
		if err != nil {
			s.log.Info("a former model cannot answer", "model", row.Name, "reason", err)
			continue
		}
		shelves, err := loadShelves(ctx, s.feeds, s.vectors, row)
		if err != nil {
			return errors.Join(err, g.close())
		}
		g.row, g.shelves = row, shelves
		g.settle()
		if g.vectors() == 0 {
			if err := g.close(); err != nil {
				return err
			}
			continue
		}
		g.retire()
		s.state.Lock()
		s.former = g
		s.state.Unlock()
		return s.forgetRows(ctx, slices.Delete(candidates, i, i+1))
	}
	return nil
}

func (s *Library) mostVectorsFirst(ctx context.Context, models []store.VectorModel) error {
	if len(models) < 2 {
		return nil
	}
	counts := map[int64]int{}
	for _, row := range models {
		n, err := s.vectors.Count(ctx, row.ID)
		if err != nil {
			return err
		}
		counts[row.ID] = n
	}
	slices.SortStableFunc(models, func(a, b store.VectorModel) int { return cmp.Compare(counts[b.ID], counts[a.ID]) })
	return nil
}

func (s *Library) forgetRows(ctx context.Context, models []store.VectorModel) error {
	ids := make([]int64, len(models))
	for i, row := range models {
		ids[i] = row.ID
	}
	return s.vectors.Forget(ctx, ids...)
}

// reopen opens the model of stored vectors, if it is still the one that made
// them.
func (s *Library) reopen(row store.VectorModel) (*generation, error) {
	setting, err := loadSetting(row.Setting)
	if err != nil {
		return nil, err
	}
	model, err := openModel(setting, row.Dims)
	if err != nil {
		return nil, err
	}
	if !s.made(row, model.Info()) {
		return nil, errors.Join(errors.New("it is another one now"), model.Close())
	}
	return newGeneration(setting, model, s.now), nil
}

// takeOver ends the former generation when the present one lacks nothing, and
// forgets all vectors that are not the present one's.
func (s *Library) takeOver(ctx context.Context) error {
	g := s.present
	if s.settled || g == nil || len(g.shelves) == 0 || g.todo() > 0 {
		return nil
	}
	s.state.Lock()
	old := s.former
	s.former = nil
	s.state.Unlock()
	if old != nil {
		s.log.Info("another model answers now", "model", g.row.Name, "before", old.row.Name)
		if err := old.close(); err != nil {
			s.log.Warn("closing the former model", "error", err)
		}
	}
	models, err := s.vectors.Models(ctx)
	if err != nil {
		return err
	}
	models = slices.DeleteFunc(models, func(row store.VectorModel) bool { return row.ID == g.row.ID })
	if err := s.forgetRows(ctx, models); err != nil {
		return fmt.Errorf("forget the former model's vectors: %w", err)
	}
	s.settled = true
	return nil
}

// renew replaces the file of vectors by one made of what is in memory, which
// goes on answering meanwhile.
func (s *Library) renew(ctx context.Context, why error) error {
	s.log.Warn("vectors are made anew", "reason", why)
	if s.vectors != nil {
		if err := s.vectors.Close(); err != nil {
			s.log.Warn("closing the vectors", "error", err)
		}
	}
	s.vectors, s.settled = nil, false
	if err := store.RemoveVectors(s.path); err != nil {
		return err
	}
	return s.attach(ctx)
}

// attach opens the file of vectors and writes to it what is in memory: usually
// nothing, at a start.
func (s *Library) attach(ctx context.Context) error {
	vectors, err := store.OpenVectors(ctx, s.path)
	if err != nil {
		return err
	}
	for _, g := range s.loaded() {
		if err := s.enter(ctx, vectors, g); err != nil {
			return errors.Join(err, vectors.Close())
		}
		if err := g.each(func(shelf *shelf) error { return shelf.restore(ctx, vectors, g.row.ID) }); err != nil {
			return errors.Join(err, vectors.Close())
		}
	}
	s.vectors = vectors
	return nil
}

// enter makes or renews the entry of a generation that was loaded.
func (s *Library) enter(ctx context.Context, v *store.Vectors, g *generation) error {
	row, err := v.Model(ctx, g.row.Name, g.row.Hash, g.row.Dims, saveSetting(g.setting), s.now())
	if err != nil {
		return err
	}
	s.state.Lock()
	defer s.state.Unlock()
	g.row = row
	return nil
}

// use changes to another model, which was seen to work. The one before answers
// until it has made its vectors.
func (s *Library) use(ctx context.Context, setting config.Model, model embed.Model) {
	s.mu.Lock()
	defer s.mu.Unlock()
	next := newGeneration(setting, model, s.now)
	var keep *generation // of those in memory, the one with the most vectors
	var leave []*generation
	for _, g := range []*generation{s.present, s.former} {
		switch {
		case g == nil:
		case len(g.shelves) > 0 && s.made(g.row, model.Info()):
			next.adopt(g)
			leave = append(leave, g)
		case g.vectors() == 0 || keep != nil && keep.vectors() >= g.vectors():
			leave = append(leave, g)
		default:
			if keep != nil {
				leave = append(leave, keep)
			}
			keep = g
		}
	}
	if keep != nil {
		keep.retire()
	}
	s.state.Lock()
	s.setting, s.present, s.former, s.err, s.total = setting, next, keep, errLoading, 0
	s.state.Unlock()
	s.sought, s.settled = keep != nil, false
	if err := s.leave(ctx, leave); err != nil {
		s.log.Warn("letting go of a model", "error", err)
	}
	// what fails here is tried again in the background, and said there
	if err := s.begin(ctx); err != nil {
		s.fail(err)
	}
	s.count()
}

// leave closes generations and forgets the vectors of those that no other has
// adopted.
func (s *Library) leave(ctx context.Context, olds []*generation) error {
	var errs []error
	var forget []store.VectorModel
	for _, g := range olds {
		errs = append(errs, g.close())
		if len(g.shelves) > 0 && g.row.ID != s.present.row.ID {
			forget = append(forget, g.row)
		}
	}
	if s.vectors != nil {
		errs = append(errs, s.forgetRows(ctx, forget))
	}
	return errors.Join(errs...)
}

// begin loads what can be loaded and finds out how much there is to do.
func (s *Library) begin(ctx context.Context) error {
	if s.vectors == nil {
		if err := s.attach(ctx); err != nil {
			return err
		}
	}
	if err := s.load(ctx); err != nil {
		return err
	}
	for _, g := range s.loaded() {
		if err := g.follow(ctx); err != nil {
			return err
		}
	}
	s.well()
	return s.takeOver(ctx)
}

// switchOff stops searching by meaning. The vectors stay for the next model
// that is chosen.
func (s *Library) switchOff(setting config.Model) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.stop(errNoVectors)
	s.state.Lock()
	defer s.state.Unlock()
	s.setting = setting
	return err
}
