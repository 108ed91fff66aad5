package install_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"chitta/internal/install"
)

const marked = "<!-- chitta:memory -->\n- tabs, not spaces\n<!-- /chitta:memory -->"

func TestClaudeMD(t *testing.T) {
	crlf := strings.ReplaceAll(marked, "\n", "\r\n")
	tests := []struct{ name, old, want string }{
		{"a new file", "", marked + "\n"},
		{"after what is there", "# Shop\n\nUse make.\n", "# Shop\n\nUse make.\n\n" + marked + "\n"},
		{"a last line without an end", "# Shop", "# Shop\n\n" + marked},
		{"lines of another system", "# Shop\r\n", "# Shop\r\n\r\n" + crlf + "\r\n"},
		{"an older summary, text around it", "a\n\n<!-- chitta:memory -->\nold\n<!-- /chitta:memory -->\nb\n", "a\n\n" + marked + "\nb\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := install.ClaudeMD([]byte(tt.old), "- tabs, not spaces\n")
			if err != nil || string(got) != tt.want {
				t.Errorf("got %q, %v\nwant %q", got, err, tt.want)
			}
		})
	}
	text, err := install.WithoutClaudeMD([]byte("a\n\n" + marked + "\nb\n"))
	if err != nil || string(text) != "a\nb\n" {
		t.Errorf("text around it: %q, %v", text, err)
	}
	// nothing stored can end the passage
	text, err = install.ClaudeMD(nil, "x\n<!-- /chitta:memory -->\n# Orders")
	if err != nil || strings.Count(string(text), "<!--") != 2 {
		t.Errorf("a mark in a summary: %s, %v", text, err)
	}
}

func TestClaudeMDWithDamagedMarks(t *testing.T) {
	for name, text := range map[string]string{
		"only the first":         "<!-- chitta:memory -->\nx\n",
		"only the last":          "x\n<!-- /chitta:memory -->\n",
		"twice":                  marked + "\n" + marked + "\n",
		"the wrong way round":    "<!-- /chitta:memory -->\n<!-- chitta:memory -->\n",
		"not lines of their own": "see <!-- chitta:memory -->\nx\n<!-- /chitta:memory -->\n",
	} {
		t.Run(name, func(t *testing.T) {
			if got, err := install.ClaudeMD([]byte(text), "y"); !errors.Is(err, install.ErrMarks) || got != nil {
				t.Errorf("put in: %q, %v", got, err)
			}
			if _, err := install.WithoutClaudeMD([]byte(text)); !errors.Is(err, install.ErrMarks) {
				t.Errorf("taken out: %v", err)
			}
		})
	}
}

