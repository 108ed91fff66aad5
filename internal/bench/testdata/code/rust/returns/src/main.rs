fn adder(n: i32) -> impl Fn(i32) -> i32 { move |x| sum(x, n) }
fn boxed(n: i32) -> Box<dyn Fn(i32) -> i32> {
    if n > 0 {
        Box::new(move |x| sum(x, n))
    } else {
        Box::new(negate)
    }
}
fn sum(a: i32, b: i32) -> i32 { a + b }
fn negate(n: i32) -> i32 { -n }
fn curry(a: i32) -> impl Fn(i32) -> Box<dyn Fn(i32) -> i32> {
    move |b| Box::new(move |c| sum(a, sum(b, c)))
}
fn compose<A, B, C>(f: impl Fn(A) -> B, g: impl Fn(B) -> C) -> impl Fn(A) -> C {
    move |x| g(f(x))
}
fn getter() -> fn(i32) -> i32 { negate }

fn main() {
    let add = adder(1);
    add(2);
    adder(3)(4);
    boxed(1)(2);
    let two = curry(1)(2);
    two(3);
    let both = compose(negate, adder(5));
    both(1);
    getter()(6);
}
