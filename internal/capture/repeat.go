package capture

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"chitta/internal/expr"
	"chitta/internal/memory"
)

const (
	// leastRepeated is how many words a repetition has: shorter ones are said by
	// anybody.
	leastRepeated = 4
	// repeatedShare is the share of its words that must be those of the other
	// text, in their order, for it to be a repetition.
	repeatedShare = 0.95
	// maxRepeated bounds the words compared, and so the time it takes.
	maxRepeated = 2000
)

// Repeats reports whether a text only repeats a passage of another, word for
// word or nearly so. Numbers, names of files and negations must be the same.
// What chitta writes around a text when it hands it over does not count.
func Repeats(text, other string) bool {
	if repeats(text, other) {
		return true
	}
	bare := Bare(text)
	return bare != text && repeats(bare, other)
}

func repeats(text, other string) bool {
	words, all := tellingWords(text), tellingWords(other)
	if len(words) < leastRepeated || len(words) > maxRepeated || len(all) > maxRepeated {
		return NearDuplicate(text, other)
	}
	changes, from, to := nearestPassage(words, all)
	if float64(changes) > (1-repeatedShare)*float64(len(words)) {
		return false
	}
	return sameDecisive(words, all[from:to])
}

// The parts of a line that chitta hands over: "- decision: TEXT [m_…, DATE,
// SOURCE]". Agents put a mark of their own before it, such as [DECISION].
const (
	lineStart = `^\s*(?:(?:[-*•>]|\d{1,2}[.)])\s+)*(?:\**\[[A-Z][A-Z _-]{2,20}\]\**:?\s+)?`
	lineEnd   = `\s*\[(?:[a-z]{1,2}_[\w#:-]{3,64}, [^\[\]\n]{1,240}|[^\[\],\s]{3,100}, \d{4}-\d\d-\d\d, (?:` +
		`said by the user|seen to work|noted by an agent|output of a tool|from the web|ledger|session)[^\[\]\n]{0,160})\]`
)

var (
	startOfLine = expr.New(lineStart)
	endOfLine   = expr.New(lineEnd + `[\s.,;)”"]*$`)
	toldLabel   = expr.New(`^(?i:` + strings.Join(labels(), "|") + `):\s+`)
	plainLabel  = expr.New(`^(?i:` + strings.Join(labels("failure", "correction", "question", "gap"), "|") + `):\s+`)
	toldLine    = expr.New(lineStart + `(?i:` + strings.Join(labels(), "|") + `):\s.*` + lineEnd + `[\s.,;]*$`)
)

// labels are what lines begin with: kinds, and the words that some are told by,
// but for some.
func labels(but ...string) []string {
	all := append(memory.KindNames(), "decision", "decided", "fix", "todo", "next", "last asked")
	return slices.DeleteFunc(all, func(l string) bool { return slices.Contains(but, l) })
}

// Bare returns what a line says that chitta may have handed over: without list
// mark, marker, label, and the bracket with id, date and source. Without such a
// bracket, a label that finds fault is the speaker's own and stays.
func Bare(text string) string {
	bare := startOfLine.ReplaceAllString(text, "")
	if at := endOfLine.FindStringIndex(bare); at != nil {
		return strings.TrimSpace(toldLabel.ReplaceAllString(bare[:at[0]], ""))
	}
	return strings.TrimSpace(plainLabel.ReplaceAllString(bare, ""))
}

// IsTold reports whether a text ends with the bracket of id, date and source
// that chitta writes behind what it hands over. A person who pastes it says
// nothing of their own.
func IsTold(text string) bool { return endOfLine.MatchString(text) }

// StripTold returns a text without the passages and the single lines that
// chitta handed out.
func StripTold(text string) string {
	text = StripEcho(text)
	lines := strings.Split(text, "\n")
	return strings.Join(slices.DeleteFunc(lines, toldLine.MatchString), "\n")
}

// DropPlaceholders returns a text without what stands in place of secrets.
func DropPlaceholders(text string) string {
	var b strings.Builder
	for {
		at := strings.Index(text, placeholderOpen)
		if at < 0 {
			return b.String() + text
		}
		end := placeholderAt(text, at)
		if end == 0 {
			end = at + len(placeholderOpen)
			b.WriteString(text[:end])
		} else {
			b.WriteString(text[:at] + " ")
		}
		text = text[end:]
	}
}

const (
	// muchLonger is how many times the words of another text a retelling may
	// have: one that is longer tells more.
	muchLonger = 1.5
	// mostSwapped is how many words a copy may have other than the original to
	// be one with something else put in: who retells changes more.
	mostSwapped = 3
)

// Retells reports whether a text whose meaning is close to another's may be the
// same statement in other words. It is not when it has a number, a name or an
// identifier that the other lacks, names in another order, a negation, a limit
// or a word of change where the other has none or the other way round, the other
// side of an opposite, much more to say, or when it is a copy with a few words
// swapped: then it is news, and a doubt counts as news.
func Retells(text, other string) bool {
	words, otherWords := tellingWords(text), tellingWords(other)
	if float64(len(words)) > muchLonger*float64(len(otherWords)) || len(otherWords) > maxRepeated ||
		opposed(stems(words), stems(otherWords)) || swapped(words, otherWords) {
		return false
	}
	for _, is := range []func(string) bool{negates, isChange, isLimit} {
		if slices.ContainsFunc(words, is) != slices.ContainsFunc(otherWords, is) {
			return false
		}
	}
	if slices.ContainsFunc(words, isEvery) && !slices.ContainsFunc(otherWords, isEvery) {
		return false
	}
	known := wordSet(wordParts(other))
	for _, n := range particulars(text) {
		if _, ok := known[n]; !ok && !hasForm(known, n) {
			return false
		}
	}
	return namesInOrder(text, other)
}

