package distil

import (
	"strings"

	"chitta/internal/expr"
	"chitta/internal/memory"
)

// markerLine matches what an agent wrote down on purpose.
var markerLine = expr.New(`^\s*(?:[-*]\s+)?\**\[([A-Z][A-Z _-]{2,20})\]\**:?\s+(\S.*)$`)

// sureMarked is for what the agent itself calls worth keeping.
const sureMarked = 0.9

// markerKinds are the markers that are not names of kinds.
var markerKinds = map[string]memory.Kind{
	"DECISION": memory.Approach, "DECIDED": memory.Approach,
	"LEARNED": memory.Wisdom, "LESSON": memory.Wisdom, "REMEMBER": memory.Wisdom,
	"GOTCHA": memory.Failure, "FAILED": memory.Failure,
	"TODO": memory.Intention, "NEXT": memory.Intention,
}

// markers finds lines such as "[DECISION] …" in what the agent said.
func markers(t *turn) []Lesson {
	var all []Lesson
	for _, r := range t.spoken {
		fenced := false
		for line := range strings.SplitSeq(r.text, "\n") {
			if fence.MatchString(line) {
				fenced = !fenced
			}
			m := markerLine.FindStringSubmatch(line)
			if fenced || m == nil {
				continue
			}
			kind, ok := markerKinds[m[1]]
			if !ok {
				parsed, err := memory.ParseKind(strings.ToLower(m[1]))
				if err != nil {
					continue // [INFO] and the like mark no lesson
				}
				kind = parsed
			}
			all = append(all, Lesson{
				Kind: kind, Rule: RuleMarker, Confidence: sureMarked, Conscious: true,
				Tags: []string{RuleMarker}, Text: m[2], Files: t.files,
				Messages: sources(r.id), Trust: memory.TrustAgent, Said: m[2],
			})
		}
	}
	return all
}
