package keyword

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/RoaringBitmap/roaring/v2/roaring64"
)

// readings are all ways to read segments of an open index.
func readings(x *Index) map[string]func() error {
	ctx := context.Background()
	find := func(q Query) func() error {
		return func() error { _, err := x.Search(ctx, q); return err }
	}
	text := "word0 word1 word3 word9 word30"
	some := roaring64.BitmapOf(1, 5, 90, 200, 4000)
	most := roaring64.New()
	most.AddRange(0, 350)
	return map[string]func() error{
		"search":      find(Query{Text: text, K: 20, Explain: true}),
		"all":         find(Query{Text: text, K: 1000, Exhaustive: true}),
		"labels":      find(Query{Text: text, Filter: Filter{All: [][]string{{"realm=1", "realm=2"}}, None: []string{"kind=x"}}}),
		"times":       find(Query{Text: text, Filter: Filter{After: 1, Before: 1 << 40}}),
		"some ids":    find(Query{Text: text, Filter: Filter{IDs: some}}),
		"most ids":    find(Query{Text: text, Filter: Filter{IDs: most}}),
		"must":        find(Query{Text: text, Must: []string{"word0", "word3"}}),
		"list of ids": func() error { _, err := x.IDs(ctx, Filter{}); return err },
		"delete":      func() error { return x.Apply(Batch{Delete: []uint64{100_000, 17}}) },
	}
}

// TestChangedWhileOpen changes bytes of a segment, one here and there, while
// the index is open. Whatever is read, it works or says that there is damage;
// Verify always says so; and the index remembers.
func TestChangedWhileOpen(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files are read into memory there")
	}
	x := open(t, t.TempDir(), Options{Fields: testFields()})
	apply(t, x, Batch{Put: newCorpus(2).docs(0, 400)})
	mustFlush(t, x)
	file, err := os.OpenFile(filepath.Join(x.dir, segmentName(x.views[0].id)), os.O_RDWR, 0)
	check(t, err)
	defer file.Close()
	info, err := file.Stat()
	check(t, err)
	// a prime, so that all kinds of fields and places in them have their turn
	const stride = 61
	met := 0
	for at, n := int64(0), 0; at < info.Size(); at, n = at+stride, n+1 {
		old := make([]byte, 1)
		_, err := file.ReadAt(old, at)
		check(t, err)
		_, err = file.WriteAt([]byte{old[0] ^ []byte{0x01, 0x40, 0xff}[n%3]}, at)
		check(t, err)
		for name, read := range readings(x) {
			err := read()
			if err != nil && !errors.Is(err, ErrDamaged) {
				t.Fatalf("byte %d, %s: %v", at, name, err)
			}
			if err != nil {
				met++
				if x.Damaged() == nil {
					t.Fatalf("byte %d, %s: %v is not remembered", at, name, err)
				}
			}
		}
		if x.segmentChecked(at) {
			if err := x.Verify(); !errors.Is(err, ErrDamaged) || x.Damaged() == nil {
				t.Fatalf("byte %d: Verify: %v, remembered %v", at, err, x.Damaged())
			}
		}
		_, err = file.WriteAt(old, at)
		check(t, err)
		x.damaged.Store(nil)
	}
	if met == 0 {
		t.Error("no reading met damage")
	}
	if err := errors.Join(x.Verify(), x.Damaged()); err != nil {
		t.Errorf("with all bytes as they were: %v", err)
	}
}

// segmentChecked reports whether a byte is in a section: the table around them
// is only read when a file is opened.
func (x *Index) segmentChecked(at int64) bool {
	size := 0
	for _, sec := range x.views[0].sections {
		size += len(sec.body)
	}
	return at >= int64(segmentHead) && at < int64(segmentHead+size)
}

// TestCutShortWhileOpen cuts files of an open index short at many lengths.
func TestCutShortWhileOpen(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files are read into memory there")
	}
	const cuts = 6
	for cut := range cuts {
		x := open(t, t.TempDir(), Options{Fields: testFields()})
		apply(t, x, Batch{Put: newCorpus(2).docs(0, 2000)})
		mustFlush(t, x)
		apply(t, x, Batch{Put: newCorpus(2).docs(2000, 2100)})
		mustFlush(t, x)
		name := filepath.Join(x.dir, segmentName(x.views[0].id))
		check(t, os.Truncate(name, int64(x.views[0].size)*int64(cut)/cuts))
		for what, read := range readings(x) {
			if err := read(); err != nil && !errors.Is(err, ErrDamaged) {
				t.Fatalf("cut to %d/%d, %s: %v", cut, cuts, what, err)
			}
		}
		if err := x.Compact(t.Context()); !errors.Is(err, ErrDamaged) {
			t.Errorf("cut to %d/%d: Compact: %v", cut, cuts, err)
		}
		if err := x.Verify(); !errors.Is(err, ErrDamaged) || x.Damaged() == nil {
			t.Errorf("cut to %d/%d: Verify: %v, remembered %v", cut, cuts, err, x.Damaged())
		}
	}
}

// TestManifestWhileOpen: nothing but Verify reads the manifest of an open index.
func TestManifestWhileOpen(t *testing.T) {
	tests := []struct {
		name string
		do   func(t *testing.T, manifest string)
	}{
		{"flipped", func(t *testing.T, m string) { flip(t, m, 30) }},
		{"cut short", func(t *testing.T, m string) { check(t, os.Truncate(m, 20)) }},
		{"empty", func(t *testing.T, m string) { check(t, os.Truncate(m, 0)) }},
		{"gone", func(t *testing.T, m string) { check(t, os.Remove(m)) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			x := open(t, t.TempDir(), Options{Fields: testFields()})
			apply(t, x, Batch{Put: newCorpus(2).docs(0, 50)})
			mustFlush(t, x)
			tt.do(t, filepath.Join(x.dir, manifestName))
			search(t, x, Query{Text: "word0 word1"})
			if x.Damaged() != nil {
				t.Errorf("a search met damage: %v", x.Damaged())
			}
			if err := x.Verify(); !errors.Is(err, ErrDamaged) || !errors.Is(x.Damaged(), ErrDamaged) {
				t.Errorf("Verify: %v, remembered %v", err, x.Damaged())
			}
		})
	}
}
