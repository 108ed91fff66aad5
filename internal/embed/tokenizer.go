package embed

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// tokenizer is BERT's WordPiece: text is cleaned and split into words at
// white space, punctuation and CJK characters, and each word is spelled with
// the longest entries of the vocabulary. Special tokens written out in a text
// are plain text. It is immutable.
type tokenizer struct {
	vocab         map[string]int32
	size          int // entries, and one more than the highest id
	lower         bool
	stripAccents  bool
	splitCJK      bool
	clean         bool
	maxWord       int // characters; longer words become unk
	unk, cls, sep int32
}

// marks is the number of tokens around every text: [CLS] and [SEP].
const marks = 2

// encode appends the ids of s to dst, at most limit with the two marks. It
// reads no more of s than that takes.
func (t *tokenizer) encode(dst []int32, s string, limit int) []int32 {
	room := max(limit-marks, 0)
	dst = append(dst, t.cls)
	first := len(dst)
	t.words(s, func(word []rune, _ int) bool {
		dst = t.pieces(dst, word)
		return len(dst)-first < room
	})
	if len(dst)-first > room {
		dst = dst[:first+room]
	}
	return append(dst, t.sep)
}

// windows cuts s between words into at most count parts of at most limit
// tokens each, marks included. What lies beyond the last part is left out.
func (t *tokenizer) windows(s string, limit, count int) []string {
	if len(s) <= limit-marks {
		return []string{s} // a token is at least one byte long
	}
	room := max(limit-marks, 1)
	var parts []string
	var ids []int32
	start, used := 0, 0
	t.words(s, func(word []rune, at int) bool {
		ids = t.pieces(ids[:0], word)
		if used > 0 && used+len(ids) > room {
			parts = append(parts, s[start:at])
			start, used = at, 0
		}
		used += len(ids)
		return len(parts) < count
	})
	if len(parts) < count {
		parts = append(parts, s[start:])
	}
	return parts
}

// words calls yield with every word of s and the byte offset at which it
// begins, until yield returns false. The slice is reused. A word longer than
// maxWord arrives cut to one character more than that.
func (t *tokenizer) words(s string, yield func(word []rune, at int) bool) {
	w := splitter{t: t, yield: yield}
	for i := 0; i < len(s) && !w.done; {
		if s[i] < utf8.RuneSelf {
			w.add(rune(s[i]), i)
			i++
			continue
		}
		end := i + 1
		for end < len(s) && s[end] >= utf8.RuneSelf {
			end++
		}
		w.addUnicode(s[i:end], i)
		i = end
	}
	w.flush()
}

type splitter struct {
	t     *tokenizer
	yield func([]rune, int) bool
	word  []rune
	at    int // where word begins
	done  bool
}

// addUnicode takes a run without ASCII. Decomposing run by run equals
// decomposing the whole text: ASCII never changes, and marks are only
// reordered among themselves.
func (w *splitter) addUnicode(run string, at int) {
	if !w.t.stripAccents {
		for i, r := range run {
			if w.done {
				return
			}
			w.add(r, at+i)
		}
		return
	}
	var it norm.Iter
	it.InitString(norm.NFD, run)
	for !it.Done() && !w.done {
		pos := at + it.Pos()
		for seg := it.Next(); len(seg) > 0; {
			r, n := utf8.DecodeRune(seg)
			seg = seg[n:]
			if !unicode.Is(unicode.Mn, r) {
				w.add(r, pos)
			}
		}
	}
}

func (w *splitter) add(r rune, at int) {
	if w.done {
		return
	}
	if w.t.clean && isDropped(r) {
		return
	}
	switch {
	case isSpace(r):
		w.flush()
		return
	case isPunct(r), w.t.splitCJK && isCJK(r):
		w.flush()
		w.append(r, at)
		w.flush()
		return
	}
	w.append(r, at)
}

func (w *splitter) append(r rune, at int) {
	if len(w.word) == 0 {
		w.at = at
	}
	if len(w.word) > w.t.maxWord {
		return // already too long; what follows makes no difference
	}
	if w.t.lower {
		r = unicode.ToLower(r)
	}
	w.word = append(w.word, r)
}

func (w *splitter) flush() {
	if len(w.word) == 0 || w.done {
		return
	}
	w.done = !w.yield(w.word, w.at)
	w.word = w.word[:0]
}

// pieces appends the spelling of word: the longest entry at each place, or
// unk alone if some place has none.
func (t *tokenizer) pieces(dst []int32, word []rune) []int32 {
	if len(word) > t.maxWord {
		return append(dst, t.unk)
	}
	// The word with the continuation prefix before it; ends holds where each
	// character stops, so that no substring is built.
	var stack [256]byte
	buf := append(stack[:0], continuation...)
	var endStack [128]int
	ends := endStack[:0]
	for _, r := range word {
		buf = utf8.AppendRune(buf, r)
		ends = append(ends, len(buf))
	}
	keep := len(dst)
	at := len(continuation) // byte at which the next piece begins
	for i := 0; i < len(ends); {
		key := buf[at:]
		if i > 0 {
			// overwrite what was already spelled with the prefix
			at -= len(continuation)
			copy(buf[at:], continuation)
			key = buf[at:]
		}
		found := -1
		for j := len(ends) - 1; j >= i; j-- {
			if id, ok := t.vocab[string(key[:ends[j]-at])]; ok {
				dst = append(dst, id)
				found = j
				break
			}
		}
		if found < 0 {
			return append(dst[:keep], t.unk)
		}
		at = ends[found]
		i = found + 1
	}
	return dst
}

// continuation marks vocabulary entries that go on inside a word.
const continuation = "##"

func isDropped(r rune) bool {
	switch r {
	case '\t', '\n', '\r':
		return false
	case 0, utf8.RuneError:
		return true
	}
	if r < utf8.RuneSelf {
		return r < ' ' || r == 0x7f
	}
	// not Cn: which characters are unassigned changes with every Unicode
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs)
}

func isSpace(r rune) bool {
	if r < utf8.RuneSelf {
		return r == ' ' || r >= '\t' && r <= '\r'
	}
	return unicode.Is(unicode.White_Space, r)
}

func isPunct(r rune) bool {
	if r < utf8.RuneSelf {
		// every printable character that is no letter, digit or space
		return r >= '!' && r <= '/' || r >= ':' && r <= '@' || r >= '[' && r <= '`' || r >= '{' && r <= '~'
	}
	return unicode.IsPunct(r)
}

// isCJK holds the blocks that BERT sets apart with spaces.
func isCJK(r rune) bool {
	return r >= 0x3400 && (r >= 0x4E00 && r <= 0x9FFF || r <= 0x4DBF ||
		r >= 0xF900 && r <= 0xFAFF ||
		r >= 0x20000 && r <= 0x2A6DF || r >= 0x2A700 && r <= 0x2B73F ||
		r >= 0x2B740 && r <= 0x2B81F || r >= 0x2B920 && r <= 0x2CEAF ||
		r >= 0x2F800 && r <= 0x2FA1F)
}
