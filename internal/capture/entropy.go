package capture

import "strings"

const (
	ruleHighEntropy = "high-entropy"

	tokenLeast = 20 // shorter tokens are too often harmless
	// bitsLeast is the least entropy per character: random text of 20 base 62
	// characters has about 4.1 bits, of 20 characters in base 36 about 3.9.
	bitsLeast = 3.4
	// switchesLeast is the least share of places, in percent, where the sort
	// of character changes. Random text has 40 to 45, names below 25.
	switchesLeast = 28
	// switchesLong is the same for long tokens in one case, where base 32
	// has 30 but is seldom far below.
	switchesLong = 20
	tokenLong    = 32
	// leastRun is how many small letters in a row count as a word, and
	// wordsMost the share of words, in percent, from which a token with
	// capitals is a name. Random text has about 25, names above 65.
	leastRun  = 2
	wordsMost = 58
	// wordsMostAcross is stricter, for tokens taken without their separators.
	wordsMostAcross = 40
	// hexLeast is the length from which hex is suspicious: up to here it is
	// an object id, a UUID, an MD5 or a SHA-1.
	hexLeast = 41
	hexBits  = 3.0
	// contextBack is how far before a token words are looked for that tell
	// what it is, and contextGap how much may be between: an operator and
	// quotes. Before hex, which is nearly always a hash, it may be a phrase
	// such as "of the file is".
	contextBack   = 48
	contextGap    = 8
	contextGapHex = 24
)

// highEntropy appends the tokens of a text that look random.
func highEntropy(text string, spans []span) []span {
	for i := 0; i+tokenLeast <= len(text); {
		// From the far end, so that most of an ordinary text is skipped.
		k := i + tokenLeast - 1
		for k >= i && isTokenByte(text[k]) {
			k--
		}
		if k >= i {
			i = k + 1
			continue
		}
		end := i + tokenLeast
		for end < len(text) && isTokenByte(text[end]) {
			end++
		}
		for padding := 0; padding < 2 && end < len(text) && text[end] == '='; padding++ {
			end++
		}
		for i < end && (text[i] == '+' || text[i] == '-') { // the mark of a changed line
			i++
		}
		if isRandom(text[i:end]) && !isExplained(text, i, end) {
			spans = append(spans, span{start: i, end: end, rule: ruleHighEntropy, rank: rankEntropy})
		}
		i = end + 1
	}
	return spans
}

func isTokenByte(c byte) bool { return tokenBytes[c] }

// tokenBytes are what tokens consist of; a table, as every byte of every text is
// held against it.
var tokenBytes = func() (all [256]bool) {
	for i := range all {
		c := byte(i)
		all[i] = isWordByte(c) || c == '-' || c == '+' || c == '/'
	}
	return all
}()

// isRandom reports whether a part of the token long enough looks like drawn
// by chance.
func isRandom(token string) bool {
	if !hasDigit(token) {
		return false // what follows finds it out again, and most tokens have none
	}
	parted := !strings.ContainsAny(token, "+=") // otherwise base 64, where the slash is a digit
	path := strings.IndexByte(token, '/') >= 0
	for from, i := 0, 0; i <= len(token); i++ {
		if i < len(token) && token[i] != '-' && token[i] != '_' && !(token[i] == '/' && parted) {
			continue
		}
		piece := strings.TrimRight(token[from:i], "=")
		from = i + 1
		if len(piece) < tokenLeast || path && isHex(piece) { // a directory named by a hash
			continue
		}
		if isRandomPiece(piece, wordsMost) {
			return true
		}
	}
	// In URL-safe base 64 the separators are digits too. Without them it has
	// capitals, small letters and digits, and hardly any words.
	if len(token) < tokenLong || path || strings.ToLower(token) == token || strings.ToUpper(token) == token {
		return false
	}
	whole := strings.Map(func(r rune) rune {
		if r == '-' || r == '_' {
			return -1
		}
		return r
	}, token)
	return len(whole) >= tokenLong && isRandomPiece(whole, wordsMostAcross)
}

