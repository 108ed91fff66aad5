package distil

import (
	"strings"

	"chitta/internal/expr"
	"chitta/internal/session"
)

// failedStarts begin lines that only a failed run prints.
var failedStarts = []string{
	"--- FAIL", "FAIL", "BUILD FAILED", "npm ERR!", "npm error", "error: could not compile", "error[E",
	"Traceback (most recent", "panic: ",
}

// failedCues stand in lines that may say so with a number or in passing.
var failedCues = []string{"task failed", " failed", " failing", " issues:", "Test failed", "Tests failed", "exit", ": ***"}

// failing settles what such a line says.
var failing = expr.New(`ERROR task failed|\b[1-9]\d* (?:failed|failing|issues:)|\bTests? failed\b|\bexit(?:ed)?(?: with)? (?:code|status) [1-9]|^make(?:\[\d+\])?: \*\*\*`)

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

// troubleCues stand in lines that a shell or a program prints when it could not
// do something. A run may get over it, so they are no proof that it failed.
var troubleCues = []string{"not found", "No such file", "ot recognized", "ermission denied", "rror", "xception", "fatal"}

// trouble settles what such a line says.
var trouble = expr.New(`: (?:command )?not found\s*$|No such file or directory|is not recognized as an? |[Pp]ermission denied|` +
	`^\s*(?:[A-Za-z_][\w.]*)?(?:Error|Exception)\b(?::| \[)|^(?i:error|fatal)(?: |:)|Command failed|[Mm]odule not found|Cannot find module`)

// showsTrouble says whether an output tells of something that could not be done.
func showsTrouble(output string) bool {
	for line := range strings.SplitSeq(output, "\n") {
		for _, cue := range troubleCues {
			if strings.Contains(line, cue) && trouble.MatchString(line) {
				return true
			}
		}
	}
	return false
}

// success matches lines that only a run that succeeded prints.
var success = expr.New(`^(?:ok|PASS|--- PASS)\b|^\s*(?:Tests?|Test Suites|Test Files)\b.*\b[1-9]\d* passed|\b[1-9]\d* (?:passed|passing)\b|` +
	`^(?i:build succe\w+|success\b)|^OK\b|\b0 (?:errors|issues|failures|failed|warnings)\b|\bFinished\b.*\bin [\d.]+|^(?:All checks passed|no issues found)|` +
	`(?i:\b(?:compiled|built|deployed|released|completed|finished) success\w*|\ball (?:tests|checks)(?: have)? pass|successfully (?:built|deployed|compiled|installed|released|tagged))|[✓✔]`)

// showsSuccess says whether an output tells that a run succeeded.
func showsSuccess(output string) bool {
	for line := range strings.SplitSeq(output, "\n") {
		if success.MatchString(line) {
			return true
		}
	}
	return false
}

// telling matches lines that say what is wrong, the best ones first.
var telling = []*expr.Expr{
	expr.New(`^\S+\.\w{1,5}:\d+(?::\d+)?:? .{8,}`),
	expr.New(`(?i)^(?:error|fatal|panic|e)\b\s*[:\[].{8,}`),
	expr.New(`^[A-Za-z_][\w.]*(?:Error|Exception)\b(?::| \[).{4,}`),
	expr.New(`(?i)\b(?:error|exception|undefined|cannot|not found|expected|unexpected|mismatch|refused|denied|timed out)\b.{4,}`),
	expr.New(`^(?:--- )?FAIL:? .{4,}`),
}

// noise matches lines that name no cause: the status itself, what a task runner
// says about it, and logs of what went well.
var noise = expr.New(`^Exit code |ERROR task failed|\b(?:INFO|DEBUG)\b|^(?:ok|PASS|--- PASS|=== RUN)\b`)

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
