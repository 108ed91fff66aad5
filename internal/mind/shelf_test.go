package mind

import (
	"context"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"chitta/internal/config"
	"chitta/internal/store"
)

// fakeRows is a feed of rows in memory.
type fakeRows struct {
	rows map[int64]entry
	rev  int64
}

// put adds or changes a row.
func (f *fakeRows) put(seq int64, text, label string) {
	f.rev++
	f.rows[seq] = entry{seq: seq, rev: f.rev, embed: text, hash: "h:" + text, labels: []string{label}, time: time.UnixMilli(1)}
}

func (f *fakeRows) erase(seq int64) {
	f.rev++
	f.rows[seq] = entry{seq: seq, rev: f.rev, gone: true}
}

func (f *fakeRows) live() []int64 {
	var seqs []int64
	for _, seq := range slices.Sorted(maps.Keys(f.rows)) {
		if !f.rows[seq].gone {
			seqs = append(seqs, seq)
		}
	}
	return seqs
}

func (f *fakeRows) feed(owner store.Owner) feed {
	return feed{
		owner: owner,
		last:  func(context.Context) (int64, error) { return f.rev, nil },
		after: func(_ context.Context, rev int64, limit int) ([]entry, error) {
			var out []entry
			for _, e := range f.rows {
				if e.rev > rev {
					out = append(out, e)
				}
			}
			slices.SortFunc(out, func(a, b entry) int { return int(a.rev - b.rev) })
			return out[:min(len(out), limit)], nil
		},
		bySeq: func(_ context.Context, seqs []int64) (map[int64]entry, error) {
			out := map[int64]entry{}
			for _, seq := range seqs {
				if e, ok := f.rows[seq]; ok {
					out[seq] = e
				}
			}
			return out, nil
		}, filed: func(_ context.Context, seqs []int64) (map[int64]entry, error) {
			out := map[int64]entry{}
			for _, seq := range seqs {
				if e, ok := f.rows[seq]; ok {
					out[seq] = e
				}
			}
			return out, nil
		},
		each: func(_ context.Context, fn func(int64, string) error) error {
			for _, seq := range f.live() {
				if err := fn(seq, f.rows[seq].hash); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// fakeVectors embeds like the fake endpoint.
func fakeVectors(_ context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, text := range texts {
		var square float64
		v := wordVector(text, 16)
		for _, x := range v {
			square += x * x
		}
		out[i] = make([]float32, len(v))
		for j, x := range v {
			out[i][j] = float32(x / math.Sqrt(square))
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
		m, err := v.Model(ctx, "fake", "hash", 16, "", time.UnixMilli(1))
		if err != nil {
			t.Fatal(err)
		}
		rows := &fakeRows{rows: map[int64]entry{}}
		var s *shelf
		load := func() {
			if s, err = loadShelf(ctx, rows.feed(store.OwnerChunk), v, m); err != nil {
				t.Fatal(err)
			}
		}
		step := func() bool {
			did, err := s.step(ctx, fakeVectors)
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
				if seq := some(t); !rows.rows[seq].gone { // rows never come back
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
				if m, err = v.Model(ctx, "fake", "hash", 16, "", time.UnixMilli(1)); err != nil {
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
			if x.Text != rows.rows[x.Seq].hash {
				t.Errorf("row %d has the vector of %q, not of %q", x.Seq, x.Text, rows.rows[x.Seq].hash)
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
			want, _ := fakeVectors(ctx, []string{rows.rows[seq].embed})
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
	f := newEndpoint(t)
	memories, chunks := &fakeRows{rows: map[int64]entry{}}, &fakeRows{rows: map[int64]entry{}}
	for i := range int64(embedBatch + 10) {
		memories.put(i, fmt.Sprintf("memory %d", i), "a")
		chunks.put(i, fmt.Sprintf("chunk %d", i), "a")
	}
	cfg := config.Default()
	cfg.Home, cfg.Model = t.TempDir(), f.setting()
	m, _ := openTest(t)
	s := newSemantic(cfg, "source", []feed{memories.feed(store.OwnerMemory), chunks.feed(store.OwnerChunk)}, m.opts.Log, time.Now)
	s.open(t.Context())
	defer s.close()
	if err := s.maintain(t.Context()); err != nil {
		t.Fatal(err)
	}
	asked := f.asked("")[1:] // after the question for dimensions
	first := slices.IndexFunc(asked, func(s string) bool { return strings.HasPrefix(s, "chunk") })
	last := len(asked) - 1
	for !strings.HasPrefix(asked[last], "memory") {
		last--
	}
	if first < last {
		t.Errorf("chunk at %d, memory at %d", first, last)
	}
	for _, owner := range []store.Owner{store.OwnerMemory, store.OwnerChunk} {
		index, _, err := s.ready(owner)
		if err != nil || index.Len() != embedBatch+10 {
			t.Errorf("owner %d: %v", owner, err)
		}
	}
	if _, _, err := s.ready(store.Owner(99)); err == nil {
		t.Error("an owner without a feed is ready")
	}
	if err := s.erase(t.Context(), store.OwnerChunk, []int64{1}); err != nil {
		t.Fatal(err)
	}
	if index, _, err := s.ready(store.OwnerMemory); err != nil || index.Len() != embedBatch+10 {
		t.Errorf("erasing a chunk took a memory: %v", err)
	}
}
