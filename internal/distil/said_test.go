package distil

import (
	"slices"
	"strings"
	"testing"
)

func TestPreferences(t *testing.T) {
	const answer = "The parser reads dates now, in the file parse.go."
	say := func(text string) []step { return []step{agent(answer), user(text)} }
	yes := []string{RulePreference}
	check(t, []example{
		{"always", say("always run the formatter before you commit"), yes, "always run the formatter"},
		{"always after please", say("Please always write table tests."), yes, "table tests"},
		{"never", say("Never push to main directly."), yes, "Never push"},
		{"from now on", say("From now on, keep functions under 40 lines."), yes, "40 lines"},
		{"from now on at the end", say("use British spelling from now on"), yes, "British"},
		{"going forward", say("Going forward we name branches after the ticket."), yes, "branches"},
		{"prefer", say("I prefer small commits over one big one."), yes, "small commits"},
		{"in future", say("In future, please run the linter first."), yes, "linter"},
		{"for every", say("For every handler I'd like an integration test."), yes, "handler"},
		{"after an opener", say("alright, for all config files I want comments"), yes, "config files"},
		{"we always use", say("We always use UTC in the database."), yes, "UTC"},
		{"wherever we can", say("we should be using typed ids instead of strings wherever we can"), yes, "typed ids"},
		{"whenever you", say("Whenever you touch the schema, add a migration."), yes, "migration"},
		{"second sentence", say("Looks right to me. Never log the customer's address."), yes, "Never log"},
		{"our convention", say("Our convention is one package per provider."), yes, "one package"},
		{"in a clause", say("do the same for invoices, we always want a valid number"), yes, "valid number"},
		{"without an answer before", []step{user("Always use four spaces.")}, yes, "four spaces"},

		{"question", say("Should we always run the formatter?"), nil, ""},
		{"question without mark", say("do we always run the formatter here"), nil, ""},
		{"hypothetical", say("If we always retried, the queue would never drain."), nil, ""},
		{"hypothetical in the middle", say("the queue would grow if we always retried"), nil, ""},
		{"description of a bug", say("It always fails on the second run."), nil, ""},
		{"description with never", say("the banner never shows up on mobile"), nil, ""},
		{"quoted", say(`The guide has this line: "Always use tabs." What do you make of it?`), nil, ""},
		{"reported", say("The linter says always check errors here"), nil, ""},
		{"quotation block", say("> Always use tabs.\n> Never use spaces.\n\nwhat does that mean?"), nil, ""},
		{"code comment", say("// Always call Close after this.\nwhere does this comment come from?"), nil, ""},
		{"in a code block", say("what does this do?\n```\nalways use the first entry\n```"), nil, ""},
		{"indented code", say("what does this do?\n\n    always run first\n"), nil, ""},
		{"pasted log", say("ERROR: always call init first\nwhat is this?"), nil, ""},
		{"in a plan", say("# Plan\n\nAlways update the cache first.\nNever skip the check."), nil, ""},
		{"the agent's own prose", []step{user("write the contributing guide"), agent("Always ensure that tests pass. Never force-push.")}, nil, ""},
		{"offer of help", say("Whenever you need more logs, tell me."), nil, ""},
		{"cheer", say("Never give up!"), nil, ""},
		{"never mind", say("never mind, I found the date"), nil, ""},
		{"the future", say("In the future this may be slow."), nil, ""},
		{"praise", say("I like all of the new tests"), nil, ""},
		{"sounds like thanks", say("I always love how quick this is"), nil, ""},
	})
}

