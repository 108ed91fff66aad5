package cli_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"chitta/internal/capture"
	"chitta/internal/config"
	"chitta/internal/hook/quick"
)

func TestHookWithOddDataDirectories(t *testing.T) {
	tests := []struct {
		name    string
		prepare func(t *testing.T, dir string) (home string)
		as      []string // reasons, where there is a place for them
	}{
		{"missing", func(_ *testing.T, dir string) string { return filepath.Join(dir, "none") }, nil},
		{"a file", func(t *testing.T, dir string) string {
			file := filepath.Join(dir, "file")
			if err := os.WriteFile(file, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			return file
		}, nil},
		{"relative", func(*testing.T, string) string { return "relative/place" }, nil},
		{"read-only", func(t *testing.T, dir string) string {
			ro := filepath.Join(dir, "ro")
			if err := os.Mkdir(ro, 0o500); err != nil {
				t.Fatal(err)
			}
			return ro
		}, nil},
		{"unreadable", func(t *testing.T, dir string) string {
			no := filepath.Join(dir, "no")
			if err := os.Mkdir(no, 0); err != nil {
				t.Fatal(err)
			}
			return no
		}, nil},
		{"in the client", func(_ *testing.T, dir string) string { return filepath.Join(dir, ".claude", "x") }, nil},
		{"with a NUL-free but odd name", func(_ *testing.T, dir string) string { return filepath.Join(dir, "a b\n😀") }, nil},
		{"too long for a socket", func(t *testing.T, dir string) string {
			deep := filepath.Join(dir, strings.Repeat("deep/", 40))
			if err := os.MkdirAll(deep, 0o700); err != nil {
				t.Fatal(err)
			}
			return deep
		}, []string{quick.NotRunning}},
		{"with a log on a full disk", func(t *testing.T, dir string) string {
			if _, err := os.Stat("/dev/full"); err != nil {
				return filepath.Join(dir, "none")
			}
			logs := filepath.Join(dir, "home", "logs")
			if err := errors.Join(os.MkdirAll(logs, 0o700), os.Symlink("/dev/full", filepath.Join(logs, quick.LogName))); err != nil {
				t.Fatal(err)
			}
			return filepath.Dir(logs)
		}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := freshHome(t)
			home := tt.prepare(t, dir)
			for _, event := range []string{quick.Stop, quick.UserPromptSubmit} {
				cmd := command(t, dir, "hook", event)
				cmd.Env = append(cmd.Env, "CHITTA_HOME="+home)
				cmd.Stdin = strings.NewReader(report(event, ""))
				if out := hooked(t, cmd); out != "" {
					t.Errorf("printed %q", out)
				}
			}
			if tt.as == nil {
				return
			}
			b, err := os.ReadFile(filepath.Join(home, "logs", quick.LogName))
			if err != nil || !strings.Contains(string(b), tt.as[0]) {
				t.Errorf("the log: %q, %v", b, err)
			}
		})
	}
	t.Run("no home at all", func(t *testing.T) {
		cmd := command(t, freshHome(t), "hook", quick.Stop)
		cmd.Env = []string{"PATH=" + os.Getenv("PATH")}
		cmd.Stdin = strings.NewReader(report(quick.Stop, ""))
		hooked(t, cmd)
	})
}

// TestSessionStartInDataDirectoriesThatCannotBeUsed would start a daemon, and
// must not break over it.
func TestSessionStartInDataDirectoriesThatCannotBeUsed(t *testing.T) {
	dir := freshHome(t)
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, home := range []string{file, filepath.Join(file, "below"), "/proc/none", "relative"} {
		cmd := command(t, dir, "hook", quick.SessionStart)
		cmd.Env = append(cmd.Env, "CHITTA_HOME="+home)
		cmd.Stdin = strings.NewReader(report(quick.SessionStart, ""))
		if out := hooked(t, cmd); out != "" {
			t.Errorf("%s: printed %q", home, out)
		}
	}
}

// TestHookTheLongWay has a data directory whose socket is elsewhere, which is
// for the usual client to find.
func TestHookTheLongWay(t *testing.T) {
	dir := freshHome(t)
	home := filepath.Join(dir, strings.Repeat("deep/", 40))
	if err := os.MkdirAll(home, 0o700); err != nil {
		t.Fatal(err)
	}
	p, err := config.Locate(config.LoadOptions{Home: home})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.EnsureHome(); err != nil {
		t.Fatal(err)
	}
	listenAs(t, p, answering(200, result200(capture.Wrap("found all the same"))))
	prepared := func() *exec.Cmd {
		cmd := command(t, dir, "hook", quick.SessionStart)
		cmd.Env = append(cmd.Env, "CHITTA_HOME="+home)
		cmd.Stdin = strings.NewReader(report(quick.SessionStart, ""))
		return cmd
	}
	if out := hooked(t, prepared()); !strings.Contains(out, "found all the same") {
		logged(t, p)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	defer w.Close()
	cmd := prepared()
	cmd.Stdout = w
	hooked(t, cmd)
	logged(t, p, quick.NotPrinted)
}
