package embed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

const (
	// CacheEntries is the default size of the cache: 15 MB at 384 dimensions.
	CacheEntries = 10_000
	// BatchTexts is the most texts given to a model at once.
	BatchTexts = 32
	// MaxWindows bounds the work one text can cause. What lies beyond is not
	// part of the vector; chitta's own chunks have about five windows.
	MaxWindows = 16
	// bytesPerToken guesses how many bytes of text make one token where the
	// tokenizer is on the other side of a connection; low, so that windows
	// rather come out too short.
	bytesPerToken = 3
)

// Options may be left zero.
type Options struct {
	CacheEntries int              // CacheEntries if zero, no cache if negative
	Now          func() time.Time // time.Now if nil
}

// Embedder wraps a model with a cache, batches, windows for long texts and a
// circuit breaker. It may be used from any goroutine.
type Embedder struct {
	model   Model
	cache   *cache
	breaker breaker

	hits, misses, texts, failures atomic.Int64
}

// Stats counts since the Embedder was made.
type Stats struct {
	Hits     int64        // texts answered by the cache
	Misses   int64        // texts that were not in it
	Texts    int64        // texts and windows the model embedded
	Failures int64        // calls to the model that failed
	Cached   int          // entries now
	Breaker  BreakerState // now
}

// New makes an Embedder of a model, which stays the caller's to close.
func New(m Model, o Options) *Embedder {
	if o.CacheEntries == 0 {
		o.CacheEntries = CacheEntries
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Embedder{model: m, cache: newCache(o.CacheEntries), breaker: breaker{now: o.Now}}
}

// Info describes the model.
func (e *Embedder) Info() Info { return e.model.Info() }

// Stats returns the counters.
func (e *Embedder) Stats() Stats {
	return Stats{
		Hits: e.hits.Load(), Misses: e.misses.Load(), Texts: e.texts.Load(), Failures: e.failures.Load(),
		Cached: e.cache.len(), Breaker: e.breaker.state(),
	}
}

// Query returns the vector of a search text, with the model's prefix for
// queries before it.
func (e *Embedder) Query(ctx context.Context, text string) ([]float32, error) {
	vs, err := e.Embed(ctx, []string{e.model.Info().QueryPrefix + text})
	if err != nil {
		return nil, err
	}
	return vs[0], nil
}

// Embed returns one vector of length one per text, or an error and nothing. A
// text longer than the model takes is split into windows, at most
// [MaxWindows], and gets the mean of their vectors.
func (e *Embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	keys := make([]key, len(texts))
	var missing []int       // first place of each text to compute
	same := map[key][]int{} // places of each
	for i, s := range texts {
		keys[i] = keyOf(s)
		if v, ok := e.cache.get(keys[i]); ok {
			out[i] = v
			e.hits.Add(1)
			continue
		}
		e.misses.Add(1)
		if same[keys[i]] == nil {
			missing = append(missing, i)
		}
		same[keys[i]] = append(same[keys[i]], i)
	}
	if len(missing) == 0 {
		return out, ctx.Err()
	}
	fresh := make([]string, len(missing))
	for i, at := range missing {
		fresh[i] = texts[at]
	}
	vs, err := e.compute(ctx, fresh)
	if err != nil {
		return nil, fmt.Errorf("embed: %w", err)
	}
	for i, at := range missing {
		e.cache.put(keys[at], vs[i])
		for n, place := range same[keys[at]] {
			if out[place] = vs[i]; n > 0 {
				out[place] = slices.Clone(vs[i])
			}
		}
	}
	return out, nil
}

// window is a part of a text, or all of it.
type window struct {
	text  string
	owner int
}

// compute embeds texts without the cache.
func (e *Embedder) compute(ctx context.Context, texts []string) ([][]float32, error) {
	var parts []window
	for i, s := range texts {
		var ws []string
		// Splitting may load the model and fail, but going well proves nothing.
		err := e.guard(ctx, undecided, func() (err error) {
			ws, err = e.windows(s)
			return err
		})
		if err != nil {
			return nil, err
		}
		for _, w := range ws {
			parts = append(parts, window{w, i})
		}
	}
	// neighbours in a batch are of similar length
	slices.SortStableFunc(parts, func(a, b window) int { return cmp.Compare(len(a.text), len(b.text)) })
	sums := make([][]float32, len(texts))
	counts := make([]int, len(texts))
	for batch := range slices.Chunk(parts, BatchTexts) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		in := make([]string, len(batch))
		for i, p := range batch {
			in[i] = p.text
		}
		var vs [][]float32
		err := e.guard(ctx, succeeded, func() (err error) {
			vs, err = e.batch(ctx, in)
			return err
		})
		if err != nil {
			return nil, err
		}
		for i, p := range batch {
			counts[p.owner]++
			if sums[p.owner] == nil {
				sums[p.owner] = vs[i]
				continue
			}
			if len(sums[p.owner]) != len(vs[i]) {
				return nil, fmt.Errorf("%w: %d and %d", ErrDims, len(sums[p.owner]), len(vs[i]))
			}
			for j, x := range vs[i] {
				sums[p.owner][j] += x
			}
		}
	}
	for i, v := range sums {
		if counts[i] == 1 {
			continue
		}
		if err := normalize(v); err != nil {
			return nil, err
		}
	}
	return sums, nil
}

