package distil

import (
	"regexp"
	"strings"

	"chitta/internal/session"
)

// run is one run of a shell command, cut into its steps.
type run struct {
	at     int // index of the call
	steps  []string
	keys   []string // what makes each step the same command as another
	failed bool
	passed bool
	call   *call
}

const (
	// maxCommand bounds a command in bytes; longer ones are scripts.
	maxCommand = 600
	// maxRuns bounds the different commands of a turn that are looked at; one with
	// more runs in a loop.
	maxRuns = 10_000
)

// runs lists the turn's commands that build, test, check, run or deploy.
func (t *turn) runs() []run {
	var all []run
	known := map[string]run{} // the same command is run again and again
	for i := range t.calls {
		c := &t.calls[i]
		if c.part.Command == "" || len(c.part.Command) > maxCommand || c.result == nil {
			continue
		}
		if len(known) == maxRuns {
			break
		}
		id := c.cwd + "\n" + c.part.Command
		r, seen := known[id]
		if !seen {
			for _, step := range stepsOf(c.part.Command, c.cwd) {
				r.steps, r.keys = append(r.steps, step), append(r.keys, key(step))
			}
			known[id] = r
		}
		if len(r.steps) == 0 {
			continue
		}
		r.at, r.call = i, c
		r.failed = c.result.Failed || showsFailure(ends(c.result.Text, maxOutput))
		r.passed = !r.failed && c.result.ExitCode != nil && *c.result.ExitCode == 0
		all = append(all, r)
	}
	return all
}

var (
	redirect = regexp.MustCompile(`\s*(?:[12]?>&?[12]?\s*(?:/dev/null)?|<\s*/dev/null)\s*$`)
	setsEnv  = regexp.MustCompile(`^(?:[A-Za-z_][A-Za-z0-9_]*=\S*\s+)+`)
	// work matches the commands worth knowing: those that build, check, test,
	// pack or ship something, not those that look around.
	work = regexp.MustCompile(`^(?:sudo |time |npx |bunx |uv run |poetry run |pipenv run |bundle exec )*(?:` +
		`go (?:build|test|vet|generate|install|mod tidy)|make|gmake|cmake|ctest|ninja|bazel|buck2?|` +
		`(?:mise|just|task|rake|invoke|nox|tox)|cargo (?:build|test|check|clippy|fmt|run|bench|nextest)|` +
		`(?:npm|pnpm|yarn|bun) (?:test|ci|install|build|lint|start|run)|yarn|deno (?:test|lint|fmt|task)|` +
		`(?:python3? -m )?(?:pytest|unittest|mypy|build|tox)|ruff|black|flake8|pyright|mypy|` +
		`mvn|\./mvnw|gradle|\./gradlew|sbt|dotnet (?:build|test|run|publish)|swift (?:build|test)|xcodebuild|` +
		`golangci-lint run|staticcheck|eslint|prettier|tsc|vitest|jest|playwright|cypress|phpunit|composer (?:install|test)|` +
		`docker (?:build|compose)|docker-compose|kubectl (?:apply|rollout)|helm (?:install|upgrade|lint|template)|terraform (?:init|plan|apply|validate)|` +
		`goreleaser|fly deploy|vercel|netlify deploy|serverless deploy|ansible-playbook|gh workflow run|` +
		`(?:bash |sh |\./)?\S*(?:build|test|deploy|release|lint|check|ci|setup|install)[\w-]*\.sh` +
		`)(?:\s|$)`)
	lookAround = regexp.MustCompile(`\s(?:--version|--help|-h|help|tasks|ls|list)(?:\s|$)`)
)

