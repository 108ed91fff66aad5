package memory

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The stored number, name and decay of every kind. Numbers are on disk: a
// change here is a change of format.
func TestKinds(t *testing.T) {
	tests := []struct {
		name   string
		kind   Kind
		number uint8
		decay  float64
	}{
		{"wisdom", Wisdom, 0, 0.005},
		{"belief", Belief, 1, 0},
		{"intention", Intention, 2, 0.02},
		{"episode", Episode, 3, 0.03},
		{"failure", Failure, 4, 0.005},
		{"aspiration", Aspiration, 5, 0.01},
		{"dream", Dream, 6, 0.02},
		{"question", Question, 7, 0.02},
		{"correction", Correction, 8, 0.005},
		{"entity", Entity, 9, 0},
		{"term", Term, 10, 0},
		{"edge", Edge, 11, 0.02},
		{"insight", Insight, 12, 0.005},
		{"signal", Signal, 13, 0.03},
		{"state", State, 14, 0.05},
		{"summary", Summary, 15, 0.02},
		{"review", Review, 16, 0.02},
		{"preference", Preference, 17, 0.01},
		{"milestone", Milestone, 18, 0.01},
		{"approach", Approach, 19, 0.005},
		{"outcome", Outcome, 20, 0.01},
		{"gap", Gap, 21, 0.01},
		{"symbol", Symbol, 22, 0},
		{"project_essence", ProjectEssence, 23, 0},
		{"module_state", ModuleState, 24, 0.05},
		{"pattern_state", PatternState, 25, 0.05},
	}
	if len(tests) != len(Kinds()) || len(tests) != 26 {
		t.Fatalf("%d rows for %d kinds, want 26", len(tests), len(Kinds()))
	}
	for i, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if uint8(tt.kind) != tt.number || Kinds()[i] != tt.kind || KindNames()[i] != tt.name {
				t.Errorf("number %d, Kinds()[%d]=%v, KindNames()[%d]=%q", uint8(tt.kind), i, Kinds()[i], i, KindNames()[i])
			}
			if tt.kind.String() != tt.name || tt.kind.DecayRate() != tt.decay || tt.kind.About() == "" || !tt.kind.Valid() {
				t.Errorf("String %q, DecayRate %v, About %q", tt.kind.String(), tt.kind.DecayRate(), tt.kind.About())
			}
			b, err := json.Marshal(tt.kind)
			if err != nil || string(b) != `"`+tt.name+`"` {
				t.Fatalf("marshal: %s, %v", b, err)
			}
			var back Kind
			if err := json.Unmarshal(b, &back); err != nil || back != tt.kind {
				t.Errorf("unmarshal: %v, %v", back, err)
			}
		})
	}
}

func TestInvalidKind(t *testing.T) {
	k := kindCount
	if k.Valid() || k.String() != "kind(26)" || k.About() != "" || k.DecayRate() != 0 {
		t.Errorf("invalid kind: %v %q %v", k, k.About(), k.DecayRate())
	}
	if _, err := json.Marshal(k); err == nil {
		t.Error("marshalled an invalid kind")
	}
	var back Kind
	for _, bad := range []string{`7`, `null0`, `"nope"`, `{}`} {
		if err := json.Unmarshal([]byte(bad), &back); err == nil {
			t.Errorf("unmarshalled %s", bad)
		}
	}
}

func TestParseKind(t *testing.T) {
	tests := []struct {
		name       string
		in         string
		want       Kind
		suggestion string
		fails      bool
	}{
		{"plain", "wisdom", Wisdom, "", false},
		{"upper case", "WISDOM", Wisdom, "", false},
		{"camel case", "ProjectEssence", ProjectEssence, "", false},
		{"dashes", "project-essence", ProjectEssence, "", false},
		{"underscores", "module_state", ModuleState, "", false},
		{"spaces", " pattern state ", PatternState, "", false},
		{"swapped letters", "widsom", 0, "wisdom", true},
		{"missing letter", "failur", 0, "failure", true},
		{"extra letter", "prefference", 0, "preference", true},
		{"prefix", "pref", 0, "preference", true},
		{"nothing near", "zzzzzzzz", 0, "", true},
		{"empty", "", 0, "", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := ParseKind(tt.in)
			if !tt.fails {
				if err != nil || got != tt.want {
					t.Fatalf("ParseKind(%q) = %v, %v", tt.in, got, err)
				}
				return
			}
			var unknown *UnknownKindError
			if !errors.As(err, &unknown) {
				t.Fatalf("ParseKind(%q) error = %v, want UnknownKindError", tt.in, err)
			}
			if unknown.Suggestion != tt.suggestion {
				t.Errorf("suggestion %q, want %q", unknown.Suggestion, tt.suggestion)
			}
			if tt.suggestion != "" && !strings.Contains(unknown.Hint(), tt.suggestion+`"?`) {
				t.Errorf("hint %q does not ask", unknown.Hint())
			}
			if !strings.Contains(unknown.Hint(), "wisdom, belief") {
				t.Errorf("hint %q does not list the kinds", unknown.Hint())
			}
		})
	}
}

func TestNearest(t *testing.T) {
	words := []string{"remember", "recall", "forget", "status"}
	tests := []struct {
		name, in, want string
	}{
		{"exact", "recall", "recall"},
		{"case", "RECALL", "recall"},
		{"one off", "recal", "recall"},
		{"swap", "froget", "forget"},
		{"prefix", "stat", "status"},
		{"two letters are too few for a prefix", "st", ""},
		{"far", "consolidate", ""},
		{"empty", "  ", ""},
		{"accents are one letter each", "récall", "recall"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Nearest(tt.in, words); got != tt.want {
				t.Errorf("Nearest(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
	if got := Nearest("x", nil); got != "" {
		t.Errorf("Nearest without candidates = %q", got)
	}
}

func TestEditDistance(t *testing.T) {
	tests := []struct {
		name, a, b string
		want       int
	}{
		{"equal", "abc", "abc", 0},
		{"empty", "", "abc", 3},
		{"insert", "abc", "abxc", 1},
		{"delete", "abc", "ac", 1},
		{"replace", "abc", "axc", 1},
		{"swap", "abcd", "acbd", 1},
		{"unicode", "naïve", "naive", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff([2]int{tt.want, tt.want}, [2]int{editDistance(tt.a, tt.b), editDistance(tt.b, tt.a)}); diff != "" {
				t.Error(diff)
			}
		})
	}
}
