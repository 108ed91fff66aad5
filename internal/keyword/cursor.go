package keyword

import (
	"math"
	"slices"
)

// noDoc is past every document.
const noDoc = math.MaxUint32

// cursor walks over a posting list. It moves in two steps: toBlock finds the
// block that may hold a document and its bound without unpacking anything,
// settle unpacks and finds the document.
type cursor struct {
	list    postingList
	scoring scoring
	lengths []byte
	slot    int     // place of the list in the sum
	max     float64 // bound for the whole list
	most    float64 // bound for the window under way

	block    int     // current block; the tail counts as one
	low      uint32  // no document before it is left
	last     uint32  // last document of the block; noDoc at the end
	bound    float64 // for the block
	unpacked bool
	damaged  bool

	doc    uint32 // current document, valid when unpacked
	i, n   int
	packed []byte // term frequencies not unpacked yet
	tfBits int    // -1 when tfs is valid
	docs   [blockSize]uint32
	tfs    [blockSize]uint32

	parts [windowDocs]float64 // what the list gives to the documents of the window
	used  bool                // parts are not all zero
}

func (c *cursor) reset(list postingList, s scoring, lengths []byte, slot int) {
	c.list, c.scoring, c.lengths, c.slot = list, s, lengths, slot
	c.block, c.low, c.damaged = 0, 0, false
	if list.blocks() > 0 {
		c.max = s.bound(list.impacts)
		c.openBlock()
		return
	}
	c.openTail()
	c.max = c.bound
}

func (c *cursor) done() bool { return c.last == noDoc }

func (c *cursor) finish() {
	c.last, c.low, c.doc, c.unpacked, c.bound = noDoc, noDoc, noDoc, true, 0
}

func (c *cursor) fail() {
	c.damaged = true
	c.finish()
}

// openBlock reads the head of the current full block.
func (c *cursor) openBlock() {
	_, _, impacts, _, ok := c.list.block(c.block)
	if !ok {
		c.fail()
		return
	}
	if c.block > 0 {
		c.low = c.list.last(c.block-1) + 1
	}
	c.last = c.list.last(c.block)
	c.bound = c.scoring.bound(impacts)
	c.unpacked = false
}

// openTail unpacks the tail, which has no bound stored.
func (c *cursor) openTail() {
	c.block = c.list.blocks()
	c.n = c.list.tail()
	if c.n == 0 {
		c.finish()
		return
	}
	if !c.list.decodeTail(&c.docs, &c.tfs) {
		c.fail()
		return
	}
	c.bound = 0
	for i, d := range c.docs[:c.n] {
		c.bound = max(c.bound, c.scoring.score(c.tfs[i], c.lengths[d]))
	}
	c.low, c.last = c.docs[0], c.docs[c.n-1]
	c.i, c.doc, c.tfBits, c.unpacked = 0, c.docs[0], -1, true
}

