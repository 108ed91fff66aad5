package keyword

import (
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// counted returns the terms of a text and how often it has them, by way of the
// lexicon.
func counted(l *lexicon, stems *stemCache, text string) (map[string]int, int) {
	var a analysed
	l.count(&a, stems, text)
	a.endField()
	out := map[string]int{}
	for _, t := range a.terms {
		out[l.terms[t.term]] = int(t.tf)
	}
	return out, a.lengths[0]
}

// TestLexiconCounts holds what is remembered piece by piece against analysing
// every text anew: pieces must depend on nothing around them, but for numbers
// after a word.
func TestLexiconCounts(t *testing.T) {
	pieces := []string{
		"status", "404", "error", "line", "12→package", "→", "3→\tfoo", "exit(1)", "a->b", "c++", "c#", "don't", "x's", "--flag", "-", "--", "->",
		"https://example.com/a/b.go?x=1&y=2", `C:\dir\file.txt`, "getUserName", "HTTPServer2", "v1.2.3", "name@host", "a::b", "(foo,bar)", `"key":`, "[1,2]",
		"e-mail", "état", "≠", "≠", "日本語", "👍🏽", "\xff\xfe", "\u200d", "ﬁle", "½", "…", "#️⃣", "*️⃣", "the", "port=8080", "issue#12", strings.Repeat("x", 100), "|a|b|", "~/.bashrc", "`code`", "$HOME/x",
		"<b>bold</b>", "a;b", "50%", "!important", "x^2", "{}", "version", "=",
	}
	rng := rand.New(rand.NewPCG(3, 4))
	l := newLexicon(&sync.Mutex{})
	analyzer := NewAnalyzer()
	for range 3000 {
		var text strings.Builder
		for range rng.IntN(8) {
			text.WriteString(pieces[rng.IntN(len(pieces))])
			if rng.IntN(3) > 0 {
				text.WriteByte(" \n\t\x00"[rng.IntN(4)])
			}
		}
		want := map[string]int{}
		terms := analyzer.Terms(text.String())
		for _, term := range terms {
			want[term]++
		}
		got, length := counted(l, analyzer.stems, text.String())
		if length != len(terms) {
			t.Fatalf("%q: %d terms, want %d: %v, want %v", text.String(), length, len(terms), got, want)
		}
		for term, n := range want {
			if got[term] != n {
				t.Fatalf("%q: %q %d times, want %d", text.String(), term, got[term], n)
			}
		}
	}
}

// TestAnalysedAfterPanic: what an interrupted document had counted must not
// count for the next.
func TestAnalysedAfterPanic(t *testing.T) {
	l := newLexicon(&sync.Mutex{})
	var a analysed
	l.count(&a, nil, "left behind") // no endField
	a.reset()
	l.count(&a, nil, "left")
	a.endField()
	if len(a.terms) != 1 || a.terms[0].tf != 1 || a.lengths[0] != 1 {
		t.Errorf("counted %+v, lengths %v", a.terms, a.lengths)
	}
}

func TestPieceCache(t *testing.T) {
	l := newLexicon(&sync.Mutex{})
	c := &l.pieces
	put := func(i int) (piece string, terms []uint32) {
		piece = "p" + string(rune('a'+i%26)) + strings.Repeat("é", i%5) + string(rune(i))
		return piece, []uint32{uint32(i), uint32(i + 1)}[:i%3]
	}
	for i := range maxCachedPieces {
		piece, terms := put(i)
		c.put(uint64(i%5000), piece, terms) // many share a hash
		if i%4096 == 0 {
			if got, ok := c.get(uint64(i%5000), piece); !ok || !slices.Equal(got, terms) {
				t.Fatalf("%q gives %v, %v; want %v", piece, got, ok, terms)
			}
		}
	}
	if c.used != maxCachedPieces {
		t.Fatalf("%d pieces are kept, want %d", c.used, maxCachedPieces)
	}
	c.put(1, "one more", nil)
	if _, ok := c.get(1, "one more"); !ok || c.used != 1 {
		t.Errorf("one too many: %d are kept, want it alone", c.used)
	}
	c.put(2, "too much", make([]uint32, maxPieceTerms+1))
	if _, ok := c.get(2, "too much"); ok {
		t.Error("a piece with too many terms is kept")
	}
}

// TestPiecesAreReadOnce: what it takes grows with the text, however it is cut.
func TestPiecesAreReadOnce(t *testing.T) {
	spend := func(n int) time.Duration {
		text := strings.Repeat("ab→", n)
		best := time.Hour
		for range 3 {
			l, a := newLexicon(&sync.Mutex{}), &analysed{}
			begun := time.Now()
			l.count(a, newStemCache(), text)
			best = min(best, time.Since(begun))
		}
		return best
	}
	small, large := spend(2_000), spend(64_000)
	if large > 32*8*small {
		t.Errorf("32 times as much text takes %d times as long", large/small)
	}
}
