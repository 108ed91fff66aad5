package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"chitta/internal/config"
	"chitta/internal/mind"
	"chitta/internal/rpc"
)

func paths(t *testing.T, home string) config.Paths {
	t.Helper()
	p, err := config.Locate(config.LoadOptions{Home: filepath.Join(home, "home")})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// startDaemon runs the daemon as a child that the test may kill.
func startDaemon(t *testing.T, home string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(filepath.Join(binDir, "chitta"), "daemon", "run")
	cmd.Env, cmd.Dir = environment(home), home
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	client := rpc.New(rpc.ClientOptions{Socket: paths(t, home).Socket()})
	defer client.Close()
	for deadline := time.Now().Add(20 * time.Second); ; {
		if _, err := client.Health(t.Context()); err == nil {
			return cmd
		}
		if time.Now().After(deadline) {
			cmd.Process.Kill()
			cmd.Wait()
			t.Fatalf("the daemon does not answer: %s", stderr.String())
		}
		time.Sleep(2 * time.Millisecond)
	}
}

// TestKilledWriterLosesNothing kills the daemon again and again while several
// clients write. Whatever was acknowledged must be there afterwards, and the
// data must be sound.
func TestKilledWriterLosesNothing(t *testing.T) {
	const kills, checkEvery, writers = 50, 10, 4
	home := freshHome(t)
	if err := os.MkdirAll(filepath.Join(home, "home"), 0o700); err != nil {
		t.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	var mu sync.Mutex
	acknowledged := map[string]string{} // id -> content
	written := func() int {
		mu.Lock()
		defer mu.Unlock()
		return len(acknowledged)
	}
	for round := range kills {
		daemon, before := startDaemon(t, home), written()
		ctx, stop := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		for w := range writers {
			wg.Go(func() {
				client := rpc.New(rpc.ClientOptions{Socket: paths(t, home).Socket(), Name: "cli"})
				defer client.Close()
				for i := 0; ctx.Err() == nil; i++ {
					content := fmt.Sprintf("round%d writer%d item%d was acknowledged", round, w, i)
					var out mind.RememberOutput
					if client.Call(ctx, "remember", mind.RememberInput{Content: content}, &out) == nil {
						mu.Lock()
						acknowledged[out.ID] = content
						mu.Unlock()
					}
				}
			})
		}
		if round%2 == 1 { // every other round something was written, however slow the machine is
			for deadline := time.Now().Add(20 * time.Second); written() == before && time.Now().Before(deadline); {
				time.Sleep(time.Millisecond)
			}
		}
		time.Sleep(time.Duration(rnd.IntN(80)) * time.Millisecond)
		if err := daemon.Process.Signal(syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		daemon.Wait()
		stop()
		wg.Wait()
		if (round+1)%checkEvery == 0 && round+1 < kills {
			if out, err := run(t, home, "check"); err != nil {
				t.Fatalf("check after %d kills: %v\n%s", round+1, err, out)
			}
			if out, err := run(t, home, "daemon", "stop"); err != nil {
				t.Fatalf("stop after %d kills: %v\n%s", round+1, err, out)
			}
		}
	}
	if len(acknowledged) < kills/2 {
		t.Fatalf("only %d writes were acknowledged; the test shows nothing", len(acknowledged))
	}
	if out, err := run(t, home, "check"); err != nil {
		t.Fatalf("check: %v\n%s", err, out)
	}
	exported, err := run(t, home, "export")
	if err != nil {
		t.Fatal(err)
	}
	stored := map[string]string{}
	for line := range strings.SplitSeq(strings.TrimSpace(exported), "\n") {
		var l mind.TransferLine
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatal(err)
		}
		if l.Memory != nil {
			stored[l.Memory.ID] = l.Memory.Content
		}
	}
	for id, content := range acknowledged {
		if stored[id] != content {
			t.Errorf("acknowledged %s %q, stored %q", id, content, stored[id])
		}
	}
	// the index has caught up with what it had not written down
	if out, err := run(t, home, "status", "--json"); err != nil || !strings.Contains(out, `"todo": 0`) {
		t.Errorf("index after the last start: %v\n%s", err, out)
	}
	t.Logf("%d kills, %d acknowledged writes, all there", kills, len(acknowledged))
}

// TestManyClientsStartOneDaemon lets real processes race to start it.
func TestManyClientsStartOneDaemon(t *testing.T) {
	const clients = 50
	home := freshHome(t)
	pids := make([]string, clients)
	var wg sync.WaitGroup
	for i := range clients {
		wg.Go(func() {
			out, err := run(t, home, "status", "--json")
			if err != nil {
				t.Error(err)
				return
			}
			var st mind.StatusOutput
			if err := json.Unmarshal([]byte(out), &st); err != nil {
				t.Error(err)
			}
			pids[i] = strconv.Itoa(st.PID)
		})
	}
	wg.Wait()
	for _, pid := range pids {
		if pid != pids[0] {
			t.Fatalf("clients were answered by different daemons: %v", pids)
		}
	}
	log, err := os.ReadFile(paths(t, home).LogFile())
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(log), "msg=listening"); n != 1 {
		t.Errorf("%d daemons listened", n)
	}
}

// TestDaemonLeavesNothingBehind stops the daemon by signal and looks for what
// remains: the socket, the lock, a child.
func TestDaemonLeavesNothingBehind(t *testing.T) {
	home := freshHome(t)
	daemon := startDaemon(t, home)
	if _, err := run(t, home, "remember", "a realm is detected by running git, a child process"); err != nil {
		t.Fatal(err)
	}
	pid := daemon.Process.Pid
	if err := daemon.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := daemon.Wait(); err != nil {
		t.Errorf("after SIGTERM: %v", err)
	}
	if _, err := os.Lstat(paths(t, home).Socket()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the socket is still there: %v", err)
	}
	if _, held, err := rpc.LockHolder(paths(t, home).Lock()); held || err != nil {
		t.Errorf("lock held %v, %v", held, err)
	}
	noneLeft(t, pid, nil)
}

// noneLeft expects that a process has no children but those of before, once
// what it had begun is over.
func noneLeft(t *testing.T, pid int, before []string) {
	t.Helper()
	var left []string
	for deadline := time.Now().Add(5 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		left = slices.DeleteFunc(childrenOf(t, pid), func(c string) bool { return slices.Contains(before, c) })
		if len(left) == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Errorf("children of %d left behind: %v", pid, left)
			return
		}
	}
}

