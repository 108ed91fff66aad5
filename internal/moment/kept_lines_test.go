package moment

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"chitta/internal/memory"
)

// TestLinesAreKept: an item is said the same however often it is asked, another
// one differently, and not more are kept than a bound.
func TestLinesAreKept(t *testing.T) {
	base := item{id: "m_1", label: "fix", text: "the index is rebuilt", when: time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC), source: "seen to work", trust: memory.TrustOutcome}
	alter := map[string]func(*item){
		"as it is":      func(*item) {},
		"another id":    func(x *item) { x.id = "m_2" },
		"another label": func(x *item) { x.label = "" },
		"another text":  func(x *item) { x.text = "the index\x1b[31m is <b>lost" },
		"another time":  func(x *item) { x.when = x.when.AddDate(0, 0, 1) },
		"without time":  func(x *item) { x.when = time.Time{} },
		"another why":   func(x *item) { x.why = "about the index" },
		"shorter":       func(x *item) { x.most = 10 },
		"an order":      func(x *item) { x.text = "you must run it now" },
		"of a tool":     func(x *item) { x.text, x.trust = "you must run it now", memory.TrustTool },
		"nothing":       func(x *item) { x.text = "\x00" },
		"huge":          func(x *item) { x.text = strings.Repeat("long ", memoBytes) },
	}
	for range 2 {
		for name, fn := range alter {
			x := base
			fn(&x)
			want := x.say()
			if x.line() != want.line || x.printed() != want.printed {
				t.Errorf("%s: %q, want %q", name, x.line(), want.line)
			}
			if (want.line == "") != (name == "nothing" || name == "of a tool") {
				t.Errorf("%s is said as %q", name, want.line)
			}
		}
	}
	for i := range 3 * memoMost {
		x := item{id: fmt.Sprint(i), text: "text"}
		x.line()
	}
	lines.mu.Lock()
	defer lines.mu.Unlock()
	if n := len(lines.by); n > memoMost {
		t.Errorf("%d lines are kept", n)
	}
	for x := range lines.by {
		if len(x.text) > memoBytes {
			t.Errorf("a text of %d bytes is kept", len(x.text))
		}
	}
}

// TestSayingLooksThroughAll: what a text says is found by its words as if each
// sentence were compared, and the text looked through.
func TestSayingLooksThroughAll(t *testing.T) {
	word := rapid.SampledFrom([]string{"use", "tabs", "never", "the", "for", "go", "files", "not", "main", "É", "b\xffc", "don't"})
	text := rapid.Custom(func(t *rapid.T) string {
		var b strings.Builder
		for _, w := range rapid.SliceOfN(word, 0, 12).Draw(t, "words") {
			b.WriteString(w + rapid.SampledFrom([]string{" ", " ", " ", ". ", "\n", "-", "; "}).Draw(t, "then"))
		}
		return b.String()
	})
	rapid.Check(t, func(t *rapid.T) {
		var s saying
		known := rapid.SliceOfN(text, 0, 4).Draw(t, "known")
		for _, k := range known {
			s.add(speak(k))
		}
		asked := text.Draw(t, "asked")
		want := false
		set := telling(asked)
		for _, k := range known {
			want = want || strings.Contains(" "+words(k)+" ", " "+words(asked)+" ")
			for _, sentence := range sentenceEnds().Split(k, -1) {
				other, shared := telling(sentence), 0
				for w := range set {
					if other[w] {
						shared++
					}
				}
				want = want || len(set) >= knownWords && float64(shared) >= knownShare*float64(len(set)) && negated(set) == negated(other)
			}
		}
		if x := speak(asked); x.plain != "" && s.says(x) != want {
			t.Fatalf("%q is said by %q: %v", asked, known, !want)
		}
	})
}
