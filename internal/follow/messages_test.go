package follow

import (
	"strings"
	"testing"
)

func TestPathEnds(t *testing.T) {
	tests := []struct {
		path string
		want string
	}{
		{"/a/b/c/d/e.go", "e.go d/e.go c/d/e.go b/c/d/e.go /a/b/c/d/e.go"},
		{"/e.go", "e.go /e.go"},
		{"b/e.go", "e.go b/e.go"},
		{`C:\src\e.go`, "e.go src/e.go C:/src/e.go"},
		{"/", "/"},
	}
	for _, tt := range tests {
		if got := strings.Join(pathEnds(tt.path), " "); got != tt.want {
			t.Errorf("%s: %s", tt.path, got)
		}
	}
}
