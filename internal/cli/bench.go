package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"chitta/internal/bench"
)

func (a *app) benchCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "bench", Short: "Measure speed and quality beside their targets", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	var sizes []int
	store := &cobra.Command{
		Use: "store", Short: "remember, get and recall on stores of growing size", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			bar := a.progress("filling the store")
			report, err := bench.Store(cmd.Context(), sizes, bar.at)
			bar.done()
			if err != nil {
				return err
			}
			return a.report(report)
		},
	}
	store.Flags().IntSliceVar(&sizes, "n", []int{1000, 10_000, 100_000}, "sizes, growing")
	var docs []int
	keyword := &cobra.Command{
		Use: "keyword", Short: "the keyword index: build rate, size, query time", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			bar := a.progress("indexing")
			report, err := bench.Keyword(cmd.Context(), docs, bar.at)
			bar.done()
			if err != nil {
				return err
			}
			return a.report(report)
		},
	}
	keyword.Flags().IntSliceVar(&docs, "n", []int{10_000, 100_000, 500_000}, "numbers of documents")
	cmd.AddCommand(store, keyword)
	return cmd
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
