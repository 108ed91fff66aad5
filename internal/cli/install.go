package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"chitta/internal/config"
	"chitta/internal/install"
	"chitta/plugin"
)

// hookEvents lists the events that this binary answers with "chitta hook".
// There is no such command yet, and the client must not be told to call it:
// with it come install.Events here and hooks/hooks.json in the plugin.
func hookEvents() []install.Event { return nil }

// clientName is the one client that chitta can be installed in.
const clientName = "claude-code"

// installing is what the command line of install and uninstall says.
type installing struct {
	scope          string
	plugin, dryRun bool
}

func (a *app) installCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "install", Short: "Make chitta known to a coding agent", Args: noArgs, RunE: help}
	var opts installing
	client := &cobra.Command{
		Use: clientName, Short: "Register chitta with Claude Code", Args: noArgs,
		Long: `Register chitta with Claude Code: its MCP server, and its hooks as soon as this binary has them. What else is in the client's files stays byte for byte; a copy of each is kept beside it. chitta uninstall claude-code takes it back exactly.

--scope user is for every project of yours, local for this project alone, project for everybody who works in it, by files that are shared.`,
		Example: `  chitta install claude-code
  chitta install claude-code --dry-run
  chitta install claude-code --scope local`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			self, err := os.Executable()
			if err != nil {
				return fmt.Errorf("find this binary: %w", err)
			}
			return a.install(cmd.Context(), opts, self, hookEvents())
		},
	}
	a.installFlags(client, &opts)
	cmd.AddCommand(client)
	return cmd
}

func (a *app) uninstallCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "uninstall", Short: "Take chitta out of a coding agent again", Args: noArgs, RunE: help}
	var opts installing
	client := &cobra.Command{
		Use: clientName, Short: "Take chitta out of Claude Code", Args: noArgs,
		Long:    "Take chitta out of Claude Code. A file that nobody changed since is as it was before, byte for byte; in another one only the entries of chitta go. What chitta remembers stays.",
		Example: "  chitta uninstall claude-code",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.uninstall(cmd.Context(), opts)
		},
	}
	a.installFlags(client, &opts)
	cmd.AddCommand(client)
	return cmd
}

func help(cmd *cobra.Command, _ []string) error { return cmd.Help() }

func (a *app) installFlags(cmd *cobra.Command, opts *installing) {
	cmd.Flags().StringVar(&opts.scope, "scope", install.ScopeUser, "for whom: user, project or local")
	cmd.Flags().BoolVar(&opts.plugin, "plugin", false, "as a plugin, with commands and a skill, by the client's own commands")
	cmd.Flags().BoolVar(&opts.dryRun, "dry-run", false, "say what would be done, and do nothing")
	a.completeWords(cmd, "scope", install.Scopes())
}

// installed is the answer of install and uninstall.
type installed struct {
	install.Report
	Hooks    []string `json:"hooks"`              // events that are registered
	Plugin   string   `json:"plugin,omitempty"`   // folder of the plugin
	Commands []string `json:"commands,omitempty"` // of the client that were run
}

// install registers the MCP server of a binary, and hooks for the events that
// it answers.
func (a *app) install(ctx context.Context, opts installing, self string, events []install.Event) error {
	in, paths, err := a.installer()
	if err != nil {
		return err
	}
	want, err := a.wanted(opts.scope, self, events)
	if err != nil {
		return err
	}
	if !opts.dryRun {
		if err := paths.EnsureHome(); err != nil {
			return err
		}
	}
	if opts.plugin {
		return a.installPlugin(ctx, in, opts, want)
	}
	report, err := in.Install(ctx, opts.scope, want, opts.dryRun)
	if err != nil {
		return installError(err)
	}
	out := installed{Report: report, Hooks: names(events)}
	if opts.scope == install.ScopeProject && filepath.IsAbs(want.Server.Command) {
		out.Notes = append(out.Notes, "others who share these files have no "+want.Server.Command+": put chitta on the search path and install again, or use --scope local")
	}
	if len(events) == 0 {
		out.Notes = append(out.Notes, "no hooks were registered: this version of chitta has none; the agent reaches its memory through the MCP server")
	}
	return a.showInstalled(out, "is installed", "start the client anew to use it; chitta uninstall claude-code takes it back")
}

