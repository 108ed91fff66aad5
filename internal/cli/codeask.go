package cli

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"chitta/internal/codebase"
	"chitta/internal/mind"
)

// Questions about source code: lines are `path:line  kind  signature`, so that
// an editor or a click in a terminal goes there.

func (a *app) codeQuestions() []*cobra.Command {
	return []*cobra.Command{
		a.codeFindCommand(), a.codeSearchCommand(), a.codeReadCommand(), a.codeCallersCommand(), a.codeCalleesCommand(), a.codePathCommand(),
		a.codeTypesCommand(), a.codeImportsCommand(), a.codeDependentsCommand(), a.codeOverviewCommand(), a.codeMapCommand(),
		a.codeUnusedCommand(), a.codeDescribeCommand(),
	}
}

// projectFlag says which project is meant.
func projectFlag(f *pflag.FlagSet, to *string) {
	f.StringVar(to, "project", "", "a folder of the project (default: that of the directory of work)")
}

// placedProject makes the path of a project absolute: the daemon works elsewhere.
func placedProject(path *string) (err error) {
	if *path != "" {
		*path, err = absolute(*path)
	}
	return err
}

// named says that a command takes so many arguments, and what they are.
func named(what string, n int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != n {
			return &usageError{fmt.Sprintf("%s takes %s", cmd.CommandPath(), what), "try: " + cmd.CommandPath() + " --help"}
		}
		return nil
	}
}

const aSymbol = "a symbol: its name, path (Server.Listen), place (server.go:12) or id"

// symbolRow prints a symbol in one line.
func (a *app) symbolRow(indent string, s *codebase.Symbol, more string) {
	if more != "" {
		more = "  " + more
	}
	if s.Kind == codebase.KindFile {
		a.printf("%s%s  %s%s\n", indent, a.bold(fmt.Sprintf("%s:%d", codebase.Shown(s.File), s.Line)), a.dim("the file's own code"), a.dim(more))
		return
	}
	a.printf("%s%s  %s  %s%s\n", indent, a.bold(fmt.Sprintf("%s:%d", codebase.Shown(s.File), s.Line)), a.dim(s.Kind), signatureText(s), a.dim(more))
	for _, n := range s.Notes {
		a.printf("%s    %s %s\n", indent, a.dim("note "+n.ID), n.Text)
	}
}

// signatureText is a signature cut to a line.
func signatureText(s *codebase.Symbol) string {
	const most = 120
	text := cmp.Or(s.Signature, s.Path)
	switch {
	case text == s.Name:
		text = s.Path
	case s.Kind == codebase.KindLambda:
		text = s.Path + ": " + text
	}
	if r := []rune(text); len(r) > most {
		text = string(r[:most]) + "…"
	}
	return codebase.Shown(text)
}

// several lists what a name fits; it reports whether there was anything.
func (a *app) several(list []codebase.Symbol) bool {
	for i := range list {
		a.symbolRow("", &list[i], codebase.Shown(list[i].Path)+"  "+list[i].ID)
	}
	if len(list) > 0 {
		a.note("%s fit; name one by its path, file:line or id", plural(len(list), "symbol", "symbols"))
	}
	return len(list) > 0
}

func (a *app) matches(out mind.CodeSymbolsOutput) {
	for _, d := range out.Degraded {
		a.note("not all could take part: %s", d)
	}
	for i := range out.Symbols {
		m := &out.Symbols[i]
		more := ""
		if m.How == codebase.FoundPrefix || m.How == codebase.FoundFuzzy {
			more = m.How
		}
		a.symbolRow("", &m.Symbol, more)
	}
	if len(out.Symbols) == 0 {
		a.note("no symbol fits in %s", out.Project)
	}
}

func (a *app) codeFindCommand() *cobra.Command {
	var in mind.CodeFindInput
	cmd := &cobra.Command{
		Use: "find NAME", Short: "Find symbols by name", Args: named("a name, or the end of a path", 1),
		Long: "Find symbols by name: those that have it, then those whose names begin so, then\n" +
			"those spelt alike (letters that differ, initials as in gun for getUserName).",
		Example: "  chitta code find Listen\n  chitta code find Server.Listen\n  chitta code find gun --kind function",
		RunE: func(cmd *cobra.Command, args []string) error {
			in.Name = args[0]
			if err := placedProject(&in.Project); err != nil {
				return err
			}
			return show(cmd, a, "code_find", in, a.matches)
		},
	}
	findFlags(cmd.Flags(), &in.Kinds, &in.Langs, &in.Limit, &in.Project)
	return cmd
}

