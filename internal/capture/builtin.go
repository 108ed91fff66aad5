package capture

import "strings"

// builtinRules returns chitta's own rules, which are always in use.
func builtinRules() []rule {
	rules := []rule{
		{id: "private-key", rank: rankFormat, keywords: []string{"-----begin"}, at: privateKeyBlock},
		{id: "url-password", rank: rankFormat, keywords: []string{"://"}, at: urlPassword},
		{id: "authorization", rank: rankFormat, keywords: []string{"authorization", "bearer"}, at: authorization},
		{id: "secret-value", rank: rankAssignment, keywords: assignmentKeywords(), at: secretValue},
		{id: "command-password", rank: rankFormat, keywords: commandKeywords(), at: commandPassword},
	}
	for _, p := range providers {
		pattern := newPattern(p.regex, p.entropy, 0, nil)
		pattern.escapeEnds = !strings.Contains(p.regex, "%")
		rules = append(rules, rule{id: p.id, rank: rankProvider, keywords: p.keywords, pattern: pattern})
	}
	return append(rules, fixedRules()...)
}

// nameEdge is the edge of a secret that has no underscore in it and so is no
// part of a long name: an underscore will do.
const nameEdge = `(?:\b|_)`

// enoughBits is the least entropy for shapes with a prefix that ordinary words
// have too; names in kebab case stay below it.
const (
	someBits   = 2.5 // not one character repeated
	enoughBits = 3.5
)

// providers are the shapes of keys that people paste most. The rules of
// gitleaks know many more; these hold without them.
var providers = [...]struct {
	id       string
	regex    string
	entropy  float64
	keywords []string
}{
	{"aws-access-key", nameEdge + `((?:AKIA|ASIA)[A-Z2-7]{16})` + nameEdge, someBits, []string{"akia", "asia"}},
	{"github-token", `\b(github_pat_[A-Za-z0-9_]{22,255})\b`, someBits, []string{"github_pat_"}}, // the others: fixedForms
	{"gitlab-token", `\b(gl(?:pat|dt|rt|cbt|ptt|ft|soat|imt|agent|oas)-[A-Za-z0-9_.-]{20,})`, someBits,
		[]string{"glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glsoat-", "glimt-", "glagent-", "gloas-"}},
	{"slack-token", `\b(xox[abeoprs]-[A-Za-z0-9-]{10,}|xapp-[0-9]-[A-Za-z0-9-]{10,})`, someBits,
		[]string{"xoxa-", "xoxb-", "xoxe-", "xoxo-", "xoxp-", "xoxr-", "xoxs-", "xapp-"}},
	{"slack-webhook", `(?:https?://)?hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/]{30,}`, someBits, []string{"hooks.slack.com"}},
	{"stripe-key", `\b((?:sk|rk)_(?:live|test|prod)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/=]{24,})`, someBits,
		[]string{"sk_live_", "sk_test_", "sk_prod_", "rk_live_", "rk_test_", "rk_prod_", "whsec_"}},
	{"anthropic-key", `\b(sk-ant-[A-Za-z0-9_-]{20,})`, someBits, []string{"sk-ant-"}},
	{"openai-key", `\b(sk-(?:proj-|svcacct-|admin-|or-v1-)?[A-Za-z0-9_-]*[0-9][A-Za-z0-9_-]{19,}|sk-(?:proj-|svcacct-|admin-|or-v1-)?[A-Za-z0-9_-]{19,}[0-9][A-Za-z0-9_-]*)`,
		enoughBits, []string{"sk-"}},
	{"google-key", nameEdge + `(AIza[A-Za-z0-9_-]{35}|ya29\.[A-Za-z0-9_-]{20,}|GOCSPX-[A-Za-z0-9_-]{28})`, someBits, []string{"aiza", "ya29.", "gocspx-"}},
	{"npm-token", `\b(npm_[A-Za-z0-9]{36})\b`, someBits, []string{"npm_"}},
	{"pypi-token", `\b(pypi-[A-Za-z0-9_-]{50,})`, someBits, []string{"pypi-"}},
	{"azure-secret", `\b([A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34})`, someBits, []string{"q~"}},
	{"azure-signature", `[?&;]sig=([A-Za-z0-9%+/=_-]{20,})`, someBits, []string{"sig="}},
	{"jwt", `\b(eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{6,}(?:\.[A-Za-z0-9_-]*)?)`, someBits, []string{"eyj"}},
	{"sendgrid-key", `\b(SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,})`, someBits, []string{"sg."}},
	{"digitalocean-token", `\b(do[opr]_v1_[a-f0-9]{64})\b`, someBits, []string{"doo_v1_", "dop_v1_", "dor_v1_"}},
	{"huggingface-token", nameEdge + `(hf_[A-Za-z0-9]{30,})` + nameEdge, enoughBits, []string{"hf_"}},
	{"vault-token", `\b(hv[sbr]\.[A-Za-z0-9_-]{24,})`, someBits, []string{"hvs.", "hvb.", "hvr."}},
	{"databricks-token", `\b(dapi[a-f0-9]{32}(?:-[0-9])?)\b`, someBits, []string{"dapi"}},
	{"docker-token", `\b(dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,})`, someBits, []string{"dckr_"}},
	{"grafana-token", `\b(gl(?:sa|c)_[A-Za-z0-9_+/=]{20,})`, someBits, []string{"glsa_", "glc_"}},
	{"telegram-token", `\b([0-9]{8,10}:AA[A-Za-z0-9_-]{32,35})\b`, someBits, []string{":aa"}},
	{"model-key", `\b((?:gsk|xai|r8|pplx|fw|nvapi)[_-][A-Za-z0-9_-]{32,})`, enoughBits, []string{"gsk_", "xai-", "r8_", "pplx-", "fw_", "nvapi-"}},
	{"age-key", `(?i)\b(AGE-SECRET-KEY-1[A-Z0-9]{58})\b`, someBits, []string{"age-secret-key-1"}},
}
