package cli

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"chitta/internal/memory"
	"chitta/internal/mind"
	"chitta/internal/past"
	"chitta/internal/rpc"
)

func (a *app) explainCommand() *cobra.Command {
	var in mind.ExplainInput
	cmd := &cobra.Command{
		Use: "explain QUERY|ID", Short: "How something came about: what led to it, oldest first",
		Example: `  chitta explain "why do we retry the upload"
  chitta explain 3f2a9c1e-7d4b-4a5e-9c1e-0a1b2c3d4e5f`,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if in.Query, err = a.text(args, "query"); err != nil {
				return err
			}
			return show(cmd, a, "explain", in, func(out mind.ExplainOutput) { a.chain(out, in.Realm) })
		},
	}
	f := cmd.Flags()
	f.IntVar(&in.Steps, "steps", 0, "most links before it (default 8)")
	f.IntVar(&in.Budget, "budget", 0, "most tokens of text, estimated (default 2000)")
	f.StringVar(&in.Realm, "realm", "", "project: id or name; all for every project")
	return cmd
}

// asksAll is what --realm all does to questions to the history.
const asksAll = "asks the history of every project"

// elsewhere says how to look further, where only this project was looked at.
func elsewhere(realm, what string) string {
	if realm != "" {
		return ""
	}
	return "; --realm all " + what
}

// linkWords say how a passage leads to the next.
var linkWords = map[string]string{
	"adjacent": "then", "file-path": "the next to touch the same file", "topic": "something alike was asked for later",
	"spawn": "a subagent was started", "merge": "its result came back",
}

func (a *app) chain(out mind.ExplainOutput, realm string) {
	a.degraded(out.Degraded)
	if len(out.Chain) == 0 {
		a.note("nothing is known about this%s", elsewhere(realm, asksAll))
		return
	}
	for _, l := range out.Chain {
		a.printf("%s  %s\n", a.bold(l.ID), a.dim(passageWords(l.Passage)))
		if l.Asked != "" {
			a.printf("%s\n", indent("asked for: "+l.Asked, "   "))
		}
		a.printf("%s\n", indent(l.Text, "   "))
		if l.Edge != "" {
			words := linkWords[l.Edge]
			if words == "" {
				words = l.Edge
			}
			a.printf("   %s\n", a.dim(fmt.Sprintf("↓ %s (%s, weight %.2f, %s away)", words, l.Edge, l.Weight, plural(l.Hops, "hop", "hops"))))
		}
	}
}

func (a *app) degraded(list []string) {
	for _, d := range list {
		a.note("not all could take part: %s", d)
	}
}

// passageWords says in a few words who said something, where and when.
func passageWords(p mind.Passage) string {
	s := p.Speaker + " in session " + p.Session
	if p.Agent != "" {
		s += ", subagent " + p.Agent
	}
	return s + agoWords(p.Created)
}

func agoWords(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return " · " + memory.Ago(t, time.Now())
}

func (a *app) predictCommand() *cobra.Command {
	var in mind.PredictInput
	cmd := &cobra.Command{
		Use: "predict [QUERY]", Short: "What is likely to matter next: what was seen after similar work",
		Example: `  chitta predict "rename a column"
  chitta predict`,
		RunE: func(cmd *cobra.Command, args []string) error {
			in.Query = strings.Join(args, " ")
			return show(cmd, a, "predict", in, func(out mind.PredictOutput) { a.prediction(out, in.Realm) })
		},
	}
	f := cmd.Flags()
	f.IntVarP(&in.Limit, "limit", "n", 0, "most files, commands and requests of each (default 5)")
	f.StringVar(&in.Realm, "realm", "", "project: id or name; all for every project")
	return cmd
}

func (a *app) prediction(out mind.PredictOutput, realm string) {
	a.degraded(out.Degraded)
	if len(out.Files)+len(out.Commands)+len(out.Requests) == 0 {
		a.note("nothing similar was done here before%s", elsewhere(realm, asksAll))
		return
	}
	if len(out.Files) > 0 {
		rows := [][]string{{"file", ">times", ">changed", "seen in"}}
		for _, f := range out.Files {
			rows = append(rows, []string{f.Path, fmt.Sprint(f.Count), fmt.Sprint(f.Changed), shortIDs(f.Evidence)})
		}
		a.table(rows)
	}
	if len(out.Commands) > 0 {
		rows := [][]string{{"command", ">times", ">succeeded", "seen in"}}
		for _, c := range out.Commands {
			rate := "?"
			if c.SuccessRate != nil {
				rate = percent(*c.SuccessRate)
			}
			rows = append(rows, []string{c.Command, fmt.Sprint(c.Count), rate, shortIDs(c.Evidence)})
		}
		a.printf("\n")
		a.table(rows)
	}
	if len(out.Requests) > 0 {
		a.printf("\n%s\n", a.dim("asked for afterwards"))
	}
	for _, r := range out.Requests {
		a.printf("%s  %s\n%s\n", a.bold(r.ID), a.dim(passageWords(r.Passage)), indent(r.Text, "   "))
	}
}

func percent(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) }

