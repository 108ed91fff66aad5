package distil

import (
	"slices"
	"strings"

	"chitta/internal/expr"
	"chitta/internal/memory"
)

// How sure the rules for what did not come to an end well are.
const (
	sureGaveUp   = 0.6  // the agent or the person said that it did not work
	sureReverted = 0.65 // files just changed were put back
	sureOpen     = 0.55 // said to be left over
)

const (
	maxSaid = 300 // most characters of what was said
	// mostFailures bounds the failures of a turn that are compared.
	mostFailures = 50
	maxItems     = perRule // most entries of a list of things to do
)

var (
	// gaveUp matches an agent's words about its own attempt.
	gaveUp = expr.New(`\b(?:approach|attempt|idea|workaround|solution|trick|strategy) (?:\S+ ){0,4}(?:breaks|broke|failed|was wrong)\b|` +
		`\b(?:approach|attempt|idea|workaround|solution|trick|strategy|change|fix|patch) (?:\S+ ){0,4}(?:does(?:n't| not) (?:work|help)|did(?:n't| not) (?:work|help)|is(?:n't| not) working|won't work)\b|` +
		`\b(?:i tried|i've tried|i added|i attempted) .{3,160}\b(?:but|however) .{0,40}(?:not work|n't work|failed|broke|not working)|` +
		`\b(?:that|this) (?:did(?:n't| not) work|does(?:n't| not) work|won't work)\b`)
	anotherWay = expr.New(`\blet me (?:try|use|take) (?:a |an )?(?:different|another|simpler|alternative) (?:approach|way)\b`)
	notWorking = expr.New(`^(?:but )?it(?:'s| is) not working\b`)

	// tookBack matches a person's words about work to be dropped.
	tookBack = expr.New(`^(?:(?:ok|okay|yes|yeah|no|hmm|please|so|and|wait|alright)[,:.!]? )*(?:(?:let's|lets|please|can you|we should) )?(?:abandon|revert|undo|roll back|back out|scrap|throw away|discard) (?:the|this|that|it|all|my|your|those|these|everything|what|last)\b`)
	stillBad = expr.New(`^(?:hmm,? |no,? |nope,? |but )*(?:(?:that|this|it|the (?:fix|change|test|tests|build)) )?(?:(?:did(?:n't| not)|does(?:n't| not)) (?:work|help|fix)|still (?:fails?|failing|broken|does(?:n't| not) work|not working|crash\w*|happen\w*))\b`)
)

// failures finds attempts that were given up: by the agent's words, by the
// person's, and by files put back as they were.
func failures(t *turn) []Lesson {
	all := t.reverted()
	if t.human && t.prompt != "" && !isDocument(t.prompt) && t.before != "" {
		for _, s := range sentences(t.prompt) {
			if !s.question && (takesBack(s) || stillBad.MatchString(s.plain)) {
				all = append(all, t.complaint(s))
			}
		}
	}
	for _, r := range t.spoken {
		if len(all) > mostFailures {
			break
		}
		spoken := sentences(r.text)
		for i, s := range spoken {
			if text, ok := attempt(spoken, i, s); ok {
				l := t.failure("Did not work: "+quote(clip(oneLine(text), maxSaid))+t.during(), r.id)
				l.Said = text
				all = append(all, l)
			}
		}
	}
	return onceSaid(all[:min(len(all), mostFailures)])
}

// complaint is a failure that the person tells of, with the files it is about.
func (t *turn) complaint(s sentence) Lesson {
	text := "The user said about what had been done"
	files := t.subjectFiles()
	if len(files) > 0 {
		text += " in " + t.names(files)
	} else {
		files = t.files
	}
	l := t.failure(text+": "+quote(clip(oneLine(s.text), quoted))+t.about(s.text), t.answer, t.asked)
	l.Trust, l.Files = memory.TrustUser, files
	return l
}

// onceSaid drops what a longer lesson says as well.
func onceSaid(all []Lesson) []Lesson {
	var kept []Lesson
	for i, l := range all {
		said := strings.TrimRight(l.Said, " .!")
		told := said != "" && slices.ContainsFunc(all, func(other Lesson) bool {
			return len(other.Said) > len(l.Said) && strings.Contains(other.Said, said)
		})
		again := l.Said != "" && slices.ContainsFunc(all[:i], func(other Lesson) bool { return other.Said == l.Said })
		if !told && !again {
			kept = append(kept, l)
		}
	}
	return kept
}

// attempt judges one sentence of the agent, with the one before it.
func attempt(all []sentence, i int, s sentence) (string, bool) {
	before := ""
	if i > 0 {
		before = all[i-1].text + " "
	}
	switch {
	case s.question || strings.HasPrefix(s.plain, "if ") || strings.HasPrefix(s.plain, "when "):
		return "", false
	case gaveUp.MatchString(s.plain):
		return s.text, true
	case anotherWay.MatchString(s.plain) && i > 0, notWorking.MatchString(s.plain) && i > 0:
		return before + s.text, true
	}
	return "", false
}

func (t *turn) failure(text string, ids ...string) Lesson {
	return Lesson{
		Kind: memory.Failure, Rule: RuleFailure, Confidence: sureGaveUp, Tags: []string{RuleFailure},
		Text: text, Files: t.files, Messages: sources(ids...), Trust: memory.TrustAgent,
	}
}

