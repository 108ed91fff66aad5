package session

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestChunksGolden cuts a small session with all that occurs: a failing
// command, a refused edit with a reason, words beside a tool's result, a
// compaction.
func TestChunksGolden(t *testing.T) {
	messages := readMessages(t, ClaudeCode{}, "testdata/session.jsonl")
	got := describe(Chunks(messages, ChunkOptions{}))
	const golden = "testdata/session.chunks.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("run with -update if this is intended:\n%s", diff)
	}
}

func describe(chunks []Chunk) string {
	var b strings.Builder
	for i, c := range chunks {
		fmt.Fprintf(&b, "=== %d: %s, turn %d, messages %d-%d, part %d, %s", i, c.Role, c.Turn, c.First, c.Last, c.Part, c.Time.Format("15:04"))
		if c.Summary {
			b.WriteString(", summary")
		}
		b.WriteString("\n" + c.Text + "\n")
		for _, f := range c.Files {
			fmt.Fprintf(&b, "--- %s %s by %s, failed %v\n", f.Action, f.Path, f.Tool, f.Failed)
		}
		for _, r := range c.Commands {
			fmt.Fprintf(&b, "--- ran %s, failed %v\n", r.Command, r.Failed)
		}
	}
	return b.String()
}

func said(role Role, text string) Message {
	return Message{Role: role, Parts: []Part{{Kind: Text, Text: text}}}
}

func TestPlainConversation(t *testing.T) {
	messages := []Message{
		{Role: User, Speaker: "Ann", Parts: []Part{{Kind: Text, Text: "Hi."}}},
		{Role: User, Speaker: "Bob", Parts: []Part{{Kind: Text, Text: "Hello."}}},
		said(System, "Bob left."), said(Assistant, "One."), said(Assistant, "Two."),
	}
	var got []string
	for _, c := range Chunks(messages, ChunkOptions{}) {
		got = append(got, fmt.Sprintf("%s %s %d %s", c.Role, c.Speaker, c.Turn, c.Text))
	}
	want := []string{"user Ann 1 Hi.", "user Bob 2 Hello.", "system  2 Bob left.", "assistant  2 One.", "assistant  2 Two."}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestLongTextIsCutWhereItShould(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		size       int
		want       []string
	}{
		{"paragraph before sentence", "One two. Three four.\n\nFive six seven. Eight nine ten.", 8,
			[]string{"One two. Three four.", "Five six seven. Eight nine ten."}},
		{"sentence before line", "One two three.\nFour five. Six\nseven eight nine.", 8,
			[]string{"One two three.\nFour five.", "Six\nseven eight nine."}},
		{"line before word", "one two three four\nfive six seven eight", 6,
			[]string{"one two three four", "five six seven eight"}},
		{"word", "one two three four five six", 4, []string{"one two three", "four five six"}},
		{"one long word", "abcdefghijklmnop", 2, []string{"abcdefgh", "ijklmnop"}},
		{"code by lines", "```\nfirst line. here\nsecond line. here\n```", 6,
			[]string{"```\nfirst line. here", "second line. here\n```"}},
		{"diff by lines", "@@ -1,2 +1,2 @@\n-old. text here\n+new. text here\n", 8,
			[]string{"@@ -1,2 +1,2 @@\n-old. text here", "+new. text here"}},
		{"no space between sentences", "今日は晴れ。明日は雨。", 2, []string{"今日は晴れ。", "明日は雨。"}},
		{"only space", " \n ", 1, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, split(tt.text, tt.size, 0, EstimateTokens)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestPiecesOverlap(t *testing.T) {
	text := strings.Repeat("The quick brown fox jumps over the lazy dog. ", 100)
	chunks := Chunks([]Message{said(User, text)}, ChunkOptions{Size: 100, Overlap: 20})
	if len(chunks) < 10 {
		t.Fatalf("%d chunks", len(chunks))
	}
	for i, c := range chunks {
		if c.Part != i || !strings.HasPrefix(c.Text, "The quick") || !strings.HasSuffix(c.Text, "dog.") {
			t.Errorf("part %d: %q", c.Part, c.Text)
		}
	}
	whole := 0
	for _, c := range chunks {
		whole += EstimateTokens(c.Text)
	}
	if extra := whole - EstimateTokens(text); extra < 5*len(chunks) || extra > 25*len(chunks) {
		t.Errorf("%d tokens are said twice in %d chunks", extra, len(chunks))
	}
}

func TestChunksWithAnotherTokenizer(t *testing.T) {
	words := func(s string) int { return len(strings.Fields(s)) }
	text := strings.Repeat("one two three four five. ", 40)
	for _, c := range Chunks([]Message{said(User, text)}, ChunkOptions{Size: 20, Overlap: -1, Tokens: words}) {
		if n := words(c.Text); n != 20 {
			t.Errorf("%d words: %q", n, c.Text)
		}
	}
}

func FuzzChunks(f *testing.F) {
	f.Add("Hello. World.\n\n```go\nfunc main() {}\n```\n", "+x\n", uint8(3), uint8(1))
	f.Add("句子。😀", "\xff\xfe", uint8(1), uint8(0))
	f.Fuzz(func(t *testing.T, first, second string, size, overlap uint8) {
		messages := []Message{
			said(User, first),
			{Role: Assistant, Parts: []Part{{Kind: Text, Text: second}, {Kind: ToolUse, Tool: "Bash", ToolID: "t", Command: first, Input: second}}},
			{Role: User, Parts: []Part{{Kind: ToolResult, ToolID: "t", Text: first, Failed: size%2 == 0}, {Kind: Text, Text: second}}},
		}
		o := ChunkOptions{Size: int(size), Overlap: int(overlap)}
		checkHumanText(t, messages, Chunks(messages, o))
	})
}

// TestHugeTexts makes sure that the time it takes grows with the length alone.
func TestHugeTexts(t *testing.T) {
	const size = 256 << 10
	for _, unit := range []string{"x", " ", "\n", "```\n", "a. ", "+", "😀", "<system-reminder></system-reminder>", "{", "\\"} {
		text := "a" + strings.Repeat(unit, size/len(unit)) + "b"
		userText(text)
		Chunks([]Message{said(User, text), said(Assistant, text)}, ChunkOptions{})
		line := appendQuoted([]byte(`{"uuid":`), text)
		_, _ = ClaudeCode{}.Line(append(line, '}'))
		_, _ = ClaudeCode{}.Line([]byte(text[1:]))
	}
}
