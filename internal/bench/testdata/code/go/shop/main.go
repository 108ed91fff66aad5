// Command shop sells things.
package main

import (
	"fmt"
	"os"

	"example.com/shop/internal/log"
	. "example.com/shop/store"
	st "example.com/shop/store"
)

var opened = open()

func main() {
	log.Setup()
	shop := NewShop(opened)
	shop.Sell("pen")
	shop.Close()
	defer report(shop)
	os.Exit(run())
}

func open() st.Store { return st.NewMemory() }

func run() int {
	file := st.NewFile("x")
	file.Put("a", 1)
	file.Flush()
	var s st.Store = file
	if s.Get("a") == 0 {
		Reset()
	}
	count(s)
	return total(file.Sizes)
}

func count(s Store) int {
	if f, ok := s.(*File); ok {
		return f.Len()
	}
	switch v := s.(type) {
	case *Memory:
		return v.Len()
	case interface{ Len() int }:
		return v.Len()
	}
	return 0
}

func total(sizes func() []int) int {
	sum := 0
	for _, n := range sizes() {
		sum += n
	}
	return sum
}

func report(s *Shop) { fmt.Println(s) }
