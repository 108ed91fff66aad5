package cli

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"chitta/internal/codebase"
	"chitta/internal/memory"
	"chitta/internal/mind"
	"chitta/internal/rpc"
)

func (a *app) rememberCommand() *cobra.Command {
	var in mind.RememberInput
	var confidence float64
	cmd := &cobra.Command{
		Use:   "remember CONTENT",
		Short: "Store a memory",
		Example: `  chitta remember "nc hangs in subshells; use the CLI client" --kind failure --tag socket
  git log -1 --format=%B | chitta remember --kind milestone`,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if in.Content, err = a.text(args, "content to remember"); err != nil {
				return err
			}
			if cmd.Flags().Changed("confidence") {
				if math.IsNaN(confidence) || math.IsInf(confidence, 0) {
					return &usageError{fmt.Sprintf("confidence is %g", confidence), "give a number from 0 to 1"}
				}
				in.Confidence = &confidence
			}
			return show(cmd, a, "remember", in, a.remembered)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&in.Kind, "kind", "k", "", "what sort of memory: "+strings.Join(memory.KindNames(), ", ")+" (default episode)")
	f.StringSliceVarP(&in.Tags, "tag", "t", nil, "words to find it by")
	f.StringArrayVar(&in.Files, "file", nil, "a file it is about; repeat it for several")
	f.StringArrayVar(&in.Symbols, "symbol", nil, "a function, type or other symbol of the indexed project it is about; repeat it for several")
	f.StringVar(&in.Realm, "realm", "", "project it belongs to (default: that of this directory; user for every project)")
	f.StringVar(&in.Visibility, "visibility", "", "private, shared or global")
	f.Float64Var(&confidence, "confidence", 0, "how sure, 0 to 1")
	f.StringVar(&in.Trust, "trust", "", "who vouches for it: user, outcome, agent, tool, web (default user)")
	f.StringVar(&in.Note, "note", "", "where it comes from")
	f.BoolVar(&in.Pinned, "pin", false, "keep it among the first to be shown")
	a.completeWords(cmd, "kind", memory.KindNames())
	a.completeWords(cmd, "visibility", memory.Visibilities())
	a.completeWords(cmd, "trust", memory.Trusts())
	return cmd
}

func (a *app) completeWords(cmd *cobra.Command, flag string, words []string) {
	// the flag was defined just before, so this cannot fail
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

func (a *app) remembered(out mind.RememberOutput) {
	switch out.Action {
	case mind.ActionStrengthened:
		a.printf("known already, strengthened: %s %s\n", a.bold(out.ID), a.dim("("+out.Kind+")"))
	default:
		a.printf("remembered: %s %s\n", a.bold(out.ID), a.dim("("+out.Kind+")"))
	}
	if out.Redacted > 0 {
		a.note("%s taken out before storing", plural(out.Redacted, "secret or private part was", "secrets or private parts were"))
	}
	if len(out.About) > 0 {
		a.printf("%s\n", a.dim("about "+out.AboutText()))
	}
	if len(out.Missing) > 0 {
		a.note("not there: %s; what is remembered cannot be held against it", codebase.ShownList(out.Missing))
	}
	a.stated(&out.Stated)
}

func (a *app) learnCommand() *cobra.Command {
	var in mind.LearnInput
	cmd := &cobra.Command{
		Use: "learn CONTENT", Short: "Store an insight",
		Example: `  chitta learn "the cache is keyed by path, so a rename misses it" --tag cache`,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if in.Content, err = a.text(args, "insight"); err != nil {
				return err
			}
			return show(cmd, a, "learn", in, a.remembered)
		},
	}
	cmd.Flags().StringSliceVarP(&in.Tags, "tag", "t", nil, "words to find it by")
	cmd.Flags().StringVar(&in.Realm, "realm", "", "project it belongs to")
	return cmd
}

func (a *app) decideCommand() *cobra.Command {
	var in mind.DecideInput
	cmd := &cobra.Command{
		Use: "decide DECISION", Short: "Store a decision with its reason",
		Example: `  chitta decide "SQLite for storage" --because "one file, no server" --instead "DuckDB"`,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if in.Decision, err = a.text(args, "decision"); err != nil {
				return err
			}
			return show(cmd, a, "decide", in, a.remembered)
		},
	}
	cmd.Flags().StringVar(&in.Reason, "because", "", "why")
	cmd.Flags().StringVar(&in.Instead, "instead", "", "what was not chosen")
	cmd.Flags().StringSliceVarP(&in.Tags, "tag", "t", nil, "words to find it by")
	cmd.Flags().StringVar(&in.Realm, "realm", "", "project it belongs to")
	return cmd
}

