package capture

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// fragments are what texts with secrets are made of, and what makes trouble.
func fragments() []string {
	return []string{
		"[redacted:", "[redacted:jwt]", "]", " ", "\n", "=", ": ", "://", "@", "\"", "'", "`", "\\",
		join("pass", "word"), join("tok", "en"), join("sec", "ret"), join("api", "_key"), "key", join("Authori", "zation"), "Bearer ", "is ",
		"curl -u ", "mysql ", "docker login ", "sshpass ", " -p", " -p ", "pw", "pass", " was: ", "\\\n", "geheim123!", "sha", "tree ", "--", "user:", "https", "is", join("gh", "p_"), join("sk", "-"), join("ey", "J"), "AKIA", "sha256:", "a", "é", "密", ".", "/",
		"-----BEGIN ", join("PRIV", "ATE KEY"), "-----", "-----END ", "hunter2x", "sourcegraph ", "adobe", "twitter", "{", "}", ",", ";",
		random(20, base62), random(36, base62), random(43, base64std), random(64, hexDigits), random(40, hexDigits), random(17, lowerNum), "\x00", "\xff",
		"<private>", "</private>", "<private", // last, because an open one hides all that follows
	}
}

// checkRedaction holds for every text.
func checkRedaction(r *Redactor, text string) error {
	clean, found := r.Redact(text)
	if again, more := r.Redact(clean); again != clean || len(more) > 0 {
		return fmt.Errorf("not done at once:\n  text  %q\n  once  %q\n  twice %q", text, clean, again)
	}
	if utf8.ValidString(text) && !utf8.ValidString(clean) {
		return fmt.Errorf("%q became invalid: %q", text, clean)
	}
	if len(found) == 0 && clean != text {
		return fmt.Errorf("%q changed silently to %q", text, clean)
	}
	const growth = 12 // a short password becomes a placeholder
	if len(clean) > growth*len(text)+64 {
		return fmt.Errorf("%d bytes grew to %d", len(text), len(clean))
	}
	for i, f := range found {
		if f.Start < 0 || f.Start >= f.End || f.End > len(text) || f.Rule == "" {
			return fmt.Errorf("finding %+v of %q", f, text)
		}
		if i > 0 && f.Start < found[i-1].Start {
			return fmt.Errorf("findings out of order: %v", found)
		}
	}
	if strings.Contains(strings.ToLower(clean), "<private>") {
		return fmt.Errorf("%q still has a private passage: %q", text, clean)
	}
	return nil
}

func TestRedactProperties(t *testing.T) {
	pieces := fragments()
	var r Redactor
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(rapid.SampledFrom(pieces), 4, 60).Draw(t, "parts")
		if err := checkRedaction(&r, strings.Join(parts, "")); err != nil {
			t.Fatal(err)
		}
	})
}

func FuzzRedact(f *testing.F) {
	for _, piece := range fragments() {
		f.Add(piece)
	}
	f.Add(join("pass", "word: ") + "hunter2 <private>x" + join("gh", "p_") + random(36, base62))
	f.Add("https://u:" + random(12, base62) + "@h/ " + keyBlock(join("PRIV", "ATE KEY"), true))
	var r Redactor
	f.Fuzz(func(t *testing.T, text string) {
		if err := checkRedaction(&r, text); err != nil {
			t.Error(err)
		}
	})
}
