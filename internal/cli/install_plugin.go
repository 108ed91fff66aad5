package cli

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"chitta/internal/config"
	"chitta/internal/install"
	"chitta/plugin"
)

// installPlugin writes the plugin and has the client take it.
func (a *app) installPlugin(ctx context.Context, in *install.Installer, opts installing, want install.Want) error {
	if opts.scope == install.ScopeProject {
		return &usageError{"a plugin from this machine is of no use to others", "use --scope user or local, or have the project name a marketplace that all can reach"}
	}
	if err := refuseBesideFiles(in); err != nil {
		return err
	}
	client, err := a.findClient()
	if err != nil {
		return err
	}
	dir := pluginDir(in)
	if !opts.dryRun {
		if err := install.WritePlugin(dir, plugin.Files, config.Version, want); err != nil {
			return err
		}
	}
	out, err := runClient(ctx, client, dir, opts, false)
	if err != nil {
		return err
	}
	out.Hooks = names(want.Hooks.Events)
	if want.ClaudeMD {
		report, err := in.Summarise(ctx, opts.scope, opts.dryRun)
		if err != nil {
			return installError(err)
		}
		out.Files, out.Notes = report.Files, append(out.Notes, report.Notes...)
	}
	if opts.http {
		out.Notes = append(out.Notes, tokenNote(config.PathsFor(filepath.Dir(in.Record))))
	}
	return a.showInstalled(out, opts, "is installed", useIt(opts))
}

// refuseBesideFiles keeps the plugin from a client whose files name chitta
// already, in whatever scope: each hook would run twice.
func refuseBesideFiles(in *install.Installer) error {
	for _, scope := range install.Scopes() {
		known, err := in.Inspect(scope)
		if err != nil {
			return err
		}
		if len(known.Calls()) == 0 {
			continue
		}
		file := known.Settings.Path
		if len(known.Hooks) == 0 {
			file = known.Servers.Path
		}
		return &usageError{"chitta is registered in " + file + " already: with the plugin as well, each hook would run twice", "take it out first: " + install.UninstallLine(scope, false)}
	}
	return nil
}

// refuseBesidePlugin is the same the other way round.
func refuseBesidePlugin(in *install.Installer) error {
	for _, scope := range install.Scopes() {
		known, err := in.Inspect(scope)
		if err != nil {
			return err
		}
		if known.Plugin {
			return &usageError{"chitta's plugin is switched on in " + known.Settings.Path + ": with entries of its own as well, each hook would run twice", "keep the plugin, or take it out first: " + install.UninstallLine(scope, true)}
		}
	}
	return nil
}

func (a *app) uninstallPlugin(ctx context.Context, in *install.Installer, opts installing) error {
	client, err := a.findClient()
	if err != nil {
		return err
	}
	dir := pluginDir(in)
	out, err := runClient(ctx, client, dir, opts, true)
	if err != nil {
		return err
	}
	if !opts.dryRun {
		if err := os.RemoveAll(dir); err != nil {
			return fmt.Errorf("remove the plugin: %w", err)
		}
	}
	report, err := in.Unsummarise(ctx, opts.scope, opts.dryRun)
	if err != nil {
		return installError(err)
	}
	out.Files, out.Notes = report.Files, append(out.Notes, report.Notes...)
	return a.showInstalled(out, opts, "is not installed", keepsMemories)
}

// pluginDir is where the plugin is written: the client reads it from there.
func pluginDir(in *install.Installer) string {
	return filepath.Join(filepath.Dir(in.Record), clientName)
}

// findClient returns the client's binary.
func (a *app) findClient() (string, error) {
	client := a.getenv("CLAUDE_BIN")
	if client == "" {
		client = "claude"
	}
	path, err := exec.LookPath(client)
	if err != nil {
		return "", &usageError{"the client was not found: " + err.Error(), "say with CLAUDE_BIN where it is, or install without --plugin"}
	}
	return path, nil
}

// clientTimeout bounds one command of the client, which takes a second or two.
const clientTimeout = time.Minute

// runClient has the client put the plugin in or out.
func runClient(ctx context.Context, client, dir string, opts installing, remove bool) (installed, error) {
	out := installed{Report: install.Report{Scope: opts.scope, DryRun: opts.dryRun, Files: []install.FileReport{}, Notes: []string{}}, Plugin: dir, Hooks: []string{}}
	for _, args := range install.PluginCommands(dir, opts.scope, remove) {
		line := "claude"
		for _, arg := range args {
			line += " " + quoted(arg)
		}
		out.Commands = append(out.Commands, line)
		if opts.dryRun {
			continue
		}
		limited, cancel := context.WithTimeout(ctx, clientTimeout)
		said, err := exec.CommandContext(limited, client, args...).CombinedOutput()
		cancel()
		if err != nil {
			return out, fmt.Errorf("%s: %w: %s", line, err, strings.TrimSpace(string(said)))
		}
	}
	return out, nil
}
