// Command chitta is long-term memory for coding agents: daemon, hooks, MCP
// server and command line in one binary.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"chitta/internal/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(cli.Run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
