package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"chitta/internal/anchor"
	"chitta/internal/memory"
	"chitta/internal/mind"
	"chitta/internal/moment"
	"chitta/internal/past"
)

func (a *app) recallCommand() *cobra.Command {
	var in mind.RecallInput
	cmd := &cobra.Command{
		Use: "recall QUERY", Short: "Find what is remembered about something",
		Example: `  chitta recall "why does the socket hang"
  chitta recall ECONNREFUSED --kind failure --explain
  chitta recall "who signs the commits" --scope sessions --realm all`,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if in.Query, err = a.text(args, "query"); err != nil {
				return err
			}
			return show(cmd, a, "recall", in, func(out mind.RecallOutput) { a.answer(out, &in) })
		},
	}
	f := cmd.Flags()
	f.IntVarP(&in.Limit, "limit", "n", 0, "most results (default 8)")
	f.IntVar(&in.Budget, "budget", 0, "most tokens of text, estimated (default 2000)")
	f.StringVar(&in.Realm, "realm", "", "project: id or name; all for what every project shares, and for the conversations of every project")
	f.StringSliceVarP(&in.Kinds, "kind", "k", nil, "only these kinds")
	f.StringSliceVarP(&in.Tags, "tag", "t", nil, "only with all of these tags")
	f.StringSliceVar(&in.States, "state", nil, "active, superseded, rejected, forgotten or all (default active)")
	f.StringVar(&in.Since, "since", "", `from this time on: 2026-01-31, 3d, "2 weeks ago"`)
	f.StringVar(&in.Until, "until", "", "before this time")
	f.StringVar(&in.Scope, "scope", "", "where to look: all, memories, sessions, graph or code (default all)")
	f.StringVar(&in.AsOf, "as-of", "", "answer as memory was at this time")
	f.StringVar(&in.At, "at", "", `when the question is asked, for words like "yesterday" (default now)`)
	f.BoolVar(&in.Explain, "explain", false, "show why each was found, how long each stage took and what was left out")
	a.completeWords(cmd, "kind", memory.KindNames())
	a.completeWords(cmd, "scope", []string{"all", "memories", "sessions", "graph", scopeCode})
	a.completeWords(cmd, "state", append(memory.Statuses(), "all"))
	return cmd
}

// scopeCode is the scope of a recall that asks for symbols alone.
const scopeCode = "code"

func (a *app) answer(out mind.RecallOutput, in *mind.RecallInput) {
	explain := in.Explain
	for _, d := range out.Degraded {
		a.note("not all could take part: %s", d)
	}
	if explain {
		for _, o := range out.Off {
			a.note("not in use: %s", o)
		}
	}
	if len(out.Results) == 0 {
		if out.Scope == scopeCode {
			a.note("no symbol of this project fits; chitta code search looks in other words, chitta code index reads what is new")
		} else {
			a.note("nothing is remembered about this%s", elsewhere(in.Realm, "also looks in the conversations of other projects"))
		}
		if explain {
			a.workings(out)
		}
		return
	}
	if len(out.Sessions) > 0 {
		a.sessionAnswer(out, explain)
		return
	}
	for i, r := range out.Results {
		a.printf("%d. %s  %s\n%s\n", i+1, a.bold(r.ID), a.dim(resultLine(r)), indent(r.Text, "   "))
		if explain {
			a.evidence(r)
		}
	}
	if more := out.Found - len(out.Results); more > 0 {
		a.note("%d more were found; --limit and --budget show them", more)
	}
	if explain {
		a.workings(out)
	}
}

// sessionAnswer prints a ranking of conversations with their best passages.
func (a *app) sessionAnswer(out mind.RecallOutput, explain bool) {
	for i, s := range out.Sessions {
		when := ""
		if !s.Ended.IsZero() {
			when = " · " + memory.Ago(s.Ended, time.Now())
		}
		a.printf("%d. %s  %s\n", i+1, a.bold(s.ID), a.dim(fmt.Sprintf("%s%s", plural(s.Messages, "message", "messages"), when)))
		if s.Title != "" {
			a.printf("   %s\n", s.Title)
		}
		for _, p := range s.Passages {
			a.printf("   %s %s\n%s\n", a.dim("·"), a.dim(p.Speaker+", "+p.ID), indent(p.Text, "     "))
			if explain {
				a.evidence(p)
			}
		}
	}
	if explain {
		a.workings(out)
	}
}

