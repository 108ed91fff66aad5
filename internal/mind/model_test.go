package mind

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chitta/internal/config"
	"chitta/internal/embed"
	"chitta/internal/meaning"
	"chitta/internal/memory"
)

// TestModelUse changes from no model to a folder, named as the caller sees it.
func TestModelUse(t *testing.T) {
	home := t.TempDir()
	m := openWith(t, home, config.Model{Use: "none", Timeout: time.Second})
	fill(t, m, 0, 5)
	dir := writeTinyModel(t)
	c := person
	c.Cwd = filepath.Dir(dir)
	out, err := m.ModelUse(t.Context(), c, ModelUseInput{Use: "./" + filepath.Base(dir)})
	if err != nil || out.Use != dir || out.File != filepath.Join(home, "config.toml") {
		t.Fatalf("%+v %v", out, err)
	}
	if st := out.Model; st.State != meaning.Embedding || st.Todo != 5 || st.Dims != tinyDims || st.Answering != "" {
		t.Errorf("%+v", st)
	}
	settle(t, m)
	if n, notes := byMeaning(t, m, "note about subject3"); n == 0 || notes != "" {
		t.Errorf("%d found by meaning; %s", n, notes)
	}
	loaded, err := config.Load(config.LoadOptions{Home: home, Getenv: func(string) string { return "" }})
	if err != nil || loaded.Model.Use != dir {
		t.Errorf("config.toml says %+v %v", loaded.Model, err)
	}

	// off: nothing is found by meaning, and the vectors stay
	off := use(t, m, ModelUseInput{Use: "none"})
	if off.Model.State != meaning.Off || m.semantic.Setting().Use != "none" {
		t.Errorf("%+v", off.Model)
	}
	if n, notes := byMeaning(t, m, "note about subject3"); n != 0 || !strings.Contains(notes, "model.use is none") {
		t.Errorf("%d found by meaning; %s", n, notes)
	}
	fill(t, m, 5, 6)
	if on := use(t, m, ModelUseInput{Use: dir}); on.Model.Todo != 1 || on.Model.Vectors != 5 {
		t.Errorf("%+v", on.Model)
	}
	settle(t, m)
}

// TestModelUseRefuses holds that a model which does not work changes nothing.
func TestModelUseRefuses(t *testing.T) {
	f := newEndpoint(t)
	home := t.TempDir()
	m := openWith(t, home, f.setting())
	fill(t, m, 0, 3)
	settle(t, m)
	folder := func(harm func(dir string) error) func(t *testing.T) ModelUseInput {
		return func(t *testing.T) ModelUseInput {
			dir := writeTinyModel(t)
			if err := harm(dir); err != nil {
				t.Fatal(err)
			}
			return ModelUseInput{Use: dir}
		}
	}
	endpoint := func(change func(f *fakeEndpoint)) func(t *testing.T) ModelUseInput {
		return func(t *testing.T) ModelUseInput {
			f := newEndpoint(t)
			f.set(change)
			return ModelUseInput{Use: "openai:" + f.URL, Name: "fake"}
		}
	}
	given := func(in ModelUseInput) func(t *testing.T) ModelUseInput {
		return func(*testing.T) ModelUseInput { return in }
	}
	tests := []struct {
		name string
		in   func(t *testing.T) ModelUseInput
		want string
	}{
		{"nothing", given(ModelUseInput{}), "use is empty"},
		{"a word", given(ModelUseInput{Use: "/bultin"}), "names no model and no folder"},
		{"relative without a directory", given(ModelUseInput{Use: "models"}), "relative path"},
		{"no model at ollama", given(ModelUseInput{Use: "ollama:"}), "no more than ollama"},
		{"no name", given(ModelUseInput{Use: "openai:https://example.com"}), "name is empty"},
		{"a name too many", given(ModelUseInput{Use: "builtin", Name: "x"}), "only for openai"},
		{"not https", given(ModelUseInput{Use: "openai:http://example.com", Name: "x"}), "https or on this machine"},
		{"key is not set", given(ModelUseInput{Use: "openai:https://example.com", Name: "x", KeyVariable: "CHITTA_TEST_NO_SUCH_KEY"}), "CHITTA_TEST_NO_SUCH_KEY"},
		{"empty folder", func(t *testing.T) ModelUseInput { return ModelUseInput{Use: t.TempDir()} }, "config.json: is missing"},
		{"no weights", folder(func(dir string) error { return os.Remove(filepath.Join(dir, "model.safetensors")) }), "model.safetensors: is missing"},
		{"weights cut short", folder(func(dir string) error { return os.Truncate(filepath.Join(dir, "model.safetensors"), 1000) }), "is cut short"},
		{"weights of another size", folder(func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "model.safetensors"), tinyWeights(7, 0), 0o600)
		}), "has the wrong shape"},
		{"NaN in the weights", folder(func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "model.safetensors"), tinyWeights(len(tinyVocab()), float32(math.NaN())), 0o600)
		}), "not finite"},
		{"endpoint is down", endpoint(func(f *fakeEndpoint) { f.down = true }), "unreachable"},
		{"endpoint is slow", endpoint(func(f *fakeEndpoint) { f.slow = 3 * time.Second }), "unreachable"},
		{"endpoint sends garbage", endpoint(func(f *fakeEndpoint) { f.reply = "<html>" }), "makes no sense"},
		{"endpoint sends too few", endpoint(func(f *fakeEndpoint) { f.reply = `{"data":[]}` }), "makes no sense"},
		{"too few dimensions", endpoint(func(f *fakeEndpoint) { f.dims = 4 }), "dimensions"},
		{"too many dimensions", endpoint(func(f *fakeEndpoint) { f.dims = 5000 }), "dimensions"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := m.ModelUse(t.Context(), person, tt.in(t))
			var input *memory.InputError
			var refused *memory.RefusedError
			if !errors.As(err, &input) && !errors.As(err, &refused) {
				t.Fatalf("not refused: %v", err)
			}
			if !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %q, want %q", err, tt.want)
			}
			if _, err := os.Stat(filepath.Join(home, "config.toml")); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("config.toml was written: %v", err)
			}
			if st := m.semantic.Status(); st.State != meaning.Ready || st.ID != "openai:fake" || st.Answering != "" {
				t.Errorf("%+v", st)
			}
		})
	}
}

