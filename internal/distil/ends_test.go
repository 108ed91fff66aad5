package distil

import (
	"slices"
	"strings"
	"testing"
)

func TestFailures(t *testing.T) {
	yes := []string{RuleFailure}
	const task = "make the upload resume after a lost connection"
	check(t, []example{
		{"agent says so", []step{user(task), agent("The chunked approach breaks uploads below one megabyte.")}, yes, "chunked approach breaks"},
		{"with the request", []step{user(task), agent("The chunked approach breaks uploads below one megabyte.")}, yes, "while: “" + task},
		{"tried but", []step{user(task), agent("I tried a range request, but the proxy does not work with it.")}, yes, "range request"},
		{"another way", []step{user(task), agent("The proxy drops the header. Let me try a different approach.")}, yes, "drops the header"},
		{"not working", []step{user(task), agent("I added a checksum to each part. But it's not working behind the proxy.")}, yes, "checksum"},
		{"person takes back", []step{agent("The upload keeps its state in a cookie."), user("let's abandon the cookie idea")}, yes, "cookie idea"},
		{"person takes this back", []step{agent("The upload keeps its state in a cookie."), user("revert that change please")}, yes, "state in a cookie"},
		{"still fails", []step{agent("The upload resumes now, also after a restart."), user("still fails on my phone")}, yes, "still fails"},
		{"did not work", []step{agent("The upload resumes now, also after a restart."), user("that didn't work")}, yes, "didn't work"},
		{"put back", []step{user(task), edit("up/load.go"), runs("git checkout -- up/load.go", 0, "")}, yes, "up/load.go were taken back"},
		{"restored", []step{user(task), edit("up/load.go"), runs("git restore up/load.go", 0, "")}, yes, "taken back"},
		{"put back and changed again", []step{user(task), edit("up/load.go"), runs("git restore up/load.go", 0, ""), edit("up/load.go")}, []string{RuleFailure, RuleEdit}, "taken back"},
		{"one of two put back", []step{user(task), edit("up/load.go"), edit("up/save.go"), runs("git restore up/load.go", 0, "")}, []string{RuleEdit, RuleFailure}, "Changed up/save.go for"},

		{"another branch", []step{user(task), edit("up/load.go"), runs("git checkout main", 0, "")}, []string{RuleEdit}, ""},
		{"another file put back", []step{user(task), edit("up/load.go"), runs("git checkout -- go.sum", 0, "")}, []string{RuleEdit}, ""},
		{"unstaged", []step{user(task), edit("up/load.go"), runs("git restore --staged up/load.go", 0, "")}, []string{RuleEdit}, ""},
		{"put back before the change", []step{user(task), runs("git restore up/load.go", 0, ""), edit("up/load.go")}, []string{RuleEdit}, ""},
		{"the person's bug", []step{user("the upload does not work on slow lines"), agent("The timeout is too short.")}, nil, ""},
		{"hypothetical", []step{user(task), agent("If the approach breaks small uploads we can skip it.")}, nil, ""},
		{"question", []step{user(task), agent("Would that approach failed before?")}, nil, ""},
		{"a failed check", []step{user(task), agent("The health check failed twice and the fix broke nothing.")}, nil, ""},
		{"in code", []step{user(task), agent("```\n// this approach does not work\n```")}, nil, ""},
	})
}

func TestNextSteps(t *testing.T) {
	yes := []string{RuleNext}
	const task = "move the mailer to the new queue"
	check(t, []example{
		{"heading and list", []step{user(task), agent("The mailer uses the queue.\n\n**Next steps:**\n1. remove the old table\n2. tell the support team")}, yes, "Left to do: remove the old table — while"},
		{"manual steps", []step{user(task), agent("The workflow is there.\n\n**Required Setup (manual steps):**\n- add the secret QUEUE_URL")}, yes, "add the secret QUEUE_URL"},
		{"one line", []step{user(task), agent("The mailer uses the queue.\nNext: remove the old table")}, yes, "remove the old table"},
		{"not yet", []step{user(task), agent("Retries are not yet implemented for bounced mail.")}, yes, "Retries"},
		{"still needs", []step{user(task), agent("The old table still needs to be dropped.")}, yes, "old table"},
		{"does not fully", []step{user(task), agent("This doesn't fully address mails with attachments.")}, yes, "attachments"},
		{"person's note", []step{user("TODO: rotate the queue password")}, yes, "rotate the queue password"},
		{"person still has to", []step{user("we still need to rotate the queue password")}, yes, "rotate"},
		{"person's tomorrow", []step{user("let's look at the bounces tomorrow")}, yes, "bounces"},

		{"offer", []step{user(task), agent("Want me to remove the old table next?")}, nil, ""},
		{"question", []step{user(task), agent("Does the old table still need to be dropped?")}, nil, ""},
		{"in the middle of the work", []step{user(task), agent("Retries are not yet implemented."), runs("git status", 0, "")}, nil, ""},
		{"code comment", []step{user(task), agent("```go\n// TODO: rotate\n```")}, nil, ""},
		{"heading without entries", []step{user(task), agent("Next steps:\n\nNothing is left.")}, nil, ""},
		{"list of what was done", []step{user(task), agent("Changes:\n- moved the mailer\n- dropped the table")}, nil, ""},
		{"next in passing", []step{user("what comes next in the alphabet after q")}, nil, ""},
		{"hypothetical", []step{user("if we still need to rotate the password, say so")}, nil, ""},
	})
}

