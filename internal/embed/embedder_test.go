package embed

import (
	"context"
	"errors"
	"math"
	"strings"
	"sync"
	"testing"
	"time"
)

// fakeModel answers (1, len(text), 0) scaled to length one, or what answer
// says.
type fakeModel struct {
	mu      sync.Mutex
	batches [][]string
	prefix  string
	limit   int
	answer  func(texts []string) ([][]float32, error)
}

func (m *fakeModel) Info() Info {
	return Info{ID: "fake", Dims: 3, MaxTokens: max(m.limit, 100), QueryPrefix: m.prefix}
}

func (m *fakeModel) Close() error { return nil }

func (m *fakeModel) Embed(_ context.Context, texts []string) ([][]float32, error) {
	m.mu.Lock()
	m.batches = append(m.batches, texts)
	answer := m.answer
	m.mu.Unlock()
	if answer != nil {
		return answer(texts)
	}
	vs := make([][]float32, len(texts))
	for i, s := range texts {
		vs[i] = []float32{1, float32(len(s)), 0}
		normalize(vs[i])
	}
	return vs, nil
}

func (m *fakeModel) calls() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.batches)
}

func TestEmbedderCache(t *testing.T) {
	m := &fakeModel{}
	e := New(m, Options{CacheEntries: 3})
	first, err := e.Embed(t.Context(), []string{"a", "bb", "a"})
	if err != nil {
		t.Fatal(err)
	}
	if len(m.batches[0]) != 2 {
		t.Errorf("the model saw %v, want each text once", m.batches)
	}
	first[0][0], first[2][0] = 99, 98 // callers own what they get
	again, err := e.Embed(t.Context(), []string{"a"})
	if err != nil || again[0][0] == 99 || again[0][0] == 98 || m.calls() != 1 {
		t.Errorf("%v %v after %d calls", again, err, m.calls())
	}
	if s := e.Stats(); s.Hits != 1 || s.Misses != 3 || s.Texts != 2 || s.Failures != 0 || s.Cached != 2 || s.Breaker != BreakerClosed {
		t.Errorf("%+v", s)
	}
	// a was used last, so bb goes when two more come
	if _, err := e.Embed(t.Context(), []string{"ccc", "dddd"}); err != nil {
		t.Fatal(err)
	}
	before := m.calls()
	e.Embed(t.Context(), []string{"a"})
	if m.calls() != before {
		t.Error("what was used last is gone")
	}
	e.Embed(t.Context(), []string{"bb"})
	if m.calls() != before+1 {
		t.Error("the cache is larger than its limit")
	}
	off := New(m, Options{CacheEntries: -1})
	off.Embed(t.Context(), []string{"a"})
	if s := off.Stats(); s.Cached != 0 {
		t.Errorf("%+v", s)
	}
	if vs, err := e.Embed(t.Context(), nil); err != nil || len(vs) != 0 {
		t.Errorf("nothing: %v %v", vs, err)
	}
}

