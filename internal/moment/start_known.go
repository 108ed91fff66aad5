package moment

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"unicode"
)

const (
	// knownBytes is how much of each of the client's own files is read; what it
	// loads of its memory is shorter.
	knownBytes = 64 << 10
	// knownWords is how many words a text must have to be recognised by most of
	// them.
	knownWords = 4
	// knownShare is what share of its words a sentence must have to say it.
	knownShare = 0.9
	// knownSentences bounds how many sentences are compared.
	knownSentences = 4000
)

// known is what an agent is told anyway: by the client's own files, and by what
// was said before in the same text.
type known struct {
	text      string            // all of it in plain words
	sentences []map[string]bool // the words of each
}

// readKnown reads what the client itself tells the agent at the start of a
// session: instructions of project and user, and the index of its own memory.
// Where they are follows from the directory of work and from where the client
// writes the session down.
func readKnown(e *Event) *known {
	k := &known{}
	for _, path := range knownFiles(e.Cwd, e.Transcript) {
		if text, ok := readSome(path); ok {
			k.add(text)
		}
	}
	return k
}

func knownFiles(cwd, transcript string) []string {
	var out []string
	if filepath.IsAbs(cwd) {
		dir := filepath.Clean(cwd)
		const up = 3 // directories above that of work
		for range up {
			out = append(out, filepath.Join(dir, "CLAUDE.md"), filepath.Join(dir, "CLAUDE.local.md"), filepath.Join(dir, ".claude", "CLAUDE.md"))
			if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil || dir == filepath.Dir(dir) {
				break // the project's top
			}
			dir = filepath.Dir(dir)
		}
	}
	if filepath.IsAbs(transcript) {
		project := filepath.Dir(transcript)
		out = append(out, filepath.Join(project, "memory", "MEMORY.md"), filepath.Join(filepath.Dir(filepath.Dir(project)), "CLAUDE.md"))
	}
	return out
}

// readSome reads the beginning of a regular file.
func readSome(path string) (string, bool) {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return "", false // a pipe would be waited for
	}
	f, err := os.Open(path)
	if err != nil {
		return "", false
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, knownBytes))
	return string(text), err == nil
}

var sentenceEnds = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\n|[.!?;]\s`) })

// add notes a text as known.
func (k *known) add(text string) {
	k.text += " " + words(text) + " "
	for _, s := range sentenceEnds().Split(text, knownSentences) {
		if len(k.sentences) == knownSentences {
			return
		}
		if set := telling(s); len(set) > 0 {
			k.sentences = append(k.sentences, set)
		}
	}
}

// says reports whether a text is known: it is there as it stands, or one
// sentence has nearly all of its words.
func (k *known) says(text string) bool {
	if plain := words(text); plain == "" || strings.Contains(k.text, " "+plain+" ") {
		return true
	}
	own := telling(text)
	if len(own) < knownWords {
		return false
	}
	for _, s := range k.sentences {
		shared := 0
		for w := range own {
			if s[w] {
				shared++
			}
		}
		if float64(shared) >= knownShare*float64(len(own)) && negated(s) == negated(own) {
			return true
		}
	}
	return false
}

// words returns a text as words in lower case, one space between them.
func words(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), " ")
}

// fillers are words that a statement can do without, among them those by which
// captured ones begin.
var fillers = wordSet(`a an the of to in on at by for with and or is are was were be it its this that
	user wants decided corrected please should must we you i our your my all as`)

// negations turn a statement round; the rest of its words may be the same.
var negations = wordSet("not never no don dont doesn without avoid stop")

func telling(text string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words(text)) {
		if !fillers[w] {
			out[w] = true
		}
	}
	return out
}

func negated(set map[string]bool) bool {
	for w := range negations {
		if set[w] {
			return true
		}
	}
	return false
}
