package distil

import (
	"slices"
	"strings"

	"chitta/internal/expr"
	"chitta/internal/memory"
)

// How sure the rules for commands are.
const (
	sureFixed = 0.75 // the same command failed before and passes now
	sureWorks = 0.8  // it ran and succeeded
)

const (
	maxStep = 120 // longest command worth keeping, in characters
	// fixWithin is after how many further commands an error that still stands
	// is given up on.
	fixWithin = 200
)

// fixes finds errors that ended: a command failed, files were changed, and the
// same command passes.
func fixes(t *turn) []Lesson {
	var found []Lesson
	for i := range t.ran {
		bad := &t.ran[i]
		if !bad.failed {
			continue
		}
		want := bad.suspect()
		for k := i + 1; k < min(len(t.ran), i+1+fixWithin); k++ {
			later := &t.ran[k]
			again, same := later.stage(want)
			if !same || !later.failed && !again.passed {
				continue // another command, or one whose end is not known
			}
			if again.passed {
				if between := within(t.touches, bad.at, later.at); len(between) > 0 {
					found = append(found, t.fix(bad, later, want, between))
				}
			}
			break // a run that failed again is looked at by itself
		}
	}
	return found
}

// suspect is the command of a failed run that the failure is put down to: the
// last one, and rather one that is known to check something.
func (r *run) suspect() string {
	for _, s := range slices.Backward(r.stages) {
		if s.work {
			return s.key
		}
	}
	return r.stages[len(r.stages)-1].key
}

func within(touches []touch, from, to int) []touch {
	var some []touch
	for _, f := range touches {
		if f.at > from && f.at < to {
			some = append(some, f)
		}
	}
	return some
}

func (t *turn) fix(bad, later *run, command string, between []touch) Lesson {
	files := pathsOf(between)
	text := "`" + clip(command, maxStep) + "` failed"
	line := errorLine(bad.call.result)
	if line != "" {
		text += " (" + line + ")"
	}
	text += " and passes after changing " + t.names(files)
	if why := t.explained(bad, later, between, line); why != "" {
		text += ": " + quote(why)
	}
	return Lesson{
		Kind: memory.Outcome, Rule: RuleFix, Confidence: sureFixed, Tags: []string{RuleFix},
		Text: text, Files: files, Trust: memory.TrustOutcome,
		Messages: sources(append([]string{bad.call.id, bad.call.answer, later.call.id, later.call.answer}, t.callIDs(between)...)...),
	}
}

var (
	// plans matches what an agent says before it knows or does anything, and what
	// only says that something failed or passes.
	plans = expr.New(`^(?:(?:ok|okay|right|good|great|so|now|hmm|ah|first|next|alright|perfect)[,.:!]? )*(?:let me|let's|i'll|i will|i'm going to|i need to (?:look|check|see|find|read|fix|add|update|run)|looking|checking|running|trying|time to)\b|` +
		`^(?:(?:good|ok|okay|great|now)[,.]? )*i (?:see|can see|found|understand|know)\b.{0,40}(?:problem|issue|error|bug|cause|fail\w*|tests?|wrong|it|that|this)[.!:]*$|` +
		`^(?:there(?:'s| is| are|'re) |the |that |this |it |\S+ ){0,6}(?:fails?|failed|failing|failures?|errors?|issues?)(?: (?:in|to fix|left|here|now|remain\w*)\b.{0,60})?[.!:]*$|` +
		`^now i (?:have|know|understand)\b|https?://|` +
		`\b(?:tests?|checks?|lint|build|everything|all)\b.{0,40}\b(?:pass|passes|passed|green|clean)[.!:]*$`)
	// causes matches sentences that say why something failed or what was done
	// about it.
	causes = expr.New(`\b(?:because|caused by|the (?:bug|problem|issue|cause|reason|culprit|error|fix|test|failure) (?:is|was|came|comes)|root cause|fixed|fixes|off by one|missing|forg[eo]t|wrong(?:ly)?|instead of|rather than|no longer|needed|expects?|expected|` +
		`(?:was|were|is|are) (?:not|never|still|only|empty|nil|null|unset|undefined|counted|rounded|skipped|dropped|read|called)|did(?:n't| not)|does(?:n't| not)|never|began|starts? at)\b`)
)

// explained is what the agent said about an error and its end: before it changed
// anything, else why or how in what it said afterwards, else how it summed up.
// What it said afterwards may be about other work of a turn, unless it shares a
// word with the error or there was no other work.
func (t *turn) explained(bad, later *run, between []touch, line string) string {
	why := t.saidBetween(bad.at, between[0].at, func(sentence) bool { return true })
	about := tellingWords(line + " " + t.names(pathsOf(between)))
	only := len(between) == len(t.touches)
	bears := func(s sentence) bool { return only || shared(about, tellingWords(s.text)) > 0 }
	if why == "" {
		why = t.saidBetween(between[0].at, len(t.calls), func(s sentence) bool { return causes.MatchString(s.plain) && bears(s) })
	}
	if why == "" {
		why = t.saidBetween(later.at, len(t.calls), func(s sentence) bool { return !opening.MatchString(s.text) && bears(s) })
	}
	return clip(plainMarks(why), maxErrorLine)
}

// saidBetween is the first sentence of that sort which the agent said after one
// call and up to another.
func (t *turn) saidBetween(after, upto int, is func(sentence) bool) string {
	for _, r := range t.spoken {
		if r.at <= after || r.at > upto {
			continue
		}
		for _, s := range sentences(r.text) {
			if length(s.text) >= minText && !s.question && !strings.HasSuffix(s.text, ":") && !plans.MatchString(s.plain) && is(s) {
				return s.text
			}
		}
	}
	return ""
}

// narrowed matches flags that pick single tests: such a run tells less about
// the project than one of everything.
var narrowed = expr.New(`\s(?:-run|-k|-t|-m|--grep|--filter|--test|-Dtest)[= ]`)

// commands lists what builds, tests or ships here and was seen to succeed.
func commands(t *turn) []Lesson {
	var whole, narrow []Lesson
	for _, r := range slices.Backward(t.ran) { // the last ones are those that were settled on
		for _, s := range r.stages {
			if !s.work || !s.passed || length(s.text) > maxStep || strings.ContainsAny(s.text, `"'$`) || strings.Contains(s.text, "/tmp/") {
				continue
			}
			l := Lesson{
				Kind: memory.Approach, Rule: RuleCommand, Confidence: sureWorks, Tags: []string{RuleCommand}, Trust: memory.TrustOutcome,
				Text:     "A command that works here: `" + s.text + "`",
				Messages: sources(r.call.id, r.call.answer),
			}
			if narrowed.MatchString(s.text) {
				narrow = append(narrow, l)
			} else {
				whole = append(whole, l)
			}
		}
	}
	if len(whole) > 0 {
		return whole
	}
	return narrow
}
