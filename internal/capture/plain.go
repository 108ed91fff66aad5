package capture

import (
	"encoding/base64"
	"math"
	"strings"
	"unicode/utf8"
)

// What follows tells secrets from what only resembles them: stand-ins, hashes,
// identifiers, paths, versions.

// standInParts mark a stand-in wherever they occur in a value.
var standInParts = [...]string{
	"your", "example", "placeholder", "changeme", "change-me", "change_me", "replace", "redacted",
	"dummy", "fake", "sample", "xxxx", "****", "....", "todo", "fixme", "insert", "_here", "-here",
	"process.env", "getenv", "environ", "import.meta", "secrets.", "vault:", "op://", "arn:aws",
}

// isStandInWord reports whether a word in lower case stands for a value: an
// example, a type, a default everyone knows. (A switch, because a map would be
// built at every start of the program.)
func isStandInWord(word string) bool {
	switch word {
	case "password", "passwd", "pass", "secret", "token", "test", "testing", "foo", "bar", "baz", "foobar",
		"abc", "abc123", "abcdef", "admin", "root", "user", "username", "postgres", "guest", "default", "1234",
		"12345", "123456", "1234567", "12345678", "123456789", "1234567890", "qwerty", "letmein", "true",
		"false", "null", "nil", "none", "undefined", "string", "str", "bytes", "boolean", "bool", "number",
		"integer", "object", "required", "optional", "empty", "unset", "missing", "invalid", "valid", "hidden",
		"auto", "disabled", "enabled", "yes", "unknown", "value", "bearer", "basic", "oauth", "oauth2",
		"prompt", "stdin", "ignored":
		return true
	}
	return false
}

// isPlaceholder reports whether a value stands for a secret instead of being
// one: <your-token>, ${TOKEN}, xxxx, os.Getenv("X").
func isPlaceholder(value string) bool {
	v := strings.Trim(value, "\"'` \t\\")
	if v == "" || isOneOrTwoCharacters(v) {
		return true
	}
	switch v[0] {
	case '<', '[', '{':
		if strings.IndexByte(">]}", v[len(v)-1]) >= 0 || strings.HasPrefix(v, placeholderOpen) || strings.HasPrefix(v, "{{") {
			return true
		}
	case '$':
		if len(v) == 1 || v[1] == '{' || v[1] == '(' || isIdentifier(v[1:]) || isIdentifier(strings.TrimPrefix(v[1:], "env:")) {
			return true
		}
	case '%':
		if strings.HasSuffix(v, "%") || len(v) <= 3 {
			return true
		}
	case '@':
		if strings.HasSuffix(v, "@") {
			return true
		}
	}
	lower := strings.ToLower(v)
	if isStandInWord(lower) {
		return true
	}
	for _, part := range standInParts {
		if strings.Contains(lower, part) {
			return true
		}
	}
	return strings.HasPrefix(lower, "my-") || strings.HasPrefix(lower, "my_") || strings.Contains(v, "…")
}

// isOneOrTwoCharacters reports whether a value repeats one or two characters.
func isOneOrTwoCharacters(v string) bool {
	var seen [2]rune
	n := 0
	for _, r := range v {
		if n > 0 && r == seen[0] || n > 1 && r == seen[1] {
			continue
		}
		if n == len(seen) {
			return false
		}
		seen[n] = r
		n++
	}
	return true
}

// isHarmless reports whether a value, at its place in the text, is something
// that names, versions or checks things: a hash, a UUID, a path, a date.
func isHarmless(text string, start, end int) bool {
	v := text[start:end]
	return isHash(v) || isUUID(v) || len(v) > 36 && isUUID(v[len(v)-36:]) && isWordy(v[:len(v)-36]) || isWordy(v) || isPathOrURL(text, start, end) ||
		inHashContext(text, start, end) || isKnownID(v) || isDecodableText(v) || digitsOnly(v)
}

// isHash reports whether a value has the form of a git or MD5 hash.
func isHash(v string) bool {
	switch len(v) {
	case 7, 8, 32, 40, 64:
		return isHex(v)
	}
	return false
}

func isHex(v string) bool {
	for i := range len(v) {
		if c := v[i]; !isDigit(c) && !(c|0x20 >= 'a' && c|0x20 <= 'f') {
			return false
		}
	}
	return v != ""
}

