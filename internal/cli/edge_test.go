//go:build unix

package cli_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestOutputIsHarmless stores what would take over a terminal and reads it
// back in words and as JSON.
func TestOutputIsHarmless(t *testing.T) {
	home := freshHome(t)
	const evil = "a title \x1b]0;x\a, a return \r and \u202ebackwards"
	stored := outcome(t, command(t, home, "remember", evil, "--json"))
	var out struct{ ID string }
	if err := json.Unmarshal([]byte(stored.stdout), &out); err != nil {
		t.Fatal(err, stored.stderr)
	}
	for _, args := range [][]string{{"list"}, {"get", out.ID}, {"recall", "backwards title"}, {"context"}, {"history", out.ID}, {"get", "\x1b[31m\u202e"}} {
		r := outcome(t, command(t, home, args...))
		if text := r.stdout + r.stderr; strings.ContainsAny(text, "\x1b\a\r\u202e") || text == "" {
			t.Errorf("%q prints %q", args, text)
		}
	}
	if r := outcome(t, command(t, home, "list")); !strings.Contains(r.stdout, "a title ␛]0;x␇, a return ␍ and backwards") {
		t.Errorf("list: %q", r.stdout)
	}
	r := outcome(t, command(t, home, "get", out.ID, "--json"))
	var exact struct{ Content string }
	if err := json.Unmarshal([]byte(r.stdout), &exact); err != nil || !strings.Contains(exact.Content, "\x1b]0;x\a") {
		t.Errorf("JSON: %v %q", err, exact.Content)
	}
}

func TestInvalidUTF8IsRefused(t *testing.T) {
	home := freshHome(t)
	const bad = "long enough, but \xff is no UTF-8"
	for _, tt := range []struct {
		name, field, stdin string
		args               []string
	}{
		{"content", "content", "", []string{"remember", bad}},
		{"content from a pipe", "standard input", bad, []string{"remember"}},
		{"query", "query", "", []string{"recall", bad}},
		{"tag", "tag", "", []string{"remember", "long enough content", "--tag", "fine," + bad}},
		{"note", "note", "", []string{"remember", "long enough content", "--note", bad}},
		{"realm", "realm", "", []string{"list", "--realm", bad}},
		{"reason", "reason", "", []string{"forget", "m_1234", "--reason", bad}},
		{"id", "id", "", []string{"get", "m_\xfe"}},
		{"tag of an id", "tag", "", []string{"tag", "m_1234", bad}},
		{"JSON", "json", "", []string{"call", "remember", `{"content":"` + bad + `"}`}},
		{"backup", "file", "", []string{"backup", "copy\xff.db"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cmd := command(t, home, tt.args...)
			cmd.Stdin = strings.NewReader(tt.stdin)
			r := outcome(t, cmd)
			if r.code != 2 || !strings.Contains(r.stderr, tt.field) || !strings.Contains(r.stderr, "is not valid UTF-8") {
				t.Errorf("exit %d: %s", r.code, r.stderr)
			}
		})
	}
	if r := outcome(t, command(t, home, "export", "all\xff.jsonl")); r.code != 0 {
		t.Errorf("a file of any name: exit %d: %s", r.code, r.stderr)
	}
}

func TestAnswerThatCannotBeWritten(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("skipped: there is no /dev/full here")
	}
	defer full.Close()
	home := freshHome(t)
	if _, err := run(t, home, "remember", "something that is listed"); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"list"}, {"list", "--json"}, {"export"}, {"--help"}, {"daemon", "logs"}} {
		cmd := command(t, home, args...)
		cmd.Stdout = full
		if r := outcome(t, cmd); r.code != 1 || !strings.Contains(r.stderr, "could not be written") {
			t.Errorf("%v: exit %d: %s", args, r.code, r.stderr)
		}
	}
}

// TestDirectoryThatIsGone works from a directory that was removed.
func TestDirectoryThatIsGone(t *testing.T) {
	home := freshHome(t)
	gone := func(args string) result {
		t.Helper()
		cmd := command(t, home)
		cmd.Path, cmd.Args = "/bin/sh", []string{"sh", "-c", "mkdir gone && cd gone && rmdir ../gone && chitta " + args}
		return outcome(t, cmd)
	}
	for _, args := range []string{"remember 'long enough content'", "recall content", "context", "list", "decide 'long enough content'", `call remember '{"content":"long enough content"}'`, "mcp"} {
		r := gone(args)
		if r.code != 2 || !strings.Contains(r.stderr, "this directory is gone") || !strings.Contains(r.stderr, "hint: ") {
			t.Errorf("%s: exit %d: %s", args, r.code, r.stderr)
		}
	}
	for _, args := range []string{"remember 'long enough content' --realm user", "recall content --realm user", "status", "check"} {
		if r := gone(args); r.code != 0 {
			t.Errorf("%s: exit %d: %s", args, r.code, r.stderr)
		}
	}
	if out, err := run(t, home, "list", "--realm", "user", "--json"); err != nil || !strings.Contains(out, `"total": 1`) {
		t.Errorf("stored: %v %s", err, out)
	}
}

