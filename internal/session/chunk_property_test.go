package session

import (
	"reflect"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

// checkHumanText makes sure that every character of what people said is in a
// chunk: the pieces of a message, put behind one another, hold its characters
// in order.
func checkHumanText(t interface {
	Helper()
	Errorf(string, ...any)
}, messages []Message, chunks []Chunk) {
	t.Helper()
	for i := range messages {
		said := letters(messages[i].Human())
		if said == "" {
			continue
		}
		var found strings.Builder
		for k := range chunks {
			if c := &chunks[k]; c.Role == User && !c.Summary && c.First <= i && i <= c.Last {
				found.WriteString(letters(c.Text))
			}
		}
		if !isSubsequence(said, found.String()) {
			t.Errorf("message %d: what was said is not in its chunks\nsaid: %.300q\ngot:  %.300q", i, said, found.String())
		}
	}
}

func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, text)
}

func isSubsequence(short, long string) bool {
	rest := []rune(long)
	for _, r := range short {
		i := 0
		for i < len(rest) && rest[i] != r {
			i++
		}
		if i == len(rest) {
			return false
		}
		rest = rest[i+1:]
	}
	return true
}

// anyText draws texts with what the chunker looks for: paragraphs, sentences,
// fences, diffs, long words, wide characters.
func anyText() *rapid.Generator[string] {
	word := rapid.OneOf(
		rapid.SampledFrom([]string{
			"a", "word", "Sentence.", "Really? ", "\n", "\n\n", "```go\n", "```\n", "diff --git a b\n",
			"@@ -1 +1 @@\n", "+added line\n", "-removed line\n", "句子。", "😀", "\r\n", "  indent", "\t",
		}),
		rapid.StringN(0, 30, 60),
		rapid.Map(rapid.IntRange(1, 300), func(n int) string { return strings.Repeat("x", n) }),
	)
	return rapid.Map(rapid.SliceOfN(word, 0, 60), func(w []string) string { return strings.Join(w, " ") })
}

func anyMessages() *rapid.Generator[[]Message] {
	return rapid.Custom(func(t *rapid.T) []Message {
		text, tool := anyText(), rapid.SampledFrom([]string{"t1", "t2", "t3", ""})
		part := rapid.Custom(func(t *rapid.T) Part {
			p := Part{Kind: rapid.SampledFrom([]Kind{Text, Text, ToolUse, ToolResult, Thinking, Summary, Boundary}).Draw(t, "kind")}
			p.Text = text.Draw(t, "text")
			p.Meta = rapid.IntRange(0, 5).Draw(t, "meta") == 0
			p.ToolID = tool.Draw(t, "tool id")
			p.Tool = rapid.SampledFrom([]string{"Bash", "Read", "Grep"}).Draw(t, "tool")
			p.Failed = rapid.Bool().Draw(t, "failed")
			return p
		})
		message := rapid.Custom(func(t *rapid.T) Message {
			return Message{
				Role:  rapid.SampledFrom([]Role{User, Assistant, Assistant, System}).Draw(t, "role"),
				Parts: rapid.SliceOfN(part, 0, 3).Draw(t, "parts"),
			}
		})
		return rapid.SliceOfN(message, 0, 12).Draw(t, "messages")
	})
}

func TestChunksKeepAllHumanText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		messages := anyMessages().Draw(t, "messages")
		o := ChunkOptions{Size: rapid.IntRange(1, 100).Draw(t, "size"), Overlap: rapid.IntRange(-1, 60).Draw(t, "overlap")}
		chunks := Chunks(messages, o)
		checkHumanText(t, messages, chunks)
		if again := Chunks(messages, o); !reflect.DeepEqual(chunks, again) {
			t.Fatal("not the same twice")
		}
	})
}

func TestHumanAndAgentStayApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		messages := anyMessages().Draw(t, "messages")
		for _, c := range Chunks(messages, ChunkOptions{}) {
			if c.Role == User && c.First != c.Last {
				t.Fatalf("a person's chunk spans messages: %+v", c)
			}
			if strings.TrimSpace(c.Text) == "" {
				t.Fatalf("empty chunk: %+v", c)
			}
		}
	})
}

// TestChunkingOn shows that cutting again from the last turn gives the same as
// cutting everything.
func TestChunkingOn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := anyMessages().Draw(t, "messages")
		old := all[:rapid.IntRange(0, len(all)).Draw(t, "old")]
		first, before := LastTurn(old)
		o := ChunkOptions{Size: 30, Overlap: 5}
		var got []Chunk
		for _, c := range Chunks(old, o) {
			if c.First < first {
				got = append(got, c)
			}
		}
		o.Messages, o.Turns = first, before
		got = append(got, Chunks(all[first:], o)...)
		o.Messages, o.Turns = 0, 0
		if want := Chunks(all, o); !reflect.DeepEqual(got, want) {
			t.Fatalf("cut on: %+v\nat once: %+v", got, want)
		}
	})
}

func TestSplitStaysWithinSize(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := anyText().Draw(t, "text")
		size := rapid.IntRange(1, 80).Draw(t, "size")
		for _, piece := range split(text, size, size/8, EstimateTokens) {
			if n := EstimateTokens(piece); n > size+size/4 {
				t.Fatalf("%d tokens, more than %d: %q", n, size, piece)
			}
			if !strings.Contains(text, piece) {
				t.Fatalf("%q is not in the text", piece)
			}
		}
	})
}

// TestCodeIsCutBetweenLines holds for code whose lines fit into a chunk.
func TestCodeIsCutBetweenLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(rapid.StringMatching(`[a-z (){};.]{0,40}`), 1, 60).Draw(t, "lines")
		text := "Look at this. It is long.\n\n```go\n" + strings.Join(lines, "\n") + "\n```\n"
		whole := map[string]bool{}
		for line := range strings.Lines(text) {
			whole[strings.TrimRight(line, "\n ")] = true
		}
		for _, piece := range split(text, 30, 5, EstimateTokens) {
			if strings.HasPrefix(piece, "Look") || strings.HasPrefix(piece, "It is") {
				continue
			}
			for line := range strings.Lines(piece) {
				if !whole[strings.TrimRight(line, "\n ")] {
					t.Fatalf("cut inside the line %q", line)
				}
			}
		}
	})
}
