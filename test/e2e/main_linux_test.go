package e2e

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// bench is what all tests share.
var bench struct {
	chitta  string // the binary under test
	client  string // the client's; "" if there is none
	version string // its version
	missing string // why there is none
	space   *space
	ran     record
}

// record remembers what was driven, to say so at the end.
type record struct {
	mu    sync.Mutex
	lines []string
}

func (r *record) add(name string, took time.Duration, failed bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	word := "ok  "
	if failed {
		word = "FAIL"
	}
	r.lines = append(r.lines, fmt.Sprintf("e2e: %s %5.1f s  %s", word, took.Seconds(), name))
}

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	if socket := os.Getenv(dialAs); socket != "" {
		return dial(socket)
	}
	dir, err := os.MkdirTemp("", "e2e-bin-*")
	if err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		return 1
	}
	defer os.RemoveAll(dir)
	findClient()
	if os.Getenv("CLAUDE_BIN") != "" && bench.client == "" { // who names one wants it driven
		fmt.Fprintln(os.Stderr, "e2e:", bench.missing)
		return 1
	}
	if bench.client != "" {
		bench.chitta = filepath.Join(dir, "chitta")
		// the version is one that stays: a daemon is not handed over in these tests
		build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w -X chitta/internal/config.Version=1.0.0", "-o", bench.chitta, "chitta/cmd/chitta")
		if out, err := build.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "e2e: build chitta: %v\n%s", err, out)
			return 1
		}
	}
	bench.space = newSpace()
	begun := time.Now()
	code := m.Run()
	report(time.Since(begun))
	return code
}

// findClient takes the client that CLAUDE_BIN names, or fetches the version that
// CLIENT_VERSION asks for, or the pinned one.
func findClient() {
	bin := os.Getenv("CLAUDE_BIN")
	if bin == "" {
		fetch := exec.Command("sh", "../../scripts/client.sh", "../../.cache/client")
		if v := os.Getenv("CLIENT_VERSION"); v != "" {
			fetch.Args = append(fetch.Args, v)
		}
		var stderr bytes.Buffer
		fetch.Stderr = &stderr
		out, err := fetch.Output()
		if err != nil {
			bench.missing = strings.TrimSpace(stderr.String())
			return
		}
		bin = strings.TrimSpace(string(out))
	}
	out, err := exec.Command(bin, "--version").Output()
	if err != nil {
		bench.missing = fmt.Sprintf("client: %s --version: %v", bin, err)
		return
	}
	bench.version, _, _ = strings.Cut(strings.TrimSpace(string(out)), " ")
	if bench.client, err = filepath.Abs(bin); err != nil {
		bench.client, bench.missing = "", err.Error()
	}
}

// report says what ran on which client.
func report(took time.Duration) {
	if bench.client == "" {
		fmt.Printf("e2e: skipped, there is no client to drive: %s\n", bench.missing)
		return
	}
	network := "loopback only"
	if bench.space.closed != nil {
		network = "not cut off: " + bench.space.closed.Error()
	}
	for _, line := range bench.ran.lines {
		fmt.Println(line)
	}
	fmt.Printf("e2e: %d scenarios with Claude Code %s in %.0f s; network: %s\n", len(bench.ran.lines), bench.version, took.Seconds(), network)
}
