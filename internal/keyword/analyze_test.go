package keyword

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestTerms(t *testing.T) {
	long := strings.Repeat("x", 100)
	tests := []struct {
		name string
		text string
		want string // terms joined by |
	}{
		{"words are folded and stemmed", "Running the Tests, quickly!", "run|the|test|quick"},
		{"accents", "Café naïve Straße Ærø Łódź", "cafe|naiv|strass|aero|lodz"},
		{"compatibility forms", "ﬁne ＡＢＣ １２３", "fine|abc|123"},
		{"apostrophes", "don't user's O’Brien", "dont|user|obrien"},
		{"possessive of a compound", "db.go's user's", "db.go|db|go|user"},
		{"upper-case plurals", "URLs IDs", "url|id"},
		{"camel case", "getUserName", "getusernam|get|user|name"},
		{"snake case", "get_user_name MAX_RETRIES", "get_user_name|get|user|name|max_retries|max|retri"},
		{"acronym and digits", "HTTPServer2", "httpserver2|http|server2|server"},
		{"digits inside", "base64Encode x86_64", "base64encode|base64|base|encod|x86_64|x86|64"},
		{"dunder", "__init__ _", "init"},
		{"qualified names", "pkg.Type a::b a->b", "pkg.type|pkg|type|a::b|a|b|a->b|a|b"},
		{"template", "std::vector<int>", "std::vector|std|vector|int"},
		{"path", "internal/store/db.go", "internal/store/db.go|store/db.go|db.go|intern|store|db|go"},
		{"path with line", "db.go:42:10", "db.go|db|go|42|10"},
		{"path with compound base", "/a/read_me-first.md", "a/read_me-first.md|read_me-first.md|read_me-first|a|read_me|read|me|first|md"},
		{"hidden and relative paths", "~/.chitta/config.toml ../c.go", "chitta/config.toml|config.toml|chitta|config|toml|c.go|c|go"},
		{"deep path keeps its end", strings.Repeat("a/", 40) + "last.go", strings.Repeat("a/", 28) + "last.go|a/last.go|last.go|" + strings.Repeat("a|", 15) + "go"},
		{"windows path", `C:\Users\me\file.txt`, "c:/users/me/file.txt|me/file.txt|file.txt|c|user|me|file|txt"},
		{"escaped newline is no path", `foo\nbar`, "foo|nbar"},
		{"flags", "--no-verify -race -v --out=x.txt", "--no-verify|no|verifi|-race|race|-v|--out|out|x.txt|x|txt"},
		{"dashes", "a -- b --- c -5", "a|b|c|5"},
		{"error codes", "E0277 TS2322 ECONNREFUSED 0x80070005", "e0277|ts2322|ts|2322|econnrefus|0x80070005"},
		{"numbers with their word", "exit status 2, HTTP 404", "exit|status|status 2|2|http|http 404|404"},
		{"versions and decimals", "v1.61.0 3.14", "v1.61.0|1.61.0|3.14"},
		{"dates", "2026-11-15", "2026-11-15|2026|11|15"},
		{"hyphens", "e-mail read-only utf-8", "email|e|mail|readon|read|onli|utf8|utf|8"},
		{"languages", "C++ and C#", "c++|and|c#"},
		{"mail", "alice@example.com", "alice@example.com|alic|exampl|com"},
		{"url", "https://example.com/a/b.html?q=foo", "example.com/a/b.html|a/b.html|b.html|example.com|exampl|com|a|b|html|q|foo"},
		{"uuid", "550e8400-e29b-41d4-a716-446655440000", "550e8400-e29b-41d4-a716-446655440000|550e8400|e29b|41d4|a716|446655440000"},
		{"environment", "$HOME %PATH% FOO=bar", "home|path|foo|bar"},
		{"random letters are not split", "aGVsbG8gd29ybGQgdGhpcyBpcyBiYXNlNjQ=", "agvsbg8gd29ybgqgdghpcybpcybiyxnlnjq"},
		{"long token is cut", long, long[:maxTermRunes]},
		{"chinese", "東京都に", "東京|京都|都に"},
		{"single character", "猫", "猫"},
		{"korean", "한국어 검색", "한국|국어|검색"},
		{"halfwidth kana", "ﾃｽﾄ", "テス|スト"},
		{"mixed scripts", "日本語text", "日本|本語|text"},
		{"cyrillic and greek", "МОСКВА ΟΔΟΣ οδος", "москва|οδοσ|οδοσ"},
		{"emoji", "ok👍🏿👍 👩🏽‍💻 🇩🇪🇫🇷 ❤️ ✓", "ok|👍|👍|👩\u200d💻|🇩🇪|🇫🇷|❤|✓"},
		{"keycap", "1️⃣", "1"},
		{"soft hyphen and zero width", "data\u00adbase zero\u200bwidth", "databas|zerowidth"},
		{"invalid bytes", "a\x00b\xff ok\xc3(", "a|b|ok"},
		{"nothing", " \t\n==> && || …", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, a := range []Analyzer{{}, NewAnalyzer()} {
				if diff := cmp.Diff(tt.want, strings.Join(a.Terms(tt.text), "|")); diff != "" {
					t.Errorf("Terms(%q) (-want +got):\n%s", tt.text, diff)
				}
			}
		})
	}
}