// TestDaemonThatDoesNotAnswer stops the process, so that its lock is held and
// its socket silent.
func TestDaemonThatDoesNotAnswer(t *testing.T) {
	home := freshHome(t)
	daemon := startDaemon(t, home)
	if err := daemon.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { daemon.Process.Kill(); daemon.Wait() })
	r := outcome(t, command(t, home, "daemon", "status"))
	if want := fmt.Sprintf("running (pid %d), not reachable\n", daemon.Process.Pid); r.code != 5 || r.stdout != want {
		t.Errorf("exit %d: %s%s", r.code, r.stdout, r.stderr)
	}
	if err := os.Remove(paths(t, home).Socket()); err != nil {
		t.Fatal(err)
	}
	r = outcome(t, command(t, home, "daemon", "status", "--json"))
	if r.code != 5 || !strings.Contains(r.stdout, `"running": true`) || !strings.Contains(r.stdout, `"reachable": false`) {
		t.Errorf("exit %d: %s%s", r.code, r.stdout, r.stderr)
	}
}

func TestLogsFollowRotation(t *testing.T) {
	home := freshHome(t)
	log := paths(t, home).LogFile()
	if err := os.MkdirAll(filepath.Dir(log), 0o700); err != nil {
		t.Fatal(err)
	}
	write := func(text string) {
		t.Helper()
		f, err := os.OpenFile(log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		_, err = f.WriteString(text)
		if err := errors.Join(err, f.Close()); err != nil {
			t.Fatal(err)
		}
	}
	write("one\ntwo\nthr")
	cmd := command(t, home, "daemon", "logs", "-f", "-n", "2")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	expect := func(want string) {
		t.Helper()
		if !lines.Scan() || lines.Text() != want {
			t.Fatalf("read %q, want %q", lines.Text(), want)
		}
	}
	expect("two")
	write("ee\n")
	expect("three")
	write("last of the old\n")
	if err := os.Rename(log, log+".1"); err != nil {
		t.Fatal(err)
	}
	write("first of the new, \x1b[31m\n")
	expect("last of the old")
	expect("first of the new, ␛[31m")
	if err := os.Truncate(log, 0); err != nil {
		t.Fatal(err)
	}
	time.Sleep(500 * time.Millisecond) // until it is seen to be empty
	write("after that\n")
	expect("after that")
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

func TestLogsStartWithAWholeLine(t *testing.T) {
	home := freshHome(t)
	log := paths(t, home).LogFile()
	if err := os.MkdirAll(filepath.Dir(log), 0o700); err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&text, "line %d of many\n", i)
	}
	if err := os.WriteFile(log, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	r := outcome(t, command(t, home, "daemon", "logs", "-n", "1000000"))
	first, _, _ := strings.Cut(r.stdout, "\n")
	if !strings.HasPrefix(first, "line ") || !strings.HasSuffix(r.stdout, "\nline 99999 of many\n") {
		t.Errorf("from %q", first)
	}
	if r := outcome(t, command(t, home, "daemon", "logs", "-n", "0")); r.stdout != "" || r.code != 0 {
		t.Errorf("no lines: %q", r.stdout)
	}
	if r := outcome(t, command(t, home, "daemon", "logs", "-n", "2")); r.stdout != "line 99998 of many\nline 99999 of many\n" {
		t.Errorf("two lines: %q", r.stdout)
	}
}

// TestImportGoesOnAfterALongLine has one line beyond what is read and one
// beyond what the daemon takes.
func TestImportGoesOnAfterALongLine(t *testing.T) {
	home := freshHome(t)
	if _, err := run(t, home, "remember", "the memory after the long lines"); err != nil {
		t.Fatal(err)
	}
	exported, err := run(t, home, "export")
	if err != nil {
		t.Fatal(err)
	}
	header, rest, _ := strings.Cut(exported, "\n")
	cmd := command(t, home, "import", "-", "--home", filepath.Join(home, "other"))
	cmd.Stdin = io.MultiReader(strings.NewReader(header+"\n"),
		strings.NewReader(`{"memory":"`), io.LimitReader(zeros{}, 65<<20), strings.NewReader("\"}\n"),
		strings.NewReader(`{"memory":"`), io.LimitReader(zeros{}, 20<<20), strings.NewReader("\"}\n"),
		strings.NewReader("{\"memory\":\"\xff\"}\n"), strings.NewReader(rest))
	r := outcome(t, cmd)
	t.Cleanup(func() { run(t, home, "daemon", "stop", "--home", filepath.Join(home, "other")) })
	if r.code != 1 || !strings.HasPrefix(r.stdout, "1 memory added") {
		t.Errorf("exit %d: %s", r.code, r.stdout)
	}
	for _, want := range []string{"line 2 not taken: longer than 64.0 MB", "line 3 not taken: ", "line 4 not taken: not valid UTF-8"} {
		if !strings.Contains(r.stderr, want) {
			t.Errorf("%q is not in %s", want, r.stderr)
		}
	}
}