func (a *app) blameCommand() *cobra.Command {
	var in past.BlameInput
	cmd := &cobra.Command{
		Use: "blame FILE", Short: "Which sessions touched a file, why, and what was decided", Args: exactly(1, "a file"),
		Example: `  chitta blame internal/store/store.go
  chitta blame store.go --reads`,
		RunE: func(cmd *cobra.Command, args []string) error {
			in.File = args[0]
			err := show(cmd, a, "blame", in, a.blame)
			var remote *rpc.Error
			if errors.As(err, &remote) && remote.Code == rpc.CodeNotFound {
				return remote.WithHint(remote.Hint() + elsewhere(in.Realm, asksAll))
			}
			return err
		},
	}
	f := cmd.Flags()
	f.BoolVar(&in.Reads, "reads", false, "show sessions that only read it too")
	f.IntVarP(&in.Limit, "limit", "n", 0, "most sessions (default 10)")
	f.StringVar(&in.Since, "since", "", `from this time on: 2026-01-31, 3d, "2 weeks ago"`)
	f.StringVar(&in.Realm, "realm", "", "project: id or name; all for every project")
	return cmd
}

func (a *app) blame(out mind.BlameOutput) {
	a.printf("%s\n", a.bold(strings.Join(out.Files, ", ")))
	for _, s := range out.Sessions {
		counts := fmt.Sprintf("%s, %s, %s", plural(s.Edits, "edit", "edits"), plural(s.Writes, "write", "writes"), plural(s.Reads, "read", "reads"))
		a.printf("\n%s  %s\n", a.bold("session "+s.Session), a.dim(counts+agoWords(s.Last)))
		if s.Title != "" {
			a.printf("   %s\n", s.Title)
		}
		for _, t := range s.Turns {
			a.printf("   %s\n", a.dim(t.ID+agoWords(t.Created)))
			if t.Why != "" {
				a.printf("%s\n", indent("asked: "+t.Why, "     "))
			}
			if t.Decided != "" {
				a.printf("%s\n", indent("said: "+t.Decided, "     "))
			}
		}
	}
	if len(out.Memories) > 0 {
		a.printf("\n%s\n", a.dim("remembered"))
	}
	for _, r := range out.Memories {
		a.printf("%s  %s\n%s\n", a.bold(r.ID), a.dim(resultLine(r)), indent(r.Text, "   "))
	}
	if more := out.Changed - len(out.Sessions); more > 0 {
		a.note("%s more changed it; --limit shows them", plural(more, "session", "sessions"))
	}
	if shown := len(out.Sessions) - out.Changed; out.Read > max(0, shown) {
		a.note("%s only read it; --reads shows them", plural(out.Read, "session", "sessions"))
	}
}

func (a *app) fixCommand() *cobra.Command {
	var in past.FixInput
	cmd := &cobra.Command{
		Use: "fix ERROR", Short: "What was done about this error before, and whether it helped",
		Example: `  chitta fix "undefined: newStore"
  make 2>&1 | tail -20 | chitta fix`,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if in.Error, err = a.text(args, "error"); err != nil {
				return err
			}
			return show(cmd, a, "fix", in, func(out past.FixOutput) { a.fixes(out, in.Realm) })
		},
	}
	f := cmd.Flags()
	f.IntVarP(&in.Limit, "limit", "n", 0, "most occurrences (default 5)")
	f.StringVar(&in.Realm, "realm", "", "project: id or name; all for every project")
	return cmd
}

func (a *app) fixes(out past.FixOutput, realm string) {
	a.degraded(out.Degraded)
	if len(out.Occurrences) == 0 {
		a.note("this error was not seen here before%s", elsewhere(realm, asksAll))
		return
	}
	for _, o := range out.Occurrences {
		verdict := a.yellow(o.Verdict)
		switch o.Verdict {
		case past.VerdictFixed:
			verdict = a.green(o.Verdict)
		case past.VerdictNotFixed:
			verdict = a.red(o.Verdict)
		}
		a.printf("%s  %s  %s\n", verdict, a.bold(o.ID), a.dim("session "+o.Session+agoWords(o.Created)))
		a.printf("   %s\n%s\n", a.dim("while: "+o.Doing), indent(o.Error, "   "))
		for _, s := range o.Steps {
			outcome := ""
			if s.Outcome != "" {
				outcome = " (" + s.Outcome + ")"
			}
			a.printf("   - %s %s%s  %s\n", s.Action, s.What, outcome, a.dim(s.ID))
		}
	}
	if more := out.Found - len(out.Occurrences); more > 0 {
		a.note("%d more were found; --limit shows them", more)
	}
}

func (a *app) howCommand() *cobra.Command {
	var in past.HowInput
	cmd := &cobra.Command{
		Use: "how TASK", Short: "Commands that worked here for a task",
		Example: `  chitta how "run one test"`,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if in.Task, err = a.text(args, "task"); err != nil {
				return err
			}
			return show(cmd, a, "how", in, func(out past.HowOutput) { a.commands(out, in.Realm) })
		},
	}
	f := cmd.Flags()
	f.IntVarP(&in.Limit, "limit", "n", 0, "most commands (default 5)")
	f.StringVar(&in.Realm, "realm", "", "project: id or name; all for every project")
	return cmd
}

func (a *app) commands(out past.HowOutput, realm string) {
	a.degraded(out.Degraded)
	if len(out.Commands) == 0 {
		a.note("no command is known to have worked for this here%s", elsewhere(realm, asksAll))
		return
	}
	for _, c := range out.Commands {
		line := fmt.Sprintf("%d of %d runs succeeded (%s)", c.Succeeded, c.Count, percent(c.SuccessRate)) + agoWords(c.LastUsed)
		if c.Cwd != "" {
			line += " · in " + c.Cwd
		}
		a.printf("%s\n   %s\n", a.bold(c.Example), a.dim(line))
		if c.Request != "" {
			a.printf("%s\n", indent("for: "+c.Request, "   "))
		}
		a.printf("   %s\n", a.dim("seen in "+shortIDs(c.Evidence)))
	}
	if more := out.Found - len(out.Commands); more > 0 {
		a.note("%d more were found; --limit shows them", more)
	}
}
