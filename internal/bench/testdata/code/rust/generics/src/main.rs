use std::marker::PhantomData;

struct Stack<T> { items: Vec<T> }

impl<T> Stack<T> {
    fn new() -> Self { Stack { items: Vec::new() } }
    fn push(&mut self, t: T) -> &mut Self { self.items.push(t); self }
    fn pop(&mut self) -> Option<T> { self.items.pop() }
    fn peek(&self) -> &T { &self.items[0] }
}

trait Cost { fn cost(&self) -> u32; }
struct Apple;
struct Pear;
impl Cost for Apple { fn cost(&self) -> u32 { tax() } }
impl Cost for Pear { fn cost(&self) -> u32 { 2 } }
fn tax() -> u32 { 1 }

impl<T: Cost> Stack<T> {
    fn total(&self) -> u32 { self.items.iter().map(|i| i.cost()).sum() }
}

struct Pair<A, B> { a: A, b: B }
impl<A: Cost, B: Cost> Pair<A, B> {
    fn sum(&self) -> u32 { self.a.cost() + self.b.cost() }
    fn swap(self) -> Pair<B, A> { Pair { a: self.b, b: self.a } }
}

struct Typed<T> { p: PhantomData<T> }
impl Typed<Apple> { fn only(&self) {} }

fn largest<T: Cost>(a: T, b: T) -> T { if a.cost() > b.cost() { a } else { b } }

fn main() {
    let mut s = Stack::new();
    s.push(Apple).push(Apple);
    s.total();
    s.peek().cost();
    if let Some(a) = s.pop() { a.cost(); }
    let p = Pair { a: Apple, b: Pear };
    p.sum();
    p.swap().a.cost();
    largest(Pear, Pear).cost();
    Typed::<Apple> { p: PhantomData }.only();
    let mut t: Stack<Pear> = Stack::new();
    t.push(Pear);
    t.total();
}
