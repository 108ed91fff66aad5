package resolve

import "testing"

// TestGoHeld: functions in fields of generic types, in channels, and in a name
// that is set to what calling it gives.
func TestGoHeld(t *testing.T) {
	wantCalls(t, program(t, map[string]string{"a.go": `package a

type Bus[T any] struct{ subs []func(T) }

func (b *Bus[T]) Add(f func(T)) { b.subs = append(b.subs, f) }
func (b *Bus[T]) Tell(e T) {
	for _, s := range b.subs {
		s(e)
	}
}

func use(b *Bus[int]) { b.Add(one) }
func one(int)         {}

type app struct{ tasks chan func() }

func (a *app) put() { a.tasks <- two }
func (a *app) run() {
	for t := range a.tasks {
		t()
	}
}
func two() {}

type state func() state

func first() state  { return second }
func second() state { return nil }
func loop() {
	for s := state(first); s != nil; {
		s = s()
	}
}
`}), "Bus.Add -> <builtin>.append (outside)", "Bus.Tell -> one [value]", "use -> Bus.Add [receiver]", "app.run -> two [value]", "loop -> first [value]", "loop -> second [value]")
}

// TestGoForeignInterfaces: a method of the standard library's interfaces is that
// of the types made for them, as long as these are few.
func TestGoForeignInterfaces(t *testing.T) {
	few := "package a\n\nimport \"fmt\"\n\ntype one struct{}\n\nfunc (one) String() string { return \"\" }\nfunc (one) Error() string { return \"\" }\n\nfunc show(s fmt.Stringer) string { return s.String() }\nfunc text(err error) string { return err.Error() }\n"
	wantCalls(t, program(t, map[string]string{"a.go": few}), "show -> one.String [implementors]", "text -> one.Error [implementors]")
	many := "package a\n\nfunc text(err error) string { return err.Error() }\n"
	for _, name := range []string{"b", "c", "d", "e"} {
		many += "type " + name + " struct{}\n\nfunc (" + name + ") Error() string { return \"\" }\n"
	}
	wantCalls(t, program(t, map[string]string{"a.go": many}), "text -> <builtin>.error.Error (outside)")
}

// TestGoGivenFunctions: a function that one file registers is found where another
// asks for it, in whatever order the files are read.
func TestGoGivenFunctions(t *testing.T) {
	wantCalls(t, program(t, map[string]string{
		"a.go": "package a\n\nfunc use() { lookup(\"x\")() }\n",
		"b.go": "package a\n\nvar known = map[string]func(){}\n\nfunc register(n string, f func()) { known[n] = f }\nfunc lookup(n string) func() { return known[n] }\n",
		"c.go": "package a\n\nfunc init() { register(\"x\", echo) }\nfunc echo() {}\n",
	}), "use -> lookup [package]", "use -> echo [value]", "init -> register [package]")
}
