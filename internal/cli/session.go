package cli

import (
	"bufio"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"chitta/internal/mind"
	"chitta/internal/past"
	"chitta/internal/rpc"
)

// realmFlags lets a project be named by either of two flags.
func realmFlags(f *pflag.FlagSet, to *string, help string) {
	f.StringVar(to, "realm", "", help)
	f.StringVar(to, "project", "", "the same as --realm")
}

func (a *app) searchCommand() *cobra.Command {
	var in past.SearchInput
	cmd := &cobra.Command{
		Use: "search QUERY", Short: "Find what was said in sessions, word for word",
		Long: `Find what was said in sessions, word for word: what people and agents said,
what tools were called with and what they returned.

Words have to occur all, in any order and form. "Quoted parts" have to stand
there as they are, whatever their case and spacing; mind that the shell takes
quotes away. /An expression/ is a regular one (RE2).`,
		Example: `  chitta search ECONNREFUSED retry
  chitta search '"token expired"' --role tool --since 2w
  chitta search -x token expired
  chitta search '/panic: .*nil map/' --realm all
  chitta search skew --file auth/token.go --tool Edit`,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if in.Query, err = a.text(args, "query"); err != nil {
				return err
			}
			return show(cmd, a, "search", in, a.found)
		},
	}
	f := cmd.Flags()
	f.BoolVarP(&in.Regex, "regex", "e", false, "the query is a regular expression")
	f.BoolVarP(&in.Exact, "exact", "x", false, "the whole query is one phrase")
	realmFlags(f, &in.Realm, "project: id or name; all for every project")
	f.StringVar(&in.Role, "role", "", "who says it: user, assistant, tool or system (default all)")
	f.StringVar(&in.Since, "since", "", `from this time on: 2026-01-31, 3d, "2 weeks ago"`)
	f.StringVar(&in.Until, "until", "", "before this time")
	f.StringVar(&in.File, "file", "", "only messages about this file: its name, the end of its path or the whole path")
	f.StringVar(&in.Tool, "tool", "", "only calls and results of this tool")
	f.StringVar(&in.Session, "session", "", "only this session: its id or the start of it")
	f.BoolVar(&in.Thinking, "thinking", false, "search what agents thought as well")
	f.IntVarP(&in.Limit, "limit", "n", 0, "most messages (default 20)")
	a.completeWords(cmd, "role", []string{"user", "assistant", "tool", "system"})
	return cmd
}

// found prints what a search found.
func (a *app) found(out past.SearchOutput) {
	for _, d := range out.Degraded {
		a.note("not all could take part: %s", d)
	}
	if out.Loose {
		a.note("no message has all of these words; the best have some")
	}
	shown := 0
	for i, s := range out.Sessions {
		if i > 0 {
			a.printf("\n")
		}
		a.sessionLine(&s.Session)
		for _, h := range s.Hits {
			a.printf("  %s  %s\n    %s\n", h.ID, a.dim(hitLine(&h)), a.marked(h.Snippet, h.Marks))
			shown++
		}
		if s.More > 0 {
			a.printf("  %s\n", a.dim(fmt.Sprintf("%d more in this session", s.More)))
		}
	}
	switch {
	case shown == 0 && out.Realm != "":
		a.note("nothing that was said here matches; --realm all searches every project")
	case shown == 0:
		a.note("nothing that was said matches")
	case out.More && out.Found > shown:
		a.note("more than %d messages match; narrow the search, or see more with --limit", out.Found)
	case out.More:
		a.note("there may be more; narrow the search, or see more with --limit")
	case out.Found > shown:
		a.note("%d messages match; --limit and --session show more", out.Found)
	}
	if out.Stopped != "" {
		a.note("%s", out.Stopped)
	}
}

func (a *app) sessionLine(s *past.Session) {
	parts := []string{s.Project}
	if when := s.When(); !when.IsZero() {
		parts = append([]string{when.Local().Format("2006-01-02 15:04")}, parts...)
	}
	a.printf("%s  %s  %s\n", a.bold(s.Short), a.dim(strings.Join(parts, " · ")), s.Title)
}

