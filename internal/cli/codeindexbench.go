package cli

import (
	"github.com/spf13/cobra"

	"chitta/internal/bench"
)

func (a *app) codeIndexBench() *cobra.Command {
	var dirs []string
	cmd := &cobra.Command{
		Use: "code-index", Short: "the index of source code: parsing beside plain C, the whole, memory, questions, saving", Args: noArgs,
		Long: "The index of source code: parsing beside plain C, the whole beside parsing, memory, questions, saving a file.\n\n" +
			"Without --data it measures on the project of the directory of work, and on Go's standard library where Go is installed.",
		Example: "  chitta bench code-index\n  chitta bench code-index --data ~/src/project --data ~/src/another --json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			bar := a.progress("")
			report, err := bench.CodeIndex(cmd.Context(), bench.CodeIndexOptions{
				Dirs: dirs,
				Note: func(text string) { a.note("%s", text) },
				Progress: func(step string, done, total int64) {
					if bar.what != step {
						bar.done()
						bar = a.progress(step)
					}
					bar.at(done, total)
				},
			})
			bar.done()
			if err != nil {
				return err
			}
			return a.report(report)
		},
	}
	cmd.Flags().StringArrayVar(&dirs, "data", nil, "folder of a project; may be given more than once")
	return cmd
}
