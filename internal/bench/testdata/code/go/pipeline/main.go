// Command pipeline runs stages.
package main

import (
	"sort"

	"example.com/pipeline/stage"
)

type handler func(string) error

func (h handler) serve(s string) error { return h(s) }

var handlers = map[string]handler{
	"start": start,
	"stop":  func(s string) error { return finish(s) },
}

func init() { handlers["extra"] = extra }

func main() {
	p := stage.New(stage.WithName("x"), stage.WithHook(onDone))
	p.Add(double).Add(stage.Increment)
	p.Add(func(n int) int { return triple(n) })
	p.Run(3)
	dispatch("start")
	each([]string{"a"}, func(s string) { visit(s) })
	counter := newCounter()
	counter()
	words := []string{"b"}
	sort.Slice(words, func(i, j int) bool { return less(words[i], words[j]) })
	retry(3, attempt)
	compose(double, triple)(1)
	go worker(make(chan job, 1))
	func() { cleanup() }()
}

func dispatch(name string) {
	if h, ok := handlers[name]; ok {
		h(name)
	}
	handlers["start"]("again")
	handler(start).serve(name)
}

func start(s string) error  { return nil }
func finish(s string) error { return nil }
func extra(s string) error  { return nil }
func onDone(n int)          {}
func double(n int) int      { return 2 * n }
func triple(n int) int      { return 3 * n }
func visit(s string)        {}
func less(a, b string) bool { return a < b }
func attempt() error        { return nil }
func cleanup()              {}

func each(all []string, f func(string)) {
	for _, s := range all {
		f(s)
	}
}

func newCounter() func() int {
	n := 0
	step := func() int { n++; return n }
	return func() int { return step() }
}

func retry(n int, f func() error) {
	if n > 0 {
		if err := f(); err != nil {
			retry(n-1, f)
		}
	}
}

func compose(fs ...func(int) int) func(int) int {
	return func(n int) int {
		for _, f := range fs {
			n = f(n)
		}
		return n
	}
}

type job struct{ do func() }

func (j job) finish() {}

func worker(jobs chan job) {
	jobs <- job{do: cleanup}
	for j := range jobs {
		j.do()
		j.finish()
	}
	select {
	case j := <-jobs:
		j.finish()
	default:
	}
}
