package resolve

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// TestJava resolves small programs: the calls of each, with the rule that found
// them.
func TestJava(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		want  []string
	}{
		{"packages and imports", map[string]string{
			"a/A.java": `package a; public class A { public static void f() { B.g(); } static void hidden() {} }`,
			"a/B.java": `package a; class B { static void g() {} }`,
			"b/C.java": `package b; import a.A; class C { void m() { A.f(); a.A.f(); B.g(); Missing.x(); } }`,
			"b/D.java": `package b; import static a.A.f; import a.*; class D { void m() { f(); A.f(); } }`,
		}, []string{
			"A.f -> B.g [qualified]", "C.m -> A.f [qualified]", "C.m -> B.g (outside)", "C.m -> Missing.x (outside)",
			"D.m -> A.f [import]", "D.m -> A.f [qualified]",
		}},
		{"fields, methods and types of one name", map[string]string{
			"A.java": `class A { int size; Size Size; int size() { return size; } void m(int size) { size(); Size.of(); new Size(); } }
				class Size { static void of() {} }`,
		}, []string{"A.m -> A.size [self]", "A.m -> Size.of [receiver]", "A.m -> Size [constructor]"}},
		{"a local ends the search", map[string]string{
			"A.java": `class A { Dog pet; void m() { Cat pet = new Cat(); pet.go(); this.pet.go(); { pet = null; } } }
				class Dog { void go() {} } class Cat { void go() {} }`,
		}, []string{"A.m -> Cat [constructor]", "A.m -> Cat.go [receiver]", "A.m -> Dog.go [receiver]"}},
		{"a variable is set from itself", map[string]string{
			"A.java": `class A { A next() { return null; } void m(A x) { A y = x; y = y.next(); y.next(); } }`,
		}, []string{"A.m -> A.next [receiver]"}},
		{"a type has its base's overloads", map[string]string{
			"A.java": `class A { void f(String s) {} void f(int n) {} } class B extends A { void f(int n) {} void m() { f(1); f("x"); } }`,
		}, []string{"B.m -> A.f [self]", "B.m -> B.f [self]"}},
		{"private and static methods are settled", map[string]string{
			"A.java": `class A { private void p() {} static void s() {} final void f() {} void v() {} void m() { p(); s(); f(); v(); } }
				class B extends A { private void p() {} static void s() {} void v() {} }`,
		}, []string{"A.m -> A.f [self]", "A.m -> A.p [self]", "A.m -> A.s [self]", "A.m -> A.v [self]", "A.m -> B.v [self]"}},
		{"an instance that is known exactly", map[string]string{
			"A.java": `interface S { void go(); } class X implements S { public void go() {} } class Y implements S { public void go() {} }
				class A { private final S kept = new X(); S open = new X();
				void m(boolean b, S any) { S s = b ? new X() : new Y(); s.go(); S x = new Y(); x.go(); kept.go(); }
				void n(S any) { any.go(); } void o() { open.go(); } S make() { return new Y(); } void p() { make().go(); } }`,
		}, []string{
			"<module> -> X [constructor]", "A.m -> X [constructor]", "A.m -> Y [constructor]", "A.m -> X.go [receiver]", "A.m -> Y.go [receiver]",
			"A.n -> X.go [implementors]", "A.n -> Y.go [implementors]", "A.o -> X.go [implementors]", "A.o -> Y.go [implementors]",
			"A.make -> Y [constructor]", "A.p -> A.make [self]", "A.p -> Y.go [receiver]",
		}},
		{"what is outside has its name", map[string]string{
			"A.java": `import java.util.List; import java.io.*; class A extends Thread { void m(List<A> all, K k) { all.size(); start(); System.out.println(1); all.get(0).m(all, k); k.some().more(); unknown(); }
				static void s(Reader r) { r.close(); helper(); } } class P { void q() { helper(); } }`,
		}, []string{
			"A.m -> java.util.List.size (outside)", "A.m -> java.util.List.get (outside)", "A.m -> A.m [receiver]", "A.m -> java.io.K.some (outside)",
			"A.m -> java.io.K.some().more (outside)", "A.m -> java.lang.System.out.println (outside)", "A.m -> java.lang.Thread.start (outside)",
			"A.m -> java.lang.Thread.unknown (outside)", "A.s -> java.io.Reader.close (outside)", "A.s -> java.lang.Thread.helper (outside)", "P.q -> helper (loose)",
		}},
		{"functions in arrays and lists", map[string]string{
			"A.java": `class A { void m() { Runnable[] all = {this::one, () -> two()}; all[0].run(); for (Runnable r : all) r.run(); } void one() {} void two() {} }`,
		}, []string{"A.m -> A.one [value]", "A.m -> A.m.<lambda1> [value]", "A.m.<lambda1> -> A.two [self]"}},
		{"circles end", map[string]string{
			"A.java": `class A extends B { void f() { g(); super.f(); } } class B extends A { void g() { f(); } A same(A a) { return same(same(a)); } }`,
		}, []string{"A.f -> A.f [self]", "A.f -> B.g [self]", "B.g -> A.f [self]", "B.same -> B.same [self]"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := program(t, c.files)
			wantCalls(t, got, c.want...)
		})
	}
}

