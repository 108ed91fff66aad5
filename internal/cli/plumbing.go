package cli

import (
	"encoding/json"
	"io"

	"github.com/spf13/cobra"

	"chitta/internal/mcpserver"
	"chitta/internal/mind"
	"chitta/internal/tool"
)

func (a *app) callCommand() *cobra.Command {
	return &cobra.Command{
		Use: "call NAME [JSON]", Short: "Call any operation with JSON and print its JSON",
		Example: `  chitta call recall '{"query": "socket", "limit": 3}'`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 || len(args) > 2 {
				return &usageError{"chitta call takes a name and at most one JSON object", "chitta tools lists the names"}
			}
			params := json.RawMessage("{}")
			if len(args) == 2 {
				text, err := a.text(args[1:], "JSON")
				if err != nil {
					return err
				}
				params = json.RawMessage(text)
				if !json.Valid(params) {
					return &usageError{"the second argument is not JSON", `quote it for the shell: '{"id": "…"}'`}
				}
			}
			if err := placed(args[0], params); err != nil {
				return err
			}
			client, err := a.connect(mind.ActorCLI)
			if err != nil {
				return err
			}
			var raw json.RawMessage
			if err := client.Call(cmd.Context(), args[0], params, &raw); err != nil {
				return err
			}
			return a.printJSON(raw)
		},
	}
}

func (a *app) toolsCommand() *cobra.Command {
	var markdown bool
	cmd := &cobra.Command{
		Use: "tools", Short: "List the operations", Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			switch {
			case markdown:
				return tool.WriteReference(a.out)
			case a.json:
				b, err := tool.Snapshot()
				if err != nil {
					return err
				}
				return a.printJSON(json.RawMessage(b))
			}
			for _, g := range tool.Groups() {
				a.printf("%s\n", a.bold(g[1]))
				for _, d := range tool.All() {
					if d.Group == g[0] {
						a.printf("  %-17s %s\n", d.Name, d.Description)
					}
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&markdown, "markdown", false, "as the reference page")
	return cmd
}

func (a *app) mcpCommand() *cobra.Command {
	var profile string
	cmd := &cobra.Command{
		Use: "mcp", Short: "Serve MCP on standard input and output", Args: noArgs,
		Example: "  claude mcp add chitta -- chitta mcp",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if a.getenv("CLAUDE_PROJECT_DIR") == "" {
				if _, err := workDir(); err != nil { // what it stores would end up elsewhere
					return &usageError{err.Error(), "start it in one that exists, or set CLAUDE_PROJECT_DIR"}
				}
			}
			client, err := a.connect("mcp")
			if err != nil {
				return err
			}
			return mcpserver.Run(cmd.Context(), client, profile, io.NopCloser(a.in), nopWriteCloser{a.out.to})
		},
	}
	cmd.Flags().StringVar(&profile, "profile", tool.ProfileDefault, "which tools to offer: default or full")
	a.completeWords(cmd, "profile", tool.Profiles())
	return cmd
}

type nopWriteCloser struct{ io.Writer }

func (nopWriteCloser) Close() error { return nil }