func findFlags(f *pflag.FlagSet, kinds, langs *[]string, limit *int, project *string) {
	f.StringSliceVarP(kinds, "kind", "k", nil, "only these kinds: function, method, class, struct, interface, …")
	f.StringSliceVar(langs, "lang", nil, "only these languages: go, python, typescript, …")
	f.IntVarP(limit, "limit", "n", 0, "most results (default 20)")
	projectFlag(f, project)
}

func (a *app) codeSearchCommand() *cobra.Command {
	var in mind.CodeSearchInput
	cmd := &cobra.Command{
		Use: "search WORDS", Short: "Find symbols by what they are about",
		Long: "Find symbols by what they are about: by the words of names, signatures and\n" +
			"comments, and by meaning, for which symbols are embedded in the background.",
		Example: "  chitta code search \"parse the config file\"",
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if in.Query, err = a.text(args, "query"); err != nil {
				return err
			}
			if err := placedProject(&in.Project); err != nil {
				return err
			}
			return show(cmd, a, "code_search", in, a.matches)
		},
	}
	findFlags(cmd.Flags(), &in.Kinds, &in.Langs, &in.Limit, &in.Project)
	return cmd
}

func (a *app) codeReadCommand() *cobra.Command {
	var in mind.CodeReadInput
	cmd := &cobra.Command{
		Use: "read SYMBOL", Short: "Show the source of a symbol as its file is now", Args: named(aSymbol, 1),
		Example: "  chitta code read Server.Listen\n  chitta code read internal/rpc/server.go:40",
		RunE: func(cmd *cobra.Command, args []string) error {
			in.Symbol = args[0]
			if err := placedProject(&in.Project); err != nil {
				return err
			}
			return show(cmd, a, "code_read", in, func(out mind.CodeReadOutput) {
				if a.several(out.Several) {
					return
				}
				s := out.Source
				a.symbolRow("", &s.Symbol, s.Symbol.ID)
				width := len(fmt.Sprint(s.From + len(s.Lines)))
				for i, line := range s.Lines {
					a.printf("%s  %s\n", a.dim(fmt.Sprintf("%*d", width, s.From+i)), line)
				}
				if s.Left > 0 {
					a.note("%s left out; see more with --lines", plural(s.Left, "line is", "lines are"))
				}
			})
		},
	}
	cmd.Flags().IntVar(&in.Lines, "lines", 0, "most lines (default 300)")
	projectFlag(cmd.Flags(), &in.Project)
	return cmd
}

func (a *app) codeCallersCommand() *cobra.Command {
	return a.callsCommand("callers", "Who calls a symbol", "nothing is known to call it", "may also call it (unresolved):")
}

func (a *app) codeCalleesCommand() *cobra.Command {
	return a.callsCommand("callees", "What a symbol calls", "it is not known to call anything of the project", "calls without a target in the project:")
}

func (a *app) callsCommand(use, short, none, loosely string) *cobra.Command {
	var in mind.CodeCallsInput
	cmd := &cobra.Command{
		Use: use + " SYMBOL", Short: short, Args: named(aSymbol, 1),
		Long: short + ", each with where the call stands, by which rule its target was found and\n" +
			"how sure that is. Calls whose target is not known are listed apart.",
		Example: fmt.Sprintf("  chitta code %s Server.Listen\n  chitta code %s Listen --depth 3", use, use),
		RunE: func(cmd *cobra.Command, args []string) error {
			in.Symbol = args[0]
			if err := placedProject(&in.Project); err != nil {
				return err
			}
			return show(cmd, a, "code_"+use, in, func(out mind.CodeCallsOutput) { a.calls(out, none, loosely) })
		},
	}
	cmd.Flags().IntVar(&in.Depth, "depth", 0, "how many steps to follow, up to 10 (default 1)")
	cmd.Flags().IntVarP(&in.Limit, "limit", "n", 0, "most results (default 50)")
	projectFlag(cmd.Flags(), &in.Project)
	return cmd
}

