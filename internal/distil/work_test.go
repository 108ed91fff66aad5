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
		{"without filter", []step{user(task), runs("cargo test --workspace 2>&1 | tail -20", 0, "ok")}, yes, "`cargo test --workspace`"},
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
