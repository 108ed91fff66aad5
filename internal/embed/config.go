package embed

import (
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
)

// config is the shape of a BERT encoder. The container stores it as it is.
type config struct {
	Hidden       int     `json:"hidden"`
	Layers       int     `json:"layers"`
	Heads        int     `json:"heads"`
	Intermediate int     `json:"intermediate"`
	Positions    int     `json:"positions"`
	Vocab        int     `json:"vocab"`
	Types        int     `json:"types"`
	Eps          float64 `json:"eps"`
	Pooling      string  `json:"pooling"`
	QueryPrefix  string  `json:"query_prefix,omitempty"`
}

const (
	poolMean = "mean"
	poolCLS  = "cls"
)

// Limits keep a hostile file from asking for absurd amounts of memory; the
// largest BERT has a hidden size of 1024 and 24 layers.
const (
	maxHidden       = 8192
	maxLayers       = 128
	maxHeads        = 256
	maxIntermediate = 1 << 16
	maxPositions    = 1 << 16
	maxTypes        = 1024
	maxConfigBytes  = 1 << 20
	maxPrefixBytes  = 4096
)

func (c config) check(file string) error {
	for _, f := range []struct {
		name       string
		value, top int
	}{
		{"hidden_size", c.Hidden, maxHidden},
		{"num_hidden_layers", c.Layers, maxLayers},
		{"num_attention_heads", c.Heads, maxHeads},
		{"intermediate_size", c.Intermediate, maxIntermediate},
		{"max_position_embeddings", c.Positions, maxPositions},
		{"vocab_size", c.Vocab, maxVocab},
		{"type_vocab_size", c.Types, maxTypes},
	} {
		if f.value < 1 || f.value > f.top {
			return fileErr(file, f.name, ErrUnsupported, "%d, want 1 to %d", f.value, f.top)
		}
	}
	switch {
	case c.Hidden%c.Heads != 0:
		return fileErr(file, "num_attention_heads", ErrUnsupported, "hidden_size %d is no multiple of %d", c.Hidden, c.Heads)
	case c.Positions < marks+1:
		return fileErr(file, "max_position_embeddings", ErrUnsupported, "%d leaves no room for text", c.Positions)
	case !(c.Eps > 0) || c.Eps > 1 || math.IsNaN(c.Eps):
		return fileErr(file, "layer_norm_eps", ErrUnsupported, "%v", c.Eps)
	case c.Pooling != poolMean && c.Pooling != poolCLS:
		return fileErr(file, "pooling", ErrUnsupported, "%q", c.Pooling)
	case len(c.QueryPrefix) > maxPrefixBytes:
		return fileErr(file, "query prefix", ErrTooLarge, "%d bytes", len(c.QueryPrefix))
	}
	return nil
}

// maxTokens is the longest text in one piece, marks included.
func (c config) maxTokens() int { return min(DefaultMaxTokens, c.Positions) }

// parseConfig reads config.json.
func parseConfig(file string, b []byte) (config, error) {
	f := struct {
		ModelType    string   `json:"model_type"`
		Hidden       int      `json:"hidden_size"`
		Layers       int      `json:"num_hidden_layers"`
		Heads        int      `json:"num_attention_heads"`
		Intermediate int      `json:"intermediate_size"`
		Positions    int      `json:"max_position_embeddings"`
		Vocab        int      `json:"vocab_size"`
		Types        *int     `json:"type_vocab_size"`
		Eps          *float64 `json:"layer_norm_eps"`
		Act          string   `json:"hidden_act"`
		PositionType string   `json:"position_embedding_type"`
	}{}
	if err := json.Unmarshal(b, &f); err != nil {
		return config{}, fileErr(file, "", ErrMalformed, "%v", err)
	}
	if f.ModelType != "bert" && f.ModelType != "" {
		return config{}, fileErr(file, "model_type", ErrUnsupported, "%q, only bert", f.ModelType)
	}
	if f.Act != "gelu" && f.Act != "" {
		return config{}, fileErr(file, "hidden_act", ErrUnsupported, "%q, only gelu", f.Act)
	}
	if f.PositionType != "absolute" && f.PositionType != "" {
		return config{}, fileErr(file, "position_embedding_type", ErrUnsupported, "%q, only absolute", f.PositionType)
	}
	c := config{
		Hidden: f.Hidden, Layers: f.Layers, Heads: f.Heads, Intermediate: f.Intermediate,
		Positions: f.Positions, Vocab: f.Vocab, Types: 2, Eps: 1e-12, // BERT's defaults
		Pooling: poolMean,
	}
	if f.Types != nil {
		c.Types = *f.Types
	}
	if f.Eps != nil {
		c.Eps = *f.Eps
	}
	return c, c.check(file)
}

