package distil

import (
	"strings"
	"testing"

	"chitta/internal/session"
)

// accountOf goes through a conversation turn by turn.
func accountOf(messages []session.Message) *Account {
	a := &Account{}
	var starts []int
	for end := len(messages); end > 0; {
		first, _ := session.LastTurn(messages[:end])
		starts = append([]int{first}, starts...)
		end = first
	}
	for i := range starts {
		end := len(messages)
		if i+1 < len(starts) {
			end = starts[i+1]
		}
		a.Add(messages[:end], Turn(messages[:end], nil), nil)
	}
	return a
}

func TestSummaryOfASession(t *testing.T) {
	sum, ok := accountOf(messagesOf(
		user("The checkout is refused when the cart holds one item, please repair it"),
		runs("go test ./...", 1, "FAIL: expected 1, got 0"), edit("cart/total.go"), runs("go test ./...", 0, "ok"),
		agent("The loop began at one."),
		user("yes"), edit("cart/total_test.go"), agent("Added a test for it."),
		user("We'll go with integers for all amounts. Always round half to even."),
		agent("Understood.\n\nNext steps:\n- change the amounts in cart/price.go to integers"),
	)).Summary()
	want := `Asked: “The checkout is refused when the cart holds one item, please repair it”; “We'll go with integers for all amounts. Always round half to even.”
Done: changed cart/total.go, cart/total_test.go; ` + "`go test ./...` failed (FAIL: expected 1, got 0) and passes after changing cart/total.go" + `; the agent says “Added a test for it.”
Decided: The user wants: “Always round half to even.”; The user decided: “We'll go with integers for all amounts.”
Left open: change the amounts in cart/price.go to integers`
	if !ok || !strings.HasPrefix(sum.Text, want) {
		t.Errorf("%v\n%s\nwant\n%s", ok, sum.Text, want)
	}
	if len(sum.Files) != 2 || len(sum.Decided) != 2 || len(sum.Open) != 1 {
		t.Errorf("%+v", sum)
	}
}

func TestSummariesNotWorthKeeping(t *testing.T) {
	for _, tt := range []struct {
		name  string
		steps []step
		want  bool
	}{
		{"nothing", nil, false},
		{"nobody asked", []step{agent("Ready."), edit("a.go")}, false},
		{"a greeting", []step{user("hi"), agent("Hello!")}, false},
		{"one question", []step{user("What does this project do at all?"), agent("It sells things.")}, false},
		{"one question with work", []step{user("Why is this slow, please find out"), runs("go test ./...", 0, "ok"), agent("It is the sort.")}, true},
		{"two questions", []step{user("What does this project do at all?"), agent("It sells things."), user("And who is it made for, really?"), agent("Shops.")}, true},
		{"one wish", []step{user("Always use tabs in this project, never spaces"), agent("I will.")}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if sum, ok := accountOf(messagesOf(tt.steps...)).Summary(); ok != tt.want {
				t.Errorf("%v: %q", ok, sum.Text)
			}
		})
	}
}

// TestLongSessionStaysShort: whatever a session holds, its account keeps its
// bounds and says what was asked first.
func TestLongSessionStaysShort(t *testing.T) {
	steps := []step{user("First of all, rename the cart to basket everywhere " + strings.Repeat("please ", 100))}
	for i := range mostTurns + 50 {
		steps = append(steps, agent("Done."), user(strings.Repeat("Never leave an item behind, "+strings.Repeat("x", i%7)+" 🙂 ", 4)), edit("a/"+strings.Repeat("dir/", i%9)+"f.go"),
			agent("Next steps:\n- "+strings.Repeat("more of this and that ", 8)))
	}
	a := accountOf(messagesOf(steps...))
	sum, ok := a.Summary()
	if !ok || length(sum.Text) > MaxSummary || !strings.HasPrefix(sum.Text, "Asked: “First of all") || len(a.turns) > mostTurns || len(sum.Files) > maxFiles {
		t.Errorf("%v, %d characters, %d turns: %s", ok, length(sum.Text), len(a.turns), sum.Text)
	}
	for _, part := range []string{"\nDone: ", "\nDecided: ", "\nLeft open: "} {
		if !strings.Contains(sum.Text, part) {
			t.Errorf("%q is missing in %q", part, sum.Text)
		}
	}
}

// TestSummaryHoldsNothingInjected: what chitta handed over is no part of what
// was said.
func TestSummaryHoldsNothingInjected(t *testing.T) {
	const injected = "<injected>an old secret wish</injected>"
	messages := messagesOf(user("Please tidy the imports of the cart\n"+injected), edit("cart.go"), agent("Done with it. "+injected))
	a := &Account{}
	a.Add(messages, nil, func(text string) string { return strings.ReplaceAll(text, injected, "") })
	if sum, ok := a.Summary(); !ok || strings.Contains(sum.Text, "secret wish") {
		t.Errorf("%v %q", ok, sum.Text)
	}
}

func TestMergeEdits(t *testing.T) {
	got := MergeEdits([]string{"Changed a.go for: “one”", "Changed a.go for: “one”; then “two”", "odd", "Changed a.go for: “three”"}, []string{"src/a.go"})
	if want := "Changed src/a.go for: “one”; then “two”; then “three”"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	long := "Changed a.go for: “" + strings.Repeat("word ", 80) + "”"
	got = MergeEdits([]string{"Changed a.go for: “the oldest”", long, long + "2", "Changed a.go for: “the newest”"}, []string{"a.go"})
	if length(got) > MaxMerged || strings.Contains(got, "the oldest") || !strings.Contains(got, "the newest") {
		t.Errorf("%d: %q", length(got), got)
	}
}
