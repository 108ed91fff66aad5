package embed

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

const (
	// maxPackRows bounds the matrices of one pass: beyond it the activations
	// of the widest layer no longer fit a second-level cache of 2 MB.
	maxPackRows = 256
	// minPackRows is where splitting a batch over more workers stops: below
	// it, reading the weights costs more than computing with them.
	minPackRows = 96
)

// brain is what runs: a tokenizer and a net.
type brain struct {
	tok  *tokenizer
	net  *net
	load time.Duration
}

// local is a model that runs in this process. Handles share it; the weights
// are loaded on first use and let go with the last handle.
type local struct {
	info  Info
	load  func() (*brain, error)
	slots chan struct{} // one per pass that may run at a time

	mu      sync.Mutex
	brain   *brain
	handles int
}

func newLocal(info Info, load func() (*brain, error)) *local {
	return &local{info: info, load: load, slots: make(chan struct{}, runtime.GOMAXPROCS(0))}
}

// handle is one user's hold on a local model.
type handle struct {
	l    *local
	once sync.Once
	done chan struct{} // closed by Close
}

func (l *local) open() *handle {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.handles++
	return &handle{l: l, done: make(chan struct{})}
}

func (h *handle) Info() Info { return h.l.info }

// Close gives the handle back. Calls under way finish.
func (h *handle) Close() error {
	h.once.Do(func() {
		close(h.done)
		h.l.mu.Lock()
		defer h.l.mu.Unlock()
		if h.l.handles--; h.l.handles == 0 {
			h.l.brain = nil
		}
	})
	return nil
}

// brain loads the weights if need be. Callers wait for one loading; a failed
// one is tried again by the next call.
func (h *handle) brain() (*brain, error) {
	select {
	case <-h.done:
		return nil, ErrClosed
	default:
	}
	h.l.mu.Lock()
	defer h.l.mu.Unlock()
	if h.l.brain == nil {
		start := time.Now()
		b, err := h.l.load()
		if err != nil {
			return nil, err
		}
		b.load = time.Since(start)
		h.l.brain = b
	}
	return h.l.brain, nil
}

func (h *handle) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	b, err := h.brain()
	if err != nil {
		return nil, err
	}
	ids := make([][]int32, len(texts))
	for i, s := range texts {
		ids[i] = b.tok.encode(nil, s, h.l.info.MaxTokens)
	}
	return h.l.run(ctx, b.net, ids)
}

// windows splits a text for the Embedder.
func (h *handle) windows(text string, count int) ([]string, error) {
	if len(text) <= h.l.info.MaxTokens-marks {
		return []string{text}, nil // as in tokenizer.windows, without loading
	}
	b, err := h.brain()
	if err != nil {
		return nil, err
	}
	return b.tok.windows(text, h.l.info.MaxTokens, count), nil
}

// run encodes packs of texts side by side, each pack by one worker: splitting
// the work on one text over cores gains nothing at these sizes.
func (l *local) run(ctx context.Context, n *net, ids [][]int32) ([][]float32, error) {
	out := make([][]float32, len(ids))
	packs := pack(ids, cap(l.slots))
	one := func(ctx context.Context, p []int) error {
		select {
		case l.slots <- struct{}{}:
			defer func() { <-l.slots }()
		case <-ctx.Done():
			return ctx.Err()
		}
		texts := make([][]int32, len(p))
		for i, t := range p {
			texts[i] = ids[t]
		}
		vs, err := n.forward(ctx, texts)
		if err != nil {
			return err
		}
		for i, t := range p {
			out[t] = vs[i]
		}
		return nil
	}
	if len(packs) == 1 {
		if err := one(ctx, packs[0]); err != nil {
			return nil, err
		}
		return out, nil
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(cap(l.slots))
	for _, p := range packs {
		g.Go(func() error { return one(ctx, p) })
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return out, nil
}

// pack groups texts into packs of similar size, longest text first, such that
// every worker gets one if there is enough to do.
func pack(ids [][]int32, workers int) [][]int {
	order := make([]int, len(ids))
	total := 0
	for i := range ids {
		order[i] = i
		total += len(ids[i])
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(len(ids[b]), len(ids[a])) })
	limit := min(max((total+workers-1)/workers, minPackRows), maxPackRows)
	var packs [][]int
	var rows []int
	// first fit: a short text goes into the first pack with room for it
	open := 0 // packs before it are full
	for _, t := range order {
		n := len(ids[t])
		p := open
		for p < len(packs) && rows[p]+n > limit {
			p++
		}
		if p == len(packs) {
			packs, rows = append(packs, nil), append(rows, 0)
		}
		packs[p], rows[p] = append(packs[p], t), rows[p]+n
		for open < len(packs) && limit-rows[open] < marks {
			open++
		}
	}
	return packs
}
