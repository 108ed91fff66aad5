package codebase

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"chitta/internal/code"
	"chitta/internal/syntax"
)

// workerEnv makes the test binary a worker. Its value says what it does to files
// whose names begin with "crash", "hang" and the like: everything else is the real thing.
const workerEnv = "CODEBASE_TEST_WORKER"

func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "code" {
		if _, err := Child(os.Args[2:], os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	switch mode := os.Getenv(workerEnv); mode {
	case "":
		os.Exit(m.Run())
	case "old", "off":
		w := bufio.NewWriter(os.Stdout)
		g := greeting{Version: code.Version}
		if mode == "old" {
			g.Version--
		} else {
			g.Off = "no parsers"
		}
		_ = writeFrame(w, &g)
	case "mute":
		time.Sleep(time.Minute)
	case "parent": // starts a worker that hears nothing, says which, and waits to be killed
		runtime.LockOSThread()
		cmd, err := testWorker("mute")()
		if err == nil {
			bind(cmd)
			err = cmd.Start()
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(cmd.Process.Pid)
		time.Sleep(time.Minute)
	case "indexer": // indexes, and waits to be killed
		b, err := Open(context.Background(), Options{Path: os.Args[1], Worker: testWorker("slow"), Workers: 2})
		if err != nil {
			fmt.Println(err)
			return
		}
		_, err = b.Index(context.Background(), os.Args[2], "", func(p Progress) { fmt.Println(p.Phase, p.Done) })
		fmt.Println("end", err)
	default:
		if err := work(os.Stdin, os.Stdout, workerIdle, misbehaving(mode)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

func misbehaving(mode string) func(request) answer {
	r := &reader{}
	return func(q request) answer {
		base := filepath.Base(q.Path)
		if a := r.look(q); a.Same {
			return a // no parser sees it
		}
		switch {
		case mode == "bad" && strings.HasPrefix(base, "crash"):
			_ = syscall.Kill(os.Getpid(), syscall.SIGSEGV)
			time.Sleep(time.Minute)
		case mode == "bad" && strings.HasPrefix(base, "hang"):
			time.Sleep(time.Minute)
		case mode == "bad" && strings.HasPrefix(base, "killed") && tries(q) <= maxKills, mode == "bad" && strings.HasPrefix(base, "doomed"):
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			time.Sleep(time.Minute)
		case mode == "bad" && strings.HasPrefix(base, "once") && tries(q) == 1:
			os.Exit(3)
		case mode == "bad" && strings.HasPrefix(base, "stopped") && tries(q) == 1:
			time.Sleep(time.Minute)
		case mode == "slow":
			time.Sleep(5 * time.Millisecond)
		case mode == "dead":
			os.Exit(3)
		}
		return r.answer(q)
	}
}

// tries counts how often a file was asked for, across processes.
func tries(q request) int {
	marks, err := os.OpenFile(filepath.Join(q.Root, ".git", filepath.Base(q.Path)+".tries"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return 0
	}
	defer marks.Close()
	if _, err := marks.WriteString("x"); err != nil {
		return 0
	}
	fi, err := marks.Stat()
	if err != nil {
		return 0
	}
	return int(fi.Size())
}

// testWorker starts this test binary as a worker.
func testWorker(mode string) func() (*exec.Cmd, error) {
	return func() (*exec.Cmd, error) {
		exe, err := os.Executable()
		if err != nil {
			return nil, err
		}
		cmd := exec.Command(exe)
		cmd.Env = append(os.Environ(), workerEnv+"="+mode)
		return cmd, nil
	}
}

// needsParsers leaves a test to builds that can parse; what the others do is
// tested by TestWithoutParsers.
func needsParsers(t *testing.T) {
	t.Helper()
	if !syntax.Available {
		t.Skip("this build has no parsers")
	}
}

func openBase(t *testing.T, mode string) *Base {
	t.Helper()
	return openBaseAt(t, filepath.Join(t.TempDir(), "code.db"), mode)
}

func openBaseAt(t *testing.T, path, mode string) *Base {
	t.Helper()
	b, err := Open(t.Context(), Options{Path: path, Worker: testWorker(mode), Workers: 2, Patience: 2 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

// write makes files below a folder.
func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// gitRepo makes a work tree with files that are all committed.
func gitRepo(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := tempDir(t)
	gitIn(t, dir, "init", "-q")
	write(t, dir, files)
	gitIn(t, dir, "add", "-A", "-f")
	gitIn(t, dir, "commit", "-q", "-m", "first", "--allow-empty")
	return dir
}

// tempDir is a folder by its real name.
func tempDir(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func gitIn(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "protocol.file.allow=always"}, args...)...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func mustIndex(t *testing.T, b *Base, root string) Report {
	t.Helper()
	r, err := b.Index(t.Context(), root, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// called lists who calls what, by names: "caller -> callee".
func called(t *testing.T, b *Base) []string {
	t.Helper()
	return queryStrings(t, b, `SELECT coalesce(a.path, '<file>') || ' -> ' || z.path FROM edge e LEFT JOIN symbol a ON a.id = e.src JOIN symbol z ON z.id = e.dst ORDER BY 1`)
}

func symbolNames(t *testing.T, b *Base) []string {
	t.Helper()
	return queryStrings(t, b, `SELECT f.path || ':' || s.path FROM symbol s JOIN file f ON f.id = s.file ORDER BY 1`)
}

func queryStrings(t *testing.T, b *Base, query string, args ...any) []string {
	t.Helper()
	rows, err := b.Store().Reader().QueryContext(t.Context(), query, args...)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	out := []string{}
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// settledRows checks that stored rows are those a whole pass over the stored
// facts makes.
func settledRows(t *testing.T, b *Base, root string) {
	t.Helper()
	p, release, err := b.take(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	p.forget()
	if err := errors.Join(b.load(t.Context(), p), b.warm(t.Context(), p)); err != nil {
		t.Fatal(err)
	}
	err = p.hot.solve(t.Context(), &order{Kind: solveWhole}, func(a *solved) error {
		t.Errorf("%s: rows are not those of the stored facts", a.Path)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if !p.row.Settled {
		t.Error("the project is not settled")
	}
	p.forget()
}

// eventually waits until something holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !holds(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s did not happen in time", what)
		}
	}
}
