package capture

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
)

// Trace is a memory as [Converge] looks at it.
type Trace struct {
	Text    string
	Files   []string    // what it is about on purpose, by path
	Session string      // in which it was made
	Times   []time.Time // when what it comes from was said or done
}

// The grounds on which two memories speak of the same thing.
const (
	ByFile    = "file"    // one names a file that the other is about
	ByWords   = "words"   // they share words that tell something
	ByMeaning = "meaning" // their vectors are close
)

// Convergence says on which ground two memories speak of the same thing, and
// how far.
type Convergence struct {
	Ground string
	Value  float64
}

const (
	// ConvergeWithin is how far apart the two may be made.
	ConvergeWithin = 60 * time.Second
	// ConvergeWords is the share of telling words they must have in common.
	ConvergeWords = 0.3
	// ConvergeMeaning is the cosine from which they mean the same thing.
	ConvergeMeaning = 0.6
)

// Converge decides whether a memory that somebody made on purpose and one that
// was formed from what happened speak of the same thing: made in one session
// within a minute, about the same file, in the same words or to the same
// effect. cosine compares their meaning; it is asked last because it costs
// most, and says false if it cannot tell. A memory that names files and none of
// the other's is about something else, however alike they sound.
func Converge(said, happened Trace, cosine func() (float64, bool)) (Convergence, bool) {
	if said.Session == "" || said.Session != happened.Session || !near(said.Times, happened.Times) {
		return Convergence{}, false
	}
	named := filesNamed(said.Text)
	about := slices.Concat(named, said.Files)
	switch {
	case len(named) > 0 && len(happened.Files) > 0 && !anySame(named, happened.Files):
		return Convergence{}, false
	case anySame(about, happened.Files):
		return Convergence{ByFile, 1}, true
	}
	words := tellWords(said.Text)
	if len(happened.Files) <= fewFiles && slices.ContainsFunc(happened.Files, func(f string) bool { return called(f, words) }) {
		return Convergence{ByFile, 1}, true
	}
	if v := overlap(words, append(tellWords(happened.Text), fileWords(happened.Files)...)); v >= ConvergeWords {
		return Convergence{ByWords, v}, true
	}
	if v, ok := cosine(); ok && v >= ConvergeMeaning {
		return Convergence{ByMeaning, v}, true
	}
	return Convergence{}, false
}

// fewFiles is up to how many files a change is about each of them: among many,
// one whose name happens to be a word of the sentence says nothing.
const fewFiles = 3

func near(a, b []time.Time) bool {
	for _, x := range a {
		for _, y := range b {
			if !x.IsZero() && !y.IsZero() && x.Sub(y).Abs() <= ConvergeWithin {
				return true
			}
		}
	}
	return false
}

// fileName matches words that look like files of a project.
var fileName = regexp.MustCompile(`(?i)(?:^|[\s"'` + "`" + `“(])((?:[\w.@~-]*/)*[\w.-]*\w\.(?:c|cc|cfg|cpp|cs|css|go|h|hpp|html?|ini|java|js|json|jsx|kt|lua|m|md|mjs|mod|php|pl|proto|py|rb|rs|s|sass|scala|scss|sh|sql|swift|tf|toml|ts|tsx|txt|vue|xml|ya?ml|zig))\b`)

func filesNamed(text string) []string {
	var files []string
	for _, m := range fileName.FindAllStringSubmatch(text, -1) {
		files = append(files, m[1])
	}
	return files
}

// anySame reports whether one of the files is among the others: the same path,
// or one that ends as the other does.
func anySame(a, b []string) bool {
	for _, x := range a {
		for _, y := range b {
			x, y := slashed(x), slashed(y)
			if x != "" && y != "" && (x == y || strings.HasSuffix(x, "/"+y) || strings.HasSuffix(y, "/"+x)) {
				return true
			}
		}
	}
	return false
}

