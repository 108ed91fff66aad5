package graph

import (
	"errors"
	"io"
	"os"
	"testing"

	"chitta/internal/evaldata"
	"chitta/internal/session"
)

// eachPart calls visit with every part of every message of a transcript.
func eachPart(t *testing.T, path string, visit func(*session.Message, *session.Part)) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := session.NewLines(f, 0, 0)
	for {
		line, err := lines.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		rec, err := session.ClaudeCode{}.Line(line.Bytes)
		if err != nil || rec.Message == nil {
			continue
		}
		for i := range rec.Message.Parts {
			visit(rec.Message, &rec.Message.Parts[i])
		}
	}
}

// TestRealSessionsHoldNoNotation reads every part of real sessions. Their
// agents knew nothing of the notation. All lines of the agents' texts with an
// operator in them were read by hand (139 different ones): steps, renames,
// menus, home directories, rough numbers, and not one meant as notation. So
// every statement found would be a false one.
//
// Tool results and calls, which are not mined, are the harder test: megabytes
// of code without fences.
func TestRealSessionsHoldNoNotation(t *testing.T) {
	texts, signs, others, planted := 0, 0, 0, 0
	for _, path := range evaldata.Transcripts(t, "sessions") {
		eachPart(t, path, func(m *session.Message, p *session.Part) {
			said := m.Role == session.Assistant && p.Kind == session.Text
			text := p.Text
			if p.Kind == session.ToolUse {
				text = p.Input
			}
			found, problems := Parse(text)
			for _, s := range found {
				t.Errorf("message %s, %s, line %d: %s %s %s, from %q", m.ID, p.Kind, s.Line, s.Subject, s.Predicate, s.Object, s.Text)
			}
			if !said {
				others++
				return
			}
			for _, problem := range problems {
				t.Errorf("message %s, line %d: %s", m.ID, problem.Line, problem.Reason)
			}
			texts++
			if hasSign(text) {
				signs++
			}
			// the same text with notation in it: what keeps the false ones
			// out must not keep all out
			if with, _ := Parse(text + "\n\nNoted.\n\n- nc.subshell → socket.failure\n"); len(with) == 1 {
				planted++
			}
		})
	}
	t.Logf("%d texts of agents, %d with arrows or colons, %d other parts; notation added was found in %d", texts, signs, others, planted)
	const wantTexts, wantSigns = 1305, 48
	if texts != wantTexts || signs != wantSigns {
		t.Errorf("%d texts and %d with signs, want %d and %d: the data has changed, read it again", texts, signs, wantTexts, wantSigns)
	}
	if planted != texts {
		t.Errorf("notation added to %d texts was found in %d", texts, planted)
	}
}
