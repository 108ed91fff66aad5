package distil

import (
	"slices"
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
		a.Add(messages[:end], Turn("", messages[:end], nil), nil)
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
Done: changed cart/total.go, cart/total_test.go; ` + "`go test ./...` failed (FAIL: expected 1, got 0) and passes after changing cart/total.go: “The loop began at one.”" + `; the agent says “Added a test for it.”
Decided: The user decided: “We'll go with integers for all amounts.”; The user wants: “Always round half to even.”
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
		{"two questions", []step{user("What does this project do at all?"), agent("It sells things."), user("And who is it made for, really?"), agent("Shops.")}, false},
		{"commands to the client", []step{user("hello with the plugin"), agent("Hello."), user("/chitta:recall staging"), agent("It is on port 80.")}, false},
		{"work behind a command", []step{user("/implement the export of orders"), edit("a.go"), agent("Done.")}, true},
		{"a path is a request", []step{user("/etc/hosts has a wrong entry, repair it"), edit("hosts"), agent("Done.")}, true},
		{"looking around", []step{user("Where is the port set, please?"), runs("grep -rn port .", 0, "a.go:3"), agent("In a.go.")}, false},
		{"a commit", []step{user("commit what is there, please"), runs("git commit -am 'x y'", 0, "1 file changed"), agent("Committed.")}, true},
		{"one wish", []step{user("Always use tabs in this project, never spaces"), agent("I will.")}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if sum, ok := accountOf(messagesOf(tt.steps...)).Summary(); ok != tt.want {
				t.Errorf("%v: %q", ok, sum.Text)
			}
		})
	}
}

// TestSummaryOrder: decisions come first, the newest first, and one that is too
// long takes no room from those behind it.
func TestSummaryOrder(t *testing.T) {
	a := &Account{}
	long := strings.Repeat("a long wish ", 14)
	say := func(rule, text string) {
		a.Add(messagesOf(user("please do something about the "+text), edit(text+".go")), []Lesson{{Rule: rule, Text: text}}, nil)
	}
	say(RulePreference, "old wish")
	say(RuleDecision, "old choice")
	say(RuleCorrection, "correction")
	say(RulePreference, long)
	say(RuleDecision, "new choice "+strings.Repeat("x", 120))
	sum, ok := a.Summary()
	if want := "Decided: new choice " + strings.Repeat("x", 120) + "; old choice; old wish; correction"; !ok || !strings.Contains(sum.Text, want+"\n") && !strings.HasSuffix(sum.Text, want) {
		t.Errorf("%v %s\nwant %s", ok, sum.Text, want)
	}
}

// TestTakenBackIsNotDone: a summary does not count what was reverted.
func TestTakenBackIsNotDone(t *testing.T) {
	euro := []step{user("show prices in euro, please"), edit("store/cart.go"), edit("web/prices.py"), agent("Prices begin with € now.")}
	for _, tt := range []struct {
		name    string
		steps   []step
		files   string
		without string
	}{
		{"put back by command", []step{user("That didn't work, revert the currency change"), runs("git checkout -- store/cart.go web/prices.py", 0, ""), agent("Both files are as they were.")}, "", "begin with €"},
		{"everything put back", []step{user("throw away all of it"), runs("git restore .", 0, ""), agent("All is as it was.")}, "", "begin with €"},
		{"edited back", []step{user("please undo that"), edit("store/cart.go"), edit("web/prices.py"), agent("Both files are as they were.")}, "", "begin with €"},
		{"one of them", []step{user("revert the cart"), runs("git checkout -- store/cart.go", 0, ""), agent("The cart is as it was.")}, "web/prices.py", "store/cart.go, "},
		{"a commit taken back", []step{runs("git commit -am euro", 0, ""), user("revert that please"), runs("git revert --no-edit HEAD", 0, ""), agent("Reverted it all.")}, "", "begin with €"},
		{"the last commit taken back", []step{runs("git commit -am euro", 0, ""), agent("Prices are in euro."), user("now add yen as well"), edit("web/yen.py"), runs("git commit -am yen", 0, ""), agent("Yen is there."),
			user("revert that please"), runs("git revert --no-edit HEAD", 0, ""), agent("Yen is gone again.")}, "store/cart.go web/prices.py", "Yen is there"},
		{"committed before", []step{runs("git commit -am euro", 0, ""), user("now add yen as well"), edit("store/cart.go"), runs("git checkout -- store/cart.go", 0, ""), agent("Yen has to wait.")}, "store/cart.go web/prices.py", "yen now"},
		{"worked on further", []step{user("now add yen as well"), edit("store/cart.go"), agent("Yen is there.")}, "store/cart.go web/prices.py", "reverted"},
		{"not done as asked", []step{user("revert that please"), agent("It is committed by somebody else.")}, "store/cart.go web/prices.py", "reverted"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sum, ok := accountOf(messagesOf(append(slices.Clone(euro), tt.steps...)...)).Summary()
			var names []string
			for _, f := range sum.Files {
				names = append(names, strings.TrimPrefix(f, home+"/"))
			}
			if got := strings.Join(names, " "); !ok || got != tt.files {
				t.Errorf("%v files %q, want %q", ok, got, tt.files)
			}
			if done := strings.Join(sum.Done, "; "); strings.Contains(done, tt.without) && !strings.Contains(done, "agent had said: “Prices begin") {
				t.Errorf("done %q, want no %q", done, tt.without)
			}
		})
	}
}

// TestOneNameForAFile: a file is named from the top of the project, wherever the
// shell is.
func TestOneNameForAFile(t *testing.T) {
	messages := messagesOf(
		user("make the prices of the cart whole numbers"), edit("store/cart.go"), edit("web/prices.py"), agent("Done with both of them."),
		user("and now the same for the price list of the web shop, please, with the tests"), edit("web/prices.py"),
		func(d *dialogue) {
			d.call(session.Part{Tool: "Edit", Files: []string{"list.py"}}, session.Part{Text: "ok"})
		},
		agent("Changed the list."),
	)
	for i := range messages[6:] {
		messages[6+i].Cwd = home + "/web"
	}
	sum, _ := accountOf(messages).Summary()
	if want := "changed store/cart.go, web/prices.py, web/list.py"; len(sum.Done) == 0 || sum.Done[0] != want {
		t.Errorf("done %q, want %q", sum.Done, want)
	}
	last := messages[6:] // as a reader has it who starts late
	for _, root := range []string{home, home + "/"} {
		lessons := Turn(root, last, nil)
		if len(lessons) != 1 || !strings.HasPrefix(lessons[0].Text, "Changed web/prices.py, web/list.py for") || !slices.Equal(lessons[0].Files, []string{home + "/web/prices.py", home + "/web/list.py"}) {
			t.Errorf("lessons %+v", lessons)
		}
	}
	a := &Account{Root: home}
	a.Add(last, nil, nil)
	if sum, _ := a.Summary(); len(sum.Done) == 0 || !strings.HasPrefix(sum.Done[0], "changed web/prices.py") {
		t.Errorf("done %q", sum.Done)
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
