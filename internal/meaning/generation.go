package meaning

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"chitta/internal/config"
	"chitta/internal/embed"
	"chitta/internal/follow"
	"chitta/internal/store"
)

// generation is a model with the vectors it made. There are two while one
// model takes over from another.
type generation struct {
	setting  config.Model // how the model was opened
	embedder *embed.Embedder
	close    func() error

	row      store.VectorModel
	shelves  []*shelf    // one per feed; none until loaded
	retired  bool        // another takes over; what it lacks it will not get
	complete atomic.Bool // everything was embedded; what is new follows soon
}

// embedBatch is how many texts are embedded in one step; the embedder makes
// its own batches of them. It is also the most that a crash costs.
const embedBatch = 64

// soonDone is how many texts may wait while everything still counts as
// embedded: they follow within a round.
const soonDone = 500

func newGeneration(setting config.Model, m embed.Model, now func() time.Time) *generation {
	return &generation{setting: setting, embedder: embed.New(m, embed.Options{Now: now}), close: m.Close}
}

// openModel opens the model that a setting names. dims is how many dimensions
// an endpoint's vectors are known to have; with 0 it says so itself.
func openModel(cfg config.Model, dims int) (embed.Model, error) {
	kind, rest, _ := strings.Cut(cfg.Use, ":")
	switch {
	case cfg.Use == UseNone:
		return nil, errNoVectors
	case cfg.Use == UseBuiltin:
		return embed.Builtin()
	case filepath.IsAbs(cfg.Use):
		return embed.OpenFolder(cfg.Use)
	case kind == embed.KindOllama:
		return embed.Endpoint(kind, ollamaAddress(), rest, embed.EndpointOptions{Timeout: cfg.Timeout, Dims: dims})
	default:
		return embed.Endpoint(kind, rest, cfg.Name, embed.EndpointOptions{Timeout: cfg.Timeout, KeyEnv: cfg.KeyVariable, Dims: dims})
	}
}

// remote reports whether texts are embedded by an endpoint.
func (g *generation) remote() bool {
	kind, _, _ := strings.Cut(g.setting.Use, ":")
	return kind == embed.KindOllama || kind == embed.KindOpenAI
}

// ollamaAddress is where Ollama listens: where it says itself, or on this
// machine.
func ollamaAddress() string {
	host := strings.TrimSpace(os.Getenv("OLLAMA_HOST"))
	switch {
	case host == "":
		return "http://127.0.0.1:11434"
	case strings.Contains(host, "://"):
		return host
	}
	host = strings.Replace(host, "0.0.0.0", "127.0.0.1", 1) // where it listens is not where it is
	if !strings.Contains(host, ":") {
		host += ":11434"
	}
	return "http://" + host
}

// savedSetting is a model's setting as vectors.db keeps it.
type savedSetting struct {
	Use         string `json:"use"`
	Name        string `json:"name,omitempty"`
	KeyVariable string `json:"key_variable,omitempty"`
	Timeout     string `json:"timeout,omitempty"`
}

func saveSetting(m config.Model) string {
	b, err := json.Marshal(savedSetting{m.Use, m.Name, m.KeyVariable, m.Timeout.String()})
	if err != nil {
		return "" // four strings always can be
	}
	return string(b)
}

func loadSetting(text string) (config.Model, error) {
	var s savedSetting
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		return config.Model{}, err
	}
	timeout, err := time.ParseDuration(s.Timeout)
	return config.Model{Use: s.Use, Name: s.Name, KeyVariable: s.KeyVariable, Timeout: timeout}, err
}

// dims returns the number of dimensions, which an endpoint tells with its
// first answer, or 0 and why it is not known.
func (g *generation) dims(ctx context.Context) (int, error) {
	if d := g.embedder.Info().Dims; d > 0 {
		return d, nil
	}
	_, err := g.embedder.Query(ctx, "dimensions")
	return g.embedder.Info().Dims, err
}

// loadShelves fills a shelf per feed with what a model made.
func loadShelves(ctx context.Context, feeds []follow.Feed, v *store.Vectors, row store.VectorModel) ([]*shelf, error) {
	shelves := make([]*shelf, len(feeds))
	for i, f := range feeds {
		var err error
		if shelves[i], err = loadShelf(ctx, f, v, row); err != nil {
			return nil, err
		}
	}
	return shelves, nil
}

func (g *generation) shelf(owner store.Owner) *shelf {
	for _, s := range g.shelves {
		if s.feed.Owner == owner {
			return s
		}
	}
	return nil
}

// each calls fn with every shelf until one fails.
func (g *generation) each(fn func(*shelf) error) error {
	for _, s := range g.shelves {
		if err := fn(s); err != nil {
			return err
		}
	}
	return nil
}

// todo is how many texts are still to be embedded.
func (g *generation) todo() (n int64) {
	for _, s := range g.shelves {
		n += s.todo.Load()
	}
	return n
}

// vectors is how many there are.
func (g *generation) vectors() (n int) {
	for _, s := range g.shelves {
		n += s.index.Len()
	}
	return n
}

// retire makes g the one that answers until another has taken over.
func (g *generation) retire() {
	if g.retired {
		return
	}
	g.retired = true
	for _, s := range g.shelves {
		s.retire()
	}
}

// adopt takes over the vectors of a generation of the same model.
func (g *generation) adopt(old *generation) {
	g.row, g.shelves = old.row, old.shelves
	for _, s := range g.shelves {
		s.revive()
	}
	g.settle()
}

// follow takes note of what changed in all feeds.
func (g *generation) follow(ctx context.Context) error {
	if err := g.each(func(s *shelf) error { return s.follow(ctx) }); err != nil {
		return err
	}
	if g.todo() > soonDone {
		g.complete.Store(false) // it will take a while
	}
	g.settle()
	return nil
}

// step embeds one batch of what waits, memories before conversations, and
// reports whether there was one.
func (g *generation) step(ctx context.Context) (bool, error) {
	for _, s := range g.shelves {
		did, err := s.step(ctx, g.embed)
		if err != nil {
			return false, err
		}
		if did {
			g.settle()
			return true, nil
		}
	}
	return false, nil
}

// settle notes when nothing is left to do.
func (g *generation) settle() {
	if len(g.shelves) > 0 && !g.retired && g.todo() == 0 {
		g.complete.Store(true)
	}
}

// embed returns a vector per text. A text that the model refuses does not hold
// up the others: it gets nil. When the model gives up in between, those before
// are returned.
func (g *generation) embed(ctx context.Context, texts []string) ([][]float32, error) {
	made, err := g.embedder.Embed(ctx, texts)
	if !refusesText(err) {
		return made, err
	}
	made = make([][]float32, 0, len(texts))
	for _, text := range texts {
		one, oneErr := g.embedder.Embed(ctx, []string{text})
		if oneErr != nil && !refusesText(oneErr) {
			err = oneErr
			break
		}
		made = append(made, append(one, nil)[0])
	}
	if len(made) == 0 || g.embedder.Stats().Texts == 0 {
		return nil, err // not one text ever went through: it is the model, not the texts
	}
	return made, nil
}

// refusesText reports whether an error of a model is about what it was given
// rather than about the model.
func refusesText(err error) bool {
	var resting *embed.BreakerError
	return !errors.As(err, &resting) && (errors.Is(err, embed.ErrRejected) || errors.Is(err, embed.ErrBadVector))
}
