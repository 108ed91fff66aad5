package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"chitta/internal/config"
	"chitta/internal/hook"
	"chitta/internal/install"
	"chitta/internal/mind"
	"chitta/internal/rpc"
)

// askVersion bounds how long a binary may take to say its version, which is
// some milliseconds, for the client a fraction of a second.
const askVersion = 5 * time.Second

// exam is a look at the client's side.
type exam struct {
	app      *app
	in       *install.Installer
	paths    config.Paths
	health   *rpc.Health // of the daemon, if it answers
	findings []mind.Finding
}

func (e *exam) ok(name, format string, args ...any) {
	e.findings = append(e.findings, mind.Finding{Name: name, Status: mind.FindingOK, Detail: fmt.Sprintf(format, args...)})
}

func (e *exam) bad(status, name, hint, format string, args ...any) {
	e.findings = append(e.findings, mind.Finding{Name: name, Status: status, Detail: fmt.Sprintf(format, args...), Hint: hint})
}

// Names of findings about the client.
const (
	aboutClient  = "Claude Code"
	aboutCalls   = "hook calls"
	aboutPosted  = "posted hooks"
	aboutSummary = "CLAUDE.md"
)

// clientFindings looks at what the client is told to call, and at what came of
// it.
func (a *app) clientFindings(ctx context.Context) []mind.Finding {
	in, paths, err := a.installer()
	if err != nil {
		return []mind.Finding{{Name: aboutClient, Status: mind.FindingWarn, Detail: err.Error(), Hint: describe(err).Hint}}
	}
	e := &exam{app: a, in: in, paths: paths}
	if client, _, err := a.running(); err == nil {
		if h, err := client.Health(ctx); err == nil {
			e.health = &h
		}
		client.Close()
	}
	e.client(ctx)
	e.registrations(ctx)
	e.failures()
	e.summaries()
	return e.findings
}

// client says which one there is; that there is none is no trouble of
// chitta's.
func (e *exam) client(ctx context.Context) {
	path, err := e.app.findClient()
	if err != nil {
		e.ok(aboutClient, "not on the search path; its files are looked at all the same (CLAUDE_BIN names it)")
		return
	}
	version, err := versionOf(ctx, path)
	if err != nil {
		e.bad(mind.FindingWarn, aboutClient, "try it by hand: "+path+" --version", "%s does not say its version: %v", path, err)
		return
	}
	e.ok(aboutClient, "%s, %s", version, path)
}

// versionOf asks a program for its version.
func versionOf(ctx context.Context, path string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, askVersion)
	defer cancel()
	said, err := exec.CommandContext(ctx, path, "--version").Output()
	line, _, _ := strings.Cut(strings.TrimSpace(string(said)), "\n")
	return line, err
}

// registrations looks at every scope that has chitta in it.
func (e *exam) registrations(ctx context.Context) {
	var there, out []string // where it is, and how to take it out there
	for _, scope := range install.Scopes() {
		r, err := e.in.Inspect(scope)
		if err != nil {
			e.bad(mind.FindingFail, scopeName(scope), "", "%v", err)
			continue
		}
		e.files(r)
		if len(r.Calls()) > 0 {
			there, out = append(there, scopeName(scope)), append(out, install.UninstallLine(scope, false))
			e.registration(ctx, r, install.InstallLine(scope, false))
		}
		if r.Plugin {
			there, out = append(there, "plugin"), append(out, install.UninstallLine(scope, true))
			e.plugin(ctx, install.InstallLine(scope, true))
		}
	}
	switch len(there) {
	case 0:
		e.ok("hooks", "chitta is not installed in Claude Code; chitta install claude-code does it")
	case 1:
	default:
		e.bad(mind.FindingWarn, "hooks", "keep one of them, and for the others: "+strings.Join(out, "; "),
			"registered more than once (%s): hooks would run, and tools show, several times", strings.Join(there, ", "))
	}
}

func scopeName(scope string) string { return "scope " + scope }

// files says what keeps the client from reading its own files.
func (e *exam) files(r install.Registration) {
	for _, f := range []install.File{r.Settings, r.Servers} {
		switch {
		case f.Problem != nil:
			e.bad(mind.FindingFail, scopeName(r.Scope), "mend the file", "%s: %v", f.Path, f.Problem)
		case f.Foreign && len(r.Calls()) > 0:
			e.bad(mind.FindingFail, scopeName(r.Scope), "take the comments and trailing commas out",
				"%s has comments or trailing commas: the client ignores such a file as a whole, hooks included", f.Path)
		}
	}
}

// plugin looks at the plugin that chitta wrote; one from elsewhere is the
// client's business.
func (e *exam) plugin(ctx context.Context, again string) {
	r := install.InspectPlugin(pluginDir(e.in))
	if len(r.Calls()) == 0 {
		e.ok("plugin", "switched on, and not written by this chitta; it needs chitta on the search path")
		return
	}
	e.registration(ctx, r, again)
}

// registration looks at hooks, server and binary of one place; installing again
// mends most of what can be wrong.
func (e *exam) registration(ctx context.Context, r install.Registration, again string) {
	name := "hooks (" + r.Scope + ")"
	var missing []string
	for _, event := range install.Events() {
		if r.Hooks[event.Name] == "" {
			missing = append(missing, event.Name)
		}
	}
	if len(missing) > 0 {
		e.bad(mind.FindingWarn, name, again, "%d of %d events are registered; missing: %s",
			len(install.Events())-len(missing), len(install.Events()), strings.Join(missing, ", "))
	} else {
		e.ok(name, "all %d events are registered in %s", len(r.Hooks), r.Settings.Path)
	}
	if r.Server == "" {
		e.bad(mind.FindingWarn, "MCP server ("+r.Scope+")", again, "not registered in %s", r.Servers.Path)
	} else {
		e.ok("MCP server ("+r.Scope+")", "registered in %s", r.Servers.Path)
	}
	for _, call := range r.Calls() {
		if !strings.HasPrefix(call, "http://") {
			e.binary(ctx, "binary ("+r.Scope+")", call, again)
		}
	}
	e.posted(r, again)
}

