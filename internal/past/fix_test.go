package past

import (
	"errors"
	"strings"
	"testing"

	"chitta/internal/memory"
	"chitta/internal/session"
)

// TestFixVerdicts: fixed, still failing, never tried again, hidden by a pipe,
// and a tool that is not a command.
func TestFixVerdicts(t *testing.T) {
	const trouble = "ld: symbol _frobnicate not found in libwidget"
	for _, tt := range []struct {
		name string
		tell func(*work)
		want string
	}{
		{"fixed", func(s *work) {
			s.fails("make widget", trouble)
			s.edits("/w/app/Makefile")
			s.runs("make widget", "linked")
		}, VerdictFixed},
		{"fixed after it came up twice", func(s *work) {
			s.fails("make widget", trouble)
			s.fails("make widget", trouble)
			s.runs("make widget", "linked")
		}, VerdictFixed},
		{"not fixed", func(s *work) {
			s.fails("make widget", trouble)
			s.edits("/w/app/Makefile")
			s.fails("make widget", trouble)
		}, VerdictNotFixed},
		{"unknown", func(s *work) {
			s.fails("make widget", trouble)
			s.runs("git status", "clean")
		}, VerdictUnknown},
		{"another subcommand says nothing", func(s *work) {
			s.fails("make widget", trouble)
			s.runs("make docs", "fine")
		}, VerdictUnknown},
		{"a pipe hides it", func(s *work) {
			s.fails("make widget", trouble)
			s.runs("make widget 2>&1 | tail -3", trouble)
		}, VerdictNotFixed},
		{"a tool", func(s *work) {
			s.calls("Edit", map[string]any{"file_path": "/w/app/a.go", "old_string": "x", "new_string": "y"}, trouble, true)
			s.edits("/w/app/a.go")
		}, VerdictFixed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := open(t)
			s := &work{id: "s", dir: "/w/app"}
			s.add("user", "Build the widget")
			tt.tell(s)
			m.take(session.ClaudeCode{}, s.dir, s.lines...)
			out, err := m.Fix(t.Context(), person, FixInput{Error: trouble, Realm: "app"})
			if err != nil || len(out.Occurrences) != 1 || out.Occurrences[0].Verdict != tt.want {
				t.Errorf("%+v %v, want %s", out.Occurrences, err, tt.want)
			}
		})
	}
}

func TestFixTakesAnyText(t *testing.T) {
	m := open(t)
	w, _, _, _ := mended()
	m.take(session.ClaudeCode{}, w.dir, w.lines...)
	var wrong *memory.InputError
	for _, text := range []string{"", " \n", "\x00\x01", "\xff\xfe", "42 : 0x17", strings.Repeat("x", memory.MaxTask+1)} {
		if _, err := m.Fix(t.Context(), person, FixInput{Error: text, Realm: "app"}); !errors.As(err, &wrong) {
			t.Errorf("%.10q: %v", text, err)
		}
	}
	huge := strings.Repeat("noise that nobody ever printed before\n", 20_000) + parserError
	if out, err := m.Fix(t.Context(), person, FixInput{Error: huge[:memory.MaxTask/2] + "\n" + parserError, Realm: "app"}); err != nil || len(out.Occurrences) != 1 {
		t.Errorf("%+v %v", out, err)
	}
}
