package cli

import (
	"cmp"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"chitta/internal/mind"
)

func (a *app) graphCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "graph", Short: "What is known of concepts and how they hang together",
		Long: `The knowledge graph: facts about concepts, each with when it held, how sure it
is and who says so. Names are short, with dots between their parts; case and
separators make no difference when one is looked up.

Where a project is indexed (chitta code index), its symbols and files are
concepts as well: what calls, imports, inherits and contains what is looked up
in the code as it is now.`,
		Example: `  chitta graph add nc.subshell causes socket.failure
  chitta graph add "cli.direct -[solves]-> socket.failure"
  chitta graph query '?' solves socket.failure
  chitta graph paths cli.direct nc.subshell
  chitta graph query '?' calls Server.Listen`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.graphAddCommand(), a.graphRemoveCommand(), a.graphQueryCommand(), a.graphNeighboursCommand(),
		a.graphConceptCommand(), a.graphPathsCommand(), a.graphSimilarCommand(), a.graphActivateCommand(),
		a.graphInferCommand(), a.graphContradictionsCommand(), a.graphTimelineCommand(),
		a.graphRenameCommand(), a.graphAliasCommand(), a.graphMergeCommand(), a.graphStatsCommand(),
		a.graphParseCommand(), a.graphExportCommand(), a.graphImportCommand(), a.graphMineCommand())
	return cmd
}

// seeFlags are those of questions: where to look, when, and how much to show.
func seeFlags(f *pflag.FlagSet, realm, asOf *string, limit *int) {
	realmFlags(f, realm, "project: id or name; all for every project")
	if asOf != nil {
		f.StringVar(asOf, "as-of", "", `what held then: 2026-01-31, 3d, "2 weeks ago"`)
	}
	f.IntVarP(limit, "limit", "n", 0, "most to show (default 50)")
}

// writeFlags say where facts go.
func writeFlags(f *pflag.FlagSet, realm *string, global *bool) {
	realmFlags(f, realm, "project: id or name")
	f.BoolVar(global, "global", false, "it concerns you in every project")
}

// factLine is a fact and what is to be known about it.
func (a *app) factLine(indent string, f *mind.FactView) {
	if f.ID == "" && len(f.Sources) > 0 { // read from source code
		s := &f.Sources[0]
		parts := []string{s.Place}
		if s.Rule != "" {
			parts = append(parts, s.Rule)
		}
		parts = append(parts, fmt.Sprintf("confidence %.2f", f.Confidence))
		a.printf("%s%s\n%s  %s  %s\n", indent, f.Sentence, indent, s.Source, a.dim(strings.Join(parts, " · ")))
		return
	}
	parts := []string{fmt.Sprintf("confidence %.2f", f.Confidence)}
	if !f.From.IsZero() {
		parts = append(parts, "since "+day(f.From))
	}
	if !f.Until.IsZero() {
		end := "until " + day(f.Until)
		if f.EndedBy != "" {
			end += ", then " + f.EndedBy
		}
		parts = append(parts, end)
	}
	if f.Said > 1 {
		parts = append(parts, fmt.Sprintf("said %d times", f.Said))
	}
	if len(f.Sources) > 0 {
		parts = append(parts, "from "+sourceText(&f.Sources[0]))
	}
	a.printf("%s%s\n%s  %s  %s\n", indent, f.Sentence, indent, a.bold(f.ID), a.dim(strings.Join(parts, " · ")))
}

func day(t time.Time) string { return t.Local().Format(time.DateOnly) }

func sourceText(s *mind.FactSource) string {
	switch {
	case s.Memory != "":
		return s.Source + " " + s.Memory
	case s.Session != "":
		return s.Source + " in session " + s.Session
	}
	return s.Source
}

// facts prints facts and whether there are more.
func (a *app) facts(out mind.GraphFactsOutput) {
	for i := range out.Facts {
		a.factLine("", &out.Facts[i])
	}
	switch {
	case len(out.Facts) == 0:
		a.note("no fact fits; --ended shows what holds no longer, --realm all looks into every project")
	case out.More:
		a.note("there are more; narrow the pattern, or see more with --limit")
	}
	a.codeNotes(out.Code)
}

func (a *app) codeNotes(c *mind.GraphCode) {
	for _, line := range c.Notes() {
		a.note("%s", line)
	}
}

