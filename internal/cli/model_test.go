package cli_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"chitta/internal/config"
	"chitta/internal/meaning"
	"chitta/internal/mind"
	"chitta/internal/rpc"
)

// endpoint serves vectors of 16 dimensions made of a text's letters and counts
// the texts it embedded that are memories of these tests.
func endpoint(t *testing.T) (url string, embedded *atomic.Int64) {
	t.Helper()
	embedded = new(atomic.Int64)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct{ Input []string }
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		type item struct {
			Index     int       `json:"index"`
			Embedding []float64 `json:"embedding"`
		}
		data := make([]item, len(in.Input))
		for i, text := range in.Input {
			data[i] = item{i, make([]float64, 16)}
			for _, b := range []byte(text) {
				data[i].Embedding[b%16]++
			}
			if strings.HasPrefix(text, "embedded item") {
				embedded.Add(1)
			}
		}
		json.NewEncoder(w).Encode(map[string]any{"data": data})
	}))
	t.Cleanup(s.Close)
	return s.URL, embedded
}

// modelStatus asks a running daemon.
func modelStatus(t *testing.T, client *rpc.Client) (st meaning.Status) {
	t.Helper()
	if err := client.Call(t.Context(), "model_status", nil, &st); err != nil {
		t.Fatal(err)
	}
	return st
}

func awaitModel(t *testing.T, client *rpc.Client, what string, ok func(meaning.Status) bool) meaning.Status {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		st := modelStatus(t, client)
		if ok(st) {
			return st
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s: %+v", what, st)
		}
	}
}

// TestModelChangesWhileTheDaemonIsKilled chooses another model by command,
// kills the daemon while it embeds, and holds that the next one goes on where
// it was, with at most a batch done twice.
func TestModelChangesWhileTheDaemonIsKilled(t *testing.T) {
	const items, batch = 600, 64
	home := freshHome(t)
	if err := os.MkdirAll(filepath.Join(home, "home"), 0o700); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(home, "home", "config.toml")
	if err := os.WriteFile(file, []byte("# mine\n[model]\nuse = \"none\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	daemon := startModelDaemon(t, home)
	client := rpc.New(rpc.ClientOptions{Socket: paths(t, home).Socket(), Name: "cli"})
	defer client.Close()
	for i := range items {
		if err := client.Call(t.Context(), "remember", mind.RememberInput{Content: fmt.Sprintf("embedded item number%d of many", i)}, nil); err != nil {
			t.Fatal(err)
		}
	}
	url, embedded := endpoint(t)
	out, err := run(t, home, "model", "use", "openai:"+url, "--name", "letters")
	if err != nil || !strings.Contains(out, "using openai:letters, 16 dimensions") || !strings.Contains(out, "embedding 600 texts in the background") {
		t.Fatalf("%s %v", out, err)
	}
	if text, err := os.ReadFile(file); err != nil || !strings.HasPrefix(string(text), "# mine\n[model]\nuse = \"openai:http://") {
		t.Errorf("%s %v", text, err)
	}
	awaitModel(t, client, "embedding begins", func(st meaning.Status) bool { return st.Vectors > 0 })
	if err := daemon.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	daemon.Wait()
	killed := embedded.Load()

	daemon = startModelDaemon(t, home)
	awaitModel(t, client, "embedding ends", func(st meaning.Status) bool { return st.State == meaning.Ready && st.Vectors == items })
	if n := embedded.Load(); n > items+batch {
		t.Errorf("%d texts were embedded for %d, %d of them before the kill", n, items, killed)
	}

	// another one: the old one answers until it is done
	second, _ := endpoint(t)
	out, err = run(t, home, "model", "use", "openai:"+second, "--name", "others")
	if err != nil || !strings.Contains(out, "the old model (openai:letters) answers meanwhile") {
		t.Errorf("%s %v", out, err)
	}
	var answer mind.RecallOutput
	if err := client.Call(t.Context(), "recall", mind.RecallInput{Query: "embedded item number7"}, &answer); err != nil || len(answer.Results) == 0 {
		t.Errorf("%+v %v", answer, err)
	}
	if len(answer.Degraded)+len(answer.Off) > 0 {
		t.Errorf("degraded %v, off %v", answer.Degraded, answer.Off)
	}
	st := awaitModel(t, client, "the other takes over", func(st meaning.Status) bool { return st.State == meaning.Ready && st.Answering == "" })
	if st.ID != "openai:others" || st.Vectors != items {
		t.Errorf("%+v", st)
	}
	if out, err := run(t, home, "check"); err != nil {
		t.Errorf("check: %v\n%s", err, out)
	}
	if err := daemon.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	daemon.Wait()
}

// startModelDaemon starts a daemon that goes by its config.toml, which the
// environment of the other tests stands above.
func startModelDaemon(t *testing.T, home string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(filepath.Join(binDir, "chitta"), "daemon", "run")
	cmd.Env, cmd.Dir = append(environment(home), config.EnvName("model.use")+"="), home
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	client := rpc.New(rpc.ClientOptions{Socket: paths(t, home).Socket()})
	defer client.Close()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(2 * time.Millisecond) {
		if _, err := client.Health(t.Context()); err == nil {
			return cmd
		}
		if time.Now().After(deadline) {
			cmd.Process.Kill()
			cmd.Wait()
			t.Fatal("the daemon does not answer")
		}
	}
}
