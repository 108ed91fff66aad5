package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"chitta/internal/moment"
)

func (a *app) learnHistoryCommand() *cobra.Command {
	var in moment.HistoryInput
	cmd := &cobra.Command{
		Use: "learn-history", Short: "Learn from sessions that no hook told of, such as imported ones", Args: noArgs,
		Long: "Learn from sessions that no hook told of, such as imported ones: decisions, wishes, corrections, fixes, what did not work and what is left to do, and what each session came to.\n\n" +
			"Sessions go from the oldest to the newest and count once; what is interrupted goes on with the next call. What you forgot does not come back.",
		Example: "  chitta learn-history\n  chitta learn-history --realm all --since 90d",
		RunE: func(cmd *cobra.Command, _ []string) error {
			learned, err := a.learnHistory(cmd.Context(), in)
			if err != nil {
				return err
			}
			if a.json {
				err = a.printJSON(learned)
			} else {
				a.learned(learned)
			}
			if err == nil && len(learned.Problems) > 0 {
				return &silentError{exitFailure}
			}
			return err
		},
	}
	cmd.Flags().StringVar(&in.Session, "session", "", "only this session: its id or the start of it")
	cmd.Flags().StringVar(&in.Realm, "realm", "", "project: id or name; all for every project")
	cmd.Flags().StringVar(&in.Since, "since", "", "only sessions that went on after this time: a date, a time or a span such as 30d")
	return cmd
}

// historyLearned is what all calls of one run learned.
type historyLearned struct {
	Sessions  int                     `json:"sessions"`
	Memories  map[string]int          `json:"memories"` // new ones by kind, without summaries
	Summaries int                     `json:"summaries"`
	Problems  []moment.HistoryProblem `json:"problems"`
	Seconds   float64                 `json:"seconds"`
}

// learnHistory learns from sessions until none is left.
func (a *app) learnHistory(ctx context.Context, in moment.HistoryInput) (*historyLearned, error) {
	all := &historyLearned{Memories: map[string]int{}, Problems: []moment.HistoryProblem{}}
	bar, begun := a.progress("learning"), time.Now()
	defer bar.done()
	for {
		out, _, err := invoke[moment.HistoryOutput](ctx, a, "session_learn", in)
		if err != nil {
			return nil, err
		}
		all.Sessions += out.Sessions
		all.Summaries += out.Summaries
		all.Problems = append(all.Problems, out.Problems...)
		for kind, n := range out.Memories {
			all.Memories[kind] += n
		}
		done := int64(all.Sessions + len(all.Problems))
		bar.at(done, done+int64(out.Left))
		if out.Next == "" {
			all.Seconds = time.Since(begun).Seconds()
			return all, nil
		}
		in.Cursor = out.Next
	}
}

// learned says what was learned.
func (a *app) learned(l *historyLearned) {
	if l.Sessions+len(l.Problems) == 0 {
		a.printf("nothing new to learn from: every session here was learned from\n")
		return
	}
	n, parts := 0, []string{}
	for _, kind := range byCount(l.Memories) {
		n += l.Memories[kind]
		parts = append(parts, fmt.Sprintf("%s %d", kind, l.Memories[kind]))
	}
	a.printf("learned from %s: %s, %s\n", plural(l.Sessions, "session", "sessions"), plural(n, "memory", "memories"), plural(l.Summaries, "summary", "summaries"))
	if n > 0 {
		a.row(10, "memories", strings.Join(parts, ", "))
	}
	for _, p := range l.Problems {
		a.note("session %s could not be learned from: %s", p.Session, p.Why)
	}
}
