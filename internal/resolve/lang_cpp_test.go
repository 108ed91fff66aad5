package resolve

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestCPPCalls(t *testing.T) {
	for _, tc := range []struct {
		name  string
		files map[string]string
		want  []string
	}{
		{
			name: "a prototype in a header stands for the body in another file",
			files: map[string]string{
				"inc/api.h":  "int add(int a, int b = 1);\nint add(double a);\nclass A { public: A(); int f(); };",
				"src/api.cc": "#include \"api.h\"\nint add(int a, int b) { return a; }\nint add(double a) { return add(1); }\nA::A() { f(); }\nint A::f() { return add(2, 3); }",
				"main.cc":    "#include \"inc/api.h\"\nint main() { A a; a.f(); return add(1.5); }",
			},
			want: []string{"add -> add [file]", "A.A -> A.f [self]", "A.f -> add [file]", "main -> A.A [constructor]", "main -> A.f [receiver]", "main -> add [package]"},
		},
		{
			name: "static functions are their file's, unless a header has them",
			files: map[string]string{
				"a.c": "#include \"h.h\"\nstatic int same(void) { return 1; }\nint a(void) { return same() + shared(); }",
				"b.c": "static int same(void) { return 2; }\nint b(void) { return same() + shared(); }\nint c(void) { return hidden(); }",
				"c.c": "static int hidden(void) { return 3; }",
				"h.h": "static inline int shared(void) { return 0; }",
			},
			want: []string{"a -> same [file]", "a -> shared [package]", "b -> same [file]", "b -> shared [package]", "c -> hidden (loose)"},
		},
		{
			name: "of several of a name, the one that is included",
			files: map[string]string{
				"one/util.h": "inline int pick() { return 1; }",
				"two/util.h": "inline int pick() { return 2; }\ninline int only() { return pick(); }",
				"one/m.cc":   "#include \"util.h\"\nint m() { return pick(); }",
				"n.cc":       "#include \"two/util.h\"\nint n() { return only(); }",
			},
			want: []string{"m -> pick [package]", "n -> only [package]", "only -> pick [file]"},
		},
		{
			name: "namespaces: nested, opened, aliased, inline, of the arguments",
			files: map[string]string{
				"n.hpp": "namespace a { struct T {}; void free(T t); namespace b { void deep(); } inline namespace v { void in(); } void up(); }",
				"n.cc":  "#include \"n.hpp\"\nvoid a::free(T t) { b::deep(); }\nnamespace a { void b::deep() { up(); } void v::in() {} void up() { in(); } }",
				"m.cc":  "#include \"n.hpp\"\nnamespace x = a::b;\nusing a::up;\nvoid f() { x::deep(); up(); ::a::in(); a::T t; free(t); }\nvoid g() { using namespace a; b::deep(); in(); }",
			},
			want: []string{"a.free -> a.b.deep [qualified]", "a.b.deep -> a.up [scope]", "a.up -> a.v.in [package]", "f -> a.b.deep [qualified]", "f -> a.up [import]",
				"f -> a.v.in [qualified]", "f -> a.T [constructor]", "f -> a.free [package]", "g -> a.b.deep [qualified]", "g -> a.v.in [import]"},
		},
		{
			name: "only virtual methods may be another's",
			files: map[string]string{"v.cc": `
struct Base { virtual void run() = 0; void plain() { run(); } virtual ~Base() {} };
struct One : Base { void run() override {} void plain() {} };
struct Two : One { void run() {} };
void f(Base &b, One *o, Two t) { b.run(); b.plain(); o->run(); t.run(); o->Base::plain(); }
void g() { Base *b = new One; b->run(); }`},
			want: []string{"Base.plain -> One.run [self]", "Base.plain -> Two.run [self]", "f -> One.run [implementors]", "f -> Two.run [implementors]",
				"f -> Base.plain [receiver]", "f -> One.run [receiver]", "f -> Two.run [receiver]", "f -> Base.plain [qualified]",
				"g -> One [constructor]", "g -> One.run [receiver]"},
		},
		{
			name: "a shadowed name ends the search",
			files: map[string]string{"s.cc": `
void f() {}
void g(int f) { f(1); }
void h() { int f = 3; f(); { auto f = [] {}; f(); } }`},
			want: []string{"g -> int (outside)", "h -> <builtin>.int (outside)", "h -> h.f [scope]"},
		},
		{
			name: "initialisers construct bases and fields of classes",
			files: map[string]string{
				"c.hpp": "struct P { P(int); };\nstruct B { B(); B(int); };\nstruct C : B { C(int n); C(); P p; P *q; int k; };",
				"c.cc":  "#include \"c.hpp\"\nP::P(int) {}\nB::B() {}\nB::B(int) {}\nC::C(int n) : B(n), p(n), q(new P(n)), k(n) {}\nC::C() : C(1) {}",
			},
			want: []string{"C.C -> B.B [constructor]", "C.C -> P.P [constructor]", "C.C -> C.C [constructor]"},
		},
		{
			name: "smart pointers, containers, pairs and iterators give what they hold",
			files: map[string]string{"l.cc": `
struct T { void go(); T *next(); };
void T::go() {}
T *T::next() { return this; }
using List = std::vector<std::shared_ptr<T>>;
struct H { std::map<int, std::unique_ptr<T>> by; List all; std::optional<T> maybe; };
void f(H &h) {
    h.by[1]->go();
    for (auto &[k, v] : h.by) v->go();
    for (const auto &t : h.all) t->next()->go();
    auto it = h.by.find(1);
    it->second->go();
    h.all.front()->go();
    h.maybe->go();
    h.maybe.value().go();
    auto made = std::make_shared<T>();
    made.get()->go();
}`},
			want: []string{"f -> T.go [receiver]", "f -> T.next [receiver]", "f -> T [constructor]",
				"f -> std.map.find (outside)", "f -> std.vector.front (outside)", "f -> h.maybe.value (loose)", "f -> made.get (loose)"},
		},
		{
			name: "functions in variables, fields, tables and containers",
			files: map[string]string{"p.cc": `
int one(int) { return 1; }
int two(int) { return 2; }
struct Ops { int (*first)(int); int (*second)(int); };
static const Ops table = {one, two};
static Ops named = {.second = two};
struct Button { std::function<void()> click; std::vector<std::function<void()>> more; void press() { click(); for (auto &m : more) m(); } };
void clicked() {}
void listed() {}
void use(Ops *o, Button &b) {
    o->first(1);
    table.second(1);
    b.click = clicked;
    b.more.push_back(listed);
    int (*f)(int) = one;
    (*f)(1);
    f = two;
    f(2);
}`},
			want: []string{"<module> -> Ops [constructor]", "use -> one [value]", "use -> two [value]", "Button.press -> clicked [value]", "Button.press -> listed [value]", "use -> std.vector.push_back (outside)"},
		},
		{
			name: "templates: classes and functions with their arguments",
			files: map[string]string{"t.cc": `
struct A { void go() {} };
template <typename T> struct Box { T item; T &get() { return item; } void each() { item.go(); } };
template <typename T> T same(T t) { return t; }
template <typename T> void run(T &t) { t.go(); }
template <typename T> T make() { T t; t.go(); return t; }
struct B { void go() {} void stop() {} };
void f(Box<A> b, A a) { b.get().go(); b.item.go(); same(a).go(); run(a); make<B>().stop(); Box<B> box; }`},
			want: []string{"f -> Box.get [receiver]", "f -> A.go [receiver]", "f -> same [file]", "f -> run [file]", "run -> A.go [receiver]", "f -> make [file]",
				"make -> B [constructor]", "make -> B.go [receiver]", "f -> B.stop [receiver]", "f -> Box [constructor]", "Box.each -> B.go [receiver]"},
		},
		{
			name: "circles of inheritance, includes and aliases end",
			files: map[string]string{
				"x.h": "#include \"y.h\"\nstruct X : Y { void f() { g(); } };",
				"y.h": "#include \"x.h\"\nstruct Y : X { void g() { f(); none(); } };\nusing P = Q; using Q = P;\nvoid q(P p) { p.go(); }",
			},
			want: []string{"X.f -> Y.g [self]", "Y.g -> X.f [self]", "Y.g -> none (loose)", "q -> P.go (outside)"},
		},
		{
			name:  "outside of the project",
			files: map[string]string{"o.cc": "#include <missing.h>\nvoid f(QString q) { std::sort(1); q.trim(); printf(\"\"); other(); lib::call(); }"},
			want:  []string{"f -> std.sort (outside)", "f -> QString.trim (outside)", "f -> <builtin>.printf (outside)", "f -> other (loose)", "f -> lib.call (loose)"},
		},
	} {
		t.Run(tc.name, func(t *testing.T) { wantCalls(t, program(t, tc.files), tc.want...) })
	}
}

