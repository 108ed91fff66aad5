// Command generic uses type parameters.
package main

import (
	"strings"

	"example.com/generic/box"
)

type shape interface {
	area() float64
	scaler
}

type scaler interface{ scale(by float64) shape }

type circle struct{ r float64 }

func (c circle) area() float64          { return square(c.r) }
func (c circle) scale(by float64) shape { return circle{c.r * by} }

type rect struct{ w, h float64 }

func (r *rect) area() float64          { return r.w * r.h }
func (r *rect) scale(by float64) shape { return newRect(r.w*by, r.h*by) }

func newRect(w, h float64) *rect { return &rect{w, h} }

// line has no scale, so it is no shape.
type line struct{}

func (line) area() float64 { return 0 }

func square(x float64) float64 { return x * x }

func sum[T shape](all ...T) (total float64) {
	for _, s := range all {
		total += s.area()
	}
	return total
}

func mapped[T, U any](in []T, f func(T) U) []U {
	var out []U
	for _, x := range in {
		out = append(out, f(x))
	}
	return out
}

func first[T any](in []T) T { return in[0] }

func zero[T any]() T {
	var z T
	return z
}

type shapes []shape

func (s shapes) total() float64 {
	t := 0.0
	for _, x := range s {
		t += x.area()
	}
	return t
}

type index map[string]*rect

type areaOf = func(shape) float64

func main() {
	all := shapes{circle{1}, newRect(1, 2)}
	all.total()
	all[0].scale(2).area()
	sum(circle{1}, circle{2})
	b := box.New(newRect(1, 1))
	b.Get().area()
	b.Update(func(r *rect) *rect { return newRect(r.w, 2) })
	for r := range b.All() {
		r.scale(3)
	}
	first([]*rect{newRect(2, 2)}).area()
	zero[circle]().area()
	mapped([]circle{{1}}, circle.area)
	mapped[*rect, float64](nil, (*rect).area)
	byName := index{"a": newRect(1, 1)}
	byName["a"].area()
	if r, ok := byName["b"]; ok {
		r.area()
	}
	var f areaOf = shape.area
	f(circle{1})
	line{}.area()
	pair := box.Pair[string, *rect]{Second: newRect(1, 1)}
	pair.Second.area()
	pair.Swap().First.scale(1)
	name, r := named()
	r.area()
	strings.ToUpper(name)
	local()
	nested := struct{ c circle }{}
	nested.c.area()
	parse := func(s string) (*rect, error) { return newRect(1, 1), nil }
	if p, err := parse("x"); err == nil {
		p.area()
	}
}

func named() (name string, r *rect) {
	r = newRect(1, 1)
	return
}

func local() {
	type point struct{ circle }
	p := point{}
	p.area()
	newRect := func(w float64) line { return line{} }
	newRect(1).area()
	{
		square := line.area
		square(line{})
	}
	square(2)
}
