package cli

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"chitta/internal/daemon"
	"chitta/internal/hook"
)

// runHook answers an event of the client. It is not run through the commands:
// making them takes longer than a hook may.
func runHook(ctx context.Context, args []string, stdin io.Reader, stdout io.Writer) int {
	exe, _ := daemon.Executable()
	hook.Main(ctx, hook.Options{Args: args, Stdin: stdin, Stdout: stdout, Exe: exe})
	return exitOK
}

// hookCommand is for help, and for command lines with something before "hook".
func (a *app) hookCommand() *cobra.Command {
	return &cobra.Command{
		Use: "hook EVENT", Short: "Answer an event of the client, called by the client",
		Long: `Reads what the client says of an event from standard input, asks the daemon
once, and prints what is to be handed to the agent, if anything.

It always ends with success and within the time of the event, whatever happens.
Why nothing came of it is in logs/hook.log in the data directory and in
chitta doctor. docs/hooks.md says what happens at which event.`,
		Example:            `  echo '{"session_id":"s1","cwd":"/tmp","source":"startup"}' | chitta hook SessionStart`,
		Args:               cobra.ArbitraryArgs,
		FParseErrWhitelist: cobra.FParseErrWhitelist{UnknownFlags: true},
		RunE: func(cmd *cobra.Command, args []string) error {
			if a.home != "" {
				args = append(args, "--home", a.home)
			}
			if a.noStart {
				args = append(args, "--no-start")
			}
			for _, key := range sortedKeys(a.set) {
				args = append(args, "--set", key+"="+a.set[key])
			}
			runHook(cmd.Context(), args, a.in, a.out)
			return nil
		},
	}
}
