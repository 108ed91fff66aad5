type Op = fn(i32) -> i32;

fn inc(n: i32) -> i32 { n + 1 }
fn dec(n: i32) -> i32 { n - 1 }
fn neg(n: i32) -> i32 { -n }
fn dbl(n: i32) -> i32 { n * 2 }

struct Unit { op: Op }

fn choose(up: bool) -> Op {
    if up { inc } else { dec }
}

fn by_name(name: &str) -> Option<Op> {
    match name {
        "neg" => Some(neg),
        "dbl" => Some(dbl),
        _ => None,
    }
}

const FIRST: Op = inc;
static TABLE: [(&str, Op); 2] = [("neg", neg), ("dec", dec)];

fn run_table() {
    for (_, op) in TABLE.iter() {
        op(1);
    }
    FIRST(2);
}

fn main() {
    let f = choose(true);
    f(1);
    let unit = Unit { op: dbl };
    (unit.op)(2);
    if let Some(op) = by_name("neg") {
        op(3);
    }
    let mut g: Op = inc;
    g(4);
    g = neg;
    g(5);
    run_table();
}
