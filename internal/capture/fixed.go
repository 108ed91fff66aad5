package capture

import "strings"

// fixedForm is a secret that is known wherever it stands: its prefix and the
// length and characters of its body do not come about by chance, so it needs
// no space or sign around it. It is found glued to letters, as in encoded
// text, where an expression that asks for the edge of a word sees nothing.
//
// Only forms belong here that a megabyte of base 64 is most unlikely to hold.
// The standard alphabet has neither underscore nor dash; what has neither,
// such as AKIA, is told apart by a body of few kinds of characters or by a
// longer prefix. Shorter prefixes, such as sk- and hf_, are left to the
// expressions of [providers].
type fixedForm struct {
	rule   string
	prefix string
	body   string // ranges of characters: "09AZ"
	least  int    // characters of the body
	most   int
	needs  string // ranges of which the body has at least one character each
}

// Ranges of characters for bodies.
const (
	rangeDigit  = "09"
	rangeUpper  = "AZ"
	rangeLower  = "az"
	rangeAlnum  = rangeDigit + rangeUpper + rangeLower
	rangeURL    = rangeAlnum + "__--"
	rangeHex    = rangeDigit + "af"
	rangeBase32 = rangeUpper + "27"
	rangeMixed  = rangeAlnum // for needs: some of each
)

// fixedMost bounds bodies whose length varies: longer than any known key.
const fixedMost = 255

// fixedForms are the keys of a fixed form, of the providers of [providers].
var fixedForms = [...]fixedForm{
	{"aws-access-key", "AKIA", rangeBase32, 16, 16, "27AZ"},
	{"aws-access-key", "ASIA", rangeBase32, 16, 16, "27AZ"},
	{"github-token", "ghp_", rangeAlnum, 36, fixedMost, ""},
	{"github-token", "gho_", rangeAlnum, 36, fixedMost, ""},
	{"github-token", "ghu_", rangeAlnum, 36, fixedMost, ""},
	{"github-token", "ghs_", rangeAlnum, 36, fixedMost, ""},
	{"github-token", "ghr_", rangeAlnum, 36, fixedMost, ""},
	{"github-token", "github_pat_", rangeAlnum + "__", 82, fixedMost, rangeDigit},
	{"gitlab-token", "glpat-", rangeURL, 20, fixedMost, rangeDigit},
	{"gitlab-token", "glptt-", rangeURL, 20, fixedMost, rangeDigit},
	{"gitlab-token", "glcbt-", rangeURL, 20, fixedMost, rangeDigit},
	{"gitlab-token", "glsoat-", rangeURL, 20, fixedMost, rangeDigit},
	{"slack-token", "xoxb-", rangeAlnum + "--", 24, fixedMost, rangeDigit},
	{"slack-token", "xoxp-", rangeAlnum + "--", 24, fixedMost, rangeDigit},
	{"slack-token", "xoxa-", rangeAlnum + "--", 24, fixedMost, rangeDigit},
	{"slack-token", "xoxs-", rangeAlnum + "--", 24, fixedMost, rangeDigit},
	{"slack-token", "xapp-1-A", rangeAlnum + "--", 24, fixedMost, rangeDigit},
	{"stripe-key", "sk_live_", rangeAlnum, 24, fixedMost, rangeDigit},
	{"stripe-key", "rk_live_", rangeAlnum, 24, fixedMost, rangeDigit},
	{"stripe-key", "sk_test_", rangeAlnum, 24, fixedMost, rangeDigit},
	{"stripe-key", "rk_test_", rangeAlnum, 24, fixedMost, rangeDigit},
	{"anthropic-key", "sk-ant-", rangeURL, 40, fixedMost, rangeMixed},
	{"openai-key", "sk-proj-", rangeURL, 40, fixedMost, rangeMixed},
	{"openai-key", "sk-svcacct-", rangeURL, 40, fixedMost, rangeMixed},
	{"openai-key", "sk-admin-", rangeURL, 40, fixedMost, rangeMixed},
	{"openai-key", "sk-or-v1-", rangeHex, 64, 64, rangeDigit},
	{"google-key", "AIzaSy", rangeURL, 33, 33, ""},
	{"google-key", "GOCSPX-", rangeURL, 28, 28, ""},
	{"npm-token", "npm_", rangeAlnum, 36, 36, ""},
	{"pypi-token", "pypi-AgE", rangeURL, 50, fixedMost, rangeMixed},
	{"digitalocean-token", "dop_v1_", rangeHex, 64, 64, rangeDigit},
	{"digitalocean-token", "doo_v1_", rangeHex, 64, 64, rangeDigit},
	{"digitalocean-token", "dor_v1_", rangeHex, 64, 64, rangeDigit},
	{"databricks-token", "dapi", rangeHex, 32, 32, rangeDigit},
	{"docker-token", "dckr_pat_", rangeURL, 27, 27, ""},
	{"grafana-token", "glsa_", rangeAlnum + "__", 41, 41, rangeDigit},
	{"age-key", "AGE-SECRET-KEY-1", rangeDigit + rangeUpper, 58, 58, ""},
}

