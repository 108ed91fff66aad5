package ranking

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// bookkeeper opens corpora whose rankers answer from a list, and notes what
// happens.
type bookkeeper struct {
	answers map[string]map[string]Ranked // by configuration and question
	open    int
	log     []string
	fail    error // of every ranker
}

func (b *bookkeeper) Open(_ context.Context, corpus Corpus) (func(string) Ranker, func() error, error) {
	b.open++
	b.log = append(b.log, fmt.Sprintf("open %s (%d)", corpus.Name, b.open))
	rank := func(configuration string) Ranker {
		answers, ok := b.answers[configuration]
		if !ok {
			return nil
		}
		return func(_ context.Context, q Question) (Ranked, error) { return answers[q.ID], b.fail }
	}
	closeStore := func() error {
		b.open--
		b.log = append(b.log, "close "+corpus.Name)
		return nil
	}
	return rank, closeStore, nil
}

func twoCorpora() Set {
	first := threeSessions(Question{ID: "1", Category: "multi-hop", Relevant: []string{"t1"}}, Question{ID: "2", Category: "temporal", Relevant: []string{"t3"}})
	first.Name, first.Skipped = "first", 1
	second := threeSessions(Question{ID: "3", Category: "temporal", Relevant: []string{"s3"}})
	second.Name, second.Unparsed = "second", 2
	return Set{Name: LoCoMoName, Corpora: []Corpus{first, second, {Name: "empty", Skipped: 1}}}
}

func TestRun(t *testing.T) {
	b := &bookkeeper{answers: map[string]map[string]Ranked{
		"all": {
			"1": {Turns: []string{"t1"}, Sessions: []string{"s1"}, Elapsed: 1 * time.Millisecond},
			"2": {Turns: []string{"t1", "t3"}, Sessions: []string{"s1", "s2"}, Elapsed: 2 * time.Millisecond},
			"3": {Sessions: []string{"s3"}, Elapsed: 9 * time.Millisecond},
		},
		"keyword": {},
	}}
	var progress []int64
	report, err := Run(t.Context(), twoCorpora(), []Configuration{{Name: "keyword"}, {Name: "all", Default: true}}, b.Open,
		func(done, total int64) { progress = append(progress, done*100+total) })
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"open first (1)", "close first", "open second (1)", "close second"}, b.log); diff != "" {
		t.Error(diff)
	}
	if want := []int64{106, 206, 306, 406, 506, 606}; !slices.Equal(progress, want) {
		t.Errorf("progress %v, want %v", progress, want)
	}
	got, err := json.Marshal(report)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"set":"locomo","corpora":3,"turns":12,"questions":3,"skipped":2,"unparsed":2,` +
		`"metrics":{"turn":{"r5":100,"r10":100,"r20":100,"any10":100,"mrr":75},"session":{"hit1":66.66666666666667,"hit5":100,"hit10":100,"mrr":83.33333333333333,"r5":100},"ndcg10":81.54648767857287,"r100":100},` +
		`"categories":{"multi-hop":{"n":1,"turn":{"r5":100,"r10":100,"r20":100,"any10":100,"mrr":100},"session":{"hit1":100,"hit5":100,"hit10":100,"mrr":100,"r5":100}},` +
		`"temporal":{"n":2,"turn":{"r5":100,"r10":100,"r20":100,"any10":100,"mrr":50},"session":{"hit1":50,"hit5":100,"hit10":100,"mrr":75,"r5":100}}},` +
		`"ablation":[{"name":"keyword","metrics":{"turn":{"r5":0,"r10":0,"r20":0,"any10":0,"mrr":0},"session":{"hit1":0,"hit5":0,"hit10":0,"mrr":0,"r5":0},"ndcg10":0,"r100":0}},` +
		`{"name":"all","metrics":{"turn":{"r5":100,"r10":100,"r20":100,"any10":100,"mrr":75},"session":{"hit1":66.66666666666667,"hit5":100,"hit10":100,"mrr":83.33333333333333,"r5":100},"ndcg10":81.54648767857287,"r100":100}}],` +
		`"latency_ms":{"p50":2,"p95":9},"targets":[]}`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestRunMeasuresWhatTheRankerDoesNot(t *testing.T) {
	open := func(context.Context, Corpus) (func(string) Ranker, func() error, error) {
		slow := func(context.Context, Question) (Ranked, error) {
			time.Sleep(2 * time.Millisecond)
			return Ranked{}, nil
		}
		return func(string) Ranker { return slow }, func() error { return nil }, nil
	}
	report, err := Run(t.Context(), twoCorpora(), []Configuration{{Name: "all", Default: true}}, open, nil)
	if err != nil {
		t.Fatal(err)
	}
	if report.LatencyMs.P50 < 2 {
		t.Errorf("%+v", report.LatencyMs)
	}
}

func TestRunRefuses(t *testing.T) {
	one := []Configuration{{Name: "all", Default: true}}
	tests := []struct {
		name string
		set  Set
		rows []Configuration
		want string
	}{
		{"no default", twoCorpora(), []Configuration{{Name: "all"}}, "0 default configurations"},
		{"two defaults", twoCorpora(), []Configuration{{Name: "a", Default: true}, {Name: "b", Default: true}}, "2 default configurations"},
		{"a name twice", twoCorpora(), []Configuration{{Name: "a", Default: true}, {Name: "a"}}, `"a" is there twice`},
		{"nothing to ask", Set{Name: "none"}, one, "no question"},
		{"unknown configuration", twoCorpora(), []Configuration{{Name: "other", Default: true}}, "corpus first: configuration other: no such configuration"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := &bookkeeper{answers: map[string]map[string]Ranked{"all": {}, "a": {}}}
			_, err := Run(t.Context(), tt.set, tt.rows, b.Open, nil)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %q", err, tt.want)
			}
			if b.open != 0 {
				t.Error("a corpus was left open")
			}
		})
	}
}

func TestRunClosesAfterAFailure(t *testing.T) {
	cause := errors.New("cause")
	b := &bookkeeper{answers: map[string]map[string]Ranked{"all": {}}, fail: cause}
	_, err := Run(t.Context(), twoCorpora(), []Configuration{{Name: "all", Default: true}}, b.Open, nil)
	if !errors.Is(err, cause) || !strings.Contains(err.Error(), "question 1") {
		t.Errorf("%v", err)
	}
	if b.open != 0 {
		t.Error("a corpus was left open")
	}
}

func TestRunEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	b := &bookkeeper{answers: map[string]map[string]Ranked{"all": {}}}
	_, err := Run(ctx, twoCorpora(), []Configuration{{Name: "all", Default: true}}, b.Open, nil)
	if !errors.Is(err, context.Canceled) || b.open != 0 {
		t.Errorf("%v, %d open", err, b.open)
	}
}

func TestQuantiles(t *testing.T) {
	var elapsed []time.Duration
	for i := 100; i > 0; i-- {
		elapsed = append(elapsed, time.Duration(i)*time.Millisecond)
	}
	if got := latencyOf(elapsed); got.P50 != 50 || got.P95 != 95 {
		t.Errorf("%+v", got)
	}
	if got := latencyOf(nil); got != (Latency{}) {
		t.Errorf("of nothing: %+v", got)
	}
}