// resultLine says in a few words what a result is.
func resultLine(r mind.Result) string {
	stale := ""
	if r.Freshness == anchor.Stale {
		stale = " · stale: " + r.Changed
	}
	if r.Place != "" {
		return r.Kind + " of the code · " + r.Place
	}
	if r.Kind != mind.KindPassage {
		return briefly(r.Kind, r.Confidence, r.Created, r.Tags, r.State) + stale
	}
	s := r.Speaker + " in session " + r.Provenance.Session
	if !r.Created.IsZero() {
		s += " · " + memory.Ago(r.Created, time.Now())
	}
	return s + stale
}

func (a *app) contextCommand() *cobra.Command {
	var in mind.ContextInput
	var of past.ContextInput
	cmd := &cobra.Command{
		Use: "context [TASK]", Short: "Everything worth knowing before a task, or what to carry over of a session",
		Example: `  chitta context "mend the login page"
  chitta context --session 3f2a --budget 20000`,
		RunE: func(cmd *cobra.Command, args []string) error {
			in.Task = strings.Join(args, " ")
			if of.ID != "" {
				of.Query, of.Budget = in.Task, in.Budget
				return a.carryOver(cmd, of)
			}
			if of.Strategy != "" {
				return &usageError{"--strategy is about a session", "name one with --session"}
			}
			return show(cmd, a, "context", in, func(out mind.ContextOutput) {
				if len(out.Sections) == 0 {
					a.note("nothing is remembered here yet")
				}
				for _, s := range out.Sections {
					a.printf("%s\n", a.bold(s.Title))
					for _, r := range s.Results {
						a.printf("  %s  %s\n%s\n", r.ID, a.dim(resultLine(r)), indent(r.Text, "    "))
					}
				}
				a.note("about %s", plural(out.Tokens, "token", "tokens"))
			})
		},
	}
	cmd.Flags().IntVar(&in.Budget, "budget", 0, "most tokens of text, estimated (default 2000; of a session 32000, less 4000 for the answer)")
	cmd.Flags().StringVar(&in.Realm, "realm", "", "project: id or name")
	cmd.Flags().StringVar(&of.ID, "session", "", "assemble what to carry over of this session: its id or the start of it")
	cmd.Flags().StringVar(&of.Strategy, "strategy", "", "of a session: relevance, or truncate to keep the first message and drop the oldest (default relevance)")
	a.completeWords(cmd, "strategy", []string{"relevance", "truncate"})
	return cmd
}

func (a *app) carryOver(cmd *cobra.Command, in past.ContextInput) error {
	out, raw, err := invoke[past.ContextOutput](cmd.Context(), a, "session_context", in)
	switch {
	case err != nil:
		return err
	case a.json:
		return a.printJSON(raw)
	}
	a.carried(out)
	return nil
}

// carried prints what to carry over of a session.
func (a *app) carried(out past.ContextOutput) {
	for _, m := range out.Messages {
		note := ""
		if m.Shortened {
			note = ", shortened"
		}
		a.printf("%s  %s\n%s\n", a.bold(m.Role), a.dim(fmt.Sprintf("%s, about %s%s", m.ID, plural(m.Tokens, "token", "tokens"), note)), indent(m.Text, "  "))
	}
	a.note("about %d of %d tokens (%d left for the answer), %s left out", out.Tokens, out.Budget, out.Reserve, plural(out.LeftOut, "message", "messages"))
	if out.Window > 0 {
		a.note("the client last sent %d tokens by its own count", out.Window)
	}
	if out.Degraded != "" {
		a.note("by words alone: %s", out.Degraded)
	}
}

// statsShown is the answer of stats: what is stored, and what hooks cost.
type statsShown struct {
	mind.StatsOutput
	Hooks   moment.CostOutput `json:"hooks"`
	Nothing int               `json:"hooks_came_to_nothing"` // in the last day, before they reached chitta
}

func (a *app) statsCommand() *cobra.Command {
	var in moment.CostInput
	cmd := &cobra.Command{
		Use: "stats", Short: "Count what is stored, and what hooks cost and brought", Args: noArgs,
		Example: "  chitta stats\n  chitta stats --session 3f2a77c1-… --days 7",
		RunE: func(cmd *cobra.Command, _ []string) error {
			stored, _, err := invoke[mind.StatsOutput](cmd.Context(), a, "stats", nil)
			if err != nil {
				return err
			}
			hooks, _, err := invoke[moment.CostOutput](cmd.Context(), a, "hook_cost", in)
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(statsShown{stored, hooks, a.nothingCame()})
			}
			a.stored(&stored)
			a.costs(&hooks, a.nothingCame())
			return nil
		},
	}
	cmd.Flags().StringVar(&in.Session, "session", "", "hooks of this client session only")
	cmd.Flags().IntVar(&in.Days, "days", 0, "hooks of so many days (default 30)")
	cmd.Flags().IntVarP(&in.Limit, "limit", "n", 0, "most sessions to list (default 10)")
	return cmd
}

