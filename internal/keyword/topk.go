package keyword

import (
	"cmp"
	"slices"
)

// candidate is a scored document and where it is.
type candidate struct {
	score float64
	id    uint64
	leaf  int32
	ord   uint32
}

// before is the order of results: higher scores first, then lower ids.
func (c candidate) before(o candidate) bool {
	return c.score > o.score || c.score == o.score && c.id < o.id
}

// topK keeps the k best candidates in a heap with the worst at the root.
type topK struct {
	k    int
	heap []candidate
}

// threshold is the score below which nothing can enter.
func (t *topK) threshold() float64 {
	if len(t.heap) < t.k {
		return negInf
	}
	return t.heap[0].score
}

func (t *topK) push(c candidate) {
	if len(t.heap) < t.k {
		t.heap = append(t.heap, c)
		for i := len(t.heap) - 1; i > 0; {
			up := (i - 1) / 2
			if !t.heap[up].before(t.heap[i]) {
				break
			}
			t.heap[i], t.heap[up] = t.heap[up], t.heap[i]
			i = up
		}
		return
	}
	if !c.before(t.heap[0]) {
		return
	}
	i := 0
	for {
		down := 2*i + 1
		if down >= len(t.heap) {
			break
		}
		if right := down + 1; right < len(t.heap) && t.heap[down].before(t.heap[right]) {
			down = right
		}
		if !c.before(t.heap[down]) {
			break
		}
		t.heap[i] = t.heap[down]
		i = down
	}
	t.heap[i] = c
}

func (t *topK) sorted() []candidate {
	slices.SortFunc(t.heap, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.id, b.id))
	})
	return t.heap
}
