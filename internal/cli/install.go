package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"chitta/internal/config"
	"chitta/internal/install"
)

// clientName is the one client that chitta can be installed in.
const clientName = "claude-code"

// installing is what the command line of install and uninstall says.
type installing struct {
	scope          string
	plugin, dryRun bool
	claudeMD, http bool
	verbose        bool
}

func (a *app) installCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "install", Short: "Make chitta known to a coding agent", Args: noArgs, RunE: help}
	var opts installing
	client := &cobra.Command{
		Use: clientName, Short: "Register chitta with Claude Code", Args: noArgs,
		Long: `Register chitta with Claude Code: its hooks and its MCP server. What else is in the client's files stays byte for byte, and a copy of each is kept. chitta uninstall claude-code takes it back exactly.

--scope user is for every project of yours, local for this project alone, project for everybody who works in it, by files that are shared.`,
		Example: `  chitta install claude-code
  chitta install claude-code --dry-run
  chitta install claude-code --scope local --claude-md`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			self, err := os.Executable()
			if err != nil {
				return fmt.Errorf("find this binary: %w", err)
			}
			return a.install(cmd.Context(), opts, self)
		},
	}
	a.installFlags(client, &opts)
	client.Flags().BoolVar(&opts.claudeMD, "claude-md", false, "keep a summary of what is remembered in this project's CLAUDE.md")
	client.Flags().BoolVar(&opts.http, "http", false, "have the client post hooks to the daemon (http.listen) where it can")
	cmd.AddCommand(client)
	return cmd
}

func (a *app) uninstallCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "uninstall", Short: "Take chitta out of a coding agent again", Args: noArgs, RunE: help}
	var opts installing
	client := &cobra.Command{
		Use: clientName, Short: "Take chitta out of Claude Code", Args: noArgs,
		Long:    "Take chitta out of Claude Code. A file that nobody changed since is as it was before, byte for byte; in another one only the entries of chitta go. A summary in CLAUDE.md that was asked for in the same scope goes too, with --scope user in every project. What chitta remembers stays.",
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
	cmd.Flags().BoolVar(&opts.verbose, "verbose", false, "show the lines that change in each file")
	a.completeWords(cmd, "scope", install.Scopes())
}

// installed is the answer of install and uninstall.
type installed struct {
	install.Report
	Hooks    []string `json:"hooks"`              // events that are registered
	Plugin   string   `json:"plugin,omitempty"`   // folder of the plugin
	Commands []string `json:"commands,omitempty"` // of the client that were run
}

// install registers the hooks and the MCP server of a binary.
func (a *app) install(ctx context.Context, opts installing, self string) error {
	in, paths, err := a.installer()
	if err != nil {
		return err
	}
	want, err := a.wanted(opts, self)
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
	if err := refuseBesidePlugin(in); err != nil {
		return err
	}
	report, err := in.Install(ctx, opts.scope, want, opts.dryRun)
	if err != nil {
		return installError(err)
	}
	out := installed{Report: report, Hooks: names(want.Hooks.Events)}
	if opts.scope == install.ScopeProject && filepath.IsAbs(want.Server.Command) {
		out.Notes = append(out.Notes, "others who share these files have no "+want.Server.Command+": put chitta on the search path and install again, or use --scope local")
	}
	if opts.http {
		out.Notes = append(out.Notes, tokenNote(paths))
	}
	return a.showInstalled(out, opts, "is installed", useIt(opts))
}

// tokenNote says what the client needs to post hooks.
func tokenNote(paths config.Paths) string {
	return "the client shows the daemon a token that it takes from its environment; put this into the profile of your shell: export " +
		install.TokenVariable + `="$(cat ` + quoted(paths.HTTPToken()) + `)"`
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
	if err := a.showInstalled(installed{Report: report, Hooks: []string{}}, opts, "is not installed", keepsMemories); err != nil {
		return err
	}
	return a.noteElsewhere(in, opts.scope)
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
	in := install.At(a.getenv, home, work, paths.InstallRecord())
	if in.Config, err = filepath.Abs(in.Config); err == nil {
		in.State, err = filepath.Abs(in.State)
	}
	return in, paths, err
}

