fn patterns(input: Option<Shape>, pairs: Vec<(i32, Shape)>) {
    let plain = build();
    let typed: Vec<Shape> = Vec::new();
    let mut later;
    later = build();
    let (a, mut b) = (build(), other());
    let (c, (d, _, e)) = nested();
    let [first, .., last] = typed;
    let Shape { name, parent: up, .. } = plain;
    let Pair(left, right) = pair();
    let Some(inner) = input else { return give_up() };
    let &reference = &plain;
    let plain = plain.next();
    if let Some(x) = input {
        x.area();
    } else {
        plain.area();
    }
    if ready() && let Ok(Pair(y, _)) = attempt() {
        y.area();
    }
    while let Some(Shape { name: z, .. }) = queue.pop() {
        z.area();
    }
    for shape in typed.iter() {
        shape.area();
    }
    for (i, (n, s)) in pairs.iter().enumerate() {
        s.area(i, n);
    }
    let chosen = match input {
        Some(ref s) if s.area() > 1.0 => s,
        Some(s @ Shape { .. }) => s,
        Kind::Round(r, ..) | Kind::Flat { r } => r.shape(),
        1..=9 | LIMIT => build(),
        None => return,
        _ => build(),
    };
    'outer: loop {
        break 'outer build();
    }
    let value = loop { break 3 };
    let text = unsafe { raw() };
}

fn assignments(mut shape: Shape, index: usize) {
    let mut local = build();
    {
        local = other();
        let local = 3;
    }
    shape.parent = local;
    shape.count = 3;
    shape.parts[index] = build();
    *shape.parent = other();
    (shape, local) = both();
    local += build();
    let mut change = || { local = build(); };
    change();
    GLOBAL = shape;
}

struct Counter {
    next: fn() -> i32,
}

impl Counter {
    fn set(&mut self, f: fn() -> i32) -> &mut Self {
        self.next = f;
        self
    }
}

fn closures() -> impl Fn(i32) -> i32 {
    let add = |a: i32, (b, c)| a + b + helper(c);
    let typed = |s: &Shape| -> f64 { s.area() };
    let outer = move || {
        let inner = |x| typed(x);
        inner(build())
    };
    outer();
    move |n| add(n, (1, 2))
}
