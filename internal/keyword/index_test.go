package keyword

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	// The random tests are long: fewer runs than the library's default, which
	// -rapid.checks sets otherwise.
	_ = flag.Set("rapid.checks", "40")
	goleak.VerifyTestMain(m)
}

func TestIndex(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "keyword")
	x := open(t, dir, Options{Fields: []Field{{Name: "text"}, {Name: "title", Weight: 3}}})
	apply(t, x, Batch{Seq: 3, Put: []Doc{
		{ID: 1, Role: "user", Text: []string{"the build fails with ECONNREFUSED"}, Labels: []string{"realm=a"}, Time: 1000},
		{ID: 2, Role: "assistant", Text: []string{"start the database first, then build", "Build order"}, Labels: []string{"realm=a"}, Time: 2000},
		{ID: 3, Role: "user", Text: []string{"getUserName returns nil"}, Labels: []string{"realm=b"}, Time: 3000},
	}})

	hits := search(t, x, Query{Text: "why does the build fail?", Explain: true})
	if diff := cmp.Diff([]uint64{1, 2}, ids(hits)); diff != "" {
		t.Fatalf("build (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"build", "fail"}, hits[0].Terms); diff != "" {
		t.Errorf("what matched (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]uint64{3}, ids(search(t, x, Query{Text: "user name", Filter: Filter{All: [][]string{{"realm=b"}}}}))); diff != "" {
		t.Errorf("user name (-want +got):\n%s", diff)
	}

	// What is flushed survives a restart, and the caller knows where to go on.
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	x = open(t, dir, Options{Fields: []Field{{Name: "text"}, {Name: "title"}}})
	if got := x.DurableSeq(); got != 3 {
		t.Errorf("DurableSeq is %d, want 3", got)
	}
	apply(t, x, Batch{Seq: 4, Delete: []uint64{1}, Put: []Doc{{ID: 3, Text: []string{"nothing"}}}})
	if diff := cmp.Diff([]uint64{2}, ids(search(t, x, Query{Text: "build username econnrefused"}))); diff != "" {
		t.Errorf("after deleting (-want +got):\n%s", diff)
	}
}

func TestStopWordsAreFoundAlone(t *testing.T) {
	x := open(t, t.TempDir(), Options{})
	apply(t, x, Batch{Put: []Doc{{ID: 1, Text: []string{"to be or not to be"}}, {ID: 2, Text: []string{"something else"}}}})
	if diff := cmp.Diff([]uint64{1}, ids(search(t, x, Query{Text: "not to be"}))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestSearchOptions(t *testing.T) {
	x := open(t, t.TempDir(), Options{Fields: testFields()})
	apply(t, x, Batch{Put: []Doc{
		{ID: 1, Text: []string{"alpha beta", "gamma"}, Labels: []string{"x", "x"}, Time: -5},
		{ID: 2, Text: []string{"alpha alpha alpha", ""}, Labels: []string{"y"}, Time: 10},
		{ID: 3, Text: []string{"", "alpha"}, Time: 20},
	}})
	tests := []struct {
		name    string
		query   Query
		want    []uint64
		wantErr string
	}{
		{name: "field by field", query: Query{Text: "alpha"}, want: []uint64{3, 2, 1}},
		{name: "a field switched off", query: Query{Text: "alpha", Fields: []Field{{Name: "title", Weight: -1}}}, want: []uint64{2, 1}},
		{name: "k", query: Query{Text: "alpha", K: 1}, want: []uint64{3}},
		{name: "given terms", query: Query{Terms: []QueryTerm{{Term: "gamma"}, {Term: "alpha", Weight: 1e-9}}}, want: []uint64{1, 3, 2}},
		{name: "no terms", query: Query{Text: "…"}, want: []uint64{}},
		{name: "unknown term", query: Query{Text: "omega"}, want: []uint64{}},
		{name: "label", query: Query{Text: "alpha", Filter: Filter{All: [][]string{{"x", "y"}}}}, want: []uint64{2, 1}},
		{name: "empty group", query: Query{Text: "alpha", Filter: Filter{All: [][]string{{}}}}, want: []uint64{}},
		{name: "without a label", query: Query{Text: "alpha", Filter: Filter{None: []string{"y", "z"}}}, want: []uint64{3, 1}},
		{name: "after is inclusive", query: Query{Text: "alpha", Filter: Filter{After: 10}}, want: []uint64{3, 2}},
		{name: "before is exclusive", query: Query{Text: "alpha", Filter: Filter{Before: 20}}, want: []uint64{2, 1}},
		{name: "unknown field", query: Query{Text: "alpha", Fields: []Field{{Name: "body"}}}, wantErr: `no field is named "body"`},
		{name: "b above one", query: Query{Text: "alpha", Fields: []Field{{Name: "text", B: 1.5}}}, wantErr: "b is 1.5"},
		{name: "negative weight of a term", query: Query{Terms: []QueryTerm{{Term: "alpha", Weight: -1}}}, wantErr: "weight -1"},
	}
	check := func(t *testing.T) {
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				hits, err := x.Search(t.Context(), tt.query)
				if tt.wantErr != "" {
					if err == nil || !strings.Contains(err.Error(), tt.wantErr) {
						t.Fatalf("error %v, want %q", err, tt.wantErr)
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(tt.want, ids(hits)); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			})
		}
	}
	t.Run("live", check)
	if err := x.Flush(); err != nil {
		t.Fatal(err)
	}
	t.Run("flushed", check)
}

func TestLongQueryKeepsTheTellingTerms(t *testing.T) {
	x := open(t, t.TempDir(), Options{})
	var text strings.Builder
	for i := range 120 {
		fmt.Fprintf(&text, "common%d ", i)
	}
	var b Batch
	for id := range uint64(50) {
		b.Put = append(b.Put, Doc{ID: id, Text: []string{text.String()}})
	}
	b.Put = append(b.Put, Doc{ID: 99, Text: []string{"needle"}})
	apply(t, x, b)
	if hits := search(t, x, Query{Text: text.String() + "needle", K: 100}); len(hits) != 51 {
		t.Errorf("%d hits, want all 51", len(hits))
	}
}

func TestResultsDoNotDependOnSegments(t *testing.T) {
	docs := newCorpus(11).docs(0, 1200)
	var want [][]Hit
	for _, size := range []int{1200, 400, 77} {
		x := open(t, t.TempDir(), Options{Fields: testFields(), MergeFactor: 4})
		for at := 0; at < len(docs); at += size {
			apply(t, x, Batch{Put: docs[at:min(at+size, len(docs))]})
			if at%2 == 0 {
				if err := x.Flush(); err != nil {
					t.Fatal(err)
				}
			}
		}
		var got [][]Hit
		for _, compact := range []bool{false, true} {
			if compact {
				if err := x.Compact(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			queries := newCorpus(5)
			for range 20 {
				got = append(got, search(t, x, Query{Text: queries.words(4), K: 20}))
			}
		}
		if want == nil {
			want = got
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("in batches of %d (-one batch +now):\n%s", size, diff)
		}
	}
}

func TestMaintainBoundsSegments(t *testing.T) {
	x := open(t, t.TempDir(), Options{Fields: testFields(), MergeFactor: 3})
	c := newCorpus(3)
	for i := range uint64(30) {
		apply(t, x, Batch{Put: c.docs(i*50, i*50+50)})
		if err := x.Flush(); err != nil {
			t.Fatal(err)
		}
		if err := x.Maintain(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if st := x.Stats(); st.Segments > 5 || st.Docs != 1500 {
		t.Errorf("%+v", st)
	}
	var b Batch
	for id := range uint64(1500) {
		if id%2 == 0 {
			b.Delete = append(b.Delete, id)
		}
	}
	apply(t, x, b)
	before := x.Stats()
	if err := x.Maintain(t.Context()); err != nil {
		t.Fatal(err)
	}
	if st := x.Stats(); st.Deleted != 0 || st.DiskBytes >= before.DiskBytes {
		t.Errorf("deleted documents were not reclaimed: %+v, before %+v", st, before)
	}
	if files, _ := filepath.Glob(filepath.Join(x.dir, segmentPrefix+"*")); len(files) != x.Stats().Segments {
		t.Errorf("%d segment files for %d segments", len(files), x.Stats().Segments)
	}
}

func TestMaintainStops(t *testing.T) {
	x := open(t, t.TempDir(), Options{Fields: testFields(), MergeFactor: 2})
	for i := range uint64(4) {
		apply(t, x, Batch{Put: newCorpus(i).docs(i*50, i*50+50)})
		if err := x.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := x.Maintain(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Maintain: %v", err)
	}
	if _, err := x.Search(ctx, Query{Text: "word1"}); !errors.Is(err, context.Canceled) {
		t.Errorf("Search: %v", err)
	}
	if st := x.Stats(); st.Segments != 4 {
		t.Errorf("%+v", st)
	}
}

// TestConcurrentUse has readers run against every kind of writer. Each doc is
// replaced over and over, always with the same rare word, so that a search must
// find each exactly once at any moment.
func TestConcurrentUse(t *testing.T) {
	const docs, rounds = 40, 25
	x := open(t, t.TempDir(), Options{FlushBytes: 30_000, MergeFactor: 2})
	put := func(round int) {
		var b Batch
		for id := range uint64(docs) {
			b.Put = append(b.Put, Doc{ID: id, Role: fmt.Sprint(round % 3), Text: []string{fmt.Sprintf("needle round%d filler%d", round, id)}})
		}
		apply(t, x, b)
	}
	put(0)
	done := make(chan struct{})
	var readers, writers sync.WaitGroup
	for range 3 {
		readers.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				hits, err := x.Search(context.Background(), Query{Text: "needle", K: 2 * docs})
				if err != nil || len(hits) != docs {
					t.Errorf("%d hits, %v", len(hits), err)
					return
				}
				_ = x.Stats()
				runtime.Gosched()
			}
		})
	}
	writers.Go(func() {
		for i := range rounds {
			put(i)
		}
	})
	writers.Go(func() {
		for range rounds {
			if err := errors.Join(x.Flush(), x.Maintain(context.Background())); err != nil {
				t.Errorf("maintaining: %v", err)
			}
		}
	})
	writers.Go(func() {
		for range 5 {
			if err := errors.Join(x.Compact(context.Background()), x.Verify()); err != nil {
				t.Errorf("compacting: %v", err)
			}
		}
	})
	writers.Wait()
	close(done)
	readers.Wait()
}

func TestOptionsChanged(t *testing.T) {
	dir := t.TempDir()
	x := open(t, dir, Options{Fields: []Field{{Name: "a"}}})
	apply(t, x, Batch{Put: []Doc{{ID: 1, Text: []string{"x"}}}})
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir, Options{Fields: []Field{{Name: "b"}}}); !errors.Is(err, ErrOptionsChanged) {
		t.Errorf("other field: %v", err)
	}
	x = open(t, dir, Options{Fields: []Field{{Name: "a", Weight: 9, K1: 2, B: 1}}, FlushBytes: 1})
	if st := x.Stats(); st.Docs != 1 {
		t.Errorf("other parameters: %+v", st)
	}
}

func TestApplyRefuses(t *testing.T) {
	x := open(t, t.TempDir(), Options{})
	if err := x.Apply(Batch{Seq: 1, Put: []Doc{{ID: 1, Text: []string{"a", "b"}}}}); err == nil {
		t.Error("a document with too many texts was taken")
	}
	for i := range maxRoles {
		apply(t, x, Batch{Put: []Doc{{ID: 1, Role: fmt.Sprint(i), Text: []string{"a"}}}})
	}
	if err := x.Apply(Batch{Seq: 2, Put: []Doc{{ID: 1, Role: "one more"}}}); err == nil {
		t.Error("more roles than possible were taken")
	}
	if got := ids(search(t, x, Query{Text: "a"})); len(got) != 1 || x.Seq() != 0 {
		t.Errorf("found %v at %d", got, x.Seq())
	}
}

func TestClosed(t *testing.T) {
	x := open(t, t.TempDir(), Options{})
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	_, err := x.Search(t.Context(), Query{Text: "a"})
	for _, err := range []error{err, x.Apply(Batch{}), x.Flush(), x.Close(), x.Verify(), x.Maintain(t.Context()), x.Compact(t.Context())} {
		if !errors.Is(err, ErrClosed) {
			t.Errorf("got %v, want ErrClosed", err)
		}
	}
}

func TestRemove(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "index")
	x := open(t, dir, Options{})
	apply(t, x, Batch{Put: []Doc{{ID: 1, Text: []string{"x"}}}})
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(dir, "notes.txt")
	if err := os.WriteFile(other, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Remove(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(other); err != nil {
		t.Errorf("a file of someone else is gone: %v", err)
	}
	if err := os.Remove(other); err != nil {
		t.Fatal(err)
	}
	for range 2 { // also when nothing is there
		if err := Remove(dir); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the directory is still there: %v", err)
	}
}

func TestFileModes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes mean nothing there")
	}
	dir := filepath.Join(t.TempDir(), "index")
	x := open(t, dir, Options{})
	apply(t, x, Batch{Put: []Doc{{ID: 1, Text: []string{"x"}}}})
	if err := x.Flush(); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", path, info.Mode())
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
