package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"chitta/internal/moment"
)

func (a *app) ledgerCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "ledger", Short: "How things stand, kept for the next session", Args: noArgs, RunE: help,
		Example: `  chitta ledger save --next "write the migration" --blocker "no test database"
  chitta ledger load
  chitta ledger list`,
	}
	cmd.AddCommand(a.ledgerSave(), a.ledgerLoad(), a.ledgerList(), a.ledgerGet(), a.ledgerDelete(), a.ledgerCheckpoint())
	return cmd
}

func (a *app) ledgerSave() *cobra.Command {
	var in moment.LedgerSaveInput
	cmd := &cobra.Command{
		Use: "save", Short: "Write down how things stand", Args: noArgs,
		Long: "Write down how things stand. Within a session what is given replaces what was saved before, field by field.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return show(cmd, a, "ledger_save", in, func(l moment.Ledger) { a.ledger(&l) })
		},
	}
	f := cmd.Flags()
	f.StringVar(&in.Mood, "mood", "", "how it goes, in a few words")
	f.StringVar(&in.Summary, "summary", "", "what was asked and done")
	f.StringArrayVar(&in.Todos, "todo", nil, "something on the list; may be repeated, as may the others")
	f.StringArrayVar(&in.Decisions, "decision", nil, "something decided, with the reason")
	f.StringArrayVar(&in.NextSteps, "next", nil, "something to do next")
	f.StringArrayVar(&in.Blockers, "blocker", nil, "something in the way")
	f.StringArrayVar(&in.Files, "file", nil, "a file in play")
	f.StringVar(&in.Snapshot, "snapshot", "", "anything else needed to go on")
	f.StringVar(&in.Session, "session", "", "the client's session it belongs to")
	f.StringVar(&in.Realm, "realm", "", "project: id or name")
	return cmd
}

func (a *app) ledgerLoad() *cobra.Command {
	var in moment.LedgerLoadInput
	cmd := &cobra.Command{
		Use: "load", Short: "How things stood last", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return show(cmd, a, "ledger_load", in, func(l moment.Ledger) { a.ledger(&l) })
		},
	}
	cmd.Flags().StringVar(&in.Session, "session", "", "of this client session")
	cmd.Flags().StringVar(&in.Realm, "realm", "", "project: id or name")
	return cmd
}

func (a *app) ledgerList() *cobra.Command {
	var in moment.LedgerListInput
	cmd := &cobra.Command{
		Use: "list", Short: "List what was written down, the last changed first", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return show(cmd, a, "ledger_list", in, func(out moment.LedgerListOutput) {
				if len(out.Ledgers) == 0 {
					a.printf("nothing was written down yet\n")
				}
				for i := range out.Ledgers {
					if i > 0 {
						a.printf("\n")
					}
					a.ledger(&out.Ledgers[i])
				}
			})
		},
	}
	cmd.Flags().StringVar(&in.Session, "session", "", "only of this client session")
	cmd.Flags().StringVar(&in.Realm, "realm", "", "project: id or name; all for every project")
	cmd.Flags().StringVar(&in.Kind, "kind", "", "only sunset, checkpoint or saved ones")
	cmd.Flags().IntVarP(&in.Limit, "limit", "n", 0, "most to list (default 20)")
	return cmd
}

func (a *app) ledgerGet() *cobra.Command {
	return &cobra.Command{
		Use: "get ID", Short: "Show one entry", Args: exactly(1, "the id of an entry"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return show(cmd, a, "ledger_get", moment.LedgerInput{ID: args[0]}, func(l moment.Ledger) { a.ledger(&l) })
		},
	}
}

func (a *app) ledgerDelete() *cobra.Command {
	return &cobra.Command{
		Use: "delete ID", Short: "Take an entry out for good", Args: exactly(1, "the id of an entry"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return show(cmd, a, "ledger_delete", moment.LedgerInput{ID: args[0]}, func(l moment.Ledger) { a.printf("%s is deleted\n", l.ID) })
		},
	}
}