// childrenOf lists the processes that a process is the parent of.
func childrenOf(t *testing.T, pid int) []string {
	t.Helper()
	entries, err := os.ReadDir("/proc")
	if err != nil {
		t.Log("no /proc here; children are not looked for")
		return nil
	}
	var out []string
	for _, e := range entries {
		stat, err := os.ReadFile(filepath.Join("/proc", e.Name(), "stat"))
		if err != nil {
			continue
		}
		// pid (name) state ppid …: the name may hold spaces, so count from its end
		_, rest, ok := strings.Cut(string(stat), ") ")
		if f := strings.Fields(rest); ok && len(f) > 1 && f[1] == strconv.Itoa(pid) {
			out = append(out, e.Name())
		}
	}
	return out
}

// TestStaleFilesAreRecovered kills the daemon, which leaves its socket and its
// lock file, and expects the next command to work.
func TestStaleFilesAreRecovered(t *testing.T) {
	home := freshHome(t)
	daemon := startDaemon(t, home)
	daemon.Process.Kill()
	daemon.Wait()
	if _, err := os.Lstat(paths(t, home).Socket()); err != nil {
		t.Fatalf("no stale socket to recover from: %v", err)
	}
	if _, err := run(t, home, "remember", "stored after a crash"); err != nil {
		t.Error(err)
	}
}

