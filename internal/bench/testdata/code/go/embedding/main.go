package main

type logger struct{ prefix string }

func (l *logger) Log(s string)   { l.write(s) }
func (l *logger) write(s string) {}

type base struct{ *logger }

func (b base) Name() string { return "base" }
func (b *base) Close()      { b.Log("close") }

type service struct {
	base
	store
}

func (s *service) Name() string { return s.base.Name() + "x" }

type store interface{ Get(string) string }
type memory map[string]string

func (m memory) Get(k string) string { return m[k] }

type closer interface{ Close() }
type named interface {
	closer
	Name() string
}

func use(n named) {
	n.Name()
	n.Close()
}

func main() {
	s := &service{base{&logger{}}, memory{}}
	s.Log("a")
	s.Name()
	s.Close()
	s.Get("k")
	s.base.logger.Log("b")
	use(s)
	type local struct{ service }
	l := local{*s}
	l.Close()
}