// TestJavaIsTheSameEachTime resolves one program in several orders of coming.
func TestJavaIsTheSameEachTime(t *testing.T) {
	files := map[string]string{
		"F.java": `interface F { int at(int n); } class U { int use(F f) { return f.at(1); } }`,
		"A.java": `class A { void m(U u) { u.use(n -> one(n)); u.use(A::two); } static int one(int n) { return n; } static int two(int n) { return n; } }`,
		"B.java": `class B implements F { public int at(int n) { return new U().use(this); } }`,
	}
	want := program(t, files)
	paths := slices.Sorted(maps.Keys(files))
	for range 6 {
		p := New()
		for _, path := range paths {
			put(t, p, path, files[path])
			p.Resolve()
		}
		if got := calls(p); !slices.Equal(got, want) {
			t.Fatalf("files in the order %v:\n%v\nall at once:\n%v", paths, got, want)
		}
		paths = append(paths[1:], paths[0])
	}
}

// signatures lists which of several functions of one name each caller calls.
func signatures(p *Project) map[string][]string {
	out := map[string][]string{}
	for _, path := range p.paths() {
		f := p.files[path]
		for _, e := range p.Edges(path) {
			if e.From.Symbol < 0 {
				continue
			}
			from, to := f.Symbols[e.From.Symbol].Name, p.files[e.To.File].Symbols[e.To.Symbol].Signature
			if !slices.Contains(out[from], to) {
				out[from] = append(out[from], to)
			}
		}
	}
	return out
}

func TestOverloadsOfJavaAndCSharp(t *testing.T) {
	const java = `class A {
		void g(String s) {} void g(int n) {} void g(long n) {} void g(Object o) {} void g(String a, Object... rest) {} void g(A a) {} void g(F f) {} void g(int a, int b) {} void h(int[] a) {} void h(long[] a) {} void h(Object[] a) {}
		void ints() { g(1); } void longs() { g(2L); } void texts() { g("a" + 1); } void many() { g("a", 1, 2); } void two() { g(1, 2); } void self() { g(this); }
		void array(int[] n) { h(n); } void arrays(B[] n) { h(n); } void zero() { long n = 0; g(n); }
		void below() { g(new B()); } void lambda() { g(x -> x); } void other() { g(new C()); } void cast(Object o) { g((String) o); }
	}
	class B extends A {} class C {} interface F { Object f(Object o); }`
	const csharp = `class A {
		void g(string s) {} void g(int n) {} void g(long n) {} void g(object o) {} void g(string a, params object[] rest) {} void g(A a) {} void g(F f) {} void g(int a, int b) {} void h(int[] a) {} void h(long[] a) {} void h(object[] a) {}
		void ints() { g(1); } void longs() { g(2L); } void texts() { g("a" + 1); } void many() { g("a", 1, 2); } void two() { g(1, 2); } void self() { g(this); }
		void array(int[] n) { h(n); } void arrays(B[] n) { h(n); } void zero() { long n = 0; g(n); }
		void below() { g(new B()); } void lambda() { g(x => x); } void other() { g(new C()); } void cast(object o) { g((string) o); }
	}
	class B : A {} class C {} delegate object F(object o);`
	for path, src := range map[string]string{"A.java": java, "A.cs": csharp} {
		text, object, rest := "String", "Object", "Object... rest"
		if path == "A.cs" {
			text, object, rest = "string", "object", "params object[] rest"
		}
		got := signatures(load(t, map[string]string{path: src}))
		for caller, want := range map[string]string{
			"ints": "void g(int n)", "longs": "void g(long n)", "texts": "void g(" + text + " s)", "many": "void g(" + text + " a, " + rest + ")",
			"two": "void g(int a, int b)", "self": "void g(A a)", "below": "void g(A a)", "lambda": "void g(F f)", "cast": "void g(" + text + " s)",
			"other": "void g(" + object + " o)", "array": "void h(int[] a)", "arrays": "void h(" + object + "[] a)", "zero": "void g(long n)",
		} {
			found := slices.DeleteFunc(got[caller], func(s string) bool {
				return s == "class B" || s == "class C" || s == "class B extends A" || s == "class B : A"
			})
			if !slices.Equal(found, []string{want}) {
				t.Errorf("%s: %s calls %q, not %q", path, caller, found, want)
			}
		}
	}
}

