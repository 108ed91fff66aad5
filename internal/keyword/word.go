package keyword

import (
	"unicode"
	"unicode/utf8"
)

// maxHumps bounds the pieces an identifier is split into.
const maxHumps = 12

// word emits a word: a plain one as its stem, an identifier whole and in
// pieces. It works on lower-case copies in scratch memory.
func (t *tokenizer) word(w string, flags termFlags) {
	for len(w) > 0 && w[0] == '_' {
		w = w[1:]
	}
	for len(w) > 0 && w[len(w)-1] == '_' {
		w = w[:len(w)-1]
	}
	if w == "" {
		return
	}
	if isPlainCase(w) {
		t.lower = appendLower(t.lower[:0], w)
		t.letters(t.lower, flags)
		return
	}
	t.lower = appendLower(t.lower[:0], w)
	t.plain(t.lower, flags)
	if len(w) > maxTermRunes {
		return // blobs have no words in them
	}
	var humps [maxHumps]span
	n := splitHumps(w, humps[:])
	for _, h := range humps[:n] {
		piece := w[h.start:h.end]
		if n > 1 && utf8.RuneCountInString(piece) > 1 {
			t.lower = appendLower(t.lower[:0], piece)
			t.plain(t.lower, flags|isPart)
		}
		letters := len(piece)
		for letters > 0 && piece[letters-1] >= '0' && piece[letters-1] <= '9' {
			letters--
		}
		// "server2" is also about a server, "sha256" about 256; the letter of
		// "E0277" means nothing alone.
		if letters < len(piece) && letters >= 2 && isASCIILetters(piece[:letters]) {
			t.lower = appendLower(t.lower[:0], piece[:letters])
			t.plain(t.lower, flags|isPart)
			if len(piece)-letters >= 3 {
				t.send([]byte(piece[letters:]), flags|isPart)
			}
		}
	}
}

// plain emits a lower-case word: the stem if it is made of ASCII letters.
func (t *tokenizer) plain(word []byte, flags termFlags) {
	if !isASCIILetters(word) {
		t.send(word, flags)
		return
	}
	t.letters(word, flags)
}

// letters emits a word of lower-case ASCII letters as its stem.
func (t *tokenizer) letters(word []byte, flags termFlags) {
	if len(word) > maxTermRunes {
		t.send(word, flags)
		return
	}
	known := t.stems.of(word)
	t.send(known.stem, flags|known.flags)
	if flags&isPart == 0 && known.number {
		t.numeric = append(t.numeric[:0], word...)
	}
}

// isPlainCase reports ASCII words without humps: lower case, upper case,
// capitalised, or an upper-case plural such as URLs.
func isPlainCase(w string) bool {
	upper := 0
	for i := range len(w) {
		switch c := w[i]; {
		case c >= 'A' && c <= 'Z':
			upper++
		case c < 'a' || c > 'z':
			return false
		}
	}
	n := len(w)
	return upper == 0 || upper == n ||
		upper == 1 && w[0] <= 'Z' ||
		upper == n-1 && w[n-1] == 's' && n > 2
}

// splitHumps cuts an identifier at underscores and changes of case. Digits
// belong to the piece before them. What looks like a random string is not cut.
func splitHumps(w string, humps []span) int {
	n, total, start := 0, 0, 0
	add := func(end int) {
		if end == start {
			return
		}
		if total++; n < len(humps) {
			humps[n] = span{start, end}
			n++
		}
	}
	prev, letters := rune(0), 0
	for i, r := range w {
		if r == '_' {
			add(i)
			start, prev = i+1, 0
			continue
		}
		letters++
		if prev != 0 && unicode.IsUpper(r) {
			next, _ := utf8.DecodeRuneInString(w[i+utf8.RuneLen(r):])
			if !unicode.IsUpper(prev) || unicode.IsLower(next) {
				add(i)
				start = i
			}
		}
		prev = r
	}
	add(len(w))
	const fewest = 3 // letters per piece on average, below it is noise
	if total > 4 && letters < total*fewest {
		return 0
	}
	return n
}

func isASCIILetters[T string | []byte](w T) bool {
	for i := range len(w) {
		if !isASCIILetter(w[i]) {
			return false
		}
	}
	return len(w) > 0
}