func TestCorrections(t *testing.T) {
	const answer = "I put the totals into the database with a trigger."
	say := func(text string) []step { return []step{agent(answer), user(text)} }
	yes := []string{RuleCorrection}
	check(t, []example{
		{"no, use", say("no, use the ledger service"), yes, "use the ledger service"},
		{"no without comma", say("no that's the old table, the new one is called totals_v2"), yes, "totals_v2"},
		{"refers to the answer", say("no, totals belong to the ledger service"), yes, "totals into the database"},
		{"don't", say("Don't add a trigger for that."), yes, "trigger"},
		{"do not", say("do not touch the billing schema"), yes, "billing schema"},
		{"wait a second", say("wait a second, the totals were per customer"), yes, "per customer"},
		{"stop", say("stop adding comments to every line"), yes, "comments"},
		{"actually", say("Actually, the totals belong into the report."), yes, "report"},
		{"wrong", say("That's wrong, totals are per month."), yes, "per month"},
		{"not what I asked", say("this is not what I asked for, I wanted a view"), yes, "a view"},
		{"did not ask", say("I did not ask you to commit anything"), yes, "commit"},
		{"I meant", say("I meant the monthly totals"), yes, "monthly"},
		{"you forgot", say("you forgot the index on customer_id"), yes, "customer_id"},
		{"should instead of", say("The job should use the existing queue helper instead of opening its own connection."), yes, "queue helper"},
		{"use instead", say("use a view instead"), yes, "view"},
		{"good but", say("all good, but I would keep the totals in memory"), yes, "in memory"},
		{"negative question", say("can't we compute them in the view layer?"), yes, "view layer"},
		{"conceded", append(say("the ledger already has those numbers"), agent("You're right, the ledger has them.")), yes, "ledger already"},
		{"conceded in passing", append(say("the ledger is meant for the months that are closed"), agent("Ah, right. The ledger is for closed months.")), yes, "months that are closed"},
		{"wanted instead", say("I want the table to be called ledger instead of accounts"), yes, "called ledger"},
		{"conceded after a look", append(say("the ledger already has those numbers"), agent("Let me look at the ledger."), agent("You're right - it has them.")), yes, "ledger already"},
		{"when refusing a call", []step{agent(answer), func(d *dialogue) {
			d.call(partEdit, partRefused)
			user("no, leave the schema alone")(d)
		}}, yes, "schema alone"},

		{"nothing said before", []step{user("no, use the ledger service")}, nil, ""},
		{"no problem", say("no problem, take your time with it"), nil, ""},
		{"no worries", say("No worries about the trigger."), nil, ""},
		{"no, that's fine", say("no, that's fine as it is"), nil, ""},
		{"question", say("is that wrong for months with no orders?"), nil, ""},
		{"request after actually", say("actually can you also add an index"), nil, ""},
		{"hypothetical", say("if that's wrong we can change it next week"), nil, ""},
		{"quoted", say("my colleague asked: \"don't we have a ledger?\""), nil, ""},
		{"pasted log", say("2024-05-01 no, use the ledger service\nwhat does this line mean?"), nil, ""},
		{"a bare no", say("no"), nil, ""},
		{"answer with no", say("No, I haven't looked at it yet."), nil, ""},
		{"agreement", say("yeah actually that explains the numbers"), nil, ""},
		{"encouragement", say("don't be afraid of a big change"), nil, ""},
		{"don't worry", say("don't worry about the old rows"), nil, ""},
		{"an order to stop", say("stop the server and start it again"), nil, ""},
		{"actually fine", say("actually this looks good to me"), nil, ""},
		{"thanks", say("great, thanks for the trigger"), nil, ""},
		{"long text conceded", append(say(longText), agent("You're right.")), nil, ""},
		{"agent's apology alone", []step{user("add an index on orders"), agent("I apologize for the delay.")}, nil, ""},
	})
}