// TestCPPIncludesReachFiles: an include is the file beside, else what ends as it
// says; one that is not there is outside.
func TestCPPIncludesReachFiles(t *testing.T) {
	p := load(t, map[string]string{
		"src/a.cc": "#include \"b.h\"\n#include <lib/c.h>\n#include \"../up.h\"\n#include <vector>", "src/b.h": "", "other/b.h": "", "include/lib/c.h": "", "up.h": "",
	})
	var got []string
	for _, l := range p.Imports("src/a.cc") {
		got = append(got, l.File+l.External)
	}
	if want := []string{"src/b.h", "include/lib/c.h", "up.h", "vector"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestCPPBodyMoves: what a prototype stands for follows the file that has it.
func TestCPPBodyMoves(t *testing.T) {
	p := load(t, map[string]string{"f.h": "void f();", "a.cc": "#include \"f.h\"\nvoid f() {}", "m.cc": "#include \"f.h\"\nvoid m() { f(); }"})
	to := func() string {
		for _, e := range p.Edges("m.cc") {
			return e.To.File
		}
		return ""
	}
	if got := to(); got != "a.cc" {
		t.Fatalf("m calls f of %q", got)
	}
	p.Remove("a.cc")
	put(t, p, "b.cc", "#include \"f.h\"\nvoid f() {}")
	p.Resolve()
	if got := to(); got != "b.cc" {
		t.Errorf("after it moved, m calls f of %q", got)
	}
}

// TestCPPProgramsBesideEachOther: classes of one name in files that know nothing
// of each other are each file's own, however many there are.
func TestCPPProgramsBesideEachOther(t *testing.T) {
	files := map[string]string{}
	for i := range 60 {
		files[fmt.Sprintf("p%d.cc", i)] = "struct Node { Node(int n) { link(); } void link() {} };\nclass Solver { public: void go() { step(); } void step() {} };\nint main() { Node n(1); n.link(); Solver s; s.go(); }"
	}
	p := load(t, files)
	for path := range files {
		if got := len(p.Edges(path)); got != 6 {
			t.Fatalf("%s has %d edges: %v", path, got, p.Edges(path))
		}
		for _, e := range p.Edges(path) {
			if e.To.File != path {
				t.Fatalf("%s calls into %s", path, e.To.File)
			}
		}
	}
}

func TestParseCPPType(t *testing.T) {
	for text, want := range map[string]string{
		"Foo": "Foo", "const ns::Foo<int> *": "ns.Foo[int]", "std::unique_ptr<Foo, Del>": "Foo", "std::map<K, std::vector<V>>&": "std.map[()[K std.vector[V]]]",
		"int (*)(char, int)": "=>[int]", "std::function<R(A, B)>": "=>[R]", "Foo[]": "[][Foo]", "unsigned long long": "long", "struct node *": "node",
		"typename T::type": "T.type", "std::pair<A, B>": "()[A B]", "": "?", "<": "?", "A<B<C>>": "A[B[C]]", "::top::T &&": "top.T",
	} {
		if got := drawType(parseCPPType(text)); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
	start := time.Now()
	parseCPPType(strings.Repeat("A<", 100000))
	parseCPPType(strings.Repeat("(*", 100000))
	if took := time.Since(start); took > time.Second {
		t.Errorf("deep types took %v", took)
	}
}

func drawType(n typeNode) string {
	if len(n.args) == 0 {
		return n.name
	}
	var args []string
	for _, a := range n.args {
		args = append(args, drawType(a))
	}
	return fmt.Sprintf("%s%v", n.name, args)
}