// wanted says what to register. Files that others share name the binary alone,
// as their path to it is another.
func (a *app) wanted(opts installing, self string) (install.Want, error) {
	command, found, err := install.Executable(self, exec.LookPath)
	if err != nil {
		return install.Want{}, err
	}
	if opts.scope == install.ScopeProject && found {
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
	want := install.Want{
		Hooks:    install.Hooks{Command: command, Args: args, Events: install.Events()},
		Server:   install.Server{Command: command, Args: args},
		ClaudeMD: opts.claudeMD,
	}
	if opts.http {
		want.Hooks.HTTP, err = a.postedTo(opts.scope)
	}
	return want, err
}

// postedTo is where the client posts hooks. Settings hold it, so it has to be
// the same tomorrow.
func (a *app) postedTo(scope string) (string, error) {
	if scope == install.ScopeProject {
		return "", &usageError{"a port of this machine is of no use to others", "use --scope user or local with --http"}
	}
	cfg, err := a.config()
	if err != nil {
		return "", err
	}
	const how = `write listen = "127.0.0.1:7371" under [http] in `
	if cfg.HTTP.Listen == "" {
		return "", &usageError{"the daemon takes no posted hooks: http.listen is not set", how + cfg.Paths().ConfigFile() + ", then: chitta daemon stop, chitta up"}
	}
	if _, port, err := net.SplitHostPort(cfg.HTTP.Listen); err != nil || port == "0" {
		return "", &usageError{"http.listen has no fixed port: settings cannot name one that changes", how + cfg.Paths().ConfigFile()}
	}
	return "http://" + cfg.HTTP.Listen, nil
}

// installError says what to do about a file that cannot be edited.
func installError(err error) error {
	var syntax *install.SyntaxError
	var taken *install.TakenError
	switch {
	case errors.Is(err, install.ErrMarks):
		return &usageError{err.Error(), "mend or remove the marks first; nothing was changed"}
	case errors.As(err, &syntax):
		return &usageError{err.Error(), "mend the file first; nothing was changed"}
	case errors.As(err, &taken):
		return &usageError{err.Error(), "rename or remove it first: claude mcp remove chitta; nothing was changed"}
	}
	return err
}

// keepsMemories is said after chitta was taken out.
const keepsMemories = "what chitta remembers stays"

// useIt says what to do after chitta was put in.
func useIt(opts installing) string {
	return "start the client anew to use it; chitta doctor says whether all is well, " +
		install.UninstallLine(opts.scope, opts.plugin) + " takes it back"
}

// noteElsewhere says where chitta still is after it was taken out of a scope.
func (a *app) noteElsewhere(in *install.Installer, scope string) error {
	for _, other := range install.Scopes() {
		r, err := in.Inspect(other)
		if err != nil {
			return err
		}
		if other != scope && len(r.Calls()) > 0 {
			a.note("chitta is still in scope %s: %s", other, install.UninstallLine(other, false))
		}
		if r.Plugin {
			a.note("the plugin is still switched on: %s", install.UninstallLine(other, true))
		}
	}
	return nil
}

// showInstalled prints what was done to which file, a line for each.
func (a *app) showInstalled(out installed, opts installing, nothing, next string) error {
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
		a.printf("%s %s: %s%s\n", f.Path, a.bold(action), f.Words(), a.dim(copyText(f)))
		if opts.verbose {
			a.showDiff(f)
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

func copyText(f install.FileReport) string {
	if f.Backup == "" {
		return ""
	}
	return " (copy of the old one: " + f.Backup + ")"
}

// showDiff prints the lines of a file that changed.
func (a *app) showDiff(f install.FileReport) {
	for _, c := range f.Changes {
		for _, line := range c.Diff() {
			a.printf("  %s\n", a.diffLine(line))
		}
	}
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
