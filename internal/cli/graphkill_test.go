package cli_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"chitta/internal/mind"
	"chitta/internal/rpc"
)

// minedFacts returns what is known in a home and what it rests on, without ids
// and times that differ from run to run.
func minedFacts(t *testing.T, home string) (facts []string) {
	t.Helper()
	client := rpc.New(rpc.ClientOptions{Socket: paths(t, home).Socket(), Name: "cli"})
	defer client.Close()
	in := mind.GraphExportInput{Realm: "all"}
	for {
		var page mind.GraphExportOutput
		if err := client.Call(t.Context(), "graph_export", in, &page); err != nil {
			t.Fatal(err)
		}
		for _, r := range page.Records {
			facts = append(facts, fmt.Sprint(r.Subject, r.Predicate, r.Object, r.Confidence, r.Source, r.Session, r.Message, r.From, r.Until))
		}
		if in.Cursor = page.Next; in.Cursor == "" {
			slices.Sort(facts)
			return facts
		}
	}
}

// calmSettings let nothing but what a test does happen to a home.
const calmSettings = "[model]\nuse = \"none\"\n[sessions]\nwatch = false\n"

// settings writes the configuration of a home.
func settings(t *testing.T, home, text string) {
	t.Helper()
	dir := filepath.Join(home, "home")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "config.toml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// unmined makes a home with conversations that were not read for facts, and no
// daemon.
func unmined(t *testing.T, sessions, turns int) (home string) {
	t.Helper()
	var text strings.Builder
	for i := range sessions * turns {
		said := fmt.Sprintf("turn %d says nothing", i)
		if i%3 == 0 {
			said = fmt.Sprintf("step.n%d -[causes]-> step.n%d", i%1000, i%1000+1)
		}
		fmt.Fprintf(&text, `{"id":"%d","session":"s%d","role":"assistant","text":%q}`+"\n", i, i%sessions, said)
	}
	home = freshHome(t)
	settings(t, home, calmSettings+"[graph]\nmine = false\n")
	file := filepath.Join(home, "turns.jsonl")
	if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"import", "--format", "turns", file}, {"daemon", "stop"}} {
		if out, err := run(t, home, args...); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	return home
}