// swapped reports whether some words are a passage of others with few words put
// in the place of others.
func swapped(words, others []string) bool {
	changes, from, to := nearestPassage(words, others)
	if changes == 0 || changes > mostSwapped {
		return false
	}
	lacks := func(in, of []string) bool {
		return slices.ContainsFunc(of, func(w string) bool { return !slices.Contains(in, w) })
	}
	passage := others[from:to]
	return lacks(words, passage) && lacks(passage, words)
}

// negates reports whether a word says that something is not so, or another
// thing is.
func negates(w string) bool { return isNegation(w) || w == "instead" || w == "rather" }

// isChange reports whether a word says that something is not as it was.
func isChange(w string) bool {
	switch w {
	case "anymore", "longer", "switched", "switch", "replaced", "replace", "replaces", "changed", "moved", "migrated", "dropped",
		"removed", "gone", "reverted", "wrong", "outdated", "obsolete", "deprecated", "formerly", "previously":
		return true
	}
	return false
}

func isLimit(w string) bool {
	switch w {
	case "only", "solely", "exclusively", "except", "unless":
		return true
	}
	return false
}

func isEvery(w string) bool {
	switch w {
	case "every", "each", "all", "any", "always", "everywhere":
		return true
	}
	return false
}

// numerals are the numbers that are written as words more often than not.
var numerals = map[string]string{
	"two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "10", "eleven": "11", "twelve": "12",
	"twice": "2",
}

// wordParts returns the words of a text in lower case, cut at every mark, with
// numbers in digits.
func wordParts(text string) []string {
	words := strings.FieldsFunc(fold(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) })
	for i, w := range words {
		if n, ok := numerals[w]; ok {
			words[i] = n
		}
	}
	return words
}

// particulars returns the parts of numbers, identifiers and names in a text.
func particulars(text string) []string {
	var all []string
	for _, w := range tokens(text) {
		if _, numeral := numerals[w]; numeral || strings.ContainsFunc(w, unicode.IsNumber) || strings.ContainsAny(w, "_/.@") {
			all = append(all, wordParts(w)...)
		}
	}
	for _, n := range namesIn(text) {
		all = append(all, wordParts(n)...)
	}
	return all
}

// namesIn returns the words of a text with a capital that does not come from
// the start of a sentence.
func namesIn(text string) []string {
	var names []string
	starts := true
	for w := range strings.FieldsSeq(text) {
		bare := strings.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
		bare = strings.TrimSuffix(bare, "'s")
		first, size := utf8.DecodeRuneInString(bare)
		if strings.ContainsFunc(bare[size:], unicode.IsUpper) || unicode.IsUpper(first) && !starts && len(bare) > 1 {
			names = append(names, bare)
		}
		starts = bare == "" || strings.ContainsAny(w[len(w)-1:], ".!?:")
	}
	return names
}

// hasForm reports whether a set has a word that a name is short for, or the
// short form of it: Postgres and PostgreSQL.
func hasForm(words map[string]struct{}, name string) bool {
	if strings.ContainsFunc(name, unicode.IsNumber) {
		return false
	}
	for w := range words {
		if isForm(w, name) {
			return true
		}
	}
	return false
}

func isForm(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return len(a) >= leastPrefix && strings.HasPrefix(b, a)
}

// namesInOrder reports whether the names that both texts have come in the same
// order: who does what to whom.
func namesInOrder(a, b string) bool {
	namesA, namesB := wordParts(strings.Join(namesIn(a), " ")), wordParts(strings.Join(namesIn(b), " "))
	last := -1
	seen := map[int]bool{}
	for _, n := range namesA {
		at := slices.IndexFunc(namesB, func(o string) bool { return o == n || isForm(o, n) })
		if at < 0 || seen[at] {
			continue
		}
		if at < last {
			return false
		}
		last, seen[at] = at, true
	}
	return true
}

// nearestPassage finds the passage of a text that differs least from some words:
// how many words are to be changed, put in or left out, and where it stands.
func nearestPassage(words, all []string) (changes, from, to int) {
	cost, start := make([]int, len(all)+1), make([]int, len(all)+1)
	for j := range start {
		start[j] = j
	}
	for i, w := range words {
		diagonal, at := cost[0], start[0]
		cost[0] = i + 1
		for j, o := range all {
			best, begin := diagonal, at
			if w != o {
				best++
			}
			diagonal, at = cost[j+1], start[j+1]
			if left := cost[j] + 1; left < best {
				best, begin = left, start[j]
			}
			if skipped := diagonal + 1; skipped < best {
				best, begin = skipped, at
			}
			cost[j+1], start[j+1] = best, begin
		}
	}
	changes = len(words) + 1
	for j, c := range cost {
		if c < changes {
			changes, from, to = c, start[j], j
		}
	}
	return changes, from, to
}
