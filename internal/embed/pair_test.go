package embed

import (
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"
)

// TestPairIsTheSame: with a helper, a pass comes to the same bits.
func TestPairIsTheSame(t *testing.T) {
	b, err := openBuiltin(t).(*handle).brain()
	if err != nil {
		t.Fatal(err)
	}
	for _, tokens := range []int{2, 3, 11, 12, 13, 32, 100} {
		ids := b.tok.encode(nil, benchText(max(tokens, 3)), 512)[:tokens]
		want, err := b.net.forward(t.Context(), nil, [][]int32{ids})
		if err != nil {
			t.Fatal(err)
		}
		for range 5 {
			p := newPair()
			got, err := b.net.forward(t.Context(), p, [][]int32{ids})
			p.leave()
			if err != nil || !slices.Equal(got[0], want[0]) {
				t.Errorf("%d tokens: another vector than by one core: %v", tokens, err)
			}
		}
	}
}

// TestPairDoesEachPanelOnce, whether its helper takes part, is late or is gone.
func TestPairDoesEachPanelOnce(t *testing.T) {
	for name, p := range map[string]*pair{"none": nil, "no helper": {}, "a helper": newPair(), "gone": {alone: true}} {
		for _, panels := range []int{0, 1, pairPanels - 1, pairPanels, 37} {
			for range 50 {
				count := make([]atomic.Int32, panels)
				p.each(panels, func(i int) { count[i].Add(1) })
				for i := range count {
					if n := count[i].Load(); n != 1 {
						t.Fatalf("%s: panel %d of %d was computed %d times", name, i, panels, n)
					}
				}
			}
		}
		if p != nil {
			p.leave()
		}
	}
}

// TestPairGivesUpOnWhoIsLate: a helper that does not come back from its panel in
// time is waited for, and asked no more.
func TestPairGivesUpOnWhoIsLate(t *testing.T) {
	p, begun := &pair{}, make(chan struct{})
	go func() {
		for p.job.Load() == nil {
			runtime.Gosched()
		}
		p.job.Load().drain(1)
	}()
	var done atomic.Int32
	p.each(pairPanels, func(i int) {
		switch i {
		case 0:
			<-begun
		case pairPanels / 2: // the helper's first
			close(begun)
			time.Sleep(50 * lateAfter)
		}
		done.Add(1)
	})
	if done.Load() != pairPanels || !p.alone || !p.over.Load() {
		t.Errorf("%d panels are done; alone from now on: %v", done.Load(), p.alone)
	}
}
