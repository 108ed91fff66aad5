package moment

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chitta/internal/memory"
	"chitta/internal/mind"
)

// uses is a tool about to be used, its input given as pairs.
func (h *house) uses(session, tool string, pairs ...string) Answer {
	h.t.Helper()
	in := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		in[pairs[i]] = pairs[i+1]
	}
	raw, err := json.Marshal(in)
	if err != nil {
		h.t.Fatal(err)
	}
	return h.attend(Event{Name: PreToolUse, Session: session, Tool: tool, Input: raw})
}

func TestWarningAboutAFile(t *testing.T) {
	h := newHouse(t)
	dir := h.project("project").Cwd
	auth := filepath.Join(dir, "pkg", "auth.go")
	id := h.knows("failure", "Refreshing the token inside the lock deadlocks")
	anchorTo(t, h.mind, id, dir, auth)
	h.wait(time.Minute)
	a := h.uses("s1", "Edit", "file_path", auth, "old_string", "a", "new_string", "b")
	holds(t, a, []string{"inside the lock", id, "failure"})
	if strings.Count(a.Context, "\n- ") != 1 || len(a.Items) != 1 {
		t.Errorf("more than one line:\n%s", a.Context)
	}
	if a := h.uses("s1", "Write", "file_path", auth, "content", "x"); a.Context != "" {
		t.Errorf("told twice:\n%s", a.Context)
	}
	for _, tool := range []string{"Write", "MultiEdit"} {
		if a := h.uses("new "+tool, tool, "file_path", auth); a.Context == "" {
			t.Errorf("%s: %+v", tool, a)
		}
	}
	for name, a := range map[string]Answer{
		"another file":          h.uses("s2", "Edit", "file_path", filepath.Join(dir, "pkg", "other.go")),
		"a tool that reads":     h.uses("s2", "Read", "file_path", auth),
		"the session it is of":  h.uses("earlier", "Edit", "file_path", auth),
		"no file":               h.uses("s2", "Edit"),
		"the same file outside": h.uses("s2", "Edit", "file_path", "/elsewhere/pkg/auth.go"),
	} {
		if a.Context != "" {
			t.Errorf("%s:\n%s", name, a.Context)
		}
	}
}

// TestWarningThatIsDecisive: what was picked up on the way is told only if it
// has to do with what is about to be written, and never what is about many
// files, hardly believed, or not a warning.
func TestWarningThatIsDecisive(t *testing.T) {
	h := newHouse(t)
	dir := h.project("project").Cwd
	file := filepath.Join(dir, "hooks.go")
	sure, unsure := 0.8, 0.4
	picked := func(confidence float64) func(*mind.RememberInput) {
		return func(in *mind.RememberInput) {
			in.Source, in.Confidence = string(memory.Subconscious), &confidence
		}
	}
	know := func(kind, text string, confidence float64, files ...string) {
		anchorTo(t, h.mind, h.knows(kind, text, picked(confidence)), dir, files...)
	}
	know("correction", "The user corrected: “use the gitDirectory helper, do not call rev-parse again” — when the agent said: “I printed a table”", sure, file)
	know("failure", "Printing the table in colour was hardly tried", unsure, file)
	know("episode", "Printing the table in colour was added to hooks", sure, file)
	know("failure", "Printing the table in colour broke many", sure, file, "a.go", "b.go", "c.go")
	h.wait(time.Minute)
	if a := h.uses("s1", "Edit", "file_path", file, "new_string", "print the table in colour"); a.Context != "" {
		t.Errorf("%s", a.Context)
	}
	holds(t, h.uses("s1", "Edit", "file_path", file, "new_string", `exec.Command("git", "rev-parse", "--git-dir") // no helper`), []string{"gitDirectory"})
}

