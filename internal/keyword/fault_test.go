package keyword

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// failingFS fails one operation, counted from zero, and every write after it,
// as a full disk does.
type failingFS struct {
	osFS
	failAt int
	ops    int
	failed string // what failed
}

func (f *failingFS) next(op string) error {
	f.ops++
	if f.failAt >= 0 && f.ops > f.failAt {
		if f.failed == "" {
			f.failed = op
		}
		return &os.PathError{Op: op, Path: "test", Err: syscall.ENOSPC}
	}
	return nil
}

func (f *failingFS) create(name string) (outFile, error) {
	if err := f.next("create"); err != nil {
		return nil, err
	}
	file, err := f.osFS.create(name)
	return &failingFile{file, f}, err
}

func (f *failingFS) rename(from, to string) error {
	if err := f.next("rename"); err != nil {
		return err
	}
	return f.osFS.rename(from, to)
}

func (f *failingFS) syncDir(dir string) error {
	if err := f.next("sync directory"); err != nil {
		return err
	}
	return f.osFS.syncDir(dir)
}

type failingFile struct {
	outFile
	fs *failingFS
}

func (f *failingFile) Write(b []byte) (int, error) {
	if err := f.fs.next("write"); err != nil {
		n, _ := f.outFile.Write(b[:len(b)/2]) // a full disk takes a part
		return n, err
	}
	return f.outFile.Write(b)
}

func (f *failingFile) Sync() error {
	if err := f.fs.next("sync"); err != nil {
		return err
	}
	return f.outFile.Sync()
}

// TestDiskFull lets every single disk operation of a flush and of a merge fail
// in turn. The index must say so, go on answering as before, lose nothing, and
// recover once there is room again; a restart in between must be fine too.
func TestDiskFull(t *testing.T) {
	tests := []struct {
		name string
		run  func(x *Index) error
	}{
		{"flush", (*Index).Flush},
		{"compact", func(x *Index) error { return x.Compact(context.Background()) }},
		{"close", (*Index).Close},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			seen := make(map[string]bool)
			for failAt := 0; ; failAt++ {
				fs := &failingFS{failAt: -1}
				dir := t.TempDir()
				o := Options{Fields: testFields(), fs: fs}
				x := open(t, dir, o)
				c := newCorpus(1)
				first, second, third := c.docs(0, 300), c.docs(200, 500), c.docs(450, 600)
				apply(t, x, Batch{Seq: 1, Put: first})
				mustFlush(t, x)
				apply(t, x, Batch{Seq: 2, Put: second, Delete: []uint64{3, 4}})
				mustFlush(t, x)
				apply(t, x, Batch{Seq: 3, Put: third, Delete: []uint64{5, 210}})
				q := Query{Text: "word0 word3 word9 word30", K: 1000}
				want := ids(search(t, x, q))

				fs.ops, fs.failAt = 0, failAt
				err := tt.run(x)
				if fs.failed == "" {
					if err != nil {
						t.Fatalf("nothing failed, but: %v", err)
					}
					break // beyond the last operation
				}
				seen[fs.failed] = true
				if !errors.Is(err, syscall.ENOSPC) {
					t.Fatalf("operation %d (%s) failed, but the error is: %v", failAt, fs.failed, err)
				}
				if tt.name != "close" {
					if diff := cmp.Diff(sortedIDs(want), sortedIDs(ids(search(t, x, q)))); diff != "" {
						t.Fatalf("after failing operation %d (%s) (-want +got):\n%s", failAt, fs.failed, diff)
					}
				}
				crashed := t.TempDir()
				if err := os.CopyFS(crashed, os.DirFS(dir)); err != nil {
					t.Fatal(err)
				}
				catchUp(t, crashed, [][]Doc{first, second, third}, [][]uint64{nil, {3, 4}, {5, 210}}, q, want)

				fs.failAt = -1
				if tt.name == "close" {
					continue
				}
				if err := errors.Join(tt.run(x), x.Verify()); err != nil {
					t.Fatalf("with room again: %v", err)
				}
				if diff := cmp.Diff(sortedIDs(want), sortedIDs(ids(search(t, x, q)))); diff != "" {
					t.Fatalf("with room again (-want +got):\n%s", diff)
				}
				if x.DurableSeq() != 3 {
					t.Fatalf("DurableSeq is %d with room again", x.DurableSeq())
				}
			}
			for _, op := range []string{"create", "write", "sync", "rename", "sync directory"} {
				if !seen[op] {
					t.Errorf("%s never failed: the test does not reach it", op)
				}
			}
		})
	}
}

// catchUp opens a copied directory, applies what is not durable there, and
// compares the matches.
func catchUp(t *testing.T, dir string, puts [][]Doc, deletes [][]uint64, q Query, want []uint64) {
	t.Helper()
	x := open(t, dir, Options{Fields: testFields()})
	for seq := x.DurableSeq(); seq < uint64(len(puts)); seq++ {
		apply(t, x, Batch{Seq: seq + 1, Put: puts[seq], Delete: deletes[seq]})
	}
	if diff := cmp.Diff(sortedIDs(want), sortedIDs(ids(search(t, x, q)))); diff != "" {
		t.Fatalf("after a restart (-want +got):\n%s", diff)
	}
	if err := x.Verify(); err != nil {
		t.Fatal(err)
	}
	if files, _ := filepath.Glob(filepath.Join(dir, segmentPrefix+"*")); len(files) != x.Stats().Segments {
		t.Fatalf("%d segment files for %d segments: orphans were left", len(files), x.Stats().Segments)
	}
}

func sortedIDs(in []uint64) map[uint64]bool {
	out := make(map[uint64]bool)
	for _, id := range in {
		out[id] = true
	}
	return out
}