// mineStatus asks the daemon of a home how mining stands.
func mineStatus(t *testing.T, home string) (out mind.GraphMineOutput) {
	t.Helper()
	client := rpc.New(rpc.ClientOptions{Socket: paths(t, home).Socket(), Name: "cli"})
	defer client.Close()
	if err := client.Call(t.Context(), "graph_mine", mind.GraphMineInput{Status: true}, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// minedToTheEnd returns what is known in a home when mining is done there.
func minedToTheEnd(t *testing.T, home string, automatic bool) []string {
	t.Helper()
	begin := []string{"graph", "mine"}
	if automatic {
		begin = []string{"up"}
	}
	if out, err := run(t, home, begin...); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		out := mineStatus(t, home)
		if out.On && out.Done {
			return minedFacts(t, home)
		}
		if time.Now().After(deadline) {
			t.Fatalf("not done: %+v", out)
		}
	}
}

// TestKilledMiningComesToTheSame kills the daemon again and again while it looks
// for facts, because somebody asked for it or by itself. Afterwards the data is
// sound, and what was found is what a run finds that nobody disturbs.
func TestKilledMiningComesToTheSame(t *testing.T) {
	for name, automatic := range map[string]bool{"asked for": false, "by itself": true} {
		t.Run(name, func(t *testing.T) { killMining(t, automatic) })
	}
}

func killMining(t *testing.T, automatic bool) {
	const kills, sessions, turns = 6, 40, 100
	calm, home := unmined(t, sessions, turns), unmined(t, sessions, turns)
	if automatic { // as it is when nobody says otherwise
		settings(t, calm, calmSettings)
		settings(t, home, calmSettings)
	}
	rnd, inBetween := rand.New(rand.NewPCG(3, 4)), 0
	for range kills {
		daemon := startDaemon(t, home)
		if before := mineStatus(t, home); before.Chunks > 0 && !before.Done {
			inBetween++
		}
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			if !automatic {
				client := rpc.New(rpc.ClientOptions{Socket: paths(t, home).Socket(), Name: "cli"})
				defer client.Close()
				_ = client.Call(t.Context(), "graph_mine", mind.GraphMineInput{}, nil) // cut off by the kill
			}
		}()
		time.Sleep(time.Duration(20+rnd.IntN(100)) * time.Millisecond)
		if err := daemon.Process.Signal(syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		daemon.Wait()
		<-ended
	}
	if inBetween < kills/3 {
		t.Errorf("only %d of %d kills came in the middle; the test shows little", inBetween, kills)
	}
	if out, err := run(t, home, "check"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	want, got := minedToTheEnd(t, calm, automatic), minedToTheEnd(t, home, automatic)
	if out, err := run(t, home, "check"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if !slices.Equal(got, want) || len(want) < sessions {
		t.Errorf("%d facts, undisturbed %d", len(got), len(want))
	}
}

// TestKilledImportLeavesNothing kills the daemon while it stores a file of
// facts: all of them are there afterwards or none.
func TestKilledImportLeavesNothing(t *testing.T) {
	const kills, facts = 10, 4000
	home := freshHome(t)
	if err := os.MkdirAll(filepath.Join(home, "home"), 0o700); err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	text.WriteString("subject,predicate,object,valid_from\n")
	for i := range facts {
		fmt.Fprintf(&text, "part.n%d,causes,other.n%d,2026-01-01\n", i, i/2)
	}
	file := filepath.Join(home, "facts.csv")
	settings := "[model]\nuse = \"none\"\n[sessions]\nwatch = false\n"
	for path, content := range map[string]string{filepath.Join(home, "home", "config.toml"): settings, file: text.String()} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	rnd, none := rand.New(rand.NewPCG(5, 6)), 0
	for range kills {
		daemon := startDaemon(t, home)
		if n := len(minedFacts(t, home)); n == 0 {
			none++
		} else if n != facts {
			t.Errorf("%d of %d facts are there", n, facts)
		}
		client := rpc.New(rpc.ClientOptions{Socket: paths(t, home).Socket(), Name: "cli"})
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			_ = client.Call(t.Context(), "graph_import", mind.GraphImportInput{File: file, Format: "csv"}, nil) // cut off by the kill
		}()
		time.Sleep(time.Duration(10+rnd.IntN(150)) * time.Millisecond)
		if err := daemon.Process.Signal(syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		daemon.Wait()
		<-ended
		client.Close()
	}
	if none < 2 {
		t.Errorf("only %d kills came before the end; the test shows little", none)
	}
	for _, args := range [][]string{{"check"}, {"graph", "import", file}, {"check"}} {
		if out, err := run(t, home, args...); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	if n := len(minedFacts(t, home)); n != facts {
		t.Errorf("%d of %d facts are there in the end", n, facts)
	}
}

// TestInterruptedImportSaysWhatBecameOfIt: who gives up an import hears how much
// of it is stored, and no more is stored afterwards.
func TestInterruptedImportSaysWhatBecameOfIt(t *testing.T) {
	const facts = 30_000
	home := freshHome(t)
	settings(t, home, calmSettings)
	file := filepath.Join(home, "facts.csv")
	var text strings.Builder
	text.WriteString("subject,predicate,object,valid_from\n")
	for i := range facts {
		fmt.Fprintf(&text, "part.n%d,causes,other.n%d,2026-01-01\n", i, i/2)
	}
	if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	startDaemon(t, home)
	cmd := exec.Command(filepath.Join(binDir, "chitta"), "graph", "import", "--parts", file)
	cmd.Env, cmd.Dir = environment(home), home
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for begin := time.Now(); len(minedFacts(t, home)) == 0 && time.Since(begin) < 20*time.Second; {
		time.Sleep(20 * time.Millisecond)
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	err := cmd.Wait()
	stored := len(minedFacts(t, home))
	if err == nil || !strings.Contains(output.String(), "the import was cancelled") || !strings.Contains(output.String(), fmt.Sprintf("%d facts added", stored)) || stored == 0 || stored >= facts {
		t.Errorf("%d facts are stored, %v:\n%s", stored, err, &output)
	}
}
