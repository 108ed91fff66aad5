// Command funclists hands collections of functions to others.
package main

type task func()

type command struct{ run func() }

func build() {}
func test()  {}
func ship()  {}

func all(fs []func()) {
	for _, f := range fs {
		f()
	}
}

func named(fs map[string]func(), name string) {
	if f, ok := fs[name]; ok {
		f()
	}
}

func tasks(ts []task) { ts[0]() }

func commands(cs []command) {
	for _, c := range cs {
		c.run()
	}
}

func drain(ts <-chan task) {
	for t := range ts {
		t()
	}
}

func main() {
	all([]func(){build, test})
	named(map[string]func(){"ship": ship}, "ship")
	list := []task{ship}
	tasks(list)
	commands([]command{{build}, {run: test}})
	queue := make(chan task, 1)
	queue <- build
	drain(queue)
	var next task = test
	next()
}
