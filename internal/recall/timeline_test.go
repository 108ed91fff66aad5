package recall

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"
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
		if got := line.People(); len(got) != len(names) {
			t.Fatalf("speakers %v, want %v", got, names)
		}
		for key, want := range streams {
			slices.SortFunc(want, func(a, b Place) int {
				return cmp.Or(cmp.Compare(a.First, b.First), cmp.Compare(a.Part, b.Part), cmp.Compare(a.Seq, b.Seq))
			})
			got := line.streams[key]
			if len(got) != len(want) {
				t.Fatalf("%v has %d, want %d", key, len(got), len(want))
			}
			for i := range want {
				if got[i].Place != want[i] || got[i].index != i {
					t.Fatalf("%v at %d: %+v, want %+v", key, i, got[i], want[i])
				}
			}
		}
	})
}

func TestWindowCosine(t *testing.T) {
	q, v, w := []float32{1, 0}, []float32{0, 1}, []float32{1, 0}
	if got := windowCosine(q, w, nil, nil); got < 0.999 {
		t.Errorf("alone: %v", got)
	}
	// (0,1) + 0.5·(1,0) = (0.5,1), whose cosine with (1,0) is 0.447
	if got := windowCosine(q, v, w, nil); got < 0.446 || got > 0.448 {
		t.Errorf("with one neighbour: %v", got)
	}
	// (0,1) + 0.5·(1,0) + 0.5·(1,0) = (1,1)
	if got := windowCosine(q, v, w, w); got < 0.706 || got > 0.708 {
		t.Errorf("with two: %v", got)
	}
}