// about is what the agent had said of the work that a person speaks of.
func (t *turn) about(text string) string {
	s := t.context(text)
	if s == "" {
		s = t.subject()
	}
	if s != "" {
		return " — the agent had said: " + quote(s)
	}
	return ""
}

// during says what the turn was for, where there is room.
func (t *turn) during() string {
	if t.prompt == "" || assent.MatchString(t.prompt) || isDocument(t.prompt) {
		return ""
	}
	what := t.request(t.prompt)
	if what == "" {
		return ""
	}
	return whileAsked + quote(clip(what, referred))
}

var (
	// openList matches headings of what is left to do.
	openList = expr.New(`(?i)^[#*\s]*(?:next steps?|remaining(?: work| tasks| items| steps)?|still (?:to do|open|missing|needed)|to-?do|open (?:items|ends|points|issues)|follow-?ups?|not (?:yet )?(?:done|implemented)|left to do|required setup|manual steps|what's (?:left|next|missing))(?: \([^)]*\))?[:*\s]*$`)
	openLine = expr.New(`(?i)^[#*\s]*(?:next(?: steps?)?|still to do|to-?do|remaining|follow-?up)[*]*:[*]*\s+(\S.{8,})`)
	// openEnd matches sentences about what is missing.
	openEnd = expr.New(`\b(?:still need(?:s|ed)? to (?:be )?\w+|remains? to be \w+|(?:is|are|has|have|was|were) not (?:been )?yet (?:\w+ )?(?:implemented|handled|supported|done|wired|tested|covered|fixed|migrated)|not yet (?:implemented|handled|supported|done|wired|tested|covered|fixed|migrated)|` +
		`left (?:as|for) (?:a )?(?:follow-?up|later)|does(?:n't| not) (?:fully |yet )+(?:address|handle|cover|support|fix)|(?:hasn't|haven't) been \w+ yet|` +
		`should (?:either )?be (?:cleaned up|removed|revisited|addressed) (?:later|before|or|in a follow-?up)|in a follow-?up (?:pr|change|commit)|pick (?:this|it) up (?:again )?(?:tomorrow|later|next))\b`)
	personOpen = expr.New(`^(?:todo|to do|next|later|still open|remind(?:er)?)\s*:\s*\S|(?:^|, |\bbut |\band )(?:we|i) still (?:need|have) to\b|^(?:please )?remind me to\b|\bi(?:'ll| will) follow up\b|\b(?:let's|we(?:'ll| will| can)|i(?:'ll| will)) (?:do|look|continue|finish|fix|pick|talk|discuss|revisit|tackle|merge|release|deploy|test|review|handle|leave|move|add|clean) .{2,80}\b(?:tomorrow|next week|in a follow-?up|in a separate pr)\b`)
)

// nextSteps finds what is left to do, from the agent's closing words and the
// person's own. An offer to go on is none.
func nextSteps(t *turn) []Lesson {
	var all []Lesson
	if t.human && !isDocument(t.prompt) {
		for _, s := range sentences(t.prompt) {
			if !s.question && personOpen.MatchString(s.plain) && !supposed.MatchString(s.plain) {
				l := t.open("The user said: "+quote(clip(oneLine(s.text), maxSaid)), "", t.asked)
				l.Trust = memory.TrustUser
				all = append(all, l)
			}
		}
	}
	last, ok := t.last()
	if !ok {
		return all
	}
	for _, item := range openItems(last.text) { // each is done by itself
		all = append(all, t.open(leftToDo+item+t.during(), item, last.id))
	}
	for _, s := range sentences(last.text) {
		if !s.question && openEnd.MatchString(s.plain) && !supposed.MatchString(s.plain) {
			all = append(all, t.open(leftOpen+quote(clip(oneLine(s.text), maxSaid))+t.during(), s.text, last.id))
		}
	}
	return all
}

// How accounts of what is left begin, and what follows them.
const (
	leftToDo   = "Left to do: "
	leftOpen   = "Left open: "
	whileAsked = " — while: "
)

func (t *turn) open(text, words, id string) Lesson {
	return Lesson{
		Kind: memory.Intention, Rule: RuleNext, Confidence: sureOpen, Tags: []string{RuleNext},
		Text: text, Files: t.files, Messages: sources(id), Trust: memory.TrustAgent, Said: words,
	}
}

// openItems returns the entries below a heading such as "Next steps".
func openItems(text string) []string {
	var items []string
	listing := false
	for line := range strings.SplitSeq(text, "\n") {
		trimmed := strings.TrimSpace(line)
		switch {
		case openList.MatchString(trimmed):
			listing = true
		case openLine.MatchString(trimmed):
			items = append(items, itemText(openLine.FindStringSubmatch(trimmed)[1]))
		case listing && listMark.MatchString(trimmed) && !strings.HasPrefix(line, "   "):
			items = append(items, itemText(listMark.ReplaceAllString(trimmed, "")))
		case listing && trimmed != "" && !strings.HasPrefix(line, " "):
			listing = false
		}
		if len(items) == maxItems {
			break
		}
	}
	return items
}

// itemLength is how much of one entry is kept, in characters.
const itemLength = 90

func itemText(text string) string {
	return clip(plainMarks(text), itemLength)
}
