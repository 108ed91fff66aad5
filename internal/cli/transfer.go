package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"chitta/internal/mind"
	"chitta/internal/past"
)

func (a *app) exportCommand() *cobra.Command {
	var in mind.ExportInput
	var sessions sessionExport
	cmd := &cobra.Command{
		Use: "export [FILE]", Short: "Write memories with their history as JSON lines, or sessions",
		Example: `  chitta export memories.jsonl
  chitta export --session 5c0ffee0 --format md --out talk.md
  chitta export --project app --out sessions/`,
		Annotations: map[string]string{localFiles: ""},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return &usageError{"chitta export takes at most one file", "try: chitta export --help"}
			}
			if sessions.wanted() {
				if len(args) == 1 && sessions.out == "" {
					sessions.out = args[0]
				}
				return a.exportSessions(cmd.Context(), &sessions)
			}
			if cmd.Flags().Changed("out") || cmd.Flags().Changed("format") {
				return &usageError{"--out and --format are for sessions", "name one with --session, or a project with --project; memories go to the file named"}
			}
			if len(args) == 0 || args[0] == "-" {
				_, err := a.export(cmd.Context(), in, a.out)
				return err
			}
			n, err := a.exportFile(cmd.Context(), in, args[0])
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(map[string]any{"file": args[0], "memories": n})
			}
			a.printf("%s written to %s\n", plural(n, "memory", "memories"), a.bold(args[0]))
			return nil
		},
	}
	cmd.Flags().StringVar(&in.Realm, "realm", "", "only this project")
	cmd.Flags().StringSliceVarP(&in.Kinds, "kind", "k", nil, "only these kinds")
	cmd.Flags().StringSliceVarP(&in.Tags, "tag", "t", nil, "only with all of these tags")
	sessions.flags(cmd.Flags())
	a.completeWords(cmd, "format", past.Formats())
	return cmd
}

// export writes all pages and returns how many memories they had.
func (a *app) export(ctx context.Context, in mind.ExportInput, w io.Writer) (n int, err error) {
	for {
		page, _, err := invoke[struct {
			Lines []json.RawMessage `json:"lines"`
			Next  string            `json:"next"`
		}](ctx, a, "memory_export", in)
		if err != nil {
			return n, err
		}
		for _, line := range page.Lines {
			if bytes.HasPrefix(line, []byte(`{"memory"`)) {
				n++
			}
			if _, err := fmt.Fprintf(w, "%s\n", line); err != nil {
				return n, err
			}
		}
		if page.Next == "" {
			return n, nil
		}
		in.Cursor = page.Next
	}
}

// exportFile writes to a file that appears whole or not at all.
func (a *app) exportFile(ctx context.Context, in mind.ExportInput, path string) (n int, err error) {
	err = whole(path, func(w io.Writer) (err error) {
		n, err = a.export(ctx, in, w)
		return err
	})
	return n, err
}