func TestQueryTerms(t *testing.T) {
	tests := []struct {
		name string
		text string
		want []QueryTerm
	}{
		{"stop words go", "why is the build failing", []QueryTerm{{"build", 1, "build"}, {"fail", 1, "failing"}}},
		{"only stop words stay", "to be or not to be", []QueryTerm{{"to", 1, "to"}, {"be", 1, "be"}, {"or", 1, "or"}, {"not", 1, "not"}}},
		{"parts weigh less", "getUserName", []QueryTerm{
			{"getusernam", 1, "getUserName"}, {"get", 0.5, "getUserName"}, {"user", 0.5, "getUserName"}, {"name", 0.5, "getUserName"}}},
		{"the higher weight wins", "db.go db", []QueryTerm{{"db.go", 1, "db.go"}, {"db", 1, "db"}, {"go", 0.5, "db.go"}}},
		{"duplicates", "test tests testing", []QueryTerm{{"test", 1, "test"}}},
		{"nothing", "?!", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Analyzer{}.QueryTerms(tt.text)); diff != "" {
				t.Errorf("QueryTerms(%q) (-want +got):\n%s", tt.text, diff)
			}
		})
	}
}

func TestTermsAreBounded(t *testing.T) {
	tests := []struct {
		name string
		text string
		most int
	}{
		{"deep path", strings.Repeat("segment/", 200_000) + "x.go", maxTokenTerms},
		{"long chain", strings.Repeat("a.", 200_000) + "b", maxTokenTerms},
		{"long snake", strings.Repeat("ab_", 500), maxTokenTerms},
		{"one endless word", strings.Repeat("ab", 1<<20), 1},
		{"joined emoji", strings.Repeat("👩‍", 500), 500},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := len(Analyzer{}.Terms(tt.text)); got == 0 || got > tt.most {
				t.Errorf("%d terms, want 1 to %d", got, tt.most)
			}
		})
	}
	if got := len(Analyzer{}.QueryTerms(strings.Repeat("word1 ", 10) + manyWords(2000))); got > maxQueryTerms {
		t.Errorf("a query of 2000 words has %d terms", got)
	}
}

func manyWords(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("w" + strings.Repeat("z", i%7) + string(rune('a'+i%26)) + string(rune('a'+i/26%26)) + " ")
	}
	return b.String()
}

// FuzzAnalyze holds what the index relies on, whatever the text is.
func FuzzAnalyze(f *testing.F) {
	for _, s := range []string{
		"getUserName fails with E0277", "internal/store/db.go:42", "--no-verify", "東京 👩🏽‍💻 🇩🇪",
		"C:\\x\\y https://a.b/c?d=e#f", "don't a::b->c v1.2.3-rc.1 x@y.z", "\xff\xfe\x00 ﬁ ½ ﷺ", "the of and",
		"1️⃣ \u0301\u0301 a\u0301\u200d\u200db ー",
	} {
		f.Add(s)
	}
	analyzer := NewAnalyzer()
	f.Fuzz(func(t *testing.T, text string) {
		terms := Analyzer{}.Terms(text)
		if diff := cmp.Diff(terms, analyzer.Terms(text)); diff != "" {
			t.Fatalf("the stem cache changes the terms:\n%s", diff)
		}
		for _, term := range terms {
			if term == "" || !utf8.ValidString(term) || utf8.RuneCountInString(term) > maxTermRunes {
				t.Fatalf("bad term %q", term)
			}
		}
		query := Analyzer{}.QueryTerms(text)
		if (len(query) == 0) != (len(terms) == 0) {
			t.Fatalf("%d terms, but %d in a query", len(terms), len(query))
		}
		// A document that holds the text has every term of the query.
		held := make(map[string]bool)
		for _, term := range (Analyzer{}).Terms("status " + text + "\n7 more") {
			held[term] = true
		}
		for _, q := range query {
			if !held[q.Term] {
				t.Fatalf("term %q of the query is not in a document that holds its text", q.Term)
			}
			if q.Weight <= 0 || q.Surface == "" {
				t.Fatalf("bad query term %+v", q)
			}
		}
	})
}