func isUUID(v string) bool {
	if len(v) != 36 {
		return false
	}
	for i := range len(v) {
		if dash := i == 8 || i == 13 || i == 18 || i == 23; dash != (v[i] == '-') || !dash && !isHex(v[i:i+1]) {
			return false
		}
	}
	return true
}

// isWordy reports whether a value is made of words: pieces between separators
// that are letters, a few digits, or letters with one number at either end,
// such as go1.22, v2, sha256 or utf8mb4.
func isWordy(v string) bool {
	for piece := range strings.FieldsFuncSeq(v, func(r rune) bool { return strings.ContainsRune("-_./:,@+=~ ", r) }) {
		if len(piece) >= longestWord || !isWordyPiece(piece) {
			return false
		}
	}
	return true
}

const (
	longestWord   = 40
	longestNumber = 14 // 20240131123456
)

func isWordyPiece(piece string) bool {
	switch strings.ToLower(piece) {
	case "ed25519", "x25519", "curve25519", "secp256k1", "secp256r1", "prime256v1":
		return true
	}
	digits, groups := 0, 0
	inDigits := false
	letters := 0
	for i := range len(piece) {
		c := piece[i]
		switch {
		case isDigit(c):
			if !inDigits {
				groups++
			}
			digits++
			inDigits = true
		case isLetter(c) || c >= utf8.RuneSelf:
			letters++
			inDigits = false
		default:
			return false
		}
	}
	if letters == 0 {
		return digits <= longestNumber
	}
	const readable = 6 // shorter pieces, such as v2 or x86, switch at every turn
	if len(piece) > readable && switches(piece)*4 > len(piece) {
		return false
	}
	return digits == 0 || groups == 1 && (digits <= 4 || digits == 5 && letters >= 12) || groups <= 2 && digits*4 <= letters
}

// switches counts the places where the sort of character changes: between
// lower case, upper case and digits. The capital that begins a word is no
// switch. Random text switches at nearly half of all places, words rarely.
func switches(s string) int {
	n := 0
	for i := 1; i < len(s); i++ {
		before, here := sortOf(s[i-1]), sortOf(s[i])
		if before != here && !(before == sortUpper && here == sortLower) {
			n++
		}
	}
	return n
}

const (
	sortOther = iota
	sortLower
	sortUpper
	sortDigit
)

func sortOf(c byte) int {
	switch {
	case c >= 'a' && c <= 'z':
		return sortLower
	case c >= 'A' && c <= 'Z':
		return sortUpper
	case isDigit(c):
		return sortDigit
	}
	return sortOther
}

// isDecodableText reports whether a value is the base 64 of plain text.
func isDecodableText(v string) bool {
	v = strings.TrimRight(v, "=")
	if len(v) < 8 {
		return false
	}
	raw, err := base64.RawStdEncoding.DecodeString(v)
	if err != nil {
		if raw, err = base64.RawURLEncoding.DecodeString(v); err != nil {
			return false
		}
	}
	for _, c := range raw {
		if c < ' ' && c != '\n' && c != '\t' && c != '\r' || c >= 0x7f {
			return false
		}
	}
	return true
}

// shannon returns the entropy of a text in bits per character.
func shannon(s string) float64 {
	var count [256]int
	for i := range len(s) {
		count[s[i]]++
	}
	h, n := 0.0, float64(len(s))
	for _, c := range count {
		if c > 0 {
			p := float64(c) / n
			h -= p * math.Log2(p)
		}
	}
	return h
}

func isIdentifier(s string) bool {
	for i := range len(s) {
		if !isWordByte(s[i]) {
			return false
		}
	}
	return s != "" && !isDigit(s[0])
}

func digitsOnly(s string) bool {
	for i := range len(s) {
		if !isDigit(s[i]) {
			return false
		}
	}
	return s != ""
}

func isDigit(c byte) bool    { return c >= '0' && c <= '9' }
func isLetter(c byte) bool   { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isWordByte(c byte) bool { return isLetter(c) || isDigit(c) || c == '_' }
func isSpace(c byte) bool    { return c == ' ' || c >= '\t' && c <= '\r' }
