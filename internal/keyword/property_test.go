package keyword

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/RoaringBitmap/roaring/v2/roaring64"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestSearchEqualsReference drives an index through random changes, flushes,
// merges, restarts and crashes. After every step, pruned search, exhaustive
// search and the plain reference must agree on ids and scores.
func TestSearchEqualsReference(t *testing.T) {
	base := t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		dir, err := os.MkdirTemp(base, "")
		if err != nil {
			rt.Fatal(err)
		}
		m := newMachine(rt, dir)
		defer func() { _ = m.x.Close() }()
		rt.Repeat(map[string]func(*rapid.T){
			"put":      m.put,
			"delete":   m.delete,
			"flush":    m.flush,
			"maintain": m.maintain,
			"compact":  m.compact,
			"reopen":   m.reopen,
			"crash":    m.crash,
			"":         m.check,
		})
	})
}

// machine is an index under test and what should be in it.
type machine struct {
	dir      string
	x        *Index
	corpus   *corpus
	versions map[int64]Doc // all that were ever put, by time
	log      []Batch       // all batches, for catching up after a crash
	current  map[uint64]Doc
}

func (m *machine) options() Options {
	return Options{Fields: testFields(), FlushBytes: 60_000, MergeFactor: 3}
}

func newMachine(t *rapid.T, dir string) *machine {
	m := &machine{dir: dir, corpus: newCorpus(rapid.Uint64().Draw(t, "seed")),
		versions: make(map[int64]Doc), current: make(map[uint64]Doc)}
	m.open(t)
	return m
}

func (m *machine) open(t *rapid.T) {
	x, err := Open(m.dir, m.options())
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	m.x = x
}

func (m *machine) apply(t *rapid.T, b Batch) {
	b.Seq = uint64(len(m.log) + 1)
	m.log = append(m.log, b)
	for _, id := range b.Delete {
		delete(m.current, id)
	}
	for _, d := range b.Put {
		m.versions[d.Time] = d
		m.current[d.ID] = d
	}
	if err := m.x.Apply(b); err != nil {
		t.Fatalf("Apply: %v", err)
	}
}

// put adds documents, most of them new, some replacing others or themselves.
func (m *machine) put(t *rapid.T) {
	n := rapid.SampledFrom([]int{1, 3, 40, 150}).Draw(t, "documents")
	span := rapid.SampledFrom([]int{30, 2000}).Draw(t, "span of ids")
	var b Batch
	for range n {
		b.Put = append(b.Put, m.corpus.doc(uint64(m.corpus.rng.IntN(span))))
	}
	m.apply(t, b)
}

func (m *machine) delete(t *rapid.T) {
	var b Batch
	share := rapid.SampledFrom([]int{2, 10}).Draw(t, "one in")
	for id := range m.current {
		if m.corpus.rng.IntN(share) == 0 {
			b.Delete = append(b.Delete, id)
		}
	}
	b.Delete = append(b.Delete, 1<<40) // not there
	m.apply(t, b)
}

func (m *machine) flush(t *rapid.T) {
	if err := m.x.Flush(); err != nil {
		t.Fatalf("Flush: %v", err)
	}
	if got, want := m.x.DurableSeq(), uint64(len(m.log)); got != want {
		t.Fatalf("DurableSeq is %d after Flush, want %d", got, want)
	}
}

func (m *machine) maintain(t *rapid.T) {
	if err := m.x.Maintain(context.Background()); err != nil {
		t.Fatalf("Maintain: %v", err)
	}
}

