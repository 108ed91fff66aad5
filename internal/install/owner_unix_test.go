//go:build unix

package install

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestTheOwnerStays is of use to root, who installs for somebody else; anybody
// else can only have files of their own.
func TestTheOwnerStays(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(path, []byte("a"), 0o600); err != nil {
		t.Fatal(err)
	}
	uid, gid := os.Getuid(), os.Getgid()
	if uid == 0 {
		uid, gid = 1234, 5678
		if err := os.Chown(path, uid, gid); err != nil {
			t.Fatal(err)
		}
	}
	if err := writeFile(path, []byte("b"), []byte("a"), ownFile); err != nil {
		t.Fatal(err)
	}
	fi, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if st := fi.Sys().(*syscall.Stat_t); int(st.Uid) != uid || int(st.Gid) != gid {
		t.Errorf("it belongs to %d:%d, want %d:%d", st.Uid, st.Gid, uid, gid)
	}
}