// TestOpenEndsAreOneEach: what is done later can then be told apart from what is
// not.
func TestOpenEndsAreOneEach(t *testing.T) {
	lessons := Turn("", messagesOf(user("move the mailer to the new queue"), agent(
		"Moved.\n\nNext steps:\n- write the schema migration\n- wire the checkout to the queue\n- drop the old table\n- tell the support team")), nil)
	var got []string
	for _, l := range lessons {
		text, _, _ := strings.Cut(l.Text, whileAsked)
		got = append(got, l.Said, text)
	}
	want := []string{"write the schema migration", "Left to do: write the schema migration", "wire the checkout to the queue",
		"Left to do: wire the checkout to the queue", "drop the old table", "Left to do: drop the old table"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestOneFailureOnce: the longer account of a failure holds the shorter.
func TestOneFailureOnce(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"with what comes next", "That approach didn't work: the proxy drops the header. Let me try a different approach.",
			[]string{"That approach didn't work: the proxy drops the header. Let me try a different approach."}},
		{"said twice", "The cookie idea doesn't work here.\nSome words.\nThe cookie idea doesn't work here.", []string{"The cookie idea doesn't work here."}},
		{"two failures", "The cookie idea doesn't work here. The chunked approach breaks small uploads.",
			[]string{"The cookie idea doesn't work here.", "The chunked approach breaks small uploads."}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, l := range Turn("", messagesOf(user("make the upload resume"), agent(tt.text)), nil) {
				got = append(got, l.Said)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

// TestFailureNamesItsFiles shows which files a complaint is about.
func TestFailureNamesItsFiles(t *testing.T) {
	work := []step{user("show prices in euro, please"), edit("store/cart.go"), edit("web/prices.py"), agent("Prices begin with the euro sign now.")}
	for _, tt := range []struct {
		name  string
		steps []step
		want  string
	}{
		{"nothing done yet", []step{user("That didn't work, revert the currency change")}, "store/cart.go, web/prices.py"},
		{"put back by command", []step{user("That didn't work, revert the currency change"), runs("git checkout -- store/cart.go", 0, "")}, "done in store/cart.go:"},
		{"edited back", []step{user("undo that please"), edit("web/prices.py"), agent("Back to the dollar.")}, "done in web/prices.py:"},
		{"still fails", []step{user("still broken for yen")}, "store/cart.go, web/prices.py"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, l := range Turn("", messagesOf(slices.Concat(work, tt.steps)...), nil) {
				if l.Rule == RuleFailure {
					if !strings.Contains(l.Text, tt.want) || len(l.Files) == 0 {
						t.Errorf("%q about %q, want %q in it", l.Text, l.Files, tt.want)
					}
					return
				}
			}
			t.Error("no failure")
		})
	}
}

func TestMarkers(t *testing.T) {
	yes := []string{RuleMarker}
	const task = "look into the slow start"
	check(t, []example{
		{"decision", []step{user(task), agent("[DECISION] The index is loaded lazily.")}, yes, "The index is loaded lazily."},
		{"learned", []step{user(task), agent("Some words.\n- [LEARNED] The index takes 2 s to load.")}, yes, "2 s"},
		{"emphasis", []step{user(task), agent("**[GOTCHA]** the loader ignores symlinks")}, yes, "symlinks"},
		{"name of a kind", []step{user(task), agent("[INSIGHT] start-up time is all in the loader")}, yes, "loader"},
		{"open question", []step{user(task), agent("[QUESTION] does the loader need the lock at all")}, yes, "lock"},

		{"log level", []step{user(task), agent("[ERROR] cannot open index\n[INFO] retrying now")}, nil, ""},
		{"in code", []step{user(task), agent("```\n[DECISION] The index is loaded lazily.\n```")}, nil, ""},
		{"lower case", []step{user(task), agent("[decision] The index is loaded lazily.")}, nil, ""},
		{"in the middle of a line", []step{user(task), agent("We write [DECISION] in front of decisions here.")}, nil, ""},
		{"said by the person", []step{user("[DECISION] in front of a line is what?")}, nil, ""},
		{"nothing behind it", []step{user(task), agent("[DECISION]")}, nil, ""},
	})
}