func hitLine(h *past.SearchHit) string {
	who := h.Role
	if h.Speaker != "" {
		who = h.Speaker
	}
	if h.Tool != "" {
		who += " " + h.Tool
	}
	if h.Agent != "" {
		who += " in subagent " + h.Agent
	}
	if !h.Time.IsZero() {
		who += " · " + h.Time.Local().Format("2006-01-02 15:04:05")
	}
	return who
}

// marked makes bold what matched.
func (a *app) marked(text string, marks []past.Mark) styled {
	runes := []rune(text)
	var b strings.Builder
	at := 0
	for _, m := range marks {
		if m.Start < at || m.End > len(runes) || m.Start >= m.End {
			continue
		}
		b.WriteString(printable(string(runes[at:m.Start])))
		b.WriteString(string(a.bold(string(runes[m.Start:m.End]))))
		at = m.End
	}
	b.WriteString(printable(string(runes[at:])))
	return styled(b.String())
}

func (a *app) sessionsCommand() *cobra.Command {
	var in past.ListInput
	cmd := &cobra.Command{
		Use: "sessions", Short: "List sessions, the last active first", Args: noArgs,
		Example: "  chitta sessions --since 1w\n  chitta sessions --realm all --file auth/token.go",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return show(cmd, a, "session_list", in, func(out past.ListOutput) {
				if len(out.Sessions) == 0 {
					a.note("no sessions fit; --realm all lists those of every project")
					return
				}
				rows := [][]string{{"id", "last active", "project", ">messages", "title"}}
				for _, s := range out.Sessions {
					when := ""
					if t := s.When(); !t.IsZero() {
						when = t.Local().Format("2006-01-02 15:04")
					}
					title := s.Title
					if s.BeginningForgotten {
						title += " (its beginning was forgotten)"
					}
					rows = append(rows, []string{s.Short, when, s.Project, messageCount(&s), title})
				}
				a.table(rows)
				if out.Next != "" {
					a.note("%d of %d; go on with --cursor %s", len(out.Sessions), out.Total, out.Next)
				}
			})
		},
	}
	f := cmd.Flags()
	realmFlags(f, &in.Realm, "project: id or name; all for every project")
	f.StringVar(&in.Since, "since", "", `active from this time on: 2026-01-31, 3d, "2 weeks ago"`)
	f.StringVar(&in.Until, "until", "", "begun before this time")
	f.StringVar(&in.File, "file", "", "only those that touched this file: its name, the end of its path or the whole path")
	f.IntVarP(&in.Limit, "limit", "n", 0, "most to show (default 50)")
	f.StringVar(&in.Cursor, "cursor", "", "where the page before ended")
	return cmd
}

func (a *app) showCommand() *cobra.Command {
	var in past.ShowInput
	cmd := &cobra.Command{
		Use: "show SESSION|MESSAGE", Short: "Read a session, or one message of it",
		Example: `  chitta show 5c0ffee0
  chitta show 5c0ffee0 --around 9a1b2c3d -C 3
  chitta show --hash 4f1c0d2e --raw`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 || len(args) == 0 && in.Hash == "" {
				return &usageError{"chitta show takes the id of a session or of a message, or --hash", "chitta sessions shows the sessions, chitta search finds messages"}
			}
			if len(args) == 1 {
				in.ID = args[0]
			}
			err := show(cmd, a, "session_show", in, a.transcript)
			if strings.HasPrefix(in.ID, memoryPrefix) {
				return notFoundHint(err, "that looks like the id of a memory: chitta get "+in.ID)
			}
			return whichMessage(in.ID, err)
		},
	}
	f := cmd.Flags()
	f.IntVar(&in.Page, "page", 0, "which page of a session")
	f.IntVarP(&in.Limit, "limit", "n", 0, "messages a page (default 50)")
	f.StringVar(&in.Around, "around", "", "show what stands around this message")
	f.IntVarP(&in.Context, "context", "C", 0, "with --around: how many messages before and after (default 5)")
	f.StringVar(&in.Agent, "agent", "", "the thread of this subagent instead of the main one")
	f.StringVar(&in.Session, "session", "", "the session of a message whose id is not unique")
	f.BoolVar(&in.Thinking, "thinking", false, "with what the agent thought")
	f.BoolVar(&in.Full, "full", false, "with the whole input and output of tools")
	f.BoolVar(&in.Raw, "raw", false, "a message as its record is stored")
	f.StringVar(&in.Hash, "hash", "", "find a message by its SHA-256, or the first 8 digits of it or more")
	return cmd
}

