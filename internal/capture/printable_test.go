package capture

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestPrintable(t *testing.T) {
	tests := []struct {
		name, in, want string
		control        bool
	}{
		{"empty", "", "", false},
		{"plain", "plain text", "plain text", false},
		{"scripts", "端口 é 👩‍👩‍👧 \u200d", "端口 é 👩‍👩‍👧 \u200d", false},
		{"replacement character", "a\ufffdb", "a\ufffdb", false},
		{"lines and tabs", "a\n\tb", "a\n\tb", true},
		{"windows lines", "a\r\nb\r\n", "a\nb\n", true},
		{"lone return", "shown\rhidden\r", "shown\nhidden\n", true},
		{"two returns", "a\r\r\nb", "a\n\nb", true},
		{"escape", "a\x1b[31mred", "a␛[31mred", true},
		{"NUL and bell", "\x00\x07", "␀␇", true},
		{"delete", "a\x7f", "a␡", true},
		{"C1", "a\u009b31m\u0080\u009f", "a\ufffd31m\ufffd\ufffd", true},
		{"bidi", "a\u202ab\u202ec\u2066d\u2069", "a\ufffdb\ufffdc\ufffdd\ufffd", true},
		{"beside the bidi marks", "\u2029\u202f\u2065\u206a\u00a0", "\u2029\u202f\u2065\u206a\u00a0", false},
		{"invalid", "a\xffb\xc3", "a\ufffdb\ufffd", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Printable(tt.in); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if got := HasControl(tt.in); got != tt.control {
				t.Errorf("HasControl = %v", got)
			}
		})
	}
}

func TestPrintableAllocatesNothing(t *testing.T) {
	text := strings.Repeat("ordinary text, 端口\n\t", 100)
	if n := testing.AllocsPerRun(10, func() { Printable(text) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func FuzzPrintable(f *testing.F) {
	for _, s := range []string{"", "a", "\r\n\r", "\x1b]0;x\x07", "\u202e", "\xff\xc2", "\u009b", "\x7f\t\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Printable(s)
		if again := Printable(got); again != got {
			t.Errorf("%q: once %q, twice %q", s, got, again)
		}
		if !utf8.ValidString(got) {
			t.Errorf("%q became invalid: %q", s, got)
		}
		for _, r := range got {
			if r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r <= 0x9f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
				t.Errorf("%q has %U left", got, r)
			}
		}
		if HasControl(strings.NewReplacer("\n", "", "\t", "").Replace(got)) {
			t.Errorf("%q has a control character", got)
		}
		if !HasControl(s) && got != s {
			t.Errorf("%q became %q without reason", s, got)
		}
	})
}
