package install_test

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"chitta/internal/install"
	"chitta/internal/memory"
)

var want = install.Want{
	Hooks:  install.Hooks{Command: binary, Events: install.Events()},
	Server: install.Server{Command: binary},
}

// bench is a home with a client in it and a project.
type bench struct {
	*install.Installer
	t    *testing.T
	home string
}

func newBench(t *testing.T, files map[string]string) *bench {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{t: t, home: home}
	for name, text := range files {
		b.write(name, text)
	}
	b.write("chitta/README", "")
	b.write("work/sub/main.go", "")
	b.Installer = install.At(func(string) string { return "" }, home, filepath.Join(home, "work", "sub"), filepath.Join(home, "chitta", "install.json"))
	return b
}

// copies is where those of files in a repository are.
func (b *bench) copies() string { return filepath.Join(filepath.Dir(b.Record), "backups") }

func (b *bench) write(name, text string) {
	b.t.Helper()
	path := filepath.Join(b.home, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o640); err != nil {
		b.t.Fatal(err)
	}
}

// files returns every file with its text, but for copies and the record.
func (b *bench) files() map[string]string {
	b.t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(b.home, func(path string, d fs.DirEntry, err error) error {
		if err != nil || strings.Contains(path, ".chitta-backup-") || path == b.Record {
			return err
		}
		if path == b.copies() {
			return fs.SkipDir
		}
		name, _ := filepath.Rel(b.home, path)
		if d.IsDir() {
			all[name] = "folder"
			return nil
		}
		text, err := os.ReadFile(path)
		all[name] = string(text)
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return all
}

func (b *bench) install(scope string) install.Report {
	b.t.Helper()
	report, err := b.Install(b.t.Context(), scope, want, false)
	if err != nil {
		b.t.Fatal(err)
	}
	return report
}

func (b *bench) uninstall(scope string) install.Report {
	b.t.Helper()
	report, err := b.Uninstall(b.t.Context(), scope, false)
	if err != nil {
		b.t.Fatal(err)
	}
	return report
}

func actions(r install.Report) (out []string) {
	for _, f := range r.Files {
		out = append(out, f.Action)
	}
	return out
}

const (
	clientState  = "{\n  \"numStartups\": 3,\n  \"mcpServers\": {},\n  \"projects\": {}\n}"
	userSettings = "\ufeff{\r\n\t\"model\": \"opus\",\r\n\t\"hooks\": { }\r\n}\r\n"
)

func TestInstallAndUninstall(t *testing.T) {
	some := map[string]string{".claude.json": clientState, ".claude/settings.json": userSettings, "work/.git/HEAD": "", "work/.mcp.json": `{"mcpServers": {"other": {"command": "x"}}}`}
	tests := []struct {
		name, scope string
		files       map[string]string
		has         []string // files with chitta in them, afterwards
	}{
		{"user", install.ScopeUser, some, []string{".claude/settings.json", ".claude.json"}},
		{"project", install.ScopeProject, some, []string{"work/.claude/settings.json", "work/.mcp.json"}},
		{"local", install.ScopeLocal, some, []string{"work/.claude/settings.local.json", ".claude.json"}},
		{"user, no client yet", install.ScopeUser, nil, []string{".claude/settings.json", ".claude.json"}},
		{"project without git", install.ScopeProject, nil, []string{"work/sub/.claude/settings.json", "work/sub/.mcp.json"}},
		{"empty files", install.ScopeUser, map[string]string{".claude.json": "", ".claude/settings.json": "\n"}, []string{".claude/settings.json", ".claude.json"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t, tt.files)
			before := b.files()
			b.install(tt.scope)
			installed := b.files()
			for _, name := range tt.has {
				if !strings.Contains(installed[name], binary) {
					t.Errorf("%s has no chitta:\n%s", name, installed[name])
				}
			}
			if again := b.install(tt.scope); !cmp.Equal(actions(again), []string{install.Unchanged, install.Unchanged}) || !cmp.Equal(installed, b.files()) {
				t.Errorf("a second time: %v", actions(again))
			}
			b.uninstall(tt.scope)
			if diff := cmp.Diff(before, b.files()); diff != "" {
				t.Errorf("uninstall left (-before +after)\n%s", diff)
			}
		})
	}
}

// TestWithoutEventsOnlyTheServer is the state of a binary that answers no
// hooks: none may be registered, and those of another binary go.
func TestWithoutEventsOnlyTheServer(t *testing.T) {
	b := newBench(t, map[string]string{".claude.json": clientState})
	none := want
	none.Hooks.Events = nil
	before := b.files()
	report, err := b.Install(t.Context(), install.ScopeUser, none, false)
	if err != nil {
		t.Fatal(err)
	}
	if got := actions(report); !cmp.Equal(got, []string{install.Unchanged, install.Changed}) {
		t.Errorf("actions %v", got)
	}
	if _, ok := b.files()[".claude/settings.json"]; ok {
		t.Error("settings were made without need")
	}
	b.install(install.ScopeUser)
	if _, err := b.Install(t.Context(), install.ScopeUser, none, false); err != nil {
		t.Fatal(err)
	}
	if text := b.files()[".claude/settings.json"]; strings.Contains(text, "chitta") {
		t.Errorf("hooks that nobody answers stayed:\n%s", text)
	}
	b.uninstall(install.ScopeUser)
	if diff := cmp.Diff(before[".claude.json"], b.files()[".claude.json"]); diff != "" {
		t.Error(diff)
	}
}

func TestUninstallAfterOtherChanges(t *testing.T) {
	b := newBench(t, map[string]string{".claude.json": clientState})
	b.install(install.ScopeUser)
	// the client writes its file anew, with something of its own
	state := b.files()[".claude.json"]
	b.write(".claude.json", strings.Replace(state, `"numStartups": 3`, `"numStartups": 4`, 1))
	settings := b.files()[".claude/settings.json"]
	b.write(".claude/settings.json", strings.Replace(settings, "{", "{\n  \"model\": \"opus\",", 1))
	b.uninstall(install.ScopeUser)
	got := b.files()
	if want := strings.Replace(clientState, "3", "4", 1); got[".claude.json"] != want {
		t.Errorf("got\n%s\nwant\n%s", got[".claude.json"], want)
	}
	if want := "{\n  \"model\": \"opus\"\n}\n"; got[".claude/settings.json"] != want {
		t.Errorf("got\n%s\nwant\n%s", got[".claude/settings.json"], want)
	}
}

// TestUpdateAfterOtherChanges has the file changed between two installs: the
// note of the first no longer leads back.
func TestUpdateAfterOtherChanges(t *testing.T) {
	b := newBench(t, map[string]string{".claude.json": clientState})
	b.install(install.ScopeUser)
	b.write(".claude.json", strings.Replace(b.files()[".claude.json"], "3", "4", 1))
	moved := want
	moved.Server.Command = "/new/chitta"
	if _, err := b.Install(t.Context(), install.ScopeUser, moved, false); err != nil {
		t.Fatal(err)
	}
	b.uninstall(install.ScopeUser)
	if got, want := b.files()[".claude.json"], strings.Replace(clientState, "3", "4", 1); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	// whoever took the entry out by hand finds everything as it was then
	b.install(install.ScopeUser)
	b.write(".claude.json", clientState)
	b.install(install.ScopeUser)
	b.uninstall(install.ScopeUser)
	if got := b.files()[".claude.json"]; got != clientState {
		t.Errorf("got\n%s\nwant\n%s", got, clientState)
	}
}

func TestUninstallWithoutARecord(t *testing.T) {
	for _, record := range []string{"", "{", `{"version": 99}`} {
		b := newBench(t, map[string]string{".claude.json": `{"a": 1}`})
		b.install(install.ScopeUser)
		b.write("chitta/install.json", record)
		b.uninstall(install.ScopeUser)
		if got := b.files()[".claude.json"]; got != `{"a": 1}` {
			t.Errorf("record %q: got %s", record, got)
		}
	}
}

func TestAMovedBinary(t *testing.T) {
	b := newBench(t, map[string]string{".claude.json": clientState, ".claude/settings.json": userSettings})
	before := b.files()
	b.install(install.ScopeUser)
	moved := install.Want{Hooks: install.Hooks{Command: "/new/chitta", Events: install.Events()}, Server: install.Server{Command: "/new/chitta", Args: []string{"--home", "/d"}}}
	report, err := b.Install(t.Context(), install.ScopeUser, moved, false)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range b.files() {
		if strings.Contains(text, binary) {
			t.Errorf("%s still has the old path", name)
		}
	}
	if len(report.Notes) != 1 || !strings.Contains(report.Notes[0], "gone: "+binary) {
		t.Errorf("notes %q", report.Notes)
	}
	b.uninstall(install.ScopeUser)
	if diff := cmp.Diff(before, b.files()); diff != "" {
		t.Error(diff)
	}
}

func TestADryRunWritesNothing(t *testing.T) {
	b := newBench(t, map[string]string{".claude.json": clientState})
	before := b.files()
	report, err := b.Install(t.Context(), install.ScopeUser, want, true)
	if err != nil || !report.DryRun || !cmp.Equal(actions(report), []string{install.Created, install.Changed}) {
		t.Errorf("%v, %v", report, err)
	}
	if _, err := os.Stat(b.Record); err == nil {
		t.Error("there is a record")
	}
	if diff := cmp.Diff(before, b.files()); diff != "" {
		t.Error(diff)
	}
}

// TestAllOrNothing has a second file that cannot be edited or written.
func TestAllOrNothing(t *testing.T) {
	tests := []struct {
		name, state, want string
		spoil             func(b *bench)
	}{
		{"not JSON", "{\"a\": }", "line 1, column 7", nil},
		{"another's server", `{"mcpServers": {"chitta": {"command": "/x/other"}}}`, "another MCP server", nil},
		{"a folder", "", "is not a file", func(b *bench) {
			os.Remove(b.State)
			os.Mkdir(b.State, 0o755)
		}},
		{"no record", clientState, "note what was done", func(b *bench) { os.RemoveAll(filepath.Dir(b.Record)) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t, map[string]string{".claude.json": tt.state, ".claude/settings.json": userSettings})
			if tt.spoil != nil {
				tt.spoil(b)
			}
			before := b.files()
			_, err := b.Install(t.Context(), install.ScopeUser, want, false)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
			if diff := cmp.Diff(before, b.files()); diff != "" {
				t.Errorf("half done (-before +after)\n%s", diff)
			}
		})
	}
	var unknown *memory.UnknownValueError
	if _, err := newBench(t, nil).Install(t.Context(), "world", want, false); !errors.As(err, &unknown) {
		t.Errorf("an unknown scope: %v", err)
	}
}

