package mind

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"chitta/internal/config"
	"chitta/internal/embed"
	"chitta/internal/memory"
	"chitta/internal/vector"
)

// ModelStatus says which embedding model is in use and how far it has come.
type ModelStatus struct {
	State     string `json:"state"` // ready, loading, embedding, off
	ID        string `json:"id,omitempty"`
	Hash      string `json:"hash,omitempty"`
	Dims      int    `json:"dims,omitempty"`
	Kernel    string `json:"kernel,omitempty"`
	Source    string `json:"source,omitempty"`
	Vectors   int    `json:"vectors"`
	Bytes     int64  `json:"bytes"` // on disk
	Todo      int64  `json:"todo"`  // texts still to embed
	Total     int64  `json:"total"`
	Answering string `json:"answering,omitempty"` // the model before, until this one has embedded everything
	Hits      int64  `json:"cache_hits"`
	Misses    int64  `json:"cache_misses"`
	Breaker   string `json:"breaker,omitempty"`
	Problem   string `json:"problem,omitempty"`
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
	st := ModelStatus{State: ModelReady, Total: s.total}
	if s.err != nil && !errors.Is(s.err, errLoading) {
		st.Problem = strings.ReplaceAll(s.err.Error(), "\n", "; ")
	}
	for _, file := range []string{s.path, s.path + "-wal"} {
		if fi, err := os.Stat(file); err == nil {
			st.Bytes += fi.Size()
		}
	}
	if s.former != nil {
		st.Answering = s.former.row.Name
	}
	if s.present == nil {
		if st.State = ModelOff; errors.Is(s.err, errLoading) {
			st.State = ModelLoading
		}
		return st
	}
	info := s.present.embedder.Info()
	st.ID, st.Hash, st.Dims, st.Kernel, st.Source = info.ID, info.Hash, info.Dims, info.Kernel, info.Source
	stats := s.present.embedder.Stats()
	st.Hits, st.Misses, st.Breaker = stats.Hits, stats.Misses, string(stats.Breaker)
	st.Todo, st.Vectors = s.present.todo(), s.present.vectors()
	switch {
	case len(s.present.shelves) > 0 && st.Todo > 0:
		st.State = ModelEmbedding
	case len(s.present.shelves) > 0:
	case errors.Is(s.err, errLoading):
		st.State = ModelLoading
	default:
		st.State = ModelOff
	}
	return st
}

// chosen returns the setting of the model.
func (s *semantic) chosen() config.Model {
	s.state.RLock()
	defer s.state.RUnlock()
	return s.setting
}

// VerifyOutput says whether the model gives the vectors it should.
type VerifyOutput struct {
	OK      bool   `json:"ok"`
	Problem string `json:"problem,omitempty"`
}

// ModelVerify embeds texts whose vectors are known and compares.
func (m *Mind) ModelVerify(ctx context.Context, _ Caller, _ NoInput) (VerifyOutput, error) {
	m.semantic.state.RLock()
	var e *embed.Embedder
	if g := m.semantic.present; g != nil {
		e = g.embedder
	}
	m.semantic.state.RUnlock()
	if e == nil {
		return VerifyOutput{}, &RefusedError{Reason: m.semantic.status().Problem, Hint: "choose a model: chitta model use"}
	}
	if err := e.Verify(ctx); err != nil {
		return VerifyOutput{Problem: err.Error()}, nil
	}
	return VerifyOutput{OK: true}, nil
}

// ModelUseInput chooses the embedding model.
type ModelUseInput struct {
	Use         string `json:"use" jsonschema:"builtin, none, a folder with a BERT model, ollama:NAME or openai:URL"`
	Name        string `json:"name,omitempty" jsonschema:"the model's name at an openai endpoint"`
	KeyVariable string `json:"key_variable,omitempty" jsonschema:"the daemon's environment variable that holds the endpoint's key"`
}

// ModelUseOutput says what was chosen and what follows.
type ModelUseOutput struct {
	Use   string      `json:"use"`
	File  string      `json:"file"` // the configuration that was changed
	Model ModelStatus `json:"model"`
}

// ModelUse changes the embedding model at once and in config.toml. One that
// does not work is refused, and nothing is changed.
func (m *Mind) ModelUse(ctx context.Context, c Caller, in ModelUseInput) (ModelUseOutput, error) {
	setting, err := m.modelSetting(c, in)
	if err != nil {
		return ModelUseOutput{}, err
	}
	for _, key := range []string{"model.use", "model.name", "model.key_variable"} {
		if source := m.opts.Config.Overridden[key]; source != "" {
			return ModelUseOutput{}, &RefusedError{
				Reason: fmt.Sprintf("%s is set by %s, which stands above config.toml", key, source),
				Hint:   "take it away there and start the daemon again: chitta daemon stop, then chitta up",
			}
		}
	}
	m.semantic.choosing.Lock()
	defer m.semantic.choosing.Unlock()
	model, err := tryModel(ctx, setting)
	if err != nil {
		return ModelUseOutput{}, err
	}
	file := m.opts.Config.Paths().ConfigFile()
	if err := config.WriteModel(file, setting); err != nil {
		if model != nil {
			err = errors.Join(err, model.Close())
		}
		return ModelUseOutput{}, &RefusedError{Reason: err.Error(), Hint: "nothing was changed; mend the file, or edit [model] by hand and start the daemon again"}
	}
	if model == nil {
		if err := m.semantic.switchOff(setting); err != nil {
			m.opts.Log.Warn("closing the model", "error", err)
		}
	} else {
		m.semantic.use(ctx, setting, model)
	}
	m.index.due() // the background has something to embed
	return ModelUseOutput{Use: setting.Use, File: file, Model: m.semantic.status()}, nil
}

