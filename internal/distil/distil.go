package distil

import (
	"cmp"
	"slices"
	"strings"

	"chitta/internal/memory"
	"chitta/internal/session"
)

// Lesson is one thing worth keeping from a turn.
type Lesson struct {
	Kind       memory.Kind
	Text       string   // stands alone, at most [MaxText] characters on one line
	Confidence float64  // how sure the rule is, below 1
	Tags       []string // what sort of lesson it is, for filters
	Files      []string // paths as the calls name them
	Messages   []string // ids of the messages it comes from
	Rule       string   // which rule found it
	Conscious  bool     // the agent marked it on purpose
	// Trust says who vouches for it: the person's own words, what a run showed,
	// or the agent.
	Trust memory.Trust
	// Said are the words it rests on where it is nothing but the agent's words;
	// whoever keeps it can tell by them whether the agent only repeats.
	Said string
}

// The rules, from the most telling to the least. When a turn teaches more than
// [MaxLessons], the last ones go first.
const (
	RuleMarker     = "marker"
	RulePreference = "preference"
	RuleCorrection = "correction"
	RuleDecision   = "decision"
	RuleFailure    = "failure"
	RuleFix        = "fix"
	RuleNext       = "next"
	RuleEdit       = "edit"
	RuleCommand    = "command"
)

var ruleOrder = []string{
	RuleMarker, RulePreference, RuleCorrection, RuleDecision, RuleFailure,
	RuleFix, RuleNext, RuleEdit, RuleCommand,
}

const (
	// MaxLessons bounds what one turn may leave behind: more would drown what
	// matters in the store.
	MaxLessons = 12
	// MaxText is the longest lesson in characters: what fits into a recalled
	// line and still holds a request and its files.
	MaxText = 400
	// minText is the shortest lesson in characters, as the gate on writes has it.
	minText = 10
	// maxFiles is the most files a lesson lists; its text says how many there
	// were.
	maxFiles = 50
	// perRule bounds the lessons of one rule in one turn, so that a long turn
	// does not fill up with one sort.
	perRule = 3
)

// Turn returns the lessons of the last turn in messages: from the last thing a
// person said to the end. Messages before it are context, never a source; the
// agent's answer before is what "no, use the other one" refers to.
//
// Files are named from root, the top of the project; where that is "", from
// where the messages begin. strip removes from a text what none of the speakers
// said, such as memories that were injected; nil leaves texts as they are.
func Turn(root string, messages []session.Message, strip func(string) string) []Lesson {
	t := read(root, messages, strip)
	var all []Lesson
	for _, find := range []func(*turn) []Lesson{
		markers, said, failures, fixes, nextSteps, edits, commands,
	} {
		all = append(all, find(t)...)
	}
	return settle(all)
}

// settle orders lessons by how much they tell, drops repetitions and what is
// too short, and keeps the bounds.
func settle(all []Lesson) []Lesson {
	slices.SortStableFunc(all, func(a, b Lesson) int {
		return cmp.Compare(slices.Index(ruleOrder, a.Rule), slices.Index(ruleOrder, b.Rule))
	})
	var kept []Lesson
	seen, count := map[string]bool{}, map[string]int{}
	for _, l := range all {
		l.Text = clip(withoutFences(oneLine(l.Text)), MaxText)
		l.Files = slices.Clone(l.Files[:min(len(l.Files), maxFiles)])
		key := strings.ToLower(l.Text)
		if seen[key] || count[l.Rule] == perRule || length(l.Text) < minText {
			continue
		}
		seen[key] = true
		count[l.Rule]++
		kept = append(kept, l)
	}
	return kept[:min(len(kept), MaxLessons)]
}

// withoutFences leaves one of several backticks: three would begin a block.
func withoutFences(text string) string {
	for strings.Contains(text, "```") { // five become three
		text = strings.ReplaceAll(text, "```", "`")
	}
	return text
}
