package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"chitta/internal/codebase"
	"chitta/internal/mind"
)

func (a *app) codeCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "code", Short: "What the source code of projects says", Args: noArgs,
		Long: "What the source code of projects says: files, symbols, and what calls what.\n\n" +
			"A project is indexed once with: chitta code index. From then on it is kept current.",
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.codeIndexCommand(), a.codeStatsCommand(), a.codeClearCommand(), a.codeWorkerCommand(), a.codeSolverCommand())
	cmd.AddCommand(a.codeQuestions()...)
	return cmd
}

func (a *app) codeIndexCommand() *cobra.Command {
	return &cobra.Command{
		Use: "index [PATH]", Short: "Index the source code of a project", Args: atMostOne("a path"),
		Long: "Index the source code of the project that a path, or the directory of work, belongs to.\n\n" +
			"Only what changed since the last time is read. It may be interrupted; the daemon goes on by itself.",
		Example: "  chitta code index\n  chitta code index ~/src/project",
		RunE: func(cmd *cobra.Command, args []string) error {
			path, err := pathArgument(args)
			if err != nil {
				return err
			}
			out, raw, err := a.indexCode(cmd.Context(), path)
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(raw)
			}
			a.codeReport(out.Report)
			return nil
		},
	}
}

// atMostOne says that a command takes one argument or none.
func atMostOne(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > 1 {
			return &usageError{fmt.Sprintf("%s takes %s, or nothing", cmd.CommandPath(), what), "try: " + cmd.CommandPath() + " --help"}
		}
		return nil
	}
}

// pathArgument makes the one argument absolute: the daemon works elsewhere.
func pathArgument(args []string) (string, error) {
	if len(args) == 0 {
		return workDir()
	}
	return absolute(args[0])
}

// indexCode asks until the index is done.
func (a *app) indexCode(ctx context.Context, path string) (out mind.CodeIndexOutput, report json.RawMessage, err error) {
	var bar *progress
	defer func() {
		if bar != nil {
			bar.done()
		}
	}()
	in := mind.CodeIndexInput{Path: path}
	for {
		var raw json.RawMessage
		if out, raw, err = invoke[mind.CodeIndexOutput](ctx, a, "code_index", in); err != nil {
			return out, nil, err
		}
		if out.Done {
			var whole struct{ Report json.RawMessage }
			err := json.Unmarshal(raw, &whole)
			return out, whole.Report, err
		}
		if bar == nil || bar.what != out.Progress.Phase {
			if bar != nil {
				bar.done()
			}
			bar = a.progress(out.Progress.Phase)
		}
		bar.at(int64(out.Progress.Done), int64(out.Progress.Total))
		in = mind.CodeIndexInput{Job: out.Job}
	}
}

func (a *app) codeReport(r *codebase.Report) {
	a.printf("%s: %s, %s of source in %s\n", a.bold(codebase.Shown(r.Root)), plural(r.Files, "file", "files"), bytesText(r.Bytes), time.Duration(r.Seconds*float64(time.Second)).Round(time.Millisecond))
	const width = 12
	var langs []string
	for _, lang := range slices.Sorted(maps.Keys(r.Languages)) {
		langs = append(langs, fmt.Sprintf("%s %d", lang, r.Languages[lang]))
	}
	a.row(width, "languages", strings.Join(langs, ", "))
	a.row(width, "parsed", fmt.Sprintf("%d now, %d as before, %d gone", r.Parsed, r.Unchanged, r.Removed))
	a.row(width, "symbols", fmt.Sprint(r.Symbols))
	a.row(width, "calls", callsText(r.Calls.Edges, r.Calls.External, r.Calls.Unknown))
	if r.Errors.Files > 0 {
		a.row(width, "errors", fmt.Sprintf("%d places in %s fit no rule of their language; what stands beside them is indexed", r.Errors.Places, plural(r.Errors.Files, "file", "files")))
	}
	for _, reason := range slices.Sorted(maps.Keys(r.Left)) {
		l := r.Left[reason]
		text := fmt.Sprintf("%d %s: %s", l.Files, reason, codebase.ShownList(l.Examples))
		if l.Files > len(l.Examples) {
			text += ", …"
		}
		a.row(width, "left out", text)
	}
	for _, s := range r.Skipped {
		if s.Why != "" {
			a.row(width, "skipped", codebase.Shown(s.Path)+": "+s.Why)
		}
	}
	if r.Problem != "" {
		a.note("git could not be asked which files belong to the project: %s", r.Problem)
	}
}

