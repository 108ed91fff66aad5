/// Makes a thing.
#[macro_export]
macro_rules! make {
    ($x:expr) => {
        build($x).finish()
    };
    ($x:expr, $($rest:tt)*) => { make!($x) };
}

macro_rules! hidden {
    () => {};
}

fn uses(shape: Shape, list: Vec<Shape>) -> Vec<Shape> {
    println!("{} {}", shape.area(), count(list.len(), 1));
    assert_eq!(self::check(&shape)?, tools::deep::check(2), "text {}", Shape::new(3).name);
    let made = make!(4);
    made.area();
    log::info!("{:?}", shape.parent.first().await?);
    format!("{}", if shape.ready() { 1 } else { other() });
    vec![first(), Some(second()), Shape { name: third() }];
    outer!(inner!(deepest(1)), list[index(2)].area(), (fourth()), Vec::<u8>::fifth());
    debug!(target: "x", value = sixth(), "text");
    matches!(shape, Shape::Circle(_));
    thread_local! { static KEY: Cell<i32> = Cell::new(seventh()) }
    empty!();
    vec![shape.clone(), shape]
}
