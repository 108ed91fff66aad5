package distil

import (
	"strings"
	"testing"

	"chitta/internal/session"
)

var (
	partEdit    = session.Part{Tool: "Edit", Files: []string{home + "/schema.sql"}}
	partRefused = session.Part{Failed: true, Text: "The user doesn't want to proceed with this tool use."}
	longText    = strings.Repeat("the report for the month shows other numbers than the ledger does ", 12)
)

func TestEdits(t *testing.T) {
	yes := []string{RuleEdit}
	const task = "show the delivery date on the invoice page, in the customer's own time zone"
	check(t, []example{
		{"request", []step{user(task), edit("page/invoice.tsx")}, yes, "Changed page/invoice.tsx for: “" + task + "”"},
		{"several files", []step{user(task), edit("a.ts"), edit("b.ts"), edit("a.ts")}, yes, "a.ts, b.ts for"},
		{"many files", []step{user(task), edit("1.go"), edit("2.go"), edit("3.go"), edit("4.go"), edit("5.go"), edit("6.go"), edit("7.go")}, yes, "5.go and 2 more"},
		{"vague request", []step{user("tidy this up"), edit("a.go"), agent("Done! Both loops are one function now.")}, yes, "Both loops are one function"},
		{"assent", []step{agent("The cache is unused. Should I remove the cache?"), user("yes"), edit("cache.go")}, yes, "agreed to “Should I remove the cache?”"},
		{"plan", []step{user("Implement the following plan:\n\n# Split the importer\n\n## Context\nlong"), edit("import.go")}, yes, "Split the importer"},
		{"points of a list", []step{user("#5 is simple enough, add the check to every form that takes a date please"), edit("form.ts")}, yes, "for: “#5 is simple enough"},
		{"a project among scratch files", []step{user(task), func(d *dialogue) {
			d.call(session.Part{Tool: "Edit", Files: []string{"/tmp/shop/cart.go"}}, session.Part{Text: "ok"})
			for i := range d.messages {
				d.messages[i].Cwd = "/tmp/shop"
			}
		}}, yes, "Changed cart.go"},
		{"pasted log", []step{user("ERROR: no such table: orders\n[12:03] retry"), edit("db.go"), agent("The migration for orders was missing.")}, yes, "no such table"},
		{"paths from the project's root", []step{user("document the flags in " + home + "/docs/flags.md, one table per command please"), edit("docs/flags.md")}, yes, "flags in docs/flags.md"},
		{"a new file", []step{user(task), func(d *dialogue) {
			d.call(session.Part{Tool: "Write", Files: []string{home + "/new.go"}}, session.Part{Text: "created"})
		}}, yes, "new.go"},

		{"only read", []step{user(task), func(d *dialogue) {
			d.call(session.Part{Tool: "Read", Files: []string{home + "/a.go"}}, session.Part{Text: "package a"})
		}}, nil, ""},
		{"failed edit", []step{user(task), editRefused("a.go")}, nil, ""},
		{"no result", []step{user(task), func(d *dialogue) {
			d.add(session.Assistant, session.Part{Kind: session.ToolUse, Tool: "Edit", Files: []string{home + "/a.go"}, ToolID: "x"})
		}}, nil, ""},
		{"scratch file", []step{user(task), func(d *dialogue) {
			d.call(session.Part{Tool: "Write", Files: []string{"/tmp/try.go"}}, session.Part{Text: "created"})
		}}, nil, ""},
		{"the client's plan", []step{user(task), func(d *dialogue) {
			d.call(session.Part{Tool: "Write", Files: []string{"/home/ana/.claude/plans/blue-bird.md"}}, session.Part{Text: "created"})
		}}, nil, ""},
		{"nobody asked", []step{edit("a.go")}, nil, ""},
		{"assent to nothing", []step{user("yes"), edit("a.go")}, nil, ""},
	})
}

