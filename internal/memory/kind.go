package memory

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
)

// Kind says what sort of thing a memory is. The numbers are stored and never
// change meaning; names are what people and tools see.
type Kind uint8

// The twenty-six kinds.
const (
	Wisdom Kind = iota
	Belief
	Intention
	Episode
	Failure
	Aspiration
	Dream
	Question
	Correction
	Entity
	Term
	Edge
	Insight
	Signal
	State
	Summary
	Review
	Preference
	Milestone
	Approach
	Outcome
	Gap
	Symbol
	ProjectEssence
	ModuleState
	PatternState

	kindCount
)

// Decay rates per day, by how long a kind of knowledge keeps its worth.
const (
	decayNever  = 0     // identity and structure
	decayProven = 0.005 // lessons paid for once
	decaySlow   = 0.01  // holds until circumstances change
	decayMedium = 0.02  // about work in progress
	decayFast   = 0.03  // single events
	decayState  = 0.05  // how things stood at one moment
)

var kinds = [kindCount]struct {
	name  string
	decay float64
	about string
}{
	Wisdom:         {"wisdom", decayProven, "a proven pattern or lesson"},
	Belief:         {"belief", decayNever, "something held true"},
	Intention:      {"intention", decayMedium, "something to be done"},
	Episode:        {"episode", decayFast, "something that happened"},
	Failure:        {"failure", decayProven, "an attempt that did not work, and why"},
	Aspiration:     {"aspiration", decaySlow, "a longer-term goal"},
	Dream:          {"dream", decayMedium, "an idea not yet planned"},
	Question:       {"question", decayMedium, "an open question"},
	Correction:     {"correction", decayProven, "what was wrong and what is right"},
	Entity:         {"entity", decayNever, "a named thing: service, person, system"},
	Term:           {"term", decayNever, "a word and what it means here"},
	Edge:           {"edge", decayMedium, "a relation between two things"},
	Insight:        {"insight", decayProven, "an understanding reached"},
	Signal:         {"signal", decayFast, "an observation that may matter"},
	State:          {"state", decayState, "how things stand right now"},
	Summary:        {"summary", decayMedium, "a condensed account"},
	Review:         {"review", decayMedium, "a judgement on work done"},
	Preference:     {"preference", decaySlow, "how the user wants things done"},
	Milestone:      {"milestone", decaySlow, "a point reached"},
	Approach:       {"approach", decayProven, "a way of doing something, or a decision for it"},
	Outcome:        {"outcome", decaySlow, "what came of an action"},
	Gap:            {"gap", decaySlow, "something known to be missing"},
	Symbol:         {"symbol", decayNever, "a note on a code symbol"},
	ProjectEssence: {"project_essence", decayNever, "what a project is, in brief"},
	ModuleState:    {"module_state", decayState, "how a module stands right now"},
	PatternState:   {"pattern_state", decayState, "how a recurring pattern stands right now"},
}

// Kinds returns all kinds in their stored order.
func Kinds() []Kind {
	all := make([]Kind, kindCount)
	for i := range all {
		all[i] = Kind(i)
	}
	return all
}

// KindNames returns the names of all kinds in their stored order.
func KindNames() []string {
	names := make([]string, kindCount)
	for i := range names {
		names[i] = kinds[i].name
	}
	return names
}

// Valid reports whether k is one of the known kinds.
func (k Kind) Valid() bool { return k < kindCount }

// String returns the kind's name.
func (k Kind) String() string {
	if !k.Valid() {
		return fmt.Sprintf("kind(%d)", uint8(k))
	}
	return kinds[k].name
}

// About returns a few words that say what the kind is for.
func (k Kind) About() string {
	if !k.Valid() {
		return ""
	}
	return kinds[k].about
}

// DecayRate returns the kind's default decay per day.
func (k Kind) DecayRate() float64 {
	if !k.Valid() {
		return 0
	}
	return kinds[k].decay
}

// UnknownKindError says that a name is not a kind, and which name is nearest.
type UnknownKindError struct {
	Name       string
	Suggestion string // "" when nothing is near
}

func (e *UnknownKindError) Error() string {
	return fmt.Sprintf("unknown kind %q", e.Name)
}

// Hint tells the caller what to do about it.
func (e *UnknownKindError) Hint() string {
	if e.Suggestion != "" {
		return fmt.Sprintf("did you mean %q? the kinds are: %s", e.Suggestion, strings.Join(KindNames(), ", "))
	}
	return "the kinds are: " + strings.Join(KindNames(), ", ")
}

// ParseKind finds the kind with the given name. Case, '-', '_' and spaces do
// not matter, so "ProjectEssence" and "project-essence" are the same kind.
func ParseKind(name string) (Kind, error) {
	for i, k := range kinds {
		if k.name == name {
			return Kind(i), nil
		}
	}
	want := foldName(name)
	for i, k := range kinds {
		if foldName(k.name) == want {
			return Kind(i), nil
		}
	}
	return 0, &UnknownKindError{Name: name, Suggestion: Nearest(name, KindNames())}
}

// MarshalJSON writes the kind's name.
func (k Kind) MarshalJSON() ([]byte, error) {
	if !k.Valid() {
		return nil, fmt.Errorf("unknown kind number %d", uint8(k))
	}
	return json.Marshal(kinds[k].name)
}

// UnmarshalJSON reads a kind by name.
func (k *Kind) UnmarshalJSON(b []byte) error {
	var name string
	if err := json.Unmarshal(b, &name); err != nil {
		return fmt.Errorf("kind must be a name in quotes: %w", err)
	}
	parsed, err := ParseKind(name)
	if err != nil {
		return err
	}
	*k = parsed
	return nil
}

func foldName(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || unicode.IsSpace(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, s)
}

// KindHeading is a kind as headings say it: a note on a symbol is told from the
// symbol itself.
func KindHeading(name string) string {
	if name == kinds[Symbol].name {
		return "note on a symbol"
	}
	return name
}
