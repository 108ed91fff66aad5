package embed

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"
)

// testVocab spells every lower-case ASCII word, and a few others whole.
func testVocab() []string {
	v := []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "the", "cafe", "##ing", "walk", "ab", "abc", "##cd", "中", "##ᅡ", "ᄀ", "α"}
	for r := 'a'; r <= 'z'; r++ {
		v = append(v, string(r), "##"+string(r))
	}
	for r := '!'; r <= '9'; r++ {
		v = append(v, string(r))
	}
	return v
}

func testSettings() tokenizerSettings {
	return tokenizerSettings{Lower: true, StripAccents: true, SplitCJK: true, Clean: true, MaxWord: 100, Unk: "[UNK]", Cls: "[CLS]", Sep: "[SEP]"}
}

func testTokenizer(t testing.TB) *tokenizer {
	t.Helper()
	tok, err := newTokenizer("test", testVocab(), testSettings())
	if err != nil {
		t.Fatal(err)
	}
	return tok
}

// tokenizerJSON is a file as publishers write it, padding and truncation
// included.
func tokenizerJSON(vocab []string) []byte {
	ids := map[string]int{}
	for i, e := range vocab {
		ids[e] = i
	}
	b, _ := json.Marshal(map[string]any{
		"version":       "1.0",
		"truncation":    map[string]any{"max_length": 4},
		"padding":       map[string]any{"strategy": map[string]int{"Fixed": 128}},
		"normalizer":    map[string]any{"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": nil, "lowercase": true},
		"pre_tokenizer": map[string]any{"type": "BertPreTokenizer"},
		"model":         map[string]any{"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100, "vocab": ids},
	})
	return b
}

func TestTokenizer(t *testing.T) {
	tok, vocab := testTokenizer(t), testVocab()
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", ""},
		{"words", "the walk", "the walk"},
		{"case", "THE Walk", "the walk"},
		{"accents", "Café", "cafe"},
		{"accents apart", "Cafe\u0301", "cafe"},
		{"pieces", "walking", "walk ##ing"},
		{"longest first", "abcd", "abc ##d"},
		{"punctuation", "the,walk!", "the , walk !"},
		{"unknown word", "walk☃ the", "[UNK] the"},
		{"CJK stands alone", "the中walk", "the 中 walk"},
		{"hangul decomposes", "가", "ᄀ ##ᅡ"},
		{"emoji", "the 🚀", "the [UNK]"},
		{"controls vanish", "t\x00h\u200be\ufffd", "the"},
		{"vertical tab vanishes", "th\ve", "the"},
		{"white space", "the\t\n\u2003\u00a0walk", "the walk"},
		{"invalid UTF-8", "th\xffe", "the"},
		{"accents after invalid UTF-8", "the \xf5É", "the e"},
		{"private use vanishes", "\ue0b0the", "the"},
		{"special tokens are text", "[CLS]", "[UNK] c ##l ##s [UNK]"},
		{"Greek capital", "Α", "α"},
		{"longest word", strings.Repeat("a", 100), "a" + strings.Repeat(" ##a", 99)},
		{"too long a word", strings.Repeat("a", 101) + " the", "[UNK] the"},
		{"long by bytes only", strings.Repeat("é", 100), "e" + strings.Repeat(" ##e", 99)},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, id := range tok.encode(nil, c.text, 512) {
				got = append(got, vocab[id])
			}
			want := append([]string{"[CLS]"}, strings.Fields(c.want)...)
			if d := cmp.Diff(append(want, "[SEP]"), got); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestTokenizerStopsAtTheLimit(t *testing.T) {
	tok := testTokenizer(t)
	long := strings.Repeat("the walking ", 100_000)
	for _, limit := range []int{2, 3, 4, 5, 128} {
		if got := tok.encode(nil, long, limit); len(got) != limit || got[0] != tok.cls || got[limit-1] != tok.sep {
			t.Errorf("limit %d: %v", limit, got)
		}
	}
	calls := 0
	tok.words(long, func([]rune, int) bool { calls++; return calls < 5 })
	if calls != 5 {
		t.Errorf("read %d words after being told to stop", calls)
	}
	// one endless word costs no memory
	if got := tok.encode(nil, strings.Repeat("x", 1<<20), 128); len(got) != 3 || got[1] != tok.unk {
		t.Errorf("endless word: %v", got)
	}
}

// slowEncode is the tokenizer by the letter: each rule one pass over the text.
func slowEncode(vocab []string, s string, limit int) []int32 {
	ids := map[string]int32{}
	for i, e := range vocab {
		ids[e] = int32(i)
	}
	var cleaned []rune
	// String leaves what follows a byte that is no UTF-8 as it stands, the iterator does not
	for _, r := range norm.NFD.String(strings.ToValidUTF8(s, "\uFFFD")) {
		space := r == '\t' || r == '\n' || r == '\r'
		if r == 0 || r == 0xFFFD || !space && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs) || unicode.Is(unicode.Mn, r) {
			continue
		}
		switch {
		case unicode.IsSpace(r):
			cleaned = append(cleaned, ' ')
		case r < 128 && unicode.In(r, unicode.P, unicode.S) || unicode.IsPunct(r) || slowCJK(r):
			cleaned = append(cleaned, ' ', r, ' ')
		default:
			cleaned = append(cleaned, unicode.ToLower(r))
		}
	}
	out := []int32{ids["[CLS]"]}
	for word := range strings.FieldsSeq(string(cleaned)) {
		out = append(out, slowPieces(ids, []rune(word))...)
	}
	if len(out) > limit-1 {
		out = out[:max(limit-1, 1)]
	}
	return append(out, ids["[SEP]"])
}

func slowCJK(r rune) bool {
	for _, b := range [][2]rune{
		{0x4E00, 0x9FFF}, {0x3400, 0x4DBF}, {0x20000, 0x2A6DF}, {0x2A700, 0x2B73F},
		{0x2B740, 0x2B81F}, {0x2B920, 0x2CEAF}, {0xF900, 0xFAFF}, {0x2F800, 0x2FA1F},
	} {
		if b[0] <= r && r <= b[1] {
			return true
		}
	}
	return false
}

func slowPieces(ids map[string]int32, word []rune) []int32 {
	unk := []int32{ids["[UNK]"]}
	if len(word) > 100 {
		return unk
	}
	var out []int32
	for prefix := ""; len(word) > 0; prefix = "##" {
		n := len(word)
		for ; n > 0; n-- {
			if id, ok := ids[prefix+string(word[:n])]; ok {
				out = append(out, id)
				break
			}
		}
		if n == 0 {
			return unk
		}
		word = word[n:]
	}
	return out
}

func FuzzTokenizer(f *testing.F) {
	for _, s := range []string{"", "the walk", "Cafe\u0301", "가나 中文", "a\x00b\xff\u200b", "≮`;", "\u0344\u1fc1\u2f800", strings.Repeat("ab", 70), "𝅗𝅥 〮", "the\xf5Ȯ"} {
		f.Add(s, 16)
	}
	tok, vocab := testTokenizer(f), testVocab()
	f.Fuzz(func(t *testing.T, s string, limit int) {
		limit = 2 + int(uint(limit)%200)
		got := tok.encode(nil, s, limit)
		if d := cmp.Diff(slowEncode(vocab, s, limit), got); d != "" {
			t.Errorf("%q, limit %d: %s", s, limit, d)
		}
		limit = max(limit, 110) // a window holds at least a word
		checkWindows(t, tok, s, limit)
	})
}

// checkWindows holds what windows promises: parts within the limit that
// together have the tokens of the whole.
func checkWindows(t interface{ Errorf(string, ...any) }, tok *tokenizer, s string, limit int) {
	const all = 1 << 20
	parts := tok.windows(s, limit, all)
	if strings.Join(parts, "") != s {
		t.Errorf("%q: the parts are not the whole: %q", s, parts)
	}
	var ids []int32
	for _, p := range parts {
		part := tok.encode(nil, p, all)
		if len(part) > limit {
			t.Errorf("%q: part of %d tokens, limit %d", s, len(part), limit)
		}
		ids = append(ids, part[1:len(part)-1]...)
	}
	whole := tok.encode(nil, s, all)
	if d := cmp.Diff(whole[1:len(whole)-1], ids); d != "" && len(ids)+len(whole) > 2 {
		t.Errorf("%q: %s", s, d)
	}
}

func TestWindows(t *testing.T) {
	tok := testTokenizer(t)
	rapid.Check(t, func(rt *rapid.T) {
		s := rapid.StringOf(rapid.RuneFrom([]rune("abcz ,\n\té中가🚀\u0301\u200b"))).Draw(rt, "text")
		checkWindows(rt, tok, strings.Repeat(s, rapid.IntRange(1, 30).Draw(rt, "times")), 110)
	})
	if got := tok.windows(strings.Repeat("the ", 100_000), 128, 16); len(got) != 16 {
		t.Errorf("%d windows of a long text, want 16", len(got))
	}
	if got := tok.windows("", 128, 16); len(got) != 1 {
		t.Errorf("%d windows of an empty text, want 1", len(got))
	}
}

func TestParseTokenizer(t *testing.T) {
	entries, s, err := parseTokenizer("tokenizer.json", tokenizerJSON(testVocab()))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(testVocab(), entries); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(testSettings(), s); d != "" {
		t.Error(d)
	}
	for _, c := range []struct {
		name, json string
		want       error
	}{
		{"no JSON", `{"model":`, ErrMalformed},
		{"no vocabulary", `{"model":{"type":"WordPiece"}}`, ErrMalformed},
		{"other model", `{"model":{"type":"BPE","vocab":{"a":0}}}`, ErrUnsupported},
		{"other prefix", `{"model":{"continuing_subword_prefix":"@@","vocab":{"a":0}}}`, ErrUnsupported},
		{"other normalizer", `{"normalizer":{"type":"NFKC"},"model":{"vocab":{"a":0}}}`, ErrUnsupported},
		{"other pre-tokenizer", `{"pre_tokenizer":{"type":"ByteLevel"},"model":{"vocab":{"a":0}}}`, ErrUnsupported},
		{"two of one id", `{"model":{"vocab":{"a":0,"b":0}}}`, ErrMalformed},
		{"negative id", `{"model":{"vocab":{"a":-1,"b":0}}}`, ErrMalformed},
		{"huge id", `{"model":{"vocab":{"a":9000000000}}}`, ErrMalformed},
		{"empty entry", `{"model":{"vocab":{"":0}}}`, ErrMalformed},
		{"no special tokens", `{"model":{"vocab":{"a":0}}}`, ErrMissing},
		{"endless words", `{"model":{"max_input_chars_per_word":100000,"vocab":{"[UNK]":0,"[CLS]":1,"[SEP]":2}}}`, ErrUnsupported},
	} {
		t.Run(c.name, func(t *testing.T) {
			entries, s, err := parseTokenizer("tokenizer.json", []byte(c.json))
			if err == nil {
				_, err = newTokenizer("tokenizer.json", entries, s)
			}
			var fe *FileError
			if !errors.Is(err, c.want) || !errors.As(err, &fe) || fe.File != "tokenizer.json" {
				t.Errorf("got %v, want %v", err, c.want)
			}
		})
	}
}

func FuzzParseTokenizer(f *testing.F) {
	f.Add(tokenizerJSON(testVocab()))
	f.Add([]byte(`{"model":{"vocab":{"[UNK]":0,"[CLS]":1,"[SEP]":7}}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		entries, s, err := parseTokenizer("f", b)
		if err != nil {
			return
		}
		tok, err := newTokenizer("f", entries, s)
		if err != nil {
			return
		}
		for _, id := range tok.encode(nil, "the [UNK] walking Café 中 \xff", 32) {
			if id < 0 || int(id) >= tok.size {
				t.Errorf("id %d of %d", id, tok.size)
			}
		}
		back, err := splitVocab(joinVocab(entries))
		if d := cmp.Diff(entries, back); err != nil || d != "" {
			t.Errorf("vocabulary changed: %v %s", err, d)
		}
	})
}
