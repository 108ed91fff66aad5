package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

const (
	// commandTimeout ends a command of chitta that hangs.
	commandTimeout = 20 * time.Second
	// patience is how long something that happens in the background may take,
	// on a machine with other things to do.
	patience = 30 * time.Second
	// often is how often it is looked for.
	often = 100 * time.Millisecond
)

// homes is where they are made: a short path, because that of a socket is
// limited, and none that counts as scratch space, because nothing is learned
// from work on such files.
const homes = "/var/tmp"

// home is a user of their own: a home directory, a project, a binary, and an
// API that answers their client.
type home struct {
	t       *testing.T
	dir     string // of all of it
	project string
	api     *api
	talks   []*talk
}

// newHome makes a user who has the client and chitta's binary and nothing else.
// Without a client the test is skipped.
func newHome(t *testing.T) *home {
	t.Helper()
	if bench.client == "" {
		t.Skip("skipped: no client to drive: " + bench.missing)
	}
	t.Parallel()
	dir, err := os.MkdirTemp(homes, "e2e-")
	if err != nil {
		t.Fatal(err)
	}
	h := &home{t: t, dir: dir}
	begun := time.Now()
	t.Cleanup(func() {
		h.tearDown()
		bench.ran.add(t.Name(), time.Since(begun), t.Failed())
	})
	for _, d := range []string{h.path("home"), h.path("tmp"), h.path("bin")} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	copyFile(t, bench.chitta, h.binary())
	if err := os.Symlink(bench.client, h.path("bin", "claude")); err != nil {
		t.Fatal(err)
	}
	h.listen()
	h.begin("shop")
	return h
}

// begin makes a new project and goes there.
func (h *home) begin(name string) {
	h.t.Helper()
	h.project = h.path("home", "src", name)
	h.write("README.md", "# "+name+"\n")
	h.git("init", "--quiet")
	h.git("add", ".")
	h.git("commit", "--quiet", "-m", "Begin")
}

// copyFile copies an executable: it may lie on another disk.
func copyFile(t *testing.T, from, to string) {
	t.Helper()
	b, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, b, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func (h *home) listen() {
	h.t.Helper()
	var l net.Listener
	var err error
	bench.space.do(func() { l, err = net.Listen("tcp", "127.0.0.1:0") })
	if err != nil {
		h.t.Fatal(err)
	}
	h.api = serve(l)
}

func (h *home) path(parts ...string) string {
	return filepath.Join(append([]string{h.dir}, parts...)...)
}
func (h *home) binary() string          { return h.path("bin", "chitta") }
func (h *home) settings() string        { return h.path("home", ".claude", "settings.json") }
func (h *home) file(name string) string { return filepath.Join(h.project, name) }

// write puts a file into the project.
func (h *home) write(name, text string) {
	h.t.Helper()
	if err := os.MkdirAll(filepath.Dir(h.file(name)), 0o700); err != nil {
		h.t.Fatal(err)
	}
	if err := os.WriteFile(h.file(name), []byte(text), 0o600); err != nil {
		h.t.Fatal(err)
	}
}

// environment is all that the client and chitta get to see: a name of the
// user's own, no real key, no real home.
func (h *home) environment() []string {
	return []string{
		"HOME=" + h.path("home"), "PATH=" + h.path("bin") + ":/usr/local/bin:/usr/bin:/bin", "SHELL=/bin/bash",
		"TERM=xterm-256color", "LANG=C.UTF-8", "TMPDIR=" + h.path("tmp"), "CLAUDE_CODE_TMPDIR=" + h.path("tmp"),
		"ANTHROPIC_BASE_URL=" + h.api.url, "ANTHROPIC_API_KEY=no-key-for-the-loopback",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_TELEMETRY=1", "DISABLE_ERROR_REPORTING=1", "DISABLE_AUTOUPDATER=1",
		"GIT_AUTHOR_NAME=t", "GIT_AUTHOR_EMAIL=t@example.com", "GIT_COMMITTER_NAME=t", "GIT_COMMITTER_EMAIL=t@example.com",
	}
}

// command prepares a process in the user's project.
func (h *home) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env, cmd.Dir = h.environment(), h.project
	// the group is killed as one, and goes with this process whatever ends it
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	return cmd
}

// start starts a process in the network of the tests.
func start(cmd *exec.Cmd) (err error) {
	bench.space.do(func() { err = cmd.Start() })
	return err
}

// run runs a process to its end and returns what it printed.
func (h *home) run(name string, args ...string) (stdout string, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), commandTimeout) // also in clean-ups
	defer cancel()
	cmd := h.command(ctx, name, args...)
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	if err = start(cmd); err == nil {
		err = cmd.Wait()
	}
	if err != nil {
		err = fmt.Errorf("%s %s: %w: %s%s", filepath.Base(name), strings.Join(args, " "), err, stderr.String(), out.String())
	}
	return out.String(), err
}

