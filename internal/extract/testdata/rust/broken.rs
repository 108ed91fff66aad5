use std::{a, b;

impl Half {
    fn before(&self) { self.after( }
    fn between(&self { self.after() }
}

fn after() -> {
    let x = ;
    if let Some( = call() { inner() }
}

fn arms(x: i32) -> i32 {
    match x { 1 => , _ => second() }
}

fn () {}

enum { A, B }

println!("{}", f(;

fn sound(a: i32) -> i32 { last(a) }
