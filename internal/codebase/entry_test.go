package codebase

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestEntry: a file that is written again and set back in time is another to who
// looks at its entry, where the system tells.
func TestEntry(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.go")
	old := time.Now().Add(-time.Hour)
	write := func(text string) os.FileInfo {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
		fi, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return fi
	}
	first := write("package a\n")
	time.Sleep(20 * time.Millisecond) // the clock of a file system is coarse
	second := write("package b\n")
	if first.Size() != second.Size() || !first.ModTime().Equal(second.ModTime()) {
		t.Fatal("size and time tell of the change")
	}
	if EntryOf(first) == (Entry{}) {
		if !Written(first).Equal(first.ModTime()) {
			t.Error("nothing is known of the entry, and the time is", Written(first))
		}
		return
	}
	if a, b := EntryOf(first), EntryOf(second); a == b || b.Changed <= a.Changed {
		t.Errorf("%+v, then %+v", a, b)
	}
	if w := Written(second); w.UnixNano() != EntryOf(second).Changed || !w.After(old) {
		t.Error("written", w)
	}
	ahead := time.Now().Add(time.Hour)
	if err := os.Chtimes(path, ahead, ahead); err != nil {
		t.Fatal(err)
	}
	if fi, err := os.Stat(path); err != nil || !Written(fi).Equal(fi.ModTime()) {
		t.Error("a time ahead is what is told:", Written(fi), err)
	}
}

// TestOpenRegular: what is no file is not read, and not waited for.
func TestOpenRegular(t *testing.T) {
	dir := t.TempDir()
	if f, _, err := OpenRegular(dir); err == nil {
		f.Close()
		t.Error("a folder was opened")
	}
	if _, _, err := OpenRegular(filepath.Join(dir, "none")); !os.IsNotExist(err) {
		t.Error(err)
	}
	path := filepath.Join(dir, "x")
	if err := os.WriteFile(path, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, fi, err := OpenRegular(path)
	if err != nil || fi.Size() != 4 {
		t.Fatal(fi, err)
	}
	f.Close()
}
