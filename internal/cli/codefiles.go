package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"chitta/internal/codebase"
	"chitta/internal/mind"
)

func (a *app) codeTypesCommand() *cobra.Command {
	var in mind.CodeTypesInput
	cmd := &cobra.Command{
		Use: "types TYPE", Short: "What a type takes from, and which types take from it", Args: named(aSymbol, 1),
		Example: "  chitta code types Target",
		RunE: func(cmd *cobra.Command, args []string) error {
			in.Symbol = args[0]
			if err := placedProject(&in.Project); err != nil {
				return err
			}
			return show(cmd, a, "code_types", in, func(out mind.CodeTypesOutput) {
				if a.several(out.Several) {
					return
				}
				h := out.Hierarchy
				a.symbolRow("", &h.Type, "")
				a.typeLinks("takes from", h.Up)
				a.typeLinks("taken from by", h.Down)
			})
		},
	}
	cmd.Flags().IntVar(&in.Depth, "depth", 0, "how many steps to follow, up to 10 (default 10)")
	projectFlag(cmd.Flags(), &in.Project)
	return cmd
}

func (a *app) typeLinks(head string, links []codebase.TypeLink) {
	if len(links) == 0 {
		a.printf("%s nothing known\n", a.dim(head))
		return
	}
	a.printf("%s\n", a.dim(head))
	for _, l := range links {
		indent := strings.Repeat("  ", l.Depth)
		if l.Symbol == nil {
			a.printf("%s%s  %s\n", indent, l.Text, a.dim(l.How+", outside of the project"))
			continue
		}
		a.symbolRow(indent, l.Symbol, l.How)
	}
}

func fileFlags(cmd *cobra.Command, in *mind.CodeFileInput) {
	cmd.Flags().IntVar(&in.Depth, "depth", 0, "how many steps to follow, up to 10 (default 1)")
	projectFlag(cmd.Flags(), &in.Project)
}

func (a *app) codeImportsCommand() *cobra.Command {
	var in mind.CodeFileInput
	cmd := &cobra.Command{
		Use: "imports FILE", Short: "What a file imports", Args: named("a file", 1),
		Example: "  chitta code imports internal/rpc/server.go --depth 2",
		RunE: func(cmd *cobra.Command, args []string) error {
			in.File = args[0]
			if err := placedProject(&in.Project); err != nil {
				return err
			}
			return show(cmd, a, "code_imports", in, func(out mind.CodeImportsOutput) {
				a.printf("%s\n", a.bold(codebase.Shown(out.File)))
				for _, l := range out.Imports {
					a.importRow(&l)
				}
				if len(out.Imports) == 0 {
					a.note("it imports nothing")
				}
			})
		},
	}
	fileFlags(cmd, &in)
	return cmd
}

func (a *app) importRow(l *codebase.ImportLine) {
	const most = 3
	text := l.Module
	if len(l.Names) > 0 {
		text += " (" + strings.Join(l.Names, ", ") + ")"
	}
	more := "not found"
	switch {
	case len(l.Files) > most:
		more = fmt.Sprintf("%s and %d more", codebase.ShownList(l.Files[:most]), len(l.Files)-most)
	case len(l.Files) > 0:
		more = codebase.ShownList(l.Files)
	case l.External != "":
		more = "outside of the project"
	}
	if l.From != "" {
		more += "  from " + codebase.Shown(l.From)
	}
	a.printf("%s%s  %s\n", strings.Repeat("  ", l.Depth), text, a.dim(more))
}

func (a *app) codeDependentsCommand() *cobra.Command {
	var in mind.CodeFileInput
	cmd := &cobra.Command{
		Use: "dependents FILE", Short: "Which files import a file or call what stands in it", Args: named("a file", 1),
		Example: "  chitta code dependents internal/rpc/frame.go --depth 3",
		RunE: func(cmd *cobra.Command, args []string) error {
			in.File = args[0]
			if err := placedProject(&in.Project); err != nil {
				return err
			}
			return show(cmd, a, "code_dependents", in, func(out mind.CodeDependentsOutput) {
				a.printf("%s\n", a.bold(codebase.Shown(out.File)))
				for _, d := range out.Dependents {
					place, more := codebase.Shown(d.File), d.How
					if d.Line > 0 {
						place += fmt.Sprintf(":%d", d.Line)
					}
					if d.Calls > 0 {
						more += fmt.Sprintf(" (%s)", plural(d.Calls, "call", "calls"))
					}
					if d.Via != "" {
						more += " of " + codebase.Shown(d.Via)
					}
					a.printf("%s%s  %s\n", strings.Repeat("  ", d.Depth), place, a.dim(more))
				}
				if len(out.Dependents) == 0 {
					a.note("no file is known to depend on it")
				}
			})
		},
	}
	fileFlags(cmd, &in)
	return cmd
}