// stepsOf cuts a command line into the steps that are work, without what only
// filters or redirects their output. Steps of scripts with control flow are
// not told apart, so there are none.
func stepsOf(line, cwd string) []string {
	if strings.ContainsAny(line, "\n`") || strings.Contains(line, "$(") || strings.Contains(line, "<<") {
		return nil
	}
	var steps []string
	for _, part := range splitShell(line) {
		step := strings.TrimSpace(part)
		for strings.ContainsAny(step, "<>") && redirect.MatchString(step) {
			step = redirect.ReplaceAllString(step, "")
		}
		step = strings.TrimLeft(step, "( ")
		if strings.Contains(step, "=") {
			step = setsEnv.ReplaceAllString(step, "")
		}
		if cwd != "" {
			step = strings.ReplaceAll(step, cwd+"/", "")
		}
		if work.MatchString(step) && !lookAround.MatchString(step) {
			steps = append(steps, strings.Join(strings.Fields(step), " "))
		}
	}
	return steps
}

// splitShell returns the first command of each pipeline of a line, split at
// && , || and ; outside quotes.
func splitShell(line string) []string {
	var parts []string
	var quote byte
	start, piped := 0, false
	take := func(end int) {
		if !piped {
			parts = append(parts, line[start:end])
		}
	}
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '\\':
			i++
		case c == ';' || strings.HasPrefix(line[i:], "&&") || strings.HasPrefix(line[i:], "||"):
			take(i)
			if c != ';' {
				i++
			}
			start, piped = i+1, false
		case c == '|':
			take(i)
			start, piped = i+1, true
		}
	}
	take(len(line))
	return parts
}

// key is what makes two steps the same command: everything up to its flags.
func key(step string) string {
	words := strings.Fields(step)
	for i, w := range words {
		if strings.HasPrefix(w, "-") && i > 0 {
			return strings.Join(words[:i], " ")
		}
	}
	return step
}

// failedStarts begin lines that only a failed run prints.
var failedStarts = []string{
	"--- FAIL", "FAIL", "BUILD FAILED", "npm ERR!", "error: could not compile", "error[E",
	"Traceback (most recent", "panic: ",
}

// failedCues stand in lines that may say so with a number or in passing.
var failedCues = []string{"task failed", " failed", " failing", " issues:", "Test failed", "Tests failed", "exit", ": ***"}

// failing settles what such a line says.
var failing = regexp.MustCompile(`ERROR task failed|\b[1-9]\d* (?:failed|failing|issues:)|\bTests? failed\b|\bexit(?:ed)?(?: with)? (?:code|status) [1-9]|^make(?:\[\d+\])?: \*\*\*`)

// showsFailure says whether an output is that of a failed run. An exit status
// of 0 proves nothing when the output went through a filter.
func showsFailure(output string) bool {
	for line := range strings.SplitSeq(output, "\n") {
		for _, start := range failedStarts {
			if strings.HasPrefix(line, start) {
				return true
			}
		}
		for _, cue := range failedCues {
			if strings.Contains(line, cue) && failing.MatchString(line) {
				return true
			}
		}
	}
	return false
}

var (
	// telling matches lines that say what is wrong, the best ones first.
	telling = []*regexp.Regexp{
		regexp.MustCompile(`^\S+\.\w{1,5}:\d+(?::\d+)?:? .{8,}`),
		regexp.MustCompile(`(?i)^(?:error|fatal|panic|e)\b\s*[:\[].{8,}`),
		regexp.MustCompile(`(?i)\b(?:error|exception|undefined|cannot|not found|expected|unexpected|mismatch|refused|denied|timed out)\b.{4,}`),
		regexp.MustCompile(`^(?:--- )?FAIL:? .{4,}`),
	}
)

// noise matches lines that name no cause: the status itself, what a task runner
// says about it, and logs of what went well.
var noise = regexp.MustCompile(`^Exit code |ERROR task failed|\b(?:INFO|DEBUG)\b|^(?:ok|PASS|--- PASS|=== RUN)\b`)

// maxErrorLine is how much of an error a lesson repeats, in characters.
const maxErrorLine = 140

// errorLine returns the line of a failed run that tells best what went wrong,
// empty if none does.
func errorLine(result *session.Part) string {
	lines := strings.Split(ends(result.Text, maxOutput), "\n")
	for _, want := range telling {
		for _, line := range lines {
			line = strings.TrimSpace(line)
			if noise.MatchString(line) {
				continue
			}
			if want.MatchString(line) {
				return clip(oneLine(line), maxErrorLine)
			}
		}
	}
	return ""
}