func TestModesLinksAndCopies(t *testing.T) {
	b := newBench(t, map[string]string{"dotfiles/settings.json": userSettings, ".claude/x": ""})
	link := filepath.Join(b.home, ".claude", "settings.json")
	if err := os.Symlink("../dotfiles/settings.json", link); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(link, 0o604); err != nil {
		t.Fatal(err)
	}
	for range 4 { // two copies each
		b.install(install.ScopeUser)
		b.uninstall(install.ScopeUser)
	}
	if target, err := os.Readlink(link); err != nil || target != "../dotfiles/settings.json" {
		t.Errorf("the link is %q, %v", target, err)
	}
	if fi, err := os.Stat(link); err != nil || fi.Mode().Perm() != 0o604 {
		t.Errorf("mode %v, %v", fi.Mode(), err)
	}
	report := b.install(install.ScopeUser)
	copies, err := filepath.Glob(link + ".chitta-backup-*")
	if err != nil || len(copies) != 5 {
		t.Fatalf("copies %q, %v", copies, err)
	}
	backup := report.Files[0].Backup
	text, err := os.ReadFile(backup)
	if err != nil || string(text) != userSettings || backup != copies[4] {
		t.Errorf("%s holds %q, %v", backup, text, err)
	}
	for _, path := range append(copies, b.State, b.Record) {
		if fi, err := os.Stat(path); err != nil || fi.Mode().Perm() != 0o600 {
			t.Errorf("%s: mode %v, %v", path, fi.Mode(), err)
		}
	}
}