// whichMessage says how to name one of several messages whose ids begin alike,
// or are the same: sessions that were forked share them.
func whichMessage(id string, err error) error {
	var remote *rpc.Error
	if !errors.As(err, &remote) || remote.Data == nil || len(remote.Data.Fits) == 0 {
		return err
	}
	hint := "give more of its id"
	if f := remote.Data.Fits[0]; f.ID == id { // this is all of it
		hint = fmt.Sprintf("say in which session, for example chitta show %s --session %s", id, f.Session)
	}
	hint += "; these fit:"
	for _, f := range remote.Data.Fits {
		hint += "\n    " + f.ID + " in session " + f.Session
	}
	return remote.WithHint(hint)
}

// transcript prints a page of a session, or a message.
func (a *app) transcript(out past.ShowOutput) {
	if out.Single && len(out.Messages) == 1 && out.Messages[0].Raw != "" {
		fmt.Fprintln(a.out, out.Messages[0].Raw) // exactly as it is stored
		return
	}
	a.sessionLine(&out.Session)
	if out.Session.BeginningForgotten {
		a.note("its beginning was forgotten with session %s, from which it was forked", out.Session.Fork)
	}
	if out.Single {
		m := &out.Messages[0]
		a.printf("%s\n", a.dim(fmt.Sprintf("message %s, sha256 %s", m.ID, m.SHA256)))
		if out.Passage > 0 {
			a.note("passage %d of %d; chitta show %s --session %s shows all of it", out.Passage, out.Passages, m.ID, out.Session.ID)
		}
	}
	for i := range out.Messages {
		a.printf("\n")
		a.message(&out.Messages[i], !out.Single)
	}
	if out.Pages > 1 {
		next := ""
		if out.Page < out.Pages {
			next = fmt.Sprintf("; --page %d goes on", out.Page+1)
		}
		a.note("page %d of %d%s", out.Page, out.Pages, next)
	}
	if out.Agent == "" && len(out.Agents) > 0 {
		names := make([]string, len(out.Agents))
		for i, x := range out.Agents {
			names[i] = fmt.Sprintf("%s (%d)", x.Agent, x.Messages)
		}
		a.note("subagents, see --agent: %s", strings.Join(names, ", "))
	}
}

func (a *app) message(m *past.Message, withID bool) {
	who := m.Role
	if m.Speaker != "" {
		who = m.Speaker
	}
	line := ""
	if !m.Time.IsZero() {
		line = m.Time.Local().Format("2006-01-02 15:04:05")
	}
	if withID {
		line = strings.TrimSpace(line + "  " + m.ID)
	}
	if m.Shared != "" {
		line += "  shared with " + m.Shared
	}
	head := a.bold(who)
	if m.Role == "user" {
		head = a.style("1;32", who)
	}
	a.printf("%s  %s\n", head, a.dim(line))
	for i := range m.Parts {
		a.part(&m.Parts[i])
	}
}

