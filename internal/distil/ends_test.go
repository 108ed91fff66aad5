package distil

import "testing"

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
		{"put back", []step{user(task), edit("up/load.go"), runs("git checkout -- up/load.go", 0, "")}, []string{RuleFailure, RuleEdit}, "up/load.go were taken back"},
		{"restored", []step{user(task), edit("up/load.go"), runs("git restore up/load.go", 0, "")}, []string{RuleFailure, RuleEdit}, "taken back"},

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
		{"heading and list", []step{user(task), agent("The mailer uses the queue.\n\n**Next steps:**\n1. remove the old table\n2. tell the support team")}, yes, "remove the old table; tell the support team"},
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
