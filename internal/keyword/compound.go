package keyword

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A compound is a chain of words joined by connectors without spaces: a path,
// a qualified name, a hyphenated word, a version, an address. maxParts bounds
// the words that are told apart; the rest of the chain still belongs to it.
const maxParts = 16

type connector uint8

const (
	joinDot    connector = 1 << iota // pkg.Type, v1.2, example.com
	joinHyphen                       // read-only
	joinSlash                        // a/b, and \ after a drive letter
	joinScope                        // a::b, a->b
	joinAt                           // name@host
	joinQuote                        // don't
)

type span struct{ start, end int }

// compound analyses the token that starts with a word character at p, and
// returns where to go on.
func (t *tokenizer) compound(s string, p int) int {
	var parts [maxParts]span
	start, drive := p, false
	mask := connector(0)
	end := wordEnd(s, p)
	parts[0] = span{p, end}
	n := 1
	for end < len(s) && byteKinds[s[end]] == kindJoin {
		join, size := connectorAt(s, end, drive)
		switch {
		case join == joinQuote:
			if isPossessive(s, end) {
				t.expand(s, start, end, parts[:n], mask)
				return end + 2
			}
			if mask&^joinQuote != 0 {
				join = 0
			}
		case join == 0 && mask == 0 && isScheme(s, end):
			// The scheme says nothing; the rest of a URL is a path.
			start = end + len("://")
			end = wordEnd(s, start)
			parts[0], mask = span{start, end}, joinSlash
			continue
		case join == 0 && isDrive(s, start, end):
			drive, join, size = true, joinSlash, 2
		}
		if join == 0 {
			break
		}
		mask |= join
		next := end + size
		end = wordEnd(s, next)
		n = min(n+1, maxParts) // the last part always counts: it names the file
		parts[n-1] = span{next, end}
	}
	t.expand(s, start, end, parts[:n], mask)
	return end
}

// isPossessive reports 's at p with no word after it.
func isPossessive(s string, p int) bool {
	return p+1 < len(s) && s[p+1]|0x20 == 's' && !isWordAt(s, p+2)
}

// isScheme reports :// at p with a word after it.
func isScheme(s string, p int) bool {
	return strings.HasPrefix(s[p:], "://") && isWordAt(s, p+3)
}

