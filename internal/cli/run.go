package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"chitta/internal/config"
	"chitta/internal/hook"
	"chitta/internal/memory"
	"chitta/internal/rpc"
)

// Exit codes, documented in docs/cli.md.
const (
	exitOK          = 0
	exitFailure     = 1 // something went wrong, or a check found problems
	exitUsage       = 2 // the command line or an input cannot be used
	exitNotFound    = 3 // what was asked for does not exist
	exitRefused     = 4 // a rule refused it
	exitUnavailable = 5 // the daemon could not be reached or started
	exitStorage     = 6 // disk full, read-only, or damaged data
)

// Run executes one command line and returns its exit code.
func Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if hook.Wanted(args) {
		return runHook(ctx, args[1:], stdin, stdout)
	}
	a := &app{in: stdin, out: &output{to: stdout}, err: stderr, getenv: os.Getenv}
	root := a.rootCommand()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(a.out)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if a.client != nil {
		a.client.Close()
	}
	var usage *usageError
	if errors.As(err, &usage) && !a.json {
		a.json = asksForJSON(args) // it may stand behind what could not be read
	}
	var silent *silentError
	if a.out.err != nil && (err == nil || errors.As(err, &silent) || errors.Is(err, a.out.err)) {
		err = fmt.Errorf("the answer could not be written: %w", a.out.err)
	}
	if err == nil {
		return exitOK
	}
	return a.fail(err)
}

// asksForJSON looks for --json on a command line that could not be parsed.
func asksForJSON(args []string) bool {
	for _, arg := range args {
		switch arg {
		case "--json", "--json=true":
			return true
		case "--":
			return false
		}
	}
	return false
}

// output is standard output. It remembers the first error, so that a command
// that prints line by line fails when its answer did not arrive.
type output struct {
	to  io.Writer
	err error
}

func (o *output) Write(p []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.to.Write(p)
	o.err = err
	return n, err
}

// usageError is a command line that cannot be used.
type usageError struct {
	problem, hint string
}

func (e *usageError) Error() string { return e.problem }

// encodingError is text that is not UTF-8. The daemon would get something
// else than was given.
type encodingError struct{ field string }

func (e *encodingError) Error() string { return e.field + " is not valid UTF-8" }

// silentError carries an exit code for a command that has said everything
// already.
type silentError struct{ code int }

func (e *silentError) Error() string { return fmt.Sprintf("exit status %d", e.code) }

// failure is an error as it is shown.
type failure struct {
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
	Field   string `json:"field,omitempty"`
	Code    int    `json:"code,omitempty"` // of the RPC error, where there is one
	Exit    int    `json:"exit"`
}

// fail prints an error and returns the exit code that goes with it.
func (a *app) fail(err error) int {
	var silent *silentError
	if errors.As(err, &silent) {
		return silent.code
	}
	f := describe(err)
	if a.json {
		b, _ := json.Marshal(map[string]failure{"error": f}) // a struct of strings and numbers cannot fail
		fmt.Fprintln(a.err, string(b))
		return f.Exit
	}
	a.note("chitta: %s", f.Message)
	if f.Hint != "" {
		a.note("  hint: %s", f.Hint)
	}
	return f.Exit
}

// describe is the one place that maps errors to words and exit codes.
func describe(err error) failure {
	f := failure{Message: err.Error(), Exit: exitFailure}
	var (
		remote *rpc.Error
		usage  *usageError
		text   *encodingError
		start  *rpc.StartError
		stuck  *rpc.StuckError
		home   *config.HomeError
		field  *config.FieldError
		file   *config.FileError
		value  *memory.UnknownValueError
		ruled  *memory.RefusedError
	)
	switch {
	case errors.As(err, &remote):
		f.Hint, f.Code, f.Exit = remote.Hint(), remote.Code, exitFor(remote.Code)
		if remote.Data != nil {
			f.Field = remote.Data.Field
		}
	case errors.As(err, &usage):
		f.Hint, f.Exit = usage.hint, exitUsage
	case errors.As(err, &text):
		f.Field, f.Hint, f.Exit = text.field, "convert it first, for example with iconv", exitUsage
	case errors.As(err, &value):
		f.Hint, f.Exit = value.Hint(), exitUsage
	case errors.As(err, &ruled):
		f.Hint, f.Exit = ruled.Hint, exitRefused
	case errors.As(err, &start):
		f.Exit = exitUnavailable
		f.Hint = "the daemon's log says more: chitta daemon logs"
	case errors.As(err, &stuck):
		f.Exit, f.Hint = exitUnavailable, "wait a moment and try again; if it stays, end that process"
	case errors.Is(err, rpc.ErrNotRunning):
		f.Exit, f.Hint = exitUnavailable, "start it: chitta up"
	case errors.Is(err, rpc.ErrLost):
		f.Exit, f.Hint = exitUnavailable, "look whether it was done before you try again"
	case errors.As(err, &home), errors.As(err, &field), errors.As(err, &file):
		f.Exit = exitUsage
	case errors.Is(err, rpc.ErrLocked):
		f.Exit, f.Hint = exitUnavailable, "stop it first: chitta daemon stop"
	case errors.Is(err, context.Canceled):
		f.Message = "interrupted"
	}
	return f
}

func exitFor(code int) int {
	switch code {
	case rpc.CodeInvalidParams, rpc.CodeMethodNotFound, rpc.CodeTooLarge, rpc.CodeParse, rpc.CodeInvalidRequest:
		return exitUsage
	case rpc.CodeNotFound:
		return exitNotFound
	case rpc.CodeRefused, rpc.CodeForbidden:
		return exitRefused
	case rpc.CodeUnavailable, rpc.CodeTimeout, rpc.CodeUpgrade:
		return exitUnavailable
	case rpc.CodeStorage, rpc.CodeDamaged:
		return exitStorage
	}
	return exitFailure
}
