package graph

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestCanonicalName(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"socket.failure", "socket.failure"},
		{"  socket  failure\n", "socket.failure"},
		{"socket . failure", "socket.failure"},
		{"socket\tfailure", "socket.failure"},
		{"`cli.direct`", "cli.direct"},
		{`"Socket Failure"`, "Socket.Failure"},
		{"'quoted'", "quoted"},
		{"don't.panic", "don't.panic"},
		{"“curly” name", "curly.name"},
		{"SQLite", "SQLite"},
		{".env", ".env"},
		{"C++", "C++"},
		{"std::vector", "std::vector"},
		{"cafe\u0301", "café"},
		{"café\u00a0noir", "café.noir"},
		{"\u202eabc\u202c", "abc"},
		{"\ufeffabc\u200bdef", "abcdef"},
		{"שלום עולם", "שלום.עולם"},
		{"🔥", "🔥"},
		{"👩\u200d💻 work", "👩\u200d💻.work"},
		{strings.Repeat("語", MaxName), strings.Repeat("語", MaxName)},
	} {
		got, err := CanonicalName(tt.in)
		if err != nil || got != tt.want {
			t.Errorf("%q: got %q, %v; want %q", tt.in, got, err, tt.want)
		}
	}
}

func TestCanonicalNameRefuses(t *testing.T) {
	for _, tt := range []struct{ in, why string }{
		{"", "no letters"},
		{" \t\n", "no letters"},
		{"...", "no letters"},
		{"- / ::", "no letters"},
		{"``", "no letters"},
		{"\u200b\u202e", "no letters"},
		{"a\nb", "line break"},
		{"a\u2028b", "line break"},
		{"a\x00b", "control character"},
		{"\x1b[31mred", "control character"},
		{"a\xffb", "UTF-8"},
		{strings.Repeat("x", MaxName+1), "too long"},
		{strings.Repeat("x", 10_000), "too long"},
		{strings.Repeat("語", 5_000_000), "too long"},
	} {
		got, err := CanonicalName(tt.in)
		if !errors.Is(err, ErrName) || !strings.Contains(err.Error(), tt.why) {
			t.Errorf("%.20q: got %q, %v; want an error about %q", tt.in, got, err, tt.why)
		}
	}
}

func TestKey(t *testing.T) {
	for _, same := range [][]string{
		{"socket.failure", "Socket.Failure", "socket_failure", "socket-failure", "socket/failure", "socket failure", "socket::failure", "socket . _failure", "SOCKET--FAILURE.", "`socket.failure`"},
		{"café", "CAFÉ", "cafe\u0301"},
		{"straße", "STRASSE"},
		{"❤\ufe0f", "❤"},
		{".env", "..env", ".ENV"},
		{"", " ", "...", "_"},
	} {
		for _, s := range same {
			if Key(s) != Key(same[0]) {
				t.Errorf("%q has the key %q, %q has %q", s, Key(s), same[0], Key(same[0]))
			}
		}
	}
	for _, differ := range [][2]string{
		{"socketFailure", "socket.failure"}, {".env", "env"}, {"c", "c++"}, {"a:b", "a.b"}, {"a", "b"}, {"שלום", "עולם"}, {"v1", "v.1"},
	} {
		if Key(differ[0]) == Key(differ[1]) {
			t.Errorf("%q and %q have one key", differ[0], differ[1])
		}
	}
	if got := Key("Socket Failure"); got != "socket.failure" {
		t.Errorf("got %q", got)
	}
}

// TestFoldingIsStable holds for every character there is.
func TestFoldingIsStable(t *testing.T) {
	for r := range rune(unicode.MaxRune + 1) {
		once := foldRune(r)
		twice := ""
		for _, x := range once {
			twice += foldRune(x)
		}
		if once != twice {
			t.Errorf("%q becomes %q and then %q", r, once, twice)
		}
		if upper, lower := foldRune(unicode.ToUpper(r)), foldRune(unicode.ToLower(r)); upper != lower && r != 'ẞ' {
			t.Errorf("%q: its capital becomes %q, its small letter %q", r, upper, lower)
		}
	}
}

