package capture

import (
	"strings"
	"testing"
)

const (
	locks    = "We chose PostgreSQL advisory locks for the scheduler because Redis locks were lost on failover"
	webhooks = "The payment service retries failed webhooks three times with exponential backoff and then parks them in the dead letter table"
	backup   = "The nightly backup must not overlap with the import, since both lock the orders table"
	images   = "Images are resized on upload by the worker, never in the request itself"
	mark     = " [m_01jc8x2k9q, 2026-11-15, noted by an agent]"
)

// TestRepeatsALine: what chitta writes around a text does not make it another.
func TestRepeatsALine(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       bool
	}{
		{"as it was handed over", "- decision: " + locks + mark, true},
		{"with the agent's marker", "[DECISION] decision: " + locks + mark, true},
		{"with a bold marker in a list", "* **[DECISION]** decision: " + locks + mark + ".", true},
		{"numbered", "1. approach: " + locks + mark, true},
		{"only the bracket", locks + mark, true},
		{"only the label", "Decision: " + locks, true},
		{"a reason behind the source", locks + " [m_01jc8x2k9q, 2026-11-15, said by the user, about scheduler.go]", true},
		{"the id of a message", locks + " [7d9f6a1e-22, 2026-11-15, said by the user]", true},
		{"another number", "decision: " + strings.Replace(webhooks, "three", "4", 1) + mark, false},
		{"called a failure", "failure: " + locks, false},
		{"called wrong", "This is no longer true: " + locks + mark, false},
		{"with news behind it", locks + mark + ", but they ran out of slots under load", false},
		{"news with a citation", "The scheduler takes one lock per tenant since the outage" + mark, false},
		{"only marks", "- [DECISION] decision:" + mark, false},
		{"odd", "[m_\xff\x00, \u202e]", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Repeats(tt.text, locks) || Repeats(tt.text, webhooks); got != tt.want {
				t.Errorf("Repeats(%q) = %v, bare %q", tt.text, got, Bare(tt.text))
			}
		})
	}
}

func TestStripTold(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"lines between others", "Is this so?\n- decision: " + locks + mark + "\n- fix: run it again. Then wait." + mark + "\nAnswer please", "Is this so?\nAnswer please"},
		{"a passage", "before " + Wrap("- decision: "+locks+mark) + " after", "before  after"},
		{"a ticket is the speaker's own", "decision: use cents [ABC-12, 2026-11-15]", "decision: use cents [ABC-12, 2026-11-15]"},
		{"no label of chitta's", "We decided: " + locks + mark, "We decided: " + locks + mark},
		{"a citation", "See [m_01jc8x2k9q] for the decision: it stands", "See [m_01jc8x2k9q] for the decision: it stands"},
		{"something behind it", "- decision: " + locks + mark + " is wrong", "- decision: " + locks + mark + " is wrong"},
		{"nothing", "", ""},
		{"odd", "\xff\x00\n\u202e🙂", "\xff\x00\n\u202e🙂"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := StripTold(tt.text); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

func TestIsTold(t *testing.T) {
	for text, want := range map[string]bool{
		"The user decided: “We decided: " + locks + mark + "”": true,
		"The user decided: “" + locks + mark + ".":             true,
		"The user decided: “" + locks + "”":                    false,
		"The user decided: “drop" + mark + " and use cents”":   false,
		"The user decided: “use cents [ABC-12, 2026-11-15]”":   false,
		"The user decided: “use cents [m_01jc8x2k9q]”":         false,
		"":                              false,
		"The user said: “array[i_abc]”": false,
		"The user wants: “" + strings.Repeat("[", 5000) + "”":                    false,
		"The user wants: “" + strings.Repeat("[m_aaa, ", 5000) + "”":             false,
		"The user decided: “cents” [l_01jc8x2k9q, 2026-11-15, ledger]":           true,
		"The user decided: “cents” [0192-aa, 2026-11-15, session, in this file]": true,
	} {
		if got := IsTold(text); got != want {
			t.Errorf("%.80q: %v", text, got)
		}
	}
}

func TestDropPlaceholders(t *testing.T) {
	for text, want := range map[string]string{
		"":                                     "",
		"no secret":                            "no secret",
		"use [redacted:jwt] now":               "use   now",
		"[redacted:a][redacted:b]":             "  ",
		"[redacted:":                           "[redacted:",
		"[redacted:Not a rule] [redacted:ok]!": "[redacted:Not a rule]  !",
	} {
		if got := DropPlaceholders(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestRetells: all of these are close in meaning.
func TestRetells(t *testing.T) {
	for _, tt := range []struct {
		name, text, other string
		want              bool
	}{
		{"passive", "Failed webhooks are retried 3 times by the payment service, using exponential backoff, after which they end up in the dead-letter table.", webhooks, true},
		{"other words", "Webhooks that fail are tried again up to three times by payments with growing waits; after that they go to the dead letter table.", webhooks, true},
		{"a short form of a name", "The scheduler relies on advisory locks in Postgres since Redis lost its locks during failover.", locks, true},
		{"with an introduction", "According to memory, we chose PostgreSQL advisory locks for the scheduler because Redis locks were lost on failover, so keep that.", locks, true},
		{"another language", "Wir nutzen PostgreSQL Advisory Locks im Scheduler, weil Redis-Locks beim Failover verloren gingen.", locks, true},
		{"negated both", "Do not let the import run during the nightly backup: they both lock orders.", backup, true},
		{"numbers left out", "The payment service retries failed webhooks, then parks them in the dead letter table.", webhooks, true},
		{"another number", "The payment service now retries failed webhooks five times before it parks them in the dead letter table", webhooks, false},
		{"another number in digits", "The payment service retries failed webhooks 13 times", webhooks, false},
		{"negated", "The scheduler does not use PostgreSQL advisory locks", locks, false},
		{"not negated any more", "The nightly backup may overlap with the import, both lock the orders table", backup, false},
		{"the other way round", "Thumbnails of images are resized in the request itself, uploads go to the worker", images, false},
		{"another name", "We chose MySQL named locks for the scheduler because Redis locks were lost on failover", locks, false},
		{"names change places", "We chose Redis locks for the scheduler because PostgreSQL advisory locks were lost on failover", locks, false},
		{"a change", "We switched the scheduler to PostgreSQL advisory locks because Redis locks were lost on failover", locks, false},
		{"a file", "PostgreSQL advisory locks for the scheduler are taken in sched/lock.go", locks, false},
		{"much more", locks + ", each tenant takes one of them, and they are given back at the end of the job or when its connection drops", locks, false},
		{"opposite", "Images are resized on download by the worker, never in the request itself", images, false},
		{"a word swapped", "The report is mailed to the sales team once a week", "The report is mailed to the finance team once a week", false},
		{"contrast for negation", "The worker resizes images when they are uploaded instead of the request", images, true},
		{"a limit", "Only the payment service retries failed webhooks with backoff and parks them in the dead letter table", webhooks, false},
		{"without the limit", "The mobile app sends its token to the gateway when it calls the API", "The mobile app talks to the API through the gateway only", false},
		{"every one", "The payment service retries every webhook with exponential backoff", webhooks, false},
		{"in another order", "Only via the gateway does the mobile app reach the API.", "The mobile app talks to the API through the gateway only", true},
		{"nothing", "", locks, true},
		{"of nothing", locks, "", false},
		{"odd", "\xff\x00 🙂 \u202e", locks, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Retells(tt.text, tt.other); got != tt.want {
				t.Errorf("Retells(%q) = %v", tt.text, got)
			}
		})
	}
}
