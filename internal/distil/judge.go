package distil

import "chitta/internal/session"

// StatusTells says whether a status of 0 of a command line tells that what it
// does succeeded. It does not where a step stands before ; , beside || , at the
// head of a pipe or in the background: then only the output can.
func StatusTells(command string) bool {
	for _, s := range stagesOf(command, "") {
		if !s.told {
			return false
		}
	}
	return true
}

// Succeeded says whether a run of a command line did what it is for, and whether
// that can be known: by its status where that tells, else by what it printed. No
// status is taken for 0 if the run came back and was not called a failure.
func Succeeded(command, output string, exit *int, failed bool) (ok, known bool) {
	if failed || exit != nil && *exit != 0 {
		return false, true
	}
	stages := stagesOf(command, "")
	if len(stages) == 0 {
		return true, true // it looks around, or is a script: its status is all there is
	}
	zero := 0
	r := judgeRun(0, &call{result: &session.Part{Text: output, ExitCode: &zero}}, stages)
	if r.failed {
		return false, true
	}
	for _, s := range r.stages {
		if !s.passed {
			return false, false
		}
	}
	return true, true
}