func TestDecisions(t *testing.T) {
	const answer = "There are two ways.\n\n**Option A: one table per tenant**\nSimple.\n\n**Option B: a tenant column**\nSmall.\n\nWhich one?"
	say := func(text string) []step { return []step{agent(answer), user(text)} }
	yes := []string{RuleDecision}
	check(t, []example{
		{"let's go with", say("let's go with Postgres for the queue"), yes, "Postgres"},
		{"we'll go with", say("We'll go with a tenant column."), yes, "tenant column"},
		{"let's use", say("ok, let's use the tenant column"), yes, "tenant column"},
		{"decided", say("We decided to drop support for version 1."), yes, "version 1"},
		{"stick with", say("let's stick with plain cron"), yes, "cron"},
		{"I like option", say("I like Option B"), yes, "a tenant column"},
		{"implement option", say("let's implement option A"), yes, "one table per tenant"},
		{"option alone", say("option b please"), yes, "tenant column"},
		{"changed mind", say("thinking again: let's remove the tenants completely"), yes, "remove the tenants"},
		{"decision line", say("Decision: tenants get a column"), yes, "column"},
		{"would rather", say("I'd rather have plain SQL than an ORM."), yes, "plain SQL"},
		{"by default", say("I want to have the export disabled by default."), yes, "export"},
		{"answer to a question", []step{user("set up the release"), answers("Which registry do you want to use?", "The internal one")}, yes, "The internal one"},

		{"question", say("should we go with Postgres?"), nil, ""},
		{"let's question", say("shall we use option B?"), nil, ""},
		{"hypothetical", say("if we go with Postgres we need a migration"), nil, ""},
		{"maybe", say("maybe we'll go with Postgres"), nil, ""},
		{"quoted", say("what does \"let's go with Postgres\" refer to?"), nil, ""},
		{"keep going", say("let's keep going with the tests"), nil, ""},
		{"go for it", say("let's go for it"), nil, ""},
		{"about an option", say("option a seems risky on old servers"), nil, ""},
		{"a task", say("let's fix the login page"), nil, ""},
		{"menu entry", []step{user("plan the release"), answers("The plan is ready. What would you like to do next?", "Start work")}, nil, ""},
		{"the agent's plan", []step{user("how would you store tenants?"), agent("We'll go with a column, I would say.")}, nil, ""},
		{"in a document", say("# Notes\n\nWe decided to use Postgres."), nil, ""},
	})
}

func TestPlainWishes(t *testing.T) {
	const answer = "The parser reads dates now, in the file parse.go."
	say := func(text string) []step { return []step{agent(answer), user(text)} }
	yes := []string{RulePreference}
	check(t, []example{
		{"order and always", say("Use 4 spaces. Always."), yes, "“Use 4 spaces. Always.”"},
		{"order and every time", say("run the linter first. Every time!"), yes, "linter first. Every time"},
		{"don't and ever", say("Don't push to main. Ever."), yes, "Don't push to main. Ever."},
		{"order, no exceptions", say("Write tests for new handlers, no exceptions."), yes, "new handlers"},
		{"order, always", say("sign your commits, always"), yes, "sign your commits"},
		{"before every commit", say("make sure to run cargo fmt before every commit"), yes, "cargo fmt"},
		{"after each merge", say("Please update the changelog after each merge."), yes, "changelog"},
		{"before any push", say("remember to rebase before any push"), yes, "rebase"},
		{"with every release", say("bump the version with every release"), yes, "bump"},
		{"custom", say("We use British spelling in docs."), yes, "British spelling"},
		{"custom with don't", say("we don't use mocks in integration tests"), yes, "mocks"},
		{"custom for", say("FYI: we use snake_case for column names."), yes, "snake_case"},
		{"no comments everywhere", say("Please don't add comments to every line."), yes, "comments to every line"},
		{"unless asked", say("Don't commit unless I ask you to."), yes, "unless I ask"},
		{"not in commit messages", say("please do not use emoji in commit messages"), yes, "emoji"},
		{"avoid in tests", say("avoid using sleep in tests"), yes, "sleep"},

		{"a complaint that holds always", say("The export fails. Always."), nil, ""},
		{"an order for now", say("use 4 spaces in this block"), nil, ""},
		{"a task for every file", say("add a license header to every file"), nil, ""},
		{"a rename everywhere", say("rename cart to basket everywhere"), nil, ""},
		{"a pipeline", say("make the pipeline run on every push"), nil, ""},
		{"sure this once", say("make sure to run the tests before you answer this"), nil, ""},
		{"a check in the code", say("validate the token before every call"), nil, ""},
		{"background", say("We use Postgres in production. Why is the query slow?"), nil, ""},
		{"an account", say("we use the old table in the report, so the sums are off"), nil, ""},
		{"what is so now", say("we use Redis for caching but it is slow"), nil, ""},
		{"a question", say("do we use British spelling in docs"), nil, ""},
		{"we use it", say("we use it for the invoices"), nil, ""},
		{"not this time", say("please don't run the tests again"), []string{RuleCorrection}, ""},
		{"one thing not to be done", say("please don't delete all rows"), []string{RuleCorrection}, ""},
		{"not to look", say("don't search in every folder"), []string{RuleCorrection}, ""},
		{"reported", say("the guide says we use tabs in makefiles"), nil, ""},
		{"only always", say("Always."), nil, ""},
	})
}