// toBlock moves to the first block that reaches target.
func (c *cursor) toBlock(target uint32) {
	if target <= c.last {
		return
	}
	blocks := c.list.blocks()
	if c.block >= blocks {
		c.finish()
		return
	}
	// Gallop, then halve: targets are mostly near.
	lo, step := c.block+1, 1
	hi := lo
	for hi < blocks && c.list.last(hi) < target {
		lo = hi + 1
		hi += step
		step *= 2
	}
	hi = min(hi, blocks)
	for lo < hi {
		mid := (lo + hi) / 2
		if c.list.last(mid) < target {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	c.block = lo
	if c.block < blocks {
		c.openBlock()
		return
	}
	c.openTail()
	if target > c.last {
		c.finish()
	}
}

// settle moves to the first document at or after target in the current block.
func (c *cursor) settle(target uint32) {
	if !c.unpacked {
		c.unpack()
	}
	if target <= c.doc || c.done() {
		return
	}
	// Halving what is left without branches: where the target lies is anyone's
	// guess, and wrong guesses are what a search costs. Documents ascend, so the
	// target is no more places away than documents.
	lo, left := c.i+1, min(c.n-c.i-1, int(target-c.doc))
	for left > 0 {
		half := (left + 1) / 2
		if c.docs[(lo+half-1)%blockSize] < target {
			lo += half
		}
		left -= half
	}
	c.i = lo
	c.setDoc()
}

func (c *cursor) setDoc() {
	if c.i < c.n {
		c.doc = c.docs[c.i]
		c.low = c.doc
		return
	}
	c.doc = c.last + 1 // the next block is opened when someone asks for it
}

func (c *cursor) unpack() {
	gapBits, tfBits, _, packed, ok := c.list.block(c.block)
	if !ok {
		c.fail()
		return
	}
	next := uint32(0)
	if c.block > 0 {
		next = c.list.last(c.block-1) + 1
	}
	if !c.list.unpackDocs(&c.docs, packed, gapBits, next, c.last) {
		c.fail()
		return
	}
	c.packed, c.tfBits = packed[packedSize(gapBits):], tfBits
	c.i, c.n, c.unpacked = 0, blockSize, true
	c.doc = c.docs[0]
}

// seek moves to the first document at or after target.
func (c *cursor) seek(target uint32) {
	c.toBlock(target)
	c.settle(target)
}

// unpackTFs makes tfs valid.
func (c *cursor) unpackTFs() {
	if c.tfBits < 0 {
		return
	}
	unpack(&c.tfs, c.packed, c.tfBits)
	for i := range c.tfs {
		c.tfs[i]++
	}
	c.tfBits = -1
}

// score returns the current document's score.
func (c *cursor) score() float64 {
	tf := c.tfs[c.i]
	if c.tfBits >= 0 { // of one document, the others need not be unpacked
		tf = unpackOne(c.packed, c.tfBits, c.i) + 1
	}
	return c.scoring.score(tf, c.lengths[c.doc])
}

// boundTo returns a bound for the documents from the current block up to hi.
func (c *cursor) boundTo(hi uint32) float64 {
	best := c.bound
	if c.last >= hi {
		return best
	}
	blocks := c.list.blocks()
	for b := c.block + 1; ; b++ {
		if b >= blocks {
			if c.block < blocks && c.list.tail() > 0 {
				best = c.max // the tail has no bound of its own
			}
			return best
		}
		_, _, impacts, _, ok := c.list.block(b)
		if !ok {
			return c.max // the damage is met when the block is opened
		}
		best = max(best, c.scoring.bound(impacts))
		if c.list.last(b) >= hi {
			return best
		}
	}
}

// about returns how many documents of the list are expected among so many.
func (c *cursor) about(docs uint32) int {
	return int(uint64(c.list.df) * uint64(docs) / uint64(c.list.docs))
}

// fill works out what the list gives to all its documents from lo to hi, in
// the window that starts at base, and marks them in seen, unless that is nil.
func (c *cursor) fill(base, lo, hi uint32, seen *[windowDocs / 64]uint64) {
	c.used = true
	for c.toBlock(lo); !c.done() && c.low <= hi; c.toBlock(c.last + 1) {
		c.settle(lo)
		if c.done() { // damaged
			return
		}
		if c.i >= c.n {
			continue
		}
		c.unpackTFs()
		docs, tfs := c.docs[c.i:c.n], c.tfs[c.i:c.n]
		if docs[len(docs)-1] > hi {
			docs = docs[:upTo(docs, hi)]
		}
		for i, d := range docs {
			at := (d - base) % windowDocs
			c.parts[at] = c.scoring.score(tfs[i], c.lengths[d])
			if seen != nil {
				seen[at>>6] |= 1 << (at & 63)
			}
		}
		c.i += len(docs)
		c.setDoc()
		if c.last >= hi {
			return
		}
	}
}

// upTo returns how many ascending documents are at most hi.
func upTo(docs []uint32, hi uint32) int {
	n, _ := slices.BinarySearch(docs, hi+1)
	return n
}

// lookUp works out what the list gives to one document, which is at a place of
// the window and not before the current block.
func (c *cursor) lookUp(doc, at uint32) {
	c.settle(doc)
	if c.doc == doc && !c.done() {
		c.used = true
		c.parts[at] = c.score()
	}
}

// wipe makes room for the next window.
func (c *cursor) wipe() {
	if c.used {
		clear(c.parts[:])
		c.used = false
	}
}
