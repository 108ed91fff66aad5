package distil

import (
	"strings"

	"chitta/internal/expr"
	"chitta/internal/memory"
)

// How sure the rules for a person's words are.
const (
	sureStanding = 0.8  // they said how things are to be done from now on
	sureRefused  = 0.85 // they stopped the agent and said why
	sureWrong    = 0.8  // they said that something is wrong
	sureConceded = 0.65 // only the agent's answer tells that they corrected it
	sureObjected = 0.6  // they asked whether it should not be otherwise
	sureDecided  = 0.75 // they chose
)

const (
	// maxDirect is the longest prompt, in bytes, that is taken for a person's
	// own words from beginning to end. Longer ones carry plans, reviews and
	// logs that somebody or something else wrote.
	maxDirect = 1500
	// maxConceded is the longest prompt that an agent's "you're right" makes a
	// correction: to a long one it may agree for many reasons.
	maxConceded = 600
	// quoted is how much of a person's words a lesson repeats, referred how
	// much of what they answered to, both in characters.
	quoted   = 260
	referred = 110
	// substance is the length in characters from which a sentence says more
	// than "all tests pass".
	substance = 30
)

var (
	// standing matches wishes that hold beyond the task at hand: an order or a
	// wish of the speaker, never a description such as "it always fails".
	standing = expr.New(`^(?:(?:and|also|but|so|ok|okay|alright|right|yes|yeah|no|please|just|btw|one more thing|note|remember|in general)[,:.!]? )*(?:` +
		`(?:please )?(?:always|never|don't ever|do not ever) [a-z]+|` +
		`(?:you|claude) (?:should|must|need to) (?:always|never) |` +
		`(?:we|i) (?:should|must) (?:always|never) |` +
		`(?:we|i) (?:always|never) (?:use|run|write|prefer|put|keep|squash|name|commit|push|test|add|need) |` +
		`(?:make sure|be sure|remember) (?:to|you|that you) (?:always|never) |` +
		`(?:from now on|going forward|whenever you|every time you|each time you)\b|in (?:the )?future,? (?:please|always|never|don't|do|use|make|keep|write|run) |` +
		`i (?:much |really |strongly )?prefer\b|` +
		`(?:my|our) (?:preference|convention|rule|policy) (?:is|for)\b|` +
		`i (?:really )?(?:like|want|don't like|hate) (?:it when|you to always|you to never)\b|` +
		`for (?:every|all) .{3,60} i(?:'d| would)? (?:like|want|prefer)|` +
		`(?:in|for) this (?:repo|repository|project|codebase|code base) (?:we|i|always|never|you) )`)
	// idiom matches "never mind" and the like, which wish for nothing.
	idiom = expr.New(`\b(?:always|never) (?:mind|a|an|the|been|had|seen|saw|knew|thought|wondered|good|nice|great|happy|fun|sure|here|there|up|ready|open|glad|welcome|say never|give up|quit|[a-z]+ing)\b|` +
		`^whenever you (?:need|want|like|are|can|have|feel|get)\b|\bi(?:'ll| will) .*\bfrom now on\b|\bever quit\b`)
	standingAnywhere = expr.New(`\b(?:from now on|going forward)\b|(?:^|, |; |- |\band )(?:we|i) (?:always|never) (?:want|prefer) |` +
		`^(?:we|you) should (?:be )?(?:use|using|prefer|preferring|avoid|avoiding) .*\b(?:wherever|everywhere|whenever|in general|by default)\b|` +
		`^(?:use|prefer|avoid) .*\b(?:wherever (?:we|you) can|everywhere|by default|in all (?:new )?(?:code|tests|files))\b`)

	// wrong matches what people say when something went the wrong way.
	wrong = expr.New(`^(?:(?:hmm+|hm|wait|hey|well|ok|okay|ah|oh|sorry|but|and|uh|um),? )*(?:` +
		`no[,.:;!] *(?:\S+ +){2}|(?:nope|nah)[,.]? (?:it|that|this|the|we|you|use|still)\b|no (?:don't|do not|that's|that is|it's|it is|we|you|i|use|not|just|this)\b|` +
		`actually,? |(?:stop|wait|hold on),? (?:for )?(?:a |one )?(?:second|sec|moment|minute)\b|` +
		`(?:please )?(?:don't|do not) [a-z]+|(?:please )?stop [a-z]+ing\b|` +
		`(?:that's|that is|this is|it's|you're|you are|that was) (?:wrong|incorrect|not (?:right|correct|what i|true|how|needed|necessary))|` +
		`not (?:that|this|like that|what i|there|here)\b|wrong\b|` +
		`i (?:did not|didn't|never) (?:say|said|ask|asked|mean|meant|want|wanted)|` +
		`i (?:meant|said|asked for|asked you)\b|` +
		`you (?:forgot|missed|broke|misunderstood|removed|deleted|shouldn't|should not|should have|made (?:it|that) up)\b)`)
	wrongAnywhere = expr.New(`\bnot what i (?:asked|wanted|meant|said)\b|` +
		`\bi (?:did not|didn't) (?:say|ask)\b|` +
		`^(?:the|this|that|these|those|it|we|you) .{0,80}\bshould .{0,120}\binstead(?: of)?\b|` +
		`^(?:please |just |let's )?(?:use|call|put|keep|make|do|write|return) .{2,160}\binstead\b|` +
		`^i(?:'d| would)? (?:want|like|prefer|rather have) .{2,160}\binstead\b|` +
		`^all good,? but\b|^(?:that's )?(?:good|fine|great|nice),? but\b`)
	// fineSoFar matches openings that sound like a correction and are none.
	fineSoFar = expr.New(`^no[,.!]? (?:i (?:haven't|have not|don't|wasn't|am not)|i'm|not yet|never|but|problem|worries|need|idea|thanks|thank you|rush|that's (?:fine|good|ok|okay|it|all|great)|it's (?:fine|good|ok|okay)|go ahead|you're (?:right|good))|` +
		`^(?:(?:please|but|and),? )*don't (?:worry|know|think|mind|remember|understand|forget|have|need|feel|quit|miss|give up|get discouraged|be (?:afraid|scared|shy|sorry)|let (?:anything|anyone|it|that|the))\b|` +
		`^actually,? i(?:'m|'ve| just| was| am| have| had| love| like)\b|^actually,? .{0,30}\b(?:works|fine|good|great|nice|ok|okay|perfect)\b`)

	// objects matches questions that mean "do it another way".
	objects = expr.New(`^(?:really[?,]? |but |hmm,? |and )*(?:can't|couldn't|shouldn't) (?:we|you|it|this|that|the) (?:\S+ ){2}|^(?:wouldn't|isn't) it (?:be )?(?:better|simpler|cleaner|easier|safer) `)
	// asks matches a request that only opens like a correction.
	asks = expr.New(`^(?:actually|rather|but|no|wait|hmm|ok|okay)[,.]? (?:can|could|would|will|do|does|is|are|what|why|how|where) `)

	// decided matches choices.
	decided = expr.New(`^(?:(?:ok|okay|yes|yeah|yep|sure|alright|right|great|good|cool|fine|hmm|so|then|and|perfect|thinking again|on second thought|after all)[,:.!]? )*(?:` +
		`(?:let's|lets|we'll|we will|we should|i'll|i will|we) go (?:with|for) |go with |` +
		`(?:let's|lets|we'll|we will) (?:use|stick (?:with|to)|keep (?:the|this|that|using)|adopt|switch to|settle on|standardi[sz]e on|drop|not) |` +
		`(?:let's|lets) (?:do|implement|take|pick|choose|try) (?:the )?(?:options?|approach|alternative|variant|plan) [\w(]|` +
		`(?:we|i)(?:'ve| have)? decided\b|we(?:'ve| have)? (?:chosen|chose|settled|agreed)\b|(?:the )?decision(?: is|:)|decided:|` +
		`i(?:'d| would)? (?:like|pick|choose|take|prefer|want) (?:the )?(?:option|approach|alternative|variant)s? [\w(]|` +
		`(?:the )?options? (?:[a-h]|\d)(?: please| it is|[,.!]|$)|i(?:'d| would) (?:much )?(?:rather|prefer)\b|` +
		`i want (?:to have )?(?:the |it |this |that )?.{3,60} (?:by default|enabled|disabled)\b)`)
	// goingOn matches cheers that sound like a choice.
	goingOn     = expr.New(`\bgo for it\b`)
	changedMind = expr.New(`^(?:thinking again|on second thought|after all|i changed my mind|changed my mind)[,:. ]`)
	optionName  = expr.New(`\b(option|approach|alternative|variant|plan)s? #?([a-h]|\d)\b`)

	// supposed matches sentences about what might be, not what is.
	supposed = expr.New(`^(?:if|when|suppose|imagine|assuming|unless|what if|in case|maybe|perhaps|should|could|can|would|is|are|was|were|why|how|what|which|who|where|(?:do|does|did) (?:we|you|i|they|it|these|those)) |` +
		`\b(?:if we (?:always|never)|in theory|hypothetically|for example|let's say|might want|not sure)\b`)
	// reports matches sentences that repeat what somebody else says.
	reports = expr.New(`\b(?:it|he|she|they|which|that|comment|readme|docs?|documentation|review|reviewer|copilot|bot|linter|message|error|log|output|spec|guide) (?:says?|said|told|tells|wrote|writes|reads|claims?|suggests?|recommends?|shows?|prints?)\b|\baccording to\b`)
)

