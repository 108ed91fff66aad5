package rpc

import (
	"errors"
	"io/fs"
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// child is a daemon this process has started. Windows keeps no zombies, so
// there is nothing to reap.
type child struct {
	pid int
}

func (ch *child) exited() (code int, ended bool) { return -1, !pidAlive(ch.pid) }

// startChild starts a daemon without a console, in a group of its own. Handles
// are not inherited unless they are named.
func (c *Client) startChild(cmd *exec.Cmd) (*child, error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{
		CreationFlags: windows.DETACHED_PROCESS | windows.CREATE_NEW_PROCESS_GROUP,
		HideWindow:    true,
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	ch := &child{pid: cmd.Process.Pid}
	return ch, cmd.Process.Release()
}

// pidAlive tells whether a process exists.
func pidAlive(pid int) bool {
	const access = windows.SYNCHRONIZE | windows.PROCESS_QUERY_LIMITED_INFORMATION
	h, err := windows.OpenProcess(access, false, uint32(pid))
	if err != nil {
		return errors.Is(err, windows.ERROR_ACCESS_DENIED)
	}
	event, err := windows.WaitForSingleObject(h, 0)
	closeErr := windows.CloseHandle(h)
	return err == nil && closeErr == nil && event == uint32(windows.WAIT_TIMEOUT)
}

// terminate asks a process to end. Windows has no such request to a process
// without a console, and ending it by force is not for us to do.
func terminate(int) error { return errors.ErrUnsupported }

// isNobodyListening tells whether connecting failed because there is no socket
// or nobody behind it.
func isNobodyListening(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, windows.WSAECONNREFUSED) || errors.Is(err, windows.WSAEINVAL)
}

// isBacklogFull tells whether the accept queue of the daemon is full; Windows
// makes the client wait instead.
func isBacklogFull(error) bool { return false }