// TestBadInputOnTheSocket sends what no client of ours would and expects a
// clear refusal and a daemon that lives on.
func TestBadInputOnTheSocket(t *testing.T) {
	home := freshHome(t)
	if _, err := run(t, home, "up"); err != nil {
		t.Fatal(err)
	}
	socket := paths(t, home).Socket()
	client := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", socket)
	}}}
	defer client.CloseIdleConnections()
	post := func(body io.Reader) (int, string) {
		t.Helper()
		resp, err := client.Post("http://chitta/rpc", "application/json", body)
		if err != nil {
			return 0, err.Error()
		}
		defer resp.Body.Close()
		b, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return resp.StatusCode, string(b)
	}
	request := func(method, params string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, method, params)
	}
	quoted := func(s string) string { b, _ := json.Marshal(s); return string(b) }
	tests := []struct {
		name string
		body string
		want []string // all in the answer
	}{
		{"not JSON", "hello", []string{"-32700"}},
		{"empty body", "", []string{"-32700"}},
		{"invalid UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"recall\",\"params\":{\"query\":\"\xff\xfe\"}}", []string{"-32700", "UTF-8"}},
		{"not a request", `{"a":1}`, []string{"-32600"}},
		{"unknown method", request("recal", `{}`), []string{"-32601", `did you mean \"recall\"`}},
		{"params by position", request("recall", `["x"]`), []string{"-32602"}},
		{"missing field", request("recall", `{}`), []string{"-32602", `"field":"query"`, "required"}},
		{"wrong type", request("recall", `{"query":"x","limit":"many"}`), []string{"-32602", `"field":"limit"`, "whole number"}},
		{"unknown field", request("recall", `{"query":"x","limits":3}`), []string{"-32602", `did you mean \"limit\"`}},
		{"empty query", request("recall", `{"query":"  "}`), []string{"-32602", `"field":"query"`}},
		{"negative limit", request("list", `{"limit":-1}`), []string{"-32602", `"field":"limit"`}},
		{"absurd limit", request("list", `{"limit":99999999}`), []string{"-32602", `"field":"limit"`}},
		{"negative budget", request("recall", `{"query":"x","budget":-5}`), []string{"-32602", `"field":"budget"`}},
		{"unknown kind", request("remember", `{"content":"long enough content","kind":"wisdon"}`), []string{"-32602", `did you mean \"wisdom\"`}},
		{"unknown id", request("get", `{"id":"m_doesnotexist"}`), []string{"-32001", `"hint"`}},
		{"id too short", request("get", `{"id":"m"}`), []string{"-32602", `"field":"id"`}},
		{"NUL byte", request("remember", `{"content":"a NUL \u0000 is in here"}`), []string{"-32602", "NUL", `"field":"content"`}},
		{"too short", request("remember", `{"content":"short"}`), []string{"-32602", `"field":"content"`, `"hint"`}},
		{"a memory of 1 MB", request("remember", `{"content":`+quoted(strings.Repeat("long text ", 100_000))+`}`), []string{"-32602", `"field":"content"`, "262144"}},
		{"a query of 1 MB", request("recall", `{"query":`+quoted(strings.Repeat("long text ", 100_000))+`}`), []string{"-32602", `"field":"query"`}},
		{"confidence out of range", request("remember", `{"content":"long enough content","confidence":1.5}`), []string{"-32602", `"field":"confidence"`}},
		{"an empty tag", request("remember", `{"content":"long enough content","tags":[""]}`), []string{"-32602", `"field":"tags"`}},
		{"unknown realm", request("recall", `{"query":"x","realm":"nowhere"}`), []string{"-32602", `"field":"realm"`}},
		{"a cursor of one's own", request("list", `{"cursor":"abc"}`), []string{"-32602", `"field":"cursor"`}},
		{"deep nesting", request("recall", strings.Repeat(`{"a":`, 20_000)+"1"+strings.Repeat("}", 20_000)), []string{`"error"`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, answer := post(strings.NewReader(tt.body))
			for _, want := range tt.want {
				if !strings.Contains(answer, want) {
					t.Errorf("%q is not in the answer %.400s", want, answer)
				}
			}
		})
	}
	t.Run("100 MB", func(t *testing.T) {
		status, answer := post(io.LimitReader(zeros{}, 100<<20))
		// the daemon may close before all is sent; both are a refusal
		if status != http.StatusRequestEntityTooLarge && status != 0 {
			t.Errorf("status %d: %.200s", status, answer)
		}
	})
	if n, err := run(t, home, "list", "--json", "--state", "all", "--realm", "user"); err != nil || !strings.Contains(n, `"total": 0`) {
		t.Errorf("something was stored: %s %v", n, err)
	}
	if _, err := run(t, home, "check"); err != nil {
		t.Error(err)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}
