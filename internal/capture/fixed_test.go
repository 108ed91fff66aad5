package capture

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// glued returns a secret of every fixed form, and one of OpenAI's old form.
func glued() map[string]string {
	all := map[string]string{
		"openai-key " + openaiMark: join("sk", "-") + random(20, base62) + openaiMark + random(20, base62),
	}
	for _, f := range fixedForms {
		alphabet := base62
		switch f.body {
		case rangeHex:
			alphabet = hexDigits
		case rangeBase32, rangeDigit + rangeUpper:
			alphabet = upperNum
		}
		all[f.rule+" "+f.prefix] = f.prefix + random(f.least, alphabet)
	}
	return all
}

// noise returns bytes by chance, always the same for a seed.
func noise(n int, seed uint64) []byte {
	r := rand.New(rand.NewPCG(seed, seed))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// A key of a fixed form is found whatever stands beside it, in long text
// without spaces as well.
func TestRedactGlued(t *testing.T) {
	const blob = 2500
	encoded := base64.RawURLEncoding.EncodeToString(noise(blob, 1))
	standard := base64.StdEncoding.EncodeToString(noise(blob, 2))
	places := []struct{ name, before, after string }{
		{"end of a long path", strings.Repeat("path/", 900), "/x"},
		{"middle of a long path", strings.Repeat("path/", 900), strings.Repeat("/path", 900)},
		{"url path", "https://host.example/a/b/", "/c?d=1"},
		{"url query", "https://host.example/a?b=c%20", "%26d=1"},
		{"behind base 64", standard + "=", "="},
		{"within a data url", "data:image/png;base64," + standard, standard},
		{"within base 64 of a url", encoded, encoded},
		{"within letters", strings.Repeat("a", 3000), strings.Repeat("a", 3000)},
		{"between letters", "x", "y"},
		{"between underscores", "name_", "_name"},
		{"between dashes", "name-", "-name"},
		{"between escapes", `line\n`, `\nline`},
		{"behind an escape in hex", `line\u000a`, `\u000a`},
	}
	eachRuleSet(t, func(t *testing.T, r *Redactor) {
		for _, place := range places {
			for name, secret := range glued() {
				clean, found := r.Redact(place.before + secret + place.after)
				// half of it would be too much
				if strings.Contains(clean, secret[len(secret)/2:]) || strings.Contains(clean, secret[:len(secret)/2]) {
					t.Errorf("%s, %s: kept", place.name, name)
				}
				if again, more := r.Redact(clean); again != clean || len(more) > 0 || len(found) == 0 {
					t.Errorf("%s, %s: not done at once", place.name, name)
				}
			}
		}
	})
}

// Keys that are no fixed form are found behind escapes and underscores.
func TestRedactBehindEscapes(t *testing.T) {
	signature := random(20, base62) + "%2B" + random(20, base62) + "%3D"
	eachRuleSet(t, func(t *testing.T, r *Redactor) {
		if clean, _ := r.Redact("https://host.example/a?sv=1&sig=" + signature + "&x=1"); strings.Contains(clean, signature[23:]) {
			t.Errorf("escapes within a secret: %s", clean)
		}
		for _, secret := range []string{
			join("sk", "-") + random(48, base62), join("h", "f_") + random(34, base62), join("AI", "za") + random(35, base62),
		} {
			for _, before := range []string{`a\n`, `a\t`, `a\u000A`, "a%0A", "https://host.example/a?b=%22"} {
				if clean, _ := r.Redact(before + secret + `\n`); strings.Contains(clean, secret[10:]) {
					t.Errorf("kept: %s", clean)
				}
			}
		}
	})
}

// A word longer than the window of a pattern is looked at to its end, wherever
// the keyword of a secret falls.
func TestRedactAcrossWindows(t *testing.T) {
	secret := join("gl", "rt-") + random(20, base62) // found by an expression alone
	eachRuleSet(t, func(t *testing.T, r *Redactor) {
		for _, filler := range []int{windowMost/2 - 8, windowMost/2 + 8, windowMost - 40, windowMost - 12, windowMost - 4, windowMost + 8} {
			text := "glrt-/" + strings.Repeat(".", filler) + "/" + secret + "/" + strings.Repeat(".", windowMost)
			if clean, _ := r.Redact(text); strings.Contains(clean, secret[8:]) {
				t.Errorf("kept behind %d bytes", filler)
			}
		}
	})
}

// Images stay as they are: no key is seen where there is none.
func TestRedactLeavesBlobsAlone(t *testing.T) {
	const size, blobs = 1 << 20, 2
	var r Redactor
	for seed := range uint64(blobs) {
		text := "data:image/png;base64," + base64.StdEncoding.EncodeToString(noise(size, seed))
		if found := r.Findings(text); len(found) > 0 {
			t.Errorf("blob %d: %v", seed, found)
		}
	}
}

func TestFixedFormsAreStrict(t *testing.T) {
	for _, text := range []string{
		"SOUTHEASTASIAPACIFICREGIONALOFFICESLTD",
		"npm_config_registry_of_the_build_machine_2024_and_more",
		"risk-proj-alpha2-migration-plan-for-the-year-2024-v3-final",
		"task-ant-colony-optimisation-with-64-agents-and-3-queens",
		"xghp_" + strings.Repeat("x", 36),
		"xghp_" + strings.Repeat("ab", 18),
		"xnpm_" + random(35, base62[:52]) + "-",
		strings.ToUpper(join("x", "gh", "p_")) + strings.Repeat("AB", 18),
		"mask_test_" + strings.Repeat("abcdef", 4),
		"x" + openaiMark + "x",
		"desk-" + openaiMark,
	} {
		for _, one := range fixedRules() {
			set := newRuleSet([]rule{one})
			if spans := set.scan(text, nil); len(spans) > 0 {
				t.Errorf("%s: %v", text, spans)
			}
		}
	}
}

// Time grows with the text, not with its square, also where every place looks
// like the start of a secret. A square would take several times as long as is
// allowed; a busy machine does not.
func TestRedactGluedIsLinear(t *testing.T) {
	const size, allowed = 512 << 10, 8 * time.Second
	var r Redactor
	for _, piece := range []string{join("gh", "p_"), "xoxb-1", "sk-" + openaiMark, "glrt-", `\nsk-`, "%20AKIA"} {
		start := time.Now()
		r.Redact(strings.Repeat(piece, size/len(piece)))
		if took := time.Since(start); took > allowed {
			t.Errorf("%s: took %v", piece, took)
		}
	}
}

func ExampleRedactor_Redact_glued() {
	var r Redactor
	clean, _ := r.Redact(`{\n` + join("gh", "p_") + random(36, base62) + `\n}`)
	fmt.Println(clean)
	// Output: {\n[redacted:github-token]\n}
}
