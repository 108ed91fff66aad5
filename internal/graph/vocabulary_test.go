package graph

import (
	"errors"
	"strings"
	"testing"
)

func TestLookupPredicate(t *testing.T) {
	for _, tt := range []struct {
		name    string
		want    string
		swapped bool
	}{
		{"causes", "causes", false},
		{"Causes", "causes", false},
		{"leads to", "causes", false},
		{"Leads-To", "causes", false},
		{"triggers", "causes", false},
		{"caused_by", "causes", true},
		{"is caused by", "causes", true},
		{"Depends On", "requires", false},
		{"needs", "requires", false},
		{"required by", "requires", true},
		{"fixes", "solves", false},
		{"fixed by", "solves", true},
		{"avoids", "prevents", false},
		{"is", "is_a", false},
		{"kind of", "is_a", false},
		{"has kind", "is_a", true},
		{"replaces", "supersedes", false},
		{"replaced by", "supersedes", true},
		{"prefers", "preferred", false},
		{"better than", "preferred", false},
		{"worse than", "preferred", true},
		{"follows", "precedes", true},
		{"has part", "part_of", true},
		{"relates to", "related_to", false},
		{"contradicts", "contradicts", false},
		{"version is", "has_version", false},
		{"  __works---at  ", "works_at", false},
		{"fährt nach", "fährt_nach", false},
		{"fa\u0308hrt nach", "fährt_nach", false},
		{"אוהב", "אוהב", false},
		{"oauth2", "oauth2", false},
		{strings.Repeat("x", MaxPredicate), strings.Repeat("x", MaxPredicate), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, swapped, err := LookupPredicate(tt.name)
			if err != nil || p.Name != tt.want || swapped != tt.swapped {
				t.Errorf("got %s, %v, %v; want %s, %v", p.Name, swapped, err, tt.want, tt.swapped)
			}
		})
	}
}

func TestLookupPredicateRefuses(t *testing.T) {
	for _, name := range []string{
		"", " ", "_", "--", "42", "a\x00b", "a\nb", "a\tb", "a.b", "a:b", "r:KNOWS", "a'b", "a\xffb", "🔥", "a\u202eb", "a;drop",
		strings.Repeat("x", MaxPredicate+1), strings.Repeat("語", MaxPredicate+1), strings.Repeat("x", 10_000_000),
	} {
		if p, _, err := LookupPredicate(name); !errors.Is(err, ErrPredicate) || len(err.Error()) > 400 {
			t.Errorf("%.40q: got %+v and %.400v", name, p, err)
		}
	}
}

// TestVocabularyIsSound holds what the rest of the graph relies on.
func TestVocabularyIsSound(t *testing.T) {
	spread := map[string]float64{"causes": 0.7, "is_a": 0.8, "related_to": 0.3}
	names := map[string]bool{}
	for _, p := range vocabulary {
		if names[p.Name] {
			t.Errorf("%s is there twice", p.Name)
		}
		names[p.Name] = true
		want, ok := spread[p.Name]
		if !ok {
			want = 0.5
		}
		if p.Spread != want || p.Category == "" || p.Inverse == "" {
			t.Errorf("%+v is not complete", p)
		}
		if (p.Inverse == p.Name) != p.Symmetric {
			t.Errorf("%s: inverse %s, symmetric %v", p.Name, p.Inverse, p.Symmetric)
		}
		back, swapped, err := LookupPredicate(p.Inverse)
		if err != nil || back.Name != p.Name || swapped == p.Symmetric {
			t.Errorf("inverse %s of %s is %s, %v, %v", p.Inverse, p.Name, back.Name, swapped, err)
		}
		if p.Functional != (p.Category == Stative) {
			t.Errorf("%s: functional %v; only states are", p.Name, p.Functional)
		}
	}
	for _, name := range strings.Fields("causes solves prevents is_a part_of has_property related_to used_with preferred contradicts supersedes precedes requires calls contains imports inherits corrects") {
		if !names[name] {
			t.Errorf("%s is missing", name)
		}
	}
	for word, to := range synonyms {
		if !names[to] || names[word] || backward[word] != "" {
			t.Errorf("synonym %s of %s means two things", word, to)
		}
	}
	for word, to := range backward {
		if !names[to] || names[word] {
			t.Errorf("inverse %s of %s means two things", word, to)
		}
	}
	own, swapped, err := LookupPredicate("works at")
	if err != nil || swapped || own.Category != Associative || own.Spread != 0.5 || own.Transitive || own.Symmetric || own.Functional {
		t.Errorf("own predicate: %+v, %v, %v", own, swapped, err)
	}
}
