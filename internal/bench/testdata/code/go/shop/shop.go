package main

import "example.com/shop/store"

// Shop sells from a store.
type Shop struct {
	base
	store.Store
	till *till
}

type base struct{ events []string }

func (b *base) note(e string) { b.events = append(b.events, format(e)) }

func (b *base) Close() { b.note("closed") }

type till struct{ coins int }

func (t *till) take(n int) *till {
	t.coins += n
	return t
}

func (t till) empty() bool { return t.coins == 0 }

// NewShop makes a shop.
func NewShop(s store.Store) *Shop {
	return &Shop{Store: s, till: new(till)}
}

// Sell sells one.
func (s *Shop) Sell(name string) {
	s.note(name)
	s.Put(name, s.Get(name)-1)
	s.till.take(1).take(2)
	if s.till.empty() {
		s.Close()
	}
	record := s.base.note
	record("sold")
	(*base).note(&s.base, "twice")
}

// String is called by fmt.
func (s *Shop) String() string { return format("shop") }

func format(s string) string {
	format := func(x string) string { return x + s }
	return format(s)
}
