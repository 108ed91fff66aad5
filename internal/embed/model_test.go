package embed

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// testTexts are of many lengths, some beyond the limit.
func testTexts() []string {
	texts := []string{
		"", " ", "the", "the walk", "Walking, the café!", "中文 가", "🚀🚀", "\x00\xff\xfe binary \x01",
		strings.Repeat("walking the ", 20), strings.Repeat("a b c. ", 300), strings.Repeat("x", 5000),
	}
	for n := range 24 {
		texts = append(texts, strings.Repeat("z ", n*5))
	}
	return texts
}

func cosine(a []float32, b []float64) float64 {
	var ab, aa, bb float64
	for i, x := range a {
		ab += float64(x) * b[i]
		aa += float64(x) * float64(x)
		bb += b[i] * b[i]
	}
	return ab / math.Sqrt(aa*bb)
}

// TestAgainstReference runs every kernel over packs of texts and compares each
// vector with the reference's for that text alone.
func TestAgainstReference(t *testing.T) {
	wider := config{Hidden: 64, Layers: 1, Heads: 2, Intermediate: 96, Positions: 130, Types: 2, Eps: 1e-5, Pooling: poolCLS}
	for _, c := range []struct {
		name  string
		model *tiny
	}{
		{"odd sizes, F32", newTiny(smallConfig(), f32)},
		{"odd sizes, F16", newTiny(smallConfig(), f16)},
		{"odd sizes, BF16", newTiny(smallConfig(), bf16)},
		{"whole tiles, cls", newTiny(wider, f32)},
	} {
		dir, ref, tok := c.model.write(t), c.model.reference(), testTokenizer(t)
		texts := testTexts()
		want := make([][]float64, len(texts))
		for i, s := range texts {
			want[i] = ref.embed(tok.encode(nil, s, DefaultMaxTokens))
		}
		for _, k := range kernels() {
			t.Run(c.name+"/"+k.name, func(t *testing.T) {
				m, err := openFolder(dir, k)
				if err != nil {
					t.Fatal(err)
				}
				defer m.Close()
				got, err := m.Embed(t.Context(), texts)
				if err != nil {
					t.Fatal(err)
				}
				for i := range texts {
					if cos := cosine(got[i], want[i]); !(cos > 0.999999) {
						t.Errorf("%.20q: cosine %.8f", texts[i], cos)
					}
					if err := checkUnit(got[i]); err != nil {
						t.Error(err)
					}
				}
				info := m.Info()
				if info.Dims != c.model.config.Hidden || info.Pooling != c.model.config.Pooling || info.Kernel != k.name || info.MaxTokens != DefaultMaxTokens || info.Source != dir {
					t.Errorf("info %+v", info)
				}
			})
		}
	}
}

// TestOldNames: some publishers save with a head, some with the names of the
// first release.
func TestOldNames(t *testing.T) {
	m := newTiny(smallConfig(), f32)
	want := embedAll(t, m.write(t), []string{"the walk"})
	old := newTiny(smallConfig(), f32)
	arrays := map[string]array{"cls.predictions.bias": {dtype: f32, shape: []int{1}, values: []float32{1}}}
	for name, a := range old.arrays {
		if strings.Contains(name, "LayerNorm") {
			name = strings.NewReplacer(".weight", ".gamma", ".bias", ".beta").Replace(name)
		}
		arrays["bert."+name] = a
	}
	old.arrays = arrays
	got := embedAll(t, old.write(t), []string{"the walk"})
	if d := dot(want[0], got[0]); d < 0.999999 {
		t.Errorf("cosine %v", d)
	}
}