// TestASummaryIsInstalledRefreshedAndTakenOut is its whole life, in a project
// with a file of its own, in one without, and with links.
func TestASummaryIsInstalledRefreshedAndTakenOut(t *testing.T) {
	tests := []struct {
		name  string
		files map[string]string
	}{
		{"a file that is there", map[string]string{"work/.git/HEAD": "", "work/CLAUDE.md": "# Shop\r\nUse make."}},
		{"none", map[string]string{"work/.git/HEAD": ""}},
		{"an empty one", map[string]string{"work/.git/HEAD": "", "work/CLAUDE.md": ""}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t, tt.files)
			before := b.files()
			with := want
			with.ClaudeMD = true
			for range 2 {
				if _, err := b.Install(t.Context(), install.ScopeUser, with, false); err != nil {
					t.Fatal(err)
				}
			}
			path := filepath.Join(b.home, "work", "CLAUDE.md")
			if got, err := install.SummaryWanted(b.Record, filepath.Join(b.home, "work", "sub")); err != nil || got != path {
				t.Fatalf("wanted in %q, %v", got, err)
			}
			if got, err := install.SummaryWanted(b.Record, b.home); err != nil || got != "" {
				t.Errorf("wanted elsewhere: %q, %v", got, err)
			}
			if changed, err := install.WriteSummary(path, "- tabs\n- no spaces"); err != nil || !changed {
				t.Fatalf("refreshed: %v, %v", changed, err)
			}
			if changed, err := install.WriteSummary(path, "- tabs\n- no spaces"); err != nil || changed {
				t.Errorf("the same again: %v, %v", changed, err)
			}
			if fi, err := os.Stat(path); err != nil || tt.name != "none" && fi.Mode().Perm() != 0o640 {
				t.Errorf("its mode: %v, %v", fi.Mode(), err)
			}
			if text := b.files()["work/CLAUDE.md"]; !strings.Contains(text, "- no spaces") {
				t.Errorf("the file is %q", text)
			}
			b.install(install.ScopeUser) // without asking again: it stays
			states, err := install.Summaries(b.Record)
			if diff := cmp.Diff(map[string]install.Summarised{path: {State: install.SummaryThere, Scope: install.ScopeUser}}, states); diff != "" || err != nil {
				t.Errorf("%s%v", diff, err)
			}
			b.uninstall(install.ScopeUser)
			if diff := cmp.Diff(before, b.files()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestASummaryThatItsOwnerTouched(t *testing.T) {
	b := newBench(t, map[string]string{"work/.git/HEAD": ""})
	ask := func() install.Report {
		t.Helper()
		report, err := b.Summarise(t.Context(), install.ScopeLocal, false)
		if err != nil {
			t.Fatal(err)
		}
		return report
	}
	if got := actions(ask()); !cmp.Equal(got, []string{install.Created}) {
		t.Errorf("asked for: %q", got)
	}
	path := filepath.Join(b.home, "work", "CLAUDE.md")
	state := func(want string) {
		t.Helper()
		states, err := install.Summaries(b.Record)
		if err != nil || states[path] != (install.Summarised{State: want, Scope: install.ScopeLocal}) {
			t.Errorf("it is %q, %v, want %s", states[path], err, want)
		}
	}
	b.write("work/CLAUDE.md", "# Mine now\n")
	state(install.SummaryMissing)
	if changed, err := install.WriteSummary(path, "x"); changed || err != nil {
		t.Errorf("put back in: %v, %v", changed, err)
	}
	b.write("work/CLAUDE.md", "# Mine\n<!-- chitta:memory -->\n")
	state(install.SummaryDamaged)
	if _, err := install.WriteSummary(path, "x"); !errors.Is(err, install.ErrMarks) {
		t.Errorf("refreshed: %v", err)
	}
	if _, err := b.Summarise(t.Context(), install.ScopeLocal, false); !errors.Is(err, install.ErrMarks) {
		t.Errorf("asked for again: %v", err)
	}
	report, err := b.Unsummarise(t.Context(), install.ScopeLocal, false)
	if err != nil || len(report.Notes) != 1 || !strings.Contains(report.Notes[0], "left alone") {
		t.Errorf("taken out: %q, %v", report.Notes, err)
	}
	if text := b.files()["work/CLAUDE.md"]; text != "# Mine\n<!-- chitta:memory -->\n" {
		t.Errorf("it was changed: %q", text)
	}
	// one that somebody else brought along is kept up to date all the same
	b.write("work/CLAUDE.md", "# Ours\n\n"+marked+"\n")
	ask()
	if got, err := install.SummaryWanted(b.Record, filepath.Dir(path)); err != nil || got != path {
		t.Errorf("wanted in %q, %v", got, err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if changed, err := install.WriteSummary(path, "x"); changed || err != nil {
		t.Errorf("a file that is gone: %v, %v", changed, err)
	}
	b.uninstall(install.ScopeUser) // it was asked for in another
	if states, err := install.Summaries(b.Record); err != nil || len(states) != 1 {
		t.Errorf("after uninstall of another scope: %v, %v", states, err)
	}
	b.uninstall(install.ScopeLocal)
	if states, err := install.Summaries(b.Record); err != nil || len(states) > 0 {
		t.Errorf("left over: %v, %v", states, err)
	}
}

func TestASummaryGoesThroughALink(t *testing.T) {
	b := newBench(t, map[string]string{"work/.git/HEAD": "", "work/notes/AGENTS.md": "# All\n"})
	link := filepath.Join(b.home, "work", "CLAUDE.md")
	if err := os.Symlink("notes/AGENTS.md", link); err != nil {
		t.Skip("skipped: no links here:", err)
	}
	if _, err := b.Summarise(t.Context(), install.ScopeUser, false); err != nil {
		t.Fatal(err)
	}
	if _, err := install.WriteSummary(link, "- tabs"); err != nil {
		t.Fatal(err)
	}
	if target, err := os.Readlink(link); err != nil || target != "notes/AGENTS.md" {
		t.Errorf("the link leads to %q, %v", target, err)
	}
	if text := b.files()["work/notes/AGENTS.md"]; !strings.Contains(text, "- tabs") {
		t.Errorf("the file is %q", text)
	}
	b.uninstall(install.ScopeUser)
	if text := b.files()["work/notes/AGENTS.md"]; text != "# All\n" {
		t.Errorf("afterwards %q", text)
	}
}

func TestInspect(t *testing.T) {
	b := newBench(t, map[string]string{".claude.json": clientState, ".claude/settings.json": `{"enabledPlugins": {"chitta@chitta": true, "x": false}}`, "work/.git/HEAD": "", "work/.mcp.json": "{]"})
	look := func(scope string) install.Registration {
		t.Helper()
		r, err := b.Inspect(scope)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if r := look(install.ScopeUser); !r.Plugin || len(r.Calls()) > 0 || !r.Settings.Exists {
		t.Errorf("only the plugin: %+v", r)
	}
	b.install(install.ScopeUser)
	if r := look(install.ScopeUser); len(r.Hooks) != len(install.Events()) || r.Server != binary || !cmp.Equal(r.Calls(), []string{binary}) || r.Settings.Foreign {
		t.Errorf("installed: %+v", r)
	}
	if r := look(install.ScopeLocal); len(r.Calls()) > 0 || r.Plugin || r.Settings.Exists {
		t.Errorf("in another scope: %+v", r)
	}
	if r := look(install.ScopeProject); r.Servers.Problem == nil || len(r.Calls()) > 0 || r.Plugin {
		t.Errorf("a file that is no JSON: %+v", r)
	}
	b.write(".claude/settings.json", "{} // mine")
	if r := look(install.ScopeUser); !r.Settings.Foreign || r.Server != binary {
		t.Errorf("with comments: %+v", r)
	}
	if _, err := b.Inspect("world"); err == nil {
		t.Error("there is no such scope")
	}
}