func (a *app) getCommand() *cobra.Command {
	return &cobra.Command{
		Use: "get ID", Short: "Show a memory in full", Args: exactly(1, "one id"),
		Example: "  chitta get m_9j84",
		RunE: func(cmd *cobra.Command, args []string) error {
			err := show(cmd, a, "get", mind.GetInput{ID: args[0]}, a.memoryInFull)
			if !strings.HasPrefix(args[0], memoryPrefix) {
				return notFoundHint(err, fmt.Sprintf("ids of memories start with %s, and chitta list shows them; what was said in a session: chitta show %s", memoryPrefix, args[0]))
			}
			return err
		},
	}
}

// memoryPrefix begins the ids of memories and no others.
const memoryPrefix = "m_"

// notFoundHint gives an error that says that something does not exist another
// hint, where the command knows better what was meant.
func notFoundHint(err error, hint string) error {
	var remote *rpc.Error
	if errors.As(err, &remote) && remote.Code == rpc.CodeNotFound {
		return remote.WithHint(hint)
	}
	return err
}

func (a *app) memoryInFull(v mind.View) {
	a.printf("%s  %s\n\n%s\n\n", a.bold(v.ID), v.Kind, indent(v.Content, "  "))
	row := func(name, value string) { a.row(11, name, value) }
	row("state", stateText(v))
	row("confidence", fmt.Sprintf("%.2f now (%.2f when last confirmed, ±%.2f, %s)", v.Confidence, v.Belief.Mean, sqrt(v.Belief.Variance), plural(v.Belief.N, "observation", "observations")))
	row("from", fmt.Sprintf("%s, %s, by way of %s", v.Trust, v.Source, orUnknown(v.Provenance.Actor)))
	row("realm", fmt.Sprintf("%s (%s)", v.Realm, v.Visibility))
	if len(v.Tags) > 0 {
		row("tags", "#"+strings.Join(v.Tags, " #"))
	}
	row("created", whenText(v.Created))
	if !v.Updated.Equal(v.Created) {
		row("changed", whenText(v.Updated))
	}
	recalled := "never"
	if v.AccessCount > 0 {
		recalled = fmt.Sprintf("%s, last %s", plural(v.AccessCount, "time", "times"), memory.Ago(v.Accessed, time.Now()))
	}
	row("recalled", recalled)
	if v.Freshness != "" {
		row("code", codeLine(v.Freshness, v.Changed))
	}
	for _, link := range [][2]string{{"corrects", v.Supersedes}, {"pair", v.Pair}, {"files", strings.Join(v.Files, ", ")}, {"session", v.Provenance.Session}, {"messages", strings.Join(messagesOf(v.Provenance), ", ")}, {"note", v.Provenance.Note}} {
		if link[1] != "" {
			row(link[0], link[1])
		}
	}
}

// messagesOf lists the messages that a memory comes from; chitta show prints
// each of them.
func messagesOf(p memory.Provenance) []string {
	if len(p.Messages) > 0 {
		return p.Messages
	}
	if p.Message != "" {
		return []string{p.Message}
	}
	return nil
}

func stateText(v mind.View) string {
	s := v.State
	if v.SupersededBy != "" {
		s += ", corrected by " + v.SupersededBy
	}
	if v.Pinned {
		s += ", pinned"
	}
	if !v.Erased.IsZero() {
		s += ", erased " + whenText(v.Erased)
	}
	return s
}

func whenText(t time.Time) string {
	return fmt.Sprintf("%s (%s)", memory.Ago(t, time.Now()), t.Local().Format("2006-01-02 15:04"))
}

func orUnknown(s string) string {
	if s == "" {
		return "unknown"
	}
	return s
}

func (a *app) listCommand() *cobra.Command {
	var in mind.ListInput
	cmd := &cobra.Command{
		Use: "list", Short: "List memories, newest first", Args: noArgs,
		Example: `  chitta list --kind failure --since 2w
  chitta list --realm user
  chitta list --state forgotten --text deploy`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return show(cmd, a, "list", in, a.memoryList)
		},
	}
	f := cmd.Flags()
	f.StringSliceVarP(&in.Kinds, "kind", "k", nil, "only these kinds")
	f.StringSliceVarP(&in.Tags, "tag", "t", nil, "only with all of these tags")
	f.StringVar(&in.Realm, "realm", "", "project: id or name; all for what every project shares")
	f.StringSliceVar(&in.States, "state", nil, "active, superseded, rejected, forgotten or all (default active)")
	f.StringSliceVar(&in.Sources, "source", nil, "conscious, subconscious, consolidated")
	f.StringVar(&in.Text, "text", "", "only with this text in them")
	f.StringVar(&in.Since, "since", "", `from this time on: 2026-01-31, 3d, "2 weeks ago"`)
	f.StringVar(&in.Until, "until", "", "before this time")
	f.BoolVar(&in.Pinned, "pinned", false, "only pinned ones")
	f.BoolVar(&in.Oldest, "oldest", false, "oldest first")
	f.IntVarP(&in.Limit, "limit", "n", 0, "most to show (default 50)")
	f.StringVar(&in.Cursor, "cursor", "", "go on after an earlier page")
	a.completeWords(cmd, "kind", memory.KindNames())
	a.completeWords(cmd, "state", append(memory.Statuses(), "all"))
	a.completeWords(cmd, "source", memory.Sources())
	return cmd
}

