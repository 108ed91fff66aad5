package cli

import (
	"context"
	"encoding/json"

	"github.com/spf13/cobra"

	"chitta/internal/mind"
)

func (a *app) graphMineCommand() *cobra.Command {
	var in mind.GraphMineInput
	cmd := &cobra.Command{
		Use: "mine", Short: "Find all facts in what is remembered and was said, now",
		Long: `Read all memories and conversations for facts: those written in notation, and
relations between what linked texts are about. That happens by itself as they
come, unless graph.mine = false in the configuration; this does it at once, and
says what was found.

It may be stopped at any time: the background goes on, and so does calling it
again. --undo takes back every fact that was found so and nothing else, and no
further facts are looked for until this is called again. Which files and symbols
a text names is noted in any case.`,
		Example: "  chitta graph mine\n  chitta graph mine --status\n  chitta graph mine --undo",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			out, raw, err := a.mine(cmd.Context(), in)
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(raw)
			}
			a.mined(&out)
			return nil
		},
	}
	cmd.Flags().BoolVar(&in.Undo, "undo", false, "take back everything that was found")
	cmd.Flags().BoolVar(&in.Status, "status", false, "only say how it stands")
	return cmd
}

// mine asks again until all is read, or once if that is not what is asked for.
func (a *app) mine(ctx context.Context, in mind.GraphMineInput) (out mind.GraphMineOutput, raw json.RawMessage, err error) {
	bar := a.progress("reading")
	defer bar.done()
	for {
		if out, raw, err = invoke[mind.GraphMineOutput](ctx, a, "graph_mine", in); err != nil || out.Done || in.Undo || in.Status {
			return out, raw, err
		}
		bar.at(int64(out.Memories+out.Chunks), out.Total)
	}
}

// mined says how mining stands.
func (a *app) mined(out *mind.GraphMineOutput) {
	switch {
	case out.Erased != nil:
		a.printf("%s taken back, %s weaker than before\n", plural(out.Erased.Facts, "fact", "facts"), plural(out.Erased.Weaker, "is", "are"))
	case !out.On && !out.Automatic:
		a.printf("facts are not looked for; chitta graph mine begins\n")
	default:
		a.printf("looked at %s, %s and %s in %.1f s\n", plural(out.Memories, "memory", "memories"), plural(out.Chunks, "passage", "passages"), plural(out.Links, "link", "links"), out.Seconds)
		a.printf("%s, %s, %s known before\n", plural(out.Facts, "new fact", "new facts"), plural(out.Concepts, "new concept", "new concepts"), plural(out.Strengthened, "fact", "facts"))
		if !out.Done {
			a.note("the background goes on")
		}
	}
	a.printf("%s of files and symbols are noted\n", plural(out.Mentions, "mention", "mentions"))
}
