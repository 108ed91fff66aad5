package session

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func say(role Role, text string) Message {
	return Message{Role: role, Parts: []Part{{Kind: Text, Text: text}}}
}

func ran(id, command, output string) []Message {
	return []Message{
		{Role: Assistant, Parts: []Part{{Kind: ToolUse, Tool: "Bash", ToolID: id, Command: command}}},
		{Role: User, Parts: []Part{{Kind: ToolResult, ToolID: id, Text: output}}},
	}
}

func conversation() []Message {
	all := []Message{say(User, "first request: mend the build")}
	for i := range 10 {
		all = append(all, ran(fmt.Sprint(i), "make", strings.Repeat(fmt.Sprintf("output %d ", i), 200))...)
		all = append(all, say(Assistant, fmt.Sprintf("step %d is done", i)))
	}
	return append(all, say(User, "last request: now the docs"), say(Assistant, "docs done"))
}

func carriedText(a Assembly) string {
	var b strings.Builder
	for _, c := range a.Carried {
		b.WriteString(c.Text + "\n")
	}
	return b.String()
}

func TestAssembleKeepsEverythingThatFits(t *testing.T) {
	all := conversation()
	a := Assemble(all, AssembleOptions{Budget: 1 << 20, Strategy: Relevance})
	if len(a.Carried) != len(all) || a.Tokens != a.All {
		t.Errorf("%d of %d, %d of %d tokens", len(a.Carried), len(all), a.Tokens, a.All)
	}
}

func TestAssembleShortensToolOutputFirst(t *testing.T) {
	all := conversation()
	a := Assemble(all, AssembleOptions{Budget: 2000, Strategy: Relevance})
	if len(a.Carried) != len(all) || a.Tokens > 2000 {
		t.Fatalf("%d of %d carried, %d tokens", len(a.Carried), len(all), a.Tokens)
	}
	for _, c := range a.Carried {
		if c.Shortened && !strings.HasPrefix(c.Text, "output") {
			t.Errorf("shortened %q", c.Text)
		}
	}
}

func TestAssembleKeepsRequestsAndWhatBearsOnTheQuestion(t *testing.T) {
	all := conversation()
	relevant := func(i int) float64 {
		if strings.Contains(all[i].Text(), "step 2") {
			return 1
		}
		return 0
	}
	a := Assemble(all, AssembleOptions{Budget: 60, Strategy: Relevance, Relevant: relevant})
	got := carriedText(a)
	for _, want := range []string{"first request", "last request", "step 2 is done"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
	if strings.Contains(got, "step 0") || a.Tokens > 60 {
		t.Errorf("%d tokens:\n%s", a.Tokens, got)
	}
}

func TestAssembleTruncates(t *testing.T) {
	var all []Message
	for i := range 10 {
		all = append(all, say(User, fmt.Sprintf("message number %d", i)))
	}
	a := Assemble(all, AssembleOptions{Budget: 12, Strategy: Truncate}) // 4 tokens each
	if got := carriedText(a); got != "message number 0\nmessage number 8\nmessage number 9\n" {
		t.Errorf("%s", got)
	}
}

func TestAssembleHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var all []Message
		for i := range rapid.IntRange(0, 30).Draw(t, "n") {
			switch rapid.IntRange(0, 3).Draw(t, "kind") {
			case 0:
				all = append(all, say(User, strings.Repeat("u ", rapid.IntRange(0, 200).Draw(t, "u"))))
			case 1:
				all = append(all, say(Assistant, strings.Repeat("a ", rapid.IntRange(0, 200).Draw(t, "a"))))
			default:
				all = append(all, ran(fmt.Sprint(i), "ls", strings.Repeat("o ", rapid.IntRange(0, 900).Draw(t, "o")))...)
			}
		}
		budget := rapid.IntRange(0, 2000).Draw(t, "budget")
		strategy := Strategy(rapid.SampledFrom(Strategies()).Draw(t, "strategy"))
		a := Assemble(all, AssembleOptions{Budget: budget, Strategy: strategy, Relevant: func(i int) float64 { return float64(i%7) / 7 }})
		sum, before := 0, -1
		calls, results := map[string]bool{}, map[string]bool{}
		for _, c := range a.Carried {
			if c.Index <= before {
				t.Fatalf("out of order: %d after %d", c.Index, before)
			}
			before = c.Index
			sum += c.Tokens
			for _, p := range all[c.Index].Parts {
				calls[p.ToolID] = calls[p.ToolID] || p.Kind == ToolUse
				results[p.ToolID] = results[p.ToolID] || p.Kind == ToolResult
			}
		}
		if sum != a.Tokens || sum > budget {
			t.Fatalf("%d tokens, said to be %d, for a budget of %d", sum, a.Tokens, budget)
		}
		if strategy == Relevance {
			for id := range results {
				if results[id] && !calls[id] {
					t.Fatalf("the result of %s is carried without its call", id)
				}
			}
		}
	})
}
