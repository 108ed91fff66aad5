package main

import "fmt"

type Shape interface {
	Area() float64
}

type Resizer interface{ Resize(float64) }

type Circle struct{ r float64 }
type Square struct{ s float64 }

func (c Circle) Area() float64      { return pi() * c.r }
func (s *Square) Area() float64     { return s.s }
func (s *Square) Resize(by float64) { s.s *= by }
func pi() float64                   { return 3 }

func describe(v any) string {
	switch x := v.(type) {
	case Circle:
		return show(x.Area())
	case *Square:
		x.Resize(2)
		return show(x.Area())
	case fmt.Stringer:
		return x.String()
	case func() string:
		return x()
	default:
		return ""
	}
}

func show(f float64) string { return "" }

func grow(s Shape) {
	if r, ok := s.(Resizer); ok {
		r.Resize(3)
	}
	s.(*Square).Area()
}

type name string

func (n name) String() string { return string(n) }

func text() string { return "t" }

func main() {
	shapes := []Shape{Circle{1}, &Square{2}}
	for _, s := range shapes {
		s.Area()
		grow(s)
	}
	describe(shapes[0])
	describe(name("n"))
	describe(text)
}
