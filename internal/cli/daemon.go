package cli

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"chitta/internal/daemon"
	"chitta/internal/mind"
	"chitta/internal/rpc"
)

func (a *app) daemonCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "daemon", Short: "Run, start, stop and look at the daemon", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	run := &cobra.Command{
		Use: "run", Short: "Be the daemon, in the foreground", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := a.config()
			if err != nil {
				return err
			}
			return daemon.Run(cmd.Context(), cfg)
		},
	}
	start := &cobra.Command{
		Use: "start", Short: "Start the daemon if none is running", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			st, err := a.start(cmd.Context())
			if err != nil {
				return err
			}
			return a.daemonStatus(st)
		},
	}
	stop := &cobra.Command{
		Use: "stop", Short: "Let the daemon finish its requests and end", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			wasRunning, err := a.stop(cmd.Context())
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(map[string]bool{"stopped": wasRunning})
			}
			if wasRunning {
				a.printf("stopped\n")
			} else {
				a.printf("not running\n")
			}
			return nil
		},
	}
	status := &cobra.Command{
		Use: "status", Short: "Say whether the daemon is running", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			a.noStart = true
			client, err := a.connect(mind.ActorCLI)
			if err != nil {
				return err
			}
			health, err := client.Health(cmd.Context())
			if errors.Is(err, rpc.ErrNotRunning) {
				if a.json {
					if err := a.printJSON(daemonState{Running: false}); err != nil {
						return err
					}
				} else {
					a.printf("not running\n")
				}
				return &silentError{exitUnavailable}
			}
			if err != nil {
				return err
			}
			return a.daemonStatus(health)
		},
	}
	cmd.AddCommand(run, start, stop, status, a.logsCommand())
	return cmd
}

// daemonState is what daemon status says.
type daemonState struct {
	Running bool    `json:"running"`
	Status  string  `json:"status,omitempty"`
	PID     int     `json:"pid,omitempty"`
	Version string  `json:"version,omitempty"`
	Uptime  float64 `json:"uptime,omitempty"` // seconds
	Home    string  `json:"home,omitempty"`
}

func (a *app) daemonStatus(h rpc.Health) error {
	st := daemonState{Running: true, Status: h.Status, PID: h.PID, Version: h.Version, Uptime: h.UptimeSeconds}
	if err := json.Unmarshal(h.Fields["home"], &st.Home); err != nil {
		st.Home = ""
	}
	if a.json {
		return a.printJSON(st)
	}
	a.printf("running: pid %d, version %s, up %s\n", st.PID, st.Version, spanText(time.Duration(st.Uptime*float64(time.Second))))
	return nil
}

// start makes sure a daemon answers.
func (a *app) start(ctx context.Context) (rpc.Health, error) {
	if _, _, err := invoke[mind.VersionOutput](ctx, a, "version", nil); err != nil {
		return rpc.Health{}, err
	}
	return a.client.Health(ctx)
}

// stop ends the daemon if one is running and says whether there was one.
func (a *app) stop(ctx context.Context) (bool, error) {
	client, err := a.connect(mind.ActorCLI)
	if err != nil {
		return false, err
	}
	err = client.Stop(ctx)
	if errors.Is(err, rpc.ErrNotRunning) {
		return false, nil
	}
	return err == nil, err
}

// sameBinary reports whether the daemon was started from this very file.
func sameBinary(h rpc.Health, exe string, modified time.Time) bool {
	var running struct {
		Exe      string    `json:"exe"`
		Modified time.Time `json:"exe_modified"`
	}
	if json.Unmarshal(h.Fields["exe"], &running.Exe) != nil || json.Unmarshal(h.Fields["exe_modified"], &running.Modified) != nil {
		return true // it does not say; leave it alone
	}
	return running.Exe != exe || !modified.After(running.Modified)
}

func (a *app) logsCommand() *cobra.Command {
	var lines int
	var follow bool
	cmd := &cobra.Command{
		Use: "logs", Short: "Show the daemon's log", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := a.config()
			if err != nil {
				return err
			}
			return a.tailLog(cmd.Context(), cfg.Paths().LogFile(), lines, follow)
		},
	}
	cmd.Flags().IntVarP(&lines, "lines", "n", 50, "how many lines from the end")
	cmd.Flags().BoolVarP(&follow, "follow", "f", false, "go on showing what is added")
	return cmd
}

// tailBytes is how far back in the file the last lines are looked for.
const tailBytes = 1 << 20

func (a *app) tailLog(ctx context.Context, path string, lines int, follow bool) error {
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		a.note("there is no log yet")
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	if fi, err := f.Stat(); err == nil && fi.Size() > tailBytes {
		if _, err := f.Seek(-tailBytes, io.SeekEnd); err != nil {
			return err
		}
	}
	b, err := io.ReadAll(f)
	if err != nil {
		return err
	}
	all := strings.Split(strings.TrimRight(string(b), "\n"), "\n")
	for _, line := range all[max(0, len(all)-max(0, lines)):] {
		a.printf("%s\n", line)
	}
	for follow {
		if _, err := io.Copy(a.out, f); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(200 * time.Millisecond):
		}
	}
	return nil
}
