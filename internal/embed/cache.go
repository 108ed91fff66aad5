package embed

import (
	"container/list"
	"crypto/sha256"
	"slices"
	"sync"
)

// key identifies a text. A full hash, because a collision would hand out the
// vector of another text.
type key [sha256.Size]byte

func keyOf(text string) key { return sha256.Sum256([]byte(text)) }

// cache keeps the vectors used last.
type cache struct {
	limit int

	mu    sync.Mutex
	order *list.List // of *entry, the latest first
	at    map[key]*list.Element
}

type entry struct {
	key    key
	vector []float32
}

func newCache(limit int) *cache {
	return &cache{limit: limit, order: list.New(), at: map[key]*list.Element{}}
}

// get returns a copy: callers may change what they are given.
func (c *cache) get(k key) ([]float32, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	el, ok := c.at[k]
	if !ok {
		return nil, false
	}
	c.order.MoveToFront(el)
	return slices.Clone(el.Value.(*entry).vector), true
}

func (c *cache) put(k key, v []float32) {
	if c.limit <= 0 {
		return
	}
	v = slices.Clone(v)
	c.mu.Lock()
	defer c.mu.Unlock()
	if el, ok := c.at[k]; ok {
		el.Value.(*entry).vector = v
		c.order.MoveToFront(el)
		return
	}
	c.at[k] = c.order.PushFront(&entry{k, v})
	if c.order.Len() > c.limit {
		last := c.order.Back()
		c.order.Remove(last)
		delete(c.at, last.Value.(*entry).key)
	}
}

func (c *cache) len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.order.Len()
}