// openaiMark is what keys of the old form have in their middle, with at least
// openaiAround characters on either side. It is OpenAI's name in base 64.
const (
	openaiMark   = "T3BlbkFJ"
	openaiPrefix = "sk-"
	openaiAround = 20
)

// fixedRules returns the rules of the fixed forms.
func fixedRules() []rule {
	rules := []rule{{id: "openai-key", rank: rankProvider, keywords: []string{lowerASCII(openaiMark)}, at: openaiMarked}}
	for _, f := range fixedForms {
		rules = append(rules, rule{id: f.rule, rank: rankProvider, keywords: []string{lowerASCII(f.prefix)}, at: f.at})
	}
	return rules
}

// at finds the secret whose prefix stands at a place. Whether it is real is
// told by as much of it as it must have: what is glued to it says nothing.
func (f fixedForm) at(text string, start, end int) (span, bool) {
	if text[start:end] != f.prefix {
		return span{}, false
	}
	stop := runOf(text, end, f.most, f.body)
	if stop-end < f.least {
		return span{}, false
	}
	body := text[end : end+f.least]
	for i := 0; i < len(f.needs); i += 2 {
		if !hasRange(body, f.needs[i:i+2]) {
			return span{}, false
		}
	}
	if shannon(body) <= someBits || isPlaceholder(text[start:end+f.least]) {
		return span{}, false
	}
	return span{start: start, end: stop}, true
}

// openaiMarked finds the key around its mark.
func openaiMarked(text string, start, end int) (span, bool) {
	if text[start:end] != openaiMark {
		return span{}, false
	}
	before := text[max(0, start-fixedMost):start]
	from := strings.LastIndex(before, openaiPrefix)
	if from < 0 {
		return span{}, false
	}
	from += start - len(before)
	head := from + len(openaiPrefix)
	stop := runOf(text, end, fixedMost, rangeURL)
	if start-head < openaiAround || stop-end < openaiAround || runOf(text, head, start-head, rangeURL) < start {
		return span{}, false
	}
	return span{start: from, end: stop}, true
}

// runOf returns how far the characters of some ranges go on, at most so many.
func runOf(text string, from, most int, ranges string) int {
	i := from
	for i < len(text) && i-from < most && inRanges(text[i], ranges) {
		i++
	}
	return i
}

func inRanges(c byte, ranges string) bool {
	for i := 0; i < len(ranges); i += 2 {
		if ranges[i] <= c && c <= ranges[i+1] {
			return true
		}
	}
	return false
}

func hasRange(text, one string) bool {
	for i := range len(text) {
		if one[0] <= text[i] && text[i] <= one[1] {
			return true
		}
	}
	return false
}
