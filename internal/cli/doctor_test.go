package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chitta/internal/config"
	"chitta/internal/install"
	"chitta/internal/mind"
	"chitta/internal/rpc"
)

// TestDoctorOnPostedHooks goes through what can be wrong with hooks that the
// client posts: each is told apart and says what to do.
func TestDoctorOnPostedHooks(t *testing.T) {
	const token = "0123456789abcdef0123456789abcdef"
	listening := &rpc.Health{Fields: map[string]json.RawMessage{"http": json.RawMessage(`"127.0.0.1:7371"`)}}
	tests := []struct {
		name   string
		health *rpc.Health
		token  string // in the data directory
		env    string // of the shell
		status string
		want   string
	}{
		{"all is well", listening, token + "\n", token, mind.FindingOK, "listens on 127.0.0.1:7371"},
		{"no daemon", nil, token, token, mind.FindingFail, "does not answer"},
		{"a daemon that does not listen", &rpc.Health{}, token, token, mind.FindingFail, "http.listen is not set"},
		{"a port that is taken", &rpc.Health{Fields: map[string]json.RawMessage{"http_problem": json.RawMessage(`"address already in use"`)}}, token, token, mind.FindingFail, "address already in use"},
		{"another port", &rpc.Health{Fields: map[string]json.RawMessage{"http": json.RawMessage(`"127.0.0.1:1"`)}}, token, token, mind.FindingFail, "listens on 127.0.0.1:1"},
		{"no token", listening, "", token, mind.FindingFail, "cannot be read"},
		{"a shell without it", listening, token, "", mind.FindingWarn, "CHITTA_HTTP_TOKEN is not set here"},
		{"a shell with another", listening, token, "x", mind.FindingFail, "is not the token"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := &exam{app: &app{getenv: func(string) string { return tt.env }}, paths: config.PathsFor(t.TempDir()), health: tt.health}
			if tt.token != "" {
				if err := os.WriteFile(e.paths.HTTPToken(), []byte(tt.token), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			e.posted(install.Registration{Scope: install.ScopeUser, Hooks: map[string]string{"Stop": "http://127.0.0.1:7371/hook/Stop", "SessionStart": "/bin/chitta"}}, "install again")
			if len(e.findings) != 1 {
				t.Fatalf("findings %+v", e.findings)
			}
			f := e.findings[0]
			if f.Status != tt.status || !strings.Contains(f.Detail, tt.want) || (f.Hint == "") != (tt.status == mind.FindingOK) {
				t.Errorf("%+v, want %s with %q", f, tt.status, tt.want)
			}
			if strings.Contains(f.Detail+f.Hint, token) {
				t.Errorf("it shows the token: %+v", f)
			}
		})
	}
	e := &exam{app: &app{}}
	if e.posted(install.Registration{Hooks: map[string]string{"Stop": "/bin/chitta"}}, ""); len(e.findings) > 0 {
		t.Errorf("processes only: %+v", e.findings)
	}
}

// TestDoctorOnTheBinary: what the client is told to start has to start, be
// chitta, and fit the daemon.
func TestDoctorOnTheBinary(t *testing.T) {
	dir := t.TempDir()
	script := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	tests := []struct{ name, path, status, want string }{
		{"right", script("right", "echo chitta 1.2.3", 0o755), mind.FindingOK, "version 1.2.3"},
		{"another version", script("old", "echo chitta 1.0.0", 0o755), mind.FindingWarn, "is version 1.0.0, and the daemon is 1.2.3"},
		{"something else", script("other", "echo hello", 0o755), mind.FindingFail, "is not chitta"},
		{"broken", script("broken", "exit 1", 0o755), mind.FindingFail, "does not run"},
		{"not to be started", script("text", "", 0o644), mind.FindingFail, "cannot be started"},
		{"gone", filepath.Join(dir, "gone"), mind.FindingFail, "cannot be started"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := &exam{health: &rpc.Health{Version: "1.2.3"}}
			e.binary(t.Context(), "binary", tt.path, "install again")
			if f := e.findings[0]; f.Status != tt.status || !strings.Contains(f.Detail, tt.want) {
				t.Errorf("%+v, want %s with %q", f, tt.status, tt.want)
			}
		})
	}
}