func FuzzNames(f *testing.F) {
	for _, s := range []string{"socket.failure", " A  b ", "::", "é\x00", "\xff", "ǅ ß", "👩\u200d💻", "'a' \"b\"", ". env", "\u0345a", "؊꒡ꮡ"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		name, err := CanonicalName(s)
		if err != nil {
			return
		}
		if again, err := CanonicalName(name); err != nil || again != name {
			t.Fatalf("%q becomes %q, and then %q, %v", s, name, again, err)
		}
		if n := utf8.RuneCountInString(name); n > MaxName || !utf8.ValidString(name) || strings.ContainsAny(name, " \n\x00`\"") {
			t.Fatalf("%q becomes %q, %d characters", s, name, n)
		}
		key := Key(name)
		if key == "" || Key(key) != key {
			t.Fatalf("%q has the key %q, which has %q", name, key, Key(key))
		}
		if near := Nearest(s, slices.Values([]string{name}), 1); Key(s) == key && len(near) != 1 {
			t.Fatalf("%q is not near itself", name)
		}
	})
}

func TestNearest(t *testing.T) {
	names := []string{"socket.failure", "socket.timeout", "cli.direct", "daemon.start", "daemon.stop", "SQLite", "a", "memory.substrate", "שלום.עולם", "socket", "nc.subshell", "SQL.mode", "lock"}
	for _, tt := range []struct {
		name string
		n    int
		want []string
	}{
		{"socket.failur", 1, []string{"socket.failure"}},
		{"Socket_Failure", 1, []string{"socket.failure"}},
		{"sokcet.failure", 1, []string{"socket.failure"}},
		{"sqlit", 3, []string{"SQLite"}},
		{"socket.error", 3, []string{"socket", "socket.failure", "socket.timeout"}},
		{"daemon.strat", 1, []string{"daemon.start"}},
		{"שלום.עולס", 1, []string{"שלום.עולם"}},
		{"kubernetes", 3, nil},
		{"nc", 3, []string{"nc.subshell"}},
		{"sql", 3, []string{"SQL.mode"}},
		{"lcok", 3, []string{"lock"}},
		{"lokc", 3, []string{"lock"}},
		{"oclk", 3, nil}, // two slips in four letters
		{"", 3, nil},
		{"socket", 0, nil},
		{strings.Repeat("x", 1_000_000), 3, nil},
	} {
		got := Nearest(tt.name, slices.Values(names), tt.n)
		var found []string
		for _, n := range got {
			found = append(found, n.Name)
		}
		if !slices.Equal(found, tt.want) {
			t.Errorf("%.20q: got %q, want %q", tt.name, found, tt.want)
		}
		backwards := slices.Clone(names)
		slices.Reverse(backwards)
		if again := Nearest(tt.name, slices.Values(backwards), tt.n); !slices.Equal(got, again) {
			t.Errorf("%.20q: the order of the candidates matters: %v and %v", tt.name, got, again)
		}
	}
}

// manyNames makes names of a few words each, as a large graph has them.
func manyNames(n int) []string {
	parts := []string{"socket", "daemon", "memory", "index", "vector", "query", "lock", "start", "failure", "timeout", "cache", "token"}
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("%s.%s.x%d", parts[i%len(parts)], parts[i/7%len(parts)], i)
	}
	return names
}

func TestNearestAmongMany(t *testing.T) {
	names := append(manyNames(100_000), "resonance.engine")
	if got := Nearest("resonence.engine", slices.Values(names), 3); len(got) == 0 || got[0].Name != "resonance.engine" {
		t.Errorf("got %v", got)
	}
}

func BenchmarkNearest(b *testing.B) {
	names := manyNames(100_000)
	for b.Loop() {
		Nearest("socket.timeuot.x4711", slices.Values(names), 5)
	}
}

// TestDistanceIsExact compares the distance that looks only near the diagonal
// with the one that looks everywhere.
func TestDistanceIsExact(t *testing.T) {
	names := []string{"socket.failure", "sokcet.failure", "ocket.failure", "socket.failures", "failure.socket", "socket", "aaaa", "aaab", "baaa", "abababab", "babababa", "", "été.froid", "ete.froid"}
	for _, a := range names {
		for _, b := range names {
			w := newNearness(a)
			w.other = []rune(b)
			want := edits([]rune(a), []rune(b))
			if swapped([]rune(a), []rune(b)) {
				want = 1
			}
			if got := w.distance(); got != want && min(got, want) <= w.slips {
				t.Errorf("%q and %q: %d, want %d", a, b, got, want)
			}
		}
	}
}

// edits is the plain definition.
func edits(a, b []rune) int {
	table := make([][]int, len(a)+1)
	for i := range table {
		table[i] = make([]int, len(b)+1)
		for j := range table[i] {
			switch {
			case i == 0 || j == 0:
				table[i][j] = i + j
			case a[i-1] == b[j-1]:
				table[i][j] = table[i-1][j-1]
			default:
				table[i][j] = 1 + min(table[i-1][j-1], table[i-1][j], table[i][j-1])
			}
		}
	}
	return table[len(a)][len(b)]
}
