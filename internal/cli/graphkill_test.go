package cli_test

import (
	"fmt"
	"math/rand/v2"
	"os"
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

// TestKilledMiningComesToTheSame kills the daemon again and again while it looks
// for facts. Afterwards the data is sound, and what was found is what a run
// finds that nobody disturbs.
func TestKilledMiningComesToTheSame(t *testing.T) {
	const kills, sessions, turns = 12, 40, 150
	var text strings.Builder
	for i := range sessions * turns {
		said := fmt.Sprintf("turn %d says nothing", i)
		if i%3 == 0 {
			said = fmt.Sprintf("step.n%d -[causes]-> step.n%d", i%1000, i%1000+1)
		}
		fmt.Fprintf(&text, `{"id":"%d","session":"s%d","role":"assistant","text":%q}`+"\n", i, i%sessions, said)
	}
	prepare := func() string {
		home := freshHome(t)
		dir := filepath.Join(home, "home")
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		settings := "[model]\nuse = \"none\"\n[graph]\nmine = false\n[sessions]\nwatch = false\n"
		file := filepath.Join(home, "turns.jsonl")
		for path, content := range map[string]string{filepath.Join(dir, "config.toml"): settings, file: text.String()} {
			if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if out, err := run(t, home, "import", "--format", "turns", file); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return home
	}
	calm, home := prepare(), prepare()
	if out, err := run(t, calm, "graph", "mine"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := run(t, home, "daemon", "stop"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	rnd, inBetween := rand.New(rand.NewPCG(3, 4)), 0
	for range kills {
		daemon := startDaemon(t, home)
		client := rpc.New(rpc.ClientOptions{Socket: paths(t, home).Socket(), Name: "cli"})
		var before mind.GraphMineOutput
		if err := client.Call(t.Context(), "graph_mine", mind.GraphMineInput{Status: true}, &before); err != nil {
			t.Fatal(err)
		}
		if before.Chunks > 0 && !before.Done {
			inBetween++
		}
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			_ = client.Call(t.Context(), "graph_mine", mind.GraphMineInput{}, nil) // cut off by the kill
		}()
		time.Sleep(time.Duration(20+rnd.IntN(100)) * time.Millisecond)
		if err := daemon.Process.Signal(syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		daemon.Wait()
		<-ended
		client.Close()
	}
	if inBetween < kills/3 {
		t.Errorf("only %d of %d kills came in the middle; the test shows little", inBetween, kills)
	}
	for _, args := range [][]string{{"check"}, {"graph", "mine"}, {"check"}} {
		if out, err := run(t, home, args...); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	want, got := minedFacts(t, calm), minedFacts(t, home)
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
