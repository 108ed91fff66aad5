trait Create {
    const SIZE: usize;
    type Out: Run;
    fn create() -> Self;
    fn label() -> String { "x".to_string() }
    fn out(&self) -> Self::Out;
}

trait Run { fn run(&self); }

struct A;
struct B;
struct OutA;
struct OutB;

impl Run for OutA { fn run(&self) { log(); } }
impl Run for OutB { fn run(&self) {} }

impl Create for A {
    const SIZE: usize = 1;
    type Out = OutA;
    fn create() -> Self { A }
    fn out(&self) -> OutA { OutA }
}

impl Create for B {
    const SIZE: usize = 2;
    type Out = OutB;
    fn create() -> Self { B }
    fn label() -> String { "b".into() }
    fn out(&self) -> Self::Out { OutB }
}

fn log() {}

fn make<T: Create>() -> T {
    T::label();
    T::create()
}

fn main() {
    let a: A = make();
    a.out().run();
    make::<B>().out().run();
    <A as Create>::create();
    B::label();
    A::label();
}
