package distil

import (
	"strings"

	"chitta/internal/expr"
)

// habits are what a person may want done, or not done, again and again.
const habits = `add|align|answer|append|apologi[sz]e|ask|begin|bump|check|comment|commit|create|document|edit|end|explain|follow|format|generate|import|include|indent|insert|` +
	`leave|lint|log|mention|name|pin|prefer|prefix|pull|push|put|quote|rebase|reformat|repeat|rewrite|run|show|sign|sort|spell|squash|start|stick to|summari[sz]e|tag|tell|test|update|use|wrap|write|keep|avoid`

// courtesy is what may stand in front of an order.
const courtesy = `^(?:(?:and|also|but|so|ok|okay|alright|right|yes|yeah|no|please|just|btw|fyi|note|one more thing|in general)[,:.!]? )*`

// ways are things of which a project has many, so that what holds for every one
// of them holds beyond the task.
const ways = `line|file|function|method|class|test|commit|commit message|message|answer|reply|response|change|pr|pull request|module|package|comment|docstring`

var (
	order = expr.New(courtesy + `(?:don't |do not )?(?:` + habits + `)\b`)
	// emphasis matches a sentence that only makes the one before it hold always.
	emphasis = expr.New(`^(?:and )?(?:always|every time|each time|every single time|without exception|no exceptions|at all times|from now on|everywhere and always|for good|ever)[.! ]*$`)
	// lasting matches an order that says so at its end.
	lasting = expr.New(`(?:, | — | - )(?:always|every time|each time|every single time|without exception|no exceptions|at all times)[.! ]*$|^(?:please )?(?:use|prefer|avoid|write|keep) .* always[.! ]*$`)
	// recurring matches orders for something that comes again and again.
	recurring = expr.New(courtesy + `(?:(?:make sure|be sure|remember|don't forget) (?:to|you|that you) |(?:you (?:should|must|need to) )|)(?:always )?(?:` + habits + `)\b.*\b(?:before|after|with|at the end of) (?:every|each|any) (?:single )?(?:new )?` +
		`(?:commit|push|pull request|pr|merge|release|deploy|deployment|change|edit|refactor\w*|task|answer|reply|session|turn|feature|fix|bug ?fix|branch)\b`)
	// unwanted matches habits that a person does not want.
	unwanted = expr.New(courtesy + `(?:don't|do not|avoid) (?:ever )?(?:` + habits + `|touch|amend|\w+ing)\b.*\b(?:` +
		`(?:to|in|on|for|with|above|at the (?:top|end) of) (?:every|each|any) (?:single )?(?:` + ways + `)|(?:every|each) time|unless (?:i|we) (?:ask|say|tell|want)|unless (?:asked|told)|without asking|ever|any ?more|` +
		`in (?:commit messages|tests|comments|docs|the docs|docstrings|new code|test names|error messages|production code))\b`)
	// custom matches how things are done in a project, plainly said.
	custom     = expr.New(courtesy + `(?:here,? )?we (?:don't |do not |only )?(?:use|write|spell|name|indent|format|prefix|sort|follow|stick to|avoid|prefer) (\S+) .*\b(?:in|for|across|throughout|as|with|on)\b \S`)
	particular = expr.New(`^(?:the|this|that|it|them|these|those|your|my|one)$`)
	// circumstance matches what makes such a sentence an account of the moment.
	circumstance = expr.New(`\b(?:but|so|because|which|since|although|though|when|where|now|currently|today|yesterday|at the moment|was|were|is|are|isn't|has|have|seems?|fails?|broken|yet|still|already|too|why|how|to|old)\b|,|;`)
)

// maxCustom is how many words a plain statement of a custom has at most.
const maxCustom = 14

// wish finds a standing wish in sentence i, and how many sentences it takes: an
// order may be followed by a mere "Always."
func wish(all []sentence, i int) (string, int) {
	s := all[i]
	if idiom.MatchString(s.plain) {
		return "", 0
	}
	if i+1 < len(all) && emphasis.MatchString(all[i+1].plain) && order.MatchString(s.plain) {
		return s.text + " " + all[i+1].text, 2
	}
	if standing.MatchString(s.plain) || standingAnywhere.MatchString(s.plain) ||
		recurring.MatchString(s.plain) || unwanted.MatchString(s.plain) ||
		order.MatchString(s.plain) && lasting.MatchString(s.plain) || isCustom(all, i) {
		return s.text, 1
	}
	return "", 0
}

// isCustom says whether a sentence states how things are done here: not as the
// background of a question.
func isCustom(all []sentence, i int) bool {
	s := all[i]
	m := custom.FindStringSubmatch(s.plain)
	if m == nil || particular.MatchString(m[1]) || circumstance.MatchString(strings.TrimRight(s.plain, ".! ")[len(courtesyOf(s.plain)):]) {
		return false
	}
	return len(strings.Fields(s.plain)) <= maxCustom && (i+1 == len(all) || !all[i+1].question)
}

var courteous = expr.New(courtesy)

func courtesyOf(plain string) string { return courteous.FindString(plain) }