// TestOnlyAPersonChoosesAnEndpoint keeps an agent from sending everything
// somewhere.
func TestOnlyAPersonChoosesAnEndpoint(t *testing.T) {
	f := newEndpoint(t)
	m := openWith(t, t.TempDir(), config.Model{Use: "none", Timeout: time.Second})
	_, err := m.ModelUse(t.Context(), agent, ModelUseInput{Use: "openai:" + f.URL, Name: "fake"})
	var refused *memory.RefusedError
	if !errors.As(err, &refused) || len(f.asked("")) > 0 {
		t.Errorf("%v", err)
	}
	if _, err := m.ModelUse(t.Context(), agent, ModelUseInput{Use: writeTinyModel(t)}); err != nil {
		t.Error(err)
	}
}

func TestModelUseIsOverridden(t *testing.T) {
	cfg := config.Default()
	cfg.Home, cfg.Model.Use = t.TempDir(), "none"
	cfg.Overridden = map[string]string{"model.use": "environment CHITTA_MODEL_USE"}
	m, _ := openAt(t, cfg)
	_, err := m.ModelUse(t.Context(), person, ModelUseInput{Use: writeTinyModel(t)})
	var refused *memory.RefusedError
	if !errors.As(err, &refused) || !strings.Contains(err.Error(), "CHITTA_MODEL_USE") {
		t.Errorf("%v", err)
	}
}

func TestModelUseWithABrokenConfiguration(t *testing.T) {
	home := t.TempDir()
	m := openWith(t, home, config.Model{Use: "none", Timeout: time.Second})
	file := filepath.Join(home, "config.toml")
	const text = "[model\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := m.ModelUse(t.Context(), person, ModelUseInput{Use: writeTinyModel(t)})
	var refused *memory.RefusedError
	if !errors.As(err, &refused) {
		t.Errorf("%v", err)
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != text {
		t.Errorf("%q %v", got, err)
	}
	if m.semantic.Status().State != meaning.Off {
		t.Error("the model was changed")
	}
}

// TestHintsDoNotRepeatTheMessage: where the message says what to do, the hint
// only says that nothing happened.
func TestHintsDoNotRepeatTheMessage(t *testing.T) {
	for _, err := range []error{embed.ErrConstant, embed.ErrUnstable, embed.ErrKeyRefused, embed.ErrNotFound} {
		if got := hintFor(fmt.Errorf("openai:https://example.com does not work: %w", err)); got != "nothing was changed" {
			t.Errorf("%v: %s", err, got)
		}
	}
	if got := hintFor(embed.ErrNoModel); !strings.Contains(got, "make build") {
		t.Errorf("the build has no model: %s", got)
	}
}
