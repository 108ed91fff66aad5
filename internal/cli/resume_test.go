package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"chitta/internal/past"
)

func TestBringBackIsSafeToPaste(t *testing.T) {
	client := filepath.Join(t.TempDir(), "a b")
	t.Setenv("CLAUDE_CONFIG_DIR", client)
	for _, tt := range []struct{ name, id, cwd, command, want string }{
		{"usual", "5c0ffee0-0000-4000-8000-000000000001", "/src/my.app_ü", "claude --resume x", "chitta export --session 5c0ffee0-0000-4000-8000-000000000001 --out '" + client + "/projects/-src-my-app--/'"},
		{"an id that is a command", "x; rm -rf '$HOME'", "/src", "claude --resume x", `chitta export --session 'x; rm -rf '\''$HOME'\''' --out '` + client + "/projects/-src/'"},
		{"another client", "chat", "/src", "", ""},
		{"no directory", "x", "", "claude --resume x", ""},
		{"a name the client shortens", "x", "/" + strings.Repeat("deep", 60), "claude --resume x", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := &app{home: t.TempDir()}
			out := past.ResumeOutput{Cwd: tt.cwd, Command: tt.command}
			out.Session.ID = tt.id
			if got := a.bringBack(&out); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}
