package recall

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"chitta/internal/vector"
)

// TestTimelineKeepsOrder compares with sorting everything anew.
func TestTimelineKeepsOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := NewTimeline()
		have := map[int64]Place{}
		for range rapid.IntRange(1, 30).Draw(t, "batches") {
			var put []Place
			for range rapid.IntRange(0, 5).Draw(t, "puts") {
				p := Place{
					Seq: rapid.Int64Range(1, 40).Draw(t, "seq"), Session: rapid.Int64Range(1, 3).Draw(t, "session"),
					First: rapid.Int64Range(0, 9).Draw(t, "first"), Part: rapid.IntRange(0, 2).Draw(t, "part"),
					Agent: rapid.SampledFrom([]string{"", "a"}).Draw(t, "agent"), Speaker: rapid.SampledFrom([]string{"", "Ann", "Bob"}).Draw(t, "speaker"),
				}
				put = append(put, p)
			}
			gone := rapid.SliceOfN(rapid.Int64Range(1, 40), 0, 3).Draw(t, "gone")
			line.Apply(put, gone)
			for _, seq := range gone {
				delete(have, seq)
			}
			for _, p := range put {
				have[p.Seq] = p
			}
		}
		if line.Len() != len(have) {
			t.Fatalf("%d chunks, want %d", line.Len(), len(have))
		}
		streams := map[stream][]Place{}
		names := map[string]bool{}
		for _, p := range have {
			key := stream{p.Session, p.Agent}
			streams[key] = append(streams[key], p)
			if p.Speaker != "" {
				names[personOf(p.Speaker)] = true
			}
		}
		if got := line.People("", true); len(got) != len(names) {
			t.Fatalf("speakers %v, want %v", got, names)
		}
		for key, want := range streams {
			slices.SortFunc(want, func(a, b Place) int {
				return cmp.Or(cmp.Compare(a.First, b.First), cmp.Compare(a.Part, b.Part), cmp.Compare(a.Seq, b.Seq))
			})
			got := line.streams[key].spots
			if len(got) != len(want) {
				t.Fatalf("%v has %d, want %d", key, len(got), len(want))
			}
			for i := range want {
				if got[i].Place != want[i] || got[i].index != i {
					t.Fatalf("%v at %d: %+v, want %+v", key, i, got[i], want[i])
				}
				var before, after int64
				if i > 0 {
					before = want[i-1].Seq
				}
				if i+1 < len(want) {
					after = want[i+1].Seq
				}
				if got[i].before != before || got[i].after != after {
					t.Fatalf("%v at %d stands between %d and %d, want %d and %d", key, i, got[i].before, got[i].after, before, after)
				}
			}
			if single := want[0].First == want[len(want)-1].First; line.streams[key].single != single {
				t.Fatalf("%v is a single message: %v, want %v", key, !single, single)
			}
		}
	})
}

func TestWindows(t *testing.T) {
	index, err := vector.New(vector.Options{Dims: 8})
	if err != nil {
		t.Fatal(err)
	}
	axis := func(i int) []float32 { v := make([]float32, 8); v[i] = 1; return v }
	err = index.Apply([]vector.Item{{ID: 1, Vector: axis(0)}, {ID: 2, Vector: axis(1)}, {ID: 3, Vector: axis(0)}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	line := NewTimeline()
	line.Apply([]Place{{Seq: 1, Session: 1, First: 0}, {Seq: 2, Session: 1, First: 1}, {Seq: 3, Session: 1, First: 2}, {Seq: 4, Session: 1, First: 3}}, nil)
	found := &lists{meaning: []vector.Hit{{ID: 2, Score: 0}}, index: index, vector: axis(0)}
	s := line.scene(found, &Query{})
	if err := s.measure(found, &windowLengths{}); err != nil {
		t.Fatal(err)
	}
	want := map[int64][2]float64{
		1: {1, 0.894}, // (1,0) + ½(0,1) = (1,½)
		2: {0, 0.707}, // (0,1) + ½(1,0) + ½(1,0) = (1,1)
		3: {1, 0.894}, // its other neighbour has no vector
	}
	if len(s.turns) != len(want) {
		t.Fatalf("%d turns", len(s.turns))
	}
	for _, x := range s.turns {
		w := want[x.Seq]
		if math.Abs(x.cosine-w[0]) > 0.002 || math.Abs(x.window-w[1]) > 0.002 {
			t.Errorf("%d: cosine %.3f, window %.3f, want %v", x.Seq, x.cosine, x.window, w)
		}
	}
}

// TestOnlyAWholeConversationIsAlone: one message is a document if nothing else
// belongs to its conversation, and not because a subagent said just one thing.
func TestOnlyAWholeConversationIsAlone(t *testing.T) {
	tl := NewTimeline()
	tl.Apply([]Place{
		{Seq: 1, Session: 1, First: 0},
		{Seq: 2, Session: 1, First: 1},
		{Seq: 3, Session: 1, First: 2, Agent: "helper"},
		{Seq: 4, Session: 2, First: 0},
		{Seq: 5, Session: 2, First: 0, Part: 1},
	}, nil)
	alone := func(seq int64) bool {
		s := &scene{at: newPlaces(1), in: newPlaces(1)}
		return s.turns == nil && tl.enter(s, seq, &Query{}) == 0 && s.turns[0].alone
	}
	for seq, want := range map[int64]bool{1: false, 3: false, 4: true, 5: true} {
		if got := alone(seq); got != want {
			t.Errorf("chunk %d: alone is %v", seq, got)
		}
	}
	tl.Apply(nil, []int64{1, 2})
	if !alone(3) {
		t.Error("what is left is one message, and not alone")
	}
	tl.Apply([]Place{{Seq: 6, Session: 1, First: 0}}, nil)
	if alone(3) || alone(6) {
		t.Error("two threads, and one is alone")
	}
	tl.Apply(nil, []int64{3, 4, 5, 6})
	if len(tl.threads) != 0 || len(tl.streams) != 0 {
		t.Errorf("counts are left of what is gone: %v", tl.threads)
	}
}
