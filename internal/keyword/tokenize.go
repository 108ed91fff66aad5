package keyword

import (
	"unicode/utf8"
)

// termFlags tell a query what kind of term it got.
type termFlags uint8

const (
	isPart termFlags = 1 << iota // a piece of an identifier, path or compound
	isStop                       // a stop word
)

// tokenizer cuts text into tokens and hands their terms to emit. The terms are
// only valid during the call. What a token gives never depends on other tokens,
// except that a number may join the word before it, so a document that holds
// the text of a query between spaces has all of its terms.
type tokenizer struct {
	stems *stemCache
	emit  func(term []byte, flags termFlags, surface string)
	stop  bool // set by emit: no more terms are wanted

	surface string // the token being expanded
	budget  int    // terms it may still give
	numeric []byte // last word when a number after it belongs to it

	lower  []byte // scratch
	term   []byte // scratch
	folded []byte // scratch
	decomp []byte // scratch
}

// text cuts at ASCII white space and control characters and analyses each run.
func (t *tokenizer) text(s string) {
	for i := 0; i < len(s) && !t.stop; {
		if s[i] <= ' ' {
			i++
			continue
		}
		start, kinds := i, byteKind(0)
		for ; i < len(s) && s[i] > ' '; i++ {
			kinds |= byteKinds[s[i]]
		}
		t.spaceless(s[start:i], kinds)
	}
}

// spaceless analyses a run that has bytes of these kinds and no white space.
func (t *tokenizer) spaceless(s string, kinds byteKind) {
	switch {
	case kinds == kindLower: // most of all text; the same as below, sooner
		t.begin(s)
		t.lower = append(t.lower[:0], s...)
		t.letters(t.lower, 0)
	case kinds&kindWide == 0:
		t.run(s)
	default:
		t.folded, t.decomp = foldRun(t.folded[:0], t.decomp, s)
		t.run(string(t.folded))
	}
}

// run analyses text that is ASCII or folded.
func (t *tokenizer) run(s string) {
	for p := 0; p < len(s) && !t.stop; {
		c := s[p]
		if c < utf8.RuneSelf {
			switch {
			case isWordByte(c):
				p = t.compound(s, p)
			case c == '-' && (p == 0 || !isWordByte(s[p-1])):
				p = t.flag(s, p)
			default:
				p++
			}
			continue
		}
		r, size := utf8.DecodeRuneInString(s[p:])
		switch classify(r) {
		case classWord:
			p = t.compound(s, p)
		case classCJK:
			p = t.cjk(s, p)
		case classEmoji:
			p = t.emoji(s, p)
		default:
			p += size
		}
	}
}

// begin starts a token; what it emits shares a budget and a surface.
func (t *tokenizer) begin(surface string) {
	t.surface = surface
	t.budget = maxTokenTerms
	t.numeric = t.numeric[:0]
}

// send emits one term, cut to the bound.
func (t *tokenizer) send(term []byte, flags termFlags) {
	if len(term) == 0 || t.budget == 0 || t.stop {
		return
	}
	t.budget--
	t.emit(cutRunes(term), flags, t.surface)
}

func cutRunes(b []byte) []byte {
	if len(b) <= maxTermRunes {
		return b
	}
	n := 0
	for i := range string(b) {
		if n == maxTermRunes {
			return b[:i]
		}
		n++
	}
	return b
}

// flag analyses a command line flag at a dash: the whole flag and its words.
func (t *tokenizer) flag(s string, p int) int {
	dashes := p
	for p < len(s) && s[p] == '-' {
		p++
	}
	if p-dashes > 2 || p == len(s) || !isASCIILetter(s[p]) {
		return p
	}
	end := p
	for end < len(s) && (isWordByte(s[end]) || (s[end] == '-' || s[end] == '.') && end+1 < len(s) && isWordByte(s[end+1])) {
		end++
	}
	t.begin(s[dashes:end])
	t.send(t.lowered(s[dashes:end]), 0)
	if end-p > 1 { // a single letter says nothing without its dash
		for start := p; start < end; {
			stop := start
			for stop < end && s[stop] != '-' && s[stop] != '.' {
				stop++
			}
			t.word(s[start:stop], isPart)
			start = stop + 1
		}
	}
	return end
}

// cjk emits a run of characters written without spaces as bigrams, a lone
// character as itself.
func (t *tokenizer) cjk(s string, p int) int {
	first, size := utf8.DecodeRuneInString(s[p:])
	t.begin(s[p : p+size])
	prev, n := first, 1
	for p += size; p < len(s) && !t.stop; n++ {
		r, size := utf8.DecodeRuneInString(s[p:])
		if classify(r) != classCJK {
			break
		}
		p += size
		t.begin(s[p-size-utf8.RuneLen(prev) : p])
		t.term = utf8.AppendRune(utf8.AppendRune(t.term[:0], prev), r)
		t.send(t.term, 0)
		prev = r
	}
	if n == 1 {
		t.term = utf8.AppendRune(t.term[:0], first)
		t.send(t.term, 0)
	}
	return p
}

// emoji emits one emoji: a pair of regional indicators is a flag, joined ones
// are one term, skin tones and variation selectors are left out.
func (t *tokenizer) emoji(s string, p int) int {
	start := p
	t.term = t.term[:0]
	regions, joined := 0, true
	for p < len(s) {
		r, size := utf8.DecodeRuneInString(s[p:])
		switch {
		case isVariation(r), isSkinTone(r):
		case r == zeroWidthJoiner:
			joined = true
		case isEmoji(r) && (joined || regions == 1 && isRegionFlag(r)) && len(t.term) < maxTermRunes/2:
			if len(t.term) > 0 && regions == 0 {
				t.term = utf8.AppendRune(t.term, zeroWidthJoiner)
			}
			t.term = utf8.AppendRune(t.term, r)
			if joined = false; isRegionFlag(r) {
				regions++
			}
		default:
			size = 0
		}
		if size == 0 {
			break
		}
		p += size
	}
	if p == start { // cannot happen for an emoji, but must never loop
		_, size := utf8.DecodeRuneInString(s[p:])
		p += size
	}
	t.begin(s[start:p])
	t.send(t.term, 0)
	return p
}

// lowered returns s in lower case in scratch memory that the next call reuses.
func (t *tokenizer) lowered(s string) []byte {
	t.lower = appendLower(t.lower[:0], s)
	return t.lower
}