func slashed(file string) string {
	return strings.TrimPrefix(strings.ToLower(strings.ReplaceAll(file, `\`, "/")), "./")
}

// word is one that tells something; of the name of a file it may be a short
// form.
type word struct {
	stem   string
	ofFile bool
}

// leastPrefix is how many letters of a word a short form must have: auth is one
// of authentication, in of index is none.
const leastPrefix = 4

func (w word) same(o word) bool {
	if w.stem == o.stem {
		return true
	}
	if !w.ofFile && !o.ofFile {
		return false
	}
	short, long := w.stem, o.stem
	if len(short) > len(long) {
		short, long = long, short
	}
	return len(short) >= leastPrefix && strings.HasPrefix(long, short)
}

// tellWords returns the words of a text that tell something, each once. Of
// paths only the name of the file counts: its folders are those of many.
func tellWords(text string) []word {
	var words []word
	for _, w := range strings.Fields(text) {
		ofFile := fileName.MatchString(w)
		if ofFile {
			w = path.Base(fileName.FindStringSubmatch(w)[1])
			w = strings.TrimSuffix(w, path.Ext(w))
		}
		words = addWords(words, w, ofFile)
	}
	return words
}

func fileWords(files []string) []word {
	var words []word
	for _, f := range files {
		base := path.Base(strings.ReplaceAll(f, `\`, "/"))
		words = addWords(words, strings.TrimSuffix(base, path.Ext(base)), true)
	}
	return words
}

// called reports whether all words of a file's name are among others.
func called(file string, words []word) bool {
	name := fileWords([]string{file})
	for _, w := range name {
		if !slices.ContainsFunc(words, w.same) {
			return false
		}
	}
	return len(name) > 0
}

// leastWord is the length of the shortest word that tells something.
const leastWord = 3

func addWords(words []word, text string, ofFile bool) []word {
	for _, part := range splitName(text) {
		lower := strings.ToLower(part)
		w := word{stem(lower), ofFile}
		if len(lower) < leastWord || common[lower] || common[w.stem] || slices.ContainsFunc(words, func(o word) bool { return o.stem == w.stem }) {
			continue
		}
		words = append(words, w)
	}
	return words
}

// splitName cuts a word into the words it is made of: at marks and where a
// capital follows a small letter.
func splitName(text string) []string {
	var parts []string
	start, before := -1, ' '
	for i, r := range text {
		inner := unicode.IsLetter(r) || unicode.IsNumber(r)
		if start >= 0 && (!inner || unicode.IsUpper(r) && unicode.IsLower(before)) {
			parts = append(parts, text[start:i])
			start = -1
		}
		if start < 0 && inner {
			start = i
		}
		before = r
	}
	if start >= 0 {
		parts = append(parts, text[start:])
	}
	return parts
}

// overlap is the share of words that two lists have in common, of all there are.
func overlap(a, b []word) float64 {
	all, both := len(b), 0
	used := make([]bool, len(b))
	for _, w := range a {
		at := -1
		for i := range b {
			if !used[i] && w.same(b[i]) {
				at = i
				break
			}
		}
		if at < 0 {
			all++
			continue
		}
		used[at] = true
		both++
	}
	if all == 0 {
		return 0
	}
	return float64(both) / float64(all)
}

// common are words that two accounts of work share whatever they are about:
// those of grammar, those that say that something was done, those of which
// every project has a file.
var common = commonWords(`
	the and but for nor not with without from into onto over under about after before that this these those there their then than
	was were been being are has have had does did doing will would should could can may might must let its it's our your you they them
	his her who whom which what when where why how all any some each both more most other such only own same too very just also now here
	out off down once again because while until against between through during
	add added adding change changed changes changing fix fixed fixes fixing edit edited edits update updated updates updating make made makes
	making create created creating remove removed removing delete deleted write wrote written implement implemented use used uses using
	work works worked working run runs ran running set get got put try tried did done want wants wanted need needs needed please asked
	say says said decide decided decision correct corrected agree agreed chose learned note marked left open
	bug bugs error errors issue issues problem problems failure failed fails fail passes passed pass test tests tested testing build
	code file files function functions method line lines project repo user users agent command new old first last way thing things
	index main util utils helper helpers init mod lib app types type common base core src spec config readme
`)

func commonWords(list string) map[string]bool {
	words := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		words[w] = true
	}
	return words
}