// stored prints how much is stored.
func (a *app) stored(out *mind.StatsOutput) {
	a.printf("%s, %s, %s of text\n", plural(out.Total, "active memory", "active memories"), plural(out.Changes, "change", "changes"), bytesText(out.Text))
	if out.Sessions > 0 {
		a.printf("%s with %s\n", plural(out.Sessions, "session", "sessions"), plural(out.Messages, "message", "messages"))
	}
	a.counts("state", "memories", out.ByState)
	a.counts("kind", "memories", out.ByKind)
	a.counts("realm", "memories", out.ByRealm)
	a.counts("source", "memories", out.BySource)
}

func (a *app) realmCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "realm", Short: "Projects and who sees what", Args: noArgs,
		Example: `  chitta realm list
  chitta realm set --name shop
  chitta realm visibility shared`,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	list := &cobra.Command{
		Use: "list", Short: "List the projects known", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return show(cmd, a, "realm_list", nil, func(out mind.RealmListOutput) {
				rows := [][]string{{"", "id", "name", "kind", "new memories", ">memories", "last seen in"}}
				for _, r := range out.Realms {
					here := ""
					if r.Current {
						here = "*"
					}
					rows = append(rows, []string{here, r.ID, r.Name, string(r.Kind), string(r.Visibility), fmt.Sprint(r.Memories), lastOf(r.Paths)})
				}
				a.table(rows)
			})
		},
	}
	get := &cobra.Command{
		Use: "get [REALM]", Short: "Show a project and what it is recognised by",
		RunE: func(cmd *cobra.Command, args []string) error {
			return show(cmd, a, "realm_get", mind.RealmInput{Realm: strings.Join(args, " ")}, a.realm)
		},
	}
	detect := &cobra.Command{
		Use: "detect [DIR]", Short: "Say which project a directory belongs to",
		RunE: func(cmd *cobra.Command, args []string) error {
			return show(cmd, a, "realm_detect", mind.RealmDetectInput{Dir: strings.Join(args, " ")}, func(out mind.RealmDetectOutput) {
				known := "not seen before"
				if out.Known {
					known = "known"
				}
				a.printf("%s  %s %s\n", a.bold(out.Realm.ID), out.Realm.Name, a.dim("("+known+")"))
				id := out.Identity
				for _, row := range [][2]string{{"directory", id.Path}, {"work tree", id.TopLevel}, {"git", id.CommonDir}, {"remote", id.Remote}, {"roots", strings.Join(id.Roots, " ")}, {"note", id.Note}} {
					if row[1] != "" {
						a.row(10, row[0], row[1])
					}
				}
			})
		},
	}
	var setting mind.RealmSetInput
	set := &cobra.Command{
		Use: "set [REALM]", Short: "Rename a project, make it a team's, or add a directory to it",
		RunE: func(cmd *cobra.Command, args []string) error {
			setting.Realm = strings.Join(args, " ")
			return show(cmd, a, "realm_set", setting, a.realm)
		},
	}
	set.Flags().StringVar(&setting.Name, "name", "", "what to call it")
	set.Flags().StringVar(&setting.Kind, "kind", "", "project or team")
	set.Flags().StringVar(&setting.Dir, "dir", "", "a directory outside version control that belongs to it as well")
	a.completeWords(set, "kind", []string{string(memory.RealmProject), string(memory.RealmTeam)})
	visibility := &cobra.Command{
		Use: "visibility [REALM] private|shared|global", Short: "Set who sees new memories of a project",
		ValidArgsFunction: cobra.FixedCompletions(memory.Visibilities(), cobra.ShellCompDirectiveNoFileComp),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return &usageError{"chitta realm visibility takes private, shared or global", "try: chitta realm visibility --help"}
			}
			last := len(args) - 1
			return show(cmd, a, "realm_visibility", mind.RealmVisibilityInput{Realm: strings.Join(args[:last], " "), Visibility: args[last]}, a.realm)
		},
	}
	cmd.AddCommand(list, get, detect, set, visibility)
	return cmd
}

func (a *app) realm(r mind.RealmView) {
	a.printf("%s  %s\n", a.bold(r.ID), r.Name)
	row := func(name, value string) {
		if value != "" {
			a.row(12, name, value)
		}
	}
	row("kind", string(r.Kind))
	row("memories", fmt.Sprint(r.Memories))
	row("new memories", string(r.Visibility))
	row("remotes", strings.Join(r.Remotes, ", "))
	row("roots", strings.Join(r.Roots, ", "))
	row("paths", strings.Join(r.Paths, ", "))
}

func lastOf(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[len(list)-1]
}
