package capture

import "strings"

const (
	dashes   = "-----"
	pemBegin = dashes + "BEGIN "
	pemEnd   = dashes + "END "
	// longestKey bounds a key block whose end is missing: a 16384 bit RSA key
	// in base 64 has about 13 kB.
	longestKey = 16 << 10
	// leastArmour is less than any key needs, and more than a stand-in.
	leastArmour = 24
)

// privateKeyBlock finds a private key in PEM, OpenSSH or PGP armour. A block
// without an end reaches as far as its lines still look like armour.
func privateKeyBlock(text string, start, end int) (span, bool) {
	const longestLabel = 64
	label := text[end:min(len(text), end+longestLabel)]
	label, _, ok := strings.Cut(label, dashes)
	if !ok || !strings.Contains(strings.ToUpper(label), "PRIVATE KEY") {
		return span{}, false
	}
	body := end + len(label) + len(dashes)
	within := text[body:min(len(text), body+longestKey)]
	at := -1
	for i := 0; ; i += len(dashes) {
		next := strings.Index(within[i:], dashes)
		if next < 0 {
			break
		}
		if i += next; hasPrefixFold(within[i:], dashes+"end") {
			at = i
			break
		}
		if hasPrefixFold(within[i:], dashes+"begin") {
			within = within[:i] // an end further on belongs to another block
			break
		}
	}
	if at >= 0 {
		if at < leastArmour {
			return span{}, false // text about keys
		}
		stop := body + at + len(dashes+"end")
		if close := strings.Index(text[stop:min(len(text), stop+longestLabel)], dashes); close >= 0 {
			return span{start: start, end: stop + close + len(dashes)}, true
		}
		return span{start: start, end: stop}, true
	}
	length := armourLength(within)
	return span{start: start, end: body + length}, length >= leastArmour
}

// armourLength returns how far a text consists of base 64 lines, header lines
// and line ends written out as \n.
func armourLength(text string) int {
	const longestProse = 24 // armour lines are longer than words
	last := 0
	for i := 0; i < len(text); {
		for i < len(text) && (isSpace(text[i]) || strings.IndexByte("\"'+,", text[i]) >= 0) {
			i++
		}
		from := i
		for i < len(text) && !isSpace(text[i]) {
			c := text[i]
			if !isTokenByte(c) && c != '=' && c != '\\' && c != '"' && c != '\'' && c != ',' {
				break
			}
			i++
		}
		line := text[from:i]
		header := i < len(text) && text[i] == ':' && (strings.HasPrefix(line, "Proc-Type") || strings.HasPrefix(line, "DEK-Info") ||
			strings.HasPrefix(line, "Version") || strings.HasPrefix(line, "Comment"))
		if header {
			if end := strings.IndexByte(text[i:], '\n'); end >= 0 {
				i += end
				last = i
				continue
			}
			return len(text)
		}
		if len(line) < longestProse && !strings.HasSuffix(line, "=") || len(line) == 0 {
			break
		}
		last = i
	}
	return last
}

// urlPassword finds the password in scheme://user:password@host, and a token
// that stands there alone. The user and the host stay readable.
func urlPassword(text string, start, end int) (span, bool) {
	if start == 0 || !isLetter(text[start-1]) && !isDigit(text[start-1]) {
		return span{}, false
	}
	const longest = 512
	stop := end
	for limit := min(len(text), end+longest); stop < limit; stop++ {
		if c := text[stop]; isSpace(c) || strings.IndexByte("/?#\"'`<>\\", c) >= 0 && !inAngles(text, end, stop) {
			break
		}
	}
	at := strings.LastIndexByte(text[end:stop], '@')
	if at < 0 {
		return span{}, false
	}
	at += end
	from := end
	if colon := strings.IndexByte(text[end:at], ':'); colon >= 0 {
		user, password := text[end:end+colon], text[end+colon+1:at]
		if len(password) < 3 || isPlaceholder(password) || strings.EqualFold(user, password) || isReference(password) {
			return span{}, false
		}
		return span{start: end + colon + 1, end: at}, true
	}
	if token := text[from:at]; len(token) >= 16 && hasDigit(token) && !isWordy(token) && !isPlaceholder(token) {
		return span{start: from, end: at}, true
	}
	return span{}, false
}

// inAngles reports whether an offset lies in a stand-in such as <password>,
// whose brackets do not end a URL.
func inAngles(text string, from, at int) bool {
	if text[at] == '<' {
		return true
	}
	return text[at] == '>' && strings.LastIndexByte(text[from:at], '<') >= 0
}

// authorization finds the credentials of an Authorization header, and what
// follows the word Bearer.
func authorization(text string, start, end int) (span, bool) {
	i := end
	bare := strings.EqualFold(text[start:end], "bearer")
	if start > 0 && isWordByte(text[start-1]) {
		return span{}, false
	}
	if !bare {
		operator := skip(text, i, " \t\"'\\")
		if operator >= len(text) || strings.IndexByte(":=,", text[operator]) < 0 {
			return span{}, false
		}
		i = skip(text, operator+1, " \t\"'`\\=>")
		for _, scheme := range [...]string{"bearer", "basic", "token", "apikey", "digest", "negotiate"} {
			if hasPrefixFold(text[i:], scheme) && i+len(scheme) < len(text) && isSpace(text[i+len(scheme)]) {
				i += len(scheme)
				break
			}
		}
	}
	from := skip(text, i, " \t")
	if bare && from == i {
		return span{}, false
	}
	to := from
	for to < len(text) && (isTokenByte(text[to]) || strings.IndexByte("._~=", text[to]) >= 0) {
		to++
	}
	for to > from && text[to-1] == '.' { // the end of a sentence
		to--
	}
	value := text[from:to]
	least := 8
	if bare {
		least = 16
	}
	if len(value) < least || isPlaceholder(value) || isReference(value) || to < len(text) && text[to] == '(' {
		return span{}, false
	}
	mixed := strings.ToLower(value) != value && strings.ToUpper(value) != value
	if bare && !hasDigit(value) || isWordy(value) && !(mixed && hasDigit(value)) && !strings.HasSuffix(value, "=") {
		return span{}, false
	}
	return span{start: from, end: to}, true
}

func hasDigit(s string) bool {
	for i := range len(s) {
		if isDigit(s[i]) {
			return true
		}
	}
	return false
}

// skip returns the first offset from i whose character is not in the set.
func skip(text string, i int, set string) int {
	for i < len(text) && strings.IndexByte(set, text[i]) >= 0 {
		i++
	}
	return i
}

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}