func isRandomPiece(piece string, wordsMost int) bool {
	digits, upper, lower, inWords, run := 0, 0, 0, 0, 0
	for i := range len(piece) + 1 {
		sort := sortOther
		if i < len(piece) {
			sort = sortOf(piece[i])
		}
		if sort == sortLower {
			lower++
			run++
			continue
		}
		if run >= leastRun {
			inWords += run
			if i > run && sortOf(piece[i-run-1]) == sortUpper {
				inWords++
			}
		}
		run = 0
		switch sort {
		case sortDigit:
			digits++
		case sortUpper:
			upper++
		}
	}
	if isHex(piece) {
		return len(piece) >= hexLeast && digits > 0 && upper+lower > 0 && shannon(piece) >= hexBits
	}
	if digits < 2 || upper+lower == 0 {
		return false
	}
	if upper > 0 && inWords*100 >= wordsMost*len(piece) {
		return false // Words WithCapitals
	}
	least := switchesLeast
	if len(piece) >= tokenLong && (upper == 0 || lower == 0) {
		least = switchesLong
	}
	return switches(piece)*100 >= least*len(piece) && shannon(piece) >= bitsLeast
}

// isExplained reports whether a random-looking token is something known not
// to be secret.
func isExplained(text string, start, end int) bool {
	token := text[start:end]
	return isPlaceholder(token) || isUUID(token) || isWordy(token) || isKnownID(token) || isDecodableText(token) ||
		isPathOrURL(text, start, end) || inHashContext(text, start, end) || inPublicBlock(text, start)
}

// inHashContext reports whether the text right before a token says that it is
// a checksum, a fingerprint, an object id or encoded data.
func inHashContext(text string, start, end int) bool {
	before := text[max(0, start-contextBack):start]
	if at := strings.LastIndexByte(before, '\n'); at >= 0 {
		before = before[at+1:]
	}
	token := text[start:end]
	gap := contextGap
	if isHex(token) {
		gap = contextGapHex
	}
	lower := lowerASCII(before)
	for _, word := range [...]string{
		"sha", "md5", "hash", "digest", "checksum", "fingerprint", "signature", "integrity", "etag", "commit", "revision", "crc",
		"build id", "buildid", "ssh-rsa", "ssh-ed25519", "ecdsa-sha2", "public key", "mappings",
	} {
		if at := lastWord(before, lower, word); at >= 0 && len(before)-at-len(word) <= gap {
			return true
		}
	}
	for _, mark := range [...]string{"h1:", "zh:", "base64,"} {
		if strings.HasSuffix(lower, mark) {
			return true
		}
	}
	// Words of everyday use are no proof but right in front of a hash.
	for _, word := range [...]string{"tree", "blob", "image", "container", "layer", "trace", "span", "cid"} {
		if at := lastWord(before, lower, word); at >= 0 && namesHash(lower[at+len(word):], token) {
			return true
		}
	}
	// The output of sha256sum: hash, two spaces, file.
	return isHex(token) && (strings.HasPrefix(text[end:], "  ") || strings.HasPrefix(text[end:], " *"))
}

// namesHash reports whether what is between a name and a token makes the token
// its hash: an operator before hex or a content id, or just a space before hex
// as long as a SHA-1 or a SHA-256.
func namesHash(between, token string) bool {
	for _, id := range [...]string{"_id", "-id", " id", "id"} { // container_id, spanId
		if rest, ok := strings.CutPrefix(between, id); ok {
			between = rest
			break
		}
	}
	between = strings.Trim(between, "\"'` \t")
	switch between {
	case "":
		return isHex(token) && (len(token) == 40 || len(token) == 64)
	case ":", "=", "@", ":=", "=>":
		return isHex(token) || strings.HasPrefix(token, "bafy") || strings.HasPrefix(token, "Qm") && len(token) == 46
	}
	return false
}

