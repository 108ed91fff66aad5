//go:build !windows

package config

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func mode(t *testing.T, path string) fs.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode().Perm()
}

func TestEnsureHome(t *testing.T) {
	home := filepath.Join(realTemp(t), "a", "b")
	for range 2 {
		if err := PathsFor(home).EnsureHome(); err != nil {
			t.Fatal(err)
		}
		if got := mode(t, home); got != 0o700 {
			t.Errorf("mode %o", got)
		}
	}
	entries, err := os.ReadDir(home)
	if err != nil || len(entries) != 0 {
		t.Errorf("left in it: %v, %v", entries, err)
	}
}

func TestEnsureHomeUnderAnyUmask(t *testing.T) {
	for _, umask := range []int{0, 0o027, 0o277} {
		home := filepath.Join(realTemp(t), "home")
		old := syscall.Umask(umask)
		err := PathsFor(home).EnsureHome()
		syscall.Umask(old)
		if err != nil {
			t.Errorf("umask %o: %v", umask, err)
			continue
		}
		if got := mode(t, home); got != 0o700 {
			t.Errorf("umask %o: mode %o", umask, got)
		}
	}
}

func TestEnsureHomeTightens(t *testing.T) {
	for _, loose := range []fs.FileMode{0o755, 0o750, 0o777, 0o701} {
		home := realTemp(t)
		if err := os.Chmod(home, loose); err != nil {
			t.Fatal(err)
		}
		if err := PathsFor(home).EnsureHome(); err != nil {
			t.Errorf("%o: %v", loose, err)
		}
		if got := mode(t, home); got != 0o700 {
			t.Errorf("%o became %o", loose, got)
		}
	}
}

func TestEnsureHomeRefuses(t *testing.T) {
	tmp := realTemp(t)
	file := filepath.Join(tmp, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	dangling := filepath.Join(tmp, "dangling")
	if err := os.Symlink(filepath.Join(tmp, "nothing"), dangling); err != nil {
		t.Fatal(err)
	}
	locked := filepath.Join(tmp, "locked")
	if err := os.Mkdir(locked, 0o500); err != nil {
		t.Fatal(err)
	}
	foreign := "/usr" // root's, when we are not root
	if os.Getuid() == 0 {
		foreign = filepath.Join(tmp, "foreign")
		if err := os.Mkdir(foreign, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.Chown(foreign, 12345, 12345); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct {
		name string
		home string
		is   error // nil: any
	}{
		{name: "a file", home: file, is: ErrHomeNotDirectory},
		{name: "below a file", home: filepath.Join(file, "home")},
		{name: "a dangling link", home: dangling, is: ErrHomeDangling},
		{name: "read-only", home: locked, is: ErrHomeReadOnly},
		{name: "somebody else's", home: foreign, is: ErrHomeOwner},
		{name: "where nothing can be made", home: "/proc/chitta"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := PathsFor(tt.home).EnsureHome()
			var he *HomeError
			if !errors.As(err, &he) || he.Hint == "" || (tt.is != nil && !errors.Is(err, tt.is)) {
				t.Errorf("error = %v, want %v with a hint", err, tt.is)
			}
		})
	}
	if got := mode(t, locked); got != 0o500 {
		t.Errorf("the read-only directory was changed to %o", got)
	}
}

func TestEnsureHomeMakesSocketDirectory(t *testing.T) {
	tmp := realTemp(t)
	p := PathsFor(filepath.Join(tmp, strings.Repeat("d", 200)))
	p.runtime = filepath.Join(tmp, "run")
	if err := p.EnsureHome(); err != nil {
		t.Fatal(err)
	}
	if got := mode(t, p.runtime); got != 0o700 || p.SocketDir() != p.runtime {
		t.Errorf("mode %o of %s", got, p.SocketDir())
	}
	// In a directory everybody can write to, a link is a trap.
	p.runtime = filepath.Join(tmp, "trap")
	if err := os.Symlink(filepath.Join(tmp, "run"), p.runtime); err != nil {
		t.Fatal(err)
	}
	if err := p.EnsureHome(); !errors.Is(err, ErrHomeNotDirectory) {
		t.Errorf("a link as socket directory: %v", err)
	}
}
