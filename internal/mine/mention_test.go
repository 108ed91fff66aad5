package mine

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestMentions(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string // files as they are, symbols with a star
	}{
		{"paths in prose", "The bug is in internal/store/graph.go:42 and ./docs/cli.md.", []string{"internal/store/graph.go", "docs/cli.md"}},
		{"places", "see src/a/b.rs#L3-L9, src/c.py:3:7: and src/d.ts:10-12", []string{"src/a/b.rs", "src/c.py", "src/d.ts"}},
		{"a bare name only in code", "main.go is fine, `main.go` counts", []string{"main.go"}},
		{"in the directory of work", "/home/ada/proj/src/x.go but not /etc/hosts.conf or /home/ada/project/y.go", []string{"src/x.go"}},
		{"qualified", "call `store.Open`, `Type::method`, `Class#method` and `pkg.Func()`", []string{"*store.Open", "*Type::method", "*Class#method", "*pkg.Func"}},
		{"compound", "`snake_case()`, `RememberInput`, `maxSteps`, `MAX_LEN`", []string{"*snake_case", "*RememberInput", "*maxSteps", "*MAX_LEN"}},
		{"files of a command", "run `go test ./internal/mine/mention_test.go -v`", []string{"internal/mine/mention_test.go"}},
		{"each once", "x/b.go x/b.go `x/b.go`", []string{"x/b.go"}},
		{"sides of a diff", "a/src/x.go b/src/x.go", nil},
		{"files in brackets", "(see [x](docs/x.md)) and <src/y.c>", []string{"docs/x.md", "src/y.c"}},
		{"plain words", "`error` `main` `Config` `make test` `x` `true` store.Open", nil},
		{"short names", "`a.b` `i_j` `fooB`", nil},
		{"addresses", "https://example.com/a/b.go github.com/u/r/x.go `example.com` `api.example.io`", nil},
		{"not paths", "and/or 3/4 a/b ../up/x.go src//x.go ~/notes/x.md /tmp/x.go ./... foo/bar.xyz", nil},
		{"numbers", "`v1.2.3` `1.5` `10_000` `0x1f`", nil},
		{"expressions", "`a.b()+c.d()` `x := y.Zed` `foo_bar(1)` `*p.Field`", nil},
		{"code blocks", "```go\nstore.Open `store.Open` x/b.go\n```\n~~~\nc/d.go\n~~~\nlater e/f.go", []string{"e/f.go"}},
		{"an open code block", "```\nx/b.go", nil},
		{"an open quote", "`store.Open", nil},
		{"extension alone", "x/.go `.go`", nil},
		{"letters of any script", "src/größe/日本.go", []string{"src/größe/日本.go"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, m := range Mentions(c.text, "/home/ada/proj") {
				if m.File {
					got = append(got, m.Name)
				} else {
					got = append(got, "*"+m.Name)
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestMentionsAreBounded(t *testing.T) {
	var b strings.Builder
	for i := range 10_000 {
		b.WriteString("dir/file" + strings.Repeat("x", i%50) + strings.Repeat("y", i/50) + ".go ")
	}
	if got := Mentions(b.String(), ""); len(got) != maxMentions {
		t.Errorf("%d names", len(got))
	}
	if got := Mentions("x/"+strings.Repeat("x", maxName)+".go", ""); got != nil {
		t.Errorf("a long name: %v", got)
	}
	if got := Mentions("/x/b.go", "/"); got != nil {
		t.Errorf("at the root: %v", got)
	}
}

func FuzzMentions(f *testing.F) {
	for _, s := range []string{"a/b.go", "`x.Yyyy`", "```\n", "`\x00`", "\xff/\xfe.go", "/d/\u202ex.go"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, m := range Mentions(text, "/d") {
			if m.Name == "" || len(m.Name) > maxName || utf8.ValidString(text) && !utf8.ValidString(m.Name) || strings.ContainsAny(m.Name, " \n\x00`") {
				t.Fatalf("%q", m.Name)
			}
		}
	})
}
