package graph

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Category groups predicates by the kind of thing that they say.
type Category string

// The categories. A predicate that is not in the vocabulary is associative:
// nothing is known about it but that it connects.
const (
	Causal       Category = "causal"
	Taxonomic    Category = "taxonomic"
	Associative  Category = "associative"
	Preferential Category = "preferential"
	Temporal     Category = "temporal"
	Structural   Category = "structural"
	Stative      Category = "stative"
)

// How much of a concept's activation goes on along one triple. The strong and
// the weak ones are those that say more or less than most about whether what
// holds for one end matters for the other.
const (
	spreadKind    = 0.8
	spreadCause   = 0.7
	spreadDefault = 0.5
	spreadLoose   = 0.3
)

// MaxPredicate is the length of the longest name of a predicate, in
// characters: room for several words, and none for a sentence.
const MaxPredicate = 64

// ErrPredicate says that a text cannot be the name of a predicate.
var ErrPredicate = errors.New("not a predicate")

// Predicate is a kind of relation between a subject and an object.
type Predicate struct {
	Name     string
	Category Category
	Spread   float64

	// Inverse names the relation as seen from the object; empty when nobody
	// has named it.
	Inverse string

	// Transitive says that a→b and b→c together mean a→c.
	Transitive bool
	// Symmetric says that both directions mean the same.
	Symmetric bool
	// Functional says that a subject has one object at a time, so that a new
	// one ends the time of the old. Only what reads as the present state of
	// its subject is: most things have several causes, parts or owners, and
	// closing one of those by mistake would hide what is true.
	Functional bool

	says     string // the words between subject and object
	saysBack string // the words between object and subject
}

// vocabulary is what is known of predicates. The order is that of the
// categories.
var vocabulary = []Predicate{
	{Name: "causes", Category: Causal, Spread: spreadCause, Inverse: "caused_by", Transitive: true, saysBack: "is caused by"},
	{Name: "solves", Category: Causal, Spread: spreadDefault, Inverse: "solved_by", saysBack: "is solved by"},
	{Name: "prevents", Category: Causal, Spread: spreadDefault, Inverse: "prevented_by", saysBack: "is prevented by"},

	{Name: "is_a", Category: Taxonomic, Spread: spreadKind, Inverse: "has_kind", Transitive: true, saysBack: "has the kinds"},
	{Name: "part_of", Category: Taxonomic, Spread: spreadDefault, Inverse: "has_part", Transitive: true, says: "is part of", saysBack: "has the parts"},
	{Name: "has_property", Category: Taxonomic, Spread: spreadDefault, Inverse: "property_of", says: "is", saysBack: "is a property of"},

	{Name: "related_to", Category: Associative, Spread: spreadLoose, Inverse: "related_to", Symmetric: true, says: "is related to", saysBack: "is related to"},
	{Name: "used_with", Category: Associative, Spread: spreadDefault, Inverse: "used_with", Symmetric: true, says: "is used with", saysBack: "is used with"},

	{Name: "preferred", Category: Preferential, Spread: spreadDefault, Inverse: "less_preferred", says: "is preferred to", saysBack: "is less preferred than"},
	{Name: "contradicts", Category: Preferential, Spread: spreadDefault, Inverse: "contradicts", Symmetric: true, saysBack: "contradicts"},
	{Name: "supersedes", Category: Preferential, Spread: spreadDefault, Inverse: "superseded_by", Transitive: true, saysBack: "is superseded by"},
	{Name: "corrects", Category: Preferential, Spread: spreadDefault, Inverse: "corrected_by", saysBack: "is corrected by"},

	{Name: "precedes", Category: Temporal, Spread: spreadDefault, Inverse: "follows", Transitive: true, saysBack: "follows"},
	{Name: "requires", Category: Temporal, Spread: spreadDefault, Inverse: "required_by", Transitive: true, saysBack: "is required by"},

	{Name: "calls", Category: Structural, Spread: spreadDefault, Inverse: "called_by", saysBack: "is called by"},
	{Name: "contains", Category: Structural, Spread: spreadDefault, Inverse: "contained_in", Transitive: true, saysBack: "is contained in"},
	{Name: "imports", Category: Structural, Spread: spreadDefault, Inverse: "imported_by", saysBack: "is imported by"},
	{Name: "inherits", Category: Structural, Spread: spreadDefault, Inverse: "inherited_by", Transitive: true, says: "inherits from", saysBack: "is inherited by"},

	{Name: "has_value", Category: Stative, Spread: spreadDefault, Inverse: "value_of", Functional: true, saysBack: "is the value of"},
	{Name: "has_version", Category: Stative, Spread: spreadDefault, Inverse: "version_of", Functional: true, saysBack: "is the version of"},
	{Name: "has_status", Category: Stative, Spread: spreadDefault, Inverse: "status_of", Functional: true, saysBack: "is the status of"},
	{Name: "has_default", Category: Stative, Spread: spreadDefault, Inverse: "default_of", Functional: true, saysBack: "is the default of"},
}

