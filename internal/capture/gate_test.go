package capture

import (
	"errors"
	"strings"
	"testing"
)

func TestGate(t *testing.T) {
	tests := []struct {
		name   string
		gate   Gate
		text   string
		reason string // "" when the text passes
	}{
		{"sentence", Gate{}, "Hooks must fail open.", ""},
		{"empty", Gate{}, "", "is empty"},
		{"blank", Gate{}, " \n\t ", "is empty"},
		{"short", Gate{}, "too short", "is too short (8 of at least 10"},
		{"spaces do not count", Gate{}, "a b c d e f g h i     ", "is too short (9 of"},
		{"exactly enough", Gate{}, "abcde fghij", ""},
		{"punctuation does not count", Gate{}, "abc!!!!!!!!!!!", "is too short (3 of"},
		{"only punctuation", Gate{}, "......!!!???---", "has no letters or digits"},
		{"only symbols", Gate{}, "============ ++++ ====", "has no letters or digits"},
		{"chinese sentence", Gate{}, "端口是八零", ""},
		{"chinese word", Gate{}, "端口", "is too short (4 of"},
		{"korean", Gate{}, "포트를 바꿔", ""},
		{"combining marks", Gate{}, "क्षेत्रीय सेवा", ""},
		{"invalid", Gate{}, "some text \xff here", "is not valid UTF-8 at offset 10"},
		{"replacement character is valid", Gate{}, "some text � here", ""},
		{"NUL", Gate{}, "some\x00text that is long", "has a NUL byte at offset 4"},
		{"too long", Gate{MaxBytes: 20}, strings.Repeat("abc ", 6), "is 24 bytes long; the limit is 20"},
		{"default limit", Gate{}, strings.Repeat("a", DefaultMaxBytes+1), "the limit is 262144"},
		{"at the limit", Gate{}, strings.Repeat("a", DefaultMaxBytes), ""},
		{"own least", Gate{MinChars: 3}, "abc", ""},
		{"negative limits are the defaults", Gate{MinChars: -1, MaxBytes: -1}, "too short", "is too short"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := tt.gate.Check(tt.text)
			if tt.reason == "" {
				if err != nil {
					t.Errorf("refused: %v", err)
				}
				return
			}
			var refused *GateError
			if !errors.As(err, &refused) {
				t.Fatalf("error %v, want a GateError", err)
			}
			if !strings.Contains(refused.Error(), tt.reason) || refused.Field != "content" || refused.Hint() == "" {
				t.Errorf("error %q with hint %q, want %q", refused, refused.Hint(), tt.reason)
			}
		})
	}
}