// TestTheClientsLock holds the lock that the client takes for its own file.
func TestTheClientsLock(t *testing.T) {
	b := newBench(t, map[string]string{".claude.json": clientState})
	held := b.State + ".lock"
	if err := os.Mkdir(held, 0o755); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := b.Install(ctx, install.ScopeUser, want, false); err == nil || !strings.Contains(err.Error(), "try again") {
		t.Errorf("while the client holds it: %v", err)
	}
	old := time.Now().Add(-time.Minute)
	if err := os.Chtimes(held, old, old); err != nil {
		t.Fatal(err)
	}
	b.install(install.ScopeUser)
	if _, err := os.Stat(held); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the lock is still there: %v", err)
	}
}

func TestWorktreesShareWhatIsLocal(t *testing.T) {
	b := newBench(t, map[string]string{
		"main/.git/worktrees/w/commondir": "../..\n",
		"main/.git/HEAD":                  "",
	})
	b.write("work/.git", "gitdir: "+filepath.Join(b.home, "main/.git/worktrees/w")+"\n")
	b.install(install.ScopeLocal)
	var state struct {
		Projects map[string]struct {
			McpServers map[string]install.Server `json:"mcpServers"`
		} `json:"projects"`
	}
	if err := json.Unmarshal([]byte(b.files()[".claude.json"]), &state); err != nil {
		t.Fatal(err)
	}
	if s := state.Projects[filepath.Join(b.home, "main")].McpServers["chitta"]; s.Command != binary {
		t.Errorf("state %v", state)
	}
	if _, ok := b.files()["main/.claude/settings.local.json"]; !ok {
		t.Error("no local settings in the main worktree")
	}
}

