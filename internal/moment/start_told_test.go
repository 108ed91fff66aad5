package moment

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"chitta/internal/memory"
	"chitta/internal/store"
)

func (h *house) saves(session, kind string, state LedgerState) {
	h.t.Helper()
	if _, err := h.writeLedger(h.t.Context(), h.visit("s0").Realm, session, kind, func(s *LedgerState) { *s = state }); err != nil {
		h.t.Fatal(err)
	}
}

// TestSunriseCountsOnlyWhatIsRead: what a summary names behind where it is cut,
// or in passing, is still told where it belongs.
func TestSunriseCountsOnlyWhatIsRead(t *testing.T) {
	h := newHouse(t)
	h.starts("s0", "startup")
	wish, plan := "Always write a table test for rounding code", "write the rounding rule down in docs"
	h.knows("preference", "The user wants: “"+wish+"”")
	h.knows("intention", "Left to do: "+plan)
	var asked []string
	for i := range 40 {
		asked = append(asked, fmt.Sprintf("“request number %d of the day”", i))
	}
	h.saves("earlier", LedgerSunset, LedgerState{
		Summary:   "Asked: " + strings.Join(asked, "; ") + " Decided: The user wants: “" + wish + "” Left open: " + plan,
		Decisions: []string{"The user wants: “" + wish + "”"}, NextSteps: []string{plan}, Files: []string{"total.go"},
	})
	a := h.starts("s1", "startup")
	holds(t, a, []string{"Left to do:\n- " + plan, "How the user wants things done:\n- “" + wish + "”", "request number 1 "}, "todo:", "preference:", "The user wants", "- done:")
	for _, once := range []string{wish, plan} {
		if n := strings.Count(a.Context, once); n != 1 {
			t.Errorf("%q is told %d times:\n%s", once, n, a.Context)
		}
	}

	// what does not fit into its section keeps nothing else from being told
	long := strings.Repeat("x", itemMost) + " and behind it the deploy key of the mirror rotates weekly"
	h.knows("preference", long)
	h.knows("wisdom", "The deploy key of the mirror rotates weekly")
	holds(t, h.starts("s2", "startup"), []string{"wisdom: The deploy key of the mirror rotates weekly"})
}

// TestSunriseGoesByActivity: a session that is summed up late is not the last.
func TestSunriseGoesByActivity(t *testing.T) {
	h := newHouse(t)
	h.starts("s0", "startup")
	h.starts("old", "startup")
	h.wait(time.Hour)
	h.starts("new", "startup")
	h.wait(time.Hour)
	for _, s := range []string{"new", "old"} {
		h.saves(s, LedgerSunset, LedgerState{Summary: "Worked on the " + s + " parser", Files: []string{"a.go"}})
		h.wait(time.Minute)
	}
	if err := h.save(t.Context()); err != nil {
		t.Fatal(err)
	}
	h.reads = newReads()
	holds(t, h.starts("s1", "startup"), []string{"new parser"}, "old parser")
}

// TestIdleSessionsHideNoWork: a session of questions comes in a line beside how
// the work stood.
func TestIdleSessionsHideNoWork(t *testing.T) {
	h := newHouse(t)
	h.starts("s0", "startup")
	h.saves("worked", LedgerSunset, LedgerState{Summary: "Asked: “port the lexer”", Files: []string{"lexer.go"}, NextSteps: []string{"port the lexer tests"}, Snapshot: "branch main"})
	h.wait(time.Hour)
	h.saves("idle", LedgerSunset, LedgerState{Summary: "Asked: “hello there”; “what is in staging”", Snapshot: "branch main"})
	h.wait(time.Hour)
	holds(t, h.starts("s1", "startup"), []string{"port the lexer tests", "since then: Asked: “hello there”", "last session here with work"}, "branch main")
	h.saves("next", LedgerSunset, LedgerState{Summary: "Asked: “port the parser”", Files: []string{"parser.go"}, Snapshot: "branch topic"})
	h.wait(time.Hour)
	holds(t, h.starts("s2", "startup"), []string{"port the parser", "branch topic"}, "hello there", "port the lexer")
}

func TestStateIsLabelledOnce(t *testing.T) {
	for _, tt := range []struct{ summary, label, text string }{
		{"Last asked: No, call it y", "last asked", "No, call it y"},
		{"Asked: “x” Done: the agent says “y”", "", "Asked: “x” Done: the agent says “y”"},
		{"Asked: “x” Decided: z", "", "Asked: “x”"},
		{"Moved the parser", "done", "Moved the parser"},
		{"", "done", ""},
	} {
		s := LedgerState{Summary: tt.summary, Decisions: []string{"z"}}
		if label, text := s.summary(); label != tt.label || text != tt.text {
			t.Errorf("%q: %q %q", tt.summary, label, text)
		}
	}
	for text, want := range map[string]string{
		"Left to do: a": "a", "The user wants: “b”": "“b”", "Left to do: ": "Left to do: ", "Plain": "Plain", "": "",
	} {
		if got := unlabelled(text); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
	r := store.Record{Memory: memory.Memory{ID: "m_1", Kind: memory.Intention, Trust: memory.TrustUser, Content: "Left to do: write it"}}
	x := toldMemory(&r)
	if got := x.line(); strings.Contains(got, "Left to do") || !strings.HasPrefix(got, "- todo: write it") {
		t.Errorf("%q", got)
	}
}

// TestForbiddenThoughListed: a wish is told before the tool that it forbids even
// if it was among others at the start, once in a session.
func TestForbiddenThoughListed(t *testing.T) {
	h := newHouse(t)
	id := h.knows("preference", "Never push to main.")
	h.wait(time.Minute)
	holds(t, h.starts("s1", "startup"), []string{id})
	holds(t, h.uses("s1", "Bash", "command", "git push origin main"), []string{id})
	if a := h.uses("s1", "Bash", "command", "git push origin main"); a.Context != "" {
		t.Errorf("told twice:\n%s", a.Context)
	}
	if a := h.uses("s1", "Bash", "command", "git push origin topic"); a.Context != "" {
		t.Errorf("%s", a.Context)
	}
}