// batch calls the model and believes nothing it says.
func (e *Embedder) batch(ctx context.Context, texts []string) ([][]float32, error) {
	vs, err := e.model.Embed(ctx, texts)
	if err != nil {
		return nil, err
	}
	if len(vs) != len(texts) {
		return nil, fmt.Errorf("%w: %d vectors for %d texts", ErrBadVector, len(vs), len(texts))
	}
	dims := e.model.Info().Dims
	for _, v := range vs {
		if len(v) != dims {
			return nil, fmt.Errorf("%w: %d, want %d", ErrDims, len(v), dims)
		}
		if err := checkUnit(v); err != nil {
			return nil, err
		}
	}
	e.texts.Add(int64(len(texts)))
	return vs, nil
}

// guard runs call under the breaker; good is what it means if it goes well.
func (e *Embedder) guard(ctx context.Context, good outcome, call func() error) error {
	probe, err := e.breaker.allow()
	if err != nil {
		return err
	}
	o := undecided // also if call panics
	defer func() { e.breaker.done(probe, o, err) }()
	err = call()
	switch {
	case err == nil:
		o = good
	case errors.Is(err, ErrRejected), errors.Is(err, context.Canceled) && ctx.Err() != nil:
	case ctx.Err() != nil && !e.remote(): // too little time, not a broken model
	default:
		o = failed
		e.failures.Add(1)
	}
	return err
}

func (e *Embedder) remote() bool {
	r, ok := e.model.(interface{ remote() bool })
	return ok && r.remote()
}

// windows splits a text by the model's tokens if it can tell them, else by a
// guess.
func (e *Embedder) windows(text string) ([]string, error) {
	if w, ok := e.model.(interface {
		windows(string, int) ([]string, error)
	}); ok {
		return w.windows(text, MaxWindows)
	}
	return cutText(text, e.model.Info().MaxTokens*bytesPerToken, MaxWindows), nil
}

// cutText cuts a text into at most count parts of at most limit bytes, at
// white space where there is some in the last quarter, never inside a
// character.
func cutText(text string, limit, count int) []string {
	limit = max(limit, 16)
	var parts []string
	for len(text) > limit && len(parts) < count {
		cut := limit
		if i := strings.LastIndexAny(text[:limit], " \t\r\n"); i > limit*3/4 {
			cut = i + 1
		} else {
			for back := 0; back < 3 && text[cut]&0xC0 == 0x80; back++ {
				cut--
			}
		}
		parts = append(parts, text[:cut])
		text = text[cut:]
	}
	if len(parts) < count && (len(parts) == 0 || strings.TrimSpace(text) != "") {
		parts = append(parts, text)
	}
	return parts
}
