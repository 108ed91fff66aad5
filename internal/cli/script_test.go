package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"chitta/internal/syntax"
)

// The scripts run the real binary against a real daemon in a fresh home. Two
// versions of it are built once: chitta, and chitta-next, which is newer.
var binDir string

func TestMain(m *testing.M) { os.Exit(withBinaries(m)) }

func withBinaries(m *testing.M) int {
	dir, err := os.MkdirTemp("", "chitta-cli-*")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	binDir = dir
	for name, version := range map[string]string{"chitta": "1.0.0", "chitta-next": "1.1.0"} {
		cmd := exec.Command("go", "build", "-ldflags", "-X chitta/internal/config.Version="+version, "-o", filepath.Join(dir, name), "chitta/cmd/chitta")
		if out, err := cmd.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "build %s: %v\n%s", name, err, out)
			return 1
		}
	}
	return m.Run()
}

// environment returns the variables of a command run in a home of its own.
func environment(dir string) []string {
	return append(os.Environ(),
		"PATH="+binDir+string(os.PathListSeparator)+os.Getenv("PATH"),
		"HOME="+dir, "CHITTA_HOME="+filepath.Join(dir, "home"),
		"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_AUTHOR_NAME=t", "GIT_AUTHOR_EMAIL=t@example.com",
		"GIT_COMMITTER_NAME=t", "GIT_COMMITTER_EMAIL=t@example.com",
		"CHITTA_MODEL_USE=none", "CLAUDE_CONFIG_DIR="+filepath.Join(dir, "claude"), "CLAUDE_PROJECT_DIR=", "CLAUDE_CODE_SESSION_ID=", "NO_COLOR=",
	)
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Condition: func(cond string) (bool, error) {
			if cond != "parsers" {
				return false, fmt.Errorf("unknown condition %q", cond)
			}
			return syntax.Available, nil
		},
		Setup: func(env *testscript.Env) error {
			// socket paths are short-lived and long names are tested elsewhere
			home, err := os.MkdirTemp("", "ch-*")
			if err != nil {
				return err
			}
			for _, kv := range environment(home) {
				k, v, _ := strings.Cut(kv, "=")
				if k == "PATH" || k == "HOME" || k == "CHITTA_HOME" || strings.HasPrefix(k, "GIT_") || k == "CHITTA_MODEL_USE" || k == "CLAUDE_CONFIG_DIR" {
					env.Setenv(k, v)
				}
			}
			env.Defer(func() {
				stop := exec.Command(filepath.Join(binDir, "chitta-next"), "daemon", "stop")
				stop.Env = environment(home)
				stop.Run()
				os.RemoveAll(home)
			})
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"jsonget": jsonGet,
		},
		RequireExplicitExec: true,
	})
}

// jsonGet stores a value of the last command's JSON output in a variable:
// jsonget VAR path.to.0.field.
func jsonGet(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: jsonget VAR path")
	}
	var v any
	if err := json.Unmarshal([]byte(ts.ReadFile("stdout")), &v); err != nil {
		ts.Fatalf("stdout is not JSON: %v", err)
	}
	for _, key := range strings.Split(args[1], ".") {
		switch at := v.(type) {
		case map[string]any:
			next, ok := at[key]
			if !ok {
				ts.Fatalf("no %q in the output", key)
			}
			v = next
		case []any:
			var i int
			if _, err := fmt.Sscan(key, &i); err != nil || i >= len(at) {
				ts.Fatalf("no element %q in the output", key)
			}
			v = at[i]
		default:
			ts.Fatalf("%q leads nowhere", args[1])
		}
	}
	ts.Setenv(args[0], fmt.Sprint(v))
}

// run executes the binary in a home and returns its standard output.
// asExit reports whether an error is that of a command that ended badly.
func asExit(err error, exit **exec.ExitError) bool { return errors.As(err, exit) }

func run(t *testing.T, home string, args ...string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute) // also in clean-ups
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(binDir, "chitta"), args...)
	cmd.Env, cmd.Dir = environment(home), home
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if err != nil {
		err = fmt.Errorf("chitta %s: %w: %s", strings.Join(args, " "), err, stderr.String())
	}
	return stdout.String(), err
}

// freshHome returns a short directory whose daemon is stopped at the end.
func freshHome(t *testing.T) string {
	t.Helper()
	home, err := os.MkdirTemp("", "ch-*")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd := exec.Command(filepath.Join(binDir, "chitta"), "daemon", "stop")
		cmd.Env = environment(home)
		cmd.Run()
		os.RemoveAll(home)
	})
	return home
}

// result is what a command left.
type result struct {
	stdout, stderr string
	code           int
}

// command prepares the binary in a home; it is ended with the test.
func command(t *testing.T, home string, args ...string) *exec.Cmd {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, filepath.Join(binDir, "chitta"), args...)
	cmd.Env, cmd.Dir = environment(home), home
	return cmd
}

// outcome runs a command to its end, whatever that is.
func outcome(t *testing.T, cmd *exec.Cmd) result {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if cmd.Stdout == nil {
		cmd.Stdout = &stdout
	}
	cmd.Stderr = &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return result{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}
