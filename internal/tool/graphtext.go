package tool

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"chitta/internal/capture"
	"chitta/internal/mind"
)

// What the knowledge graph says, in words for agents.

// factText is a fact in one line.
func factText(f *mind.FactView) string {
	if f.ID == "" && len(f.Sources) > 0 { // read from source code
		s := fmt.Sprintf("[%s] %s · confidence %.2f · %s", f.Sources[0].Source, f.Sentence, f.Confidence, f.Sources[0].Place)
		if f.Sources[0].Rule != "" {
			s += " " + f.Sources[0].Rule
		}
		return s
	}
	s := fmt.Sprintf("[%s] %s · confidence %.2f", f.ID, f.Sentence, f.Confidence)
	if !f.From.IsZero() {
		s += " · since " + f.From.Format(time.DateOnly)
	}
	if !f.Until.IsZero() {
		s += " · until " + f.Until.Format(time.DateOnly)
	}
	if len(f.Sources) > 0 {
		s += " · from " + f.Sources[0].Source
		if f.Sources[0].Memory != "" {
			s += " " + f.Sources[0].Memory
		}
	}
	return s
}

func factItems(facts []mind.FactView) []string {
	items := make([]string, len(facts))
	for i := range facts {
		items[i] = factText(&facts[i])
	}
	return items
}

// wrapped marks items as reference material and says how many fit.
func wrapped(items []string, what string) string {
	shown, n := fitting(items)
	s := capture.Wrap(strings.ReplaceAll(shown, "\n\n", "\n"))
	if n < len(items) {
		s += fmt.Sprintf("\n%d of %d %s shown, the rest does not fit; ask with limit %d", n, len(items), what, max(1, n))
	}
	return s
}

func textFacts(out mind.GraphFactsOutput) string {
	if len(out.Facts) == 0 {
		return "no fact fits" + codeNote(out.Code)
	}
	s := wrapped(factItems(out.Facts), "facts")
	if out.More {
		s += "\nthere are more; raise limit or narrow the pattern"
	}
	return s + codeNote(out.Code)
}

// codeNote says how much of what source code says an answer has.
func codeNote(c *mind.GraphCode) string {
	var s string
	for _, line := range c.Notes() {
		s += "\n" + line
	}
	return s
}

func textGraphAdd(out mind.GraphAddOutput) string {
	var items []string
	for i := range out.Facts {
		f := &out.Facts[i]
		items = append(items, f.Action+": "+factText(&f.FactView))
		for j := range f.Ended {
			items = append(items, "  ended: "+factText(&f.Ended[j]))
		}
	}
	items = append(items, contradictionItems(out.Contradictions)...)
	s := wrapped(items, "lines")
	if out.Unchecked {
		s += "\n(the graph is still being loaded; ask for contradictions later)"
	}
	return s
}

func textGraphRemove(out mind.GraphFactsOutput) string {
	items := factItems(out.Facts)
	for i := range items {
		items[i] = "ended: " + items[i]
	}
	return wrapped(items, "facts")
}

func contradictionItems(list []mind.ContradictionView) []string {
	var items []string
	for _, c := range list {
		item := fmt.Sprintf("contradiction (%s): %s", c.Kind, c.Why)
		for i := range c.Facts {
			item += "\n  " + factText(&c.Facts[i])
		}
		items = append(items, item)
	}
	return items
}

func textContradictions(out mind.GraphContradictionsOutput) string {
	if len(out.Contradictions) == 0 {
		return "nothing contradicts"
	}
	return wrapped(contradictionItems(out.Contradictions), "contradictions")
}

func textPaths(out mind.GraphPathsOutput) string {
	if len(out.Paths) == 0 {
		return fmt.Sprintf("no way from %s to %s within the hops asked for%s", out.From, out.To, cutNote(out.Cut))
	}
	items := make([]string, len(out.Paths))
	for i, p := range out.Paths {
		items[i] = fmt.Sprintf("way %d · confidence %.2f\n  %s", i+1, p.Confidence, strings.Join(factItems(p.Facts), "\n  "))
	}
	return wrapped(items, "ways") + cutNote(out.Cut)
}

func cutNote(cut bool) string {
	if cut {
		return "\n(the search was ended early; there may be others)"
	}
	return ""
}

