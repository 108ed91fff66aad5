package capture

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// assignmentKeywords are the words that the name of a secret has in it.
func assignmentKeywords() []string {
	return []string{"pass", "pwd", "pw", "kennwort", "secret", "token", "key", "cred"}
}

const (
	longestName  = 64
	longestValue = 512
	leastValue   = 4
	leastGuess   = 6 // where the name or the form leaves a doubt
)

// secretValue finds the value of a name such as password or api_key: in code,
// JSON, YAML, environment files, XML, command lines, headers and sentences.
func secretValue(text string, start, end int) (span, bool) {
	nameStart, nameEnd := nameAround(text, start, end)
	if nameEnd-nameStart > longestName {
		return span{}, false
	}
	form, at := operatorAfter(text, nameStart, nameEnd)
	if form == formNone {
		return span{}, false
	}
	telling := tellingName(text[nameStart:nameEnd])
	if telling == nameOrdinary || telling == nameShort && isResult(text, nameStart, nameEnd) {
		return span{}, false
	}
	if form == formEquals && isEnvironmentLine(text, nameStart, nameEnd) {
		form = formEnvironment
	}
	v := readValue(text, at, form)
	if !v.isSecret(text, telling, form) {
		return span{}, false
	}
	return span{start: v.start, end: v.end}, true
}

// form is how a value is given to a name.
type form uint8

const (
	formNone        form = iota
	formEquals           // name = value, name: value, "name": "value"
	formEnvironment      // NAME=value on a line of its own
	formFlag             // --name value
	formElement          // <name>value</name>
	formSentence         // the name is value
)

// nameAround returns the identifier around a keyword.
func nameAround(text string, start, end int) (from, to int) {
	isName := func(c byte) bool { return isWordByte(c) || c == '-' || c == '.' }
	for from = start; from > 0 && start-from <= longestName && isName(text[from-1]); {
		from--
	}
	for to = end; to < len(text) && to-end <= longestName && isName(text[to]); {
		to++
	}
	return from, to
}

// operatorAfter returns how a value follows a name, and where it begins.
func operatorAfter(text string, nameStart, nameEnd int) (form, int) {
	i := nameEnd
	if i < len(text) && text[i] == '>' && nameStart > 0 && text[nameStart-1] == '<' {
		return formElement, i + 1
	}
	for n := 0; n < 4 && i < len(text) && strings.IndexByte("\"'`\\])", text[i]) >= 0; n++ {
		i++
	}
	quoted := i > nameEnd
	spaces := i
	i = skip(text, i, " \t")
	if i >= len(text) {
		return formNone, 0
	}
	switch c := text[i]; {
	case c == '=' || c == ':':
		for i < len(text) && i-spaces < 8 && strings.IndexByte("=:>", text[i]) >= 0 {
			i++
		}
		return formEquals, i
	case i > spaces && !quoted && strings.HasPrefix(text[nameStart:], "--"):
		return formFlag, i
	case i > spaces && startsAny(text[i:], "is ", "is: ", "was ", "was: ", "ist ", "ist: "):
		i = skip(text, i+strings.IndexByte(text[i:], ' '), " \t")
		for _, filler := range [...]string{"now ", "set to ", "currently "} {
			if strings.HasPrefix(text[i:], filler) {
				i += len(filler)
			}
		}
		return formSentence, i
	}
	return formNone, 0
}

func startsAny(s string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(s, p) })
}

// isResult reports whether a name is the outcome of a test (PASS: TestThing),
// or by the word before it a run through something (second pass).
func isResult(text string, nameStart, nameEnd int) bool {
	if text[nameStart:nameEnd] == "PASS" && nameEnd < len(text) && text[nameEnd] != '=' {
		return true
	}
	to := nameStart
	for to > 0 && text[to-1] == ' ' {
		to--
	}
	from := to
	for from > 0 && to-from < longestName && isLetter(text[from-1]) {
		from--
	}
	switch strings.ToLower(text[from:to]) {
	case "first", "second", "third", "last", "final", "single", "one", "two", "next", "each", "every", "this", "that", "another",
		"test", "tests", "checks", "must", "should", "can", "will", "did", "to", "render", "compiler":
		return true
	}
	return false
}

// isEnvironmentLine reports whether a name in capitals is at the start of its
// line, or after export and the like, with its value right behind.
func isEnvironmentLine(text string, nameStart, nameEnd int) bool {
	name := text[nameStart:nameEnd]
	if nameEnd >= len(text) || text[nameEnd] != '=' || strings.ToUpper(name) != name {
		return false
	}
	return nameStart == 0 || isSpace(text[nameStart-1])
}

// nameClass says how much a name gives away.
type nameClass uint8

const (
	nameOrdinary nameClass = iota
	nameShort              // pw, pwd, pass: a password, or a directory, or a test that passed
	nameSecret             // token, secret, key: often something else
	namePassword           // password: its value is one
)

