package keyword

import "hash/maphash"

const (
	// maxCachedPiece is how long pieces are that are remembered, in bytes: longer
	// ones hardly ever come again.
	maxCachedPiece = 40
	// maxCachedPieces bounds how many are, and so the memory to about 4 MiB. When
	// there are as many, all are forgotten: those that matter soon come again.
	maxCachedPieces = 1 << 16
	// maxPieceTerms is how many terms a remembered piece may have.
	maxPieceTerms = 255
	// fewestPieceSlots is what a table begins with; it doubles with its use.
	fewestPieceSlots = 1 << 10
)

// pieceCache remembers the terms of pieces of text. It is a table with open
// addresses over two growing slices, and so nothing for the garbage collector
// to go through.
type pieceCache struct {
	seed  maphash.Seed
	slots []pieceSlot // a power of two, at most half of them used
	used  int
	keys  []byte
	terms []uint32
}

// pieceSlot is a remembered piece. One without a key is free: no piece is empty.
type pieceSlot struct {
	hash       uint32
	key, terms uint32 // where they begin
	keySize    uint8
	termCount  uint8
}

// get returns the terms of a piece.
func (c *pieceCache) get(hash uint64, piece string) ([]uint32, bool) {
	if len(c.slots) == 0 {
		return nil, false
	}
	mask := uint32(len(c.slots) - 1)
	for i := uint32(hash) & mask; ; i = (i + 1) & mask {
		s := &c.slots[i]
		if s.keySize == 0 {
			return nil, false
		}
		if s.hash == uint32(hash) && string(c.keys[s.key:s.key+uint32(s.keySize)]) == piece {
			return c.terms[s.terms : s.terms+uint32(s.termCount)], true
		}
	}
}

// put remembers a piece that is not there.
func (c *pieceCache) put(hash uint64, piece string, terms []uint32) {
	if len(terms) > maxPieceTerms {
		return
	}
	if c.used == maxCachedPieces {
		clear(c.slots)
		c.used, c.keys, c.terms = 0, c.keys[:0], c.terms[:0]
	}
	if 2*(c.used+1) > len(c.slots) {
		c.grow()
	}
	c.used++
	c.place(pieceSlot{
		hash: uint32(hash), key: uint32(len(c.keys)), terms: uint32(len(c.terms)), keySize: uint8(len(piece)), termCount: uint8(len(terms)),
	})
	c.keys, c.terms = append(c.keys, piece...), append(c.terms, terms...)
}

func (c *pieceCache) place(s pieceSlot) {
	mask := uint32(len(c.slots) - 1)
	i := s.hash & mask
	for c.slots[i].keySize != 0 {
		i = (i + 1) & mask
	}
	c.slots[i] = s
}

func (c *pieceCache) grow() {
	old := c.slots
	c.slots = make([]pieceSlot, max(fewestPieceSlots, 2*len(old)))
	for _, s := range old {
		if s.keySize != 0 {
			c.place(s)
		}
	}
}