func (a *app) memoryList(out mind.ListOutput) {
	if len(out.Memories) == 0 {
		a.note("nothing fits")
		return
	}
	for _, v := range out.Memories {
		a.printf("%s  %s\n%s\n", a.bold(v.ID), a.dim(briefly(v.Kind, v.Confidence, v.Created, v.Tags, v.State)), indent(firstLines(v.Content), "    "))
	}
	if out.Next != "" {
		a.note("%d of %d; more with --cursor %s", len(out.Memories), out.Total, out.Next)
	}
}

func briefly(kind string, confidence float64, created time.Time, tags []string, state string) string {
	s := fmt.Sprintf("%s · %.0f%% · %s", memory.KindHeading(kind), 100*confidence, memory.Ago(created, time.Now()))
	if len(tags) > 0 {
		s += " · #" + strings.Join(tags, " #")
	}
	if state != string(memory.Active) {
		s += " · " + state
	}
	return s
}

// listedLines is how much of a text a list shows.
const listedLines = 3

func firstLines(s string) string {
	lines := strings.SplitN(s, "\n", listedLines+1)
	if len(lines) > listedLines {
		return strings.Join(lines[:listedLines], "\n") + "\n…"
	}
	return s
}

func indent(s, by string) string { return by + strings.ReplaceAll(s, "\n", "\n"+by) }

func (a *app) updateCommand() *cobra.Command {
	var content, kind, realm, visibility, reason string
	var tags []string
	cmd := &cobra.Command{
		Use: "update ID", Short: "Edit a memory in place", Args: exactly(1, "one id"),
		Example: `  chitta update m_9j84 --kind wisdom --tag deploy
  chitta update m_9j84 --realm user --reason "holds everywhere"`,
		RunE: func(cmd *cobra.Command, args []string) error {
			in := mind.UpdateInput{ID: args[0], Reason: reason}
			set := func(flag string, value *string, to **string) {
				if cmd.Flags().Changed(flag) {
					*to = value
				}
			}
			set("content", &content, &in.Content)
			set("kind", &kind, &in.Kind)
			set("realm", &realm, &in.Realm)
			set("visibility", &visibility, &in.Visibility)
			if cmd.Flags().Changed("tag") {
				in.Tags = &tags
			}
			return show(cmd, a, "update", in, a.changed("updated"))
		},
	}
	f := cmd.Flags()
	f.StringVar(&content, "content", "", "new text; for what was wrong use correct, which keeps both")
	f.StringVarP(&kind, "kind", "k", "", "new kind")
	f.StringSliceVarP(&tags, "tag", "t", nil, "new tags, replacing all")
	f.StringVar(&realm, "realm", "", "move to this project")
	f.StringVar(&visibility, "visibility", "", "private, shared or global")
	f.StringVar(&reason, "reason", "", "why, for the history")
	a.completeWords(cmd, "kind", memory.KindNames())
	a.completeWords(cmd, "visibility", memory.Visibilities())
	return cmd
}

func (a *app) changed(what string) func(mind.View) {
	return func(v mind.View) {
		a.printf("%s: %s  %s\n", what, a.bold(v.ID), a.dim(briefly(v.Kind, v.Confidence, v.Created, v.Tags, v.State)))
		a.stated(&v.Stated)
	}
}

func (a *app) pinCommand() *cobra.Command {
	return a.pinning("pin", "Keep a memory among the first to be shown", true)
}
func (a *app) unpinCommand() *cobra.Command {
	return a.pinning("unpin", "Treat a memory like any other again", false)
}

func (a *app) pinning(name, short string, pinned bool) *cobra.Command {
	return &cobra.Command{
		Use: name + " ID", Short: short, Args: exactly(1, "one id"),
		Example: "  chitta " + name + " m_9j84",
		RunE: func(cmd *cobra.Command, args []string) error {
			return show(cmd, a, "update", mind.UpdateInput{ID: args[0], Pinned: &pinned}, a.changed(name+"ned"))
		},
	}
}

func (a *app) tagCommand() *cobra.Command { return a.tagging("tag", "Add tags to a memory", "tagged") }
func (a *app) untagCommand() *cobra.Command {
	return a.tagging("untag", "Take tags from a memory", "untagged")
}