func TestFixes(t *testing.T) {
	const task = "make the nightly job read the new file format, the old one is no longer delivered"
	const bad = "--- FAIL: TestRead (0.00s)\n    read_test.go:14: expected 3 rows, got 0\nFAIL"
	all := []string{RuleFix, RuleEdit, RuleCommand}
	check(t, []example{
		{"same command", []step{user(task), runs("make test", 2, bad), edit("read.go"), runs("make test", 0, "ok")}, all, "`make test` failed (read_test.go:14: expected 3 rows, got 0) and passes after changing read.go"},
		{"with the agent's reason", []step{user(task), runs("make test", 2, bad), agent("The header line was skipped twice."), edit("read.go"), runs("make test", 0, "ok")}, all, "skipped twice"},
		{"exit status hidden by a filter", []step{user(task), runs("make test 2>&1 | tail -3", 0, bad), edit("read.go"), runs("make test", 0, "ok")}, all, "make test"},
		{"one step of several", []step{user(task), runs("make fmt && make lint", 1, "read.go:3:1: unused variable rows"), edit("read.go"), runs("make lint", 0, "")}, all, "make lint"},
		{"other flags", []step{user(task), runs("go test ./job -run TestRead", 1, bad), edit("read.go"), runs("go test ./job -count=1", 0, "ok")}, all, "go test ./job"},
		{"failed twice", []step{user(task), runs("make test", 2, bad), edit("a.go"), runs("make test", 2, bad), edit("b.go"), runs("make test", 0, "ok")}, all, "changing b.go"},

		{"nothing changed", []step{user(task), runs("make test", 2, bad), runs("make test", 0, "ok")}, []string{RuleCommand}, ""},
		{"changed before", []step{user(task), edit("read.go"), runs("make test", 2, bad), runs("make test", 0, "ok")}, []string{RuleEdit, RuleCommand}, ""},
		{"still fails", []step{user(task), runs("make test", 2, bad), edit("read.go"), runs("make test", 2, bad)}, []string{RuleEdit}, ""},
		{"still fails behind a filter", []step{user(task), runs("make test", 2, bad), edit("read.go"), runs("make test | tail -2", 0, bad)}, []string{RuleEdit}, ""},
		{"another command", []step{user(task), runs("make test", 2, bad), edit("read.go"), runs("make lint", 0, "")}, []string{RuleEdit, RuleCommand}, ""},
		{"no work", []step{user(task), runs("grep -n rows read.go", 1, ""), edit("read.go"), runs("grep -n rows read.go", 0, "3: rows")}, []string{RuleEdit}, ""},
	})
}

func TestCommands(t *testing.T) {
	yes := []string{RuleCommand}
	const task = "check that everything still works"
	check(t, []example{
		{"test", []step{user(task), runs("npm test", 0, "12 passing")}, yes, "`npm test`"},
		{"without filter", []step{user(task), runs("cargo test --workspace 2>&1 | tail -20", 0, "test result: ok. 3 passed; 0 failed")}, yes, "`cargo test --workspace`"},
		{"after cd", []step{user(task), runs("cd web && pnpm run build", 0, "built")}, yes, "`pnpm run build`"},
		{"with environment", []step{user(task), runs("CI=1 make release", 0, "")}, yes, "`make release`"},
		{"own script", []step{user(task), runs("./scripts/deploy-staging.sh", 0, "")}, yes, "deploy-staging.sh"},
		{"whole before narrow", []step{user(task), runs("go test ./...", 0, "ok"), runs("go test ./a -run TestOne", 0, "ok")}, yes, "`go test ./...`"},
		{"narrow alone", []step{user(task), runs("pytest -k login", 0, "1 passed")}, yes, "pytest -k login"},

		{"looking around", []step{user(task), runs("ls -la", 0, ""), runs("cat go.mod", 0, "module shop"), runs("git status", 0, "clean")}, nil, ""},
		{"failed", []step{user(task), runs("npm test", 1, "1 failing")}, nil, ""},
		{"failed behind a filter", []step{user(task), runs("npm test | tail", 0, "3 failing")}, nil, ""},
		{"left running", []step{user(task), func(d *dialogue) {
			d.call(session.Part{Tool: "Bash", Command: "make serve"}, session.Part{Text: "running in background"})
		}}, nil, ""},
		{"a script in line", []step{user(task), runs("for f in *.go; do\n  make $f\ndone", 0, "")}, nil, ""},
		{"version", []step{user(task), runs("make --version", 0, "GNU Make")}, nil, ""},
		{"quoted command", []step{user(task), runs(`echo "make test && make lint"`, 0, "make test")}, nil, ""},
		{"inside a temporary folder", []step{user(task), runs("go build -o /tmp/x ./cmd", 0, "")}, nil, ""},
	})
}

