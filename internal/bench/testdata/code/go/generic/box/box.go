// Package box holds values.
package box

import "iter"

// Box holds one value.
type Box[T any] struct {
	value T
	log   *journal
}

// New makes a box.
func New[T any](v T) *Box[T] { return &Box[T]{value: v, log: &journal{}} }

// Get gives the value.
func (b *Box[E]) Get() E {
	b.log.write("get")
	return b.value
}

// Update changes the value.
func (b *Box[T]) Update(f func(T) T) {
	b.set(f(b.Get()))
}

func (b *Box[T]) set(v T) { b.value = v }

// All goes over the one value.
func (b *Box[T]) All() iter.Seq[T] {
	return func(yield func(T) bool) {
		yield(b.Get())
	}
}

type journal struct{ lines []string }

func (j *journal) write(s string) { j.lines = append(j.lines, s) }

// Pair is two values.
type Pair[A, B any] struct {
	First  A
	Second B
}

// Swap changes the two.
func (p Pair[A, B]) Swap() Pair[B, A] { return Pair[B, A]{p.Second, p.First} }