func (a *app) calls(out mind.CodeCallsOutput, none, loosely string) {
	if a.several(out.Several) {
		return
	}
	a.symbolRow("", out.Symbol, "")
	for i := range out.Calls {
		a.callRow(&out.Calls[i])
	}
	if len(out.Calls) == 0 {
		a.note("%s", none)
	}
	if len(out.Loose) > 0 {
		a.printf("%s\n", a.yellow(loosely))
	}
	for _, l := range out.Loose {
		more := ""
		if l.From != "" {
			more = "in " + codebase.Shown(l.From)
		}
		if l.External {
			more = strings.TrimSpace(more + ", outside of the project")
		}
		a.printf("  %s:%d  %s  %s\n", codebase.Shown(l.File), l.Line, codebase.Shown(l.Name), a.dim(more))
	}
	if out.Found > len(out.Calls) {
		a.note("%d of %d shown; see more with --limit", len(out.Calls), out.Found)
	}
	if out.Cut {
		a.note("there are more than were followed")
	}
}

// callRow prints one end of a call: the symbol, and where and how it is called.
func (a *app) callRow(c *codebase.Call) {
	const mostLines = 5
	var lines []string
	for _, n := range c.Lines[:min(len(c.Lines), mostLines)] {
		lines = append(lines, fmt.Sprint(n))
	}
	if len(c.Lines) > mostLines {
		lines = append(lines, "…")
	}
	a.symbolRow(strings.Repeat("  ", c.Depth), &c.Symbol, fmt.Sprintf("%s:%s  %s %.2f", codebase.Shown(c.File), strings.Join(lines, ","), c.Rule, c.Confidence))
}

func (a *app) codePathCommand() *cobra.Command {
	var in mind.CodePathInput
	cmd := &cobra.Command{
		Use: "path FROM TO", Short: "The shortest way along calls between two symbols", Args: named("two symbols", 2),
		Example: "  chitta code path main Server.Listen",
		RunE: func(cmd *cobra.Command, args []string) error {
			in.From, in.To = args[0], args[1]
			if err := placedProject(&in.Project); err != nil {
				return err
			}
			return show(cmd, a, "code_path", in, func(out mind.CodePathOutput) {
				if a.several(out.Several) {
					return
				}
				p := out.Path
				a.symbolRow("", &p.From, "")
				for i := range p.Steps {
					a.callRow(&p.Steps[i])
				}
				if len(p.Steps) == 0 && p.From.ID != p.To.ID {
					a.note("no way along calls leads from %s to %s", p.From.Path, p.To.Path)
				}
			})
		},
	}
	projectFlag(cmd.Flags(), &in.Project)
	return cmd
}

func (a *app) codeDescribeCommand() *cobra.Command {
	var in mind.CodeDescribeInput
	cmd := &cobra.Command{
		Use: "describe SYMBOL TEXT", Short: "Keep a note with a symbol", Args: func(cmd *cobra.Command, args []string) error {
			if len(args) < 2 {
				return &usageError{cmd.CommandPath() + " takes a symbol and a text", "try: " + cmd.CommandPath() + " --help"}
			}
			return nil
		},
		Long: "Keep a note with a symbol. It is a memory: recall finds it, it is shown with the\n" +
			"symbol, and it stays when the project is indexed again.",
		Example: "  chitta code describe Server.Listen \"holds the lock while it waits\"",
		RunE: func(cmd *cobra.Command, args []string) error {
			in.Symbol, in.Text = args[0], strings.Join(args[1:], " ")
			if err := placedProject(&in.Project); err != nil {
				return err
			}
			return show(cmd, a, "code_describe", in, func(out mind.CodeDescribeOutput) {
				if a.several(out.Several) {
					return
				}
				a.symbolRow("", out.Symbol, "")
				a.note("%s as %s", out.Memory.Action, out.Memory.ID)
			})
		},
	}
	projectFlag(cmd.Flags(), &in.Project)
	return cmd
}