// concessions begin the answers of an agent that was corrected.
var concessions = expr.New(`(?i)^(?:ah,? |oh,? |ha,? |yes,? |hmm,? |got it[,.] )*(?:you're (?:absolutely |completely |totally )?right|you are (?:absolutely )?right|` +
	`(?:ah|oh),? right|fair (?:point|enough)|my (?:mistake|bad|apologies)|i apologi[sz]e|apologies|i misunderstood|i was wrong)\b`)

// said finds what the person's own words teach: wishes, corrections, choices.
func said(t *turn) []Lesson {
	all := t.chosen()
	if !t.human || t.prompt == "" || isDocument(t.prompt) || strings.HasPrefix(t.prompt, "/") {
		return all
	}
	told := false
	spoken := sentences(t.prompt)
	for i := 0; i < len(spoken); {
		l, took := t.judge(spoken, i)
		if l.Rule != "" {
			told = true
			all = append(all, l)
		}
		i += max(took, 1)
	}
	if l, ok := t.conceded(); ok && !told {
		all = append(all, l)
	}
	return all
}

var heading = expr.New(`(?m)^#{1,4} \S`)

// isDocument says that a prompt is mostly something written before and handed
// over: a plan, a review, a log.
func isDocument(prompt string) bool {
	return len(prompt) > maxDirect || heading.MatchString(prompt)
}