// lastWord returns where a word last stands on its own or as a part of a name
// (content_hash, contentHash, SHA256), or -1. A plural counts.
func lastWord(text, lower, word string) int {
	for to := len(lower); ; {
		at := strings.LastIndex(lower[:to], word)
		if at < 0 {
			return -1
		}
		end := at + len(word)
		begins := at == 0 || !isLetter(text[at-1]) || sortOf(text[at-1]) == sortLower && sortOf(text[at]) == sortUpper
		for _, plural := range [...]string{"es", "s"} {
			if strings.HasPrefix(lower[end:], plural) && (end+len(plural) == len(lower) || !isLetter(lower[end+len(plural)])) {
				end += len(plural)
				break
			}
		}
		ends := end == len(text) || !isLetter(text[end]) || sortOf(text[end-1]) == sortLower && sortOf(text[end]) == sortUpper
		if begins && ends {
			return at
		}
		to = at + len(word) - 1
	}
}

// lowerASCII lowers ASCII letters alone, so that offsets stay.
func lowerASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		b[i] = lowerByte(c)
	}
	return string(b)
}

// isPathOrURL reports whether a token is a part of a path, or of a URL before
// its query.
func isPathOrURL(text string, start, end int) bool {
	if c := text[start]; c == '/' && strings.Count(text[start:end], "/") > 1 {
		return true
	}
	if start > 0 && strings.IndexByte(`/\~`, text[start-1]) >= 0 {
		return true
	}
	if end < len(text) && (text[end] == '/' || text[end] == '\\' && end+1 < len(text) && isWordByte(text[end+1]) && !isEscape(text[end+1])) {
		return true
	}
	if isFileName(text[end:]) {
		return true
	}
	from, _ := wordAround(text, start, end)
	before := text[from:start]
	scheme := strings.LastIndex(before, "://")
	return scheme >= 0 && !strings.ContainsAny(before[scheme:], "?#@")
}

// isEscape reports whether a letter after a backslash is an escape in a string
// rather than the start of a name.
func isEscape(c byte) bool { return c == 'n' || c == 'r' || c == 't' || c == 'u' }

// isFileName reports whether the text goes on with an extension.
func isFileName(after string) bool {
	if len(after) < 2 || after[0] != '.' {
		return false
	}
	n := 1
	for n < len(after) && isWordByte(after[n]) {
		n++
	}
	return n >= 2 && n <= 6 && isLetter(after[1])
}

// isKnownID reports whether a token is an identifier by its prefix: messages
// and calls of model providers, objects of payment providers, public keys,
// hashes of subresources, ULIDs.
func isKnownID(token string) bool {
	if strings.Contains(token, "_msg_01") || strings.Contains(token, "_toolu_01") {
		return true
	}
	for _, prefix := range [...]string{
		"toolu_", "srvtoolu_", "msg_", "req_", "call_", "chatcmpl-", "resp_", "run_", "thread_", "asst_", "batch_", "file-",
		"evt_", "cus_", "pi_", "ch_", "sub_", "prod_", "price_", "acct_", "pm_", "cs_", "AAAAB3Nza", "AAAAC3Nza", "AAAAE2Vj",
		"sha256-", "sha384-", "sha512-",
	} {
		if strings.HasPrefix(token, prefix) {
			return true
		}
	}
	const ulid = 26
	return len(token) == ulid && token[0] == '0' && strings.ToUpper(token) == token && !strings.ContainsAny(token, "ILOU_-+/")
}

// inPublicBlock reports whether an offset lies in a PEM block that is no
// private key, such as a certificate.
func inPublicBlock(text string, at int) bool {
	const reach = 4 << 10 // longer than most certificates
	before := text[max(0, at-reach):at]
	begin := strings.LastIndex(before, pemBegin)
	if begin < 0 || strings.LastIndex(before, pemEnd) > begin {
		return false
	}
	label, _, ok := strings.Cut(before[begin+len(pemBegin):], "-----")
	return ok && !strings.Contains(label, "PRIVATE")
}
