package meaning

import (
	"context"
	"errors"
	"fmt"

	"chitta/internal/config"
	"chitta/internal/embed"
	"chitta/internal/vector"
)

// Choose changes to the model of a setting at once. One that does not work is
// refused; one that does is used when keep, which writes the choice down,
// succeeds. Otherwise nothing is changed.
func (s *Library) Choose(ctx context.Context, setting config.Model, keep func() error) error {
	s.choosing.Lock()
	defer s.choosing.Unlock()
	model, err := try(ctx, setting)
	if err != nil {
		return err
	}
	if err := keep(); err != nil {
		if model != nil {
			err = errors.Join(err, model.Close())
		}
		return err
	}
	if model == nil {
		if err := s.switchOff(setting); err != nil {
			s.log.Warn("closing the model", "error", err)
		}
		return nil
	}
	s.use(ctx, setting, model)
	return nil
}

// Verify lets the model that is set embed texts whose vectors are known. there
// is false when no model is open.
func (s *Library) Verify(ctx context.Context) (there bool, err error) {
	s.state.RLock()
	var e *embed.Embedder
	if s.present != nil {
		e = s.present.embedder
	}
	s.state.RUnlock()
	if e == nil {
		return false, nil
	}
	return true, e.Verify(ctx)
}

// try opens a model and lets it embed a few texts. For none there is
// nothing to try.
func try(ctx context.Context, setting config.Model) (embed.Model, error) {
	if setting.Use == UseNone {
		return nil, nil
	}
	model, err := openModel(setting, 0)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be used: %w", setting.Use, err)
	}
	err = embed.New(model, embed.Options{CacheEntries: -1}).Verify(ctx)
	if err == nil {
		// whether the index can hold its vectors
		_, err = vector.New(vector.Options{Dims: model.Info().Dims})
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s does not work: %w", setting.Use, err), model.Close())
	}
	return model, nil
}
