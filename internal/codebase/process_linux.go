package codebase

import (
	"os"
	"os/exec"
	"syscall"
)

// workerNice lets whoever works on this machine come first.
const workerNice = 10

// humble has the system stop this process before others when it runs out of
// memory, and serve it after them. Where that is not allowed nothing is lost.
func humble() {
	_ = os.WriteFile("/proc/self/oom_score_adj", []byte("1000"), 0)
	_ = syscall.Setpriority(syscall.PRIO_PROCESS, 0, workerNice)
}

// bind has a worker end with this process, whatever ends it, and keeps signals
// of the terminal from it: who is interrupted decides what becomes of workers.
func bind(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// selfExe is this very binary, also when another has taken its place on disk.
func selfExe() (string, error) { return "/proc/self/exe", nil }

// wasKilled reports whether a process was ended by a signal that comes from
// outside of it.
func wasKilled(state *os.ProcessState) bool {
	status, ok := state.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && (status.Signal() == syscall.SIGKILL || status.Signal() == syscall.SIGTERM)
}
