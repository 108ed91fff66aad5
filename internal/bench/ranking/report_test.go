package ranking

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTargetsOfLoCoMo(t *testing.T) {
	r := Report{
		Set: LoCoMoName,
		Metrics: Metrics{
			Turn:    &Turnwise{R5: 74, R10: 82.96, R20: 90, Any10: 91, MRR: 60},
			Session: &Sessionwise{Hit1: 80, Hit5: 94, Hit10: 97, MRR: 86.5},
		},
		Categories: map[string]Category{"multi-hop": {N: 3, Turn: &Turnwise{R10: 51}}},
		Ablation:   []Row{{Name: "all"}},
	}.WithTargets()
	want := []Target{
		{"turn R@5", 74, 74, true},
		{"turn R@10", 82.96, 83, false},
		{"multi-hop turn R@10", 51, 50, true},
		{"session hit@1", 80, 79, true},
		{"session hit@5", 94, 95, false},
		{"session MRR", 86.5, 86, true},
	}
	if diff := cmp.Diff(want, r.Targets); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	dash := "-"
	wantTables := []Table{
		{"by configuration", [][]string{
			{"configuration", ">R@5", ">R@10", ">R@20", ">any@10", ">MRR", ">R@100", ">nDCG@10", ">hit@1", ">hit@5", ">hit@10", ">session MRR"},
			{"all", dash, dash, dash, dash, dash, dash, dash, dash, dash, dash, dash},
		}},
		{"by category", [][]string{
			{"category", ">questions", ">R@5", ">R@10", ">R@20", ">any@10", ">MRR", ">hit@1", ">hit@5", ">hit@10", ">session MRR"},
			{"multi-hop", "3", "0.0", "51.0", "0.0", "0.0", "0.0", dash, dash, dash, dash},
		}},
		{"targets", [][]string{
			{"figure", ">value", ">target", ""},
			{"turn R@5", "74.00", "≥ 74", "met"},
			{"turn R@10", "82.96", "≥ 83", "missed"},
			{"multi-hop turn R@10", "51.00", "≥ 50", "met"},
			{"session hit@1", "80.00", "≥ 79", "met"},
			{"session hit@5", "94.00", "≥ 95", "missed"},
			{"session MRR", "86.50", "≥ 86", "met"},
		}},
	}
	if diff := cmp.Diff(wantTables, r.Tables()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestTargetsOfSciFact(t *testing.T) {
	r := Report{
		Set:      SciFactName,
		Metrics:  Metrics{NDCG10: new(72.0)},
		Ablation: []Row{{Name: "keyword", Metrics: Metrics{NDCG10: new(68.5)}}, {Name: "all", Metrics: Metrics{NDCG10: new(72.0)}}},
	}.WithTargets()
	want := []Target{{"keyword nDCG@10", 68.5, 68, true}, {"nDCG@10", 72, 73, false}}
	if diff := cmp.Diff(want, r.Targets); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestOtherSetsHaveNoTargets(t *testing.T) {
	r := Report{Set: "pairs", Metrics: Metrics{Turn: &Turnwise{}}, Ablation: []Row{{Name: "all"}}}.WithTargets()
	if len(r.Targets) != 0 || len(r.Tables()) != 1 {
		t.Errorf("%+v, %d tables", r.Targets, len(r.Tables()))
	}
}

func TestLines(t *testing.T) {
	r := Report{Set: "pairs", Corpora: 2, Turns: 10, Questions: 4, Skipped: 1, Unparsed: 3, LatencyMs: Latency{1.25, 9.96}}
	if got, want := r.Summary(), "pairs: corpora 2, turns 10, questions 4; without usable evidence 1, unreadable labels 3"; got != want {
		t.Errorf("%q", got)
	}
	if got, want := r.LatencyMs.String(), "latency: p50 1.2 ms, p95 10.0 ms"; got != want {
		t.Errorf("%q", got)
	}
}
