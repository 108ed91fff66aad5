// Command machine runs a lexer and a small server.
package main

import (
	"errors"
	"sort"
	"sync"

	"example.com/machine/v2/lexer"
	"example.com/machine/v2/web"
)

var once sync.Once

type byLen []string

func (b byLen) Len() int           { return size(b) }
func (b byLen) Less(i, j int) bool { return len(b[i]) < len(b[j]) }
func (b byLen) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }

func size(b byLen) int { return len(b) }

type op int

const (
	add op = iota
	sub
)

func (o op) String() string { return names[o]() }

var names = [...]func() string{add: addName, sub: func() string { return subName() }}

func addName() string { return "add" }
func subName() string { return "sub" }

var table = []struct {
	name string
	run  func(int, int) int
}{
	{"plus", plus},
	{name: "minus", run: func(a, b int) int { return plus(a, -b) }},
}

func plus(a, b int) int { return a + b }

type failure struct{ code int }

func (f *failure) Error() string { return f.text() }
func (f *failure) text() string  { return "failure" }

func main() {
	l := lexer.New("a b")
	l.Run()
	for t := range l.Tokens() {
		t.Print()
	}
	server := web.NewServer(web.WithLog, web.WithLimit(3))
	server.Use(logging, limiting(2))
	server.Handle("/", web.HandlerFunc(index))
	server.Handle("/x", &page{title: "x"})
	server.Serve("/")
	for _, row := range table {
		row.run(1, 2)
	}
	sort.Sort(byLen{"a"})
	_ = add.String()
	once.Do(setup)
	var fact func(int) int
	fact = func(n int) int {
		if n == 0 {
			return 1
		}
		return n * fact(n-1)
	}
	fact(3)
	if err := try(); err != nil {
		var f *failure
		if errors.As(err, &f) {
			f.text()
		}
		_ = err.Error()
	}
	open, close := pair()
	open()
	defer close()
	point := struct {
		x    int
		move func()
	}{move: setup}
	point.move()
	var printer interface{ Print() } = lexer.Token{}
	printer.Print()
	show := printer.Print
	show()
	wait := make(chan func(), 1)
	wait <- setup
	(<-wait)()
	results := map[string][]*page{"a": {{title: "b"}}}
	for _, pages := range results {
		pages[0].render()
	}
	pp := &results["a"][0]
	(*pp).render()
}

func try() (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = wrap(r)
		}
	}()
	return &failure{code: 1}
}

func wrap(any) error { return &failure{} }

func pair() (func(), func()) {
	return setup, func() { setup() }
}

func setup() {}

func logging(next web.Handler) web.Handler {
	return web.HandlerFunc(func(path string) { next.ServePath(path) })
}

func limiting(n int) web.Middleware {
	return func(next web.Handler) web.Handler {
		return &limiter{next, n}
	}
}

type limiter struct {
	web.Handler
	left int
}

func (l *limiter) ServePath(path string) {
	if l.left--; l.left > 0 {
		l.Handler.ServePath(path)
	}
}

func index(path string) { render(path) }

type page struct{ title string }

func (p *page) ServePath(string) { p.render() }
func (p *page) render()          { render(p.title) }

func render(string) {}
