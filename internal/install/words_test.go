package install_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"chitta/internal/install"
)

// TestNoFolderIsLeft: two scopes share .claude, and whichever goes last takes
// it along; one that was there before stays.
func TestNoFolderIsLeft(t *testing.T) {
	project, local := install.ScopeProject, install.ScopeLocal
	tests := []struct {
		name          string
		files         map[string]string
		put, takenOut []string
	}{
		{"the same order", nil, []string{project, local}, []string{project, local}},
		{"the other way round", nil, []string{project, local}, []string{local, project}},
		{"local first", nil, []string{local, project}, []string{local, project}},
		{"put in twice", nil, []string{project, local, project}, []string{project, local}},
		{"a folder of the user's", map[string]string{"work/.claude/agents/a.md": ""}, []string{project, local}, []string{project, local}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t, tt.files)
			b.write("work/.git/HEAD", "")
			b.write(".claude.json", clientState)
			before := b.files()
			for _, scope := range tt.put {
				b.install(scope)
			}
			for _, scope := range tt.takenOut {
				b.uninstall(scope)
			}
			if diff := cmp.Diff(before, b.files()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestCopiesStayOutOfTheRepository: what is changed in a repository is copied
// to the data directory, for its owner only.
func TestCopiesStayOutOfTheRepository(t *testing.T) {
	const settings, servers, notes = "{\"model\": \"opus\"}\n", "{\"mcpServers\": {}}\n", "# Mine\n"
	b := newBench(t, map[string]string{
		"work/.git/HEAD": "", "work/CLAUDE.md": notes, "work/.mcp.json": servers,
		"work/.claude/settings.json": settings, "work/.claude/settings.local.json": settings,
	})
	found := map[string]string{}
	for _, scope := range []string{install.ScopeProject, install.ScopeLocal} {
		asked := want
		asked.ClaudeMD = scope == install.ScopeProject
		report, err := b.Install(t.Context(), scope, asked, false)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range report.Files {
			text, err := os.ReadFile(f.Backup)
			if f.Backup == "" { // made anew
				continue
			}
			if info, statErr := os.Stat(f.Backup); err != nil || statErr != nil || info.Mode().Perm() != 0o600 || !strings.HasPrefix(f.Backup, b.copies()) {
				t.Errorf("the copy of %s is %s: %v, %v", f.Path, f.Backup, err, statErr)
			}
			found[strings.TrimPrefix(f.Path, b.home+"/work/")] = string(text)
		}
	}
	if diff := cmp.Diff(map[string]string{"CLAUDE.md": notes, ".mcp.json": servers, ".claude/settings.json": settings, ".claude/settings.local.json": settings}, found); diff != "" {
		t.Errorf("copies (-want +got):\n%s", diff)
	}
	err := filepath.WalkDir(filepath.Join(b.home, "work"), func(path string, _ fs.DirEntry, err error) error {
		if strings.Contains(path, "chitta-backup") {
			t.Errorf("%s is in the repository", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for range 4 { // as many copies stay as beside a file
		b.uninstall(install.ScopeProject)
		b.install(install.ScopeProject)
	}
	copies, err := filepath.Glob(filepath.Join(b.copies(), "files", b.home, "work", ".mcp.json.chitta-backup-*"))
	if err != nil || len(copies) != 5 {
		t.Errorf("copies %q, %v", copies, err)
	}
}

func TestWordsOfAReport(t *testing.T) {
	b := newBench(t, map[string]string{".claude.json": clientState, "work/.git/HEAD": ""})
	const all = "hooks for 10 events (SessionStart, UserPromptSubmit, PreToolUse, PostToolUse, PostToolUseFailure, Stop, SubagentStart, SubagentStop, PreCompact, SessionEnd)"
	moved := want
	moved.Hooks.Command, moved.Server.Command = "/new/chitta", "/new/chitta"
	fewer := moved
	fewer.Hooks.Events = fewer.Hooks.Events[1:]
	steps := []struct {
		name string
		do   func() (install.Report, error)
		want []string
	}{
		{"put in", func() (install.Report, error) {
			asked := want
			asked.ClaudeMD = true
			return b.Install(t.Context(), install.ScopeUser, asked, false)
		}, []string{all + " added", "the MCP server chitta added", "the summary added"}},
		{"the same again", func() (install.Report, error) { return b.Install(t.Context(), install.ScopeUser, want, false) }, []string{"", ""}},
		{"moved", func() (install.Report, error) { return b.Install(t.Context(), install.ScopeUser, moved, false) },
			[]string{all + " updated", "the MCP server chitta updated"}},
		{"fewer", func() (install.Report, error) { return b.Install(t.Context(), install.ScopeUser, fewer, true) },
			[]string{"a hook for SessionStart removed", ""}},
		{"taken out", func() (install.Report, error) { return b.Uninstall(t.Context(), install.ScopeUser, false) },
			[]string{all + " removed", "the MCP server chitta removed", "the summary removed"}},
		{"put in for a project", func() (install.Report, error) { return b.Install(t.Context(), install.ScopeLocal, want, false) },
			[]string{all + " added", "the MCP server chitta added"}},
	}
	for _, s := range steps {
		report, err := s.do()
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range report.Files {
			got = append(got, f.Words())
		}
		if diff := cmp.Diff(s.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", s.name, diff)
		}
	}
}

func TestCommandsNameTheScope(t *testing.T) {
	tests := []struct {
		scope   string
		plugin  bool
		in, out string
	}{
		{install.ScopeUser, false, "chitta install claude-code", "chitta uninstall claude-code"},
		{install.ScopeLocal, false, "chitta install claude-code --scope local", "chitta uninstall claude-code --scope local"},
		{install.ScopeUser, true, "chitta install claude-code --plugin", "chitta uninstall claude-code --plugin"},
		{install.ScopeLocal, true, "chitta install claude-code --plugin --scope local", "chitta uninstall claude-code --plugin --scope local"},
	}
	for _, tt := range tests {
		if in, out := install.InstallLine(tt.scope, tt.plugin), install.UninstallLine(tt.scope, tt.plugin); in != tt.in || out != tt.out {
			t.Errorf("%s, %v: %q and %q", tt.scope, tt.plugin, in, out)
		}
	}
	b := newBench(t, map[string]string{"work/.git/HEAD": ""})
	if _, err := b.Summarise(t.Context(), install.ScopeLocal, false); err != nil {
		t.Fatal(err)
	}
	if text := b.files()["work/CLAUDE.md"]; !strings.Contains(text, "`chitta uninstall claude-code --scope local` takes it out") {
		t.Errorf("the file says %q", text)
	}
}