func (a *app) ledgerCheckpoint() *cobra.Command {
	return &cobra.Command{
		Use: "checkpoint SESSION", Short: "Write down how a session stands, from what it shows", Args: exactly(1, "the id of a session"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return show(cmd, a, "ledger_checkpoint", moment.LedgerCheckpointInput{Session: args[0]}, func(l moment.Ledger) { a.ledger(&l) })
		},
	}
}

// ledger prints one entry.
func (a *app) ledger(l *moment.Ledger) {
	a.printf("%s  %s, %s", a.bold(l.ID), l.Kind, l.Updated.Local().Format(time.DateTime))
	if l.Session != "" {
		a.printf(", session %s", l.Session)
	}
	a.printf("\n")
	for _, line := range l.State.Lines() {
		a.printf("  %s\n", line)
	}
}

func (a *app) handoffCommand() *cobra.Command {
	return &cobra.Command{
		Use: "handoff [SESSION]", Short: "A brief of how things stand, ready to paste",
		Long: "Print a brief of how things stand in this project for whoever goes on: the last session with work, what is left to do, decided, wanted and did not work, also from earlier sessions, the files in play, and how to go on.\n\n" +
			"With a session, how that one stands alone.",
		Example: "  chitta handoff\n  chitta handoff 3f2a",
		RunE: func(cmd *cobra.Command, args []string) error {
			return show(cmd, a, "handoff", moment.HandoffInput{Session: strings.Join(args, " ")}, func(out moment.HandoffOutput) { a.printf("%s", out.Text) })
		},
	}
}

// costs prints what hooks cost and brought. nothing is how many came to nothing
// before they reached chitta.
func (a *app) costs(out *moment.CostOutput, nothing int) {
	if nothing > 0 {
		defer a.note("%s", nothingText(nothing))
	}
	if out.Calls == 0 {
		a.printf("\nno hook was called since %s\n", out.Since.Local().Format(time.DateOnly))
		return
	}
	a.printf("\nhooks since %s: %s in %s, about %d tokens handed over\n", out.Since.Local().Format(time.DateOnly),
		plural(out.Calls, "call", "calls"), plural(out.Sessions, "session", "sessions"), out.Tokens)
	rows := [][]string{{"event", ">calls", ">handed over", ">tokens", ">failed", ">p50 ms", ">p99 ms"}}
	for _, e := range out.Events {
		rows = append(rows, []string{e.Event, fmt.Sprint(e.Calls), fmt.Sprint(e.Injected), fmt.Sprint(e.Tokens), fmt.Sprint(e.Failed),
			fmt.Sprintf("%.1f", e.P50), fmt.Sprintf("%.1f", e.P99)})
	}
	a.table(rows)
	a.counts("nothing handed over because", "times", out.Withheld)
	a.counts("learned from turns", "memories", out.Kinds)
	if out.Converged > 0 {
		were := "were"
		if out.Converged == 1 {
			were = "was"
		}
		a.printf("%d of them %s also said\n", out.Converged, were)
	}
	if len(out.Latest) > 0 {
		a.printf("\n")
		rows := [][]string{{"session", "last", ">calls", ">handed over", ">tokens", ">learned"}}
		for _, s := range out.Latest {
			rows = append(rows, []string{s.Session, s.Last.Local().Format(time.DateTime), fmt.Sprint(s.Calls), fmt.Sprint(s.Injected), fmt.Sprint(s.Tokens), fmt.Sprint(s.Captured)})
		}
		a.table(rows)
	}
}

// counts prints numbers by name.
func (a *app) counts(title, unit string, counts map[string]int) {
	if len(counts) == 0 {
		return
	}
	a.printf("\n")
	rows := [][]string{{title, ">" + unit}}
	for _, k := range sortedKeys(counts) {
		rows = append(rows, []string{k, fmt.Sprint(counts[k])})
	}
	a.table(rows)
}
