package cli_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// smallDisk mounts a file system of a few megabytes as the data directory.
func smallDisk(t *testing.T) (home, disk string) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("skipped: mounting a small disk needs root")
	}
	home = freshHome(t)
	disk = filepath.Join(home, "home")
	if err := os.Mkdir(disk, 0o700); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=3m,mode=0700", "tmpfs", disk).CombinedOutput(); err != nil {
		t.Skipf("skipped: a small disk cannot be mounted here: %s", out)
	}
	t.Cleanup(func() {
		run(t, home, "daemon", "stop")
		var out []byte
		for range 50 { // the daemon lets go of the directory a moment before it is gone
			var err error
			if out, err = exec.Command("umount", disk).CombinedOutput(); err == nil {
				return
			}
			time.Sleep(20 * time.Millisecond)
		}
		t.Errorf("umount: %s", out)
	})
	return home, disk
}

func TestFullDisk(t *testing.T) {
	home, disk := smallDisk(t)
	ballast := filepath.Join(disk, "ballast")
	if _, err := run(t, home, "remember", "stored while there was room"); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(ballast)
	if err != nil {
		t.Fatal(err)
	}
	block := make([]byte, 4096)
	for err == nil {
		_, err = f.Write(block)
	}
	f.Close()

	stored := 1
	for i := range 200 {
		_, err = run(t, home, "remember", fmt.Sprintf("item %d %s", i, strings.Repeat(fmt.Sprintf("word%d ", i), 400)))
		if err != nil {
			break
		}
		stored++
	}
	var exit *exec.ExitError
	if err == nil || !asExit(err, &exit) || exit.ExitCode() != 6 || !strings.Contains(err.Error(), "disk is full") || !strings.Contains(err.Error(), "nothing was stored") {
		t.Fatalf("writing to a full disk: %v", err)
	}
	// reading goes on, and with room again so does writing
	if out, err := run(t, home, "recall", "stored while there was room"); err != nil || !strings.Contains(out, "stored while") {
		t.Errorf("recall on a full disk: %v %s", err, out)
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	if _, err := run(t, home, "remember", "stored after room was made"); err != nil {
		t.Error(err)
	}
	out, err := run(t, home, "check", "--json")
	if err != nil || !strings.Contains(out, fmt.Sprintf(`"memories": %d`, stored+1)) {
		t.Errorf("%d were acknowledged: %v %s", stored+1, err, out)
	}
}

func TestReadOnlyDisk(t *testing.T) {
	home, disk := smallDisk(t)
	if _, err := run(t, home, "remember", "stored while it could be written"); err != nil {
		t.Fatal(err)
	}
	if _, err := run(t, home, "daemon", "stop"); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mount", "-o", "remount,ro", disk).CombinedOutput(); err != nil {
		t.Skipf("skipped: cannot remount read-only: %s", out)
	}
	_, err := run(t, home, "remember", "cannot be stored")
	if err == nil || !strings.Contains(err.Error(), "read-only") || !strings.Contains(err.Error(), disk) {
		t.Errorf("a read-only directory: %v", err)
	}
	if out, err := exec.Command("mount", "-o", "remount,rw", disk).CombinedOutput(); err != nil {
		t.Fatalf("remount: %s", out)
	}
	if out, err := run(t, home, "list"); err != nil || strings.Contains(out, "cannot be stored") {
		t.Errorf("after it was made writable: %v %s", err, out)
	}
}
