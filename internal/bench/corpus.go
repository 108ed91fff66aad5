package bench

import (
	"math/rand/v2"
	"strings"
)

// corpus makes texts whose words are as unevenly frequent as in real ones.
type corpus struct {
	words []string
	zipf  *rand.Zipf
	rnd   *rand.Rand
}

const (
	vocabulary = 50_000
	// zipfExponent is near 1, as in natural text; the generator needs more.
	zipfExponent = 1.07
)

func newCorpus(seed uint64) *corpus {
	rnd := rand.New(rand.NewPCG(seed, 1))
	c := &corpus{rnd: rnd, zipf: rand.NewZipf(rnd, zipfExponent, 1, vocabulary-1)}
	syllables := strings.Fields("ka lo mi ren tu sha vel or ban qui dex fa gor hin jo pli stra un wex yor zem tri al con pre")
	seen := map[string]bool{}
	for len(c.words) < vocabulary {
		var b strings.Builder
		for range 2 + rnd.IntN(3) {
			b.WriteString(syllables[rnd.IntN(len(syllables))])
		}
		if w := b.String(); !seen[w] {
			seen[w] = true
			c.words = append(c.words, w)
		}
	}
	return c
}

func (c *corpus) text(words int) string {
	out := make([]string, words)
	for i := range out {
		out[i] = c.words[c.zipf.Uint64()]
	}
	return strings.Join(out, " ")
}

// question returns a query of six words: two common ones, as questions have,
// and four of any frequency.
func (c *corpus) question() string {
	out := []string{c.words[c.rnd.IntN(10)], c.words[c.rnd.IntN(10)]}
	for range 4 {
		out = append(out, c.words[c.zipf.Uint64()])
	}
	return strings.Join(out, " ")
}
