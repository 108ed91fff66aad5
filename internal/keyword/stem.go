package keyword

import (
	"hash/maphash"
	"sync/atomic"

	"github.com/kljensen/snowball/english"
)

// stemSlots bounds the stem cache: more than the words of one language in use,
// at most about 4 MiB. A word may sit in any of stemWays neighbouring slots; when
// all are taken, one is replaced.
const (
	stemSlots = 1 << 16
	stemWays  = 4
)

// stemCache remembers stems: the stemmer allocates several times per word, and
// the same few thousand words make up nearly all text. It needs no lock.
type stemCache struct {
	seed  maphash.Seed
	slots [stemSlots]atomic.Pointer[stemmed]
}

type stemmed struct {
	word string
	stem []byte
}

func newStemCache() *stemCache { return &stemCache{seed: maphash.MakeSeed()} }

// stem returns the stem of a lower-case ASCII word. The caller must not change
// the result. A nil cache stems every time.
func (c *stemCache) stem(word []byte) []byte {
	if len(word) <= 2 {
		return word
	}
	if c == nil {
		return []byte(english.Stem(string(word), true))
	}
	hash := maphash.Bytes(c.seed, word)
	bucket := c.slots[hash%(stemSlots/stemWays)*stemWays:][:stemWays]
	free := hash >> 32 % stemWays
	for i := range bucket {
		s := bucket[i].Load()
		if s == nil {
			free = uint64(i)
			break
		}
		if s.word == string(word) {
			return s.stem
		}
	}
	s := &stemmed{word: string(word)}
	s.stem = []byte(english.Stem(s.word, true))
	bucket[free].Store(s)
	return s.stem
}