// tellingName judges a name by its last words.
func tellingName(name string) nameClass {
	words := nameWords(name)
	if len(words) == 0 {
		return nameOrdinary
	}
	last := strings.TrimRight(words[len(words)-1], "0123456789")
	before := ""
	if len(words) > 1 {
		before = words[len(words)-2]
	}
	if last == "" && before != "" { // PASSWORD_2
		last, before = before, ""
	}
	switch before {
	case "next", "page", "pagination", "continuation", "csrf", "xsrf", "cancel", "cancellation", "public", "eos", "bos", "pad",
		"unk", "mask", "sep", "cls", "stop", "max", "min", "num", "per", "total", "input", "output", "prompt", "no", "without":
		return nameOrdinary
	}
	if strings.HasSuffix(name, "PWD") && before == "" {
		return nameOrdinary // the shell's working directory
	}
	if before == "" && (last == "pwd" || last == "pw" || last == "pass") {
		return nameShort
	}
	if last == "pw" || last == "pass" { // DB_PASS
		return namePassword
	}
	for _, word := range [...]string{"password", "passwd", "passphrase", "passcode", "passwort", "kennwort", "pwd"} {
		if strings.HasSuffix(last, word) {
			return namePassword
		}
	}
	for _, word := range [...]string{"secret", "token", "apikey", "accesskey", "secretkey", "privatekey", "credential", "credentials", "creds"} {
		if strings.HasSuffix(last, word) {
			return nameSecret
		}
	}
	if last == "key" && slices.Contains([]string{
		"api", "access", "secret", "private", "encryption", "signing", "auth", "master", "account", "storage", "shared",
		"subscription", "service", "session", "license", "app", "application", "admin", "security", "hmac", "jwt", "cipher",
	}, before) {
		return nameSecret
	}
	return nameOrdinary
}

// nameWords splits a name at separators and capitals, in lower case.
func nameWords(name string) []string {
	var words []string
	from := 0
	cut := func(to int) {
		if to > from {
			words = append(words, strings.ToLower(name[from:to]))
		}
	}
	for i := range len(name) {
		c := name[i]
		switch {
		case c == '_' || c == '-' || c == '.':
			cut(i)
			from = i + 1
		case i > from && sortOf(c) == sortUpper && (sortOf(name[i-1]) != sortUpper || i+1 < len(name) && sortOf(name[i+1]) == sortLower):
			cut(i)
			from = i
		}
	}
	cut(len(name))
	return words
}

// value is what was given to a name.
type value struct {
	start, end int
	quoted     bool
}

// readValue returns the value that begins at an offset.
func readValue(text string, at int, how form) value {
	i := skip(text, at, " \t")
	limit := min(len(text), i+longestValue)
	if how == formElement {
		to := i
		for to < limit && text[to] != '<' && text[to] != '\n' {
			to++
		}
		return value{i, to, to < limit && text[to] == '<'}
	}
	if i+1 < len(text) && strings.IndexByte("bruf@", text[i]) >= 0 && strings.IndexByte("\"'", text[i+1]) >= 0 {
		i++ // a prefix of the string
	}
	escaped := i+1 < len(text) && text[i] == '\\' && strings.IndexByte("\"'", text[i+1]) >= 0
	if escaped {
		i++
	}
	if i < len(text) && strings.IndexByte("\"'`", text[i]) >= 0 {
		quote := text[i]
		from := i + 1
		for to := from; to < min(len(text), from+longestValue) && text[to] != '\n'; to++ {
			switch {
			case escaped && text[to] == '\\' && to+1 < len(text) && text[to+1] == quote, !escaped && text[to] == quote:
				return value{from, to, true}
			case text[to] == '\\' && !escaped:
				to++
			}
		}
		i = from // never closed: take it as it stands
	}
	stop := "\"'`,;&)}]<>|\\"
	switch how {
	case formEnvironment:
		stop = "\"'`"
	case formSentence:
		stop = "\"'`,;)}]<>\\"
	}
	to := i
	for to < limit && !isSpace(text[to]) && strings.IndexByte(stop, text[to]) < 0 {
		to++
	}
	if how == formSentence || how == formFlag {
		for to > i && strings.IndexByte(".!?:", text[to-1]) >= 0 {
			to--
		}
	}
	for to > i && to < len(text) && !utf8.RuneStart(text[to]) { // cut at the limit
		to--
	}
	return value{i, to, false}
}