func (a *app) tagging(name, short, done string) *cobra.Command {
	return &cobra.Command{
		Use: name + " ID TAG…", Short: short,
		Example: "  chitta " + name + " m_9j84 deploy release",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) < 2 {
				return &usageError{"chitta " + name + " takes an id and at least one tag", "try: chitta " + name + " --help"}
			}
			return show(cmd, a, name, mind.TagInput{ID: args[0], Tags: args[1:]}, a.changed(done))
		},
	}
}

func (a *app) strengthenCommand() *cobra.Command {
	return a.judging("strengthen", "Say that a memory proved right or useful", "strengthened", "it saved an hour")
}

func (a *app) weakenCommand() *cobra.Command {
	return a.judging("weaken", "Say that a memory proved doubtful or useless", "weakened", "it did not help here")
}

func (a *app) rejectCommand() *cobra.Command {
	return a.judging("reject", "Mark a memory as wrong", "rejected", "it was a typo in the log")
}

func (a *app) judging(name, short, done, why string) *cobra.Command {
	var reason string
	cmd := &cobra.Command{
		Use: name + " ID", Short: short, Args: exactly(1, "one id"),
		Example: fmt.Sprintf("  chitta %s m_9j84 --reason %q", name, why),
		RunE: func(cmd *cobra.Command, args []string) error {
			return show(cmd, a, name, mind.ReasonInput{ID: args[0], Reason: reason}, a.changed(done))
		},
	}
	cmd.Flags().StringVar(&reason, "reason", "", "why, for the history")
	return cmd
}

func (a *app) correctCommand() *cobra.Command {
	var reason string
	cmd := &cobra.Command{
		Use: "correct ID CONTENT", Short: "Replace a wrong memory by what is right; both are kept and linked",
		Example: `  chitta correct m_9j84 "deploys run from tags that start with v" --reason "since 2.0"`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return &usageError{"chitta correct takes an id and what is right", "try: chitta correct --help"}
			}
			content, err := a.text(args[1:], "correction")
			if err != nil {
				return err
			}
			return show(cmd, a, "correct", mind.CorrectInput{ID: args[0], Content: content, Reason: reason}, func(out mind.CorrectOutput) {
				a.printf("corrected: %s now stands in the place of %s\n", a.bold(out.ID), out.Supersedes)
				a.stated(&out.Stated)
			})
		},
	}
	cmd.Flags().StringVar(&reason, "reason", "", "why, for the history")
	return cmd
}

func (a *app) forgetCommand() *cobra.Command {
	var in mind.ForgetInput
	cmd := &cobra.Command{
		Use: "forget ID", Short: "Forget a memory; unforget brings it back for a while", Args: exactly(1, "one id"),
		Example: "  chitta forget m_9j84\n  chitta forget m_9j84 --now",
		RunE: func(cmd *cobra.Command, args []string) error {
			in.ID = args[0]
			return show(cmd, a, "forget", in, func(out mind.ForgetOutput) {
				if out.Erased {
					a.printf("erased for good: %s\n", a.bold(out.ID))
					return
				}
				a.printf("forgotten: %s %s\n", a.bold(out.ID), a.dim("(chitta unforget brings it back until "+out.UndoUntil.Local().Format(time.DateOnly)+")"))
			})
		},
	}
	cmd.Flags().BoolVar(&in.Now, "now", false, "erase the text at once and for good")
	cmd.Flags().StringVar(&in.Reason, "reason", "", "why, for the history")
	return cmd
}

func (a *app) unforgetCommand() *cobra.Command {
	return &cobra.Command{
		Use: "unforget ID", Short: "Bring back a memory that was forgotten or rejected", Args: exactly(1, "one id"),
		Example: "  chitta list --state forgotten\n  chitta unforget m_9j84",
		RunE: func(cmd *cobra.Command, args []string) error {
			return show(cmd, a, "unforget", mind.IDInput{ID: args[0]}, a.changed("brought back"))
		},
	}
}

func (a *app) historyCommand() *cobra.Command {
	return &cobra.Command{
		Use: "history ID", Short: "Show every change of a memory", Args: exactly(1, "one id"),
		Example: "  chitta history m_9j84",
		RunE: func(cmd *cobra.Command, args []string) error {
			return show(cmd, a, "history", mind.IDInput{ID: args[0]}, func(out mind.HistoryOutput) {
				for _, c := range out.Changes {
					a.printf("%s  %s %s\n", a.dim(c.At.Local().Format("2006-01-02 15:04:05")), a.bold(c.Op), a.dim("by "+c.Actor))
					for _, field := range sortedKeys(c.Detail) {
						pair := c.Detail[field]
						a.printf("    %s: %s → %s\n", field, valueText(pair[0]), valueText(pair[1]))
					}
				}
			})
		},
	}
}
