package keyword

import (
	"hash/maphash"
	"strings"
	"sync"
)

// lexicon numbers the terms of a live segment, so that a document is filed by
// numbers and not by text. Numbers are given by the one writer; guard protects
// what readers look terms up in.
type lexicon struct {
	guard  sync.Locker // of ids, against readers
	ids    map[string]uint32
	terms  []string // by number
	pieces pieceCache
}

func newLexicon(guard sync.Locker) *lexicon {
	return &lexicon{guard: guard, ids: make(map[string]uint32), pieces: pieceCache{seed: maphash.MakeSeed()}}
}

// id returns the number of a term, a new one if it has none.
func (l *lexicon) id(term []byte) uint32 {
	id, known := l.ids[string(term)] // readers do not change it
	if !known {
		text := string(term)
		id = uint32(len(l.terms))
		l.terms = append(l.terms, text)
		l.guard.Lock()
		l.ids[text] = id
		l.guard.Unlock()
	}
	return id
}

// analysed is how often a document has its terms, found out before any lock is
// held.
type analysed struct {
	terms   []termCount
	split   []int // end of each field in terms
	lengths []int // of each field, in terms with repetitions

	counts []uint32 // by number of term, all zero between fields
	seen   []uint32 // terms of the field under way, in order
	length int
	piece  []uint32 // scratch
}

type termCount struct {
	term uint32
	tf   uint8
}

// reset begins a document, also after one that was given up.
func (a *analysed) reset() {
	for _, id := range a.seen {
		a.counts[id] = 0
	}
	a.seen, a.length = a.seen[:0], 0
	a.terms, a.split, a.lengths = a.terms[:0], a.split[:0], a.lengths[:0]
}

// add counts terms.
func (a *analysed) add(terms []uint32) {
	a.length += len(terms)
	for _, id := range terms {
		if int(id) >= len(a.counts) {
			a.counts = append(a.counts, make([]uint32, int(id)+1-len(a.counts))...)
		}
		if a.counts[id] == 0 {
			a.seen = append(a.seen, id)
		}
		a.counts[id]++
	}
}

// endField closes a field.
func (a *analysed) endField() {
	for _, id := range a.seen {
		a.terms = append(a.terms, termCount{id, uint8(min(a.counts[id], maxTF))})
		a.counts[id] = 0
	}
	a.split, a.lengths = append(a.split, len(a.terms)), append(a.lengths, a.length)
	a.seen, a.length = a.seen[:0], 0
}

// arrow stands between the number of a line and the line where tools show
// files. Like a break it belongs to no token, and it composes with nothing that
// analysis keeps.
const arrow = "→"

// count adds the terms of a text to a. Most of a text repeats what was read
// before, so the terms of a piece between two breaks are remembered. They depend
// on nothing else, unless a word before it takes a number.
func (l *lexicon) count(a *analysed, stems *stemCache, text string) {
	t := tokenizer{stems: stems, emit: func(term []byte, _ termFlags, _ string) {
		a.piece = append(a.piece, l.id(term))
	}}
	for i := 0; i < len(text); {
		if byteKinds[text[i]] == kindBreak {
			i++
			continue
		}
		if strings.HasPrefix(text[i:], arrow) {
			i += len(arrow)
			continue
		}
		start, kinds := i, byteKind(0)
		for ; i < len(text); i++ {
			kind := byteKinds[text[i]]
			if kind == kindBreak || text[i] == arrow[0] && strings.HasPrefix(text[i:], arrow) {
				break
			}
			kinds |= kind
		}
		l.countPiece(a, &t, text[start:i], kinds)
	}
}

// countPiece adds the terms of a piece that has bytes of these kinds.
func (l *lexicon) countPiece(a *analysed, t *tokenizer, piece string, kinds byteKind) {
	var hash uint64
	remember := len(piece) <= maxCachedPiece && len(t.numeric) == 0
	if remember {
		hash = maphash.String(l.pieces.seed, piece)
		if terms, known := l.pieces.get(hash, piece); known {
			a.add(terms)
			return
		}
	}
	a.piece = a.piece[:0]
	t.spaceless(piece, kinds)
	a.add(a.piece)
	if remember && len(t.numeric) == 0 {
		l.pieces.put(hash, piece, a.piece)
	}
}
