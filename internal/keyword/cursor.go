package keyword

import "math"

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
	lo, hi := c.i+1, c.n
	if lo < hi && c.docs[lo] >= target {
		hi = lo
	}
	for lo < hi {
		mid := (lo + hi) / 2
		if c.docs[mid] < target {
			lo = mid + 1
		} else {
			hi = mid
		}
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
	unpack(&c.docs, packed, gapBits)
	if !c.list.prefix(&c.docs, next, c.last) {
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

// next moves one document on, within the block.
func (c *cursor) next() {
	c.i++
	c.setDoc()
}

// score returns the current document's score.
func (c *cursor) score() float64 {
	if c.tfBits >= 0 {
		unpack(&c.tfs, c.packed, c.tfBits)
		for i := range c.tfs {
			c.tfs[i]++
		}
		c.tfBits = -1
	}
	return c.scoring.score(c.tfs[c.i], c.lengths[c.doc])
}