// isDrive reports a letter from start to p followed by :\ and a word.
func isDrive(s string, start, p int) bool {
	return p-start == 1 && isASCIILetter(s[start]) && strings.HasPrefix(s[p:], `:\`) && isWordAt(s, p+2)
}

// connectorAt returns the connector at p when a word follows it, and its size.
func connectorAt(s string, p int, drive bool) (connector, int) {
	var join connector
	size := 1
	switch s[p] {
	case '.':
		join = joinDot
	case '-':
		join = joinHyphen
		if p+1 < len(s) && s[p+1] == '>' {
			join, size = joinScope, 2
		}
	case ':':
		if p+1 < len(s) && s[p+1] == ':' {
			join, size = joinScope, 2
		}
	case '/':
		join = joinSlash
		if p+1 < len(s) && s[p+1] == '.' {
			size = 2 // a hidden file
		}
	case '\\':
		if drive {
			join = joinSlash
		}
	case '@':
		join = joinAt
	case '\'':
		join = joinQuote
	}
	if join == 0 || !isWordAt(s, p+size) {
		return 0, 0
	}
	return join, size
}

// expand emits the terms of a compound.
func (t *tokenizer) expand(s string, start, end int, parts []span, mask connector) {
	if mask == 0 && end < len(s) {
		end += languageSuffix(s, start, end)
	}
	token := s[start:end]
	if mask == 0 {
		if parts[0].end != end { // c++, c#
			t.begin(token)
			t.send(t.lowered(token), 0)
			return
		}
		if isDigits(token) {
			t.number(token)
			return
		}
		t.begin(token)
		t.word(token, 0)
		return
	}
	t.begin(token)
	switch {
	case mask == joinQuote:
		t.joined(s, parts, 0)
	case mask == joinHyphen:
		t.hyphenated(s, token, parts)
	case mask&joinSlash != 0:
		t.path(s, token, parts)
	case mask == joinDot && isVersion(token):
		whole := t.lowered(token)
		t.send(whole, 0)
		if whole[0] == 'v' {
			t.send(whole[1:], isPart)
		}
	default:
		t.send(t.lowered(token), 0)
		t.words(s, parts)
	}
}

// number emits a number, and the pair with a word such as "status" before it.
func (t *tokenizer) number(digits string) {
	t.term = t.term[:0]
	if len(t.numeric) > 0 {
		t.term = append(append(append(t.term, t.numeric...), ' '), digits...)
	}
	t.begin(digits)
	t.send(t.term, 0)
	t.send(t.lowered(digits), 0)
}

func (t *tokenizer) words(s string, parts []span) {
	for _, p := range parts {
		t.word(s[p.start:p.end], isPart)
	}
}

// joined emits the parts as one word.
func (t *tokenizer) joined(s string, parts []span, flags termFlags) {
	t.lower = t.lower[:0]
	for _, p := range parts {
		t.lower = appendLower(t.lower, s[p.start:p.end])
	}
	t.plain(t.lower, flags)
}

// hyphenated emits a compound of two as one word ("e-mail" finds "email"), a
// longer or numeric one as it stands, and its words.
func (t *tokenizer) hyphenated(s, token string, parts []span) {
	if len(parts) == 2 && !(isDigits(s[parts[0].start:parts[0].end]) && isDigits(s[parts[1].start:parts[1].end])) {
		t.joined(s, parts, 0)
	} else {
		t.send(t.lowered(token), 0)
	}
	t.words(s, parts)
}

// path emits the whole path, its last two segments, the base name with and
// without its extension, the host of a URL, then the words of all segments.
func (t *tokenizer) path(s, token string, parts []span) {
	whole := t.lowered(token)
	for i, c := range whole {
		if c == '\\' {
			whole[i] = '/'
		}
	}
	t.send(cutPath(whole), 0)
	base := bytes.LastIndexByte(whole, '/') + 1
	if base > 0 {
		if two := bytes.LastIndexByte(whole[:base-1], '/') + 1; two > 0 {
			t.send(cutPath(whole[two:]), isPart)
		}
	}
	if dot := bytes.LastIndexByte(whole[base:], '.'); dot > 0 && base > 0 {
		t.send(whole[base:], isPart)
		// The name without extension, unless it is a single word and comes
		// with the words below.
		if stem := whole[base : base+dot]; !isWordBytes(stem) {
			t.send(stem, isPart)
		}
	}
	if host := bytes.IndexByte(whole, '/'); host > 0 && bytes.IndexByte(whole[:host], '.') > 0 {
		t.send(whole[:host], isPart)
	}
	t.words(s, parts)
}

// cutPath drops leading segments of a path that is over the bound: its end is
// what tells it apart.
func cutPath(path []byte) []byte {
	start := len(path)
	for n := 0; start > 0 && n < maxTermRunes; n++ {
		_, size := utf8.DecodeLastRune(path[:start])
		start -= size
	}
	if start == 0 {
		return path
	}
	if slash := bytes.IndexByte(path[start-1:], '/'); slash >= 0 {
		return path[start+slash:]
	}
	return path
}

func wordEnd(s string, p int) int {
	for p < len(s) {
		c := s[p]
		if byteKinds[c]&kindsOfWords != 0 {
			p++
			continue
		}
		if c < utf8.RuneSelf {
			break
		}
		r, size := utf8.DecodeRuneInString(s[p:])
		if classify(r) != classWord {
			break
		}
		p += size
	}
	return p
}

func isWordAt(s string, p int) bool {
	if p >= len(s) {
		return false
	}
	if c := s[p]; c < utf8.RuneSelf {
		return isWordByte(c)
	}
	r, _ := utf8.DecodeRuneInString(s[p:])
	return classify(r) == classWord
}

// languageSuffix recognises the ends of names such as c++, g++, c# and f#.
func languageSuffix(s string, start, end int) int {
	if end-start > 2 || !isASCIILetter(s[start]) {
		return 0
	}
	size := 0
	if s[end] == '#' {
		size = 1
	} else if s[end] == '+' && end+1 < len(s) && s[end+1] == '+' {
		size = 2
	}
	if size > 0 && !isWordAt(s, end+size) {
		return size
	}
	return 0
}

// isVersion reports v1.61.0, 3.14 and the like.
func isVersion(token string) bool {
	if token[0]|0x20 == 'v' {
		token = token[1:]
	}
	for i := range len(token) {
		if c := token[i]; c != '.' && (c < '0' || c > '9') {
			return false
		}
	}
	return len(token) > 0
}

func isDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

func isASCIILetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isWordBytes(b []byte) bool {
	for _, c := range b {
		if c < utf8.RuneSelf && !isWordByte(c) {
			return false
		}
	}
	return true
}

func appendLower(dst []byte, s string) []byte {
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if c >= 'A' && c <= 'Z' {
				c += 'a' - 'A'
			}
			dst = append(dst, c)
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		if r != zeroWidthJoiner {
			dst = utf8.AppendRune(dst, unicode.ToLower(r))
		}
	}
	return dst
}