func embedAll(t *testing.T, dir string, texts []string) [][]float32 {
	t.Helper()
	m, err := OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	vs, err := m.Embed(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	return vs
}

func TestFolderErrors(t *testing.T) {
	weight := "encoder.layer.1.output.dense.weight"
	set := func(name, field string, value any) func(*tiny) {
		return func(m *tiny) {
			var f map[string]any
			json.Unmarshal(m.files[name], &f)
			f[field] = value
			m.files[name], _ = json.Marshal(f)
		}
	}
	value := func(name string, v float32) func(*tiny) {
		return func(m *tiny) { m.arrays[name].values[5] = v }
	}
	for _, c := range []struct {
		name         string
		change       func(*tiny)
		want         error
		file, tensor string
	}{
		{"no config", func(m *tiny) { delete(m.files, "config.json") }, ErrMissing, "config.json", ""},
		{"no tokenizer", func(m *tiny) { delete(m.files, "tokenizer.json") }, ErrMissing, "tokenizer.json", ""},
		{"config is no JSON", func(m *tiny) { m.files["config.json"] = []byte("{") }, ErrMalformed, "config.json", ""},
		{"config too large", func(m *tiny) { m.files["config.json"] = make([]byte, maxConfigBytes+1) }, ErrTooLarge, "config.json", ""},
		{"other model", set("config.json", "model_type", "roberta"), ErrUnsupported, "config.json", "model_type"},
		{"other activation", set("config.json", "hidden_act", "relu"), ErrUnsupported, "config.json", "hidden_act"},
		{"other positions", set("config.json", "position_embedding_type", "relative_key"), ErrUnsupported, "config.json", "position_embedding_type"},
		{"heads do not divide", set("config.json", "num_attention_heads", 5), ErrUnsupported, "config.json", "num_attention_heads"},
		{"absurd size", set("config.json", "hidden_size", 1<<30), ErrUnsupported, "config.json", "hidden_size"},
		{"no layers", set("config.json", "num_hidden_layers", 0), ErrUnsupported, "config.json", "num_hidden_layers"},
		{"epsilon", set("config.json", "layer_norm_eps", 0), ErrUnsupported, "config.json", "layer_norm_eps"},
		{"more layers than weights", set("config.json", "num_hidden_layers", 3), ErrMissing, "model.safetensors", "encoder.layer.2.attention.self.query.weight"},
		{"vocabulary too large", set("config.json", "vocab_size", 20), ErrShape, "tokenizer.json", "vocab"},
		{"intermediate mismatch", set("config.json", "intermediate_size", 38), ErrShape, "model.safetensors", "encoder.layer.0.intermediate.dense.weight"},
		{"pooling", set("1_Pooling/config.json", "pooling_mode_max_tokens", true), ErrUnsupported, "config.json", "pooling_mode"},
		{"pooling is no JSON", func(m *tiny) { m.files["1_Pooling/config.json"] = nil }, ErrMalformed, "config.json", ""},
		{"prompts are no JSON", func(m *tiny) { m.files["config_sentence_transformers.json"] = []byte("[") }, ErrMalformed, "config_sentence_transformers.json", ""},
		{"missing tensor", func(m *tiny) { delete(m.arrays, weight) }, ErrMissing, "model.safetensors", weight},
		{"NaN in a layer", value(weight, float32(math.NaN())), ErrNotFinite, "model.safetensors", weight},
		{"infinity in a bias", value("encoder.layer.0.output.dense.bias", float32(math.Inf(-1))), ErrNotFinite, "model.safetensors", "encoder.layer.0.output.dense.bias"},
		{"NaN in the words", value("embeddings.word_embeddings.weight", float32(math.NaN())), ErrNotFinite, "model.safetensors", "embeddings.word_embeddings.weight"},
		{"NaN in a norm", value("embeddings.LayerNorm.weight", float32(math.NaN())), ErrNotFinite, "model.safetensors", "embeddings.LayerNorm.weight"},
		{"type", func(m *tiny) {
			m.arrays[weight] = array{dtype: "F64", shape: []int{24, 37}, raw: make([]byte, 24*37*8)}
		}, ErrUnsupported, "model.safetensors", weight},
		{"int8 outside a container", func(m *tiny) { m.arrays[weight] = array{dtype: i8, shape: []int{24, 37}, raw: make([]byte, 24*37)} }, ErrUnsupported, "model.safetensors", weight},
	} {
		for _, k := range []*kernel{kernels()[0], &portable} {
			t.Run(c.name+"/"+k.name, func(t *testing.T) {
				m := newTiny(smallConfig(), f32)
				c.change(m)
				_, err := openFolder(m.write(t), k)
				var fe *FileError
				if !errors.Is(err, c.want) || !errors.As(err, &fe) {
					t.Fatalf("got %v, want %v", err, c.want)
				}
				if filepath.Base(fe.File) != c.file || fe.Tensor != c.tensor {
					t.Errorf("blames %s %q, want %s %q: %v", fe.File, fe.Tensor, c.file, c.tensor, err)
				}
			})
		}
	}
	t.Run("no weights", func(t *testing.T) {
		dir := newTiny(smallConfig(), f32).write(t)
		os.Remove(filepath.Join(dir, "model.safetensors"))
		if _, err := OpenFolder(dir); !errors.Is(err, ErrMissing) {
			t.Error(err)
		}
	})
	t.Run("no folder", func(t *testing.T) {
		if _, err := OpenFolder(filepath.Join(t.TempDir(), "none")); !errors.Is(err, ErrMissing) {
			t.Error(err)
		}
	})
	t.Run("cut short", func(t *testing.T) {
		m := newTiny(smallConfig(), f32)
		dir := m.write(t)
		file := filepath.Join(dir, "model.safetensors")
		for _, cut := range []int{0, 4, 8, 100, len(m.files["model.safetensors"]) - 1} {
			os.WriteFile(file, m.files["model.safetensors"][:cut], 0o644)
			if _, err := OpenFolder(dir); !errors.Is(err, ErrTruncated) {
				t.Errorf("%d bytes: %v", cut, err)
			}
		}
	})
}

func TestHashFollowsContent(t *testing.T) {
	hash := func(change func(*tiny)) string {
		m := newTiny(smallConfig(), f32)
		change(m)
		h, err := OpenFolder(m.write(t))
		if err != nil {
			t.Fatal(err)
		}
		defer h.Close()
		return h.Info().Hash
	}
	seen := map[string]string{}
	for name, change := range map[string]func(*tiny){
		"as it is": func(*tiny) {},
		"weight":   func(m *tiny) { m.arrays["encoder.layer.0.output.dense.bias"].values[0]++ },
		"pooling":  func(m *tiny) { m.files["1_Pooling/config.json"] = []byte(`{"pooling_mode_cls_token":true}`) },
		"words":    func(m *tiny) { v := testVocab(); v[10] = "other"; m.files["tokenizer.json"] = tokenizerJSON(v) },
	} {
		h := hash(change)
		if other, dup := seen[h]; dup {
			t.Errorf("%s and %s have one hash", name, other)
		}
		seen[h] = name
	}
	if seen[hash(func(*tiny) {})] != "as it is" {
		t.Error("one folder, two hashes")
	}
}

// TestConcurrent holds that workers share weights and never scratch: every
// answer equals the lonely one.
func TestConcurrent(t *testing.T) {
	m, err := OpenFolder(newTiny(smallConfig(), f32).write(t))
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	texts := testTexts()
	want := make([][]float32, len(texts))
	for i, s := range texts {
		vs, err := m.Embed(t.Context(), []string{s})
		if err != nil {
			t.Fatal(err)
		}
		want[i] = vs[0]
	}
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			for round := range 4 {
				from := (w*3 + round) % len(texts)
				got, err := m.Embed(context.Background(), texts[from:])
				if err != nil {
					t.Error(err)
					return
				}
				for i, v := range got {
					if d := dot(v, want[from+i]); d < 0.999999 {
						t.Errorf("%.20q: cosine %v", texts[from+i], d)
					}
				}
			}
		})
	}
	wg.Wait()
}

