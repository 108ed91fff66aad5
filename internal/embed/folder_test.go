package embed

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func layerName(l int) string { return fmt.Sprintf("encoder.layer.%d.", l) }

// array is a tensor to be written.
type array struct {
	dtype  string
	shape  []int
	values []float32
	raw    []byte // instead of values
}

func (a array) bytes() []byte {
	if a.raw != nil {
		return a.raw
	}
	var b []byte
	for _, v := range a.values {
		switch bits := math.Float32bits(v); a.dtype {
		case f32:
			b = binary.LittleEndian.AppendUint32(b, bits)
		case bf16:
			b = binary.LittleEndian.AppendUint16(b, uint16(bits>>16))
		case f16:
			b = binary.LittleEndian.AppendUint16(b, toF16(v))
		}
	}
	return b
}

// toF16 is exact for the values of these tests: small multiples of 1/64, and
// what is not finite.
func toF16(v float32) uint16 {
	bits := math.Float32bits(v)
	sign, exp, frac := uint16(bits>>16&0x8000), int(bits>>23&255), uint16(bits>>13&1023)
	switch exp {
	case 0:
		return sign
	case 255:
		return sign | 31<<10 | frac
	}
	return sign | uint16(exp-112)<<10 | frac
}

func safetensorsFile(arrays map[string]array) []byte {
	header := map[string]any{"__metadata__": map[string]string{"format": "pt"}}
	var data []byte
	for _, name := range slices.Sorted(maps.Keys(arrays)) {
		a, from := arrays[name], len(data)
		data = append(data, a.bytes()...)
		header[name] = map[string]any{"dtype": a.dtype, "shape": a.shape, "data_offsets": []int{from, len(data)}}
	}
	head, _ := json.Marshal(header)
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(head)))
	return append(append(b, head...), data...)
}

// tiny is a model with random weights, small enough for a reference in double
// precision.
type tiny struct {
	config config
	dtype  string
	arrays map[string]array
	files  map[string][]byte // by name, beside the weights
}

func newTiny(c config, dtype string) *tiny {
	c.Vocab = len(testVocab()) + 3 // tables are often padded
	c.Pooling = cmp.Or(c.Pooling, poolMean)
	t := &tiny{config: c, dtype: dtype, arrays: map[string]array{}, files: map[string][]byte{}}
	r := rand.New(rand.NewPCG(7, uint64(c.Hidden)))
	put := func(name string, offset float32, shape ...int) {
		n := 1
		for _, d := range shape {
			n *= d
		}
		v := make([]float32, n)
		for i := range v {
			// multiples of 1/64 are exact in every type
			v[i] = offset + float32(r.IntN(41)-20)/64
		}
		t.arrays[name] = array{dtype: dtype, shape: shape, values: v}
	}
	norm := func(name string) {
		put(name+".weight", 1, c.Hidden)
		put(name+".bias", 0, c.Hidden)
	}
	dense := func(name string, out, in int) {
		put(name+".weight", 0, out, in)
		put(name+".bias", 0, out)
	}
	put("embeddings.word_embeddings.weight", 0, c.Vocab, c.Hidden)
	put("embeddings.position_embeddings.weight", 0, c.Positions, c.Hidden)
	put("embeddings.token_type_embeddings.weight", 0, c.Types, c.Hidden)
	norm("embeddings.LayerNorm")
	for l := range c.Layers {
		p := layerName(l)
		for _, part := range []string{"query", "key", "value"} {
			dense(p+"attention.self."+part, c.Hidden, c.Hidden)
		}
		dense(p+"attention.output.dense", c.Hidden, c.Hidden)
		norm(p + "attention.output.LayerNorm")
		dense(p+"intermediate.dense", c.Intermediate, c.Hidden)
		dense(p+"output.dense", c.Hidden, c.Intermediate)
		norm(p + "output.LayerNorm")
	}
	t.arrays["embeddings.position_ids"] = array{dtype: "I64", shape: []int{1, 2}, raw: make([]byte, 16)}
	t.files["config.json"], _ = json.Marshal(map[string]any{
		"model_type": "bert", "hidden_act": "gelu", "hidden_size": c.Hidden, "num_hidden_layers": c.Layers,
		"num_attention_heads": c.Heads, "intermediate_size": c.Intermediate, "max_position_embeddings": c.Positions,
		"vocab_size": c.Vocab, "type_vocab_size": c.Types, "layer_norm_eps": c.Eps, "position_embedding_type": "absolute",
	})
	t.files["tokenizer.json"] = tokenizerJSON(testVocab())
	t.files["1_Pooling/config.json"], _ = json.Marshal(map[string]bool{
		"pooling_mode_cls_token": c.Pooling == poolCLS, "pooling_mode_mean_tokens": c.Pooling == poolMean,
	})
	return t
}

// smallConfig fits no kernel's tiles.
func smallConfig() config {
	return config{Hidden: 24, Layers: 2, Heads: 3, Intermediate: 37, Positions: 140, Types: 2, Eps: 1e-12}
}

func (t *tiny) write(tb testing.TB) string {
	tb.Helper()
	dir := tb.TempDir()
	t.files["model.safetensors"] = safetensorsFile(t.arrays)
	for name, b := range t.files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			tb.Fatal(err)
		}
		if err := os.WriteFile(file, b, 0o644); err != nil {
			tb.Fatal(err)
		}
	}
	return dir
}

func (t *tiny) reference() refModel {
	m := refModel{config: t.config, w: map[string][]float32{}}
	for name, a := range t.arrays {
		m.w[name] = a.values
	}
	return m
}
