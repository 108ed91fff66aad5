package capture

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// ordinary returns about a megabyte of text without secrets: this package's
// sources without its tests, which is harder than prose because names and
// values abound in it.
func ordinary(b *testing.B) string {
	b.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		b.Fatal(err)
	}
	var text strings.Builder
	for text.Len() < 1<<20 {
		for _, f := range files {
			if strings.HasSuffix(f, "_test.go") {
				continue
			}
			raw, err := os.ReadFile(f)
			if err != nil {
				b.Fatal(err)
			}
			text.Write(raw)
		}
	}
	return text.String()
}

const prose = `The daemon owns the data directory and serves requests over a socket. When a
hook fails, the client must not wait: past its time limit it prints nothing and exits. They asked why
the access token expires after an hour; the key point is that tasks are small. We keep every message
verbatim, then derive chunks, vectors and edges from it. Disk space is cheap, the user's time is not.
`

func BenchmarkRedactProse(b *testing.B) {
	benchmarkRedact(b, strings.Repeat(prose, 1<<20/len(prose)))
}

func BenchmarkRedactCode(b *testing.B) { benchmarkRedact(b, ordinary(b)) }

func BenchmarkRedactShort(b *testing.B) { benchmarkRedact(b, prose) }

func BenchmarkRedactSecret(b *testing.B) {
	benchmarkRedact(b, prose+join("gh", "p_")+random(36, base62)+"\n"+prose)
}

func benchmarkRedact(b *testing.B, text string) {
	var r Redactor
	r.Redact(text) // rules are loaded and compiled at first use
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		r.Redact(text)
	}
}

// The first redaction loads the rules; everything after waits for it.
func BenchmarkFirstUse(b *testing.B) {
	text := strings.Repeat(prose, 10) + join("gh", "p_") + random(36, base62)
	for b.Loop() {
		start := time.Now()
		foreign, err := loadGitleaks(rulesDir)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(time.Since(start).Microseconds())/1000, "ms/parse")
		r := &Redactor{base: newRuleSet(append(builtinRules(), foreign...))}
		r.Redact(text)
	}
}
