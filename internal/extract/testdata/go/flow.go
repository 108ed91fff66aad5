package flow

var (
	current *shape
	done    = make(chan *shape)
)

type shape struct {
	area   func() float64
	parts  map[string]func()
	owner  *shape
	length int
}

func declarations() (*shape, error) {
	a := build()
	b, err := open("b")
	var c, d *shape = build(), nil
	var e, f = open("e")
	g, h := build(), 2
	v, ok := lookup["v"]
	w, isShape := any(a).(*shape)
	x, more := <-done
	if err != nil || !ok || !isShape || !more {
		return nil, err
	}
	a, y := w, x
	_, _, _, _, _, _, _, _, _ = b, c, d, e, f, g, h, v, y
	return a, nil
}

func assignments(s *shape) {
	local := build()
	{
		local = s
		local := local.owner
		local = nil
		_ = local
	}
	current = local
	s.area = func() float64 { return 1 }
	s.owner.area = local.area
	s.parts["a"] = report
	s.length = 3
	s.length += size()
	(*s).owner = build()
	*s = shape{}
	done <- local
	registry["x"], registry["y"] = report, func() {}
	elsewhere = local
	build().owner = local
	func() { local = build() }()
}

func loops(all []*shape, m map[string]*shape) {
	for i, s := range all {
		s.draw(i)
	}
	for k := range m {
		use(k)
	}
	for s := range done {
		s.draw(0)
	}
	var last *shape
	for _, last = range all {
	}
	for i, n := 0, size(); i < n; i++ {
		use(n)
	}
	for range 3 {
		use(last)
	}
	for all[0].length = range 2 {
	}
outer:
	for {
		continue outer
	}
}

func branches(x any) (err error) {
	if s, err := open("x"); err == nil {
		s.draw(1)
	} else if t := s.owner; t != nil {
		t.draw(2)
	} else {
		s.draw(3)
	}
	switch n := size(); n {
	case 1, size():
		inner := build()
		inner.draw(n)
		fallthrough
	default:
		use(n)
	}
	switch s := x.(type) {
	case *shape:
		s.draw(4)
	case nil, error:
		use(s)
	case func() float64:
		s()
	default:
		use(s)
	}
	switch build(); x.(type) {
	}
	select {
	case s := <-done:
		s.draw(5)
	case s, ok := <-done:
		use(s, ok)
	case current = <-done:
	case done <- build():
	default:
	}
	if err != nil {
		return
	}
	return
}

func closures(f func(int) (string, error), rest ...*shape) (n int, s string) {
	run := func(k int) (string, error) {
		again := func() { use(k, n) }
		again()
		return f(k)
	}
	s, _ = run(1)
	rest[0].draw(2)
	return 1, s
}
