package e2e

import (
	"slices"
	"strings"
	"testing"
)

// everyEvent are those that chitta attends to.
var everyEvent = []string{
	"SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure",
	"Stop", "SubagentStart", "SubagentStop", "PreCompact", "SessionEnd",
}

// agent has the model give a task to a subagent and wait for it.
func agent(task string) step {
	return use("Agent", map[string]any{"description": "a part of it", "prompt": task, "subagent_type": "general-purpose", "run_in_background": false})
}

// A newcomer installs chitta and has a first session: every hook is called,
// none of them fails, and as nothing is known nothing is said.
func TestFirstSession(t *testing.T) {
	h := newHome(t)
	h.install()
	h.api.on("Count the files of this project.", bash("ls | wc -l"), say("There is one."))
	var got turn
	var before cost
	var k *talk
	h.inTime(func() {
		k = h.open()
		got = k.ask("What is in this project?",
			bash("ls"), bash("cat nowhere.txt"), agent("Count the files of this project."), say("One file."))
		before = h.hooks(k.id)
		k.ask("/compact")
		k.end()
	})
	if got.Result != "One file." || got.IsError {
		t.Errorf("the client answers %q", got.Result)
	}
	if text := got.handed(); text != "" || before.Injected != 0 {
		t.Errorf("in a new project the model is handed %q in %d injections", text, before.Injected)
	}

	var c cost
	h.eventually("every hook was called", func() bool {
		c = h.hooks(k.id)
		return !slices.ContainsFunc(everyEvent, func(e string) bool { return c.of(e).Calls == 0 })
	})
	if c.Failed != 0 {
		t.Errorf("%d hooks failed", c.Failed)
	}
	if n := c.of("PostToolUseFailure").Calls; n != 1 {
		t.Errorf("%d failures of tools were noted, want 1", n)
	}
	if left := h.processes(); len(left) != 1 || h.daemon() == 0 {
		t.Errorf("after the client has left the daemon alone should run: %v", left)
	}
}

// work is a session of somebody who mends a bug and says how they want things.
// It returns its id.
func (h *home) work() string {
	h.t.Helper()
	_, id := h.session(workAsked, h.workDone()...)
	return id
}

const workAsked = "The total of the cart is off by one when a voucher is used. Find out why and mend it in cart.sh. Always use pnpm and never npm in this project."

func (h *home) workDone() []step {
	h.write("Makefile", "test:\n\t@sh ./check.sh\n")
	h.write("check.sh", "[ \"$(sh ./cart.sh 2 3)\" = 5 ] || { echo 'Error: the total is 4 and should be 5' >&2; exit 1; }\necho '1 test passed'\n")
	h.write("cart.sh", "echo $(($1 + $2 - 1))\n")
	return []step{
		read(h.file("cart.sh")),
		bash("make test"),
		say("The voucher is counted twice, hence the one too few.").with(edit(h.file("cart.sh"), "$1 + $2 - 1", "$1 + $2")),
		bash("make test"),
		say("The total is right again.\n\n[DECISION] Totals are kept in whole cents, because fractions got lost in rounding."),
	}
}

// SC-1: somebody works, nobody calls remember, and what was done, solved,
// wanted and decided is remembered with where it comes from.
func TestSC1WorkIsRemembered(t *testing.T) {
	h := newHome(t)
	h.install()
	session := h.work()
	records := h.records(session)
	for _, want := range []struct{ name, kind, text, source, file string }{
		{"what the user wants", "preference", "pnpm", "subconscious", ""},
		{"problem and solution", "outcome", "make test", "subconscious", "cart.sh"},
		{"what was changed and why", "episode", "cart.sh", "subconscious", "cart.sh"},
		{"what the agent marked", "approach", "whole cents", "conscious", ""},
	} {
		m := h.learned(want.kind, want.text)
		if m.Source != want.source || m.State != "active" {
			t.Errorf("%s: %s, %s; want %s, active", want.name, m.Source, m.State, want.source)
		}
		if m.Confidence <= 0 || m.Confidence >= 1 {
			t.Errorf("%s: confidence %v, want one below 1", want.name, m.Confidence)
		}
		if m.Provenance.Session != session {
			t.Errorf("%s: from session %q, want %q", want.name, m.Provenance.Session, session)
		}
		messages := append(slices.Clone(m.Provenance.Messages), m.Provenance.Message)
		if m.Provenance.Message == "" || slices.ContainsFunc(messages, func(id string) bool { return !records[id] }) {
			t.Errorf("%s: the messages %v are not those of the transcript", want.name, messages)
		}
		if want.file != "" && !slices.Contains(m.Files, want.file) {
			t.Errorf("%s: about the files %v, want %s", want.name, m.Files, want.file)
		}
	}
	h.settled(session)
	if m := h.learned("summary", "cart"); m.Source != "consolidated" || m.Provenance.Session != session {
		t.Errorf("the summary is %s of session %s", m.Source, m.Provenance.Session)
	}
	if c := h.hooks(session); c.Captured["preference"] != 1 {
		t.Errorf("stats count %v", c.Captured)
	}
}