func TestStandingProhibitions(t *testing.T) {
	for _, tt := range []struct {
		wish, command, file string
		want                bool
	}{
		{"Never use npm, use pnpm instead", "npm install left-pad", "", true},
		{"Never use npm, use pnpm instead", "pnpm install left-pad", "", false},
		{"The user wants: “never run git push --force”", "git push --force origin main", "", true},
		{"The user wants: “never run git push --force”", "git push origin main", "", false},
		{"The user wants: “never run git push --force”", "git commit -m x", "", false},
		{"Do not call docker compose here", "cd /x && docker compose up", "", true},
		{"Do not call docker compose here", "docker ps", "", false},
		{"Never commit without running the tests", "git commit -m x", "", false},
		{"Don't edit `gen/api.go` by hand", "", "/src/p/gen/api.go", true},
		{"Don't edit `gen/api.go` by hand", "", "/src/p/gen/api_test.go", false},
		{"Avoid changes below vendor/, they are overwritten", "", "/src/p/vendor/x/y.go", true},
		{"Avoid changes below vendor/, they are overwritten", "", "/src/p/x.go", false},
		{"Always run make fmt", "make fmt", "", false},
		{"It is not npm that is slow", "npm test", "", false},
		{"never", "npm test", "/x", false},
		{"", "npm test", "", false},

		// as people type it
		{"Never push to main", "git push origin main", "", true},
		{"Never push to main.", "cd /x && git push origin HEAD:main", "", true},
		{"Never push to main", "git push --force origin main", "", true},
		{"Never push to main without a review", "git -C sub push origin main", "", true},
		{"The user wants: “please don't ever push directly to the main branch.”", "git push -u origin main", "", true},
		{"Do NOT push to main or master!", "git push origin master", "", true},
		{"dont force push", "git push -f origin topic", "", true},
		{"Never force-push.", "git push --force-with-lease", "", true},
		{"Never run git push --force.", "git push --force origin topic", "", true},
		{"Never run git push --force.", "git push -f", "", true},
		{"Never use --no-verify.", "git commit --no-verify -m x", "", true},
		{"Avoid merging main.", "git merge main", "", true},
		{"Never rebase!", "git rebase -i HEAD~3", "", true},
		{"Don't commit.", "git add . && git commit -m x", "", true},
		{"Don't edit gen/api.go.", "", "/src/p/gen/api.go", true},
		{"“Don't edit gen/api.go.”", "", "/src/p/gen/api.go", true},
		{"Never touch .env!", "", "/src/p/.env", true},
		{"Never use npm.", "npm ci", "", true},
		{"Never use npm.", "sudo npm ci", "", true},
		{"Never use npm.", "CI=1 npm ci", "", true},
		{"Do not use sudo.", "sudo apt-get install jq", "", true},
		{"Stop using docker compose.", "docker compose up", "", true},

		{"Never use npm.", "for d in a b; do npm ci; done", "", true},

		{"stop for a second, the issue was git", "for f in *.json; do jq . $f; done", "", false},
		{"Stop, use npm", "npm ci", "", false},
		{"Never push to main", "git push origin topic", "", false},
		{"Never push to main", "git push origin maintenance", "", false},
		{"Never push to main", "git push origin fix/main", "", false},
		{"Never push to main", "git push origin main:topic", "", false},
		{"Never push to main", "git pull origin main", "", false},
		{"Never push to main", "git log origin/main", "", false},
		{"Never push to main", `git commit -m "push to main"`, "", false},
		{"Never push to main", `echo "git push origin main"`, "", false},
		{"Never push to main or master", "git push origin develop", "", false},
		{"Don't forget to push to main", "git push origin main", "", false},
		{"Never mind, push to main", "git push origin main", "", false},
		{"Push to main, never to release", "git push origin main", "", false},
		{"Never push without asking", "git push origin topic", "", false},
		{"Never commit secrets.", "git commit -m x", "", false},
		{"Never commit to main.", "git commit -m x", "", false},
		{"Never merge into main.", "git merge topic", "", false},
		{"Never force-push.", "git push origin topic", "", false},
		{"Never run git push --force.", "git push origin main", "", false},
		{"Never use --no-verify.", "git commit -m x", "", false},
		{"Don't edit gen/api.go.", "", "/src/p/gen/api.go.tmpl", false},
		{"Don't forget to edit gen/api.go.", "", "/src/p/gen/api.go", false},
		{"Never use npm.", "pnpm install", "", false},
		{"You don't need to use npm.", "npm ci", "", false},
		{"Do not use sudo.", "apt-get install jq", "", false},
		{"Do not use sudo.", "cat sudo.md", "", false},
		{"Never. Use npm.", "npm ci", "", false},
		{"Never \x00\xff push to ", "git push", "", false},
		{"The user corrected: “yes” — when the agent said: “I don't use git add”", "git add .", "", false},
	} {
		if got := forbids(prohibitions(tt.wish), use{command: tt.command, file: tt.file}, []string{"/src/p"}); got != tt.want {
			t.Errorf("%q against %q %q: %v", tt.wish, tt.command, tt.file, got)
		}
	}
	h := newHouse(t)
	id := h.knows("preference", "Never use npm in this project, use pnpm")
	h.wait(time.Minute)
	holds(t, h.uses("s1", "Bash", "command", "npm ci"), []string{id, "pnpm"})
	if a := h.uses("s1", "Bash", "command", "npm ci"); a.Context != "" {
		t.Errorf("told twice:\n%s", a.Context)
	}
	if a := h.uses("s2", "Bash", "command", "go build ./..."); a.Context != "" || a.Outcome != Unknown {
		t.Errorf("%+v", a)
	}
}

// TestCommandThatNeverWorks: what worked instead is told before a command that
// has only ever failed here.
func TestCommandThatNeverWorks(t *testing.T) {
	h := newHouse(t)
	s := h.talk("s1")
	s.event(SessionStart)
	s.asks("Build the warehouse front end please")
	s.fails("npm run build --prod")
	s.fails("npm run build --prod")
	s.runs("npm run build --mode production")
	s.fails("go vet ./...")
	s.fails("go vet ./...")
	s.runs("go vet ./...")
	s.says("They pass now.")
	s.event(Stop)
	h.rounds()
	h.wait(time.Hour)
	if a := h.uses("s2", "Bash", "command", "npm run build --prod"); a.Context != "" {
		t.Errorf("the history is read in the background:\n%s", a.Context)
	}
	h.rounds()
	holds(t, h.uses("s2", "Bash", "command", "npm run build --prod 2>&1 | tail -5"), []string{"npm run build --mode production", "twice"})
	for _, command := range []string{"npm run build --prod", "go vet ./...", "make", "ls", strings.Repeat("x", 1<<20)} {
		if a := h.uses("s2", "Bash", "command", command); a.Context != "" {
			t.Errorf("%.40q:\n%s", command, a.Context)
		}
	}
}

func TestOddInputsOfTools(t *testing.T) {
	h := newHouse(t)
	for _, raw := range []string{"", "null", "[]", "3", `{"file_path": 7}`, `{"command": ["ls"]}`, `{"file_path":"\u0000"}`, `{"file_path":"` + strings.Repeat("../", 5000) + `"}`, `{"command":"\ud800"}`} {
		for _, tool := range []string{"Bash", "Edit", "Write", "NotebookEdit", ""} {
			if a := h.attend(Event{Name: PreToolUse, Session: "s1", Tool: tool, Input: json.RawMessage(raw)}); a.Context != "" || a.Outcome == Failed {
				t.Errorf("%s %.40s: %+v", tool, raw, a)
			}
		}
	}
}
