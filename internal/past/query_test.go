package past

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"chitta/internal/keyword"
	"chitta/internal/memory"
)

func FuzzParseQuery(f *testing.F) {
	for _, s := range []string{"a b", `"a b" c`, `"open`, `/a(b)+/i`, `/usr/lib/`, `\"`, `"a\"b"`, "“x y”", "数据库", "/(?i)x{2,3}\\bfoo bar\\b/", "a\x00b", "--- !!"} {
		f.Add(s, "a b foo bar /usr/lib 数据库 xx", false, false)
	}
	a := keyword.NewAnalyzer()
	f.Fuzz(func(t *testing.T, query, text string, regex, exact bool) {
		q, err := parseQuery(a, query, regex, exact)
		if err != nil {
			if e := (*memory.InputError)(nil); !errors.As(err, &e) || e.Hint == "" {
				t.Fatalf("%v", err)
			}
			return
		}
		if len(q.words) == 0 && len(q.phrases) == 0 && q.re == nil {
			t.Fatalf("%q asks for nothing", query)
		}
		for _, must := range q.must {
			if !slices.ContainsFunc(q.terms, func(x keyword.QueryTerm) bool { return x.Term == must }) {
				t.Fatalf("%q is required and not asked for", must)
			}
		}
		places := q.places(a, text)
		for i, p := range places {
			if p.start < 0 || p.end > len(text) || p.start >= p.end || i > 0 && p.start < places[i-1].start {
				t.Fatalf("places %v in %q", places, text)
			}
		}
		snip, marks := snippet(text, places)
		runes := []rune(snip)
		at := 0
		for _, m := range marks {
			if m.Start < at || m.End < m.Start || m.End > len(runes) {
				t.Fatalf("marks %v in %q", marks, snip)
			}
			at = m.End
		}
	})
}

// FuzzRequiredLiterals holds what an expression is said to need against what
// it matches.
func FuzzRequiredLiterals(f *testing.F) {
	f.Add(`foo bar baz`, "x foo bar baz y")
	f.Add(`a(bc)+d|e`, "abcd")
	f.Add(`(?i)\bpanic\b: .*nil`, "PANIC: a nil map")
	f.Add(`^\s*go test \./[a-z]+`, "go test ./auth")
	a := keyword.NewAnalyzer()
	f.Fuzz(func(t *testing.T, expr, text string) {
		q, err := parseQuery(a, expr, true, false)
		if err != nil {
			return
		}
		found := q.re.FindAllString(text, 5)
		for _, at := range found {
			if !strings.Contains(at, q.literal) {
				t.Fatalf("%q is needed by /%s/ and not in %q", q.literal, expr, at)
			}
		}
		if len(found) > 0 {
			indexed(t, a, q, text)
		}
	})
}

// indexed fails if a text that matches would not be proposed by the index.
func indexed(t *testing.T, a keyword.Analyzer, q *query, text string) {
	t.Helper()
	if len(text) > 200 { // names of more words than are told apart are another matter
		return
	}
	terms := a.Terms(text)
	for _, must := range q.must {
		if !slices.Contains(terms, must) {
			t.Fatalf("%q matches and lacks %q; it has %q", text, must, terms)
		}
	}
}

// exotic reports characters that stand for others, such as ㍶ or ²: the index
// knows them by what they stand for.
func exotic(r rune) bool {
	return r >= utf8.RuneSelf && !unicode.Is(unicode.Han, r) && unicode.ToLower(r) == unicode.ToUpper(r)
}

// FuzzPhraseIsIndexed looks for a phrase in a text that holds it.
func FuzzPhraseIsIndexed(f *testing.F) {
	f.Add("chunk.go", "internal/store/", " is it")
	f.Add("don't panic", "(", ")")
	f.Add("404 at", "status ", ".")
	f.Add("c", "", "++")
	f.Add("数据", "据", "库")
	f.Add("v", "-", " x")
	a := keyword.NewAnalyzer()
	f.Fuzz(func(t *testing.T, text, before, after string) {
		q, err := parseQuery(a, text, false, true)
		if err != nil || strings.ContainsFunc(before+text+after, exotic) {
			return
		}
		if whole := before + text + after; q.phrases[0].find(whole, 1) != nil {
			indexed(t, a, q, whole)
		}
	})
}

// TestLowerCaseEightAtOnce holds the quick way against the plain one, at every
// place and for every byte.
func TestLowerCaseEightAtOnce(t *testing.T) {
	for c := range 256 {
		for at := range 19 {
			text := []byte(strings.Repeat("@Z[a", 5))
			text[at] = byte(c)
			want := slices.Clone(text)
			for i, b := range want {
				if 'A' <= b && b <= 'Z' {
					want[i] = b + 32
				}
			}
			if got := appendLower([]byte("Kept"), text); string(got) != "Kept"+string(want) {
				t.Fatalf("%q becomes %q, want %q", text, got, want)
			}
		}
	}
}