func (a *app) part(p *past.Part) {
	cut := styled("")
	if p.Cut > 0 {
		cut = a.dim(fmt.Sprintf(" … %s more", plural(p.Cut, "character", "characters")))
	}
	switch {
	case p.Kind == "tool_use":
		outcome := styled("")
		if p.Outcome != "" {
			outcome = a.dim("  → " + p.Outcome)
		}
		mark := a.green("•")
		if p.Failed {
			mark = a.red("•")
		}
		a.printf("  %s %s %s%s%s\n", mark, a.bold(p.Tool), p.Text, outcome, cut)
	case p.Kind == "tool_result":
		status := ""
		switch {
		case p.Exit != nil:
			status = fmt.Sprintf(" exit %d", *p.Exit)
		case p.Failed:
			status = " failed"
		}
		a.printf("  %s\n%s%s\n", a.dim(strings.TrimSpace("result of "+orUnknown(p.Tool))+status), indent(p.Text, "    "), cut)
	case p.Kind == "boundary":
		a.printf("  %s\n", a.dim("— the conversation was compacted here —"))
	case p.Kind == "thinking":
		a.printf("%s%s\n", a.dim(indent("thinking: "+p.Text, "  ")), cut)
	case p.Role == "system":
		a.printf("%s%s\n", a.dim(indent("client: "+p.Text, "  ")), cut)
	default:
		a.printf("%s%s\n", indent(p.Text, "  "), cut)
	}
}

func (a *app) sessionCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "session", Short: "Look after sessions", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	var now bool
	forget := &cobra.Command{
		Use: "forget SESSION", Short: "Erase a session for good; a later import does not bring it back", Args: exactly(1, "the id of a session"),
		Example: "  chitta session forget 5c0ffee0",
		RunE: func(cmd *cobra.Command, args []string) error {
			if !now {
				if err := a.confirm(cmd, args[0]); err != nil {
					return err
				}
			}
			return show(cmd, a, "session_forget", past.SessionInput{ID: args[0]}, func(out mind.SessionForgetOutput) {
				a.printf("erased for good: session %s, %s\n", a.bold(out.ID), plural(out.Messages, "message", "messages"))
				if out.Memories > 0 {
					a.note("%s learned from it went with it", plural(out.Memories, "memory", "memories"))
				}
				if len(out.Forks) > 0 {
					a.note("%s forked from it lost the beginning, %s: %s", plural(len(out.Forks), "session", "sessions"), plural(out.Shared, "message", "messages"), strings.Join(out.Forks, ", "))
				}
			})
		},
	}
	forget.Flags().BoolVar(&now, "now", false, "do not ask")
	cmd.AddCommand(forget)
	return cmd
}

// confirm asks whether a session is to be erased.
func (a *app) confirm(cmd *cobra.Command, id string) error {
	out, _, err := invoke[past.ShowOutput](cmd.Context(), a, "session_show", past.ShowInput{ID: id, Limit: 1})
	if err != nil {
		return err
	}
	if out.Single {
		return &usageError{id + " is a message", "name a session; chitta sessions shows them"}
	}
	if a.json || !isTerminal(a.in) {
		return &usageError{"erasing a session cannot be undone", "say that it is meant: chitta session forget --now " + id}
	}
	a.sessionLine(&out.Session)
	if forks := out.Session.Forks; len(forks) > 0 {
		a.note("%s forked from it and will lose the beginning: %s", plural(len(forks), "session was", "sessions were"), strings.Join(forks, ", "))
	}
	fmt.Fprintf(a.err, "Erase %s for good? This cannot be undone. Type yes: ", plural(out.Session.Messages, "message", "messages"))
	answer, err := bufio.NewReader(a.in).ReadString('\n')
	if err == nil && strings.EqualFold(strings.TrimSpace(answer), "yes") {
		return nil
	}
	a.note("nothing was erased")
	return &silentError{exitFailure}
}

// messageCount says how many messages a session has: those it goes on from and
// its own.
func messageCount(s *past.Session) string {
	if s.Inherited == 0 {
		return fmt.Sprint(s.Messages)
	}
	return fmt.Sprintf("%d+%d", s.Inherited, s.Messages)
}