// parsePooling reads 1_Pooling/config.json.
func parsePooling(file string, b []byte) (string, error) {
	var f struct {
		CLS     bool `json:"pooling_mode_cls_token"`
		Mean    bool `json:"pooling_mode_mean_tokens"`
		Max     bool `json:"pooling_mode_max_tokens"`
		Sqrt    bool `json:"pooling_mode_mean_sqrt_len_tokens"`
		Last    bool `json:"pooling_mode_lasttoken"`
		Weights bool `json:"pooling_mode_weightedmean_tokens"`
	}
	if err := json.Unmarshal(b, &f); err != nil {
		return "", fileErr(file, "", ErrMalformed, "%v", err)
	}
	switch {
	case f.Max || f.Sqrt || f.Last || f.Weights || f.CLS && f.Mean:
		return "", fileErr(file, "pooling_mode", ErrUnsupported, "only mean or cls")
	case f.CLS:
		return poolCLS, nil
	}
	return poolMean, nil
}

// parsePrefix reads the text that goes before queries out of
// config_sentence_transformers.json.
func parsePrefix(file string, b []byte) (string, error) {
	var f struct {
		Prompts map[string]string `json:"prompts"`
	}
	if err := json.Unmarshal(b, &f); err != nil {
		return "", fileErr(file, "", ErrMalformed, "%v", err)
	}
	return f.Prompts["query"], nil
}

// readConfig reads the settings of a model folder.
func readConfig(dir string) (config, error) {
	file := filepath.Join(dir, "config.json")
	b, err := readSmall(file, maxConfigBytes)
	if err != nil {
		return config{}, err
	}
	c, err := parseConfig(file, b)
	if err != nil {
		return config{}, err
	}
	file = filepath.Join(dir, "1_Pooling", "config.json")
	if b, err = readSmall(file, maxConfigBytes); err == nil {
		if c.Pooling, err = parsePooling(file, b); err != nil {
			return config{}, err
		}
	} else if !errors.Is(err, ErrMissing) {
		return config{}, err
	}
	file = filepath.Join(dir, "config_sentence_transformers.json")
	if b, err = readSmall(file, maxConfigBytes); err == nil {
		if c.QueryPrefix, err = parsePrefix(file, b); err != nil {
			return config{}, err
		}
	} else if !errors.Is(err, ErrMissing) {
		return config{}, err
	}
	return c, c.check(dir)
}

// readSmall reads a whole file of at most limit bytes.
func readSmall(file string, limit int64) ([]byte, error) {
	st, err := os.Stat(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fileErr(file, "", ErrMissing, "")
	}
	if err != nil {
		return nil, &FileError{File: file, Err: err}
	}
	if !st.Mode().IsRegular() {
		return nil, fileErr(file, "", ErrUnsupported, "not a regular file")
	}
	if st.Size() > limit {
		return nil, fileErr(file, "", ErrTooLarge, "%d bytes, at most %d", st.Size(), limit)
	}
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, &FileError{File: file, Err: err}
	}
	return b, nil
}
