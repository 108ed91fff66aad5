package embed

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// weightFiles are the names a folder may give its weights, in this order.
var weightFiles = []string{"model.safetensors", "model.fp16.safetensors"}

// OpenFolder opens a BERT model in the layout its publishers use: config.json,
// tokenizer.json and model.safetensors, and if they are there 1_Pooling and
// config_sentence_transformers.json for pooling and the prefix of queries.
func OpenFolder(dir string) (Model, error) { return openFolder(dir, kernels()[0]) }

func openFolder(dir string, k *kernel) (*handle, error) {
	start := time.Now()
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("model folder: %w", err)
	}
	f, err := readFolder(abs)
	if err != nil {
		return nil, err
	}
	defer f.close()
	hash, err := f.hash()
	if err != nil {
		return nil, err
	}
	tok, err := newTokenizer(f.tokenizerFile, f.vocab, f.settings)
	if err != nil {
		return nil, err
	}
	n, err := loadNet(f.config, f.weights, k)
	if err != nil {
		return nil, err
	}
	if err := keepWords(n); err != nil {
		return nil, err
	}
	l := newLocal(Info{
		ID: filepath.Base(abs), Hash: hash, Dims: f.config.Hidden, MaxTokens: f.config.maxTokens(),
		Pooling: f.config.Pooling, Kernel: k.name, Source: abs, QueryPrefix: f.config.QueryPrefix,
	}, func() (*brain, error) { return nil, ErrClosed })
	h := l.open()
	l.brain = &brain{tok: tok, net: n, load: time.Since(start)}
	return h, nil
}

// keepWords moves the table of words into memory: the folder may change or go
// away while the model is in use.
func keepWords(n *net) error {
	w := *n.word
	b := make([]byte, w.rows()*w.cols()*width(w.dtype))
	if err := readFull(w.file, w.r, b, w.off); err != nil {
		return err
	}
	w.r, w.off = bytes.NewReader(b), 0
	n.word = &w
	return nil
}

// folder is a model folder whose files have been read and agree.
type folder struct {
	config        config
	vocab         []string
	settings      tokenizerSettings
	tokenizerFile string
	tokenizerRaw  []byte
	weights       *safetensors
	f             *os.File
}

func (f *folder) close() { f.f.Close() }

func readFolder(dir string) (*folder, error) {
	var f folder
	var err error
	if f.config, err = readConfig(dir); err != nil {
		return nil, err
	}
	f.tokenizerFile = filepath.Join(dir, "tokenizer.json")
	if f.tokenizerRaw, err = readSmall(f.tokenizerFile, maxTokenizerBytes); err != nil {
		return nil, err
	}
	if f.vocab, f.settings, err = parseTokenizer(f.tokenizerFile, f.tokenizerRaw); err != nil {
		return nil, err
	}
	if len(f.vocab) > f.config.Vocab {
		return nil, fileErr(f.tokenizerFile, "vocab", ErrShape, "%d entries, config.json says %d", len(f.vocab), f.config.Vocab)
	}
	var file string
	for _, name := range weightFiles {
		file = filepath.Join(dir, name)
		if f.f, err = os.Open(file); !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fileErr(filepath.Join(dir, weightFiles[0]), "", ErrMissing, "nor %s", strings.Join(weightFiles[1:], ", "))
	}
	if err != nil {
		return nil, &FileError{File: file, Err: err}
	}
	st, err := f.f.Stat()
	if err == nil && !st.Mode().IsRegular() {
		err = fmt.Errorf("not a regular file")
	}
	if err != nil {
		f.f.Close()
		return nil, &FileError{File: file, Err: err}
	}
	if f.weights, err = parseSafetensors(file, f.f, st.Size()); err != nil {
		f.f.Close()
		return nil, err
	}
	return &f, nil
}

// hash covers all that decides about the vectors.
func (f *folder) hash() (string, error) {
	sum := sha256.New()
	settings, err := json.Marshal(f.config)
	if err != nil {
		return "", err
	}
	sum.Write(settings)
	sum.Write(f.tokenizerRaw)
	if _, err := io.Copy(sum, io.NewSectionReader(f.f, 0, 1<<62)); err != nil {
		return "", &FileError{File: f.weights.file, Err: err}
	}
	return hashString(sum), nil
}

func hashString(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)) }