// TestJavaIsBounded: more functions of one name, and types above a type, than
// anyone writes are left out, so that no text takes long.
func TestJavaIsBounded(t *testing.T) {
	var many, deep strings.Builder
	many.WriteString("class A { void m() { g(x); } ")
	for i := range 3 * maxOverloads {
		fmt.Fprintf(&many, "void g(T%d t) {} ", i)
	}
	many.WriteString("}")
	for i := range 2 * maxAbove {
		fmt.Fprintf(&deep, "class C%d extends C%d {} ", i, i+1)
	}
	p := load(t, map[string]string{"A.java": many.String(), "C.java": deep.String()})
	r := newRun(p)
	if got := len(r.member("java:A", "g")); got != maxOverloads {
		t.Errorf("%d functions of one name, not %d", got, maxOverloads)
	}
	if got := len(r.linear("java:C0")); got != maxAbove {
		t.Errorf("%d types from a type upwards, not %d", got, maxAbove)
	}
}

// TestJavaImplied lists calls that the text does not write, and those that only
// what a type takes from the library declares.
func TestJavaImplied(t *testing.T) {
	got := program(t, map[string]string{"A.java": `
		class It implements java.util.Iterator<String> { public boolean hasNext() { return false; } public String next() { return null; } }
		class All implements Iterable<String> { public It iterator() { return new It(); } }
		class Res implements AutoCloseable { public void close() {} }
		abstract class Job implements Runnable {}
		class Fast extends Job { public void run() {} }
		class Bad extends Exception {}
		class Worse extends Bad { public String getMessage() { return ""; } }
		class Worker extends Thread { public void run() {} }
		class U {
			void loops(All all, int[] n) { for (String s : all) {} for (int i : n) {} }
			void closes() { try (Res r = new Res()) {} }
			void runs(Job j) { j.run(); }
			void fails(Bad b) { b.getMessage(); }
			void starts(Worker w) { w.start(); }
			void submits(java.util.concurrent.ExecutorService e, Fast f, java.util.Map<Job, String> m) { e.submit(f); m.containsKey(f); }
		}`})
	wantCalls(t, got, "All.iterator -> It [constructor]", "U.loops -> All.iterator [receiver]", "U.loops -> It.hasNext [receiver]", "U.loops -> It.next [receiver]",
		"U.closes -> Res [constructor]", "U.closes -> Res.close [receiver]", "U.runs -> Fast.run [implementors]", "U.starts -> Worker.run [receiver]", "U.submits -> Fast.run [value]",
		"U.fails -> java.lang.Exception.getMessage (outside)", "U.submits -> java.util.Map.containsKey (outside)", "U.submits -> java.util.concurrent.ExecutorService.submit (outside)")
}
