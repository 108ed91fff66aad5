macro_rules! twice {
    ($e:expr) => {{
        trace("twice");
        $e;
        $e
    }};
}

macro_rules! maxm {
    ($x:expr) => { $x };
    ($x:expr, $($rest:expr),+) => { larger($x, maxm!($($rest),+)) };
}

mod logging {
    #[macro_export]
    macro_rules! info {
        ($($arg:tt)*) => { $crate::logging::write(&format!($($arg)*)) };
    }
    pub fn write(_: &str) {}
}

fn trace(_: &str) {}
fn larger(a: i32, b: i32) -> i32 { if a > b { a } else { b } }
fn step() -> i32 { 1 }
fn name() -> String { String::new() }

struct T;
impl T { fn go(&self) -> i32 { twice!(step()) } }

fn main() {
    twice!(step());
    maxm!(step(), 2, 3);
    info!("{} {}", name(), T.go());
    assert_eq!(step(), 1, "msg {}", name());
    let v = vec![step(); 2];
    println!("{v:?} {}", v.iter().map(|n| larger(*n, 1)).sum::<i32>());
}
