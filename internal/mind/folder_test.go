package mind

import (
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

// Sizes of the model of writeTinyModel.
const (
	tinyDims      = 24
	tinyInner     = 32
	tinyPositions = 140
)

// tinyVocab knows letters, digits and their continuations.
func tinyVocab() map[string]int {
	vocab := map[string]int{}
	for _, w := range []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]"} {
		vocab[w] = len(vocab)
	}
	for _, r := range "abcdefghijklmnopqrstuvwxyz0123456789" {
		vocab[string(r)] = len(vocab)
		vocab["##"+string(r)] = len(vocab)
	}
	return vocab
}

// writeTinyModel writes a folder with a BERT model of random weights, one
// layer deep.
func writeTinyModel(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name string, data []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	writeJSON := func(name string, v any) {
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		write(name, b)
	}
	vocab := tinyVocab()
	writeJSON("config.json", map[string]any{
		"model_type": "bert", "hidden_act": "gelu", "hidden_size": tinyDims, "num_hidden_layers": 1,
		"num_attention_heads": 3, "intermediate_size": tinyInner, "max_position_embeddings": tinyPositions,
		"vocab_size": len(vocab), "type_vocab_size": 2, "layer_norm_eps": 1e-12, "position_embedding_type": "absolute",
	})
	writeJSON("tokenizer.json", map[string]any{
		"version":       "1.0",
		"normalizer":    map[string]any{"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": nil, "lowercase": true},
		"pre_tokenizer": map[string]any{"type": "BertPreTokenizer"},
		"model":         map[string]any{"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100, "vocab": vocab},
	})
	write("model.safetensors", tinyWeights(len(vocab), 0))
	return dir
}

// tinyWeights makes the weights; one of them is odd.
func tinyWeights(words int, odd float32) []byte {
	shapes := map[string][]int{
		"embeddings.word_embeddings.weight":       {words, tinyDims},
		"embeddings.position_embeddings.weight":   {tinyPositions, tinyDims},
		"embeddings.token_type_embeddings.weight": {2, tinyDims},
	}
	vector := func(name string, n int) { shapes[name] = []int{n} }
	norm := func(name string) { vector(name+".weight", tinyDims); vector(name+".bias", tinyDims) }
	dense := func(name string, out, in int) { shapes[name+".weight"] = []int{out, in}; vector(name+".bias", out) }
	norm("embeddings.LayerNorm")
	const layer = "encoder.layer.0."
	for _, part := range []string{"query", "key", "value"} {
		dense(layer+"attention.self."+part, tinyDims, tinyDims)
	}
	dense(layer+"attention.output.dense", tinyDims, tinyDims)
	norm(layer + "attention.output.LayerNorm")
	dense(layer+"intermediate.dense", tinyInner, tinyDims)
	dense(layer+"output.dense", tinyDims, tinyInner)
	norm(layer + "output.LayerNorm")

	header := map[string]any{"__metadata__": map[string]string{"format": "pt"}}
	var data []byte
	r := rand.New(rand.NewPCG(7, 7))
	for _, name := range slices.Sorted(maps.Keys(shapes)) {
		n, from := 1, len(data)
		for _, d := range shapes[name] {
			n *= d
		}
		for range n {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(odd+float32(r.NormFloat64())/4))
			odd = 0
		}
		header[name] = map[string]any{"dtype": "F32", "shape": shapes[name], "data_offsets": []int{from, len(data)}}
	}
	head, err := json.Marshal(header)
	if err != nil {
		panic(fmt.Sprint("weights: ", err))
	}
	return append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(head))), head...), data...)
}
