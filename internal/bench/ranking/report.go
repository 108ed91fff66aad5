package ranking

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// Report is the result of one benchmark.
type Report struct {
	Set        string              `json:"set"`
	Corpora    int                 `json:"corpora"`
	Turns      int                 `json:"turns"`
	Questions  int                 `json:"questions"`
	Skipped    int                 `json:"skipped"`
	Unparsed   int                 `json:"unparsed"`
	Metrics    Metrics             `json:"metrics"`
	Categories map[string]Category `json:"categories"`
	Ablation   []Row               `json:"ablation"`
	LatencyMs  Latency             `json:"latency_ms"`
	Targets    []Target            `json:"targets"`
}

// Row is the figures of one configuration.
type Row struct {
	Name    string  `json:"name"`
	Metrics Metrics `json:"metrics"`
}

// Latency is how long answers of the default configuration took, in
// milliseconds: half of them, and 95 of 100, at most this.
type Latency struct {
	P50 float64 `json:"p50"`
	P95 float64 `json:"p95"`
}

// Target is a figure beside the value it should reach.
type Target struct {
	Name   string  `json:"name"`
	Value  float64 `json:"value"`
	Target float64 `json:"target"`
	Met    bool    `json:"met"`
}

// newReport counts what is in a set.
func newReport(set Set) Report {
	r := Report{Set: set.Name, Corpora: len(set.Corpora), Categories: map[string]Category{}, Ablation: []Row{}, Targets: []Target{}}
	for _, c := range set.Corpora {
		r.Turns += len(c.Turns)
		r.Questions += len(c.Questions)
		r.Skipped += c.Skipped
		r.Unparsed += c.Unparsed
	}
	return r
}

// WithTargets returns the report with the targets of its set. A figure that
// was not measured has none.
func (r Report) WithTargets() Report {
	r.Targets = []Target{}
	switch r.Set {
	case LoCoMoName:
		if t := r.Metrics.Turn; t != nil {
			r.atLeast("turn R@5", t.R5, 74)
			r.atLeast("turn R@10", t.R10, 83)
		}
		multiHop := locomoCategories[1]
		if t := r.Categories[multiHop].Turn; t != nil {
			r.atLeast(multiHop+" turn R@10", t.R10, 50)
		}
		if s := r.Metrics.Session; s != nil {
			r.atLeast("session hit@1", s.Hit1, 79)
			r.atLeast("session hit@5", s.Hit5, 95)
			r.atLeast("session MRR", s.MRR, 86)
		}
	case SciFactName:
		for _, row := range r.Ablation {
			if row.Name == keywordRow && row.Metrics.NDCG10 != nil {
				r.atLeast("keyword nDCG@10", *row.Metrics.NDCG10, 68)
			}
		}
		if r.Metrics.NDCG10 != nil {
			r.atLeast("nDCG@10", *r.Metrics.NDCG10, 73)
		}
	}
	return r
}

// keywordRow is the configuration that searches by words alone.
const keywordRow = "keyword"

func (r *Report) atLeast(name string, value, target float64) {
	r.Targets = append(r.Targets, Target{Name: name, Value: value, Target: target, Met: value >= target})
}

// Summary tells in a line what was measured.
func (r Report) Summary() string {
	return fmt.Sprintf("%s: corpora %d, turns %d, questions %d; without usable evidence %d, unreadable labels %d",
		r.Set, r.Corpora, r.Turns, r.Questions, r.Skipped, r.Unparsed)
}

// String tells the latency in a line.
func (l Latency) String() string {
	return fmt.Sprintf("latency: p50 %.1f ms, p95 %.1f ms", l.P50, l.P95)
}

// Table is a titled table of text. The first row is the header; a column whose
// header starts with ">" is aligned to the right.
type Table struct {
	Title string
	Rows  [][]string
}

// Tables returns the figures by configuration, by category and beside their
// targets. A table without content is left out.
func (r Report) Tables() []Table {
	all := []Table{r.byConfiguration(), r.byCategory(), r.targets()}
	return slices.DeleteFunc(all, func(t Table) bool { return len(t.Rows) == 1 })
}

var (
	turnHeader    = []string{">R@5", ">R@10", ">R@20", ">any@10", ">MRR"}
	sessionHeader = []string{">hit@1", ">hit@5", ">hit@10", ">session MRR"}
)

func (r Report) byConfiguration() Table {
	header := slices.Concat([]string{"configuration"}, turnHeader, []string{">R@100", ">nDCG@10"}, sessionHeader)
	t := Table{Title: "by configuration", Rows: [][]string{header}}
	for _, row := range r.Ablation {
		m := row.Metrics
		t.Rows = append(t.Rows, slices.Concat([]string{row.Name}, m.Turn.cells(), []string{optional(m.R100), optional(m.NDCG10)}, m.Session.cells()))
	}
	return t
}

func (r Report) byCategory() Table {
	header := slices.Concat([]string{"category", ">questions"}, turnHeader, sessionHeader)
	t := Table{Title: "by category", Rows: [][]string{header}}
	for _, name := range slices.Sorted(maps.Keys(r.Categories)) {
		c := r.Categories[name]
		t.Rows = append(t.Rows, slices.Concat([]string{name, strconv.Itoa(c.N)}, c.Turn.cells(), c.Session.cells()))
	}
	return t
}

func (r Report) targets() Table {
	t := Table{Title: "targets", Rows: [][]string{{"figure", ">value", ">target", ""}}}
	for _, target := range r.Targets {
		verdict := "missed"
		if target.Met {
			verdict = "met"
		}
		// with one digit, 82.96 would look as if it met 83
		value := strconv.FormatFloat(target.Value, 'f', 2, 64)
		t.Rows = append(t.Rows, []string{target.Name, value, fmt.Sprintf("≥ %g", target.Target), verdict})
	}
	return t
}

// notMeasured stands where there is no figure.
const notMeasured = "-"

func (t *Turnwise) cells() []string {
	if t == nil {
		return slices.Repeat([]string{notMeasured}, len(turnHeader))
	}
	return []string{percent(t.R5), percent(t.R10), percent(t.R20), percent(t.Any10), percent(t.MRR)}
}

func (s *Sessionwise) cells() []string {
	if s == nil {
		return slices.Repeat([]string{notMeasured}, len(sessionHeader))
	}
	return []string{percent(s.Hit1), percent(s.Hit5), percent(s.Hit10), percent(s.MRR)}
}

func optional(value *float64) string {
	if value == nil {
		return notMeasured
	}
	return percent(*value)
}

func percent(value float64) string { return strconv.FormatFloat(value, 'f', 1, 64) }
