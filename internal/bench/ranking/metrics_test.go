package ranking

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

var roughly = cmpopts.EquateApprox(0, 1e-9)

// threeSessions is a corpus of sessions s1 to s3 with the turns t1 to t6, two
// in each.
func threeSessions(questions ...Question) Corpus {
	c := Corpus{Name: "three", Questions: questions}
	for i := range 6 {
		c.Turns = append(c.Turns, Turn{ID: fmt.Sprintf("t%d", i+1), Session: fmt.Sprintf("s%d", i/2+1)})
	}
	return c
}

// others returns n ids of turns that answer nothing.
func others(n int) []string {
	ids := make([]string, n)
	for i := range ids {
		ids[i] = fmt.Sprintf("x%d", i)
	}
	return ids
}

func join(parts ...[]string) []string {
	var all []string
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}

func TestEvaluate(t *testing.T) {
	tests := []struct {
		name     string
		relevant []string
		answer   Ranked
		want     Metrics
	}{
		{
			name:     "one of two turns first, the other at 7",
			relevant: []string{"t1", "t5"},
			answer:   Ranked{Turns: join([]string{"t1"}, others(5), []string{"t5"}), Sessions: []string{"s2", "s3"}},
			want: Metrics{
				Turn:    &Turnwise{R5: 50, R10: 100, R20: 100, Any10: 100, MRR: 100},
				Session: &Sessionwise{Hit1: 0, Hit5: 100, Hit10: 100, R5: 50, MRR: 50},
				// 1/log2(2) + 1/log2(8), over 1/log2(2) + 1/log2(3)
				NDCG10: new(100 * (1 + 1.0/3) / (1 + 1/math.Log2(3))),
				R100:   new(100.0),
			},
		},
		{
			name:     "relevant items absent, fewer results than asked for",
			relevant: []string{"t1", "t2", "t3"},
			answer:   Ranked{Turns: []string{"t4", "t3"}, Sessions: []string{"s3"}},
			want: Metrics{
				Turn:    &Turnwise{R5: 100.0 / 3, R10: 100.0 / 3, R20: 100.0 / 3, Any10: 100, MRR: 50},
				Session: &Sessionwise{},
				NDCG10:  new(100 / math.Log2(3) / (1 + 1/math.Log2(3) + 0.5)),
				R100:    new(100.0 / 3),
			},
		},
		{
			name:     "no answer",
			relevant: []string{"t1"},
			want:     Metrics{Turn: &Turnwise{}, Session: &Sessionwise{}, NDCG10: new(0.0), R100: new(0.0)},
		},
		{
			name:     "an item that comes again takes up no second place",
			relevant: []string{"t1", "t2"},
			answer:   Ranked{Turns: []string{"t1", "t1", "t1", "t1", "t1", "t2"}, Sessions: []string{"s2", "s2", "s1"}},
			want: Metrics{
				Turn:    &Turnwise{R5: 100, R10: 100, R20: 100, Any10: 100, MRR: 100},
				Session: &Sessionwise{Hit5: 100, Hit10: 100, R5: 100, MRR: 50},
				NDCG10:  new(100.0), R100: new(100.0),
			},
		},
		{
			name:     "beyond the first ten, and the first twenty",
			relevant: []string{"t1", "t2"},
			answer: Ranked{
				Turns:    join(others(10), []string{"t1"}, []string{"y1", "y2", "y3", "y4", "y5", "y6", "y7", "y8", "y9"}, []string{"t2"}),
				Sessions: join(others(10), []string{"s1"}),
			},
			want: Metrics{
				Turn:    &Turnwise{R20: 50, MRR: 100.0 / 11},
				Session: &Sessionwise{MRR: 100.0 / 11},
				NDCG10:  new(0.0), R100: new(100.0),
			},
		},
		{
			name:     "a session alone has no figures about turns",
			relevant: []string{"s2", "nowhere"},
			answer:   Ranked{Turns: []string{"t3"}, Sessions: []string{"s2"}},
			want:     Metrics{Session: &Sessionwise{Hit1: 100, Hit5: 100, Hit10: 100, R5: 100, MRR: 100}},
		},
		{
			name:     "a turn named twice counts once, a session beside it counts as well",
			relevant: []string{"t1", "t1", "s3"},
			answer:   Ranked{Turns: []string{"t1"}, Sessions: []string{"s3", "s1"}},
			want: Metrics{
				Turn:    &Turnwise{R5: 100, R10: 100, R20: 100, Any10: 100, MRR: 100},
				Session: &Sessionwise{Hit1: 100, Hit5: 100, Hit10: 100, R5: 100, MRR: 100},
				NDCG10:  new(100.0), R100: new(100.0),
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			scores, err := Evaluate(threeSessions(Question{ID: "q", Relevant: tt.relevant}), []Ranked{tt.answer})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, scores[0].Metrics, roughly); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestEvaluateWantsAnAnswerToEachQuestion(t *testing.T) {
	if _, err := Evaluate(threeSessions(Question{ID: "q", Relevant: []string{"t1"}}), nil); err == nil {
		t.Error("a missing answer was accepted")
	}
}

// A tie between relevant items cannot show: the order given is what counts,
// and relevant items may change places with each other.
func TestTiesBetweenRelevantItems(t *testing.T) {
	corpus := threeSessions(Question{Relevant: []string{"t1", "t2"}}, Question{Relevant: []string{"t1", "t2"}})
	scores, err := Evaluate(corpus, []Ranked{
		{Turns: []string{"t3", "t1", "t4", "t2"}},
		{Turns: []string{"t3", "t2", "t4", "t1"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(scores[0], scores[1]); diff != "" {
		t.Error(diff)
	}
}

func TestAnIdOfBothIsATurn(t *testing.T) {
	corpus := Corpus{
		Turns:     []Turn{{ID: "a", Session: "b"}, {ID: "b", Session: "c"}},
		Questions: []Question{{Relevant: []string{"b"}}},
	}
	scores, err := Evaluate(corpus, []Ranked{{Turns: []string{"b"}, Sessions: []string{"b", "c"}}})
	if err != nil {
		t.Fatal(err)
	}
	m := scores[0].Metrics
	if m.Turn == nil || m.Turn.MRR != 100 || m.Session.MRR != 50 {
		t.Errorf("%+v %+v", m.Turn, m.Session)
	}
}

func TestAverage(t *testing.T) {
	corpus := threeSessions(
		Question{ID: "1", Category: "turns", Relevant: []string{"t1", "t2"}},
		Question{ID: "2", Category: "turns", Relevant: []string{"t3"}},
		Question{ID: "3", Category: "sessions", Relevant: []string{"s3"}},
		Question{ID: "4", Relevant: []string{"t5"}},
	)
	scores, err := Evaluate(corpus, []Ranked{
		{Turns: []string{"t1", "t9"}, Sessions: []string{"s1"}},
		{Turns: []string{"t9", "t3"}, Sessions: []string{"s1", "s2"}},
		{Sessions: []string{"s3"}},
		{},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := Metrics{
		Turn:    &Turnwise{R5: 50, R10: 50, R20: 50, Any10: 200.0 / 3, MRR: 50},
		Session: &Sessionwise{Hit1: 50, Hit5: 75, R5: 75, Hit10: 75, MRR: 62.5},
		NDCG10:  new((100/(1+1/math.Log2(3)) + 100/math.Log2(3)) / 3),
		R100:    new(50.0),
	}
	if diff := cmp.Diff(want, Average(scores), roughly); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	wantCategories := map[string]Category{
		"turns": {
			N: 2, Turn: &Turnwise{R5: 75, R10: 75, R20: 75, Any10: 100, MRR: 75},
			Session: &Sessionwise{Hit1: 50, Hit5: 100, R5: 100, Hit10: 100, MRR: 75},
		},
		"sessions": {N: 1, Session: &Sessionwise{Hit1: 100, Hit5: 100, R5: 100, Hit10: 100, MRR: 100}},
	}
	if diff := cmp.Diff(wantCategories, ByCategory(scores), roughly); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(Metrics{}, Average(nil)); diff != "" {
		t.Errorf("of nothing: %s", diff)
	}
}

func TestMetricsStayInRangeAndGrowWithK(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.SampledFrom([]string{"t1", "t2", "t3", "t4", "t5", "t6", "s1", "s2", "s3", "x1", "x2", "x3", "x4", "x5"})
		list := rapid.SliceOfN(id, 0, 30)
		corpus := threeSessions()
		var answers []Ranked
		for range rapid.IntRange(1, 5).Draw(t, "questions") {
			corpus.Questions = append(corpus.Questions, Question{Relevant: list.Draw(t, "relevant")})
			answers = append(answers, Ranked{Turns: list.Draw(t, "turns"), Sessions: list.Draw(t, "sessions")})
		}
		scores, err := Evaluate(corpus, answers)
		if err != nil {
			t.Fatal(err)
		}
		checkMetrics(t, Average(scores))
		for _, s := range scores {
			checkMetrics(t, s.Metrics)
		}
	})
}

func checkMetrics(t *rapid.T, m Metrics) {
	if (m.Turn == nil) != (m.NDCG10 == nil) || (m.Turn == nil) != (m.R100 == nil) {
		t.Fatalf("figures about turns are there in part: %+v", m)
	}
	if m.Turn != nil {
		growing(t, 0, m.Turn.R5, m.Turn.R10, m.Turn.R20, *m.R100, 100)
		growing(t, 0, m.Turn.R10, m.Turn.Any10, 100)
		growing(t, 0, m.Turn.MRR, 100)
		growing(t, 0, *m.NDCG10, 100)
	}
	if m.Session != nil {
		growing(t, 0, m.Session.Hit1, m.Session.Hit5, m.Session.Hit10, 100)
		growing(t, 0, m.Session.Hit1, m.Session.MRR, 100)
	}
}

func growing(t *rapid.T, values ...float64) {
	for i := 1; i < len(values); i++ {
		if !(values[i-1] <= values[i]) { // also false for NaN
			t.Fatalf("not growing: %v", values)
		}
	}
}
