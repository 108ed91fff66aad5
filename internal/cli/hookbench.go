package cli

import (
	"slices"
	"time"

	"github.com/spf13/cobra"

	"chitta/internal/bench"
	"chitta/internal/daemon"
)

func (a *app) hooksBench() *cobra.Command {
	sizes := []int{0, 10_000, 100_000}
	var (
		runs, sessions, seconds int
		load                    bool
		pause                   time.Duration
	)
	cmd := &cobra.Command{
		Use: "hooks", Short: "hooks as processes, beside a program that only prints; with --load many sessions at once", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if len(sizes) == 0 || slices.Min(sizes) < 0 || runs < 1 || sessions < 1 || seconds < 1 || pause < 0 {
				return &usageError{"there is nothing to measure", "use numbers from 1 on, for --n from 0 on"}
			}
			exe, _ := daemon.Executable()
			bar := a.progress("hooks")
			var report bench.Report
			var err error
			if load {
				report, err = bench.HooksLoad(cmd.Context(), bench.HooksLoadOptions{Exe: exe, Sessions: sessions, For: time.Duration(seconds) * time.Second, Pause: pause}, bar.at)
			} else {
				report, err = bench.Hooks(cmd.Context(), bench.HooksOptions{Exe: exe, Sizes: sizes, Runs: runs}, bar.at)
			}
			bar.done()
			if err != nil {
				return err
			}
			return a.report(report)
		},
	}
	flags := cmd.Flags()
	flags.IntSliceVar(&sizes, "n", sizes, "turns stored, growing")
	flags.IntVar(&runs, "runs", 200, "runs of each event")
	flags.BoolVar(&load, "load", false, "many sessions at once instead")
	flags.IntVar(&sessions, "sessions", 20, "with --load: how many sessions")
	flags.IntVar(&seconds, "seconds", 60, "with --load: for how long")
	flags.DurationVar(&pause, "pause", 200*time.Millisecond, "with --load: mean time between two hooks of a session")
	return cmd
}
