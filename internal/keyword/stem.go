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

// stemCache remembers words: the stemmer allocates several times per word, and
// the same few thousand words make up nearly all text. It needs no lock.
type stemCache struct {
	seed  maphash.Seed
	slots [stemSlots]atomic.Pointer[stemmed]
}

// stemmed is a word with all that is known of it.
type stemmed struct {
	word   string
	stem   []byte
	flags  termFlags // isStop or none
	number bool      // see takesNumber
}

func newStemmed(word string) *stemmed {
	s := &stemmed{word: word, number: takesNumber(word)}
	if isStopWord(word) {
		s.flags = isStop
	}
	if len(word) <= unstemmed {
		s.stem = []byte(word)
	} else {
		s.stem = []byte(english.Stem(word, true))
	}
	return s
}

// unstemmed is how long words are that are never cut, in letters.
const unstemmed = 2

func newStemCache() *stemCache { return &stemCache{seed: maphash.MakeSeed()} }

// of returns what is known of a lower-case ASCII word. The caller must not
// change the result. A nil cache finds it out every time.
func (c *stemCache) of(word []byte) *stemmed {
	if c == nil {
		return newStemmed(string(word))
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
			return s
		}
	}
	s := newStemmed(string(word))
	bucket[free].Store(s)
	return s
}
