package past

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"chitta/internal/follow"
	"chitta/internal/session"
	"chitta/internal/store"
)

// stories says of each occurrence what was done until it went away. The same
// trouble that came up several times on the way is one story.
func (a *Archive) stories(ctx context.Context, found []occurrence, wanted *errorText, roots []string) ([]FixOccurrence, error) {
	type storyKey struct {
		session int64
		doing   string
		fixedBy string
	}
	at := map[storyKey]int{}
	var out []FixOccurrence
	for i := range found {
		o := &found[i]
		story, err := a.story(ctx, o, wanted, roots)
		if err != nil {
			return nil, err
		}
		key := storyKey{o.result.Session, story.Doing, story.FixedBy}
		if k, ok := at[key]; ok {
			out[k].Times++
			out[k].Likeness = max(out[k].Likeness, story.Likeness)
			continue
		}
		at[key] = len(out)
		out = append(out, story)
	}
	slices.SortStableFunc(out, func(a, b FixOccurrence) int {
		return cmp.Or(cmp.Compare(verdictRank(a.Verdict), verdictRank(b.Verdict)), b.Created.Compare(a.Created))
	})
	return out, nil
}

func verdictRank(v string) int {
	return slices.Index([]string{VerdictFixed, VerdictNotFixed, VerdictUnknown}, v)
}

func (a *Archive) story(ctx context.Context, o *occurrence, wanted *errorText, roots []string) (FixOccurrence, error) {
	out := FixOccurrence{
		ID: o.result.ID, Session: o.source, Agent: o.result.Agent, Created: o.result.Time, Likeness: o.likeness, Times: 1,
		Verdict: VerdictUnknown, Steps: []FixStep{}, Doing: doing(&o.call, roots),
	}
	out.Error, _ = Shorten(tellingPart(o.text, wanted), errorTokens)
	runs, err := a.store.RunsAfter(ctx, o.result.Session, o.result.Agent, o.result.Position, fixAfter)
	if err != nil {
		return out, err
	}
	touches, err := a.store.ChangesAfter(ctx, o.result.Session, o.result.Agent, o.result.Position, fixAfter)
	if err != nil {
		return out, err
	}
	for len(runs) > 0 || len(touches) > 0 {
		if len(touches) == 0 || len(runs) > 0 && runs[0].Position <= touches[0].Position {
			r := runs[0]
			runs = runs[1:]
			if out.Verdict, err = a.judgeRun(ctx, o, &r, wanted, roots, out.Verdict); err != nil {
				return out, err
			}
			outcome, err := a.outcomeOf(ctx, &r)
			if err != nil {
				return out, err
			}
			out.addStep(FixStep{Action: "run", What: GeneralCommand(r.Command, roots), Outcome: outcome, ID: r.MessageID})
			if out.Verdict == VerdictFixed {
				out.FixedBy = r.MessageID
				break
			}
			continue
		}
		t := touches[0]
		touches = touches[1:]
		if t.Changes() && !t.Failed {
			out.addStep(FixStep{Action: t.Action, What: follow.ShownPath(roots, t.Path), Outcome: "ok", ID: t.MessageID})
		}
		if o.call.Command == "" && t.Tool == o.call.Tool && slices.Contains(o.call.Files, t.Path) {
			if t.Failed {
				out.Verdict = VerdictNotFixed
				continue
			}
			out.Verdict, out.FixedBy = VerdictFixed, t.MessageID
			break
		}
	}
	return out, nil
}

// judgeRun says what a later run tells about an error: the same command that
// succeeds, and does not print it any more, means that it is gone.
func (a *Archive) judgeRun(ctx context.Context, o *occurrence, r *store.Run, wanted *errorText, roots []string, before string) (string, error) {
	if o.call.Command == "" || !SameCommand(GeneralCommand(o.call.Command, roots), GeneralCommand(r.Command, roots)) {
		return before, nil
	}
	ok, known, err := a.Succeeded(ctx, r)
	if err != nil {
		return before, err
	}
	printed, err := a.outputOf(ctx, r)
	switch {
	case err != nil:
		return before, err
	case known && !ok, r.Result != "" && wanted.likeness(printed) >= wholeLine: // a pipe may hide that it still fails
		return VerdictNotFixed, nil
	case !known:
		return before, nil
	}
	return VerdictFixed, nil
}

// addStep keeps the last few steps; the same one again is said once.
func (o *FixOccurrence) addStep(s FixStep) {
	o.Steps = slices.DeleteFunc(o.Steps, func(x FixStep) bool { return x.Action == s.Action && x.What == s.What && x.Outcome == s.Outcome })
	o.Steps = append(o.Steps, s)
	o.Steps = o.Steps[max(0, len(o.Steps)-fixSteps):]
}

// doing says what a call was for.
func doing(call *session.Part, roots []string) string {
	if call.Command != "" {
		return GeneralCommand(call.Command, roots)
	}
	var files []string
	for _, f := range call.Files {
		files = append(files, follow.ShownPath(roots, f))
	}
	return strings.TrimSpace(call.Tool + " " + strings.Join(files, ", "))
}

// tellingPart is an output from the line on that is most like the error.
func tellingPart(text string, wanted *errorText) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	best, at := 0.0, 0
	for i, line := range lines {
		if l := wanted.likeness(line); l > best {
			best, at = l, i
		}
	}
	return strings.TrimSpace(strings.Join(lines[at:], "\n"))
}
