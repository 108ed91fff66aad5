package e2e

import (
	"os"
	"strings"
	"testing"
)

// The rig by itself: without chitta the client works, and the model is told
// nothing that chitta would say.
func TestWithoutChitta(t *testing.T) {
	h := newHome(t)
	k := h.open()
	got := k.ask("Write a greeting into a file.", write(h.file("hi.txt"), "hello"), bash("cat hi.txt"), say("It greets."))
	if got.Result != "It greets." || got.IsError {
		t.Errorf("the client answers %q", got.Result)
	}
	if b, err := os.ReadFile(h.file("hi.txt")); err != nil || string(b) != "hello" {
		t.Errorf("the tool wrote %q, %v", b, err)
	}
	if n := len(got.requests); n != 3 {
		t.Errorf("%d requests, want 3", n)
	}
	second := k.ask("And now?", say("Now it is later."))
	k.end()
	if told := second.told(); strings.Contains(strings.ToLower(told), "chitta") || !strings.Contains(told, "It greets.") {
		t.Errorf("the model is told %s", told)
	}
	if len(h.processes()) > 0 {
		t.Errorf("left behind: %v", h.processes())
	}
}
