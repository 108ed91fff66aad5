package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"chitta/internal/config"
	"chitta/internal/daemon"
	"chitta/internal/follow"
	"chitta/internal/mind"
	"chitta/internal/moment"
	"chitta/internal/rpc"
)

func (a *app) statusCommand() *cobra.Command {
	return &cobra.Command{
		Use: "status", Short: "What is stored, where, and what it costs", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.showStatus(cmd)
		},
	}
}

// statusShown is the answer of status: how chitta stands, and what hooks cost.
type statusShown struct {
	mind.StatusOutput
	Hooks   moment.CostOutput `json:"hooks"`
	Nothing int               `json:"hooks_came_to_nothing"` // in the last day, before they reached chitta
}

func (a *app) showStatus(cmd *cobra.Command) error {
	st, _, err := invoke[mind.StatusOutput](cmd.Context(), a, "status", nil)
	if err != nil {
		return err
	}
	hooks, _, err := invoke[moment.CostOutput](cmd.Context(), a, "hook_cost", nil)
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(statusShown{st, hooks, a.nothingCame()})
	}
	a.status(st)
	a.row(10, "hooks", hooksText(&hooks, a.nothingCame(), hooks.Calls == 0 && a.registered()))
	return nil
}

func (a *app) status(st mind.StatusOutput) {
	row := func(name, format string, args ...any) {
		a.row(10, name, fmt.Sprintf(format, args...))
	}
	m := st.Memories
	a.printf("%s %s\n", a.bold("chitta"), st.Version)
	row("memories", "%d active, %d corrected, %d rejected, %d forgotten", m.Active, m.Superseded, m.Rejected, m.Forgotten)
	if st.Sessions > 0 {
		row("sessions", "%d, with %s", st.Sessions, plural(st.Messages, "message", "messages"))
	}
	if st.Realm.ID != "" {
		row("here", "%s (%s), %s", st.Realm.Name, st.Realm.ID, plural(st.Realm.Memories, "memory", "memories"))
	}
	row("realms", "%d", st.Realms)
	row("home", "%s", st.Home)
	row("disk", "%s database, %s vectors, %s source code, %s index; %s is text of memories", bytesText(st.Disk.Database+st.Disk.Log), bytesText(st.Disk.Vectors), bytesText(st.Disk.Code), bytesText(st.Disk.Index), bytesText(st.Disk.Text))
	row("index", "%s", indexText(st.Index))
	row("code", "%s", st.Code)
	row("model", "%s", modelText(st.Model))
	row("secrets", "%d rules (%s)", st.Secrets.Rules, st.Secrets.Set)
	row("daemon", "pid %d, up %s, %s in memory, %.1f s of CPU", st.PID, spanText(time.Duration(st.Uptime*float64(time.Second))), bytesText(st.Process.RSS), st.Process.CPUSeconds)
}

func indexText(st follow.IndexStatus) string {
	switch st.State {
	case follow.IndexCatchingUp:
		return fmt.Sprintf("catching up, %d of %d changes to go", st.Todo, st.Total)
	case follow.IndexMending:
		if st.Todo == 0 {
			return "damaged, about to be made anew: " + st.Problem
		}
		return fmt.Sprintf("damaged and made anew, %d of %d changes to go: %s", st.Todo, st.Total, st.Problem)
	case follow.IndexOff:
		return "off: " + st.Problem
	}
	text := "ready, " + plural(st.Docs, "document", "documents")
	if st.Problem != "" {
		text += "; " + st.Problem
	}
	return text
}

// verdict is a command whose exit code says whether all is well. doing is what
// it says while that takes long.
func verdict[Out any](a *app, name, method, doing, short string, ok func(Out) bool, words func(Out)) *cobra.Command {
	return &cobra.Command{
		Use: name, Short: short, Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			done := a.waiting(doing)
			out, raw, err := invoke[Out](cmd.Context(), a, method, nil)
			done()
			if err != nil {
				return err
			}
			if a.json {
				err = a.printJSON(raw)
			} else {
				words(out)
			}
			if err == nil && !ok(out) {
				return &silentError{exitFailure}
			}
			return err
		},
	}
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "What this is, and what is running", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.version(cmd.Context())
		},
	}
}

