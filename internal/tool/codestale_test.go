package tool

import (
	"strings"
	"testing"

	"chitta/internal/codebase"
	"chitta/internal/mind"
)

// TestCodeTextsOfNow: what is said of code tells whether it still holds, and what
// is yet to come.
func TestCodeTextsOfNow(t *testing.T) {
	s := codebase.Symbol{ID: "s_1", Name: "f", Path: "f", Kind: "function", File: "a.go", Line: 7,
		Notes: []codebase.Note{{ID: "m_1", Text: "holds the lock", Stale: "`f` changed since 2026-05-04"}}}
	p := codebase.Project{Root: "/p", Report: &codebase.Report{}}
	for _, tt := range []struct{ text, want string }{
		{textSymbols(mind.CodeSymbolsOutput{Symbols: []codebase.Match{{Symbol: s}}}), "note m_1: (stale: `f` changed since 2026-05-04) holds the lock"},
		{textRemember(mind.RememberOutput{ID: "m_1", About: []string{"a.go:f"}}), "; about a.go:f"},
		{textRemember(mind.RememberOutput{ID: "m_1", Missing: []string{"x.go"}}), "; not there, so never checked: x.go"},
		{textCodeIndex(mind.CodeIndexOutput{Done: true, Report: p.Report, Meaning: &mind.CodeMeaning{Behind: true}}), "- by meaning: not begun"},
		{textCodeStats(mind.CodeStatsOutput{Projects: []codebase.Project{p}, Gone: []string{"/p"}}), "- its folder is gone"},
	} {
		if !strings.Contains(tt.text, tt.want) {
			t.Errorf("%q is not in\n%s", tt.want, tt.text)
		}
	}
	if text := textCodeStats(mind.CodeStatsOutput{Projects: []codebase.Project{p}}); strings.Contains(text, "gone") {
		t.Error(text)
	}
}
