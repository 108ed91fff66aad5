package distil

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"chitta/internal/expr"
)

// sentence is one sentence of prose. plain is in lower case with everything
// quoted blanked out, so that a rule never matches somebody else's words.
type sentence struct {
	text     string
	plain    string
	question bool
}

// maxSentence bounds a sentence in bytes: what runs on longer is no prose.
const maxSentence = 1000

// sentences cuts a text into the sentences its speaker said, without code,
// quotations, tables and pasted logs.
func sentences(text string) []sentence {
	var all []sentence
	for _, line := range proseLines(text) {
		plain := blankQuotes(line)
		start := 0
		for i := 0; i <= len(line); i++ {
			if i < len(line) && !endsSentence(plain, i) {
				continue
			}
			end := min(i+1, len(line))
			if s, ok := newSentence(line[start:end], plain[start:end]); ok {
				all = append(all, s)
			}
			start = end
		}
	}
	return all
}

func newSentence(text, plain string) (sentence, bool) {
	text = strings.TrimSpace(text)
	if text == "" || len(text) > maxSentence {
		return sentence{}, false
	}
	plain = strings.ReplaceAll(strings.ToLower(strings.TrimSpace(plain)), "’", "'")
	return sentence{text, plain, strings.HasSuffix(strings.TrimRight(plain, ".! )"), "?")}, true
}

var abbreviations = []string{"e.g", "i.e", "etc", "vs", "cf", "approx"}

// endsSentence says whether the byte at i ends a sentence: a mark followed by
// a space, but not that of an abbreviation.
func endsSentence(line string, i int) bool {
	c := line[i]
	if c != '.' && c != '!' && c != '?' {
		return false
	}
	if i+1 < len(line) && line[i+1] != ' ' && line[i+1] != '\t' {
		return false
	}
	if c == '.' {
		for _, a := range abbreviations {
			if strings.HasSuffix(strings.ToLower(line[max(0, i-len(a)):i]), a) {
				return false
			}
		}
	}
	return true
}

var (
	listMark = expr.New(`^(?:[-*+]|\d{1,2}[.)])\s+`)
	// notProse matches lines that somebody pasted or quoted: quotations, shell
	// prompts, tables, comments, headings, logs, stack traces. "#5" is what people
	// call the fifth of a list.
	notProse = expr.New(`^(?:[>❯$|%\[{}\]]|#(?:\D|$)|=>|={2,}|-{3,}|"[^"]*",?$|//|/\*|\*/|--|<!--|</?[a-z]|[•⨯✓✗✘☐☑]|\d{4}-\d\d-\d\d|\[?\d\d:\d\d|at \S+ ?\(|` +
		`(?i:error|warn|warning|info|debug|fatal|trace|panic|fail)\b[:\]\[]|\[(?i:error|warn|warning|info|debug|fatal)\])`)
	codeLine = expr.New(`[{};]\s*$|:=|^\s*(?:func|def|class|import|return|var|const|let [a-z]\w* =|if \() ?\b`)
	fence    = expr.New("^\\s*(?:```|~~~)")
)

// proseLines returns the lines of a text that are prose, without list marks.
func proseLines(text string) []string {
	var lines []string
	fenced := false
	for line := range strings.SplitSeq(text, "\n") {
		if fence.MatchString(line) {
			fenced = !fenced
			continue
		}
		if fenced || strings.HasPrefix(line, "\t") || strings.HasPrefix(line, "    ") {
			continue
		}
		line = strings.TrimSpace(line)
		if line == "" || notProse.MatchString(line) || codeLine.MatchString(line) {
			continue
		}
		lines = append(lines, listMark.ReplaceAllString(line, ""))
	}
	return lines
}

// quotePairs are the marks that enclose somebody else's words or code.
var quotePairs = []struct{ open, close string }{
	{"`", "`"}, {`"`, `"`}, {"“", "”"}, {"«", "»"},
}

// blankQuotes replaces what is quoted by blanks of the same length.
func blankQuotes(line string) string {
	blank := []byte(line)
	for _, q := range quotePairs {
		from := 0
		for {
			start := strings.Index(line[from:], q.open)
			if start < 0 {
				break
			}
			start += from + len(q.open)
			size := strings.Index(line[start:], q.close)
			if size < 0 {
				break
			}
			for i := start; i < start+size; i++ {
				blank[i] = ' '
			}
			from = start + size + len(q.close)
		}
	}
	return string(blank)
}

// ends returns a text of at most n bytes: its beginning and its end.
func ends(text string, n int) string {
	if len(text) <= n {
		return strings.ToValidUTF8(text, "")
	}
	return strings.ToValidUTF8(text[:n/2], "") + "\n" + strings.ToValidUTF8(text[len(text)-n/2:], "")
}

// oneLine puts a text on one line, without control characters and those that
// turn the direction of what follows.
func oneLine(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), r == utf8.RuneError, unicode.Is(unicode.Bidi_Control, r):
			return -1
		}
		return r
	}, text)
	return strings.Join(strings.Fields(text), " ")
}

func length(text string) int { return utf8.RuneCountInString(text) }

// clip cuts a text to n characters, at a word if one ends near there.
func clip(text string, n int) string {
	if len(text) <= n || length(text) <= n {
		return text
	}
	cut := 0
	for i := range text {
		if n == 1 {
			cut = i
			break
		}
		n--
	}
	head := text[:cut]
	if space := strings.LastIndexByte(head, ' '); space > len(head)*3/4 {
		head = head[:space]
	}
	return strings.TrimRight(head, " ,;:") + "…"
}
