package embed

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

const (
	maxTokenizerBytes = 64 << 20 // tokenizer.json of multilingual models reach 17 MB
	maxVocab          = 1 << 20
	defaultMaxWord    = 100 // characters, BERT's own limit
	maxMaxWord        = 1000
)

// tokenizerSettings is what a tokenizer needs besides its vocabulary. The
// container stores it as it is.
type tokenizerSettings struct {
	Lower        bool   `json:"lower"`
	StripAccents bool   `json:"strip_accents"`
	SplitCJK     bool   `json:"split_cjk"`
	Clean        bool   `json:"clean"`
	MaxWord      int    `json:"max_word"`
	Unk          string `json:"unk"`
	Cls          string `json:"cls"`
	Sep          string `json:"sep"`
}

// newTokenizer builds one from the entries in the order of their ids. An empty
// entry stands for an id that is not used.
func newTokenizer(file string, entries []string, s tokenizerSettings) (*tokenizer, error) {
	t := &tokenizer{
		vocab: make(map[string]int32, len(entries)), size: len(entries),
		lower: s.Lower, stripAccents: s.StripAccents, splitCJK: s.SplitCJK, clean: s.Clean,
		maxWord: s.MaxWord,
	}
	if t.maxWord < 1 || t.maxWord > maxMaxWord {
		return nil, fileErr(file, "max_input_chars_per_word", ErrUnsupported, "%d", s.MaxWord)
	}
	for id, e := range entries {
		if e == "" {
			continue
		}
		if _, dup := t.vocab[e]; dup {
			return nil, fileErr(file, "vocab", ErrDuplicate, "%q", e)
		}
		t.vocab[e] = int32(id)
	}
	for _, special := range []struct {
		name string
		to   *int32
	}{{s.Unk, &t.unk}, {s.Cls, &t.cls}, {s.Sep, &t.sep}} {
		id, ok := t.vocab[special.name]
		if !ok {
			return nil, fileErr(file, "special token "+special.name, ErrMissing, "not in the vocabulary")
		}
		*special.to = id
	}
	return t, nil
}

// parseTokenizer reads tokenizer.json. Padding and truncation in it are
// ignored: every text runs at its own length.
func parseTokenizer(file string, b []byte) ([]string, tokenizerSettings, error) {
	var none tokenizerSettings
	var f struct {
		Normalizer *struct {
			Type         string `json:"type"`
			Clean        *bool  `json:"clean_text"`
			CJK          *bool  `json:"handle_chinese_chars"`
			StripAccents *bool  `json:"strip_accents"`
			Lower        *bool  `json:"lowercase"`
		} `json:"normalizer"`
		PreTokenizer *struct {
			Type string `json:"type"`
		} `json:"pre_tokenizer"`
		Model struct {
			Type    string           `json:"type"`
			Unk     string           `json:"unk_token"`
			Prefix  *string          `json:"continuing_subword_prefix"`
			MaxWord *int             `json:"max_input_chars_per_word"`
			Vocab   map[string]int64 `json:"vocab"`
		} `json:"model"`
	}
	if err := json.Unmarshal(b, &f); err != nil {
		return nil, none, fileErr(file, "", ErrMalformed, "%v", err)
	}
	// Older files leave the type out; a vocabulary with ids says the same.
	if f.Model.Type != "WordPiece" && f.Model.Type != "" {
		return nil, none, fileErr(file, "model.type", ErrUnsupported, "%q, only WordPiece", f.Model.Type)
	}
	if p := f.Model.Prefix; p != nil && *p != continuation {
		return nil, none, fileErr(file, "continuing_subword_prefix", ErrUnsupported, "%q", *p)
	}
	if n := f.Normalizer; n != nil && n.Type != "BertNormalizer" {
		return nil, none, fileErr(file, "normalizer.type", ErrUnsupported, "%q", n.Type)
	}
	if p := f.PreTokenizer; p != nil && p.Type != "BertPreTokenizer" {
		return nil, none, fileErr(file, "pre_tokenizer.type", ErrUnsupported, "%q", p.Type)
	}
	s := tokenizerSettings{MaxWord: defaultMaxWord, Unk: "[UNK]", Cls: "[CLS]", Sep: "[SEP]"}
	if f.Model.MaxWord != nil {
		s.MaxWord = *f.Model.MaxWord
	}
	if f.Model.Unk != "" {
		s.Unk = f.Model.Unk
	}
	if n := f.Normalizer; n != nil {
		or := func(p *bool, def bool) bool {
			if p == nil {
				return def
			}
			return *p
		}
		s.Clean, s.SplitCJK, s.Lower = or(n.Clean, true), or(n.CJK, true), or(n.Lower, true)
		s.StripAccents = or(n.StripAccents, s.Lower)
	}
	entries, err := vocabByID(f.Model.Vocab)
	if err != nil {
		return nil, none, fileErr(file, "vocab", ErrMalformed, "%v", err)
	}
	return entries, s, nil
}

func vocabByID(vocab map[string]int64) ([]string, error) {
	if len(vocab) == 0 {
		return nil, fmt.Errorf("no entries")
	}
	top := int64(-1)
	for _, id := range vocab {
		top = max(top, id)
	}
	if top >= maxVocab {
		return nil, fmt.Errorf("id %d, at most %d allowed", top, maxVocab-1)
	}
	entries := make([]string, top+1)
	for e, id := range vocab {
		switch {
		case id < 0:
			return nil, fmt.Errorf("id %d of %q is negative", id, e)
		case e == "" || strings.ContainsRune(e, '\n'):
			return nil, fmt.Errorf("entry %q of id %d", e, id)
		case entries[id] != "":
			return nil, fmt.Errorf("id %d stands for both %q and %q", id, entries[id], e)
		}
		entries[id] = e
	}
	return entries, nil
}

// joinVocab and splitVocab are the container's form of a vocabulary.
func joinVocab(entries []string) []byte { return []byte(strings.Join(entries, "\n")) }

func splitVocab(b []byte) ([]string, error) {
	if n := bytes.Count(b, []byte{'\n'}); n >= maxVocab {
		return nil, fmt.Errorf("%d entries", n+1)
	}
	return strings.Split(string(b), "\n"), nil
}
