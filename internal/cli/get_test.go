package cli

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"chitta/internal/memory"
	"chitta/internal/mind"
)

// TestGetShowsWhereAMemoryComesFrom: the messages it was learned from can be
// looked up with chitta show.
func TestGetShowsWhereAMemoryComesFrom(t *testing.T) {
	tests := []struct {
		name string
		from memory.Provenance
		want string // "" for no such line
	}{
		{"several", memory.Provenance{Session: "s", Message: "b", Messages: []string{"a", "b"}}, "a, b"},
		{"one", memory.Provenance{Session: "s", Message: "b"}, "b"},
		{"none", memory.Provenance{Session: "s"}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var stdout bytes.Buffer
			a := &app{out: &output{to: &stdout}, err: &stdout, getenv: os.Getenv}
			a.memoryInFull(mind.View{ID: "m_1", Kind: "fix", Content: "text", Provenance: tt.from})
			got := ""
			for line := range strings.Lines(stdout.String()) {
				if name, value, ok := strings.Cut(strings.TrimSpace(line), " "); ok && name == "messages" {
					got = strings.TrimSpace(value)
				}
			}
			if got != tt.want {
				t.Errorf("got %q, want %q in:\n%s", got, tt.want, stdout.String())
			}
		})
	}
}
