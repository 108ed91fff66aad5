package distil

import (
	"strings"

	"chitta/internal/expr"
	"chitta/internal/memory"
)

var (
	// remedy matches a sentence that says what to do instead, or how things are.
	remedy = expr.New(`^(?:(?:and|but|so|please|just|rather|simply|instead),? )*(?:` +
		`(?:use|call|put|keep|make|write|return|move|name|store|leave|pass|take|set|prefer|stick|always|never|only|instead)\b|` +
		`(?:it|that|this|they|these|those)(?:'s| is| are| should| must| has to| have to| needs?| belongs?)\b|` +
		`(?:the|these|those|our|all) (?:\S+ ){1,4}(?:should|must|is|are|has to|have to|needs? to|belongs?)\b|` +
		`there(?:'s| is| are)\b|we (?:use|have|need|want|already|store|keep|call|do|don't)\b|you (?:should|must|need|can)\b|` +
		`i (?:want|wanted|meant|asked|need|needed|was)\b)`)
	// hanging matches sentences that lean on the one before.
	hanging = expr.New(`\binstead[.! ]*$`)
	// bareReference matches corrections that only say which thing was meant: they
	// tell nothing without what they were answers to.
	bareReference = expr.New(`^(?:(?:hm+|no|nope|sorry|oh|ah|wait|well|actually),?\.? )*(?:i (?:meant|mean|said|asked (?:for|about)|was (?:talking about|referring to))|not) (?:\S+ ?){1,4}[.!]*$`)
)

// maxRemedy is how many sentences after a correction may say what to do instead.
const maxRemedy = 2

// withRemedy is a correction together with the sentences behind it that say what
// to do instead, and how many of them say nothing else. A standing wish among
// them is looked at by itself again.
func withRemedy(all []sentence, i int) (string, int) {
	text, took := all[i].text, 1
	for k := i + 1; k < min(len(all), i+1+maxRemedy); k++ {
		s := all[k]
		if s.question || supposed.MatchString(s.plain) || !remedy.MatchString(s.plain) || length(text)+length(s.text) >= quoted {
			break
		}
		text += " " + s.text
		if _, own := wish(all, k); own == 0 || hanging.MatchString(s.plain) {
			took = k + 1 - i
			continue
		}
		break
	}
	return text, took
}

// correction makes a lesson of what the person set right, with what the agent
// had said about it; none if that would tell a reader nothing.
func (t *turn) correction(sure float64, text string) Lesson {
	about := t.context(text)
	plain := strings.ToLower(strings.ReplaceAll(oneLine(text), "’", "'"))
	if len(tellingWords(text)) == 0 || about == "" && bareReference.MatchString(plain) {
		return Lesson{}
	}
	more := ""
	if about != "" {
		more = " — when the agent said: " + quote(about)
	}
	return t.own(memory.Correction, RuleCorrection, sure, "The user corrected: ", text, more)
}

// maxContext is how many of the agent's last sentences may be what a person
// refers to.
const maxContext = 40

// context is what the agent had said about the same thing: of its last sentences
// the one that shares most words with a text, in a few words; "" if none does.
func (t *turn) context(text string) string {
	want := tellingWords(text)
	all := sentences(t.before)
	best, most := "", 0
	for i := len(all) - 1; i >= max(0, len(all)-maxContext); i-- {
		s := all[i]
		if s.question || length(s.text) < substance {
			continue
		}
		if n := shared(want, tellingWords(s.text)); n > most {
			best, most = clip(plainMarks(s.text), referred), n
		}
	}
	return best
}

// subject is the last thing of substance that the agent said, in a few words.
func (t *turn) subject() string {
	all := sentences(t.before)
	for i := len(all) - 1; i >= 0; i-- {
		if s := all[i]; !s.question && length(s.text) >= substance {
			return clip(plainMarks(s.text), referred)
		}
	}
	return ""
}

// concededWithin is among how many of the agent's first remarks an admission is
// looked for: it may look something up before it agrees.
const concededWithin = 3

// conceded finds a correction by the agent's answer to it.
func (t *turn) conceded() (Lesson, bool) {
	if t.before == "" || len(t.prompt) > maxConceded {
		return Lesson{}, false
	}
	for _, r := range t.spoken[:min(len(t.spoken), concededWithin)] {
		if concessions.MatchString(strings.TrimSpace(r.text)) {
			l := t.correction(sureConceded, t.prompt)
			l.Messages = append(l.Messages, r.id)
			return l, l.Rule != ""
		}
	}
	return Lesson{}, false
}
