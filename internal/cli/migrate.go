package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"chitta/internal/mind"
)

func (a *app) migrateCommand() *cobra.Command {
	var rollback bool
	cmd := &cobra.Command{
		Use: "migrate [PATH…]", Short: "Take over all transcripts there are and prove it; --rollback undoes it",
		Long: `Take over all transcripts there are, as chitta import does, and prove the result: every line is accounted for, every message fits its SHA-256, every invariant holds.

--rollback erases what the last migration brought, also one that was interrupted, and what it added to sessions that were there before. What came by other ways stays, and so does a session from which such a one was forked, because both share messages. If the last migration brought nothing, the one before is undone. What is erased stays away, also from the daemon that watches the transcripts, until somebody migrates again. Transcripts that an interrupted migration had not read yet are taken over by the daemon afterwards, unless sessions.watch is off.`,
		Example: `  chitta migrate
  chitta migrate ~/old-machine/projects
  chitta migrate --rollback`,
		Annotations: map[string]string{localFiles: ""},
		RunE: func(cmd *cobra.Command, args []string) error {
			if rollback {
				if len(args) > 0 {
					return &usageError{"--rollback takes no paths", "it undoes the last migration as a whole"}
				}
				return a.rollback(cmd.Context())
			}
			return a.migrate(cmd.Context(), args)
		},
	}
	cmd.Flags().BoolVar(&rollback, "rollback", false, "erase what the last migration brought")
	return cmd
}

// migrate imports, checks and reports.
func (a *app) migrate(ctx context.Context, paths []string) error {
	if len(paths) == 0 {
		dir, err := a.transcripts()
		if err != nil {
			return err
		}
		paths = []string{dir}
	}
	files, closed, err := importFiles(paths)
	if err != nil {
		return err
	}
	if _, _, err := invoke[mind.MigrationOutput](ctx, a, "migration_begin", nil); err != nil {
		return err
	}
	im, err := a.importAll(ctx, files, importing{migration: true, closed: closed})
	if err != nil {
		return err
	}
	brought, _, err := invoke[mind.MigrationOutput](ctx, a, "migration_finish", nil)
	if err != nil {
		return err
	}
	if a.json {
		check, err := a.prove(ctx)
		if err != nil {
			return err
		}
		return a.printJSON(map[string]any{"import": im.report, "migration": brought, "check": check})
	}
	// the proof may take long, and what was brought stands without it
	var refused *silentError
	shown := im.show()
	if shown != nil && !errors.As(shown, &refused) {
		return shown
	}
	a.printf("migrated: %s\n", reached(brought, "new session", "new sessions"))
	check, err := a.prove(ctx)
	if err != nil {
		a.note("what was migrated is stored, but could not be proved; chitta check tries again")
		return err
	}
	for _, p := range check.Problems {
		a.printf("%s %s: %s %s\n", a.red("broken:"), p.What, p.Where, p.Detail)
	}
	if !check.OK {
		return &silentError{exitFailure}
	}
	a.printf("proved: %s, each fits its SHA-256, and every invariant holds\n", plural(check.Messages, "message", "messages"))
	a.note("chitta migrate --rollback undoes it")
	return shown
}

// reached says how much a migration or its rollback concerns.
func reached(m mind.MigrationOutput, one, many string) string {
	sessions, messages := plural(m.Sessions, one, many), plural(m.Messages, "message", "messages")
	if m.Grown == 0 {
		return sessions + " with " + messages
	}
	return fmt.Sprintf("%s in %s and in %s", messages, sessions, plural(m.Grown, "that was there before", "that were there before"))
}

// prove checks everything that is stored, a part at a time.
func (a *app) prove(ctx context.Context) (mind.CheckOutput, error) {
	bar := a.progress("checking")
	defer bar.done()
	var all mind.CheckOutput
	for !all.Done {
		out, _, err := invoke[mind.CheckOutput](ctx, a, "check", mind.CheckInput{Cursor: all.Next})
		if err != nil {
			return all, err
		}
		if len(all.Problems) > 0 { // else the list stays as it came, which is a list even if it is empty
			out.Problems = append(all.Problems, out.Problems...)
		}
		all = out
		bar.at(int64(all.Step), int64(all.Steps))
	}
	return all, nil
}

// rollback erases a migration, a part at a time.
func (a *app) rollback(ctx context.Context) error {
	var total mind.MigrationOutput
	for !total.Done {
		out, _, err := invoke[mind.MigrationOutput](ctx, a, "migration_rollback", nil)
		if err != nil {
			return err
		}
		out.Sessions += total.Sessions
		out.Grown += total.Grown
		out.Messages += total.Messages
		out.Kept = append(total.Kept, out.Kept...)
		out.Watched = out.Watched || total.Watched
		total = out
	}
	if a.json {
		return a.printJSON(total)
	}
	a.printf("rolled back: %s erased\n", reached(total, "session", "sessions"))
	for _, id := range total.Kept {
		a.printf("kept: session %s, because one that came by other ways was forked from it and shares its messages; chitta session forget erases it\n", id)
	}
	if total.Watched {
		a.note("the migration was interrupted: the daemon takes over the transcripts in the watched folder that it had not read yet, unless sessions.watch is off")
	}
	return nil
}