func textInfer(out mind.GraphInferOutput) string {
	if len(out.Inferred) == 0 {
		return "nothing follows"
	}
	items := make([]string, len(out.Inferred))
	for i, f := range out.Inferred {
		items[i] = fmt.Sprintf("%s · confidence %.2f, because\n  %s", f.Sentence, f.Confidence, strings.Join(factItems(f.Chain), "\n  "))
	}
	return wrapped(items, "conclusions")
}

func textActivate(out mind.GraphActivateOutput) string {
	items := make([]string, len(out.Concepts))
	for i, c := range out.Concepts {
		items[i] = fmt.Sprintf("%.2f %s", c.Level, c.Name)
		if c.Via != nil {
			items[i] += " ← " + c.Via.Sentence + " [" + cmp.Or(c.Via.ID, c.Via.Sources[0].Source) + "]"
		}
	}
	s := wrapped(items, "concepts")
	if out.Reached > len(items) {
		s += fmt.Sprintf("\n%d concepts were reached in all", out.Reached)
	}
	return s
}

func textSimilar(out mind.GraphSimilarOutput) string {
	note := degradedNote(out.Degraded)
	if len(out.Concepts) == 0 {
		return "nothing known is like " + out.Name + note
	}
	items := make([]string, len(out.Concepts))
	for i, c := range out.Concepts {
		items[i] = fmt.Sprintf("%.2f %s (%s)", c.Score, c.Name, strings.Join(c.Respects(), ", "))
	}
	return wrapped(items, "concepts") + note
}

func textFactTimeline(out mind.GraphTimelineOutput) string {
	if len(out.Events) == 0 {
		return "no fact about " + out.Name
	}
	items := make([]string, len(out.Events))
	for i := range out.Events {
		e := &out.Events[i]
		items[i] = fmt.Sprintf("%s %s: %s [%s]", e.At.Format(time.DateTime), e.Event, e.Fact.Sentence, e.Fact.ID)
	}
	s := wrapped(items, "events")
	if out.More {
		s += "\nolder events are left out; raise limit to see them"
	}
	return s
}

func textConcept(out mind.GraphConceptOutput) string {
	head := fmt.Sprintf("%s · activation %.2f", out.Name, out.Activation)
	if len(out.Aliases) > 0 {
		head += " · also called " + strings.Join(out.Aliases, ", ")
	}
	items := []string{head}
	for _, t := range out.Things {
		items = append(items, strings.TrimSpace(fmt.Sprintf("in code: %s %s %s %s", t.Kind, t.Name, t.Place, t.Signature)))
	}
	s := wrapped(append(items, factItems(out.Facts)...), "lines")
	if out.More {
		s += "\nthere are more facts; raise limit to see them"
	}
	return s + codeNote(out.Code)
}

func textParse(out mind.GraphParseOutput) string {
	var items []string
	for _, p := range out.Problems {
		items = append(items, fmt.Sprintf("line %d cannot be read: %s", p.Line, p.Reason))
	}
	for _, s := range out.Statements {
		item := fmt.Sprintf("line %d: %s -[%s]-> %s", s.Line, s.Subject, s.Predicate, s.Object)
		if s.ID != "" {
			item += fmt.Sprintf(" · %s as %s", s.Action, s.ID)
		}
		items = append(items, item)
	}
	if len(items) == 0 {
		return "the text has no notation in it"
	}
	s := wrapped(items, "lines")
	if !out.Applied {
		s += "\nnothing was stored"
	}
	return s
}

func textNames(out mind.GraphNamesOutput) string {
	s := "the concept is called " + out.Name
	if len(out.Aliases) > 0 {
		s += ", also " + strings.Join(out.Aliases, ", ")
	}
	return capture.Wrap(s)
}

func textGraphExport(out mind.GraphExportOutput) string { return capture.Wrap(textJSON(out)) }

// textStated says what became of the notation in a memory's text.
func textStated(out *mind.Stated) string {
	var s string
	for _, f := range out.Facts {
		s += fmt.Sprintf("\nfact %s: %s (%s)", f.Action, f.Sentence, f.ID)
	}
	for _, p := range out.Unread {
		s += fmt.Sprintf("\nnot read as a fact, line %d: %s", p.Line, p.Reason)
	}
	return s
}