// TestStatusOfSteps shows which steps of a line a status of 0 tells of.
func TestStatusOfSteps(t *testing.T) {
	for _, tt := range []struct {
		line string
		want string // steps that are told to have worked
	}{
		{"make test", "make test"},
		{"make build && make test", "make build, make test"},
		{"make build; make test", "make test"},
		{"make test; true", ""},
		{"make test; echo finished", ""},
		{"make test || true", ""},
		{"make test || make lint", ""},
		{"make build || true && make test", "make test"},
		{"make build && make test || echo broken", ""},
		{"make build; make test && make lint", "make test, make lint"},
		{"make test | tail -3", ""},
		{"set -o pipefail; make test | tail -3", "make test"},
		{"set -e; make build; make test", "make build, make test"},
		{"make build | tail && make test", "make test"},
		{"make serve &", ""},
		{"make serve & make test", "make test"},
		{"make serve & sleep 1; make test", "make test"},
		{"make test 2>&1", "make test"},
		{"make test &>/dev/null", "make test"},
		{"(cd web && make test)", "make test"},
		{"(make build; make test) && make lint", "make test, make lint"},
		{"cd web; make test", "make test"},
		{"CI=1 timeout 60 make test", "make test"},
		{"for f in a b; do make $f; done", ""},
		{"if make test; then make lint; fi", ""},
		{"make test;", "make test"},
		{"", ""},
		{"&& || ; |", ""},
		{"make 'a; b", "make 'a; b"},
	} {
		t.Run(tt.line, func(t *testing.T) {
			var told []string
			for _, s := range stagesOf(tt.line, home) {
				if s.told {
					told = append(told, s.text)
				}
			}
			if got := strings.Join(told, ", "); got != tt.want {
				t.Errorf("told %q, want %q", got, tt.want)
			}
		})
	}
}

// TestHiddenFailures: what hides its status or shows a failure did not work.
func TestHiddenFailures(t *testing.T) {
	yes := []string{RuleCommand}
	const task = "check that everything still works"
	check(t, []example{
		{"echo behind it, and it says so", []step{user(task), runs("pytest -q; echo finished", 0, "12 passed in 0.3s\nfinished")}, yes, "`pytest -q`"},
		{"a filter behind it, and it says so", []step{user(task), runs("go test ./... | tail -3", 0, "ok  shop/cart 0.1s")}, yes, "go test ./..."},
		{"the last of several", []step{user(task), runs("make fmt; make lint", 0, "")}, yes, "`make lint`"},

		{"echo behind it", []step{user(task), runs("pytest -q; echo finished", 0, "bash: pytest: command not found\nfinished")}, nil, ""},
		{"echo behind it and nothing told", []step{user(task), runs("make test; echo finished", 0, "finished")}, nil, ""},
		{"or true", []step{user(task), runs("npm test || true", 0, "npm error code ENOENT\nnpm error syscall open")}, nil, ""},
		{"true behind it", []step{user(task), runs("npm install left-pad; true", 0, "npm error network")}, nil, ""},
		{"or echo", []step{user(task), runs("make test || echo no", 0, "no")}, nil, ""},
		{"no such file", []step{user(task), runs("make test", 0, "sh: ./run-tests: No such file or directory")}, nil, ""},
		{"traceback", []step{user(task), runs("pytest -q | head", 0, "Traceback (most recent call last):\n  File \"x.py\"")}, nil, ""},
		{"an error by name", []step{user(task), runs("npm test", 0, "TypeError: x is not a function")}, nil, ""},
		{"fails in a pipe", []step{user(task), runs("go test ./... | grep -v cached", 0, "FAIL shop/cart 0.1s")}, nil, ""},
		{"two steps, one success shown", []step{user(task), runs("make test; make lint; true", 0, "12 passed")}, nil, ""},
	})
}

