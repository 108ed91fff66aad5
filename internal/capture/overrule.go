package capture

import (
	"maps"
	"slices"
	"strings"
	"unicode"
)

// Overrules reports whether a newer standing wish takes the place of an older
// one: both are about the same thing, and they cannot both be followed. A doubt
// counts as no, since what is overruled is not told any more. English only.
//
// Two wishes are about the same thing when they hold for the same ("in python
// files") and
//
//   - one wants what the other does not want, or puts last: "use spaces instead
//     of tabs" and "use tabs", "never push to main" and "push to main";
//   - or they differ in nothing but a number: "at most 80 characters", "at most
//     100 characters";
//   - or in nothing but a choice between things that exclude each other: tabs
//     and spaces, single and double quotes;
//   - or the newer one says that it changes something, and both name one thing
//     for the same purpose: "from now on use zap for logging".
func Overrules(newer, older string) bool {
	n, o := readWish(newer), readWish(older)
	if len(n.objects) == 0 || len(o.objects) == 0 {
		return false
	}
	if otherNumber(n, o) {
		return true
	}
	if !n.covers(o) || n.verb != o.verb {
		return false
	}
	switch {
	case n.never != o.never:
		return slices.Equal(n.objects, o.objects) || n.never && endsOf(o, n.objects) || o.never && endsOf(n, o.objects)
	case n.never:
		return false // not to do one thing, and not to do another
	case len(n.instead) > 0 && endsOf(o, n.instead), len(o.instead) > 0 && endsOf(n, o.instead):
		return !slices.Equal(n.objects, o.objects)
	case otherChoice(n.objects, o.objects):
		return true
	}
	return n.changes && n.namesOne() && o.namesOne() && n.purpose && o.purpose && !slices.Equal(n.objects, o.objects)
}

// standingWish is a standing wish, taken apart.
type standingWish struct {
	words   []string            // all that tell something, in order
	never   bool                // it is about what not to do
	verb    string              // prefer, write with and the like count as use
	objects []string            // what is wanted
	instead []string            // what it is wanted instead of
	scope   map[string]struct{} // what it holds for
	purpose bool                // it says what for, rather than where
	general bool                // it holds everywhere
	changes bool                // it says that things were otherwise before
	several bool                // what is wanted is in the plural
}

// covers reports whether a wish holds for all that another one holds for.
func (w *standingWish) covers(other *standingWish) bool {
	return w.general || maps.Equal(w.scope, other.scope)
}

// endsOf reports whether what a wish is about is just what another names, as a
// whole or by its last word, which is what the others describe.
func endsOf(w *standingWish, named []string) bool {
	if len(named) == 0 {
		return false
	}
	return slices.Equal(w.objects, named) || len(named) == 1 && w.objects[len(w.objects)-1] == named[0] && !hasNumber(w.objects)
}

// hasNumber reports whether a thing is told with a number, so that its last word
// alone does not name it.
func hasNumber(objects []string) bool {
	return slices.ContainsFunc(objects, isNumber)
}

const (
	// maxWish bounds a wish in bytes: a longer one is about more than one thing.
	maxWish = 600
	// maxWishWords bounds what is wanted: a longer list is no single thing.
	maxWishWords = 12
)

// leadIns are what may stand in front of a wish and tell nothing of it.
var leadIns = []string{"the user", "user", "wants", "in future", "in the future"}

// readWish takes a wish apart; one that cannot be taken apart has no objects.
func readWish(text string) *standingWish {
	w := &standingWish{scope: map[string]struct{}{}}
	if len(text) > maxWish || !isOneSentence(unquote(text)) {
		return w
	}
	words := strings.Fields(clauseLast(wishText(text, w)))
	part := &w.objects
	for i, word := range words {
		next := ""
		if i+1 < len(words) {
			next = words[i+1]
		}
		switch {
		case isNegation(word) && len(w.objects) > 0: // "tabs, not spaces"
			part = &w.instead
		case isNegation(word):
			w.never = !w.never
		case word == "everywhere":
			w.general = true
		case word == "of" && part == &w.instead, word == "than" && part == &w.instead, isWishFiller(word):
		case (word == "instead" && next == "of" || word == "rather" && next == "than" || word == "over") && w.verb != "":
			part = &w.instead
		case word == "instead":
			w.changes = true
		case opensScope(word) && w.verb != "":
			part = nil
			w.purpose = w.purpose || word == "for"
		case part == nil:
			w.scope[stem(word)] = struct{}{}
			w.words = append(w.words, stem(word))
		case w.verb == "":
			w.setVerb(word)
			w.words = append(w.words, w.verb)
		default:
			*part = append(*part, stem(word))
			w.several = w.several || isPlural(word)
			w.words = append(w.words, stem(word))
		}
	}
	if len(w.objects) > maxWishWords {
		w.objects = nil
	}
	return w
}

