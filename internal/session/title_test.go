package session

import (
	"strings"
	"testing"
)

func TestTitleOf(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"a line", "mend the parser", "mend the parser"},
		{"the first of several", "\n  mend   the parser\nand the lexer", "mend the parser"},
		{"nothing", " \n", ""},
		{"as long as allowed", strings.Repeat("é", maxTitle), strings.Repeat("é", maxTitle)},
		{"too long", strings.Repeat("é", maxTitle+1), strings.Repeat("é", maxTitle-1) + "…"},
	} {
		if got := TitleOf(tt.text); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
