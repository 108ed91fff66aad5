package past

import "testing"

func TestErrorsAreComparedByWhatTellsThemApart(t *testing.T) {
	e := newErrorText("2026-01-02T10:11:12Z panic: runtime error: index out of range [5] with length 3 at 0xc000123 /home/a/x/main.go:12")
	for _, tt := range []struct {
		name, text string
		same       bool
	}{
		{"other numbers, other place", "panic: runtime error: index out of range [9] with length 7\n\tat 0xffab /w/main.go:99", true},
		{"another error of the same program", "panic: runtime error: invalid memory address or nil pointer dereference", false},
		{"words in common", "the range of the index is of some length", false},
		{"nothing", "", false},
	} {
		if l := e.likeness(tt.text); (l >= fixLikeness) != tt.same {
			t.Errorf("%s: %v", tt.name, l)
		}
	}
}
