package cli

import (
	"context"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"chitta/internal/bench"
	"chitta/internal/bench/ranking"
)

func (a *app) benchCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "bench", Short: "Measure speed and quality beside their targets", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	cmd.AddCommand(
		a.sizedBench("store", "remember, get and recall on stores of growing size", []int{1000, 10_000, 100_000}, bench.Store),
		a.sizedBench("keyword", "the keyword index: build rate, size, query time", []int{10_000, 100_000, 500_000}, bench.Keyword),
		a.vectorBench(),
		a.sizedBench("recall", "recall from end to end: time by stage, cold start, growth", []int{10_000, 100_000}, bench.Recall),
		a.sizedBench("graph", "the knowledge graph: storing, loading, patterns, activation, paths", []int{10_000, 100_000, 1_000_000}, bench.Graph),
		a.locomoBench(), a.scifactBench(), a.turnsBench(), a.sessionsBench(), a.ingestBench(), a.hooksBench(), a.codeBench(), a.codeIndexBench(),
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

func (a *app) vectorBench() *cobra.Command {
	var texts string
	cmd := a.sizedBench("vector", "the vector index: how much of the true result it finds, query time, memory", []int{100_000},
		func(ctx context.Context, sizes []int, progress func(done, total int64)) (bench.Report, error) {
			return bench.Vector(ctx, sizes, texts, progress)
		})
	cmd.Flags().StringVar(&texts, "texts", "", "file or directory of texts to embed; without it the vectors are made up")
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

func (a *app) locomoBench() *cobra.Command {
	var data string
	cmd := &cobra.Command{
		Use: "locomo --data FILE", Short: "how well recall finds turns of long conversations", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.rankingBench(data, "the JSON file of LoCoMo", func(progress func(done, total int64)) (ranking.Report, error) {
				return bench.LoCoMo(cmd.Context(), data, progress)
			})
		},
	}
	cmd.Flags().StringVar(&data, "data", "", "LoCoMo's JSON file")
	return cmd
}

func (a *app) scifactBench() *cobra.Command {
	var data string
	cmd := &cobra.Command{
		Use: "scifact --data DIR", Short: "how well recall finds documents", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.rankingBench(data, "the directory with SciFact's CSV files", func(progress func(done, total int64)) (ranking.Report, error) {
				return bench.SciFact(cmd.Context(), data, progress)
			})
		},
	}
	cmd.Flags().StringVar(&data, "data", "", "directory with corpus_train.csv and claims_validation.csv")
	return cmd
}

func (a *app) turnsBench() *cobra.Command {
	var data, queries string
	cmd := &cobra.Command{
		Use: "turns --data FILE --queries FILE", Short: "how well recall finds turns of any conversations", Args: noArgs,
		Example: `  chitta bench turns --data chat.turns.jsonl --queries chat.queries.jsonl
  chitta bench turns --data DIR     # pairs NAME.turns.jsonl and NAME.queries.jsonl`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if fi, err := os.Stat(data); err == nil && fi.IsDir() == (queries != "") {
				return &usageError{"--queries belongs to a file of turns, not to a directory of pairs", "try: chitta bench turns --help"}
			}
			return a.rankingBench(data, "a file of turns, or a directory of pairs", func(progress func(done, total int64)) (ranking.Report, error) {
				return bench.Turns(cmd.Context(), data, queries, progress)
			})
		},
	}
	cmd.Flags().StringVar(&data, "data", "", "file of turns, or directory of pairs NAME.turns.jsonl and NAME.queries.jsonl")
	cmd.Flags().StringVar(&queries, "queries", "", "file of queries")
	return cmd
}

func (a *app) sessionsBench() *cobra.Command {
	var data string
	cmd := &cobra.Command{
		Use: "sessions --data DIR", Short: "how well sessions of work are found, by commit and by file", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if data == "" {
				return &usageError{"--data is missing", "name the directory with claude/, commit-queries.tsv, commit-qrels.tsv and files-touched.tsv"}
			}
			bar := a.progress("measuring")
			report, err := bench.Sessions(cmd.Context(), data, bar.at)
			bar.done()
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(report)
			}
			a.rankingTables(report.Report)
			a.printf("blame: %d files, %.1f %% of %d pairs of file and session found\n", report.Blame.Files, report.Blame.Recall, report.Blame.Pairs)
			a.printf("files: %d questions, %d name something known; session MRR %.2f without the graph, %.2f with it\n", report.Files.Questions, report.Files.Named, report.Files.Without, report.Files.With)
			return nil
		},
	}
	cmd.Flags().StringVar(&data, "data", "", "directory with transcripts, commits and touched files")
	return cmd
}

func (a *app) ingestBench() *cobra.Command {
	var data string
	cmd := &cobra.Command{
		Use: "ingest --data DIR", Short: "taking over transcripts: rate, size, memory, search", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if data == "" {
				return &usageError{"--data is missing", "name a directory of transcripts"}
			}
			bar := a.progress("importing")
			report, err := bench.Ingest(cmd.Context(), data, bar.at)
			bar.done()
			if err != nil {
				return err
			}
			return a.report(report)
		},
	}
	cmd.Flags().StringVar(&data, "data", "", "directory of transcripts")
	return cmd
}

// rankingBench runs a benchmark of retrieval and prints its report.
func (a *app) rankingBench(data, what string, run func(progress func(done, total int64)) (ranking.Report, error)) error {
	if data == "" {
		return &usageError{"--data is missing", "name " + what}
	}
	bar := a.progress("measuring")
	report, err := run(bar.at)
	bar.done()
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(report)
	}
	a.rankingTables(report)
	return nil
}

func (a *app) rankingTables(report ranking.Report) {
	a.printf("%s\n", report.Summary())
	for _, t := range report.Tables() {
		a.printf("\n%s\n", a.bold(t.Title))
		a.table(t.Rows)
	}
	a.printf("\n%s\n", report.LatencyMs)
}
