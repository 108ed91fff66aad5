package capture

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"
)

// The rules of gitleaks are not part of this repository; the build puts them
// into this directory. See rules/README.md.
//
//go:embed rules
var rulesDir embed.FS

const gitleaksFile = "rules/gitleaks.toml"

// gitleaksGeneric is the rule for any value beside a word such as "key". Its
// name alone proves little.
const gitleaksGeneric = "generic-api-key"

// gitleaksConfig is what is used of the rule file. Paths are not: text has
// none.
type gitleaksConfig struct {
	Allowlist gitleaksAllowlist `toml:"allowlist"`
	Rules     []struct {
		ID          string              `toml:"id"`
		Regex       string              `toml:"regex"`
		Path        string              `toml:"path"`
		SecretGroup int                 `toml:"secretGroup"`
		Entropy     float64             `toml:"entropy"`
		Keywords    []string            `toml:"keywords"`
		Allowlists  []gitleaksAllowlist `toml:"allowlists"`
	} `toml:"rules"`
}

type gitleaksAllowlist struct {
	Condition   string   `toml:"condition"`
	Paths       []string `toml:"paths"`
	Regexes     []string `toml:"regexes"`
	RegexTarget string   `toml:"regexTarget"`
	Stopwords   []string `toml:"stopwords"`
}

// loadGitleaks reads the rule file. Rules for files of a certain name are left
// out. That the file is not there is no error; it gives no rules.
func loadGitleaks(dir fs.FS) ([]rule, error) {
	raw, err := fs.ReadFile(dir, gitleaksFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read gitleaks rules: %w", err)
	}
	var config gitleaksConfig
	if err := toml.Unmarshal(raw, &config); err != nil {
		return nil, fmt.Errorf("read gitleaks rules: %w", err)
	}
	everywhere := newAllowance(config.Allowlist)
	rules := make([]rule, 0, len(config.Rules))
	for _, r := range config.Rules {
		if r.Regex == "" || r.Path != "" || !isRuleID(r.ID) {
			continue
		}
		allow := allowances{everywhere}
		for _, list := range r.Allowlists {
			if strings.EqualFold(list.Condition, "AND") && len(list.Paths) > 0 {
				continue // text has no path, so this can never hold
			}
			allow = append(allow, newAllowance(list))
		}
		p := newPattern(r.Regex, r.Entropy, r.SecretGroup, allow)
		as := rankGitleaks
		if r.ID == gitleaksGeneric {
			as, p.weak = rankGeneric, true
		}
		rules = append(rules, rule{id: r.ID, rank: as, keywords: r.Keywords, pattern: p})
	}
	return rules, nil
}

// allowances say when a match is no secret after all; one suffices.
type allowances []*allowance

func (as allowances) permit(text string, start, end int, secret string) bool {
	for _, a := range as {
		if a.permits(text, start, end, secret) {
			return true
		}
	}
	return false
}

// allowance is one list of exceptions, made ready when first asked.
type allowance struct {
	list      gitleaksAllowlist
	once      sync.Once
	regexes   []*regexp.Regexp
	stopwords *automaton
}

func newAllowance(list gitleaksAllowlist) *allowance { return &allowance{list: list} }

func (a *allowance) permits(text string, start, end int, secret string) bool {
	a.once.Do(func() {
		for _, source := range a.list.Regexes {
			if re, err := regexp.Compile(source); err == nil {
				a.regexes = append(a.regexes, re)
			}
		}
		if len(a.list.Stopwords) > 0 {
			words := make([]string, len(a.list.Stopwords))
			for i, w := range a.list.Stopwords {
				words[i] = strings.ToLower(w)
			}
			a.stopwords = newAutomaton(words)
		}
	})
	if a.stopwords != nil && a.stopwords.contains(secret) {
		return true
	}
	target := secret
	switch a.list.RegexTarget {
	case "match":
		target = text[start:end]
	case "line":
		target = lineAround(text, start, end)
	}
	for _, re := range a.regexes {
		if re.MatchString(target) {
			return true
		}
	}
	return false
}

// lineAround returns the lines that a part of the text lies in, cut where
// they are very long.
func lineAround(text string, start, end int) string {
	from, to := max(0, start-windowAhead), min(len(text), end+windowAhead)
	if at := strings.LastIndexByte(text[from:start], '\n'); at >= 0 {
		from += at + 1
	}
	if at := strings.IndexByte(text[end:to], '\n'); at >= 0 {
		to = end + at
	}
	return text[from:to]
}

// standard holds the rules every redactor uses.
type standard struct {
	*ruleSet
	name string
}

var loadStandard = sync.OnceValue(func() standard {
	own := builtinRules()
	foreign, err := loadGitleaks(rulesDir)
	name := "gitleaks and built-in"
	switch {
	case err != nil:
		name = "built-in only (" + err.Error() + ")"
	case len(foreign) == 0:
		name = "built-in only"
	}
	return standard{newRuleSet(append(own, foreign...)), name}
})

func standardRules() *ruleSet { return loadStandard().ruleSet }

// RuleSet says which rules are in use and how many there are. Fixed forms are
// another way to find the keys of rules that are counted.
func RuleSet() (name string, count int) {
	s := loadStandard()
	return s.name, len(s.rules) - len(fixedRules()) + 2 // private passages and high entropy have no entry
}
