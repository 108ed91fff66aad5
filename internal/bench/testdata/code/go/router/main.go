package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sort"
	"strings"
	"sync"

	"example.com/router/bus"
	. "example.com/router/route"
)

type app struct {
	*Router
	log   *logger
	hooks map[string]func(*app) error
	tasks chan func() string
}

type logger struct {
	mu    sync.Mutex
	lines []string
	out   func(string)
}

func (l *logger) Printf(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, fmt.Sprintf(format, args...))
	if l.out != nil {
		l.out(l.last())
	}
}

func (l *logger) last() string { return l.lines[len(l.lines)-1] }

var registry = map[string]Handler{}

func init() {
	register("ping", HandlerFunc(ping))
	register("echo", echo{times: 2})
}

func register(name string, h Handler) { registry[name] = h }

func ping(c *Context) error { return c.Write("pong") }

type echo struct{ times int }

func (e echo) Serve(c *Context) error {
	for i := 0; i < e.times; i++ {
		if err := e.once(c); err != nil {
			return err
		}
	}
	return nil
}

func (e echo) once(c *Context) error { return c.Write(c.Path()) }

func (e echo) String() string { return "echo" }

func newApp(opts ...Option) *app {
	a := &app{Router: New(opts...), log: &logger{out: emit}, tasks: make(chan func() string, 4)}
	a.hooks = map[string]func(*app) error{
		"start": (*app).started,
		"stop": func(a *app) error {
			a.log.Printf("stopped")
			return a.drain()
		},
		"check": checkAll,
	}
	return a
}

func emit(line string) { fmt.Fprintln(os.Stderr, line) }

func (a *app) started() error {
	a.log.Printf("routes: %s", strings.Join(a.names(), ","))
	return nil
}

func (a *app) names() []string {
	out := Map(a.Routes(), func(r Route) string { return r.Name() })
	sort.Slice(out, func(i, j int) bool { return less(out[i], out[j]) })
	return out
}

func less(a, b string) bool { return a < b }

func checkAll(a *app) error {
	var errs []error
	for _, r := range a.Routes() {
		if err := r.Check(); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

func (a *app) drain() error {
	close(a.tasks)
	for task := range a.tasks {
		a.log.Printf("%s", task())
	}
	return nil
}

func (a *app) hook(name string) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = wrap(r)
		}
	}()
	if h, ok := a.hooks[name]; ok {
		return h(a)
	}
	return missing(name)
}

type missing string

func (m missing) Error() string { return "no hook " + string(m) }

func wrap(r any) error {
	switch v := r.(type) {
	case error:
		return v
	case fmt.Stringer:
		return errors.New(v.String())
	case interface{ Describe() string }:
		return errors.New(v.Describe())
	default:
		return fmt.Errorf("%v", v)
	}
}

func timed(next Handler) Handler {
	return HandlerFunc(func(c *Context) error {
		stop := clock()
		defer stop()
		return next.Serve(c)
	})
}

func clock() func() {
	n := 0
	return func() { n = tick(n) }
}

func tick(n int) int { return n + 1 }

func (a *app) listen(b *bus.Bus[Event]) {
	write := a.log.Printf
	b.Subscribe(func(e Event) { write("event %s", e.Title()) })
	b.Subscribe(bus.Once(a.onEvent))
}

func (a *app) onEvent(e Event) { a.tasks <- e.Title }

func main() {
	a := newApp(WithPrefix("/v1"), WithMiddleware(timed, Recover))
	for name, h := range registry {
		a.Handle(name, h)
	}
	a.HandleFunc("status", func(c *Context) error { return c.Write(a.log.last()) })
	events := bus.New[Event]()
	a.listen(events)
	if err := a.hook("start"); err != nil {
		fmt.Println(err.Error())
	}
	var wg sync.WaitGroup
	for _, path := range os.Args[1:] {
		wg.Add(1)
		go func(p string) {
			defer wg.Done()
			if err := a.Dispatch(context.Background(), p); err != nil {
				events.Publish(Failed{Err: err})
				return
			}
			events.Publish(Served(p))
		}(path)
	}
	wg.Wait()
	best := bus.Max(events.History(), func(x, y Event) bool { return len(x.Title()) < len(y.Title()) })
	fmt.Println(best.Title())
	_ = a.hook("stop")
}