// TestCorrectionsStandAlone shows what a correction says beside its own words:
// what to do instead, and what it was about, if that is to be seen.
func TestCorrectionsStandAlone(t *testing.T) {
	for _, tt := range []struct {
		name, answer, said string
		want               []string // texts of the lessons
	}{
		{"what to do instead", "I built the line with the percent operator, in one go.", "No, don't use the percent operator. Use an f-string.",
			[]string{"The user corrected: “No, don't use the percent operator. Use an f-string.” — when the agent said: “I built the line with the percent operator, in one go.”"}},
		{"instead leans on it", "Prices are held as floats everywhere now.", "No, that's wrong: cents must never be floats. Use integers everywhere instead.",
			[]string{"The user corrected: “No, that's wrong: cents must never be floats. Use integers everywhere instead.” — when the agent said: “Prices are held as floats everywhere now.”"}},
		{"how it should be", "The job starts at midnight and sends mail.", "That's wrong. The job should start at noon.",
			[]string{"The user corrected: “That's wrong. The job should start at noon.” — when the agent said: “The job starts at midnight and sends mail.”"}},
		{"a standing wish behind it", "I built the line with the percent operator, in one go.", "No, don't use the percent operator here. Always use f-strings.",
			[]string{
				"The user wants: “Always use f-strings.”",
				"The user corrected: “No, don't use the percent operator here. Always use f-strings.” — when the agent said: “I built the line with the percent operator, in one go.”",
			}},
		{"another task is not part of it", "I built the line with the percent operator, in one go.", "No, use an f-string there. Then run the tests.",
			[]string{"The user corrected: “No, use an f-string there.”"}},
		{"a question is not part of it", "I built the line with the percent operator, in one go.", "No, use an f-string there. Is it slower?",
			[]string{"The user corrected: “No, use an f-string there.”"}},
		{"nothing in common", "Not yet done: the variables need another folder.", "No, call the resource cache_main instead of y.",
			[]string{"The user corrected: “No, call the resource cache_main instead of y.”"}},
		{"the sentence that bears on it", "The resource is called y for now, as before. Not yet done: the variables need another folder.", "No, call the resource cache_main instead of y.",
			[]string{"The user corrected: “No, call the resource cache_main instead of y.” — when the agent said: “The resource is called y for now, as before.”"}},
		{"no content", "I put the totals into the database.", "hm, that is not what I meant.", nil},
		{"no content at all", "I put the totals into the database.", "no, that's not right", nil},
		{"wrong and nothing else", "I put the totals into the database.", "No, this is wrong!", nil},
		{"not like that", "I put the totals into the database.", "not like that please", nil},
		{"a mere reference", "I put the totals into the database.", "I meant the parser module.", nil},
		{"a reference to something", "I changed the lexer module as you asked.", "I meant the parser module.",
			[]string{"The user corrected: “I meant the parser module.” — when the agent said: “I changed the lexer module as you asked.”"}},
		{"content in the next sentence", "I put the totals into the database.", "That's not what I meant. The totals should be computed in the view.",
			[]string{"The user corrected: “That's not what I meant. The totals should be computed in the view.” — when the agent said: “I put the totals into the database.”"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, l := range Turn("", messagesOf(agent(tt.answer), user(tt.said)), nil) {
				got = append(got, l.Text)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
			}
		})
	}
}

// TestElementsAreNotSaid: what stands in an element at the beginning was put
// there by a program.
func TestElementsAreNotSaid(t *testing.T) {
	for prompt, want := range map[string]string{
		`<teammate-message from="b">Always skip the tests.</teammate-message>`: "",
		"<note>Always skip the tests.</note>\nAlways run the tests.":           "Always run the tests.",
		"<div> is not closed in page.html":                                     "<div> is not closed in page.html",
		"a < b is wrong, always use <=":                                        "a < b is wrong, always use <=",
		"<b>bold</b><i>Never do that</i> never push on friday":                 "never push on friday",
		"<": "<", "<x": "<x", "</x>": "</x>", "": "",
	} {
		if got := withoutElements(prompt); got != want {
			t.Errorf("%q: %q, want %q", prompt, got, want)
		}
	}
}
