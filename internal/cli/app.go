package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"chitta/internal/config"
	"chitta/internal/daemon"
	"chitta/internal/memory"
	"chitta/internal/mind"
	"chitta/internal/rpc"
	"chitta/internal/tool"
)

// app is one run of the command line.
type app struct {
	in     io.Reader
	out    *output
	err    io.Writer
	getenv func(string) string

	home    string // --home
	json    bool   // --json
	noStart bool   // --no-start
	set     map[string]string

	client *rpc.Client
}

func (a *app) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:           "chitta",
		Short:         "Long-term memory for coding agents",
		Long:          "chitta remembers what was said, done and learned, and finds it again.\n\nStart with: chitta up",
		SilenceErrors: true, SilenceUsage: true,
		Version: config.Version,
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(cmd, args[0])
			}
			return cmd.Help()
		},
		PersistentPreRunE: validText,
	}
	root.SetVersionTemplate("chitta {{.Version}}\n")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return &usageError{err.Error(), "try: " + cmd.CommandPath() + " --help"}
	})
	flags := root.PersistentFlags()
	flags.StringVar(&a.home, "home", "", "data directory (default $CHITTA_HOME, then ~/.chitta)")
	flags.BoolVar(&a.json, "json", false, "print the answer as JSON")
	flags.StringToStringVar(&a.set, "set", nil, "override a setting for this run, e.g. log.level=debug")
	flags.BoolVar(&a.noStart, "no-start", false, "do not start the daemon when none is running")
	root.AddGroup(
		&cobra.Group{ID: groupStart, Title: "Start here:"},
		&cobra.Group{ID: groupMemory, Title: "Memories:"},
		&cobra.Group{ID: groupRecall, Title: "Finding:"},
		&cobra.Group{ID: groupCare, Title: "Looking after the data:"},
		&cobra.Group{ID: groupRoles, Title: "Roles and plumbing:"},
	)
	root.SetHelpCommandGroupID(groupRoles)
	root.SetCompletionCommandGroupID(groupRoles)
	add := func(group string, cmds ...*cobra.Command) {
		for _, c := range cmds {
			c.GroupID = group
			root.AddCommand(c)
		}
	}
	add(groupStart, a.upCommand(), a.statusCommand(), a.doctorCommand(), a.installCommand(), a.uninstallCommand())
	add(groupMemory, a.rememberCommand(), a.learnCommand(), a.decideCommand(), a.getCommand(), a.listCommand(),
		a.updateCommand(), a.tagCommand(), a.untagCommand(), a.pinCommand(), a.unpinCommand(),
		a.strengthenCommand(), a.weakenCommand(), a.correctCommand(), a.rejectCommand(),
		a.forgetCommand(), a.unforgetCommand(), a.historyCommand(), a.verifyCommand())
	add(groupRecall, a.recallCommand(), a.searchCommand(), a.sessionsCommand(), a.showCommand(), a.resumeCommand(), a.contextCommand(), a.explainCommand(), a.predictCommand(), a.blameCommand(), a.fixCommand(), a.howCommand(), a.graphCommand(), a.ledgerCommand(), a.handoffCommand(), a.replayCommand(), a.statsCommand(), a.realmCommand(), a.codeCommand())
	add(groupCare, a.checkCommand(), a.backupCommand(), a.restoreCommand(), a.rebuildCommand(), a.modelCommand(), a.exportCommand(), a.importCommand(), a.learnHistoryCommand(), a.migrateCommand(), a.sessionCommand())
	add(groupRoles, a.daemonCommand(), a.mcpCommand(), a.hookCommand(), a.callCommand(), a.toolsCommand(), a.benchCommand(), a.versionCommand())
	return root
}

// Groups of commands in the help.
const (
	groupStart  = "start"
	groupMemory = "memory"
	groupRecall = "recall"
	groupCare   = "care"
	groupRoles  = "roles"
)

func unknownCommand(cmd *cobra.Command, name string) error {
	hint := cmd.CommandPath() + " --help lists the commands"
	var names []string
	for _, c := range cmd.Commands() {
		if c.Name() == name { // found, were it not for the --
			return &usageError{fmt.Sprintf("the command %s stands after --", name), fmt.Sprintf("write: %s %s …", cmd.CommandPath(), name)}
		}
		names = append(names, c.Name())
	}
	if near := memory.Nearest(name, names); near != "" {
		hint = fmt.Sprintf("did you mean %q? %s", near, hint)
	}
	return &usageError{fmt.Sprintf("%q is not a command", name), hint}
}