func TestEmbedderBatches(t *testing.T) {
	m := &fakeModel{}
	e := New(m, Options{})
	var texts []string
	for i := range 80 {
		texts = append(texts, strings.Repeat("x", (i*37)%200))
	}
	vs, err := e.Embed(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range texts {
		if want := []float32{1, float32(len(s)), 0}; normalize(want) != nil || math.Abs(dot(want, vs[i])-1) > 1e-6 {
			t.Errorf("text %d got another's vector %v", i, vs[i])
		}
	}
	longest := 0
	for _, b := range m.batches {
		if len(b) > BatchTexts {
			t.Errorf("batch of %d", len(b))
		}
		if len(b[0]) < longest {
			t.Error("batches are not sorted by length")
		}
		longest = len(b[len(b)-1])
	}
}

func TestEmbedderWindows(t *testing.T) {
	m := &fakeModel{}
	e := New(m, Options{})
	long := strings.Repeat("word ", 100) // 500 bytes in windows of 300
	v, err := e.Query(t.Context(), long)
	if err != nil || checkUnit(v) != nil {
		t.Fatal(v, err)
	}
	if n := len(m.batches[0]); n != 2 {
		t.Errorf("%d windows, want 2", n)
	}
	huge, err := e.Embed(t.Context(), []string{strings.Repeat("中文", 1<<18)})
	if err != nil || checkUnit(huge[0]) != nil {
		t.Fatal(err)
	}
	if s := e.Stats(); s.Texts != 2+MaxWindows {
		t.Errorf("%d windows in all", s.Texts)
	}
	// two windows that point in opposite directions have no mean
	m.answer = func(texts []string) ([][]float32, error) {
		vs := make([][]float32, len(texts))
		for i := range vs {
			vs[i] = []float32{1 - 2*float32(i%2), 0, 0}
		}
		return vs, nil
	}
	if _, err := e.Embed(t.Context(), []string{strings.Repeat("x", 600)}); !errors.Is(err, ErrBadVector) {
		t.Errorf("cancelled windows: %v", err)
	}
}

func TestCutText(t *testing.T) {
	for _, c := range []struct {
		name, text string
		limit      int
	}{
		{"empty", "", 20}, {"short", "abc", 20}, {"spaces", strings.Repeat("ab ", 50), 20}, {"no spaces", strings.Repeat("x", 99), 20},
		{"wide characters", strings.Repeat("🚀", 30), 21}, {"binary", strings.Repeat("\x80\xff", 50), 20},
	} {
		t.Run(c.name, func(t *testing.T) {
			parts := cutText(c.text, c.limit, 1000)
			if got := strings.Join(parts, ""); strings.TrimSpace(got) != strings.TrimSpace(c.text) {
				t.Errorf("%q", parts)
			}
			for _, p := range parts {
				if len(p) > c.limit || strings.HasPrefix(c.name, "wide") && len(p)%4 != 0 {
					t.Errorf("part %q", p)
				}
			}
		})
	}
}

func TestQueryPrefix(t *testing.T) {
	m := &fakeModel{prefix: "query: "}
	if _, err := New(m, Options{}).Query(t.Context(), "x"); err != nil || m.batches[0][0] != "query: x" {
		t.Errorf("%v %v", m.batches, err)
	}
}

func TestEmbedderRefusesBadVectors(t *testing.T) {
	nan := float32(math.NaN())
	for _, c := range []struct {
		name string
		vs   [][]float32
		want error
	}{
		{"zero", [][]float32{{0, 0, 0}}, ErrBadVector},
		{"NaN", [][]float32{{nan, 0, 1}}, ErrBadVector},
		{"infinite", [][]float32{{float32(math.Inf(1)), 0, 0}}, ErrBadVector},
		{"not of length one", [][]float32{{2, 0, 0}}, ErrBadVector},
		{"none", nil, ErrBadVector},
		{"dimensions", [][]float32{{1, 0}}, ErrDims},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := New(&fakeModel{answer: func([]string) ([][]float32, error) { return c.vs, nil }}, Options{})
			if vs, err := e.Embed(t.Context(), []string{"a"}); !errors.Is(err, c.want) || vs != nil {
				t.Errorf("%v %v", vs, err)
			}
			if s := e.Stats(); s.Failures != 1 || s.Cached != 0 {
				t.Errorf("%+v", s)
			}
		})
	}
}