// The next session is told what the last one knew, as reference material and
// before anybody asks; a session in another project is not.
func TestNextSessionIsTold(t *testing.T) {
	h := newHome(t)
	h.install()
	var got turn
	var id string
	h.inTime(func() {
		h.settled(h.work())
		got, id = h.session("Good morning!", say("Good morning."))
	})
	handed := got.handed()
	for _, want := range []string{"pnpm", "whole cents", "reference material"} {
		if !strings.Contains(handed, want) {
			t.Errorf("the model is not handed %q but %s", want, handed)
		}
	}
	if _, outside := passages(got.told()); strings.Contains(outside, "pnpm") {
		t.Error("what is remembered reaches the model outside of the fence")
	}
	if n := len([]rune(handed)); n > 6000 {
		t.Errorf("%d characters are handed over, want 6000 at most", n)
	}
	if c := h.hooks(id); c.of("SessionStart").Injected != 1 {
		t.Errorf("stats count %d injections at the start", c.of("SessionStart").Injected)
	}

	h.begin("other")
	other, _ := h.session("Good evening!", say("Good evening."))
	if text := other.handed(); strings.Contains(text, "whole cents") || strings.Contains(text, "pnpm") {
		t.Errorf("another project is told %s", text)
	}
}

// A prompt gets the memory it is about, and one about something else none.
func TestPromptGetsWhatItIsAbout(t *testing.T) {
	h := newHome(t)
	h.install()
	const needle = "acknowledge first"
	var off []turn
	var on turn
	var k *talk
	h.inTime(func() {
		off = nil
		k = h.open()
		k.ask("Hello.", say("Hello."))
		// somebody else finds it out while the session is open, so that its start
		// could not tell of it
		h.chitta("remember", "--kind", "insight", "The payment provider sends its webhook again when the answer takes longer than ten seconds: acknowledge first, then work in the queue")
		h.chitta("remember", "--kind", "insight", "The search index of products must be rebuilt by hand after a change of its synonyms file")
		for _, prompt := range []string{"Thanks, that looks good.", "What is the capital of France?", "Write a haiku about autumn leaves."} {
			off = append(off, k.ask(prompt, say("Well.")))
		}
		on = k.ask("Please make the webhook handler of the payment provider faster, it takes twelve seconds to answer.", say("I see."))
		k.end()
	})
	for i, got := range off {
		if text := got.handed(); text != "" {
			t.Errorf("prompt %d about something else gets %s", i, text)
		}
	}
	if handed := on.handed(); !strings.Contains(handed, needle) || strings.Contains(handed, "synonyms") {
		t.Errorf("the prompt about the webhook gets %q", handed)
	}
	if _, outside := passages(on.told()); strings.Contains(outside, needle) {
		t.Error("the memory reaches the model outside of the fence")
	}
	if c := h.hooks(k.id).of("UserPromptSubmit"); c.Calls != 5 || c.Injected != 1 {
		t.Errorf("stats count %d injections at %d prompts, want 1 at 5", c.Injected, c.Calls)
	}
}

// Before a tool touches what is known to have gone wrong, one line says so; it
// says so once.
func TestOneLineBeforeATool(t *testing.T) {
	h := newHome(t)
	h.install()
	const needle = "erased the uploads"
	var unrelated, got turn
	var k *talk
	h.inTime(func() {
		h.write("deploy.sh", "echo one\n")
		h.write("other.sh", "echo one\n")
		k = h.open()
		k.ask("Have a look at the scripts.", read(h.file("deploy.sh")), read(h.file("other.sh")), say("Two of them."))
		// somebody else finds it out while the session is open
		h.chitta("call", "remember", `{"content":"Do not call rsync with --delete in deploy.sh: it erased the uploads of the customers","kind":"failure","files":["deploy.sh"]}`)
		unrelated = k.ask("Change the other one.", edit(h.file("other.sh"), "one", "two"), say("Changed."))
		got = k.ask("Now the first.", edit(h.file("deploy.sh"), "one", "two"), edit(h.file("deploy.sh"), "two", "three"), say("Changed."))
		k.end()
	})
	if text := unrelated.handed(); text != "" {
		t.Errorf("a file nothing is known of gets %s", text)
	}
	inside, outside := passages(got.requests[len(got.requests)-1].text())
	if len(inside) != 1 || !strings.Contains(inside[0], needle) || strings.Contains(outside, needle) {
		t.Fatalf("the model is handed %q", inside)
	}
	// besides the marks and a heading
	if items := strings.Count(inside[0], "\n- "); items != 1 || strings.Count(inside[0], "\n") > 3 {
		t.Errorf("%d lines, want one: %q", items, inside[0])
	}
	if c := h.hooks(k.id).of("PreToolUse"); c.Injected != 1 {
		t.Errorf("stats count %d injections before tools, want 1", c.Injected)
	}
}
