package cli_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"chitta/internal/ingest"
	"chitta/internal/mind"
	"chitta/internal/rpc"
)

// writeTranscripts writes sessions large enough that importing them takes a
// while.
func writeTranscripts(t *testing.T, dir string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(3, 4))
	for s := range 8 {
		var b strings.Builder
		for i := range 2000 {
			role, content := "assistant", fmt.Sprintf(`[{"type":"text","text":"step %d of session %d: %s"}]`, i, s, strings.Repeat("words of work ", rnd.IntN(60)))
			if i%20 == 0 {
				role, content = "user", fmt.Sprintf(`"please do part %d of job %d"`, i, s)
			}
			fmt.Fprintf(&b, `{"type":"%s","uuid":"%d-%d","sessionId":"session-%d","cwd":"/gone/p%d","timestamp":"2026-03-01T10:%02d:%02dZ","message":{"role":"%s","content":%s}}`+"\n",
				role, s, i, s, s%3, i/60, i%60, role, content)
			if i%17 == 0 {
				b.WriteString(`{"type":"user","uuid":"broken` + "\n")
			}
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("session-%d.jsonl", s)), []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// stored sums up what a home has of conversations.
func stored(t *testing.T, home string) string {
	t.Helper()
	out, err := run(t, home, "status", "--json")
	if err != nil {
		t.Fatal(err)
	}
	var st mind.StatusOutput
	if err := json.Unmarshal([]byte(out), &st); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%d sessions, %d messages, %d realms, %d documents", st.Sessions, st.Messages, st.Realms, st.Index.Docs)
}

// TestKilledImportCompletes kills the daemon again and again while it imports.
// Importing again must end with what an undisturbed import has.
func TestKilledImportCompletes(t *testing.T) {
	const kills = 20
	dir := filepath.Join(t.TempDir(), "projects")
	writeTranscripts(t, dir)
	calm := freshHome(t)
	// the damaged lines make it a failure
	if _, err := run(t, calm, "import", dir); err == nil {
		t.Fatal("damaged lines were not reported")
	}
	run(t, calm, "rebuild") // waits until everything is indexed
	want := stored(t, calm)

	home := freshHome(t)
	if err := os.MkdirAll(filepath.Join(home, "home"), 0o700); err != nil {
		t.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(5, 6))
	cut := 0
	for round := range kills {
		daemon := startDaemon(t, home)
		done := make(chan bool)
		go func() {
			client := rpc.New(rpc.ClientOptions{Socket: paths(t, home).Socket(), Name: "cli"})
			defer client.Close()
			for _, path := range transcriptFiles(t, dir) {
				for more := true; more; {
					var out ingest.Report
					if client.Call(t.Context(), "session_ingest", mind.SessionIngestInput{Path: path, Budget: 1}, &out) != nil {
						done <- false
						return
					}
					more = !out.Done
				}
			}
			done <- true
		}()
		time.Sleep(time.Duration(rnd.IntN(60)) * time.Millisecond)
		if err := daemon.Process.Signal(syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		daemon.Wait()
		if !<-done {
			cut++
		}
		if round%5 == 4 {
			if out, err := run(t, home, "check"); err != nil {
				t.Fatalf("check after %d kills: %v\n%s", round+1, err, out)
			}
			run(t, home, "daemon", "stop")
		}
	}
	if cut < kills/4 {
		t.Errorf("only %d of %d imports were cut; the test shows little", cut, kills)
	}
	run(t, home, "import", dir)
	run(t, home, "rebuild")
	if got := stored(t, home); got != want {
		t.Errorf("after %d kills: %s; undisturbed: %s", kills, got, want)
	}
	if out, err := run(t, home, "check"); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func transcriptFiles(t *testing.T, dir string) []string {
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil {
		t.Error(err)
	}
	return files
}