// modelSetting checks the form of a choice and completes it.
func (m *Mind) modelSetting(c Caller, in ModelUseInput) (config.Model, error) {
	const hint = "use builtin, none, a model folder, ollama:NAME or openai:URL"
	out := config.Model{Use: strings.TrimSpace(in.Use), Name: strings.TrimSpace(in.Name), KeyVariable: strings.TrimSpace(in.KeyVariable)}
	out.Timeout = m.opts.Config.Model.Timeout
	for field, value := range map[string]string{"use": out.Use, "name": out.Name, "key_variable": out.KeyVariable} {
		if err := checkText(field, value, maxPathBytes); err != nil {
			return out, err
		}
	}
	kind, rest, _ := strings.Cut(out.Use, ":")
	endpoint := kind == embed.KindOllama || kind == embed.KindOpenAI
	switch {
	case endpoint && c.Actor != ActorCLI:
		// every text would go there, and with it a key of the daemon's
		return out, &RefusedError{Reason: "only a person chooses an endpoint", Hint: "at the command line: chitta model use"}
	case out.Use == "":
		return out, &InputError{Field: "use", Problem: "is empty", Hint: hint}
	case endpoint && rest == "":
		return out, &InputError{Field: "use", Problem: "says no more than " + kind, Hint: hint}
	case kind == embed.KindOpenAI && out.Name == "":
		return out, &InputError{Field: "name", Problem: "is empty", Hint: "an openai endpoint serves several models; name one, e.g. text-embedding-3-small"}
	case kind != embed.KindOpenAI && out.Name != "":
		return out, &InputError{Field: "name", Problem: "is only for openai endpoints", Hint: "leave it out"}
	case kind != embed.KindOpenAI && out.KeyVariable != "":
		return out, &InputError{Field: "key_variable", Problem: "is only for openai endpoints", Hint: "leave it out"}
	case out.Use == useBuiltin || out.Use == useNone || endpoint:
		return out, nil
	}
	dir, err := resolvePath(c, "use", out.Use)
	if err != nil {
		return out, err
	}
	if _, err := os.Stat(dir); err != nil {
		hint := hint
		if near := memory.Nearest(out.Use, []string{useBuiltin, useNone}); near != "" {
			hint = fmt.Sprintf("did you mean %q? %s", near, hint)
		}
		return out, &InputError{Field: "use", Problem: "names no model and no folder: " + dir, Hint: hint}
	}
	out.Use = dir
	return out, nil
}

// tryModel opens a model and lets it embed a few texts. For none there is
// nothing to try.
func tryModel(ctx context.Context, setting config.Model) (embed.Model, error) {
	if setting.Use == useNone {
		return nil, nil
	}
	model, err := openModel(setting, 0)
	if err != nil {
		return nil, &RefusedError{Reason: fmt.Sprintf("%s cannot be used: %v", setting.Use, err), Hint: hintFor(err)}
	}
	err = embed.New(model, embed.Options{CacheEntries: -1}).Verify(ctx)
	if err == nil {
		// whether the index can hold its vectors
		_, err = vector.New(vector.Options{Dims: model.Info().Dims})
	}
	if err != nil {
		return nil, errors.Join(&RefusedError{Reason: fmt.Sprintf("%s does not work: %v", setting.Use, err), Hint: hintFor(err)}, model.Close())
	}
	return model, nil
}

// hintFor says what to do about a model that cannot be used.
func hintFor(err error) string {
	const unchanged = "; nothing was changed"
	var file *embed.FileError
	switch {
	case errors.As(err, &file):
		return "the folder needs config.json, tokenizer.json and model.safetensors of a BERT model, complete and from one source" + unchanged
	case errors.Is(err, embed.ErrNoModel):
		return "build with make build, or choose a folder or an endpoint" + unchanged
	case errors.Is(err, embed.ErrNoKey):
		return "the daemon reads the key from its own environment: set the variable, then chitta daemon stop and chitta up" + unchanged
	case errors.Is(err, embed.ErrUnreachable), errors.Is(err, context.DeadlineExceeded):
		return "start the endpoint, check address, model and key, or raise model.timeout" + unchanged
	case errors.Is(err, embed.ErrInsecure):
		return "use https, or an endpoint on this machine" + unchanged
	}
	return "choose another model" + unchanged
}
