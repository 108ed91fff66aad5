package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"chitta/internal/mind"
)

func (a *app) graphPathsCommand() *cobra.Command {
	var in mind.GraphPathsInput
	cmd := &cobra.Command{
		Use: "paths FROM TO", Short: "Show how two concepts hang together", Args: exactly(2, "the names of two concepts"),
		Example: "  chitta graph paths cli.direct nc.subshell",
		RunE: func(cmd *cobra.Command, args []string) error {
			in.Concept, in.To = args[0], args[1]
			return show(cmd, a, "graph_paths", in, func(out mind.GraphPathsOutput) {
				for _, p := range out.Paths {
					a.printf("%s  %s\n", chain(out.From, p.Facts), a.dim(fmt.Sprintf("confidence %.2f", p.Confidence)))
				}
				if len(out.Paths) == 0 {
					a.note("no way from %s to %s; --hops goes further (at most 8)", out.From, out.To)
				}
				if out.Cut {
					a.note("the search was ended early; there may be others")
				}
			})
		},
	}
	f := cmd.Flags()
	f.IntVar(&in.Hops, "hops", 0, "most facts on a way (default 4)")
	seeFlags(f, &in.Realm, &in.AsOf, &in.Limit)
	f.Lookup("limit").Usage = "most ways to show (default 5)"
	return cmd
}

// chain writes a way as notation: each fact points the way it is meant.
func chain(from string, facts []mind.FactView) string {
	s := from
	for _, f := range facts {
		if f.Backward {
			s += fmt.Sprintf(" <-[%s]- %s", f.Predicate, f.Subject)
		} else {
			s += fmt.Sprintf(" -[%s]-> %s", f.Predicate, f.Object)
		}
	}
	return s
}

func (a *app) graphSimilarCommand() *cobra.Command {
	var in mind.GraphConceptInput
	cmd := &cobra.Command{
		Use: "similar CONCEPT", Short: "Find concepts like another: by meaning, spelling and shared neighbours", Args: exactly(1, "the name of a concept"),
		Example: "  chitta graph similar socket.failure",
		RunE: func(cmd *cobra.Command, args []string) error {
			in.Concept = args[0]
			return show(cmd, a, "graph_similar", in, func(out mind.GraphSimilarOutput) {
				for _, d := range out.Degraded {
					a.note("not all could take part: %s", d)
				}
				if len(out.Concepts) == 0 {
					a.note("nothing known is like %s", out.Name)
				}
				for _, c := range out.Concepts {
					a.printf("%.2f  %s  %s\n", c.Score, a.bold(c.Name), a.dim(strings.Join(c.Respects(), ", ")))
				}
			})
		},
	}
	seeFlags(cmd.Flags(), &in.Realm, &in.AsOf, &in.Limit)
	return cmd
}

func (a *app) graphActivateCommand() *cobra.Command {
	var in mind.GraphActivateInput
	cmd := &cobra.Command{
		Use: "activate CONCEPT", Short: "Let activation spread from a concept: what comes to mind with it", Args: exactly(1, "the name of a concept"),
		Example: "  chitta graph activate nc.subshell --strength 1",
		RunE: func(cmd *cobra.Command, args []string) error {
			in.Concept = args[0]
			if cmd.Flags().Changed("strength") && in.Strength == 0 {
				return &usageError{"a strength of 0 activates nothing", "use a number above 0 and up to 1"}
			}
			return show(cmd, a, "graph_activate", in, func(out mind.GraphActivateOutput) {
				for _, c := range out.Concepts {
					via := ""
					if c.Via != nil {
						via = "by " + c.Via.Sentence
					}
					a.printf("%.2f  %s  %s\n", c.Level, a.bold(c.Name), a.dim(via))
				}
				if out.Reached > len(out.Concepts) {
					a.note("%d concepts were reached; see more with --limit", out.Reached)
				}
			})
		},
	}
	f := cmd.Flags()
	f.Float64Var(&in.Strength, "strength", 0, "level to begin with, above 0 and up to 1 (default 0.5)")
	f.IntVar(&in.Hops, "hops", 0, "how many facts far it spreads (default 3)")
	seeFlags(f, &in.Realm, nil, &in.Limit)
	return cmd
}

