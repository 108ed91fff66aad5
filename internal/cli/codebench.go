package cli

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"chitta/internal/bench/callgraph"
)

func (a *app) codeBench() *cobra.Command {
	var (
		data, format string
		differ       bool
	)
	cmd := &cobra.Command{
		Use: "code --data DIR", Short: "how many calls of programs are found, and how many of those found are right", Args: noArgs,
		Example: `  chitta bench code --data programs                  # folders with edges.json
  chitta bench code --data snippets --format pycg    # folders with callgraph.json`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if data == "" {
				return &usageError{"--data is missing", "name a folder of programs, each with an edges.json, or with a callgraph.json and --format pycg or swarm"}
			}
			if !slices.Contains(callgraph.Formats(), callgraph.Format(format)) {
				return &usageError{fmt.Sprintf("%q is no format", format), "use pycg, swarm or edges"}
			}
			bar := a.progress("resolving")
			report, err := callgraph.Run(cmd.Context(), data, callgraph.Format(format), bar.at)
			bar.done()
			if err != nil {
				return err
			}
			if !differ {
				report.Missed, report.Wrong = nil, nil
			}
			if a.json {
				return a.printJSON(report)
			}
			a.codeTables(report)
			return nil
		},
	}
	cmd.Flags().StringVar(&data, "data", "", "folder of programs with the calls that they make")
	cmd.Flags().StringVar(&format, "format", string(callgraph.Edges), "how the calls are written down: pycg, swarm or edges")
	cmd.Flags().BoolVar(&differ, "differences", false, "list the calls that were missed and those that are wrong")
	return cmd
}

func (a *app) codeTables(r callgraph.Report) {
	a.printf("%d programs, %d calls: precision %.3f, recall %.3f, F1 %.3f\n\n", r.Programs, r.Expected, r.Metrics.Precision, r.Metrics.Recall, r.Metrics.F1)
	rows := [][]string{{"category", ">precision", ">recall", ">F1", ">calls", ">found", ">right"}}
	for _, name := range sortedKeys(r.Categories) {
		s := r.Categories[name]
		rows = append(rows, []string{name, fmt.Sprintf("%.3f", s.Precision), fmt.Sprintf("%.3f", s.Recall), fmt.Sprintf("%.3f", s.F1),
			fmt.Sprint(s.Expected), fmt.Sprint(s.Found), fmt.Sprint(s.Right)})
	}
	a.table(rows)
	a.printf("\n")
	rows = [][]string{{"rule", ">precision", ">edges"}}
	for _, name := range sortedKeys(r.Rules) {
		rows = append(rows, []string{name, fmt.Sprintf("%.3f", r.Rules[name].Precision), fmt.Sprint(r.Rules[name].Edges)})
	}
	a.table(rows)
	for _, e := range r.Missed {
		a.printf("missed  %s → %s\n", e.Caller, e.Callee)
	}
	for _, e := range r.Wrong {
		a.printf("wrong   %s → %s (%s)\n", e.Caller, e.Callee, e.Rule)
	}
}