// setVerb notes what is to be done. Wishes for a thing are all wishes to use it.
func (w *standingWish) setVerb(word string) {
	switch word {
	case "avoid":
		w.verb, w.never = "use", !w.never
	case "stop":
		w.never = !w.never // the verb follows: "stop using"
	case "use", "using", "uses", "prefer", "prefers", "preferring", "choose", "adopt", "like":
		w.verb = "use"
	default:
		w.verb = stem(word)
	}
}

// wishText is a wish in plain words, without what only introduces it.
func wishText(text string, w *standingWish) string {
	s := strings.TrimSpace(strings.ToLower(fold(unquote(text))))
	for _, in := range leadIns {
		if rest, ok := strings.CutPrefix(s, in); ok && (rest == "" || rest[0] == ' ' || rest[0] == ':' || rest[0] == ',') {
			s = strings.TrimLeft(rest, " :,")
		}
	}
	for _, change := range []string{"from now on", "going forward", "no longer", "any more", "anymore"} {
		if strings.Contains(s, change) {
			w.changes = true
			by := " "
			if change == "no longer" {
				by = " not "
			}
			s = strings.ReplaceAll(s, change, by)
		}
	}
	for _, short := range [...][2]string{{"switch to", "use"}, {"go with", "use"}, {"stick with", "use"}, {"stick to", "use"}, {"do not", "never"}, {"don't", "never"}, {"no need to", "never"}} {
		s = strings.ReplaceAll(s, short[0], short[1])
	}
	return s
}

func unquote(text string) string {
	return strings.Trim(strings.TrimSpace(strings.NewReplacer("“", "", "”", "", "`", "", "\"", "").Replace(text)), ".! ")
}

// clauseLast puts a clause that opens a wish behind it, and leaves only words:
// "in python, use tabs" is "use tabs in python".
func clauseLast(s string) string {
	s = strings.TrimLeft(s, " ,:")
	first, _, _ := strings.Cut(s, " ")
	if head, rest, ok := strings.Cut(s, ","); ok && opensScope(first) {
		s = rest + " " + head
	}
	return strings.Join(tokens(s), " ")
}

func opensScope(word string) bool {
	switch word {
	case "in", "for", "on", "at", "with", "when", "whenever", "before", "after", "inside", "within", "during", "to", "from", "by", "as", "across", "throughout", "under", "unless", "if", "until", "into", "between", "without":
		return true
	}
	return false
}

// isWishFiller reports whether a word of a wish tells nothing about it.
func isWishFiller(word string) bool {
	switch word {
	case "a", "an", "the", "please", "always", "ever", "just", "also", "make", "sure", "you", "we", "i", "i'd", "should", "must", "need", "want", "wants", "would", "to",
		"be", "and", "ok", "okay", "so", "now", "really", "much", "strongly", "only", "remember", "all", "any", "every", "each", "our", "your", "my", "this", "these", "that",
		"new", "file", "files", "code", "project", "repo", "repository", "codebase", "here", "then", "it", "let's", "thing", "things", "them", "will", "claude":
		return true
	}
	return isFiller(word)
}

// choices are things of which one is chosen.
var choices = []string{
	"tabs spaces", "single double", "camelcase snake_case kebab-case pascalcase screaming_snake_case", "british american",
	"npm yarn pnpm bun", "squash rebase", "utc localtime", "lf crlf", "uppercase lowercase", "singular plural", "ascending descending",
	"integers floats decimals", "optional required", "light dark", "enable disable", "show hide",
}

// otherChoice reports whether two things differ in one word only, and that is a
// choice between things that exclude each other.
func otherChoice(a, b []string) bool {
	a, b = withoutNumbers(a), withoutNumbers(b)
	if len(a) != len(b) {
		return false
	}
	differ := -1
	for i := range a {
		if a[i] != b[i] {
			if differ >= 0 {
				return false
			}
			differ = i
		}
	}
	if differ < 0 {
		return false
	}
	for _, group := range choices {
		all := stems(strings.Fields(group))
		if slices.Contains(all, a[differ]) && slices.Contains(all, b[differ]) {
			return true
		}
	}
	return false
}

func withoutNumbers(words []string) []string {
	return slices.DeleteFunc(slices.Clone(words), isNumber)
}

func isNumber(w string) bool {
	return w != "" && strings.IndexFunc(w, func(r rune) bool { return !unicode.IsNumber(r) && r != '.' && r != '%' }) < 0
}

// otherNumber reports whether two wishes are the same but for one number.
func otherNumber(n, o *standingWish) bool {
	if n.never != o.never || len(n.words) != len(o.words) || len(n.instead)+len(o.instead) > 0 {
		return false
	}
	differ := 0
	for i := range n.words {
		if n.words[i] == o.words[i] {
			continue
		}
		if !isNumber(n.words[i]) || !isNumber(o.words[i]) {
			return false
		}
		differ++
	}
	return differ == 1
}

// namesOne reports whether what is wanted is one name: of things in the plural,
// such as fixtures, others may be wanted as well.
func (w *standingWish) namesOne() bool {
	return len(w.objects) == 1 && !isNumber(w.objects[0]) && !w.several
}

func isPlural(word string) bool {
	return strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") && !strings.HasSuffix(word, "us") && !strings.HasSuffix(word, "is")
}
