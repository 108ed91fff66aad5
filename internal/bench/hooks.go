package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"chitta/internal/config"
	"chitta/internal/embed"
	"chitta/internal/hook"
	"chitta/internal/hook/quick"
	"chitta/internal/mind"
	"chitta/internal/moment"
	"chitta/internal/rpc"
)

// hookOverEmpty is how much longer than a program that only prints a hook may
// take, at the median: a client runs one at every step.
const hookOverEmpty = 2 // ×

// HooksOptions says how hooks are measured.
type HooksOptions struct {
	Exe   string // the binary, which is both hook and daemon
	Sizes []int  // turns stored, growing; 0 is an empty store
	Runs  int    // of each event, at each size
}

// Hooks measures hooks as a client runs them: as processes, from start to end,
// beside a Go program that only prints. Both take turns, so that a machine that
// is busy for a while is busy for both.
func Hooks(ctx context.Context, o HooksOptions, progress func(done, total int64)) (report Report, err error) {
	dir, err := os.MkdirTemp("", "chitta-bench-*")
	if err != nil {
		return report, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	empty, name, err := emptyProgram(ctx, dir, o.Exe)
	if err != nil {
		return report, err
	}
	fill, err := newFiller(filepath.Join(dir, "home"))
	if err != nil {
		return report, err
	}
	report = Report{Set: "hooks"}
	for _, n := range o.Sizes {
		if err := fill.to(ctx, n, progress); err != nil {
			return report, err
		}
		g := Group{Name: fmt.Sprintf("%d turns stored, beside %s", n, name)}
		if err := hookFigures(ctx, o, dir, empty, &g, progress); err != nil {
			return report, err
		}
		report.Groups = append(report.Groups, g)
	}
	return report, nil
}

// hookFigures starts a daemon and runs every hook beside the empty program.
func hookFigures(ctx context.Context, o HooksOptions, dir string, empty []string, g *Group, progress func(done, total int64)) (err error) {
	d, err := startHookDaemon(ctx, o.Exe, dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.stop()) }()
	if err := d.warm(ctx); err != nil {
		return err
	}
	s, err := newHookSession(d, "bench-0")
	if err != nil {
		return err
	}
	times := map[string]latencies{}
	total := int64(o.Runs * len(moment.Events()))
	for run := range o.Runs {
		if run > 0 && run%runsPerSession == 0 {
			if s, err = newHookSession(d, fmt.Sprintf("bench-%d", run)); err != nil {
				return err
			}
		}
		for i, event := range moment.Events() {
			took, err := timed(exec.CommandContext(ctx, empty[0], empty[1:]...))
			if err != nil {
				return err
			}
			times[""] = append(times[""], took)
			if took, err = s.run(ctx, event, run); err != nil {
				return err
			}
			times[event] = append(times[event], took)
			progress(int64(run*len(moment.Events())+i+1), total)
		}
	}
	for _, l := range times {
		slices.Sort(l)
	}
	g.add("only prints p50", times[""].ms(0.5), "ms")
	g.add("only prints p99", times[""].ms(0.99), "ms")
	for _, event := range moment.Events() {
		l := times[event]
		rule, _ := quick.RuleOf(event)
		g.add(event+" p50", l.ms(0.5), "ms")
		g.atMost(event+" p99", l.ms(0.99), "ms", float64(rule.Limit.Milliseconds()))
		g.atMost(event+" p50 over only printing", l.ms(0.5)/times[""].ms(0.5), "×", hookOverEmpty)
	}
	return d.failures(g)
}

// runsPerSession is how long a session goes on, in rounds of all events.
const runsPerSession = 25

// timed runs a program to its end.
func timed(cmd *exec.Cmd) (time.Duration, error) {
	var stderr strings.Builder
	cmd.Stderr = &stderr
	begun := time.Now()
	err := cmd.Run()
	took := time.Since(begun)
	if err == nil && stderr.Len() > 0 {
		err = errors.New("it wrote to standard error")
	}
	if err != nil {
		return took, fmt.Errorf("%s: %w: %.200s", strings.Join(cmd.Args, " "), err, stderr.String())
	}
	return took, nil
}

