package mind

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"chitta/internal/config"
	"chitta/internal/embed"
	"chitta/internal/meaning"
	"chitta/internal/memory"
)

const (
	// embedSlice is how long one round of embedding goes on before other
	// background work gets its turn.
	embedSlice = 5 * time.Second
	// embedPause is how soon the next round follows, or how long a failed one
	// is left alone.
	embedPause = 2 * time.Second
)

// embed loads the stored vectors if that is still to be done, then embeds what
// lacks one, for a while: other work waits meanwhile.
func (m *Mind) embed(ctx context.Context) error {
	for begin := time.Now(); ; {
		more, err := m.semantic.Round(ctx)
		if err != nil {
			return err
		}
		if !more || time.Since(begin) > embedSlice {
			return nil
		}
	}
}

// Model says which embedding model is in use and how far it has come.
func (m *Mind) Model(context.Context, Caller, NoInput) (meaning.Status, error) {
	return m.semantic.Status(), nil
}

// VerifyOutput says whether the model gives the vectors it should.
type VerifyOutput struct {
	OK      bool   `json:"ok"`
	Problem string `json:"problem,omitempty"`
}

// ModelVerify embeds texts whose vectors are known and compares.
func (m *Mind) ModelVerify(ctx context.Context, _ Caller, _ NoInput) (VerifyOutput, error) {
	there, err := m.semantic.Verify(ctx)
	switch {
	case !there:
		return VerifyOutput{}, &memory.RefusedError{Reason: m.semantic.Status().Problem, Hint: "choose a model: chitta model use"}
	case err != nil:
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
	Use   string         `json:"use"`
	File  string         `json:"file"` // the configuration that was changed
	Model meaning.Status `json:"model"`
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
			return ModelUseOutput{}, &memory.RefusedError{
				Reason: fmt.Sprintf("%s is set by %s, which stands above config.toml", key, source),
				Hint:   "take it away there and start the daemon again: chitta daemon stop, then chitta up",
			}
		}
	}
	file := m.opts.Config.Paths().ConfigFile()
	err = m.semantic.Choose(ctx, setting, func() error {
		if err := config.WriteModel(file, setting); err != nil {
			return &memory.RefusedError{Reason: err.Error(), Hint: "nothing was changed; mend the file, or edit [model] by hand and start the daemon again"}
		}
		return nil
	})
	if err != nil {
		if !errors.As(err, new(*memory.RefusedError)) {
			err = &memory.RefusedError{Reason: err.Error(), Hint: hintFor(err)}
		}
		return ModelUseOutput{}, err
	}
	m.signal() // the background has something to embed
	return ModelUseOutput{Use: setting.Use, File: file, Model: m.semantic.Status()}, nil
}

// modelSetting checks the form of a choice and completes it.
func (m *Mind) modelSetting(c Caller, in ModelUseInput) (config.Model, error) {
	const hint = "use builtin, none, a model folder, ollama:NAME or openai:URL"
	out := config.Model{Use: strings.TrimSpace(in.Use), Name: strings.TrimSpace(in.Name), KeyVariable: strings.TrimSpace(in.KeyVariable)}
	out.Timeout = m.opts.Config.Model.Timeout
	for field, value := range map[string]string{"use": out.Use, "name": out.Name, "key_variable": out.KeyVariable} {
		if err := memory.CheckText(field, value, memory.MaxPath); err != nil {
			return out, err
		}
	}
	kind, rest, _ := strings.Cut(out.Use, ":")
	endpoint := kind == embed.KindOllama || kind == embed.KindOpenAI
	switch {
	case endpoint && c.Actor != ActorCLI:
		// every text would go there, and with it a key of the daemon's
		return out, &memory.RefusedError{Reason: "only a person chooses an endpoint", Hint: "at the command line: chitta model use"}
	case out.Use == "":
		return out, &memory.InputError{Field: "use", Problem: "is empty", Hint: hint}
	case endpoint && rest == "":
		return out, &memory.InputError{Field: "use", Problem: "says no more than " + kind, Hint: hint}
	case kind == embed.KindOpenAI && out.Name == "":
		return out, &memory.InputError{Field: "name", Problem: "is empty", Hint: "an openai endpoint serves several models; name one, e.g. text-embedding-3-small"}
	case kind != embed.KindOpenAI && out.Name != "":
		return out, &memory.InputError{Field: "name", Problem: "is only for openai endpoints", Hint: "leave it out"}
	case kind != embed.KindOpenAI && out.KeyVariable != "":
		return out, &memory.InputError{Field: "key_variable", Problem: "is only for openai endpoints", Hint: "leave it out"}
	case out.Use == meaning.UseBuiltin || out.Use == meaning.UseNone || endpoint:
		return out, nil
	}
	dir, err := resolvePath(c, "use", out.Use)
	if err != nil {
		return out, err
	}
	if _, err := os.Stat(dir); err != nil {
		hint := hint
		if near := memory.Nearest(out.Use, []string{meaning.UseBuiltin, meaning.UseNone}); near != "" {
			hint = fmt.Sprintf("did you mean %q? %s", near, hint)
		}
		return out, &memory.InputError{Field: "use", Problem: "names no model and no folder: " + dir, Hint: hint}
	}
	out.Use = dir
	return out, nil
}

// saidWhatToDo are errors whose text says what to do.
var saidWhatToDo = []error{embed.ErrConstant, embed.ErrUnstable, embed.ErrKeyRefused, embed.ErrNotFound}

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
	case slices.ContainsFunc(saidWhatToDo, func(target error) bool { return errors.Is(err, target) }):
		return "nothing was changed"
	}
	return "choose another model" + unchanged
}