// version says what this is and what is running. Asking that changes nothing: no
// daemon is started or replaced for it.
func (a *app) version(ctx context.Context) error {
	client, _, err := a.running()
	if err != nil {
		return err
	}
	var out mind.VersionOutput
	shown := map[string]any{"version": config.Version, "running": false}
	state := "not running"
	switch err := client.Call(ctx, "version", nil, &out); {
	case err == nil:
		shown = map[string]any{"version": out.Version, "running": true, "schema": out.Schema, "go": out.Go, "system": out.System}
		state = fmt.Sprintf("%s, schema %d, %s, %s", out.Version, out.Schema, out.Go, out.System)
	case isCode(err, rpc.CodeUpgrade):
		h, err := client.Health(ctx)
		if err != nil {
			return err
		}
		shown = map[string]any{"version": h.Version, "running": true}
		state = h.Version + ", older than this; the next command that needs it replaces it"
	case !errors.Is(err, rpc.ErrNotRunning):
		return err
	}
	if a.json {
		return a.printJSON(shown)
	}
	a.printf("chitta %s\n", config.Version)
	a.row(8, "daemon", state)
	return nil
}

func isCode(err error, code int) bool {
	var remote *rpc.Error
	return errors.As(err, &remote) && remote.Code == code
}

func (a *app) checkCommand() *cobra.Command {
	return &cobra.Command{
		Use: "check", Short: "Prove that everything stored is sound", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			out, err := a.prove(cmd.Context())
			if err != nil {
				return err
			}
			if a.json {
				err = a.printJSON(out)
			} else {
				a.showCheck(out)
			}
			if err == nil && !out.OK {
				return &silentError{exitFailure}
			}
			return err
		},
	}
}

func (a *app) showCheck(out mind.CheckOutput) {
	for _, p := range out.Problems {
		a.printf("%s %s: %s\n", a.red("broken:"), p.What, p.Where+" "+p.Detail)
	}
	if out.OK {
		a.printf("sound: %s, every invariant holds\n", plural(out.Memories, "memory", "memories")+", "+plural(out.Messages, "message", "messages"))
	}
}

func (a *app) backupCommand() *cobra.Command {
	return &cobra.Command{
		Use: "backup FILE", Short: "Write a complete copy of the database to a file", Args: exactly(1, "the file to write"),
		Example: "  chitta backup ~/chitta-backup.db",
		RunE: func(cmd *cobra.Command, args []string) error {
			file, err := absolute(args[0])
			if err != nil {
				return err
			}
			dir := filepath.Dir(file)
			if fi, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
				return &usageError{fmt.Sprintf("the directory %s does not exist", dir), "make it first, or name another"}
			} else if err == nil && !fi.IsDir() {
				return &usageError{dir + " is not a directory", "name a file in a directory that exists"}
			}
			return show(cmd, a, "backup", mind.BackupInput{File: file}, func(out mind.BackupOutput) {
				a.printf("backed up to %s (%s)\n", a.bold(out.File), bytesText(out.Bytes))
			})
		},
	}
}

func (a *app) restoreCommand() *cobra.Command {
	return &cobra.Command{
		Use: "restore FILE", Short: "Put a backup in the place of the database; what was there is kept", Args: exactly(1, "the backup to restore"),
		Example:     "  chitta restore ~/chitta-backup.db",
		Annotations: map[string]string{localFiles: ""},
		RunE: func(cmd *cobra.Command, args []string) error {
			file, err := absolute(args[0])
			if err != nil {
				return err
			}
			if err := readableFile(file); err != nil { // before the daemon is stopped for it
				return &usageError{err.Error(), "name a file that chitta backup wrote"}
			}
			cfg, err := a.config()
			if err != nil {
				return err
			}
			wasRunning, err := a.stop(cmd.Context())
			if err != nil {
				return err
			}
			kept, restoreErr := daemon.Restore(cmd.Context(), cfg, file)
			if wasRunning {
				// whatever came of it, leave a daemon where there was one
				if _, err := a.start(cmd.Context()); err != nil && restoreErr == nil {
					restoreErr = err
				}
			}
			if restoreErr != nil {
				return restoreErr
			}
			if a.json {
				return a.printJSON(map[string]string{"restored": file, "kept": kept})
			}
			a.printf("restored %s\n", a.bold(file))
			if kept != "" {
				a.note("what was there before is kept as %s", kept)
			}
			return nil
		},
	}
}