func (a *app) graphAddCommand() *cobra.Command {
	var in mind.GraphAddInput
	var confidence float64
	cmd := &cobra.Command{
		Use: "add SUBJECT PREDICATE OBJECT | STATEMENT", Short: "Store a fact",
		Long: `Store a fact, in three parts or as notation. Known predicates: causes, solves,
prevents, is_a, part_of, has_property, related_to, used_with, preferred,
contradicts, supersedes, corrects, precedes, requires, calls, contains, imports,
inherits, has_value, has_version, has_status, has_default; their inverses, such
as caused_by; and any word of your own.

A fact that is known gets stronger. Where a subject has one value at a time
(has_version and the like), the new one ends the old. What contradicts is shown
and left to you.`,
		Example: `  chitta graph add nc.subshell causes socket.failure
  chitta graph add socket.failure caused_by nc.subshell
  chitta graph add "cli.direct -[solves]-> socket.failure (0.8)"
  chitta graph add go has_version 1.26 --from 2026-02-10
  chitta graph add me preferred tabs --global`,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch len(args) {
			case 1:
				in.Statement = args[0]
			case 3:
				in.Subject, in.Predicate, in.Object = args[0], args[1], args[2]
			default:
				return &usageError{"chitta graph add takes a subject, a predicate and an object, or one statement", `write: chitta graph add nc.subshell causes socket.failure, or chitta graph add "nc.subshell -[causes]-> socket.failure"`}
			}
			if cmd.Flags().Changed("confidence") {
				if math.IsNaN(confidence) || math.IsInf(confidence, 0) {
					return &usageError{fmt.Sprintf("--confidence %v is not a number", confidence), "use one above 0 and up to 1"}
				}
				in.Confidence = &confidence
			}
			return show(cmd, a, "graph_add", in, a.addedFacts)
		},
	}
	f := cmd.Flags()
	f.Float64Var(&confidence, "confidence", 0, "how sure, above 0 and up to 1 (default 0.9)")
	f.StringVar(&in.From, "from", "", `since when it holds: 2026-01-31, 3d, "2 weeks ago" (default now)`)
	f.StringVar(&in.Until, "until", "", "when it ceased to hold")
	f.StringVar(&in.Supersedes, "supersedes", "", "id of a fact whose place it takes")
	writeFlags(f, &in.Realm, &in.Global)
	return cmd
}

func (a *app) addedFacts(out mind.GraphAddOutput) {
	words := map[string]string{"inserted": "added", "strengthened": "known already, strengthened", "known": "known already from there"}
	for i := range out.Facts {
		x := &out.Facts[i]
		a.printf("%s:\n", words[x.Action])
		a.factLine("  ", &x.FactView)
		for j := range x.Ended {
			a.printf("  %s\n", a.dim("which ended:"))
			a.factLine("    ", &x.Ended[j])
		}
	}
	a.contradictions(out.Contradictions)
	if out.Unchecked {
		a.note("the graph is still being loaded; chitta graph contradictions says later whether this contradicts anything")
	}
}

func (a *app) contradictions(list []mind.ContradictionView) {
	for i, c := range list {
		if i > 0 {
			a.printf("\n")
		}
		a.printf("%s %s\n", a.yellow("contradiction:"), c.Why)
		for j := range c.Facts {
			a.factLine("  ", &c.Facts[j])
		}
	}
}

func (a *app) graphRemoveCommand() *cobra.Command {
	var in mind.GraphRemoveInput
	cmd := &cobra.Command{
		Use: "remove ID | SUBJECT PREDICATE OBJECT", Short: "Say that a fact holds no longer; it stays known with its end",
		Example: "  chitta graph remove nc.subshell causes socket.failure\n  chitta graph remove t_01h2x --at 2026-02-01",
		RunE: func(cmd *cobra.Command, args []string) error {
			switch len(args) {
			case 1:
				in.ID = args[0]
			case 3:
				in.Subject, in.Predicate, in.Object = args[0], args[1], args[2]
			default:
				return &usageError{"chitta graph remove takes the id of a fact, or subject, predicate and object", "chitta graph query shows facts with their ids"}
			}
			return show(cmd, a, "graph_remove", in, func(out mind.GraphFactsOutput) {
				for i := range out.Facts {
					a.printf("ended:\n")
					a.factLine("  ", &out.Facts[i])
				}
			})
		},
	}
	cmd.Flags().StringVar(&in.At, "at", "", `when it ceased to hold: 2026-01-31, 3d, "2 weeks ago" (default now)`)
	writeFlags(cmd.Flags(), &in.Realm, &in.Global)
	return cmd
}

// parts takes up to three arguments for what flags left open.
func parts(cmd *cobra.Command, args []string, to ...*string) error {
	if len(args) > len(to) {
		return &usageError{cmd.CommandPath() + " takes a subject, a predicate and an object", "put ? for what is asked for, and quotes around names with blanks"}
	}
	for i, arg := range args {
		if *to[i] != "" {
			return &usageError{fmt.Sprintf("%q is given as a flag and as an argument", *to[i]), "leave one of them out"}
		}
		*to[i] = arg
	}
	return nil
}