func (m *machine) compact(t *rapid.T) {
	if err := m.x.Compact(context.Background()); err != nil {
		t.Fatalf("Compact: %v", err)
	}
	if st := m.x.Stats(); st.Deleted != 0 || st.Segments > 1 {
		t.Fatalf("after Compact: %+v", st)
	}
	// Nothing of the past is left: a new index of the same documents, in
	// another order and in memory, gives the same.
	dir, err := os.MkdirTemp(filepath.Dir(m.dir), "")
	if err != nil {
		t.Fatal(err)
	}
	x, err := Open(dir, Options{Fields: testFields()})
	if err != nil {
		t.Fatal(err)
	}
	if err := x.Apply(Batch{Put: slices.Collect(maps.Values(m.current))}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(results(t, x), results(t, m.x)); diff != "" {
		t.Fatalf("compacted and new index differ (-new +compacted):\n%s", diff)
	}
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
}

func (m *machine) reopen(t *rapid.T) {
	// A flush drops what was replaced in memory, so scores are taken after it.
	m.flush(t)
	before := results(t, m.x)
	if err := m.x.Close(); err != nil {
		t.Fatalf("Close: %v", err)
	}
	m.open(t)
	if got, want := m.x.DurableSeq(), uint64(len(m.log)); got != want {
		t.Fatalf("DurableSeq is %d after reopening, want %d", got, want)
	}
	if diff := cmp.Diff(before, results(t, m.x)); diff != "" {
		t.Fatalf("results after reopening (-before +after):\n%s", diff)
	}
}

func results(t *rapid.T, x *Index) []Hit {
	hits, err := x.Search(context.Background(), Query{Text: "word0 word7 word20", K: 1 << 20})
	if err != nil {
		t.Fatalf("Search: %v", err)
	}
	return hits
}

// crash goes on from a copy of the directory as it is, and catches up.
func (m *machine) crash(t *rapid.T) {
	dir, err := os.MkdirTemp(filepath.Dir(m.dir), "")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(dir, os.DirFS(m.dir)); err != nil {
		t.Fatal(err)
	}
	_ = m.x.Close()
	m.dir = dir
	m.open(t)
	for _, b := range m.log[m.x.DurableSeq():] {
		if err := m.x.Apply(b); err != nil {
			t.Fatalf("Apply while catching up: %v", err)
		}
	}
	if got, want := m.x.Seq(), uint64(len(m.log)); got != want {
		t.Fatalf("Seq is %d after catching up, want %d", got, want)
	}
}

func (m *machine) query(t *rapid.T) Query {
	q := Query{
		Text:    m.corpus.words(rapid.IntRange(1, 6).Draw(t, "terms")),
		K:       rapid.SampledFrom([]int{1, 3, 10, 100}).Draw(t, "k"),
		RoleIDF: rapid.Bool().Draw(t, "idf by role"),
	}
	switch rapid.IntRange(0, 6).Draw(t, "filter") {
	case 1:
		q.Filter.All = [][]string{{"label=a"}}
	case 2:
		q.Filter.All = [][]string{{"label=a", "label=b"}, {"label=c", "label=none"}}
	case 3:
		q.Filter.None = []string{"label=b"}
	case 4:
		q.Filter.After = m.corpus.time - int64(m.corpus.rng.IntN(400))
	case 5:
		q.Filter.Before = m.corpus.time - int64(m.corpus.rng.IntN(400))
		q.Filter.After = q.Filter.Before - 100
	case 6:
		q.Filter.IDs = roaring64.New()
		for range rapid.SampledFrom([]int{0, 5, 500}).Draw(t, "allowed") {
			q.Filter.IDs.Add(uint64(m.corpus.rng.IntN(1000)))
		}
	}
	switch rapid.IntRange(0, 3).Draw(t, "parameters") {
	case 1:
		q.Fields = []Field{{Name: "text", K1: 2, B: -1, Weight: 0.3}}
	case 2:
		q.Fields = []Field{{Name: "title", Weight: -1}, {Name: "text", B: 1}}
	case 3:
		q.Fields = []Field{{Name: "title", K1: -1}}
	}
	return q
}

func (m *machine) check(t *rapid.T) {
	stored := resident(t, m.x, m.versions)
	alive := 0
	for _, d := range stored {
		if d.deleted {
			continue
		}
		alive++
		if diff := cmp.Diff(m.current[d.ID], d.Doc); diff != "" {
			t.Fatalf("a stale version can be found (-want +got):\n%s", diff)
		}
	}
	if alive != len(m.current) || m.x.Stats().Docs != alive {
		t.Fatalf("%d documents can be found, %d in statistics, want %d", alive, m.x.Stats().Docs, len(m.current))
	}
	if err := m.x.Verify(); err != nil {
		t.Fatalf("Verify: %v", err)
	}
	ref := reference{fields: testFields(), stored: stored}
	for range 2 {
		q := m.query(t)
		want := ref.search(q)
		got, err := m.x.Search(context.Background(), q)
		if err != nil {
			t.Fatalf("Search: %v", err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("pruned search differs from the reference for %+v (-want +got):\n%s", q, diff)
		}
		q.Exhaustive = true
		got, err = m.x.Search(context.Background(), q)
		if err != nil {
			t.Fatalf("exhaustive Search: %v", err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("exhaustive search differs from the reference for %+v (-want +got):\n%s", q, diff)
		}
	}
}
