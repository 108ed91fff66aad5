package bench

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

func TestEmptyProgramOnlyPrints(t *testing.T) {
	command, name, err := emptyProgram(t.Context(), t.TempDir(), "/bin/chitta")
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(command[0], command[1:]...).Output()
	if err != nil || string(out) != "{}\n" || !strings.Contains(name, "Go program") {
		t.Errorf("%s: %q, %v", name, out, err)
	}
	t.Setenv("PATH", "")
	command, name, err = emptyProgram(t.Context(), t.TempDir(), "/bin/chitta")
	if err != nil || strings.Join(command, " ") != "/bin/chitta hook --only-print" || !strings.Contains(name, "no Go toolchain") {
		t.Errorf("without a toolchain: %q, %q, %v", command, name, err)
	}
}

func TestChildProcessesAreCounted(t *testing.T) {
	if _, known := childProcesses(-1); !known {
		t.Log("the system does not tell of processes")
		return
	}
	before, _ := childProcesses(-1)
	child := exec.Command("sleep", "10")
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	n, _ := childProcesses(-1)
	aside, _ := childProcesses(child.Process.Pid)
	if n != before+1 || aside != before {
		t.Errorf("%d, then %d, and %d beside it", before, n, aside)
	}
	if residentOf(os.Getpid()) < 1<<20 {
		t.Errorf("this process needs %v bytes", residentOf(os.Getpid()))
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait() // it was killed
}
