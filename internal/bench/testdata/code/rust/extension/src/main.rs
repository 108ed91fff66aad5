use std::fmt::Display;

trait Shout { fn shout(&self) -> String; }
impl Shout for str { fn shout(&self) -> String { bang(self) } }
trait Ext { fn double(self) -> Self; fn thrice(self) -> Self where Self: Sized; }
impl Ext for i32 {
    fn double(self) -> i32 { self * 2 }
    fn thrice(self) -> i32 { self.double() + self }
}
trait Total { fn total(&self) -> i32; }
impl Total for Vec<i32> { fn total(&self) -> i32 { self.iter().sum() } }
impl Total for [u8] { fn total(&self) -> i32 { 0 } }

trait Loud: Display { fn loud(&self) -> String { finish(self.to_string()) } }
impl<T: Display> Loud for T {}

trait IterExt: Iterator { fn every(self, n: usize) -> Vec<Self::Item> where Self: Sized { skip(n); self.collect() } }
impl<I: Iterator> IterExt for I {}

fn bang(s: &str) -> String { s.to_string() }
fn finish(s: String) -> String { s }
fn skip(_: usize) {}

struct Name;
impl Display for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result { write!(f, "n") }
}

fn main() {
    "a".shout();
    let s = String::from("b");
    s.shout();
    let n: i32 = 3;
    n.double().thrice();
    vec![1, 2].total();
    Name.loud();
    5.loud();
    (0..3).every(2);
}