// TestAnyFix: whatever failed and then passed after a change was fixed, by a
// tool that nobody listed as well; and the fix says what it was.
func TestAnyFix(t *testing.T) {
	const task = "the price of a cart with two items is wrong, please see to it that it is right"
	const bad = "AssertionError: expected 90, got 100"
	fixed := func(command, before, after string) []step {
		return []step{user(task), runs(command, 1, bad), agent(before), edit("prices.py"), runs(command, 0, "fine"), agent(after)}
	}
	yes := []string{RuleFix, RuleEdit}
	check(t, []example{
		{"a script", fixed("python3 test_prices.py", "", ""), yes, "`python3 test_prices.py` failed (" + bad + ") and passes after changing prices.py"},
		{"another", fixed("node slug.test.js", "", ""), yes, "`node slug.test.js` failed"},
		{"a program of the project", fixed("./bin/shop verify prices", "", ""), yes, "`./bin/shop verify prices` failed"},
		{"a request", fixed("curl -fsS localhost:8080/health", "", ""), yes, "curl -fsS"},
		{"a commit that a hook refuses", fixed("git commit -am prices", "", ""), yes, "git commit"},
		{"said before", fixed("python3 test_prices.py", "The discount was taken off twice.", "Done."), yes, "“The discount was taken off twice.”"},
		{"said at the end", fixed("python3 test_prices.py", "Let me fix that.", "All tests pass. The discount was applied after rounding instead of before."), yes, "“The discount was applied after rounding instead of before.”"},
		{"said what was done", fixed("python3 test_prices.py", "I'll look at it.", "Done. Prices round once, at the very end of the sum."), yes, "“Prices round once, at the very end of the sum.”"},
		{"only that it fails", fixed("python3 test_prices.py", "One test fails.", "Everything passes now: the rounding was missing."), yes, "rounding was missing"},

		{"looking", []step{user(task), runs("cat prices.py", 1, "no"), edit("prices.py"), runs("cat prices.py", 0, "x")}, []string{RuleEdit}, ""},
		{"git looks", []step{user(task), runs("git diff --exit-code", 1, "x"), edit("prices.py"), runs("git diff --exit-code", 0, "")}, []string{RuleEdit}, ""},
		{"a file that was missing", []step{user(task), runs("ls build", 2, "No such file or directory"), edit("prices.py"), runs("ls build", 0, "x")}, []string{RuleEdit}, ""},
		{"other arguments", []step{user(task), runs("python3 a.py", 1, bad), edit("prices.py"), runs("python3 b.py", 0, "fine")}, []string{RuleEdit}, ""},
		{"another script in line", []step{user(task), runs(`python3 -c "import x"`, 1, bad), edit("prices.py"), runs(`python3 -c "print(1)"`, 0, "1")}, []string{RuleEdit}, ""},
		{"nothing changed", []step{user(task), runs("python3 a.py", 1, bad), runs("python3 a.py", 0, "fine")}, nil, ""},
		{"refused by the person", []step{user(task), func(d *dialogue) {
			d.call(session.Part{Tool: "Bash", Command: "python3 a.py"}, partRefused)
		}, edit("prices.py"), runs("python3 a.py", 0, "fine")}, []string{RuleEdit}, ""},
		{"its end is hidden", []step{user(task), runs("python3 a.py", 1, bad), edit("prices.py"), runs("python3 a.py; echo x", 0, "x")}, []string{RuleEdit}, ""},
	})
	lessons := Turn("", messagesOf(user(task), runs("python3 a.py", 1, bad), edit("prices.py"), runs("python3 a.py", 0, "fine"), edit("logo.svg"),
		agent("The logo was missing its red dot.")), nil)
	if len(lessons) == 0 || strings.Contains(lessons[0].Text, "red dot") {
		t.Errorf("a fix is explained by other work: %+v", lessons)
	}
}