// judge finds the one thing a sentence of the person is, if any, and how many
// sentences say it.
func (t *turn) judge(all []sentence, i int) (Lesson, int) {
	s := all[i]
	words := len(strings.Fields(s.plain))
	if words < 3 && !optionName.MatchString(s.plain) && !(wrong.MatchString(s.plain) && i+1 < len(all) && remedy.MatchString(all[i+1].plain)) {
		return Lesson{}, 1 // "That's wrong." needs what is right
	}
	switch {
	case s.question && t.before != "" && objects.MatchString(s.plain):
		return t.correction(sureObjected, s.text), 1
	case s.question || reports.MatchString(s.plain), supposed.MatchString(s.plain),
		fineSoFar.MatchString(s.plain) || goingOn.MatchString(s.plain):
		return Lesson{}, 1
	}
	if text, took := wish(all, i); took > 0 {
		return t.own(memory.Preference, RulePreference, sureStanding, "The user wants: ", text, ""), took
	}
	switch {
	case decided.MatchString(s.plain) || changedMind.MatchString(s.plain) && words > 4:
		return t.own(memory.Approach, RuleDecision, sureDecided, "The user decided: ", s.text, t.option(s.plain)), 1
	case t.before != "" && !asks.MatchString(s.plain) && (wrong.MatchString(s.plain) || wrongAnywhere.MatchString(s.plain)):
		sure := sureWrong
		if t.refused {
			sure = sureRefused
		}
		text, took := withRemedy(all, i)
		return t.correction(sure, text), took
	}
	return Lesson{}, 1
}