func (h *home) git(args ...string) {
	h.t.Helper()
	if _, err := h.run("/usr/bin/git", args...); err != nil {
		h.t.Fatal(err)
	}
}

// chitta runs a command of chitta that has to succeed.
func (h *home) chitta(args ...string) string {
	h.t.Helper()
	out, err := h.run(h.binary(), args...)
	if err != nil {
		h.t.Fatal(err)
	}
	return out
}

// ask runs a command of chitta and decodes its answer.
func (h *home) ask(answer any, args ...string) {
	h.t.Helper()
	out := h.chitta(append(args, "--json")...)
	if err := json.Unmarshal([]byte(out), answer); err != nil {
		h.t.Fatalf("chitta %s: %v: %.300s", strings.Join(args, " "), err, out)
	}
}

// install registers chitta with the client.
func (h *home) install() {
	h.t.Helper()
	h.chitta("install", "claude-code")
}

// eventually waits for something that happens in the background.
func (h *home) eventually(what string, holds func() bool) {
	h.t.Helper()
	for end := time.Now().Add(patience); !holds(); time.Sleep(often) {
		if time.Now().After(end) {
			h.t.Fatalf("after %s still not: %s", patience, what)
		}
	}
}

// tearDown ends everything that belongs to the user and says what the test
// leaves behind if it failed.
func (h *home) tearDown() {
	for _, k := range h.talks {
		k.kill()
	}
	if _, err := os.Stat(h.binary()); err == nil {
		if h.t.Failed() {
			h.dump()
		}
		if _, err := h.run(h.binary(), "daemon", "stop"); err != nil {
			h.t.Log(err)
		}
	}
	h.noneLeft()
	if err := h.api.close(); err != nil {
		h.t.Error(err)
	}
	if os.Getenv("E2E_KEEP") != "" {
		h.t.Logf("kept %s", h.dir)
		return
	}
	if err := os.RemoveAll(h.dir); err != nil {
		h.t.Error(err)
	}
}

// noneLeft holds that no process of the user is left, and ends those that are.
func (h *home) noneLeft() {
	left := h.processes()
	for end := time.Now().Add(2 * time.Second); len(left) > 0 && time.Now().Before(end); left = h.processes() {
		time.Sleep(often)
	}
	for pid, name := range left {
		h.t.Errorf("process %d was left behind: %s", pid, name)
		syscall.Kill(pid, syscall.SIGKILL)
	}
}

// processes lists what runs with the user's home.
func (h *home) processes() map[int]string {
	found := map[int]string{}
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range dirs {
		env, err := os.ReadFile(filepath.Join(dir, "environ"))
		if err != nil || !bytes.Contains(append([]byte{0}, env...), []byte("\x00HOME="+h.path("home")+"\x00")) {
			continue
		}
		pid, err := strconv.Atoi(filepath.Base(dir))
		if err != nil {
			continue
		}
		line, err := os.ReadFile(filepath.Join(dir, "cmdline"))
		if err == nil && len(line) > 0 { // else it is gone, or about to be
			found[pid] = string(bytes.ReplaceAll(line, []byte{0}, []byte{' '}))
		}
	}
	return found
}

// daemon returns the process of the daemon, or 0.
func (h *home) daemon() int {
	for pid, line := range h.processes() {
		if strings.Contains(line, "daemon run") {
			return pid
		}
	}
	return 0
}

// running returns the process of the daemon, which has to be there.
func (h *home) running() int {
	h.t.Helper()
	pid := h.daemon()
	if pid == 0 {
		h.t.Fatal("there is no daemon")
	}
	return pid
}

// maxDump bounds what a failed test prints of each file.
const maxDump = 6000

// dump prints what helps to understand a failure.
func (h *home) dump() {
	for _, args := range [][]string{{"list", "--json", "--state", "all"}, {"stats", "--json"}, {"sessions", "--json"}} {
		out, err := h.run(h.binary(), append(args, "--no-start")...)
		h.t.Logf("chitta %s: %v\n%.*s", strings.Join(args, " "), err, maxDump, out)
	}
	logs, _ := filepath.Glob(h.path("home", ".chitta", "logs", "*"))
	for _, name := range logs {
		b, err := os.ReadFile(name)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			h.t.Log(err)
		}
		h.t.Logf("%s:\n%s", name, b[max(0, len(b)-maxDump):])
	}
	for _, k := range h.talks {
		h.t.Logf("stderr of the client: %.*s", maxDump, k.stderr.String())
	}
	for i, r := range h.api.since(0) {
		text := r.text()
		inside, _ := passages(text)
		end := strings.Join(strings.Fields(text[max(0, len(text)-400):]), " ")
		h.t.Logf("request %d at %s, %d characters, handed %q, ends: …%s", i, r.at.Format(time.TimeOnly), len(text), inside, end)
	}
}