// exactly says how many arguments a command takes, in words of its own.
func exactly(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != n {
			return &usageError{fmt.Sprintf("%s takes %s", cmd.CommandPath(), what), "try: " + cmd.CommandPath() + " --help"}
		}
		return nil
	}
}

// noArgs refuses arguments, in a group of commands as an unknown command.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if cmd.HasSubCommands() {
		return unknownCommand(cmd, args[0])
	}
	return &usageError{fmt.Sprintf("%s takes no arguments", cmd.CommandPath()), "try: " + cmd.CommandPath() + " --help"}
}

func (a *app) config() (config.Config, error) {
	return config.Load(config.LoadOptions{Home: a.home, Overrides: a.set})
}

// running returns a client that never starts a daemon and needs no
// configuration, for what must work when that is broken.
func (a *app) running() (*rpc.Client, config.Paths, error) {
	paths, err := config.Locate(config.LoadOptions{Home: a.home})
	if err != nil {
		return nil, paths, err
	}
	return rpc.New(rpc.ClientOptions{Socket: paths.Socket(), Lock: paths.Lock(), Version: config.Version, Name: mind.ActorCLI}), paths, nil
}

// workDir returns the directory of work, which may have been removed.
func workDir() (string, error) {
	wd, err := os.Getwd()
	if err == nil {
		_, err = os.Stat(wd)
	}
	if err != nil {
		return "", &usageError{"this directory is gone", "go to one that exists, or name a realm with --realm"}
	}
	return wd, nil
}

// worksHere lists the operations that go by the directory of work unless told
// a realm or a directory.
var worksHere = map[string]bool{
	"remember": true, "learn": true, "decide": true, "list": true, "recall": true, "context": true,
	"search": true, "session_list": true, "verify": true,
	"explain": true, "predict": true, "blame": true, "fix": true, "how": true,
	"graph_add": true, "graph_remove": true, "graph_parse": true, "graph_query": true, "graph_neighbours": true, "graph_paths": true,
	"graph_similar": true, "graph_activate": true, "graph_infer": true, "graph_contradictions": true, "graph_timeline": true, "graph_concept": true,
	"graph_rename": true, "graph_merge": true, "graph_alias": true, "graph_stats": true, "graph_export": true, "graph_import": true,
	"ledger_save": true, "ledger_load": true, "ledger_list": true, "handoff": true, "session_learn": true,
	"realm_get": true, "realm_set": true, "realm_visibility": true, "realm_detect": true,
}

// placed refuses an operation that would go by a directory that is gone:
// what it stores would end up elsewhere.
func placed(method string, in any) error {
	if !worksHere[method] {
		return nil
	}
	_, gone := workDir()
	if gone == nil {
		return nil
	}
	var given struct{ Realm, Dir string }
	b, err := json.Marshal(in)
	if err != nil {
		return err
	}
	// what does not fit is for the daemon to refuse
	if json.Unmarshal(b, &given) == nil && (given.Realm != "" || method == "realm_detect" && filepath.IsAbs(given.Dir)) {
		return nil
	}
	return gone
}

// connect returns the client of the data directory's daemon, which is started
// when needed.
func (a *app) connect(name string) (*rpc.Client, error) {
	if a.client != nil {
		return a.client, nil
	}
	cfg, err := a.config()
	if err != nil {
		return nil, err
	}
	paths := cfg.Paths()
	cwd := a.getenv("CLAUDE_PROJECT_DIR")
	if cwd == "" || name == mind.ActorCLI {
		cwd, _ = workDir() // one that is gone matters to those that go by it
	}
	opts := rpc.ClientOptions{
		Socket: paths.Socket(), Lock: paths.Lock(), Version: config.Version, Name: name, Cwd: cwd,
		Session: a.getenv("CLAUDE_CODE_SESSION_ID"), ReadOnly: tool.ReadOnly,
	}
	if !a.noStart {
		if err := paths.EnsureHome(); err != nil {
			return nil, err
		}
		exe, _ := daemon.Executable()
		args := []string{"daemon", "run", "--home", cfg.Home}
		for _, key := range sortedKeys(a.set) {
			args = append(args, "--set", key+"="+a.set[key])
		}
		opts.Launcher = &rpc.Launcher{
			Exe: exe, Args: args,
			StartLock: paths.StartLock(), StartLog: paths.StartLog(),
		}
	}
	a.client = rpc.New(opts)
	return a.client, nil
}