func TestBreaker(t *testing.T) {
	now := time.Unix(1000, 0)
	broken := errors.New("broken")
	m := &fakeModel{}
	e := New(m, Options{Now: func() time.Time { return now }})
	fail := func() { m.answer = func([]string) ([][]float32, error) { return nil, broken } }
	try := func(text string) error { _, err := e.Embed(t.Context(), []string{text}); return err }
	state := func(want BreakerState) {
		t.Helper()
		if got := e.Stats().Breaker; got != want {
			t.Fatalf("breaker is %s, want %s", got, want)
		}
	}
	if err := try("cached"); err != nil {
		t.Fatal(err)
	}
	fail()
	try("1")
	try("2")
	m.answer = nil
	try("good") // a success in between starts the count again
	fail()
	try("1")
	try("2")
	state(BreakerClosed)
	if err := try("3"); !errors.Is(err, broken) {
		t.Fatal(err)
	}
	state(BreakerOpen)
	calls := m.calls()
	var open *BreakerError
	if err := try("4"); !errors.As(err, &open) || !errors.Is(err, broken) || m.calls() != calls {
		t.Errorf("an open breaker let a call pass: %v", err)
	}
	if !open.Until.Equal(now.Add(60 * time.Second)) {
		t.Errorf("open until %v", open.Until)
	}
	if err := try("cached"); err != nil {
		t.Errorf("the cache needs no model: %v", err)
	}
	now = now.Add(59 * time.Second)
	state(BreakerOpen)
	now = now.Add(time.Second)
	state(BreakerHalfOpen)
	if err := try("probe"); !errors.Is(err, broken) || m.calls() != calls+1 {
		t.Errorf("%v", err)
	}
	state(BreakerOpen) // the probe failed: another pause
	now = now.Add(60 * time.Second)
	// while one probe is under way, others fail at once
	m.answer = func(texts []string) ([][]float32, error) {
		if err := try("second probe"); !errors.As(err, &open) {
			t.Errorf("two probes: %v", err)
		}
		return [][]float32{{1, 0, 0}}, nil
	}
	if err := try("probe"); err != nil {
		t.Fatal(err)
	}
	state(BreakerClosed)
	if got := e.Stats().Failures; got != 6 {
		t.Errorf("%d failures counted, want 6", got)
	}
}

func TestBreakerIgnoresCallers(t *testing.T) {
	e := New(&fakeModel{answer: func([]string) ([][]float32, error) { return nil, ErrRejected }}, Options{})
	for range 5 {
		if _, err := e.Embed(t.Context(), []string{"a"}); !errors.Is(err, ErrRejected) {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	e.model.(*fakeModel).answer = func([]string) ([][]float32, error) { cancel(); return nil, ctx.Err() }
	for range 5 {
		if _, err := e.Embed(ctx, []string{"a"}); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	if s := e.Stats(); s.Breaker != BreakerClosed || s.Failures != 0 {
		t.Errorf("%+v", s)
	}
}

// TestEmbedderOnATinyModel takes the whole way with a real tokenizer.
func TestEmbedderOnATinyModel(t *testing.T) {
	m, err := OpenFolder(newTiny(smallConfig(), f32).write(t))
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	e := New(m, Options{})
	texts := append(testTexts(), strings.Repeat("walking the café, 中文 🚀\x00\xff ", 50_000))
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			vs, err := e.Embed(t.Context(), texts)
			if err != nil {
				t.Error(err)
				return
			}
			for i, v := range vs {
				if err := checkUnit(v); err != nil || len(v) != 24 {
					t.Errorf("%.20q: %v", texts[i], err)
				}
			}
		})
	}
	wg.Wait()
	// a long text is the mean of its windows
	long := strings.Repeat("a b c. ", 100)
	parts, err := m.(*handle).windows(long, MaxWindows)
	if err != nil || len(parts) < 3 {
		t.Fatal(len(parts), err)
	}
	vs, err := m.Embed(t.Context(), parts)
	if err != nil {
		t.Fatal(err)
	}
	mean := make([]float32, 24)
	for _, v := range vs {
		for j, x := range v {
			mean[j] += x
		}
	}
	normalize(mean)
	got, err := e.Embed(t.Context(), []string{long})
	if err != nil || dot(got[0], mean) < 0.99999 {
		t.Errorf("%v %v", got, err)
	}
	if err := e.Verify(t.Context()); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.Embed(ctx, []string{"never seen"}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
