type Op = fn(i32) -> i32;

fn inc(n: i32) -> i32 { n + 1 }
fn dec(n: i32) -> i32 { n - 1 }
fn neg(n: i32) -> i32 { -n }

fn all(ops: &[fn(i32) -> i32]) {
    for op in ops {
        op(1);
    }
}

fn owned(ops: Vec<Op>) -> i32 {
    ops.iter().fold(0, |n, op| op(n))
}

fn boxed(ops: Vec<Box<dyn Fn(i32) -> i32>>) {
    for op in &ops {
        op(2);
    }
}

fn main() {
    all(&[inc, dec]);
    let ops: Vec<Op> = vec![neg];
    owned(ops);
    boxed(vec![Box::new(inc), Box::new(|n| neg(n))]);
}