// own makes a lesson of a person's own words.
func (t *turn) own(kind memory.Kind, rule string, sure float64, intro, text, more string) Lesson {
	l := Lesson{
		Kind: kind, Rule: rule, Confidence: sure, Tags: []string{rule}, Trust: memory.TrustUser,
		Text:     intro + quote(clip(oneLine(text), quoted)) + more,
		Messages: []string{t.asked},
	}
	if more != "" {
		l.Messages = []string{t.answer, t.asked}
	}
	if rule != RulePreference { // a wish holds beyond the files at hand
		l.Files = t.files
	}
	return l
}

// quote puts a person's words into marks, unless they bring their own.
func quote(text string) string {
	if strings.ContainsAny(text, "“”") {
		return text
	}
	return "“" + text + "”"
}

// plainMarks puts a sentence on one line without marks of emphasis.
func plainMarks(text string) string {
	return strings.Trim(strings.ReplaceAll(oneLine(text), "**", ""), "*# ")
}

// option says what an option named by the person is, as the agent had put it.
func (t *turn) option(plain string) string {
	name := optionName.FindStringSubmatch(plain)
	if name == nil {
		return ""
	}
	want := name[1] + " " + name[2]
	for line := range strings.SplitSeq(t.before, "\n") {
		text := strings.Trim(oneLine(line), "#*-: ")
		rest, ok := strings.CutPrefix(strings.ToLower(text), want)
		if ok && strings.Trim(rest, "*:-—. ") != "" && !isWordByte(rest[0]) {
			return " — " + clip(strings.ReplaceAll(text, "**", ""), referred)
		}
	}
	return ""
}

func isWordByte(c byte) bool { return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' }

// askTool puts questions to the person; its result is their answer.
const askTool = "AskUserQuestion"

// whatNext matches questions about how to go on, not about what is to be.
var whatNext = expr.New(`(?i)\b(?:do next|like to do|proceed|ready to|continue)\b`)

// minChoice is how many words an answer to such a question needs to be more
// than the choice of a menu entry.
const minChoice = 6

var answered = expr.New(`"([^"\n]{5,200})"="([^"\n]{1,200})"`)

// chosen finds the answers a person gave to questions of the agent.
func (t *turn) chosen() []Lesson {
	var all []Lesson
	for _, c := range t.calls {
		if c.part.Tool != askTool || c.result == nil || c.result.Failed {
			continue
		}
		for _, m := range answered.FindAllStringSubmatch(ends(c.result.Text, maxProse), perRule) {
			if whatNext.MatchString(m[1]) && len(strings.Fields(m[2])) < minChoice {
				continue
			}
			all = append(all, Lesson{
				Kind: memory.Approach, Rule: RuleDecision, Confidence: sureDecided, Tags: []string{RuleDecision},
				Trust:    memory.TrustUser,
				Text:     "Asked " + quote(m[1]) + " the user chose " + quote(m[2]),
				Messages: []string{c.id, c.answer},
			})
		}
	}
	return all
}
