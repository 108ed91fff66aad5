package capture

import (
	"path"
	"slices"
	"strings"
	"time"
	"unicode"

	"chitta/internal/expr"
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
	ByFile    = "file"    // one speaks of a file that the other is about
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
	words, told := tellWords(said.Text), tellWords(happened.Text)
	if len(happened.Files) <= fewFiles && slices.ContainsFunc(happened.Files, func(f string) bool { return called(f, words, told) }) {
		return Convergence{ByFile, 1}, true
	}
	if v, both := overlap(slices.Concat(words, fileWords(named)), slices.Concat(told, fileWords(happened.Files))); v >= ConvergeWords && both >= leastShared {
		return Convergence{ByWords, v}, true
	}
	if v, ok := cosine(); ok && v >= ConvergeMeaning {
		return Convergence{ByMeaning, v}, true
	}
	return Convergence{}, false
}

// leastShared is how many telling words must be common to both, however short
// they are: one alone may mean two things.
const leastShared = 2

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
var fileName = expr.New(`(?i)(?:^|[\s"'` + "`" + `“(])((?:[\w.@~-]*/)*[\w.-]*\w\.(?:c|cc|cfg|cpp|cs|css|go|h|hpp|html?|ini|java|js|json|jsx|kt|lua|m|md|mjs|mod|php|pl|proto|py|rb|rs|s|sass|scala|scss|sh|sql|swift|tf|toml|ts|tsx|txt|vue|xml|ya?ml|zig))\b`)

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

// tellWords returns the words of a text that tell something, each once, without
// the files it names and without what stands for secrets.
func tellWords(text string) []string {
	return addWords(nil, fileName.ReplaceAllString(DropPlaceholders(text), " "))
}

// fileWords returns the words that the names of files are made of. Folders do
// not count: they are those of many.
func fileWords(files []string) []string {
	var words []string
	for _, f := range files {
		words = addWords(words, bareName(f))
	}
	return words
}

// bareName is the name of a file without folders and extension.
func bareName(file string) string {
	base := path.Base(strings.ReplaceAll(file, `\`, "/"))
	return strings.TrimSuffix(base, path.Ext(base))
}

// leastPrefix is how many letters of a word a short form must have: conn is one
// of connection, in of index is none.
const leastPrefix = 4

// called reports whether words speak of a file by the words of its name. One
// word is not enough: client, form and server mean many things, and port begins
// Portuguese. It takes a name of several words, one that means a single thing,
// or another word that the account of the change has too.
func called(file string, words, told []string) bool {
	var name []string
	whole := true
	for _, part := range splitName(bareName(file)) {
		tells := addWords(nil, part)
		if len(tells) == 0 {
			continue
		}
		if slices.Contains(words, tells[0]) {
			name = append(name, tells[0])
			continue
		}
		short := strings.ToLower(part)
		if len(short) < leastPrefix || !slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, short) }) {
			return false
		}
		name, whole = append(name, short), false
	}
	switch {
	case len(name) == 0:
		return false
	case whole && (len(name) > 1 || slices.Contains(singleMeaning, name[0])):
		return true
	}
	ofName := func(w string) bool {
		return slices.ContainsFunc(name, func(n string) bool { return strings.HasPrefix(w, n) })
	}
	return slices.ContainsFunc(words, func(w string) bool { return !ofName(w) && slices.Contains(told, w) })
}

// singleMeaning are short forms that stand for one thing only; shortened says
// for which words.
var (
	singleMeaning = []string{"auth", "i18n", "l10n", "a11y", "k8s"}
	shortened     = shortForms(map[string]string{
		"authn authz authenticate authenticates authenticated authentication authenticator authorize authorizes authorized authorization authorise authorises authorised authorisation": "auth",
		"internationalization internationalisation": "i18n",
		"localization localisation":                 "l10n",
		"accessibility":                             "a11y",
		"kubernetes":                                "k8s",
	})
)

func shortForms(list map[string]string) map[string]string {
	forms := map[string]string{}
	for long, short := range list {
		for w := range strings.FieldsSeq(long) {
			forms[stem(w)] = short
		}
	}
	return forms
}

// leastWord is the length of the shortest word that tells something.
const leastWord = 3

func addWords(words []string, text string) []string {
	for _, part := range splitName(text) {
		lower := strings.ToLower(part)
		w := stem(lower)
		if len(lower) < leastWord || common[lower] || common[w] {
			continue
		}
		if short, ok := shortened[w]; ok {
			w = short
		}
		if !slices.Contains(words, w) {
			words = append(words, w)
		}
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

// overlap is the share of words that two lists have in common, of all there
// are, and their number.
func overlap(a, b []string) (share float64, both int) {
	inA, all := wordSet(a), wordSet(slices.Concat(a, b))
	for w := range wordSet(b) {
		if _, ok := inA[w]; ok {
			both++
		}
	}
	if len(all) == 0 {
		return 0, 0
	}
	return float64(both) / float64(len(all)), both
}

// common are words that two accounts of work share whatever they are about:
// those of grammar, those that say that something was done, those of which
// every project has a file.
var common = commonWords(`
	the and but for nor not with without from into onto over under about after before that this these those there their then than
	was were been being are has have had does did doing will would should could can may might must let its it's our your you they them
	his her who whom which what when where why how all any some each both more most other such only own same too very just also now here
	out off down once again because while until against between through during always never every still instead exactly one two
	keep keeps kept stay stays come comes came goes going gone take takes took give gives gave see look looks show shows handle handles
	start starts stop stops move moved moves think allow allows return returns per
	add added adding change changed changes changing fix fixed fixes fixing edit edited edits update updated updates updating make made makes
	making create created creating remove removed removing delete deleted write wrote written implement implemented use used uses using
	work works worked working run runs ran running set get got put try tried did done want wants wanted need needs needed please asked
	say says said decide decided decision correct corrected agree agreed chose learned note marked left open
	bug bugs error errors issue issues problem problems failure failed fails fail passes passed pass test tests tested testing build
	code file files function functions method line lines project repo user users agent command new old first last way thing things
	list lists name names named value values data number text string time times part case kind size item items option options default
	index main util utils helper helpers init mod lib app types type common base core src spec config readme
`)

func commonWords(list string) map[string]bool {
	words := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		words[w] = true
	}
	return words
}
