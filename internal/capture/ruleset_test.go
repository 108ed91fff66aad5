package capture

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func TestRuleSet(t *testing.T) {
	name, count := RuleSet()
	own := len(builtinRules()) - len(fixedRules()) + 2
	switch name {
	case "built-in only":
		if count != own {
			t.Errorf("%d rules, want %d", count, own)
		}
	case "gitleaks and built-in":
		if count < own+200 {
			t.Errorf("%d rules, want more than %d", count, own+200)
		}
	default:
		t.Errorf("rule set %q", name)
	}
}

// Every expression of the rules in use must compile, and every keyword be in
// the form the search expects.
func TestRulesCompile(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range standardRules().rules {
		if !isRuleID(r.id) {
			t.Errorf("rule id %q cannot stand in a placeholder", r.id)
		}
		seen[r.id] = true
		if r.pattern == nil {
			continue
		}
		if r.pattern.prepare(); r.pattern.compile() != nil {
			t.Errorf("%s: %v", r.id, r.pattern.compile())
		}
		if len(r.keywords) == 0 {
			t.Errorf("%s has no keywords", r.id)
		}
	}
	if !seen["private-key"] || !seen["jwt"] {
		t.Error("own rules are missing")
	}
}

func TestLoadGitleaks(t *testing.T) {
	load := func(text string) ([]rule, error) {
		return loadGitleaks(fstest.MapFS{gitleaksFile: {Data: []byte(text)}})
	}
	t.Run("absent", func(t *testing.T) {
		if rules, err := loadGitleaks(fstest.MapFS{}); err != nil || len(rules) != 0 {
			t.Errorf("%d rules, %v", len(rules), err)
		}
	})
	t.Run("damaged", func(t *testing.T) {
		if _, err := load("[[rules]\nid="); err == nil {
			t.Error("no error")
		}
	})
	t.Run("used", func(t *testing.T) {
		rules, err := load(`
[allowlist]
stopwords = ["Everywhere"]
[[rules]]
id = "acme"
regex = '''(acme_)([a-z0-9]{10})'''
secretGroup = 2
entropy = 2.0
keywords = ["acme_"]
[[rules.allowlists]]
regexes = ['''^zzz''']
[[rules.allowlists]]
regexTarget = "line"
regexes = ['''this is fine''']
[[rules.allowlists]]
condition = "AND"
paths = ['''x''']
regexes = ['''.''']
[[rules]]
id = "by-path"
regex = '''x'''
path = '''\.tf$'''
keywords = ["x"]
[[rules]]
id = "path-only"
path = '''\.p12$'''
`)
		if err != nil || len(rules) != 1 {
			t.Fatalf("%d rules, %v", len(rules), err)
		}
		r := &Redactor{base: newRuleSet(rules)}
		tests := []struct {
			name, text, want string
		}{
			{"group", "x acme_a1b2c3d4e5 y", "x acme_[redacted:acme] y"},
			{"entropy", "x acme_aaaaaaaaab y", "x acme_aaaaaaaaab y"},
			{"allowed secret", "x acme_zzz2c3d4e5 y", "x acme_zzz2c3d4e5 y"},
			{"allowed line", "acme_a1b2c3d4e5 this is fine\nacme_a1b2c3d4e5", "acme_a1b2c3d4e5 this is fine\nacme_[redacted:acme]"},
			{"stop word", "acme_everywhere", "acme_everywhere"},
		}
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				if got, _ := r.Redact(tt.text); got != tt.want {
					t.Errorf("got %q, want %q", got, tt.want)
				}
			})
		}
	})
}

func TestNew(t *testing.T) {
	r, err := New(
		Rule{ID: "badge", Pattern: `badge no\. (\d{6})`, Keywords: []string{"Badge"}},
		Rule{ID: "planet", Pattern: `\bVulcan\b`},
	)
	if err != nil {
		t.Fatal(err)
	}
	got, found := r.Redact("his badge no. 123456 is from Vulcan")
	if want := "his badge no. [redacted:badge] is from [redacted:planet]"; got != want || len(found) != 2 {
		t.Errorf("got %q, %v; want %q", got, found, want)
	}
	for _, bad := range []Rule{{ID: "Bad", Pattern: "x"}, {ID: "", Pattern: "x"}, {ID: "a]b", Pattern: "x"}, {ID: "ok", Pattern: "("}} {
		if _, err := New(bad); err == nil {
			t.Errorf("rule %+v was accepted", bad)
		}
	}
	if r, err := New(); err != nil || r == nil {
		t.Errorf("New() = %v, %v", r, err)
	}
}

func TestRedactConcurrently(t *testing.T) {
	r := &Redactor{base: newRuleSet(builtinRules())}
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			secret := join("gh", "p_") + randomSeed(36, base62, uint64(i))
			if got, _ := r.Redact("x " + secret); got != "x [redacted:github-token]" {
				t.Errorf("got %q", got)
			}
		})
	}
	group.Wait()
}

func TestAutomaton(t *testing.T) {
	words := []string{"he", "she", "his", "hers", "key", "-----begin", "e"}
	a := newAutomaton(words)
	tests := []struct {
		name, text string
	}{
		{"classic", "ushers"},
		{"upper case", "USHERS and KeY"},
		{"overlap", "hehehe shehers"},
		{"none", "xxxx"},
		{"empty", ""},
		{"symbols", "------BEGIN x"},
		{"bytes", "h\xffe\x00key"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, want := map[string]int{}, map[string]int{}
			a.each(tt.text, func(k, end int) { got[fmt.Sprint(words[k], "@", end)]++ })
			lower := strings.ToLower(tt.text)
			for _, w := range words {
				for end := len(w); end <= len(tt.text); end++ {
					if lower[end-len(w):end] == w {
						want[fmt.Sprint(w, "@", end)]++
					}
				}
			}
			if tt.name == "bytes" { // ToLower replaces invalid bytes
				want = map[string]int{"e@3": 1, "e@6": 1, "key@7": 1}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if a.contains(tt.text) != (len(want) > 0) {
				t.Errorf("contains = %v", a.contains(tt.text))
			}
		})
	}
}

// A text built to make searching slow must still be linear.
func TestRedactHostileText(t *testing.T) {
	unit := []string{"<private", "-----BEGIN PRIV" + "ATE KEY-----", "://a:", "[redacted:", join("pass", "word="), "key:", "sk-", "eyJ", "curl -u ", "curl\n", random(30, base62) + "."}
	var r Redactor
	for _, u := range unit {
		t.Run(u[:min(len(u), 12)], func(t *testing.T) {
			text := strings.Repeat(u, 30_000/len(u))
			if err := checkRedaction(&r, text); err != nil && len(err.Error()) < 2000 {
				t.Error(err)
			} else if err != nil {
				t.Error(err.Error()[:2000])
			}
		})
	}
}
