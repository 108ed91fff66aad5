// Package store keeps numbers by name.
package store

import "example.com/shop/internal/log"

// Store keeps numbers.
type Store interface {
	Get(name string) int
	Put(name string, n int)
}

var shared *Memory

func init() { shared = NewMemory() }

// Reset forgets.
func Reset() { shared.clear() }

// Memory is a store in memory.
type Memory struct{ all map[string]int }

// NewMemory makes one.
func NewMemory() *Memory { return &Memory{all: map[string]int{}} }

// Get gets.
func (m *Memory) Get(name string) int { return m.all[name] }

// Put puts.
func (m *Memory) Put(name string, n int) { m.all[name] = n }

// Len counts.
func (m *Memory) Len() int { return len(m.all) }

func (m *Memory) clear() { m.all = nil }

func load(s Store, names ...string) {
	for _, n := range names {
		log.Info(n, s.Get(n))
	}
}