func (a *app) codeOverviewCommand() *cobra.Command {
	var in mind.CodeOverviewInput
	cmd := &cobra.Command{
		Use: "overview", Short: "What a project is made of", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := placedProject(&in.Project); err != nil {
				return err
			}
			return show(cmd, a, "code_overview", in, a.codeOverview)
		},
	}
	projectFlag(cmd.Flags(), &in.Project)
	return cmd
}

func (a *app) codeOverview(out codebase.Overview) {
	a.printf("%s: %s, %s of source, %s\n", a.bold(out.Root), plural(out.Files, "file", "files"), bytesText(out.Bytes), plural(out.Symbols, "symbol", "symbols"))
	a.printf("%s\n", a.dim("languages"))
	for _, l := range out.Languages {
		a.printf("  %s  %s\n", l.Lang, a.dim(fmt.Sprintf("%s, %s, %s", plural(l.Files, "file", "files"), bytesText(l.Bytes), plural(l.Symbols, "symbol", "symbols"))))
	}
	a.printf("%s\n", a.dim("largest folders"))
	for _, m := range out.Modules {
		a.printf("  %s  %s\n", codebase.Shown(m.Path), a.dim(fmt.Sprintf("%s, %s", plural(m.Files, "file", "files"), plural(m.Symbols, "symbol", "symbols"))))
	}
	if len(out.Entries) > 0 {
		a.printf("%s\n", a.dim("programs begin at"))
	}
	for i := range out.Entries {
		a.symbolRow("  ", &out.Entries[i], "")
	}
	for _, x := range []struct {
		head, one, many string
		list            []codebase.RankedUse
	}{{"most called", "call", "calls", out.Called}, {"largest functions", "line", "lines", out.Largest}} {
		if len(x.list) > 0 {
			a.printf("%s\n", a.dim(x.head))
		}
		for i := range x.list {
			a.symbolRow("  ", &x.list[i].Symbol, plural(x.list[i].Count, x.one, x.many))
		}
	}
	a.printf("%s\n", a.dim("largest files"))
	for _, f := range out.Big {
		a.printf("  %s  %s\n", codebase.Shown(f.File), a.dim(fmt.Sprintf("%s, %s", plural(f.Lines, "line", "lines"), plural(f.Symbols, "symbol", "symbols"))))
	}
}

func (a *app) codeMapCommand() *cobra.Command {
	var in mind.CodeMapInput
	cmd := &cobra.Command{
		Use: "map [FILE…]", Short: "The most important signatures of a project, as seen from some files",
		Long: "The most important signatures of a project within a number of tokens, as seen\n" +
			"from some files: what they call, and what that calls, comes first. Without files\n" +
			"those of the session, or those that changed last.",
		Example: "  chitta code map\n  chitta code map internal/rpc/server.go --budget 2000",
		RunE: func(cmd *cobra.Command, args []string) error {
			in.Files = args
			if err := placedProject(&in.Project); err != nil {
				return err
			}
			return show(cmd, a, "code_map", in, func(out mind.CodeMapOutput) {
				for _, f := range out.Files {
					a.printf("%s\n", a.bold(codebase.Shown(f.File)))
					for i := range f.Symbols {
						a.printf("  %s %s\n", a.dim(fmt.Sprintf("%4d", f.Symbols[i].Line)), signatureText(&f.Symbols[i]))
					}
					if f.Left > 0 {
						a.printf("       %s\n", a.dim(fmt.Sprintf("… %d more", f.Left)))
					}
				}
				a.note("about %s, as seen from %s", plural(out.Tokens, "token", "tokens"), codebase.ShownList(out.Seeds))
				if out.Left > 0 {
					a.note("%s not fit; see more with --budget", plural(out.Left, "file does", "files do"))
				}
			})
		},
	}
	cmd.Flags().IntVar(&in.Budget, "budget", 0, "most tokens, estimated (default 1000)")
	projectFlag(cmd.Flags(), &in.Project)
	return cmd
}

func (a *app) codeUnusedCommand() *cobra.Command {
	var in mind.CodeUnusedInput
	cmd := &cobra.Command{
		Use: "unused", Short: "Functions that nothing in the project seems to use", Args: noArgs,
		Long: "Functions and methods that no call reaches, whose name no unresolved call has and\n" +
			"no expression mentions. Tests, entry points and what has a decorator are left out.\n" +
			"Use that is not written as a name is not seen.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := placedProject(&in.Project); err != nil {
				return err
			}
			return show(cmd, a, "code_unused", in, func(out mind.CodeUnusedOutput) {
				for i := range out.Symbols {
					a.symbolRow("", &out.Symbols[i], "")
				}
				a.note("%s; use that is not written as a name (reflection, names put together, templates, other projects) is not seen",
					plural(out.Found, "symbol seems unused", "symbols seem unused"))
			})
		},
	}
	cmd.Flags().BoolVar(&in.Exported, "exported", false, "also what other files or packages could use")
	cmd.Flags().IntVarP(&in.Limit, "limit", "n", 0, "most results (default 50)")
	projectFlag(cmd.Flags(), &in.Project)
	return cmd
}
