package cli

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"chitta/internal/daemon"
	"chitta/internal/mind"
	"chitta/internal/rpc"
)

func (a *app) daemonCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "daemon", Short: "Run, start, stop and look at the daemon", Args: noArgs,
		Example: "  chitta daemon status\n  chitta daemon logs\n  chitta daemon stop",
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
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
			client, paths, err := a.running()
			if err != nil {
				return err
			}
			defer client.Close()
			ctx, cancel := context.WithTimeout(cmd.Context(), statusPatience)
			defer cancel()
			health, err := client.Health(ctx)
			if err == nil {
				return a.daemonStatus(health)
			}
			holder, held, lockErr := rpc.LockHolder(paths.Lock())
			if lockErr != nil || !held && !errors.Is(err, rpc.ErrNotRunning) {
				return errors.Join(err, lockErr)
			}
			switch {
			case a.json:
				if err := a.printJSON(daemonState{Running: held, PID: holder.PID, Version: holder.Version}); err != nil {
					return err
				}
			case held:
				a.printf("running (pid %d), not reachable\n", holder.PID)
				a.note("it may be starting or leaving; if it stays so, end that process")
			default:
				a.printf("not running\n")
			}
			return &silentError{exitUnavailable}
		},
	}
	cmd.AddCommand(run, start, stop, status, a.logsCommand())
	return cmd
}

// statusPatience is how long a daemon may take to say how it is.
const statusPatience = 3 * time.Second

// daemonState is what daemon status says.
type daemonState struct {
	Running   bool    `json:"running"`   // its lock is held
	Reachable bool    `json:"reachable"` // and it answers
	Status    string  `json:"status,omitempty"`
	PID       int     `json:"pid,omitempty"`
	Version   string  `json:"version,omitempty"`
	Uptime    float64 `json:"uptime,omitempty"` // seconds
	Home      string  `json:"home,omitempty"`
}

func (a *app) daemonStatus(h rpc.Health) error {
	st := daemonState{Running: true, Reachable: true, Status: h.Status, PID: h.PID, Version: h.Version, Uptime: h.UptimeSeconds}
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
	client, _, err := a.running()
	if err != nil {
		return false, err
	}
	defer client.Close()
	err = client.Stop(ctx)
	if errors.Is(err, rpc.ErrNotRunning) {
		return false, nil
	}
	return err == nil, err
}

// rebuiltSince reports whether the file the daemon was started from is this
// one and was replaced since.
func rebuiltSince(h rpc.Health, exe string, modified time.Time) bool {
	var running struct {
		Exe      string    `json:"exe"`
		Modified time.Time `json:"exe_modified"`
	}
	if json.Unmarshal(h.Fields["exe"], &running.Exe) != nil || json.Unmarshal(h.Fields["exe_modified"], &running.Modified) != nil {
		return false // it does not say; leave it alone
	}
	return running.Exe == exe && modified.After(running.Modified)
}
