package moment

import (
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
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
	texts *knownTexts
	files []*saying // shared with others
	own   saying
}

// saying is a text, so that it can be told whether it says something.
type saying struct {
	text     string             // all of it in plain words
	with     map[string][]int32 // the sentences that have a word
	opposite []bool             // of each sentence, whether it is negated
}

// knownTexts keeps what the client's files say for as long as they stay as they
// are. It is safe for concurrent use.
type knownTexts struct {
	mu   sync.Mutex
	by   map[string]knownText  // by path
	said memo[string, *spoken] // what is told of again and again, by the text
}

type knownText struct {
	changed time.Time
	size    int64
	saying  *saying
}

// newKnown knows nothing yet.
func newKnown() *known { return &known{texts: &knownTexts{}} }

// of returns what the client itself tells the agent at the start of a session:
// instructions of project and user, and the index of its own memory. Where they
// are follows from the directory of work and from where the client writes the
// session down.
func (c *knownTexts) of(e *Event) *known {
	k := &known{texts: c}
	for _, path := range knownFiles(e.Cwd, e.Transcript) {
		if s, ok := c.read(path); ok {
			k.files = append(k.files, s)
		}
	}
	return k
}

func (c *knownTexts) read(path string) (*saying, bool) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() { // a pipe would be waited for
		return nil, false
	}
	c.mu.Lock()
	have, ok := c.by[path]
	c.mu.Unlock()
	if ok && have.changed.Equal(info.ModTime()) && have.size == info.Size() {
		return have.saying, true
	}
	text, ok := readSome(path)
	if !ok {
		return nil, false
	}
	s := &saying{}
	s.add(speak(text))
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.by == nil || len(c.by) >= maxKept {
		c.by = map[string]knownText{}
	}
	c.by[path] = knownText{info.ModTime(), info.Size(), s}
	return s, true
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

// readSome reads the beginning of a file.
func readSome(path string) (string, bool) {
	f, err := os.Open(path)
	if err != nil {
		return "", false
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, knownBytes))
	return string(text), err == nil
}

var sentenceEnds = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\n|[.!?;]\s`) })

// spoken is a text taken apart.
type spoken struct {
	plain     string // in plain words
	whole     statement
	sentences []statement
}

// statement is the words of a text that tell something, each once, and whether
// it is negated.
type statement struct {
	words    []string
	opposite bool
}

func stating(text string) statement {
	set := telling(text)
	return statement{slices.Collect(maps.Keys(set)), negated(set)}
}

func speak(text string) *spoken {
	x := &spoken{plain: words(text), whole: stating(text)}
	for _, sentence := range sentenceEnds().Split(text, knownSentences) {
		if s := stating(sentence); len(s.words) > 0 {
			x.sentences = append(x.sentences, s)
		}
	}
	return x
}

// speak takes a text apart, or remembers how it was.
func (c *knownTexts) speak(text string) *spoken {
	if len(text) > memoBytes {
		return speak(text)
	}
	return c.said.get(text, func() *spoken { return speak(text) })
}

// add notes a text as known.
func (k *known) add(text string) { k.own.add(k.texts.speak(text)) }

func (s *saying) add(x *spoken) {
	s.text += " " + x.plain + " "
	if s.with == nil {
		s.with = map[string][]int32{}
	}
	for _, sentence := range x.sentences {
		if len(s.opposite) == knownSentences {
			return
		}
		n := int32(len(s.opposite))
		for _, w := range sentence.words {
			s.with[w] = append(s.with[w], n)
		}
		s.opposite = append(s.opposite, sentence.opposite)
	}
}

// says reports whether a text is known: it is there as it stands, or one
// sentence has nearly all of its words.
func (k *known) says(text string) bool {
	x := k.texts.speak(text)
	return x.plain == "" || k.own.says(x) || slices.ContainsFunc(k.files, func(s *saying) bool { return s.says(x) })
}

func (s *saying) says(x *spoken) bool {
	if s.hasAll(x.whole.words) && strings.Contains(s.text, " "+x.plain+" ") {
		return true
	}
	if len(x.whole.words) < knownWords {
		return false
	}
	enough := knownShare * float64(len(x.whole.words))
	shared := make([]int32, len(s.opposite)) // words of each sentence
	for _, w := range x.whole.words {
		for _, n := range s.with[w] {
			shared[n]++
			if float64(shared[n]) >= enough && s.opposite[n] == x.whole.opposite {
				return true
			}
		}
	}
	return false
}

// hasAll says whether all of some words may be in the text; without one of them
// there is no need to look through it.
func (s *saying) hasAll(words []string) bool {
	return len(s.opposite) == knownSentences || // not all of its words are known
		!slices.ContainsFunc(words, func(w string) bool { return len(s.with[w]) == 0 })
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
