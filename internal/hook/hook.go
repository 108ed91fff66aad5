package hook

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"chitta/internal/config"
	"chitta/internal/hook/quick"
	"chitta/internal/rpc"
)

// Wanted reports whether a command line, without the name of the program, asks
// for a hook.
func Wanted(args []string) bool { return quick.Wanted(args) }

// Options says what a hook works with.
type Options struct {
	Args   []string // what follows "hook"
	Stdin  io.Reader
	Stdout io.Writer
	// Exe is the binary to start a daemon with; "" means that none is started.
	Exe string
}

// Main runs a hook to its end, which the process's watchdog may bring about at
// any time. There is nothing to return: a hook succeeds.
func Main(ctx context.Context, o Options) {
	// Without this, package os ends the process when nobody reads what it prints.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	c := quick.Left()
	if c == nil {
		c = quick.New(o.Args, time.Now())
		c.Guard()
	}
	run(ctx, c, o)
}

// run is a hook without what ends its process.
func run(ctx context.Context, c *quick.Call, o Options) {
	defer func() {
		if recover() != nil {
			c.Note(quick.Panicked, "")
		}
	}()
	if !c.Read(o.Stdin) {
		return
	}
	paths, err := config.Locate(config.LoadOptions{Home: c.Flag()})
	if err != nil {
		noteElsewhere(c, err)
		return
	}
	c.NoteIn(paths.Home())
	ctx, cancel := context.WithDeadline(ctx, c.Until())
	defer cancel()
	answer, err := ask(ctx, c, paths, o.Exe)
	if err != nil {
		note(c, err)
		return
	}
	c.Say(o.Stdout, answer.Context)
}

// noteElsewhere writes down why there is no data directory in the one that is
// used unless something says otherwise, if that exists: a variable that leads
// nowhere for the client is often not set where people ask what is wrong.
func noteElsewhere(c *quick.Call, err error) {
	unset := func(string) string { return "" }
	if usual, uerr := config.Locate(config.LoadOptions{Getenv: unset}); uerr == nil {
		c.NoteIn(usual.Home())
	}
	c.Note(quick.BadHome, err.Error())
}

// answer is what is of use in the daemon's answer.
type answer struct {
	Context string `json:"context"`
}

// ask calls the daemon. Only the start of a session may start one: it has the
// time, and the others would each try. One that went away with the request
// counts as none: attending to a start twice does no harm.
//
// The client names no version, so an older daemon serves it as well as it can
// instead of asking to be replaced, which a hook has no time for.
func ask(ctx context.Context, c *quick.Call, paths config.Paths, exe string) (out answer, err error) {
	opts := rpc.ClientOptions{Socket: paths.Socket(), Lock: paths.Lock(), Name: "hook", Session: c.Report.Session, Cwd: c.Report.Cwd}
	params := json.RawMessage(c.Params())
	err = rpc.New(opts).Call(ctx, "hook", params, &out)
	gone := errors.Is(err, rpc.ErrNotRunning) || errors.Is(err, rpc.ErrLost)
	if !gone || c.Event != quick.SessionStart || c.NoStart || exe == "" {
		return out, err
	}
	if err := paths.EnsureHome(); err != nil {
		return out, err
	}
	args := []string{"daemon", "run", "--home", paths.Home()}
	for _, s := range c.Set {
		args = append(args, "--set", s)
	}
	opts.Launcher = &rpc.Launcher{Exe: exe, Args: args, StartLock: paths.StartLock(), StartLog: paths.StartLog()}
	opts.ReadOnly = func(string) bool { return true }
	// The client is not closed: it would wait for the daemon it started.
	err = rpc.New(opts).Call(ctx, "hook", params, &out)
	return out, err
}

// note writes down why the daemon could not be asked.
func note(c *quick.Call, err error) {
	var (
		home   *config.HomeError
		start  *rpc.StartError
		stuck  *rpc.StuckError
		remote *rpc.Error
	)
	switch {
	case errors.As(err, &home):
		c.Note(quick.BadHome, err.Error())
	case errors.As(err, &start), errors.As(err, &stuck):
		c.Note(quick.NotStarted, err.Error())
	case errors.As(err, &remote):
		c.Note(quick.Refusal(remote.Code), remote.Message)
	case errors.Is(err, rpc.ErrNotRunning):
		c.Note(quick.NotRunning, "")
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		c.Note(quick.NoAnswer, err.Error())
	default:
		c.Note(quick.Unreadable, err.Error())
	}
}
