package distil

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"
)

// firstFresh is the first label that was written after the rules. The reader
// knew the turns before it, also the held-out half, when making the rules.
const firstFresh = 132

// minPrecision is the share of lessons that must be right: a memory full of
// wrong lessons is worse than one with gaps.
const minPrecision = 0.85

const (
	// minRulePrecision holds for each rule over all labelled turns; some have
	// only a handful.
	minRulePrecision = 0.75
	// minSaidPrecision and minSaidRecall hold for what people say alone, which is
	// harder; there are 13 lessons, so that one is worth 0.08.
	minSaidPrecision = 0.8
	minSaidRecall    = 0.8
	// minRecall keeps the rules from being right by saying nothing.
	minRecall = 0.85
)

// sampleSeed chose the labelled turns.
const sampleSeed = 20

// TestLabelsAreARandomSample shows that nobody picked the turns.
func TestLabelsAreARandomSample(t *testing.T) {
	_, ids := benchTurns(t)
	rand.New(rand.NewSource(sampleSeed)).Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	for i, l := range append(readLabels(t), readLabelsOf(t, "said.jsonl")...) {
		if l.Turn != ids[i] {
			t.Fatalf("label %d is of turn %s, the sample has %s", i, l.Turn, ids[i])
		}
	}
}

// tally counts lessons by rule: right, wrong, missed.
type tally map[string]*[3]int

func (c tally) add(rule string, what int) {
	for _, r := range []string{rule, "all"} {
		if c[r] == nil {
			c[r] = &[3]int{}
		}
		c[r][what]++
	}
}

func (c tally) precision(rule string) float64 { return share(c[rule][0], c[rule][1]) }
func (c tally) recall(rule string) float64    { return share(c[rule][0], c[rule][2]) }

func share(right, other int) float64 {
	if right+other == 0 {
		return 1
	}
	return float64(right) / float64(right+other)
}

// TestLabelledTurns holds the rules against turns that a reader judged. A rule
// counts once per turn.
func TestLabelledTurns(t *testing.T) {
	turns, _ := benchTurns(t)
	groups := [3]tally{{}, {}, {}}
	both := tally{}
	for i, l := range readLabels(t) {
		messages, ok := turns[l.Turn]
		if !ok {
			t.Fatalf("label %d: no turn %s in session %s", i, l.Turn, l.Session)
		}
		var found []string
		for _, lesson := range Turn("", messages, nil) {
			if !slices.Contains(found, lesson.Rule) {
				found = append(found, lesson.Rule)
			}
		}
		group := i % 2
		if i >= firstFresh {
			group = 2
		}
		for _, rule := range ruleOrder {
			got, want := slices.Contains(found, rule), slices.Contains(l.Kinds, rule)
			if !got && !want {
				continue
			}
			what := 0
			if !want {
				what = 1
			} else if !got {
				what = 2
			}
			groups[group].add(rule, what)
			both.add(rule, what)
			if what > 0 && group == 0 {
				t.Logf("turn %s: %s %s", l.Turn, []string{"", "wrong", "missed"}[what], rule)
			}
		}
	}
	for i, name := range []string{"developed on", "held out", "fresh", "all turns"} {
		c := both
		if i < len(groups) {
			c = groups[i]
		}
		t.Logf("%s:\n%s", name, c.table())
		if p := c.precision("all"); p < minPrecision {
			t.Errorf("%s: precision %.2f, want at least %.2f", name, p, minPrecision)
		}
		if r := c.recall("all"); r < minRecall {
			t.Errorf("%s: recall %.2f, want at least %.2f", name, r, minRecall)
		}
	}
	for rule := range both {
		if p := both.precision(rule); p < minRulePrecision {
			t.Errorf("%s: precision %.2f, want at least %.2f", rule, p, minRulePrecision)
		}
	}
}

// TestSaidTurns holds the rules for people's words against the turns that are
// left, which a reader judged by those words alone.
func TestSaidTurns(t *testing.T) {
	turns, _ := benchTurns(t)
	c := tally{}
	for _, l := range readLabelsOf(t, "said.jsonl") {
		found := Turn("", turns[l.Turn], nil)
		for _, rule := range []string{RulePreference, RuleCorrection, RuleDecision} {
			got := slices.ContainsFunc(found, func(x Lesson) bool { return x.Rule == rule })
			switch want := slices.Contains(l.Kinds, rule); {
			case got && want:
				c.add(rule, 0)
			case got:
				t.Logf("turn %s: wrong %s", l.Turn, rule)
				c.add(rule, 1)
			case want:
				t.Logf("turn %s: missed %s", l.Turn, rule)
				c.add(rule, 2)
			}
		}
	}
	t.Logf("what people said:\n%s", c.table())
	if p := c.precision("all"); p < minSaidPrecision {
		t.Errorf("precision %.2f, want at least %.2f", p, minSaidPrecision)
	}
	if r := c.recall("all"); r < minSaidRecall {
		t.Errorf("recall %.2f, want at least %.2f", r, minSaidRecall)
	}
}

func (c tally) table() string {
	var b strings.Builder
	for _, rule := range append(slices.Clone(ruleOrder), "all") {
		if n := c[rule]; n != nil {
			fmt.Fprintf(&b, "%-11s precision %.2f recall %.2f (right %d, wrong %d, missed %d)\n", rule, c.precision(rule), c.recall(rule), n[0], n[1], n[2])
		}
	}
	return b.String()
}
