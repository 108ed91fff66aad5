package resolve

import "testing"

func TestGoCalls(t *testing.T) {
	for _, tc := range []struct {
		name  string
		files map[string]string
		want  []string
	}{
		{
			name: "files of a package see each other, other packages are imported",
			files: map[string]string{
				"go.mod":   "module m\n",
				"a.go":     "package a\nimport \"m/sub\"\nfunc f() { g(); sub.H(); sub.hidden() }",
				"b.go":     "package a\nfunc g() {}",
				"sub/c.go": "package sub\nfunc H() { f() }",
			},
			want: []string{"f -> g [package]", "f -> H [qualified]", "f -> sub.hidden (loose)", "H -> f (loose)"},
		},
		{
			name: "a name that is shadowed ends the search",
			files: map[string]string{
				"a.go": "package a\nfunc f(g int) { g() }\nfunc h() { fmt := x; fmt.Println() }\nfunc g() {}",
			},
			want: []string{"f -> <builtin>.int (outside)", "h -> fmt.Println (loose)"},
		},
		{
			name: "what is outside has its qualified name",
			files: map[string]string{
				"go.mod": "module m\n",
				"a.go":   "package a\nimport (\"os\"; \"m/none\"; \"example.com/x/v2\")\nfunc f() { os.Getenv(`A`); none.F(); x.G(); len(`a`) }",
			},
			want: []string{"f -> os.Getenv (outside)", "f -> m/none.F (outside)", "f -> example.com/x/v2.G (outside)", "f -> <builtin>.len (outside)"},
		},
		{
			name: "a package may have another name than its path",
			files: map[string]string{
				"go.mod":      "module m\n",
				"a.go":        "package a\nimport \"m/go-lib\"\nfunc f() { other.G() }",
				"go-lib/b.go": "package other\nfunc G() {}",
			},
			want: []string{"f -> G [qualified]"},
		},
		{
			name: "methods come from what is embedded, nearest first",
			files: map[string]string{
				"a.go": `package a
type base struct{}
func (base) run() {}
func (*base) stop() {}
type top struct{ *base }
func (top) run() {}
func f(t *top, b base) { t.run(); t.stop(); t.base.run(); b.run() }`,
			},
			want: []string{"f -> top.run [receiver]", "f -> base.stop [receiver]", "f -> base.run [receiver]"},
		},
		{
			name: "an interface is what has all of its methods",
			files: map[string]string{
				"a.go": `package a
type doer interface { do(n int) error; stop() }
type one struct{}
func (one) do(n int) error { return nil }
func (one) stop() {}
type half struct{}
func (half) do(n int) error { return nil }
type other struct{}
func (other) do(s string) error { return nil }
func (other) stop() {}
type wrapped struct{ one }
func f(d doer) { d.do(1) }
type lonely interface { nobody() }
func g(l lonely) { l.nobody() }`,
			},
			want: []string{"f -> one.do [implementors]", "g -> lonely.nobody [receiver]"},
		},
		{
			name: "functions are followed through fields, maps and parameters",
			files: map[string]string{
				"a.go": `package a
type s struct{ f func(); m map[string]func() }
func use(x *s, g func()) { x.f(); x.m["a"](); g() }
func set(x *s) { x.m["a"] = inMap }
func main() { use(&s{f: inField}, passed) }
func inField() {}
func inMap() {}
func passed() {}`,
			},
			want: []string{"use -> inField [value]", "use -> inMap [value]", "use -> passed [value]", "main -> use [file]"},
		},
		{
			name: "conversions call nothing",
			files: map[string]string{
				"a.go": "package a\ntype n int\nfunc (n) m() {}\nfunc f(x int) { n(x).m(); string(rune(x)) }",
			},
			want: []string{"f -> n.m [receiver]"},
		},
		{
			name: "generic names stand for what they are used with",
			files: map[string]string{
				"a.go": `package a
type t struct{}
func (t) m() {}
type box[E any] struct{ v E }
func (b box[X]) get() X { return b.v }
func id[T any](x T) T { return x }
func make2[T any]() T { var z T; return z }
func f(b box[*t]) { b.get().m(); b.v.m(); id(t{}).m(); make2[t]().m() }`,
			},
			want: []string{"f -> t.m [receiver]", "f -> box.get [receiver]", "f -> id [file]", "f -> make2 [file]"},
		},
		{
			name: "loops over maps, channels and functions",
			files: map[string]string{
				"a.go": `package a
type k struct{}
func (k) key() {}
type v struct{}
func (v) val() {}
type named map[k]*v
func seq(yield func(k, v) bool) {}
func f(m named, c chan v) {
	for a := range m { a.key() }
	for a, b := range m { a.key(); b.val() }
	for x := range c { x.val() }
	for a, b := range seq { a.key(); b.val() }
	for i, l := range [][]v{} { for _, x := range l { x.val() }; use(i) }
	for a := range map[k]int{{}: 1} { a.key() }
}
func use(int) {}`,
			},
			want: []string{"f -> k.key [receiver]", "f -> v.val [receiver]", "f -> use [file]", "f -> seq [file]"},
		},
		{
			name: "functions converted to a type are what its methods call",
			files: map[string]string{
				"a.go": "package a\ntype h func()\nfunc (f h) run() { f() }\nfunc one() {}\nfunc main() { h(one).run(); h(func() {}).run() }",
			},
			want: []string{"h.run -> one [value]", "h.run -> main.<lambda1> [value]", "main -> h.run [receiver]"},
		},
		{
			name: "rows of a table have the fields of their type",
			files: map[string]string{
				"a.go": `package a
func one() {}
func two() {}
func f() {
	for _, row := range []struct { name string; run func() }{{"a", one}, {run: two}} { row.run() }
}`,
			},
			want: []string{"f -> one [value]", "f -> two [value]"},
		},
		{
			name: "files for other systems are not called",
			files: map[string]string{
				"a.go": "package a\nfunc all() { f() }", "b_linux.go": "package a\nfunc f() {}\nfunc here() { f(); g() }",
				"c_windows.go": "package a\nfunc f() {}\nfunc g() {}", "d_linux_arm64.go": "package a\nfunc g() {}",
			},
			want: []string{"all -> f [package]", "here -> f [file]", "here -> g [package]"},
		},
		{
			name: "circles end",
			files: map[string]string{
				"go.mod": "module m\n",
				"a/a.go": "package a\nimport \"m/b\"\ntype T struct{ U }\ntype U struct{ T }\nvar x = y\nvar y = x\nfunc F() { b.F(); T{}.none(); x(); F() }",
				"b/b.go": "package b\nimport \"m/a\"\nfunc F() { a.F() }",
			},
			want: []string{"F -> F [qualified]", "F -> F [file]", "F -> <T>.none (loose)", "F -> x (loose)"},
		},
	} {
		t.Run(tc.name, func(t *testing.T) { wantCalls(t, program(t, tc.files), tc.want...) })
	}
}

