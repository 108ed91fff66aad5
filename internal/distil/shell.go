package distil

import (
	"strings"

	"chitta/internal/expr"
)

// run is one run of a shell command, cut into its steps.
type run struct {
	at     int // index of the call
	stages []stage
	failed bool
	works  bool // one of its steps is work worth knowing
	call   *call
}

// stage is one step of a command line.
type stage struct {
	text string
	key  string // what makes it the same command as another
	work bool   // it builds, tests, checks, packs or ships
	told bool   // the status of the whole line tells that it succeeded
	// passed says that this run shows it to have worked.
	passed bool
}

const (
	// maxCommand bounds a command in bytes; longer ones are scripts.
	maxCommand = 600
	// maxRuns bounds the different commands of a turn that are looked at; one with
	// more runs in a loop.
	maxRuns = 10_000
)

// runs lists the turn's commands that do more than look around.
func (t *turn) runs() []run {
	var all []run
	known := map[string][]stage{} // the same command is run again and again
	for i := range t.calls {
		c := &t.calls[i]
		if c.part.Command == "" || len(c.part.Command) > maxCommand || c.result == nil {
			continue
		}
		if len(known) == maxRuns {
			break
		}
		id := c.cwd + "\n" + c.part.Command
		stages, seen := known[id]
		if !seen {
			stages = stagesOf(c.part.Command, c.cwd)
			known[id] = stages
		}
		if len(stages) > 0 {
			all = append(all, judgeRun(i, c, stages))
		}
	}
	return all
}

// judgeRun says what a run shows about each of its steps. A status of 0 is
// that of the last step that ran; where it says nothing about a step, only an
// output that tells of success does.
func judgeRun(at int, c *call, stages []stage) run {
	r := run{at: at, call: c, stages: make([]stage, len(stages))}
	output := ends(c.result.Text, maxOutput)
	exit := c.result.ExitCode
	good := exit != nil && *exit == 0 && !c.result.Failed
	hidden := false
	for _, s := range stages {
		r.works = r.works || s.work
		hidden = hidden || !s.told
	}
	trouble := showsTrouble(output)
	success := hidden && showsSuccess(output)
	r.failed = c.result.Failed && (exit != nil || r.works) || showsFailure(output) || hidden && trouble && !success
	alone := len(stages) == 1 && success
	for i, s := range stages {
		s.passed = good && !r.failed && !trouble && (s.told || alone)
		r.stages[i] = s
	}
	return r
}

// stage returns the step that is the same command as another one.
func (r *run) stage(key string) (stage, bool) {
	for _, s := range r.stages {
		if s.key == key {
			return s, true
		}
	}
	return stage{}, false
}

var (
	redirect = expr.New(`\s*(?:[12]?>&?[12]?\s*(?:/dev/null)?|&>\s*/dev/null|<\s*/dev/null)\s*$`)
	setsEnv  = expr.New(`^(?:[A-Za-z_][A-Za-z0-9_]*=\S*\s+)+`)
	// bounded matches what limits the time of a command.
	bounded = expr.New(`^timeout (?:-\S+ )*\d\S* `)
	// work matches the commands worth knowing: those that build, check, test,
	// pack or ship something, not those that look around.
	work = expr.New(`^(?:sudo |time |npx |bunx |uv run |poetry run |pipenv run |bundle exec )*(?:` +
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
	lookAround = expr.New(`\s(?:--version|--help|-h|help|tasks|ls|list)(?:\s|$)`)
	// noCheck matches commands that prove nothing about files that were changed:
	// they look around, move files, or always succeed.
	noCheck = expr.New(`^(?:sudo |time |command )*(?:` +
		`ls|ll|cat|bat|head|tail|less|more|echo|printf|pwd|cd|pushd|popd|which|type|whereis|whoami|id|env|export|set|unset|source|\.|alias|` +
		`find|fd|grep|egrep|rg|ag|sed|awk|cut|sort|uniq|tr|wc|xargs|jq|yq|tree|stat|file|du|df|date|sleep|wait|true|false|:|test|\[|\[\[|` +
		`mkdir|rmdir|rm|cp|mv|ln|touch|chmod|chown|diff|cmp|patch|ps|kill|pkill|killall|lsof|top|history|man|clear|tee|exit|trap|chitta|` +
		`git (?:-C \S+ )?(?:status|log|diff|show|branch|blame|stash|fetch|checkout|switch|restore|reset|add|rm|mv|clean|rev-parse|ls-files|ls-remote|grep|remote|config|tag|describe|reflog|worktree|shortlog)|` +
		`gh (?:pr|issue|repo|run|api|auth|search) ?(?:view|list|status|diff|checks|watch)?` +
		`)(?:\s|$)`)
	// publishes matches what ends up in the project's history or beyond: work,
	// though nothing to learn.
	publishes = expr.New(`^git (?:-C \S+ )?(?:commit|push|merge|rebase|cherry-pick|revert|tag [^-\s])`)
)

// stagesOf cuts a command line into the steps that may prove something, without
// what only filters or redirects their output. Steps of scripts with control
// flow are not told apart, so there are none.
func stagesOf(line, cwd string) []stage {
	if strings.ContainsAny(line, "\n`") || strings.Contains(line, "$(") || strings.Contains(line, "<<") {
		return nil
	}
	all := pipelines(line)
	told := toldBy(all)
	var stages []stage
	for i, p := range all {
		if keyword.MatchString(p.first) {
			return nil
		}
		step := bareStep(p.first, cwd)
		switch {
		case work.MatchString(step) && !lookAround.MatchString(step):
			stages = append(stages, stage{text: step, key: key(step), work: true, told: told[i]})
		case step != "" && !noCheck.MatchString(step) && !lookAround.MatchString(step):
			stages = append(stages, stage{text: step, key: step, told: told[i]})
		}
	}
	return stages
}

// keyword matches the beginnings of control flow.
var keyword = expr.New(`^[\s(]*(?:for|while|until|if|case|do|then|else|elif|fi|done|esac|function|select|\{|!)(?:\s|$)`)

// bareStep is a command without its surroundings: redirections, variables,
// time limits and the directory it names.
func bareStep(step, cwd string) string {
	step = strings.TrimSpace(step)
	for strings.ContainsAny(step, "<>") && redirect.MatchString(step) {
		step = redirect.ReplaceAllString(step, "")
	}
	opened := strings.HasPrefix(step, "(")
	step = strings.TrimLeft(step, "( ")
	if !opened && !strings.Contains(step, "(") || opened {
		step = strings.TrimRight(step, ") ")
	}
	if strings.Contains(step, "=") {
		step = setsEnv.ReplaceAllString(step, "")
	}
	step = bounded.ReplaceAllString(step, "")
	if cwd != "" {
		step = strings.ReplaceAll(step, cwd+"/", "")
	}
	return strings.Join(strings.Fields(step), " ")
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
