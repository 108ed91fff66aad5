package cli

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"chitta/internal/bench"
)

func (a *app) benchCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "bench", Short: "Measure speed and quality beside their targets", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	cmd.AddCommand(
		a.sizedBench("store", "remember, get and recall on stores of growing size", []int{1000, 10_000, 100_000}, bench.Store),
		a.sizedBench("keyword", "the keyword index: build rate, size, query time", []int{10_000, 100_000, 500_000}, bench.Keyword),
		a.sizedBench("vector", "the vector index: how much of the true result it finds, query time, memory", []int{100_000}, bench.Vector),
		&cobra.Command{
			Use: "embed", Short: "the built-in embedding model: speed, load time, memory", Args: noArgs,
			RunE: func(cmd *cobra.Command, _ []string) error {
				report, err := bench.Embed(cmd.Context(), func(step string) { a.note("measuring %s", step) })
				if err != nil {
					return err
				}
				return a.report(report)
			},
		})
	return cmd
}

// sizedBench is a benchmark that runs at several sizes.
func (a *app) sizedBench(name, short string, sizes []int, run func(context.Context, []int, func(done, total int64)) (bench.Report, error)) *cobra.Command {
	cmd := &cobra.Command{
		Use: name, Short: short, Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := someOfEach(sizes); err != nil {
				return err
			}
			bar := a.progress(name)
			report, err := run(cmd.Context(), sizes, bar.at)
			bar.done()
			if err != nil {
				return err
			}
			return a.report(report)
		},
	}
	cmd.Flags().IntSliceVar(&sizes, "n", sizes, "sizes, growing")
	return cmd
}

// someOfEach refuses sizes that measure nothing.
func someOfEach(sizes []int) error {
	if len(sizes) == 0 || slices.Min(sizes) < 1 {
		return &usageError{"--n takes numbers from 1 on", "for example --n 1000,10000"}
	}
	return nil
}

// report prints figures beside their targets.
func (a *app) report(r bench.Report) error {
	if a.json {
		return a.printJSON(r)
	}
	for i, g := range r.Groups {
		if i > 0 {
			a.printf("\n")
		}
		a.printf("%s: %s\n", r.Set, a.bold(g.Name))
		rows := [][]string{{"figure", ">value", "", "target", ""}}
		for _, f := range g.Figures {
			target, verdict := "", ""
			if f.Met != nil {
				sign := "≥"
				if f.AtMost {
					sign = "≤"
				}
				target = fmt.Sprintf("%s %g", sign, f.Target)
				if verdict = "met"; !*f.Met {
					verdict = "missed"
				}
			}
			rows = append(rows, []string{f.Name, fmt.Sprintf("%.3g", f.Value), f.Unit, target, verdict})
		}
		a.table(rows)
	}
	return nil
}
