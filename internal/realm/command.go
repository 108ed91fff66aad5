package realm

import (
	"context"
	"os"
	"os/exec"
)

// Command prepares a git process in a directory that only reads, for others
// that ask git. Programs that a repository's configuration names are not run:
// whose repository it is, is not known.
func Command(ctx context.Context, dir string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", append([]string{"--no-replace-objects", "-c", "core.fsmonitor=false"}, args...)...)
	cmd.Dir = dir
	cmd.Env = gitEnv(os.Environ())
	cmd.WaitDelay = pipeGrace
	return cmd
}
