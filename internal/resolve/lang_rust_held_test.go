package resolve

import (
	"slices"
	"strings"
	"testing"
)

// TestRustHeld lists calls of what is held by other things: macros, wrappers,
// fields, modules within a file.
func TestRustHeld(t *testing.T) {
	tests := []struct {
		name, src string
		want, not []string
	}{
		{"words of the grammar are names within macros", "struct A;\nimpl A { fn default() -> A { A } }\nfn f() { println!(\"{}\", A::default()); }\n", []string{"f -> A.default [qualified]"}, nil},
		{"operators within macros", "struct A;\nimpl A { fn add(self, o: A) -> A { A } fn neg(self) -> A { A } fn g(self) -> A { A } }\nfn f(a: A, b: A) { println!(\"{} {}\", a.g() + b, -a); }\n",
			[]string{"f -> A.add [receiver]", "f -> A.neg [receiver]", "f -> A.g [receiver]"}, nil},
		{"what a macro repeats", "struct A;\nimpl A { fn new() -> A { A } }\nmacro_rules! m { ($($x:expr),*) => { $( A::new(); )* }; }\n", []string{"m -> A.new [qualified]"}, nil},
		{"a closure behind another name for its type", "type F<'a> = Box<dyn Fn() + 'a>;\nstruct S { f: F<'static>, all: Vec<F<'static>> }\nimpl S { fn run(&self) { (self.f)(); self.all.iter().for_each(|g| g()); } fn put(&mut self) { self.all.push(Box::new(h)); } }\nfn make() -> F<'static> { Box::new(|| h()) }\nfn h() {}\nfn new() -> S { S { f: make(), all: Vec::new() } }\n",
			[]string{"S.run -> make.<lambda1> [self]", "S.run.<lambda1> -> h [receiver]"}, nil},
		{"a function in a field without a name", "struct S<F>(F);\nimpl<F: Fn()> S<F> { fn run(&self) { (self.0)() } }\nfn h() {}\nfn f() { S(h).run() }\n", []string{"S.run -> h [self]"}, nil},
		{"members of what a type stands for", "use std::ops::Deref;\nstruct A; struct B { a: A }\nimpl A { fn g(&self) {} }\nimpl Deref for B { type Target = A; fn deref(&self) -> &A { &self.a } }\nfn f(b: B) { b.g(); }\n", []string{"f -> A.g [receiver]"}, nil},
		{"what fails", "struct E;\nimpl E { fn show(&self) {} }\nfn g() -> Result<u8, E> { Err(E) }\nfn f() { if let Err(e) = g() { e.show(); }\n match g() { Ok(_) => {}, Err(e) => e.show() } }\n", []string{"f -> E.show [receiver]"}, nil},
		{"folds and finds", "struct A;\nimpl A { fn n(&self) -> Option<B> { None } }\nstruct B;\nimpl B { fn m(&self) {} fn add(self, o: &A) -> B { self } }\nfn f(all: Vec<A>) { all.iter().find_map(|a| a.n()).unwrap().m(); all.iter().fold(B, |b, a| b + a); }\n",
			[]string{"f.<lambda1> -> A.n [receiver]", "f -> B.m [receiver]", "f.<lambda2> -> B.add [qualified]"}, nil},
		{"traits of a module within the file", "trait T { fn a(&self); fn b(&self) { self.a() } }\nmod m { use super::*; pub struct S; impl T for S { fn a(&self) {} } }\n", []string{"T.b -> m.S.a [self]"}, []string{"T.b -> T.a"}},
		{"parts that a pattern leaves out", "struct A; struct B;\nimpl A { fn a(&self) {} }\nimpl B { fn b(&self) {} }\nstruct P(A, B);\nfn f(t: (A, B), p: P) { let (_, x) = t; x.b(); let P(_, y) = p; y.b(); }\n", []string{"f -> B.b [receiver]"}, []string{"A.a"}},
		{"a field and a method of one name", "struct S { f: Option<fn()> }\nimpl S { fn f(mut self, g: fn()) -> S { self.f = Some(g); self } fn run(&self) { if let Some(g) = self.f { g(); } } }\nfn h() {}\nfn make(s: S) { s.f(h); }\n", []string{"S.run -> h [value]", "make -> S.f [receiver]"}, []string{"S.run -> S.f", "make -> h"}},
		{"bounds of an impl", "trait T { fn a(&self); }\nstruct X;\nimpl T for X { fn a(&self) {} }\nstruct S<V> { v: V }\nimpl<V: T> S<V> { fn run(&self) { self.v.a(); } }\n", []string{"S.run -> X.a [implementors]"}, nil},
		{"errors that are made others", "struct A; struct B; struct C;\nimpl From<A> for B { fn from(a: A) -> B { B } }\nimpl From<C> for B { fn from(c: C) -> B { B } }\nfn g() -> Result<u8, A> { Err(A) }\nfn f() -> Result<u8, B> { g()?; Ok(1) }\nfn same() -> Result<u8, A> { g()?; Ok(1) }\n", []string{"f -> B.from [receiver]"}, []string{"same -> B.from"}},
		{"operators fit what stands on the right", "struct V;\nimpl std::ops::Mul<V> for f64 { type Output = V; fn mul(self, v: V) -> V { V } }\nfn f(v: V) { 2.0 * v; }\nfn g(n: f64) { 2.0 * n; }\n", []string{"f -> f64.mul [receiver]"}, []string{"g -> f64.mul"}},
		{"closures within macros", "fn h(n: u8) -> u8 { n }\nfn f(v: Vec<u8>) { println!(\"{:?}\", v.iter().map(|n| h(*n)).max()); }\n", []string{"f.<lambda1> -> h [file]"}, []string{"f -> h"}},
		{"what is read as a type", "struct A;\nimpl std::str::FromStr for A { fn from_str(s: &str) -> Result<A, ()> { Ok(A) } }\nfn f() { \"x\".parse::<A>(); \"1\".parse::<u8>(); }\n", []string{"f -> A.from_str [qualified]"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := program(t, map[string]string{"src/main.rs": tt.src})
			for _, w := range tt.want {
				if !slices.Contains(got, w) {
					t.Errorf("missing: %s in\n%s", w, strings.Join(got, "\n"))
				}
			}
			for _, part := range tt.not {
				if i := slices.IndexFunc(got, func(g string) bool { return strings.Contains(g, part) }); i >= 0 {
					t.Errorf("too much: %s", got[i])
				}
			}
		})
	}
}