func (a *app) graphInferCommand() *cobra.Command {
	var in mind.GraphInferInput
	cmd := &cobra.Command{
		Use: "infer SUBJECT [PREDICATE [OBJECT]]", Short: "Conclude what nobody stated, with the chain it follows from; ? fits everything",
		Example: "  chitta graph infer deploy requires\n  chitta graph infer '?' causes socket.failure",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := parts(cmd, args, &in.Subject, &in.Predicate, &in.Object); err != nil {
				return err
			}
			return show(cmd, a, "graph_infer", in, func(out mind.GraphInferOutput) {
				if len(out.Inferred) == 0 {
					a.note("nothing follows")
				}
				for _, x := range out.Inferred {
					a.printf("%s  %s\n  %s\n", a.bold(x.Sentence), a.dim(fmt.Sprintf("confidence %.2f", x.Confidence)), a.dim("because "+chain(x.Subject, x.Chain)))
				}
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&in.Subject, "subject", "", "what the conclusion is about")
	f.StringVar(&in.Predicate, "predicate", "", "the relation")
	f.StringVar(&in.Object, "object", "", "what it is related to")
	f.IntVar(&in.Hops, "hops", 0, "most facts in a chain (default 4)")
	seeFlags(f, &in.Realm, &in.AsOf, &in.Limit)
	return cmd
}

func (a *app) graphContradictionsCommand() *cobra.Command {
	var in mind.GraphContradictionsInput
	cmd := &cobra.Command{
		Use: "contradictions", Short: "Find facts that cannot all be right", Args: noArgs,
		Example: "  chitta graph contradictions",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return show(cmd, a, "graph_contradictions", in, func(out mind.GraphContradictionsOutput) {
				if len(out.Contradictions) == 0 {
					a.note("nothing contradicts")
				}
				a.contradictions(out.Contradictions)
			})
		},
	}
	seeFlags(cmd.Flags(), &in.Realm, &in.AsOf, &in.Limit)
	cmd.Flags().Lookup("limit").Usage = "most of each kind (default 50)"
	return cmd
}

func (a *app) conceptNames(out mind.GraphNamesOutput) {
	a.printf("%s\n", a.bold(out.Name))
	if len(out.Aliases) > 0 {
		a.row(len("also"), "also", strings.Join(out.Aliases, ", "))
	}
}

func (a *app) graphRenameCommand() *cobra.Command {
	var in mind.GraphRenameInput
	cmd := &cobra.Command{
		Use: "rename CONCEPT NAME", Short: "Give a concept another name; it is still found by the old one", Args: exactly(2, "a concept and its new name"),
		Example: "  chitta graph rename nc netcat",
		RunE: func(cmd *cobra.Command, args []string) error {
			in.Concept, in.To = args[0], args[1]
			return show(cmd, a, "graph_rename", in, a.conceptNames)
		},
	}
	writeFlags(cmd.Flags(), &in.Realm, &in.Global)
	return cmd
}

func (a *app) graphAliasCommand() *cobra.Command {
	var in mind.GraphAliasInput
	cmd := &cobra.Command{
		Use: "alias CONCEPT ALIAS", Short: "Give a concept one more name", Args: exactly(2, "a concept and another name for it"),
		Example: "  chitta graph alias netcat ncat",
		RunE: func(cmd *cobra.Command, args []string) error {
			in.Concept, in.Alias = args[0], args[1]
			return show(cmd, a, "graph_alias", in, a.conceptNames)
		},
	}
	writeFlags(cmd.Flags(), &in.Realm, &in.Global)
	return cmd
}

func (a *app) graphMergeCommand() *cobra.Command {
	var in mind.GraphMergeInput
	cmd := &cobra.Command{
		Use: "merge CONCEPT INTO", Short: "Make a concept part of another; this cannot be undone", Args: exactly(2, "two concepts"),
		Example: "  chitta graph merge netcat.openbsd netcat",
		RunE: func(cmd *cobra.Command, args []string) error {
			in.Concept, in.Into = args[0], args[1]
			return show(cmd, a, "graph_merge", in, func(out mind.GraphMergeOutput) {
				a.conceptNames(out.GraphNamesOutput)
				a.printf("%s moved, %d of them said the same as another, %d between the two dropped\n", plural(out.Moved, "fact", "facts"), out.Folded, out.Dropped)
			})
		},
	}
	writeFlags(cmd.Flags(), &in.Realm, &in.Global)
	return cmd
}

func (a *app) graphStatsCommand() *cobra.Command {
	var in mind.RealmInput
	cmd := &cobra.Command{
		Use: "stats", Short: "Count concepts and facts", Args: noArgs,
		Example: "  chitta graph stats --realm all",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return show(cmd, a, "graph_stats", in, func(out mind.GraphStatsOutput) {
				a.printf("%s, %s, %s of which %d hold\n", plural(out.Concepts, "concept", "concepts"), plural(out.Aliases, "alias", "aliases"), plural(out.Facts, "fact", "facts"), out.Holding)
				names := slices.Sorted(maps.Keys(out.ByPredicate))
				slices.SortStableFunc(names, func(x, y string) int { return out.ByPredicate[y] - out.ByPredicate[x] })
				rows := [][]string{{"predicate", ">facts"}}
				for _, n := range names {
					rows = append(rows, []string{n, fmt.Sprint(out.ByPredicate[n])})
				}
				if len(names) > 0 {
					a.table(rows)
				}
				if out.Loading > 0 {
					a.note("%d changes are still being loaded", out.Loading)
				}
			})
		},
	}
	realmFlags(cmd.Flags(), &in.Realm, "project: id or name; all for every project")
	return cmd
}