func (a *app) graphQueryCommand() *cobra.Command {
	var in mind.GraphQueryInput
	cmd := &cobra.Command{
		Use: "query [SUBJECT [PREDICATE [OBJECT]]]", Short: "Find facts by pattern; ? fits everything",
		Example: `  chitta graph query '?' causes socket.failure
  chitta graph query --predicate requires
  chitta graph query go has_version --as-of 2026-01-01
  chitta graph query nc.subshell --ended`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := parts(cmd, args, &in.Subject, &in.Predicate, &in.Object); err != nil {
				return err
			}
			return show(cmd, a, "graph_query", in, a.facts)
		},
	}
	f := cmd.Flags()
	f.StringVar(&in.Subject, "subject", "", "what the fact is about")
	f.StringVar(&in.Predicate, "predicate", "", "the relation")
	f.StringVar(&in.Object, "object", "", "what it is related to")
	f.BoolVar(&in.Ended, "ended", false, "also what holds no longer")
	seeFlags(f, &in.Realm, &in.AsOf, &in.Limit)
	return cmd
}

func (a *app) graphNeighboursCommand() *cobra.Command {
	var in mind.GraphConceptInput
	cmd := &cobra.Command{
		Use: "neighbours CONCEPT", Aliases: []string{"neighbors"}, Short: "Show the facts a concept takes part in", Args: exactly(1, "the name of a concept"),
		Example: "  chitta graph neighbours socket.failure\n  chitta graph neighbours Server.Listen",
		RunE: func(cmd *cobra.Command, args []string) error {
			in.Concept = args[0]
			return show(cmd, a, "graph_neighbours", in, a.facts)
		},
	}
	seeFlags(cmd.Flags(), &in.Realm, &in.AsOf, &in.Limit)
	return cmd
}

func (a *app) graphConceptCommand() *cobra.Command {
	var in mind.GraphConceptInput
	cmd := &cobra.Command{
		Use: "concept CONCEPT", Aliases: []string{"show"}, Short: "Show a concept: its names, how active it is, its facts", Args: exactly(1, "the name of a concept"),
		Example: "  chitta graph concept socket.failure",
		RunE: func(cmd *cobra.Command, args []string) error {
			in.Concept = args[0]
			return show(cmd, a, "graph_concept", in, func(out mind.GraphConceptOutput) {
				a.printf("%s\n", a.bold(out.Name))
				const width = 10
				if len(out.Aliases) > 0 {
					a.row(width, "also", strings.Join(out.Aliases, ", "))
				}
				if !out.Created.IsZero() {
					a.row(width, "since", day(out.Created))
					a.row(width, "activation", fmt.Sprintf("%.2f", out.Activation))
				}
				for _, t := range out.Things {
					a.row(width, "in code", strings.TrimSpace(fmt.Sprintf("%s  %s  %s", t.Place, t.Kind, cmp.Or(t.Signature, t.Name))))
				}
				for i := range out.Facts {
					a.factLine("  ", &out.Facts[i])
				}
				if out.More {
					a.note("there are more facts; see them with --limit")
				}
				a.codeNotes(out.Code)
			})
		},
	}
	seeFlags(cmd.Flags(), &in.Realm, &in.AsOf, &in.Limit)
	return cmd
}

func (a *app) graphTimelineCommand() *cobra.Command {
	var in mind.GraphTimelineInput
	cmd := &cobra.Command{
		Use: "timeline CONCEPT", Short: "Tell when the facts about a concept began and ended", Args: exactly(1, "the name of a concept"),
		Example: "  chitta graph timeline go",
		RunE: func(cmd *cobra.Command, args []string) error {
			in.Concept = args[0]
			return show(cmd, a, "graph_timeline", in, func(out mind.GraphTimelineOutput) {
				if out.More {
					a.note("older events are left out; see them with --limit")
				}
				for _, e := range out.Events {
					a.printf("%s  %-6s  %s  %s\n", a.dim(e.At.Local().Format("2006-01-02 15:04")), e.Event, e.Fact.Sentence, a.dim(e.Fact.ID))
				}
			})
		},
	}
	seeFlags(cmd.Flags(), &in.Realm, nil, &in.Limit)
	return cmd
}

// stated prints what became of the notation in a memory's text.
func (a *app) stated(out *mind.Stated) {
	for _, f := range out.Facts {
		a.printf("  %s %s  %s\n", a.dim("fact"), f.Sentence, a.dim(f.Action+" "+f.ID))
	}
	for _, p := range out.Unread {
		a.note("line %d is not read as a fact: %s\n    %s", p.Line, p.Reason, p.Text)
	}
}
