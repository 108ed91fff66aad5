// Package bus hands events to those who want them.
package bus

import "sync"

// Bus has subscribers of one kind of event.
type Bus[T any] struct {
	mu      sync.Mutex
	subs    []func(T)
	history ring[T]
}

// New makes a bus.
func New[T any]() *Bus[T] { return &Bus[T]{history: newRing[T](8)} }

// Subscribe adds a subscriber.
func (b *Bus[T]) Subscribe(f func(T)) { b.subs = append(b.subs, f) }

// Publish tells all subscribers.
func (b *Bus[T]) Publish(e T) {
	b.locked(func() { b.history.push(e) })
	for _, s := range b.subs {
		s(e)
	}
}

func (b *Bus[T]) locked(f func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	f()
}

// History is what was published last.
func (b *Bus[T]) History() []T { return b.history.all() }

type ring[T any] struct {
	items []T
	size  int
}

func newRing[T any](n int) ring[T] { return ring[T]{size: n} }

func (r *ring[T]) push(v T) {
	r.items = append(r.items, v)
	if over := len(r.items) - r.size; over > 0 {
		r.trim(over)
	}
}

func (r *ring[T]) trim(n int) { r.items = r.items[n:] }

func (r *ring[T]) all() []T { return r.items }

// Once calls a function the first time only.
func Once[T any](f func(T)) func(T) {
	var once sync.Once
	return func(v T) { once.Do(func() { f(v) }) }
}

// Max is the greatest.
func Max[T any](in []T, less func(a, b T) bool) (best T) {
	for i, v := range in {
		if i == 0 || less(best, v) {
			best = v
		}
	}
	return best
}
