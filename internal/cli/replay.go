package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"chitta/internal/moment"
)

func (a *app) replayCommand() *cobra.Command {
	return &cobra.Command{
		Use: "replay SESSION", Short: "What the prompts of a past session would have been answered with", Args: exactly(1, "the id of a session"),
		Long: `Goes through a past session and shows for each prompt what memory would have
handed over at that time, with its cost, or why nothing. It changes nothing.`,
		Example: "  chitta replay 3f2a\n  chitta replay 3f2a --json | jq '.prompts[] | select(.outcome == \"injected\")'",
		RunE: func(cmd *cobra.Command, args []string) error {
			out, err := a.replay(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(out)
			}
			a.replayed(&out)
			return nil
		},
	}
}

// replay asks for part after part and puts them together.
func (a *app) replay(ctx context.Context, session string) (moment.ReplayOutput, error) {
	bar := a.progress("replaying")
	defer bar.done()
	var all moment.ReplayOutput
	for in := (moment.ReplayInput{Session: session}); ; {
		out, _, err := invoke[moment.ReplayOutput](ctx, a, "replay", in)
		if err != nil {
			return all, err
		}
		out.Prompts = append(all.Prompts, out.Prompts...)
		out.Injected += all.Injected
		out.Tokens += all.Tokens
		all = out
		if in.Cursor = out.Next; in.Cursor == "" {
			return all, nil
		}
		bar.at(int64(out.Done), int64(out.Total))
	}
}

// replayed prints it.
func (a *app) replayed(out *moment.ReplayOutput) {
	for _, p := range out.Prompts {
		a.printf("%s  %s\n", a.bold(p.Time.Local().Format(time.DateTime)), p.Prompt)
		if p.Text == "" {
			measured := ""
			if p.Bar > 0 {
				measured = fmt.Sprintf(" (%.2f, needs %.2f)", p.Best, p.Bar)
			}
			a.printf("  %s%s\n\n", p.Outcome, measured)
			continue
		}
		a.printf("  %s, about %s\n%s\n\n", p.Outcome, plural(p.Tokens, "token", "tokens"), indent(p.Text, "  "))
	}
	a.printf("%d of %s would have got something, about %s in all\n", out.Injected, plural(len(out.Prompts), "prompt", "prompts"), plural(out.Tokens, "token", "tokens"))
	for _, n := range out.Notes {
		a.note("%s", n)
	}
}