func callsText(edges, external, unknown int) string {
	return fmt.Sprintf("%d resolved, %d of what is outside, %d not known", edges, external, unknown)
}

func (a *app) codeStatsCommand() *cobra.Command {
	var all bool
	cmd := &cobra.Command{
		Use: "stats [PATH]", Short: "Show what is known of a project's source code", Args: atMostOne("a path"),
		RunE: func(cmd *cobra.Command, args []string) error {
			in := mind.CodeStatsInput{All: all}
			if !all {
				path, err := pathArgument(args)
				if err != nil {
					return err
				}
				in.Path = path
			}
			return show(cmd, a, "code_stats", in, a.codeStats)
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "list all indexed projects")
	return cmd
}

func (a *app) codeStats(out mind.CodeStatsOutput) {
	if len(out.Projects) == 0 {
		a.printf("no project is indexed\n")
		return
	}
	const width = 12
	for _, p := range out.Projects {
		a.printf("%s\n", a.bold(codebase.Shown(p.Root)))
		a.row(width, "files", fmt.Sprint(p.Counts.Files))
		a.row(width, "symbols", fmt.Sprint(p.Counts.Symbols))
		a.row(width, "calls", callsText(p.Counts.Edges, p.Counts.External, p.Counts.Unknown))
		a.row(width, "by meaning", out.Meaning[p.Root].String())
		if p.Indexed.IsZero() {
			a.row(width, "indexed", "not to its end; go on with: chitta code index")
		} else {
			a.row(width, "indexed", p.Indexed.Local().Format(time.DateTime))
		}
		a.row(width, "changed", p.Changed.Local().Format(time.DateTime))
	}
	a.row(width, "watched", fmt.Sprintf("%s in %s", plural(out.Watch.Folders, "folder", "folders"), plural(out.Watch.Projects, "project", "projects")))
	a.row(width, "on disk", bytesText(out.Bytes))
}

func (a *app) codeClearCommand() *cobra.Command {
	return &cobra.Command{
		Use: "clear [PATH]", Short: "Erase the index of a project's source code", Args: atMostOne("a path"),
		RunE: func(cmd *cobra.Command, args []string) error {
			path, err := pathArgument(args)
			if err != nil {
				return err
			}
			return show(cmd, a, "code_clear", mind.CodeClearInput{Path: path}, func(out mind.CodeClearOutput) {
				a.printf("the index of %s is erased\n", out.Root)
			})
		},
	}
}

// codeWorkerCommand is what the daemon starts to have files parsed: a parser
// that crashes takes only that process with it.
func (a *app) codeWorkerCommand() *cobra.Command {
	return &cobra.Command{
		Use: "worker", Short: "Parse files for the daemon, which starts this", Args: noArgs, Hidden: true,
		RunE: func(*cobra.Command, []string) error {
			return codebase.Work(a.in, a.out.to) // frames, not text
		},
	}
}

// codeSolverCommand is what the daemon starts to find what calls what: the
// memory that takes goes back with it.
func (a *app) codeSolverCommand() *cobra.Command {
	return &cobra.Command{
		Use: "solver ROOT", Short: "Resolve a project for the daemon, which starts this", Args: cobra.ExactArgs(1), Hidden: true,
		RunE: func(_ *cobra.Command, args []string) error {
			return codebase.Solve(args[0], a.in, a.out.to)
		},
	}
}