// isSecret judges a value by its name and by how it was given.
func (v value) isSecret(text string, name nameClass, how form) bool {
	s := text[v.start:v.end]
	if len(s) < leastValue || isPlaceholder(s) || isExpression(text, v) {
		return false
	}
	letters, digits, symbols := composition(s)
	mixed := letters > 0 && (digits > 0 || symbols > 0) || symbols > 1 && digits > 0
	switch {
	case strings.ContainsAny(s, " \t"):
		// A sentence about passwords, or a passphrase.
		return name == namePassword && v.quoted && digits > 0 && symbols > 0 && strings.Count(s, " ") <= 5
	case how == formSentence:
		sorts := min(letters, 1) + min(digits, 1) + min(symbols, 1)
		if upper := strings.ToLower(s) != s; upper && strings.ToUpper(s) != s {
			sorts++
		}
		if !isWordyName(s) && (sorts >= 3 && len(s) >= 8 || v.quoted && mixed && len(s) >= 6) {
			return true
		}
		return name != nameSecret && mixed && len(s) >= leastGuess && digits > 0 && !strings.ContainsAny(s, "-_./:") && !isDescription(text, v)
	case name == nameShort:
		return mixed && len(s) >= leastGuess && !isWordyName(s) && (symbols > 0 || !isPathLike(s)) && !isAlgorithm(s)
	case name == namePassword && (v.quoted || how == formEnvironment):
		return mixed || !mentionsSecret(s)
	case name == namePassword && how == formEquals && isWholeLine(text, v) && strings.ToLower(s) == s && !strings.ContainsAny(s, ".-_/"):
		return mixed || !mentionsSecret(s)
	case name == namePassword:
		return mixed && len(s) >= 6 && (symbols > 0 || !isWordyName(s))
	}
	if len(s) < 8 || isWordyName(s) || digitsOnly(s) || isPathOrURL(text, v.start, v.end) {
		return false
	}
	return digits > 0 && letters > 0 || symbols > 0 && letters > 0 && len(s) >= 12
}

// isDescription reports whether what follows "the password is" says something
// about it: sha256 hashed, 12characters long.
func isDescription(text string, v value) bool {
	if v.quoted {
		return false
	}
	if isAlgorithm(text[v.start:v.end]) || isDigit(text[v.start]) && isPlainWord(strings.TrimLeft(text[v.start:v.end], "0123456789")) {
		return true
	}
	from := skip(text, v.end, " \t")
	to := from
	for to < len(text) && isLetter(text[to]) {
		to++
	}
	next := strings.ToLower(text[from:to])
	switch next {
	case "only", "hash", "hashes", "digest", "format", "characters", "chars", "compliant", "or", "long", "strings", "text":
		return true
	}
	return from > v.end && strings.HasSuffix(next, "ed")
}

// isAlgorithm reports whether a value is the name of a hash or an encoding,
// which have digits as passwords do.
func isAlgorithm(s string) bool {
	return startsAny(strings.ToLower(s), "sha", "md5", "bcrypt", "scrypt", "argon2", "pbkdf2", "base64", "base32", "utf8", "utf16", "oauth", "aes", "hmac", "rfc", "iso")
}

// isPathLike reports whether a value can be a path: pwd is also the directory
// one is in.
func isPathLike(s string) bool { return strings.ContainsAny(s, `/\~`) }

// isWordyName reports whether a value is a name made of words, not of random
// characters: the name of a secret rather than the secret.
func isWordyName(s string) bool {
	if strings.ContainsAny(s, "-_./:") || !hasDigit(s) {
		return isWordy(s)
	}
	return isIdentifier(s) && isWordy(s) && strings.ToLower(s) != s // camelCase2
}

// mentionsSecret reports whether a value only repeats what the name says.
func mentionsSecret(s string) bool {
	lower := strings.ToLower(s)
	for _, word := range [...]string{"passw", "passphrase", "secret", "token", "credential", "login", "user"} {
		if strings.Contains(lower, word) {
			return true
		}
	}
	return false
}

// composition counts letters, digits and the symbols that passwords have and
// names do not.
func composition(s string) (letters, digits, symbols int) {
	for i := range len(s) {
		switch c := s[i]; {
		case isLetter(c) || c >= utf8.RuneSelf:
			letters++
		case isDigit(c):
			digits++
		case strings.IndexByte("!@#$%^&*+=~?|", c) >= 0:
			symbols++
		}
	}
	return letters, digits, symbols
}

// isWholeLine reports whether nothing follows a value on its line.
func isWholeLine(text string, v value) bool {
	return v.end == len(text) || text[v.end] == '\n' || text[v.end] == '\r'
}

// isExpression reports whether a value without quotes is code: a call, a
// field, an element, a type.
func isExpression(text string, v value) bool {
	s := text[v.start:v.end]
	if isReference(s) {
		return true
	}
	if v.quoted {
		return false
	}
	if strings.ContainsAny(s, "([{") || strings.HasPrefix(s, "&") || strings.HasPrefix(s, "+") || strings.HasPrefix(s, "*") && isIdentifier(s[1:]) {
		return true
	}
	if v.end < len(text) && strings.IndexByte("(", text[v.end]) >= 0 {
		return true
	}
	return sortOf(s[0]) == sortUpper && isIdentifier(s) && !hasDigit(s) // a type
}

// isReference reports whether a value points to where the secret is: a
// variable, a field of something, a store of secrets.
func isReference(s string) bool {
	if strings.Contains(s, "->") || strings.Contains(s, "::") || strings.HasPrefix(s, "$") && isIdentifier(s[1:]) {
		return true
	}
	first, rest, dotted := strings.Cut(s, ".")
	if !dotted || !isIdentifier(first) {
		return false
	}
	for part := range strings.SplitSeq(rest, ".") {
		if !isIdentifier(strings.TrimRight(part, "!?()")) || !isWordyPiece(strings.ReplaceAll(strings.TrimRight(part, "!?()"), "_", "")) {
			return false
		}
	}
	return isWordyPiece(strings.ReplaceAll(first, "_", ""))
}