// TestGoFollowsChanges puts and removes files one after another.
func TestGoFollowsChanges(t *testing.T) {
	p := load(t, map[string]string{
		"go.mod": "module m\n",
		"a.go":   "package a\ntype s struct{ f func() }\nfunc use(x s) { x.f(); g() }",
	})
	wantCalls(t, calls(p), "use -> x.f (loose)", "use -> g (loose)")
	put(t, p, "b.go", "package a\nfunc g() {}\nfunc main() { use(s{f: g}) }")
	p.Resolve()
	wantCalls(t, calls(p), "use -> g [value]", "use -> g [package]", "main -> use [package]")
	put(t, p, "b.go", "package a\nfunc h() {}\nfunc main() { use(s{f: h}) }")
	p.Resolve()
	wantCalls(t, calls(p), "use -> h [value]", "use -> g (loose)", "main -> use [package]")
	p.Remove("b.go")
	p.Resolve()
	wantCalls(t, calls(p), "use -> x.f (loose)", "use -> g (loose)")
}

func TestParseGoType(t *testing.T) {
	for text, want := range map[string]string{
		"*pkg.T": "pkg.T", "[]T": "[](T)", "[4][]T": "[]([](T))", "map[string][]*T": "map(string,[](T))", "chan<- T": "[](T)", "<-chan T": "[](T)",
		"func(a int, b ...T) (T, error)": "=>(()(T,error))", "func()": "=>", "Box[int, pkg.T]": "Box(int,pkg.T)", "(T, error)": "()(T,error)",
		"struct{ a int }": "{}", "~int | T": "(int,T)", "": "?", "[": "[](?)", "map[": "map(?,?)", "func(": "=>", "é.T": "é.T", "}{": "?",
	} {
		if got := nodeText(parseGoType(text)); got != want {
			t.Errorf("%q: %s, expected %s", text, got, want)
		}
	}
}

func nodeText(n typeNode) string {
	out := n.name
	if len(n.args) > 0 {
		out += "("
		for i, a := range n.args {
			if i > 0 {
				out += ","
			}
			out += nodeText(a)
		}
		out += ")"
	}
	return out
}

func TestGoTargetOfAFile(t *testing.T) {
	for name, want := range map[string][2]string{
		"a.go": {}, "linux.go": {}, "a_linux.go": {"linux", ""}, "a/b_arm64.go": {"", "arm64"}, "a_windows_amd64_test.go": {"windows", "amd64"}, "a_unix.go": {},
	} {
		if system, chip := goTarget(name); system != want[0] || chip != want[1] {
			t.Errorf("%s: %q %q", name, system, chip)
		}
	}
}
