package tool

import (
	"fmt"
	"strings"
	"time"

	"chitta/internal/capture"
	"chitta/internal/mind"
	"chitta/internal/past"
)

// moment is the beginning of a line about something that happened then.
func when(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return " · " + t.Format(time.DateOnly)
}

func passageLine(p mind.Passage) string {
	s := fmt.Sprintf("[%s] %s in session %s", p.ID, p.Speaker, p.Session)
	if p.Agent != "" {
		s += ", subagent " + p.Agent
	}
	return s + when(p.Created)
}

func textExplain(out mind.ExplainOutput) string {
	note := degradedNote(out.Degraded)
	if len(out.Chain) == 0 {
		return "nothing is known about this" + note
	}
	items := make([]string, len(out.Chain))
	for i, l := range out.Chain {
		items[i] = passageLine(l.Passage)
		if l.Asked != "" {
			items[i] += "\nasked for: " + l.Asked
		}
		items[i] += "\n" + l.Text
		if l.Edge != "" {
			items[i] += fmt.Sprintf("\n→ %s (weight %.2f, %d hops before the end)", l.Edge, l.Weight, l.Hops)
		}
	}
	// the end is what was asked about: what does not fit is cut at the beginning
	for len(items) > 1 {
		if _, n := fitting(items); n == len(items) {
			break
		}
		items = items[1:]
	}
	shown, n := fitting(items)
	s := capture.Wrap(shown)
	if n < len(out.Chain) {
		s += fmt.Sprintf("\nthe last %d of %d links shown, oldest first", n, len(out.Chain))
	}
	return s + note
}

func textPredict(out mind.PredictOutput) string {
	note := degradedNote(out.Degraded)
	if len(out.Files)+len(out.Commands)+len(out.Requests) == 0 {
		return "nothing similar was done here before" + note
	}
	var b strings.Builder
	if len(out.Files) > 0 {
		b.WriteString("## Files\n")
		for _, f := range out.Files {
			fmt.Fprintf(&b, "%s · %d times, changed %d (%s)\n", f.Path, f.Count, f.Changed, strings.Join(f.Evidence, " "))
		}
	}
	if len(out.Commands) > 0 {
		b.WriteString("## Commands\n")
		for _, c := range out.Commands {
			fmt.Fprintf(&b, "%s · %d times", c.Command, c.Count)
			if c.SuccessRate != nil {
				fmt.Fprintf(&b, ", %.0f %% succeeded", 100**c.SuccessRate)
			}
			fmt.Fprintf(&b, " (%s)\n", strings.Join(c.Evidence, " "))
		}
	}
	if len(out.Requests) > 0 {
		b.WriteString("## Asked for afterwards\n")
		for _, r := range out.Requests {
			fmt.Fprintf(&b, "%s\n%s\n", passageLine(r.Passage), r.Text)
		}
	}
	return capture.Wrap(strings.TrimRight(b.String(), "\n")) + note
}

func textBlame(out mind.BlameOutput) string {
	items := make([]string, 0, len(out.Sessions)+len(out.Memories))
	for _, s := range out.Sessions {
		item := fmt.Sprintf("session %s%s · %d edits, %d writes, %d reads", s.Session, when(s.Last), s.Edits, s.Writes, s.Reads)
		if s.Title != "" {
			item += " · " + s.Title
		}
		for _, t := range s.Turns {
			item += fmt.Sprintf("\n  [%s]%s", t.ID, when(t.Created))
			if t.Why != "" {
				item += "\n  asked: " + t.Why
			}
			if t.Decided != "" {
				item += "\n  said: " + t.Decided
			}
		}
		items = append(items, item)
	}
	for _, r := range out.Memories {
		items = append(items, heading(r.ID, r.Kind, r.Confidence, r.Created, r.Trust, r.Tags)+"\n"+r.Text)
	}
	counts := fmt.Sprintf("%s: changed in %d sessions, only read in %d", strings.Join(out.Files, ", "), out.Changed, out.Read)
	if len(items) == 0 {
		return counts
	}
	shown, n := fitting(items)
	s := counts + "\n" + capture.Wrap(shown)
	if n < len(items) {
		s += fmt.Sprintf("\n%d of %d shown, the rest does not fit", n, len(items))
	}
	return s
}

func textFix(out past.FixOutput) string {
	note := degradedNote(out.Degraded)
	if len(out.Occurrences) == 0 {
		return "this error was not seen here before" + note
	}
	items := make([]string, len(out.Occurrences))
	for i, o := range out.Occurrences {
		item := fmt.Sprintf("[%s] %s · session %s%s\nwhile: %s\n%s", o.ID, o.Verdict, o.Session, when(o.Created), o.Doing, o.Error)
		for _, s := range o.Steps {
			item += fmt.Sprintf("\n- %s %s", s.Action, s.What)
			if s.Outcome != "" {
				item += " (" + s.Outcome + ")"
			}
			item += " [" + s.ID + "]"
		}
		items[i] = item
	}
	shown, n := fitting(items)
	s := capture.Wrap(shown)
	if more := out.Found - n; more > 0 {
		s += fmt.Sprintf("\n%d more occurrences were found", more)
	}
	return s + note
}

func textHow(out past.HowOutput) string {
	note := degradedNote(out.Degraded)
	if len(out.Commands) == 0 {
		return "no command is known to have worked for this here" + note
	}
	items := make([]string, len(out.Commands))
	for i, c := range out.Commands {
		items[i] = fmt.Sprintf("%s\n%d of %d runs succeeded%s", c.Example, c.Succeeded, c.Count, when(c.LastUsed))
		if c.Cwd != "" {
			items[i] += " · in " + c.Cwd
		}
		if c.Request != "" {
			items[i] += "\nfor: " + c.Request
		}
		items[i] += "\n(" + strings.Join(c.Evidence, " ") + ")"
	}
	shown, n := fitting(items)
	s := capture.Wrap(shown)
	if more := out.Found - n; more > 0 {
		s += fmt.Sprintf("\n%d more commands were found", more)
	}
	return s + note
}