func readableFile(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil {
		return err
	}
	if !fi.Mode().IsRegular() {
		return fmt.Errorf("%s is not a file", path)
	}
	if _, err := f.Read(make([]byte, 1)); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

func (a *app) rebuildCommand() *cobra.Command {
	var noWait bool
	cmd := &cobra.Command{
		Use: "rebuild", Short: "Make everything derived anew from what is stored", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			st, _, err := invoke[follow.IndexStatus](cmd.Context(), a, "rebuild", nil)
			if err != nil {
				return err
			}
			if !noWait {
				if st, err = a.awaitIndex(cmd.Context()); err != nil {
					return err
				}
			}
			if a.json {
				return a.printJSON(st)
			}
			a.printf("keyword index: %s\n", indexText(st))
			return nil
		},
	}
	cmd.Flags().BoolVar(&noWait, "no-wait", false, "return when it has begun")
	return cmd
}

// pollEvery is how often progress is looked at.
const pollEvery = 100 * time.Millisecond

// awaitIndex shows the progress of the index until it is ready.
func (a *app) awaitIndex(ctx context.Context) (follow.IndexStatus, error) {
	bar := a.progress("rebuilding")
	defer bar.done()
	for {
		st, _, err := invoke[mind.StatusOutput](ctx, a, "status", nil)
		if err != nil {
			return follow.IndexStatus{}, err
		}
		switch st.Index.State {
		case follow.IndexReady:
			return st.Index, nil
		case follow.IndexOff:
			return st.Index, fmt.Errorf("keyword index: %s", st.Index.Problem)
		}
		bar.at(st.Index.Total-st.Index.Todo, st.Index.Total)
		select {
		case <-ctx.Done():
			return follow.IndexStatus{}, ctx.Err()
		case <-time.After(pollEvery):
		}
	}
}

func (a *app) upCommand() *cobra.Command {
	return &cobra.Command{
		Use: "up", Short: "Start chitta if needed and show how it stands", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := a.renew(cmd.Context()); err != nil {
				return err
			}
			if !a.json {
				defer a.whatNext()
			}
			return a.showStatus(cmd)
		},
	}
}

// renew ends a daemon whose binary was replaced since it started, so that the
// one that answers next is the one that was just built.
func (a *app) renew(ctx context.Context) error {
	client, err := a.connect(mind.ActorCLI)
	if err != nil {
		return err
	}
	health, err := client.Health(ctx)
	if err != nil {
		return nil // none is running; the next call starts one
	}
	exe, modified := daemon.Executable()
	if health.Version == config.Version && !rebuiltSince(health, exe, modified) {
		return nil
	}
	if health.Version != config.Version && !rpc.Newer(config.Version, health.Version) {
		return nil // a newer daemon serves older clients
	}
	a.note("a newer build takes over from the running daemon (pid %d)", health.PID)
	if err := client.Stop(ctx); err != nil && !errors.Is(err, rpc.ErrNotRunning) {
		return err
	}
	return nil
}

func (a *app) whatNext() {
	program := "chitta"
	if _, err := exec.LookPath(program); err != nil {
		program = os.Args[0] // as it was called just now, so that the lines can be copied
	}
	a.printf("\nTry:\n")
	for _, line := range [][2]string{
		{`remember "make test runs everything" --kind wisdom`, "store something"},
		{`recall "how do I run the tests"`, "find it again"},
		{`--help`, "all commands"},
	} {
		a.printf("  %s %-52s %s\n", program, line[0], a.dim(line[1]))
	}
}
