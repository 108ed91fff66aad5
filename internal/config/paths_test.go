package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPaths(t *testing.T) {
	home := filepath.FromSlash("/data/chitta")
	p := PathsFor(home)
	got := map[string]string{
		"home": p.Home(), "config": p.ConfigFile(), "db": p.DB(), "index": p.Index(), "backups": p.Backups(),
		"log": p.LogFile(), "startlog": p.StartLog(), "lock": p.Lock(), "startlock": p.StartLock(), "socket": p.Socket(), "socketdir": p.SocketDir(),
	}
	want := map[string]string{
		"home": "", "config": "config.toml", "db": "chitta.db", "index": "index", "backups": "backups",
		"log": "logs/daemon.log", "startlog": "logs/start.log", "lock": "daemon.lock", "startlock": "start.lock", "socket": "chitta.sock", "socketdir": "",
	}
	for name, rest := range want {
		want[name] = filepath.Join(home, filepath.FromSlash(rest))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestSocketOfDeepHome(t *testing.T) {
	root := string(filepath.Separator)
	fits := root + strings.Repeat("a", maxSocketPath-len("//chitta.sock"))
	if got := PathsFor(fits).Socket(); got != filepath.Join(fits, "chitta.sock") || len(got) != maxSocketPath {
		t.Errorf("the longest that fits: %s (%d bytes)", got, len(got))
	}
	deep := fits + "a"
	got := PathsFor(deep).Socket()
	if filepath.Dir(got) != runtimeDir() || len(got) > maxSocketPath {
		t.Errorf("one more: %s (%d bytes)", got, len(got))
	}
	if again := PathsFor(deep).Socket(); again != got {
		t.Errorf("not the same twice: %s, %s", got, again)
	}
	if other := PathsFor(deep + "a").Socket(); other == got {
		t.Error("two homes share a socket")
	}
	// Roles run with different environments and must agree.
	t.Setenv("XDG_RUNTIME_DIR", "/elsewhere")
	if again := PathsFor(deep).Socket(); again != got {
		t.Errorf("depends on the environment: %s, %s", got, again)
	}
}

func TestLocate(t *testing.T) {
	tmp := realTemp(t)
	user := filepath.Join(tmp, "user")
	link := filepath.Join(tmp, "link")
	loop := filepath.Join(tmp, "loop")
	client := filepath.Join(tmp, "client")
	for _, dir := range []string{user, filepath.Join(tmp, ".claude", "sub")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for from, to := range map[string]string{link: user, loop: loop, client: filepath.Join(tmp, ".claude", "sub"), filepath.Join(tmp, "dangling"): filepath.Join(tmp, "nothing")} {
		if err := os.Symlink(to, from); err != nil {
			t.Skipf("no symbolic links: %v", err)
		}
	}
	wd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name     string
		flag     string
		env      string
		homeless bool
		want     string
		is       error
	}{
		{name: "default", want: filepath.Join(user, ".chitta")},
		{name: "environment", env: filepath.Join(tmp, "env"), want: filepath.Join(tmp, "env")},
		{name: "flag over environment", flag: filepath.Join(tmp, "flag"), env: filepath.Join(tmp, "env"), want: filepath.Join(tmp, "flag")},
		{name: "cleaned", env: filepath.Join(tmp, "env") + "/x/../", want: filepath.Join(tmp, "env")},
		{name: "tilde", env: "~/mem", want: filepath.Join(user, "mem")},
		{name: "tilde alone", flag: "~", want: user},
		{name: "tilde of another", env: "~root/mem", is: ErrHomeRelative},
		{name: "relative in environment", env: "mem", is: ErrHomeRelative},
		{name: "relative flag", flag: "mem", want: filepath.Join(wd, "mem")},
		{name: "through a link", env: filepath.Join(link, "a", "b"), want: filepath.Join(user, "a", "b")},
		{name: "a link itself", env: link, want: user},
		{name: "dangling link", env: filepath.Join(tmp, "dangling"), is: ErrHomeDangling},
		{name: "below a dangling link", env: filepath.Join(tmp, "dangling", "a"), is: ErrHomeDangling},
		{name: "link to itself", env: loop, want: "error"},
		{name: "inside the client", env: filepath.Join(user, ".claude", "chitta"), is: ErrHomeInClient},
		{name: "the client itself", env: filepath.Join(user, ".Claude"), is: ErrHomeInClient},
		{name: "inside the client by link", env: client, is: ErrHomeInClient},
		{name: "similar name", env: filepath.Join(user, ".claude-memory"), want: filepath.Join(user, ".claude-memory")},
		{name: "homeless", homeless: true, is: ErrHomeUnknown},
		{name: "homeless with environment", homeless: true, env: filepath.Join(tmp, "env"), want: filepath.Join(tmp, "env")},
		{name: "homeless tilde", homeless: true, env: "~/x", is: ErrHomeUnknown},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, err := Locate(LoadOptions{
				Home:   tt.flag,
				Getenv: func(name string) string { return map[string]string{"CHITTA_HOME": tt.env}[name] },
				UserHomeDir: func() (string, error) {
					if tt.homeless {
						return "", errors.New("HOME is not set")
					}
					return user, nil
				},
			})
			if tt.is != nil || tt.want == "error" {
				var he *HomeError
				if !errors.As(err, &he) || (tt.is != nil && !errors.Is(err, tt.is)) || he.Hint == "" {
					t.Errorf("error = %v, want %v with a hint", err, tt.is)
				}
				return
			}
			if err != nil || p.Home() != tt.want {
				t.Errorf("home = %q, %v, want %q", p.Home(), err, tt.want)
			}
		})
	}
}

func TestInClientSaysWhy(t *testing.T) {
	_, err := Locate(LoadOptions{Home: "/x/.claude/chitta"})
	if err == nil || !strings.Contains(err.Error(), "people delete that directory to reset their client") {
		t.Errorf("error = %v", err)
	}
	if err := PathsFor("/x/.claude/chitta").EnsureHome(); !errors.Is(err, ErrHomeInClient) {
		t.Errorf("error = %v", err)
	}
}