// synonyms maps other words onto the vocabulary. A word in backward says the
// same with the ends changed.
var (
	synonyms = groups(map[string]string{
		"causes":       "cause leads_to lead_to triggers trigger results_in result_in brings_about",
		"solves":       "solve fixes fix resolves resolve",
		"prevents":     "prevent avoids avoid stops stop protects_from guards_against",
		"is_a":         "is isa is_an kind_of a_kind_of is_a_kind_of type_of is_a_type_of instance_of subclass_of",
		"part_of":      "is_part_of belongs_to component_of",
		"related_to":   "is_related_to relates_to related associated_with",
		"used_with":    "is_used_with goes_with works_with",
		"preferred":    "prefers preferred_to preferred_over is_preferred_to is_preferred_over better_than is_better_than",
		"contradicts":  "contradict conflicts_with opposes",
		"supersedes":   "supersede replaces replace obsoletes",
		"corrects":     "correct",
		"precedes":     "precede before comes_before happens_before",
		"requires":     "require needs need depends_on depend_on relies_on",
		"calls":        "call invokes",
		"contains":     "contain",
		"imports":      "import",
		"inherits":     "inherit inherits_from extends",
		"has_value":    "value_is",
		"has_version":  "version_is",
		"has_status":   "status_is",
		"has_default":  "default_is",
		"has_property": "has_attribute",
	})
	backward = groups(map[string]string{
		"causes":     "is_caused_by because_of due_to results_from",
		"solves":     "is_solved_by fixed_by is_fixed_by resolved_by",
		"prevents":   "is_prevented_by avoided_by",
		"part_of":    "consists_of composed_of",
		"preferred":  "worse_than is_worse_than",
		"supersedes": "is_superseded_by replaced_by is_replaced_by",
		"precedes":   "after comes_after happens_after preceded_by",
		"requires":   "is_required_by needed_by",
		"calls":      "is_called_by",
		"contains":   "is_contained_in inside",
		"corrects":   "is_corrected_by",
	})
	byName = indexVocabulary()
)

// groups turns predicate → words around, into word → predicate.
func groups(words map[string]string) map[string]string {
	m := map[string]string{}
	for name, list := range words {
		for _, w := range strings.Fields(list) {
			m[w] = name
		}
	}
	return m
}

// indexVocabulary finds the vocabulary by name and completes what follows from it.
func indexVocabulary() map[string]Predicate {
	m := make(map[string]Predicate, len(vocabulary))
	for i, p := range vocabulary {
		if p.says == "" {
			p.says = spoken(p.Name)
		}
		vocabulary[i] = p
		m[p.Name] = p
		if !p.Symmetric {
			backward[p.Inverse] = p.Name
		}
	}
	return m
}

// LookupPredicate finds the predicate that a word means. Case, blanks and
// hyphens make no difference, and neither does which of several usual words
// was chosen. If the word looks at the relation from its object, as
// "caused by" does, swapped tells that subject and object change places. A
// word that is not in the vocabulary is a predicate of its own, with the
// defaults. Errors are [ErrPredicate].
func LookupPredicate(name string) (p Predicate, swapped bool, err error) {
	folded, err := foldPredicate(name)
	if err != nil {
		return Predicate{}, false, err
	}
	if p, ok := byName[folded]; ok {
		return p, false, nil
	}
	if to, ok := synonyms[folded]; ok {
		return byName[to], false, nil
	}
	if to, ok := backward[folded]; ok {
		return byName[to], true, nil
	}
	return Predicate{Name: folded, Category: Associative, Spread: spreadDefault, says: spoken(folded)}, false, nil
}

// foldPredicate writes a predicate's name the one way it is stored.
func foldPredicate(name string) (string, error) {
	if len(name) > MaxPredicate*utf8.UTFMax || utf8.RuneCountInString(name) > MaxPredicate {
		return "", fmt.Errorf("%w: the name is longer than %d characters; use one or two words", ErrPredicate, MaxPredicate)
	}
	if !utf8.ValidString(name) {
		return "", fmt.Errorf("%w: %q is not valid UTF-8", ErrPredicate, name)
	}
	var b strings.Builder
	letters, gap := false, false
	for _, r := range norm.NFC.String(strings.TrimSpace(name)) {
		switch {
		case r == ' ' || r == '-' || r == '_':
			gap = b.Len() > 0
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			if gap {
				b.WriteByte('_')
			}
			gap, letters = false, letters || unicode.IsLetter(r)
			b.WriteRune(unicode.ToLower(r))
		default:
			return "", fmt.Errorf("%w: %q has %q in it; use letters, digits and _", ErrPredicate, name, r)
		}
	}
	if !letters {
		return "", fmt.Errorf("%w: %q has no letters; name the relation, such as causes or requires", ErrPredicate, name)
	}
	return b.String(), nil
}

// spoken returns a predicate's name as words.
func spoken(name string) string { return strings.ReplaceAll(name, "_", " ") }
