package codebase

import (
	"os"
	"os/exec"
	"syscall"
)

func humble() {}

// bind keeps signals of the terminal from a worker. It ends with its input when
// this process does.
func bind(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

func selfExe() (string, error) { return os.Executable() }

// wasKilled cannot be told here from other ends.
func wasKilled(*os.ProcessState) bool { return false }