func TestScopesInOneFile(t *testing.T) {
	b := newBench(t, map[string]string{".claude.json": clientState, "work/.git/HEAD": ""})
	before := b.files()
	b.install(install.ScopeUser)
	b.install(install.ScopeLocal)
	b.uninstall(install.ScopeUser)
	if text := b.files()[".claude.json"]; strings.Count(text, binary) != 1 {
		t.Errorf("the local entry is not alone:\n%s", text)
	}
	b.uninstall(install.ScopeLocal)
	if a, c := decode(t, []byte(before[".claude.json"])), decode(t, []byte(b.files()[".claude.json"])); !cmp.Equal(a, c) {
		t.Error(cmp.Diff(a, c))
	}
}

func TestServersKeepWhatElseAnEntrySays(t *testing.T) {
	const old = `{"mcpServers": {"chitta": {"command": "chitta", "args": ["mcp"], "env": {"A": "b"}}}}`
	got, changes, err := install.Servers([]byte(old), nil, install.Server{Command: binary})
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.Replace(old, `"command": "chitta"`, `"command": "`+binary+`"`, 1); string(got) != want {
		t.Errorf("got %s", got)
	}
	if back := undo(t, got, changes); string(back) != old {
		t.Errorf("taken back: %s", back)
	}
	if _, _, err := install.Servers([]byte(old), nil, install.Server{Command: "/\xff/chitta"}); err == nil {
		t.Error("a path that is not UTF-8 was taken")
	}
}

func TestExecutable(t *testing.T) {
	dir := t.TempDir()
	self, link := filepath.Join(dir, "chitta-1.2"), filepath.Join(dir, "chitta")
	if err := os.WriteFile(self, nil, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, link); err != nil {
		t.Fatal(err)
	}
	at := func(path string) func(string) (string, error) {
		return func(string) (string, error) { return path, nil }
	}
	tests := []struct{ name, self, path, want string }{
		{"by the stable name", self, link, link},
		{"another on the path", self, "/bin/sh", self},
		{"a relative path", self, "chitta", self},
		{"gone", filepath.Join(dir, "old"), link, ""},
		{"of go run", filepath.Join(dir, "go-build1", "chitta"), link, ""},
	}
	for _, tt := range tests {
		got, found, err := install.Executable(tt.self, at(tt.path))
		if got != tt.want || (err == nil) != (tt.want != "") || found != (tt.want == link) {
			t.Errorf("%s: %q, %v", tt.name, got, err)
		}
	}
}