// binary looks whether what is called is there, runs and fits the daemon.
func (e *exam) binary(ctx context.Context, name, command, again string) {
	path, err := exec.LookPath(command)
	if err != nil {
		e.bad(mind.FindingFail, name, again, "%s cannot be started: %v", command, err)
		return
	}
	version, err := versionOf(ctx, path)
	version, ours := strings.CutPrefix(version, "chitta ")
	switch {
	case err != nil:
		e.bad(mind.FindingFail, name, again, "%s does not run: %v", path, err)
	case !ours:
		e.bad(mind.FindingFail, name, again, "%s is not chitta", path)
	case e.health != nil && e.health.Version != version:
		e.bad(mind.FindingWarn, name, "have the newer one take over: chitta up; or install the newer one: "+again,
			"%s is version %s, and the daemon is %s", path, version, e.health.Version)
	default:
		e.ok(name, "%s, version %s", path, version)
	}
}

// posted looks at hooks that go to the daemon by HTTP.
func (e *exam) posted(r install.Registration, again string) {
	urls := slices.DeleteFunc(r.Calls(), func(c string) bool { return !strings.HasPrefix(c, "http://") })
	if len(urls) == 0 {
		return
	}
	address, problem := e.listening()
	export := "export " + install.TokenVariable + `="$(cat ` + quoted(e.paths.HTTPToken()) + `)"`
	token, err := os.ReadFile(e.paths.HTTPToken())
	shown := e.app.getenv(install.TokenVariable)
	switch {
	case problem != "":
		e.bad(mind.FindingFail, aboutPosted, "chitta daemon logs says more; without --http, hooks need no port: "+again, "%s", problem)
	case !strings.HasPrefix(urls[0], "http://"+address+"/"):
		e.bad(mind.FindingFail, aboutPosted, again+" --http", "they are posted to %s, and the daemon listens on %s", urls[0], address)
	case err != nil:
		e.bad(mind.FindingFail, aboutPosted, "start the daemon anew: chitta daemon stop, then chitta up", "the token cannot be read: %v", err)
	case shown == "":
		e.bad(mind.FindingWarn, aboutPosted, "in the profile of your shell: "+export, "%s is not set here; where the client starts without it, the daemon refuses its hooks", install.TokenVariable)
	case shown != strings.TrimSpace(string(token)):
		e.bad(mind.FindingFail, aboutPosted, export, "%s is not the token of this data directory", install.TokenVariable)
	default:
		e.ok(aboutPosted, "the daemon listens on %s, and the token is known here", address)
	}
}

// listening is where the daemon takes posted hooks, or why it does not.
func (e *exam) listening() (address, problem string) {
	if e.health == nil {
		return "", "the daemon does not answer"
	}
	_ = json.Unmarshal(e.health.Fields["http"], &address) // absent or text
	_ = json.Unmarshal(e.health.Fields["http_problem"], &problem)
	if address == "" && problem == "" {
		problem = "the daemon takes no posted hooks: http.listen is not set"
	}
	return address, problem
}

// failures says what hooks could not do of late.
func (e *exam) failures() {
	s, err := hook.Failures(e.paths)
	switch {
	case err != nil:
		e.bad(mind.FindingWarn, aboutCalls, "", "%v", err)
	case s.Count == 0:
		e.ok(aboutCalls, "none came to nothing in the last day")
	default:
		var reasons []string
		for _, reason := range slices.Sorted(maps.Keys(s.ByReason)) {
			reasons = append(reasons, fmt.Sprintf("%s (%d)", reason, s.ByReason[reason]))
		}
		e.bad(mind.FindingWarn, aboutCalls, "see them: "+hook.Log(e.paths),
			"%d came to nothing in the last day: %s; the last: %s %s %s", s.Count, strings.Join(reasons, ", "),
			s.Last.Time.Local().Format("2006-01-02 15:04:05"), s.Last.Event, s.Last.Detail)
	}
}

// summaries says how each CLAUDE.md stands that is to hold one.
func (e *exam) summaries() {
	states, err := install.Summaries(e.paths.InstallRecord())
	if err != nil {
		e.bad(mind.FindingWarn, aboutSummary, "", "%v", err)
	}
	for _, path := range slices.Sorted(maps.Keys(states)) {
		switch scope := states[path].Scope; states[path].State {
		case install.SummaryDamaged:
			e.bad(mind.FindingWarn, aboutSummary, "put the marks right or take both out; the file is left alone until then", "%s: %v", path, install.ErrMarks)
		case install.SummaryMissing:
			e.bad(mind.FindingWarn, aboutSummary, fmt.Sprintf("put it back, in that folder: %s --claude-md; or have it forgotten, with all else in this scope: %s", install.InstallLine(scope, false), install.UninstallLine(scope, false)), "%s has no summary any more", path)
		case install.SummaryRefused:
			e.bad(mind.FindingWarn, aboutSummary, describe(states[path].Why).Hint, "the summary is not brought up to date: %v", states[path].Why)
		default:
			e.ok(aboutSummary, "%s has a summary, brought up to date when a session starts there", path)
		}
	}
}
