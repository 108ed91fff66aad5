package meaning

import (
	"context"
	"fmt"
	"hash/fnv"
	"log/slog"
	"maps"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"chitta/internal/config"
	"chitta/internal/embed"
	"chitta/internal/follow"
	"chitta/internal/store"
)

// fakeRows is a feed of rows in memory.
type fakeRows struct {
	rows map[int64]follow.Entry
	rev  int64
}

// put adds or changes a row.
func (f *fakeRows) put(seq int64, text, label string) {
	f.rev++
	f.rows[seq] = follow.Entry{Seq: seq, Rev: f.rev, Embed: text, Hash: "h:" + text, Labels: []string{label}, Time: time.UnixMilli(1)}
}

func (f *fakeRows) erase(seq int64) {
	f.rev++
	f.rows[seq] = follow.Entry{Seq: seq, Rev: f.rev, Gone: true}
}

func (f *fakeRows) live() []int64 {
	var seqs []int64
	for _, seq := range slices.Sorted(maps.Keys(f.rows)) {
		if !f.rows[seq].Gone {
			seqs = append(seqs, seq)
		}
	}
	return seqs
}

func (f *fakeRows) feed(owner store.Owner) follow.Feed {
	return follow.Feed{
		Owner: owner,
		Last:  func(context.Context) (int64, error) { return f.rev, nil },
		After: func(_ context.Context, rev int64, limit int) ([]follow.Entry, error) {
			var out []follow.Entry
			for _, e := range f.rows {
				if e.Rev > rev {
					out = append(out, e)
				}
			}
			slices.SortFunc(out, func(a, b follow.Entry) int { return int(a.Rev - b.Rev) })
			return out[:min(len(out), limit)], nil
		},
		BySeq: func(_ context.Context, seqs []int64) (map[int64]follow.Entry, error) {
			out := map[int64]follow.Entry{}
			for _, seq := range seqs {
				if e, ok := f.rows[seq]; ok {
					out[seq] = e
				}
			}
			return out, nil
		}, Filed: func(_ context.Context, seqs []int64) (map[int64]follow.Entry, error) {
			out := map[int64]follow.Entry{}
			for _, seq := range seqs {
				if e, ok := f.rows[seq]; ok {
					out[seq] = e
				}
			}
			return out, nil
		},
		Each: func(_ context.Context, fn func(int64, string) error) error {
			for _, seq := range f.live() {
				if err := fn(seq, f.rows[seq].Hash); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// fakeModel makes a vector of each text that nothing but the text decides, and
// notes what it was asked for.
type fakeModel struct{ asked []string }

// fakeDims is how many dimensions its vectors have.
const fakeDims = 16

func (*fakeModel) Info() embed.Info { return embed.Info{ID: "fake", Hash: "hash", Dims: fakeDims} }

func (*fakeModel) Close() error { return nil }

func (f *fakeModel) Embed(_ context.Context, texts []string) ([][]float32, error) {
	f.asked = append(f.asked, texts...)
	out := make([][]float32, len(texts))
	for i, text := range texts {
		h := fnv.New64a()
		h.Write([]byte(text))
		r := rand.New(rand.NewPCG(h.Sum64(), 1))
		out[i] = make([]float32, fakeDims)
		var square float64
		for j := range out[i] {
			x := r.NormFloat64()
			out[i][j], square = float32(x), square+x*x
		}
		for j := range out[i] {
			out[i][j] /= float32(math.Sqrt(square))
		}
	}
	return out, nil
}

// TestAShelfKeepsInStep does anything in any order, crashes included: in the
// end every row has the vector of its text and nothing else is left.
func TestAShelfKeepsInStep(t *testing.T) {
	dir := t.TempDir()
	round := 0
	rapid.Check(t, func(t *rapid.T) {
		ctx := context.Background()
		round++
		v, err := store.OpenVectors(ctx, filepath.Join(dir, fmt.Sprintf("%d.db", round)))
		if err != nil {
			t.Fatal(err)
		}
		defer v.Close()
		fake := &fakeModel{}
		m, err := v.Model(ctx, "fake", "hash", fakeDims, "", time.UnixMilli(1))
		if err != nil {
			t.Fatal(err)
		}
		rows := &fakeRows{rows: map[int64]follow.Entry{}}
		var s *shelf
		load := func() {
			if s, err = loadShelf(ctx, rows.feed(store.OwnerChunk), v, m); err != nil {
				t.Fatal(err)
			}
		}
		step := func() bool {
			did, err := s.step(ctx, fake.Embed)
			if err != nil {
				t.Fatal(err)
			}
			return did
		}
		follow := func() {
			if err := s.follow(ctx); err != nil {
				t.Fatal(err)
			}
		}
		load()
		some := func(t *rapid.T) int64 { return rapid.Int64Range(1, 20).Draw(t, "row") }
		text := func(t *rapid.T) string { return rapid.SampledFrom([]string{"one", "two", "three"}).Draw(t, "text") }
		t.Repeat(map[string]func(*rapid.T){
			"put": func(t *rapid.T) {
				if seq := some(t); !rows.rows[seq].Gone { // rows never come back
					rows.put(seq, text(t), rapid.SampledFrom([]string{"a", "b"}).Draw(t, "label"))
				}
			},
			"erase":   func(t *rapid.T) { rows.erase(some(t)) },
			"follow":  func(*rapid.T) { follow() },
			"step":    func(*rapid.T) { step() },
			"retire":  func(*rapid.T) { s.retire() },
			"revive":  func(*rapid.T) { s.revive() },
			"restart": func(*rapid.T) { load() },
			"lose the file": func(t *rapid.T) {
				if err := v.Forget(ctx, m.ID); err != nil {
					t.Fatal(err)
				}
				if m, err = v.Model(ctx, "fake", "hash", fakeDims, "", time.UnixMilli(1)); err != nil {
					t.Fatal(err)
				}
				if err := s.restore(ctx, v, m.ID); err != nil {
					t.Fatal(err)
				}
			},
		})
		follow()
		s.revive()
		for step() {
		}
		var stored []int64
		err = v.Each(ctx, m, store.OwnerChunk, func(x store.Vector) error {
			if x.Text != rows.rows[x.Seq].Hash {
				t.Errorf("row %d has the vector of %q, not of %q", x.Seq, x.Text, rows.rows[x.Seq].Hash)
			}
			stored = append(stored, x.Seq)
			return nil
		})
		if diff := cmp.Diff(rows.live(), stored); diff != "" || err != nil {
			t.Fatalf("on disk, %v (-want +got):\n%s", err, diff)
		}
		if s.index.Len() != len(stored) || s.missing.Load() != 0 {
			t.Fatalf("%d vectors in memory, %d on disk, %d missing", s.index.Len(), len(stored), s.missing.Load())
		}
		for _, seq := range stored {
			got, ok := s.index.Vector(uint64(seq))
			want, _ := fake.Embed(ctx, []string{rows.rows[seq].Embed})
			if !ok || !near(got, want[0]) {
				t.Errorf("row %d: %v, want %v", seq, got, want[0])
			}
		}
	})
}

func near(a, b []float32) bool {
	var dot float64
	for i := range a {
		dot += float64(a[i]) * float64(b[i])
	}
	return dot > 0.999
}

// TestMemoriesComeBeforeConversations embeds two feeds with one model.
func TestMemoriesComeBeforeConversations(t *testing.T) {
	fake := &fakeModel{}
	memories, chunks := &fakeRows{rows: map[int64]follow.Entry{}}, &fakeRows{rows: map[int64]follow.Entry{}}
	for i := range int64(embedBatch + 10) {
		memories.put(i, fmt.Sprintf("memory %d", i), "a")
		chunks.put(i, fmt.Sprintf("chunk %d", i), "a")
	}
	cfg := config.Default()
	cfg.Home = t.TempDir()
	s := New(Options{
		Config: cfg, Source: "source", Feeds: []follow.Feed{memories.feed(store.OwnerMemory), chunks.feed(store.OwnerChunk)},
		Model: func() (embed.Model, error) { return fake, nil }, Log: slog.New(slog.DiscardHandler), Now: time.Now,
	})
	s.Open(t.Context())
	defer s.Close()
	for more := true; more; {
		var err error
		if more, err = s.Round(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	asked := fake.asked
	first := slices.IndexFunc(asked, func(s string) bool { return strings.HasPrefix(s, "chunk") })
	last := len(asked) - 1
	for !strings.HasPrefix(asked[last], "memory") {
		last--
	}
	if first < last {
		t.Errorf("chunk at %d, memory at %d", first, last)
	}
	for _, owner := range []store.Owner{store.OwnerMemory, store.OwnerChunk} {
		index, _, err := s.Ready(owner)
		if err != nil || index.Len() != embedBatch+10 {
			t.Errorf("owner %d: %v", owner, err)
		}
	}
	if _, _, err := s.Ready(store.Owner(99)); err == nil {
		t.Error("an owner without a feed is ready")
	}
	if err := s.Erase(t.Context(), store.OwnerChunk, []int64{1}); err != nil {
		t.Fatal(err)
	}
	if index, _, err := s.Ready(store.OwnerMemory); err != nil || index.Len() != embedBatch+10 {
		t.Errorf("erasing a chunk took a memory: %v", err)
	}
}
