package graph

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func day(s string) time.Time {
	t, err := time.Parse(dayFormat, s)
	if err != nil {
		panic(err)
	}
	return t
}

func TestSentences(t *testing.T) {
	fail := Fact{Subject: "nc.subshell", Predicate: "causes", Object: "socket.failure"}
	cli := Fact{Subject: "cli.direct", Predicate: "solves", Object: "socket.failure"}
	for _, tt := range []struct {
		name   string
		facts  []Fact
		budget int
		want   []string
	}{
		{"none", nil, 0, nil},
		{"two about one", []Fact{fail, cli}, 0, []string{"nc.subshell causes socket.failure; cli.direct solves it"}},
		{"one told twice", []Fact{fail, fail, {Subject: "NC_subshell", Predicate: "causes", Object: "Socket Failure"}}, 0, []string{"nc.subshell causes socket.failure"}},
		{"several objects", []Fact{
			{Subject: "daemon", Predicate: "requires", Object: "lock"}, {Subject: "daemon", Predicate: "requires", Object: "store"}, {Subject: "daemon", Predicate: "requires", Object: "socket"},
		}, 0, []string{"daemon requires lock, store and socket"}},
		{"several subjects read better from the object", []Fact{
			fail, {Subject: "timeout", Predicate: "causes", Object: "socket.failure"}, cli,
		}, 0, []string{"socket.failure is caused by nc.subshell and timeout; cli.direct solves it"}},
		{"own predicates are said as written", []Fact{
			{Subject: "alice", Predicate: "works_at", Object: "lab"}, {Subject: "bob", Predicate: "works_at", Object: "lab"},
		}, 0, []string{"alice works at lab; bob works at it"}},
		{"chain", []Fact{
			{Subject: "a.x", Predicate: "causes", Object: "b.x"}, {Subject: "c.x", Predicate: "causes", Object: "d.x"}, {Subject: "b.x", Predicate: "causes", Object: "c.x"},
			{Subject: "e.x", Predicate: "prevents", Object: "d.x"}, {Subject: "f.x", Predicate: "solves", Object: "b.x"},
		}, 0, []string{"a.x causes b.x, which causes c.x, which causes d.x; e.x prevents it; f.x solves b.x"}},
		{"cycle", []Fact{
			{Subject: "a.x", Predicate: "causes", Object: "b.x"}, {Subject: "b.x", Predicate: "causes", Object: "a.x"},
		}, 0, []string{"a.x causes b.x; it causes a.x"}},
		{"unrelated", []Fact{fail, {Subject: "redis", Predicate: "is_a", Object: "cache"}, cli}, 0,
			[]string{"nc.subshell causes socket.failure; cli.direct solves it", "redis is a cache"}},
		{"doubt and past", []Fact{
			{Subject: "a.x", Predicate: "causes", Object: "b.x", Confidence: 0.3},
			{Subject: "a.x", Predicate: "has_version", Object: "2", Confidence: 0.9, ValidFrom: day("2026-01-02"), ValidUntil: day("2026-03-04")},
			{Subject: "a.x", Predicate: "has_version", Object: "3", Confidence: 0.9, ValidFrom: day("2026-03-04")},
		}, 0, []string{"a.x causes b.x (confidence 0.3); a.x has version 2 (from 2026-01-02, until 2026-03-04); a.x has version 3"}},
		{"what does not fit is left out whole", []Fact{fail, cli}, 40, []string{"nc.subshell causes socket.failure"}},
		{"what fits later is told", []Fact{fail, {Subject: "a", Predicate: "is_a", Object: "b"}}, 8, []string{"a is a b"}},
		{"nothing fits", []Fact{fail}, 5, nil},
		{"odd predicates", []Fact{{Subject: "a", Predicate: "", Object: "b"}, {Subject: "a", Predicate: "x\x00", Object: "b"}}, 0, []string{"a  b; a x\x00 it"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := Sentences(tt.facts, tt.budget)
			if !slices.Equal(got, tt.want) {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
			if again := Sentences(slices.Clone(tt.facts), tt.budget); !slices.Equal(got, again) {
				t.Errorf("told differently the second time: %q", again)
			}
		})
	}
}

func TestSentenceSaysEveryPredicate(t *testing.T) {
	for _, p := range vocabulary {
		got := Sentence(Fact{Subject: "a", Predicate: p.Name, Object: "b"})
		if !strings.HasPrefix(got, "a ") || !strings.HasSuffix(got, " b") || strings.Contains(got, "_") || p.saysBack == "" {
			t.Errorf("%s is said %q, and back %q", p.Name, got, p.saysBack)
		}
	}
}

// TestSentencesKeepTheBudget holds for every budget that the answer fits it,
// and that with enough of it every fact is told.
func TestSentencesKeepTheBudget(t *testing.T) {
	var facts []Fact
	for i := range 30 {
		facts = append(facts, Fact{Subject: fmt.Sprintf("thing.%d", i%11), Predicate: vocabulary[i%len(vocabulary)].Name, Object: fmt.Sprintf("été.%d", i%7)})
	}
	whole := strings.Join(Sentences(facts, 0), "\n")
	for budget := 1; budget <= utf8.RuneCountInString(whole); budget++ {
		if got := strings.Join(Sentences(facts, budget), "\n"); utf8.RuneCountInString(got) > budget {
			t.Fatalf("budget %d: %d characters: %q", budget, utf8.RuneCountInString(got), got)
		}
	}
	if got := strings.Join(Sentences(facts, utf8.RuneCountInString(whole)), "\n"); got != whole {
		t.Errorf("with just enough room:\n%s\nwithout limit:\n%s", got, whole)
	}
	for _, f := range facts {
		for _, name := range []string{f.Subject, f.Object} {
			if !strings.Contains(whole, name) {
				t.Errorf("%s is not told", name)
			}
		}
	}
}