func TestNormalize(t *testing.T) {
	tests := []struct {
		name, in, want string
	}{
		{"empty", "", ""},
		{"case and space", "  Use   SQLite\n in WAL\tmode ", "use sqlite in wal mode"},
		{"punctuation", "Use SQLite, in WAL mode!", "use sqlite in wal mode"},
		{"emphasis", "**Use** _SQLite_ in `WAL` *mode*", "use sqlite in wal mode"},
		{"heading and list", "## Use\n- SQLite\n* WAL", "use sqlite wal"},
		{"quotes", "“Use” 'SQLite' (WAL)", "use sqlite wal"},
		{"apostrophes", "don’t DON'T", "don't don't"},
		{"compatibility forms", "ﬁle Ｆｕｌｌ ①", "file full 1"},
		{"composition", "cafe\u0301 café", "café café"},
		{"sigma", "ΟΔΟΣ οδος", "οδοσ οδοσ"},
		{"numbers", "1.5 is not 15, -3 is not 3", "1.5 is not 15 -3 is not 3"},
		{"identifiers", "internal/store.go:12 and a-b, --flag.", "internal/store.go:12 and a-b flag"},
		{"names with signs", "C++, C# and 50%.", "c++ c# and 50%"},
		{"chinese", "端口是 8081。", "端口是 8081"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Normalize(tt.in); got != tt.want {
				t.Errorf("Normalize(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func FuzzNormalize(f *testing.F) {
	for _, s := range []string{"", "Use **SQLite**", "don’t", "ﬁ①\u0301", "-5 --5 +-5", "ΐ ΰ ẞ ß ſ İ ı", "\xff\x00", "a.b._", "ﷺ", "Dž ǆ"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once := Normalize(s)
		if twice := Normalize(once); twice != once {
			t.Errorf("%q: once %q, twice %q", s, once, twice)
		}
		if len(once) > 24*len(s)+8 {
			t.Errorf("%q grew to %d bytes", s, len(once))
		}
		if strings.Contains(once, "  ") || strings.TrimSpace(once) != once {
			t.Errorf("%q: spaces in %q", s, once)
		}
		if Hash(s) != Hash(once) || !NearDuplicate(s, once) {
			t.Errorf("%q is not the same as its normal form %q", s, once)
		}
	})
}

func TestHash(t *testing.T) {
	for _, differ := range [][2]string{
		{"the retry count must be x != 5 here", "the retry count must be x = 5 here"},
		{"run it when !ready holds", "run it when ready holds"},
		{"if !(a or b) stop", "if (a or b) stop"},
	} {
		if Hash(differ[0]) == Hash(differ[1]) || NearDuplicate(differ[0], differ[1]) {
			t.Errorf("%q and %q count as the same", differ[0], differ[1])
		}
	}
	if Hash("Run make test!") != Hash("run make test") || Hash("wow!! really") != Hash("wow really") {
		t.Error("excitement makes a difference")
	}
	if Hash("Use SQLite, in WAL mode.") != Hash("use  **sqlite** in wal mode") {
		t.Error("the same text has two hashes")
	}
	if Hash("port 8080") == Hash("port 8081") {
		t.Error("different texts share a hash")
	}
	// Hashes are stored; this one must stay what it is.
	if got := Hash("Use SQLite."); got != "0b547d22684b5f090f27980cccd514e6" {
		t.Errorf("hash %s", got)
	}
}

func TestEcho(t *testing.T) {
	open := EchoOpen + ` source="x" date="2024-01-31">`
	tests := []struct {
		name, text, stripped string
		echo                 bool
	}{
		{"none", "ordinary text", "ordinary text", false},
		{"whole", open + "recalled" + EchoClose, "", true},
		{"in the middle", "before " + open + "recalled" + EchoClose + " after", "before  after", true},
		{"words would join", "before" + open + "x" + EchoClose + "after", "before after", true},
		{"two", open + "x" + EchoClose + " and " + open + "y" + EchoClose, " and ", true},
		{"nested", "a " + open + "x" + open + "y" + EchoClose + "z" + EchoClose + " b", "a  b", true},
		{"unclosed", "a " + open + "x y z", "a ", true},
		{"cut inside the mark", "a " + EchoOpen + ` source="x`, "a ", true},
		{"cut after the name", "a " + EchoOpen, "a ", true},
		{"closing alone", "the rest" + EchoClose + " after", "the rest after", true},
		{"case", "a " + strings.ToUpper(open) + "x" + strings.ToUpper(EchoClose) + " b", "a  b", true},
		{"without attributes", EchoOpen + ">x" + EchoClose, "", true},
		{"other name", "<chitta-memory-card>x</chitta-memory-card>", "<chitta-memory-card>x</chitta-memory-card>", false},
		{"talk about it", "the chitta-memory wrapper", "the chitta-memory wrapper", false},
		{"formed by dropping", "a <chitta" + open + "x" + EchoClose + "-memory>y", "a ", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := IsEcho(tt.text); got != tt.echo {
				t.Errorf("IsEcho = %v", got)
			}
			got := StripEcho(tt.text)
			if got != tt.stripped {
				t.Errorf("StripEcho = %q, want %q", got, tt.stripped)
			}
			if IsEcho(got) {
				t.Errorf("%q is still an echo", got)
			}
		})
	}
}

func FuzzStripEcho(f *testing.F) {
	for _, s := range []string{"", "a", EchoOpen, EchoOpen + ">", EchoClose, EchoOpen + " <" + EchoClose, "<<" + EchoOpen + ">>x" + EchoClose, "</" + EchoOpen + ">"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := StripEcho(s)
		if IsEcho(got) || len(got) > len(s) || !IsEcho(s) && got != s {
			t.Errorf("%q became %q", s, got)
		}
	})
}
