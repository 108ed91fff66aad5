package main

type visitor struct {
	enter func(string) bool
	leave func(string)
}

type bus struct {
	subs map[string][]func(any)
	mw   []func(func()) func()
}

func (b *bus) on(n string, f func(any)) func() {
	b.subs[n] = append(b.subs[n], f)
	return func() { b.off(n) }
}

func (b *bus) off(n string) { delete(b.subs, n) }

func (b *bus) emit(n string, v any) {
	for _, f := range b.subs[n] {
		f(v)
	}
}

func walk(n string, v visitor) {
	if v.enter != nil && v.enter(n) {
		walk(n, v)
	}
	v.leave(n)
}

func retry(n int, f func() error) error {
	if err := f(); err != nil && n > 0 {
		return retry(n-1, f)
	}
	return nil
}

func with(f func(*bus) error, b *bus) error { return f(b) }

func enter(s string) bool { return false }
func leave(s string)      {}
func print(v any)         {}
func attempt() error      { return nil }

func main() {
	b := &bus{subs: map[string][]func(any){}}
	cancel := b.on("x", print)
	b.on("y", func(v any) { print(v) })
	b.emit("x", 1)
	cancel()
	walk("a", visitor{enter, leave})
	walk("b", visitor{leave: func(s string) { leave(s) }})
	retry(2, attempt)
	with(func(b *bus) error {
		b.emit("z", nil)
		return retry(1, attempt)
	}, b)
	callback := func(f func()) { f() }
	callback(func() { b.off("x") })
}