// lateCancel is cancelled after a number of looks at it.
type lateCancel struct {
	context.Context
	mu   sync.Mutex
	left int
}

func (c *lateCancel) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

func TestCancelBetweenLayers(t *testing.T) {
	m, err := OpenFolder(newTiny(smallConfig(), f32).write(t))
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	for left := range 3 { // at the start, before layer 0, before layer 1
		ctx := &lateCancel{Context: context.Background(), left: left}
		if _, err := m.Embed(ctx, []string{"the"}); !errors.Is(err, context.Canceled) {
			t.Errorf("after %d looks: %v", left, err)
		}
	}
}

func TestClose(t *testing.T) {
	m, err := OpenFolder(newTiny(smallConfig(), f32).write(t))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := m.Embed(t.Context(), []string{"the"}); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
	if m.(*handle).l.brain != nil {
		t.Error("weights are still held")
	}
}

// TestSharedHandles: the weights live as long as someone holds the model, and
// come back after that.
func TestSharedHandles(t *testing.T) {
	m := newTiny(smallConfig(), f32)
	loads := 0
	l := newLocal(Info{MaxTokens: 16}, func() (*brain, error) {
		if loads++; loads == 1 {
			return nil, fmt.Errorf("disk on fire")
		}
		f, err := readFolder(m.write(t))
		if err != nil {
			return nil, err
		}
		defer f.close()
		n, err := loadNet(f.config, f.weights, &portable)
		if err != nil {
			return nil, err
		}
		return &brain{tok: testTokenizer(t), net: n}, keepWords(n)
	})
	a, b := l.open(), l.open()
	if loads != 0 {
		t.Error("loaded before it was needed")
	}
	if _, err := a.Embed(t.Context(), []string{"the"}); err == nil {
		t.Error("no error from a load that failed")
	}
	for _, h := range []*handle{a, b} {
		if _, err := h.Embed(t.Context(), []string{"the"}); err != nil {
			t.Error(err)
		}
	}
	a.Close()
	if _, err := b.Embed(t.Context(), []string{"the"}); err != nil || loads != 2 {
		t.Errorf("%d loads, %v", loads, err)
	}
	b.Close()
	c := l.open()
	defer c.Close()
	if _, err := c.Embed(t.Context(), []string{"the"}); err != nil || loads != 3 {
		t.Errorf("%d loads, %v", loads, err)
	}
}

func TestPack(t *testing.T) {
	var ids [][]int32
	for n := range 200 {
		ids = append(ids, make([]int32, 2+n*37%127))
	}
	for _, workers := range []int{1, 2, 16} {
		seen := map[int]bool{}
		for _, p := range pack(ids, workers) {
			rows := 0
			for _, i := range p {
				if seen[i] {
					t.Errorf("text %d twice", i)
				}
				seen[i] = true
				rows += len(ids[i])
			}
			if rows > maxPackRows {
				t.Errorf("%d rows in a pack", rows)
			}
		}
		if len(seen) != len(ids) {
			t.Errorf("%d of %d texts", len(seen), len(ids))
		}
	}
	if got := pack(nil, 2); len(got) != 0 {
		t.Errorf("packs of nothing: %v", got)
	}
	if got := pack([][]int32{make([]int32, maxPackRows+5)}, 2); len(got) != 1 {
		t.Errorf("a text larger than a pack: %v", got)
	}
}
