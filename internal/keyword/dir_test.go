package keyword

import (
	"errors"
	"os"
	"testing"
)

// TestDirectoryGone removes the directory under an open index: one that had
// nothing in it makes it again, one that had says that it is damaged and does
// not write a manifest that names what is gone.
func TestDirectoryGone(t *testing.T) {
	for name, written := range map[string]bool{"empty": false, "with a segment": true} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir() + "/index"
			x := open(t, dir, Options{Fields: testFields()})
			c := newCorpus(1)
			apply(t, x, Batch{Seq: 1, Put: c.docs(0, 10)})
			if written {
				mustFlush(t, x)
				apply(t, x, Batch{Seq: 2, Put: c.docs(10, 20)})
			}
			if err := os.RemoveAll(dir); err != nil {
				t.Fatal(err)
			}
			if err := x.Flush(); errors.Is(err, ErrDamaged) != written || err != nil && !written {
				t.Errorf("flush: %v", err)
			}
			if m, err := readManifest(dir); err != nil || (m == nil) != written {
				t.Errorf("manifest: %v %v", m, err)
			}
		})
	}
}

// TestFileInPlaceOfDirectory: whoever meets it calls it damage, so that the
// index is made anew.
func TestFileInPlaceOfDirectory(t *testing.T) {
	dir := t.TempDir() + "/index"
	x := open(t, dir, Options{Fields: testFields()})
	apply(t, x, Batch{Seq: 1, Put: newCorpus(1).docs(0, 10)})
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(dir, nil, fileMode); err != nil {
		t.Fatal(err)
	}
	_, openErr := Open(dir, Options{Fields: testFields()})
	for what, err := range map[string]error{"open": openErr, "verify": x.Verify(), "flush": x.Flush()} {
		if !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
