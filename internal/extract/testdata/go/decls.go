// Package store keeps things.
package store

import (
	"context"
	"errors"
	"fmt"
	. "math"
	_ "net/http/pprof"

	yaml "example.com/go-yaml/v3"
	"example.com/lib.v2"
	"example.com/thing/v4"
)

//go:generate stringer -type=Level

// Level says how much.
type Level int

// Levels.
const (
	// Low is the least.
	Low Level = iota
	High
	limit = 10 // trailing, of limit

	// Spare is set apart.
	Spare, Other = 1, "two"
)

// ErrGone is returned for what is gone.
var ErrGone = errors.New("gone")

var (
	registry       = map[string]func(context.Context) error{"flush": flush}
	first, second  = pair()
	hook           func(string)
	_              = fmt.Sprint("kept out")
	table          = []row{{name: "a", run: flush}, {"b", nil}}
	handler        = func(n int) int { return n + len(registry) }
	cached, wasSet = registry["flush"]
)

type row struct {
	name string
	run  func(context.Context) error
}

// Store is a store.
//
// It has two paragraphs.
type Store struct {
	*Base // embedded
	yaml.Node
	Cache[string]

	// Name is shown.
	Name, title string `json:"name"`
	onClose     func() error
	nested      struct{ depth int }
}

type (
	// Reader reads.
	Reader interface {
		fmt.Stringer
		// Read reads one.
		Read(ctx context.Context, keys ...string) (value []byte, err error)
		Close() error
	}
	Number interface {
		~int | ~float64
		comparable
	}
	Handler func(Level) error
	Alias   = Store
	ids     []string
)

// Cache keeps values by key.
type Cache[V any] struct{ values map[string]V }

// Get gives one.
func (c *Cache[V]) Get(key string) (V, bool) {
	v, ok := c.values[key]
	return v, ok
}

func (Level) String() string { return "" }

func (h Handler) Serve(level Level) error { return h(level) }

// New makes a store.
// It never fails.
func New(base *Base, title string, options ...func(*Store)) (s *Store, err error) {
	s = &Store{Base: base, title: title, onClose: base.Close}
	for _, o := range options {
		o(s)
	}
	return
}

// assembler has no body here.
func assembler(x float64) float64

func Map[T, U any](in []T, f func(T) U) []U

func unnamed(int, ...string) (int, error) { return 0, nil }

func init() { registry["init"] = nil }

func pair() (a, b int) { return 1, 2 }

func flush(_ context.Context) error {
	type local struct{ n int }
	const unit = 3
	var count, total int = 1, unit
	l := local{n: count + total}
	_ = l
	return nil
}