// emptyProgram builds a program that only prints. Without a Go toolchain the
// binary itself has to do, which prints and ends before it does anything else.
func emptyProgram(ctx context.Context, dir, exe string) (command []string, name string, err error) {
	if _, err := exec.LookPath("go"); err != nil {
		return []string{exe, "hook", quick.OnlyPrint}, "this binary only printing (no Go toolchain here)", nil
	}
	src := filepath.Join(dir, "empty")
	const program = "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(\"{}\") }\n"
	if err := errors.Join(os.Mkdir(src, 0o700),
		os.WriteFile(filepath.Join(src, "main.go"), []byte(program), 0o600),
		os.WriteFile(filepath.Join(src, "go.mod"), []byte("module empty\n"), 0o600)); err != nil {
		return nil, "", err
	}
	out := filepath.Join(src, "empty")
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", out, ".")
	cmd.Dir = src
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=", "GOWORK=off")
	if b, err := cmd.CombinedOutput(); err != nil {
		return nil, "", fmt.Errorf("build a program that only prints: %w: %s", err, b)
	}
	return []string{out}, "a Go program that only prints", nil
}

// filler stores made-up conversations with made-up vectors, as the benchmark of
// recall does.
type filler struct {
	cfg    config.Config
	model  *madeUp
	words  *corpus
	stored int
}

func newFiller(home string) (*filler, error) {
	real, err := embed.Builtin()
	if err != nil {
		return nil, err
	}
	f := &filler{cfg: config.Default(), model: &madeUp{Model: real}, words: newCorpus(5)}
	f.cfg.Home = home
	f.model.instead.Store(true)
	return f, os.Mkdir(home, 0o700)
}

func (f *filler) to(ctx context.Context, n int, progress func(done, total int64)) error {
	if n < f.stored {
		return fmt.Errorf("sizes must grow: %d after %d", n, f.stored)
	}
	m, err := mind.Open(ctx, mind.Options{Config: f.cfg, Model: func() (embed.Model, error) { return f.model, nil }})
	if err != nil {
		return err
	}
	f.stored, err = fillTurns(ctx, m, f.words, f.stored, n, progress)
	return errors.Join(err, m.Close())
}

// hookDaemon is a daemon as a process of its own, with a folder of a client.
type hookDaemon struct {
	exe, home, claude string
	cmd               *exec.Cmd
	client            *rpc.Client
}

// daemonStart is how long a daemon may take until it answers here; it has
// nothing to migrate.
const daemonStart = 30 * time.Second

func startHookDaemon(ctx context.Context, exe, dir string) (*hookDaemon, error) {
	d := &hookDaemon{exe: exe, home: filepath.Join(dir, "home"), claude: filepath.Join(dir, "claude")}
	if err := os.MkdirAll(d.home, 0o700); err != nil {
		return nil, err
	}
	d.cmd = exec.Command(exe, "daemon", "run", "--home", d.home)
	d.cmd.Env = d.env()
	d.client = rpc.New(rpc.ClientOptions{Socket: config.PathsFor(d.home).Socket(), Name: "bench"})
	if err := d.cmd.Start(); err != nil {
		return nil, err
	}
	for deadline := time.Now().Add(daemonStart); ; time.Sleep(5 * time.Millisecond) {
		_, err := d.client.Health(ctx)
		if err == nil {
			return d, nil
		}
		if time.Now().After(deadline) || ctx.Err() != nil {
			return nil, errors.Join(fmt.Errorf("the daemon does not answer: %w", err), d.stop())
		}
	}
}

func (d *hookDaemon) env() []string {
	return append(os.Environ(), "CHITTA_HOME="+d.home, "CLAUDE_CONFIG_DIR="+d.claude)
}

// warm waits until everything takes part in recall.
func (d *hookDaemon) warm(ctx context.Context) error {
	for deadline := time.Now().Add(daemonStart); ; time.Sleep(50 * time.Millisecond) {
		var out mind.RecallOutput
		if err := d.client.Call(ctx, "recall", mind.RecallInput{Query: "is everything there", Realm: "user"}, &out); err != nil {
			return err
		}
		if len(out.Degraded) == 0 {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("the daemon is not warm: %v", out.Degraded)
		}
	}
}

// failures adds how many hooks came to nothing, and why.
func (d *hookDaemon) failures(g *Group) error {
	s, err := hook.Failures(config.PathsFor(d.home))
	if err != nil {
		return err
	}
	g.atMost("hooks that failed", float64(s.Count), "", 0)
	for reason, n := range s.ByReason {
		g.add("failed: "+reason, float64(n), "")
	}
	return os.RemoveAll(hook.Log(config.PathsFor(d.home)))
}

// stop ends the daemon in order.
func (d *hookDaemon) stop() error {
	if err := d.cmd.Process.Signal(os.Interrupt); err != nil {
		return errors.Join(d.cmd.Process.Kill(), d.cmd.Wait())
	}
	return d.cmd.Wait()
}