// invoke calls an operation and returns its output, both as it came and
// decoded.
func invoke[Out any](ctx context.Context, a *app, method string, in any) (out Out, raw json.RawMessage, err error) {
	if err := placed(method, in); err != nil {
		return out, nil, err
	}
	client, err := a.connect(mind.ActorCLI)
	if err != nil {
		return out, nil, err
	}
	if err := client.Call(ctx, method, in, &raw); err != nil {
		return out, nil, err
	}
	if err := json.Unmarshal(raw, &out); err != nil {
		return out, nil, fmt.Errorf("answer of %s: %w", method, err)
	}
	return out, raw, nil
}

// show calls an operation and prints its output: as JSON when asked for,
// otherwise in words.
func show[Out any](cmd *cobra.Command, a *app, method string, in any, words func(Out)) error {
	out, raw, err := invoke[Out](cmd.Context(), a, method, in)
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(raw)
	}
	words(out)
	if s, ok := any(out).(interface{ Unfinished() string }); ok && s.Unfinished() != "" {
		a.note("%s", s.Unfinished())
	}
	return nil
}

// absolute makes a file name absolute, for others who read it elsewhere.
func absolute(file string) (string, error) {
	abs, err := filepath.Abs(file)
	if err != nil {
		return "", &usageError{"this directory is gone", "go to one that exists, or write the whole path"}
	}
	return abs, nil
}

// printJSON prints a value as indented JSON.
func (a *app) printJSON(v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, b, "", "  "); err != nil {
		return err
	}
	_, err = fmt.Fprintln(a.out, indented.String())
	return err
}

// printJSONLine prints a value as one line of JSON.
func (a *app) printJSONLine(v any) error {
	enc := json.NewEncoder(a.out)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// printf prints words of the answer. Texts among the arguments are made
// harmless for a terminal; see [printable].
func (a *app) printf(format string, args ...any) { fmt.Fprintf(a.out, format, harmless(args)...) }

// note prints something that is not the answer.
func (a *app) note(format string, args ...any) { fmt.Fprintf(a.err, format+"\n", harmless(args)...) }

// row prints a name and its value, the values of a width under each other.
func (a *app) row(width int, name, value string) {
	a.printf("  %s %s\n", a.dim(fmt.Sprintf("%-*s", width, name)), value)
}

// isTerminal reports whether a stream is a terminal.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// styled is text that is harmless for a terminal already and may carry the
// terminal styles of this program.
type styled string

// style wraps text in a terminal style when there is a terminal that wants
// one. Text that is to fill a column is padded before.
func (a *app) style(code, text string) styled {
	text = printable(text)
	if a.getenv("NO_COLOR") != "" || a.getenv("TERM") == "dumb" || !isTerminal(a.out.to) {
		return styled(text)
	}
	return styled("\x1b[" + code + "m" + text + "\x1b[0m")
}

func (a *app) bold(s string) styled   { return a.style("1", s) }
func (a *app) dim(s string) styled    { return a.style("2", s) }
func (a *app) green(s string) styled  { return a.style("32", s) }
func (a *app) yellow(s string) styled { return a.style("33", s) }
func (a *app) red(s string) styled    { return a.style("31", s) }

// text returns what a command is to take in: its arguments as one line, or
// standard input when there are none or the argument is "-".
func (a *app) text(args []string, what string) (string, error) {
	if len(args) > 0 && !(len(args) == 1 && args[0] == "-") {
		return strings.Join(args, " "), nil
	}
	if len(args) == 0 && isTerminal(a.in) {
		return "", &usageError{"there is no " + what, "give it as an argument, or pipe it in"}
	}
	b, err := io.ReadAll(io.LimitReader(a.in, maxInput+1))
	if err != nil {
		return "", fmt.Errorf("read standard input: %w", err)
	}
	if len(b) > maxInput {
		return "", &usageError{fmt.Sprintf("standard input has more than %d bytes", maxInput), "split it"}
	}
	if !utf8.Valid(b) {
		return "", &encodingError{what + " on standard input"}
	}
	if text := strings.TrimSpace(string(b)); text != "" {
		return text, nil
	}
	return "", &usageError{"there is no " + what, "give it as an argument, or pipe it in"}
}

// maxInput is beyond what any operation accepts, so that the daemon names the
// limit, and still small enough to hold.
const maxInput = 8 << 20

func bytesText(n int64) string {
	const unit = 1024
	if n < unit {
		return fmt.Sprintf("%d B", n)
	}
	value, suffix := float64(n), ""
	for _, s := range []string{"kB", "MB", "GB", "TB"} {
		value, suffix = value/unit, s
		if value < unit {
			break
		}
	}
	return fmt.Sprintf("%.1f %s", value, suffix)
}

func spanText(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", int(d.Hours()))
	default:
		return fmt.Sprintf("%d days", int(d.Hours()/24))
	}
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
