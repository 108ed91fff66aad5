package recall

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestCodeNames(t *testing.T) {
	for text, want := range map[string][]string{
		"Server.Listen":                        {"Server.Listen"},
		"why does Server.Listen hang?":         {"Server.Listen"},
		"std::vector grows":                    {"std::vector"},
		"what is p->next":                      {"p->next"},
		"`read_all` and readAll(x)":            {"read_all", "readAll"},
		"socket":                               {"socket"},
		" Socket? ":                            {"Socket"},
		"why does the socket hang":             nil,
		"go 1.26 is out, i.e. today":           nil,
		"it failed. then it worked":            nil,
		"see https://example.org/a_b.html":     nil,
		"a -> b":                               nil,
		"who signs the commits":                nil,
		"":                                     nil,
		"...":                                  nil,
		"42":                                   nil,
		"a.b.c.d":                              nil,
		"日本語":                                  {"日本語"},
		"re-run the tests":                     nil,
		strings.Repeat("x_y", 200):             nil,
		"a_1 a_2 a_3 a_4 a_5 a_6 a_7 a_8 a_9":  {"a_1", "a_2", "a_3", "a_4", "a_5", "a_6"},
		"\x00 \xff\xfe":                        nil,
		"config.go broke the build this night": {"config.go"},
	} {
		if got := CodeNames(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// plainTarget answers with what it has.
type plainTarget []Candidate

func (plainTarget) Name() string { return TargetMemories }

func (p plainTarget) Recall(context.Context, *Query) (*Answer, error) {
	return &Answer{Candidates: slices.Clone(p), Found: len(p)}, nil
}

// TestCodeLeavesOthersAlone: a question in plain words, and one that narrows by
// what symbols do not have, is answered as without the stage.
func TestCodeLeavesOthersAlone(t *testing.T) {
	known := plainTarget{{ID: "m_1", Text: "one", Score: 0.4}, {ID: "m_2", Text: "two", Score: 0.6}}
	asked := 0
	code := Code{Find: func(context.Context, *Query, []string, bool) ([]Symbol, error) {
		asked++
		return []Symbol{{ID: "s_1", Kind: "function", Place: "a.go:1", Text: "a.go:1  function  f", Match: 1, Detail: "exact: f"}}, nil
	}}
	without := &Pipeline{Targets: []Target{known}, Refiners: []Refiner{Level{}}}
	with := &Pipeline{Targets: []Target{known, code}, Refiners: []Refiner{Level{}}}
	for _, q := range []*Query{
		{Text: "why does the socket hang"}, {Text: "Server.Listen", Tags: []string{"x"}}, {Text: "Server.Listen", AsOf: time.Now()},
		{Text: "Server.Listen", Since: time.Now()}, {Text: "Server.Listen", NoCode: true}, {Text: "Server.Listen", Targets: []string{TargetMemories}},
	} {
		a, err := without.Run(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		b, err := with.Run(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		a.Stages, b.Stages = nil, nil // they hold times
		if !reflect.DeepEqual(a, b) || asked > 0 {
			t.Errorf("%q: %+v, without %+v", q.Text, b, a)
		}
	}
	got, err := with.Run(t.Context(), &Query{Text: "Server.Listen"})
	if err != nil || len(got.Candidates) != 3 || got.Candidates[1].Symbol == nil || got.Candidates[1].Score != codeWeight {
		t.Fatalf("%+v %v", got, err)
	}
	if e := got.Candidates[1].Evidence; len(e) != 1 || e[0].Source != SourceCode || e[0].Weighted != got.Candidates[1].Score {
		t.Errorf("%+v", e)
	}
	if only, err := with.Run(t.Context(), &Query{Text: "in plain words", Targets: []string{TargetCode}}); err != nil || len(only.Candidates) != 1 {
		t.Errorf("code alone: %+v %v", only, err)
	}
}

func TestCodeThatCannotAnswer(t *testing.T) {
	failing := func(err error) *Pipeline {
		return &Pipeline{Targets: []Target{Code{Find: func(context.Context, *Query, []string, bool) ([]Symbol, error) { return nil, err }}}}
	}
	off := fmt.Errorf("%w: not indexed", ErrOff)
	if a, err := failing(off).Run(t.Context(), &Query{Text: "a_b"}); err != nil || len(a.Off) != 1 || len(a.Degraded) != 0 {
		t.Errorf("off: %+v %v", a, err)
	}
	broken := errors.New("broken")
	if a, err := failing(broken).Run(t.Context(), &Query{Text: "a_b"}); err != nil || len(a.Degraded) != 1 {
		t.Errorf("broken: %+v %v", a, err)
	}
	if _, err := failing(broken).Run(t.Context(), &Query{Text: "a_b", Targets: []string{TargetCode}}); !errors.Is(err, broken) {
		t.Errorf("code alone: %v", err)
	}
}
