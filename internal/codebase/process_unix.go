//go:build unix && !linux

package codebase

import (
	"os"
	"os/exec"
	"syscall"
)

// workerNice lets whoever works on this machine come first.
const workerNice = 10

func humble() { _ = syscall.Setpriority(syscall.PRIO_PROCESS, 0, workerNice) }

// bind keeps signals of the terminal from a worker. It ends with its input when
// this process does.
func bind(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func selfExe() (string, error) { return os.Executable() }

// wasKilled reports whether a process was ended by a signal that comes from
// outside of it.
func wasKilled(state *os.ProcessState) bool {
	status, ok := state.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && (status.Signal() == syscall.SIGKILL || status.Signal() == syscall.SIGTERM)
}
