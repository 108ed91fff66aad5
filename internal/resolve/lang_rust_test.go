package resolve

import "testing"

func TestRustCalls(t *testing.T) {
	for _, tc := range []struct {
		name  string
		files map[string]string
		want  []string
	}{
		{
			name: "modules by path, from the crate, from here and from above",
			files: map[string]string{
				"Cargo.toml":   "[package]\nname = \"my-app\"\n",
				"src/main.rs":  "mod a;\nfn main() { a::b::deep(); crate::a::up(); self::top(); }\nfn top() {}",
				"src/a/mod.rs": "pub mod b;\npub fn up() { super::top(); b::deep(); }",
				"src/a/b.rs":   "use super::up as other;\npub fn deep() { other(); super::super::top(); }",
			},
			want: []string{"main -> deep [qualified]", "main -> up [qualified]", "main -> top [qualified]", "up -> top [qualified]", "up -> deep [qualified]",
				"deep -> up [import]", "deep -> top [qualified]"},
		},
		{
			name: "a program beside a library, and tests, are crates of their own",
			files: map[string]string{
				"Cargo.toml":          "[package]\nname = \"app\"\n",
				"src/lib.rs":          "pub fn lib() {}",
				"src/main.rs":         "mod util;\nfn main() { app::lib(); util::help(); crate::own(); }\nfn own() {}",
				"src/util.rs":         "pub fn help() {}",
				"tests/it.rs":         "mod common;\nfn it() { common::setup(); app::lib(); }",
				"tests/common/mod.rs": "pub fn setup() {}",
			},
			want: []string{"main -> lib [qualified]", "main -> help [qualified]", "main -> own [qualified]", "it -> setup [qualified]", "it -> lib [qualified]"},
		},
		{
			name: "re-exports, also within modules and in circles",
			files: map[string]string{
				"Cargo.toml": "[package]\nname = \"app\"\n",
				"src/lib.rs": "mod a;\nmod b;\npub mod prelude { pub use crate::a::*; pub use super::b::g as renamed; }\nuse prelude::*;\nfn f() { one(); renamed(); none(); two(); }",
				"src/a.rs":   "pub use crate::b::*;\npub fn one() {}",
				"src/b.rs":   "pub use crate::a::*;\npub fn g() {}\npub fn two() {}",
			},
			want: []string{"f -> one [import]", "f -> g [import]", "f -> none (loose)", "f -> two [import]"},
		},
		{
			name: "methods of types, traits and what implements them",
			files: map[string]string{
				"lib.rs": `
trait Draw { fn draw(&self); fn twice(&self) { self.draw(); } }
struct A; struct B;
impl Draw for A { fn draw(&self) { Self::helper(); } }
impl A { fn helper() {} }
impl Draw for B { fn draw(&self) {} }
fn one(a: &A) { a.draw(); a.twice(); }
fn any(d: &dyn Draw) { d.draw(); }
fn generic<T: Draw>(t: T) { t.twice(); }
fn boxed(all: Vec<Box<dyn Draw>>) { for d in &all { d.draw(); } }`,
			},
			want: []string{"Draw.twice -> A.draw [self]", "Draw.twice -> B.draw [self]", "A.draw -> A.helper [qualified]", "one -> A.draw [receiver]",
				"one -> Draw.twice [receiver]", "any -> A.draw [implementors]", "any -> B.draw [implementors]", "generic -> Draw.twice [receiver]",
				"boxed -> A.draw [implementors]", "boxed -> B.draw [implementors]"},
		},
		{
			name: "values come out of wrappers and collections",
			files: map[string]string{
				"lib.rs": `
use std::collections::HashMap;
struct T { next: Option<Box<T>> }
impl T { fn new() -> Result<T, String> { Ok(T { next: None }) } fn m(&self) {} }
fn f(map: HashMap<String, T>, list: Vec<T>) -> Result<(), String> {
    T::new()?.m();
    T::new().unwrap().next.as_ref().unwrap().m();
    map.get("a").unwrap().m();
    list.iter().for_each(|t| t.m());
    Ok(())
}`,
			},
			want: []string{"f -> T.new [qualified]", "f -> T.m [receiver]", "f.<lambda1> -> T.m [receiver]", "f -> std.unwrap (outside)", "f -> std.as_ref (outside)",
				"f -> map.get (outside)", "f -> [].iter (outside)", "f -> [].for_each (outside)"},
		},
		{
			name: "shadowing ends the search, what is outside has its name",
			files: map[string]string{
				"Cargo.toml": "[package]\nname = \"app\"\n[dependencies]\nserde = \"1\"\n",
				"src/lib.rs": "fn f(g: i32) { g(); serde::run(); std::mem::drop(g); println!(\"\"); unknown::x(); }\nfn g() {}",
			},
			want: []string{"f -> <builtin>.i32 (outside)", "f -> serde.run (outside)", "f -> <builtin>.std.mem.drop (outside)", "f -> <builtin>.println! (outside)", "f -> unknown.x (loose)"},
		},
		{
			name: "macros are apart from functions",
			files: map[string]string{
				"lib.rs": "macro_rules! go { () => { run() } }\nfn go() {}\nfn run() {}\nfn f() { go!(); go(); }",
			},
			want: []string{"f -> go [file]", "go -> run [file]"},
		},
		{
			name: "variants are made and taken apart",
			files: map[string]string{
				"lib.rs": `
enum E { One(T), Two { t: T } }
struct T;
impl T { fn m(&self) {} }
impl E { fn f(&self) { match self { E::One(t) => t.m(), Self::Two { t } => t.m() } } }
fn g() { E::One(T).f(); let e = E::Two { t: T }; e.f(); }`,
			},
			want: []string{"E.f -> T.m [receiver]", "g -> E.One [constructor]", "g -> E.f [receiver]"},
		},
		{
			name: "functions in fields and parameters",
			files: map[string]string{
				"lib.rs": `
struct S { f: Box<dyn Fn(i32)>, g: fn() }
impl S { fn new() -> Self { S { f: Box::new(|n| one(n)), g: two } } fn run(&self) { (self.f)(1); (self.g)(); } }
fn one(n: i32) {} fn two() {}
fn apply(f: impl Fn()) { f() }
fn main() { apply(two); }`,
			},
			want: []string{"S.new -> <builtin>.Box.new (outside)", "S.new.<lambda1> -> one [file]", "S.run -> S.new.<lambda1> [self]", "S.run -> two [self]", "apply -> two [value]", "main -> apply [file]"},
		},
	} {
		t.Run(tc.name, func(t *testing.T) { wantCalls(t, program(t, tc.files), tc.want...) })
	}
}