func (a *app) uninstall(ctx context.Context, opts installing) error {
	in, _, err := a.installer()
	if err != nil {
		return err
	}
	if opts.plugin {
		return a.uninstallPlugin(ctx, in, opts)
	}
	report, err := in.Uninstall(ctx, opts.scope, opts.dryRun)
	if err != nil {
		return installError(err)
	}
	return a.showInstalled(installed{Report: report, Hooks: []string{}}, "is not installed", "what chitta remembers stays")
}

// installer knows the client's files and where to note what was done to them.
func (a *app) installer() (*install.Installer, config.Paths, error) {
	paths, err := config.Locate(config.LoadOptions{Home: a.home})
	if err != nil {
		return nil, paths, err
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return nil, paths, &usageError{"there is no home directory to install in", "set HOME"}
	}
	work, err := workDir()
	if err != nil {
		return nil, paths, &usageError{err.Error(), "go to one that exists"}
	}
	in := install.At(a.getenv, home, work, filepath.Join(paths.Home(), "install.json"))
	if in.Config, err = filepath.Abs(in.Config); err == nil {
		in.State, err = filepath.Abs(in.State)
	}
	return in, paths, err
}

// wanted says what to register. Files that others share name the binary alone,
// as their path to it is another.
func (a *app) wanted(scope, self string, events []install.Event) (install.Want, error) {
	command, found, err := install.Executable(self, exec.LookPath)
	if err != nil {
		return install.Want{}, err
	}
	if scope == install.ScopeProject && found {
		command = filepath.Base(command)
	}
	var args []string
	if a.home != "" {
		home, err := absolute(a.home)
		if err != nil {
			return install.Want{}, err
		}
		args = []string{"--home", home}
	}
	return install.Want{
		Hooks:  install.Hooks{Command: command, Args: args, Events: events},
		Server: install.Server{Command: command, Args: args},
	}, nil
}

// installError says what to do about a file that cannot be edited.
func installError(err error) error {
	var syntax *install.SyntaxError
	var taken *install.TakenError
	switch {
	case errors.As(err, &syntax):
		return &usageError{err.Error(), "mend the file first; nothing was changed"}
	case errors.As(err, &taken):
		return &usageError{err.Error(), "rename or remove it first: claude mcp remove chitta; nothing was changed"}
	}
	return err
}

// showInstalled prints what was done to which file.
func (a *app) showInstalled(out installed, nothing, next string) error {
	if a.json {
		return a.printJSON(out)
	}
	done := 0
	for _, f := range out.Files {
		if f.Action == install.Unchanged {
			continue
		}
		done++
		action := f.Action
		if out.DryRun {
			action = "would be " + action
		}
		a.printf("%s %s\n", f.Path, a.bold(action))
		for _, c := range f.Changes {
			for _, line := range c.Diff() {
				a.printf("  %s\n", a.diffLine(line))
			}
		}
		if f.Backup != "" {
			a.printf("  %s\n", a.dim("copy of the old one: "+f.Backup))
		}
	}
	for _, c := range out.Commands {
		done++
		a.printf("%s\n", c)
	}
	for _, n := range out.Notes {
		a.note("%s", n)
	}
	switch {
	case done == 0:
		a.printf("nothing to do: chitta %s (scope %s)\n", nothing, out.Scope)
	case !out.DryRun:
		a.note("%s", next)
	}
	return nil
}

func (a *app) diffLine(line string) styled {
	if strings.HasPrefix(line, "-") {
		return a.red(line)
	}
	return a.green(line)
}

func names(events []install.Event) []string {
	out := make([]string, len(events))
	for i, e := range events {
		out[i] = e.Name
	}
	return out
}

// installPlugin writes the plugin and has the client take it.
func (a *app) installPlugin(ctx context.Context, in *install.Installer, opts installing, want install.Want) error {
	if opts.scope == install.ScopeProject {
		return &usageError{"a plugin from this machine is of no use to others", "use --scope user or local, or have the project name a marketplace that all can reach"}
	}
	twice, err := in.Uninstall(ctx, opts.scope, true)
	if err != nil {
		return installError(err)
	}
	for _, f := range twice.Files {
		if f.Action != install.Unchanged {
			return &usageError{"chitta is registered in " + f.Path + " already", "take it out first: chitta uninstall claude-code --scope " + opts.scope}
		}
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
	return a.showInstalled(out, "", "start the client anew to use it; chitta uninstall claude-code --plugin takes it back")
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
	return a.showInstalled(out, "", "what chitta remembers stays")
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