func mustFlush(t *testing.T, x *Index) {
	t.Helper()
	if err := x.Flush(); err != nil {
		t.Fatalf("Flush: %v", err)
	}
}

// TestApplyFailsWhole: when the flush before a batch fails, the batch is not
// applied.
func TestApplyFailsWhole(t *testing.T) {
	fs := &failingFS{failAt: -1}
	x := open(t, t.TempDir(), Options{FlushBytes: 1, fs: fs})
	apply(t, x, Batch{Seq: 1, Put: []Doc{{ID: 1, Text: []string{"old"}}}})
	fs.ops, fs.failAt = 0, 0
	if err := x.Apply(Batch{Seq: 2, Put: []Doc{{ID: 1, Text: []string{"new"}}}}); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("Apply: %v", err)
	}
	if got := ids(search(t, x, Query{Text: "old new"})); len(got) != 1 || x.Seq() != 1 {
		t.Errorf("found %v at %d", got, x.Seq())
	}
	fs.failAt = -1
	apply(t, x, Batch{Seq: 2, Put: []Doc{{ID: 1, Text: []string{"new"}}}})
	if got := ids(search(t, x, Query{Text: "new"})); len(got) != 1 {
		t.Errorf("found %v", got)
	}
}

func TestReadOnlyDirectory(t *testing.T) {
	if runtime.GOOS == "windows" || os.Getuid() == 0 {
		t.Skip("needs a user that modes apply to")
	}
	dir := t.TempDir()
	x := open(t, dir, Options{})
	apply(t, x, Batch{Seq: 1, Put: []Doc{{ID: 1, Text: []string{"kept"}}}})
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.Chmod(dir, 0o700) }()
	if err := x.Flush(); err == nil {
		t.Error("Flush worked in a read-only directory")
	}
	if got := ids(search(t, x, Query{Text: "kept"})); len(got) != 1 {
		t.Errorf("found %v", got)
	}
}

func TestDamage(t *testing.T) {
	build := func(t *testing.T) (dir, segment string) {
		dir = t.TempDir()
		x := open(t, dir, Options{Fields: testFields()})
		apply(t, x, Batch{Seq: 1, Put: newCorpus(2).docs(0, 400)})
		if err := x.Close(); err != nil {
			t.Fatal(err)
		}
		files, _ := filepath.Glob(filepath.Join(dir, segmentPrefix+"*"))
		return dir, files[0]
	}
	tests := []struct {
		name string
		do   func(t *testing.T, dir, segment string)
	}{
		{"segment missing", func(t *testing.T, _, s string) { check(t, os.Remove(s)) }},
		{"segment empty", func(t *testing.T, _, s string) { check(t, os.Truncate(s, 0)) }},
		{"segment cut short", func(t *testing.T, _, s string) { check(t, os.Truncate(s, 5000)) }},
		{"segment flipped", func(t *testing.T, _, s string) { flip(t, s, 3000) }},
		{"segment replaced", func(t *testing.T, _, s string) {
			other := t.TempDir()
			x := open(t, other, Options{Fields: testFields()})
			apply(t, x, Batch{Seq: 1, Put: newCorpus(9).docs(0, 400)})
			mustFlush(t, x)
			b, err := os.ReadFile(filepath.Join(other, filepath.Base(s)))
			check(t, err)
			check(t, os.WriteFile(s, b, 0o600))
		}},
		{"manifest flipped", func(t *testing.T, d, _ string) { flip(t, filepath.Join(d, manifestName), 30) }},
		{"manifest cut short", func(t *testing.T, d, _ string) { check(t, os.Truncate(filepath.Join(d, manifestName), 20)) }},
		{"manifest empty", func(t *testing.T, d, _ string) { check(t, os.Truncate(filepath.Join(d, manifestName), 0)) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir, segment := build(t)
			tt.do(t, dir, segment)
			if _, err := Open(dir, Options{Fields: testFields()}); !errors.Is(err, ErrDamaged) {
				t.Fatalf("Open: %v", err)
			}
			check(t, Remove(dir))
			if x := open(t, dir, Options{Fields: testFields()}); x.DurableSeq() != 0 {
				t.Error("a wiped index is not empty")
			}
		})
	}
}

// TestDamageWhileOpen: a file that changes under an open index is noticed by
// Verify, and one that is cut short does not bring the process down.
func TestDamageWhileOpen(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files are read into memory there")
	}
	x := open(t, t.TempDir(), Options{Fields: testFields()})
	apply(t, x, Batch{Put: newCorpus(2).docs(0, 4000)})
	mustFlush(t, x)
	check(t, x.Verify())
	name := filepath.Join(x.dir, segmentName(x.views[0].id))
	flip(t, name, 2000)
	if err := x.Verify(); !errors.Is(err, ErrDamaged) {
		t.Errorf("Verify of a flipped file: %v", err)
	}
	check(t, os.Truncate(name, 4096))
	if _, err := x.Search(t.Context(), Query{Text: "word0 word1"}); !errors.Is(err, ErrDamaged) {
		t.Errorf("Search in a file cut short: %v", err)
	}
	if err := x.Compact(t.Context()); err == nil && x.Stats().Segments > 1 {
		t.Errorf("Compact over a file cut short: %v", err)
	}
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func flip(t *testing.T, name string, at int64) {
	t.Helper()
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	check(t, err)
	defer func() { check(t, f.Close()) }()
	b := make([]byte, 1)
	_, err = f.ReadAt(b, at)
	check(t, err)
	b[0] ^= 0x40
	_, err = f.WriteAt(b, at)
	check(t, err)
}
