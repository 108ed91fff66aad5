use crate::tools;
use std::rc::Rc;

fn forms(shape: Shape, list: Vec<Shape>, call: fn(i32) -> i32) {
    plain(1, "two", 'c', 2.5, true, ());
    (plain)(3);
    call(4);
    shape.area();
    shape.parent.area();
    list[0].area();
    shape.first().second()?.third().await;
    (shape.on_draw)(5);
    (|x| plain(x))(6);
    maker()();
    list[1](7);
    tools::run();
    crate::tools::deep::run();
    self::plain(8);
    super::outer();
    ::std::mem::drop(shape);
    Shape::new(9);
    Shape::Circle(1.0);
    Pair(shape, 1);
    Vec::<Shape>::with_capacity(1);
    <Shape as Draw>::draw(&shape);
    <Shape>::new(10);
    parse::<i32>("1");
    list.iter().map(Shape::area).collect::<Vec<_>>();
    list.iter().map(|s| s.area()).for_each(drop);
    (&shape).area();
    (*shape).area();
    (shape as Square).area();
    Rc::new(Shape::default()).area();
    -shape.area();
    shape.area() + !plain(11);
    plain(12)..plain(13);
    Some(Shape::new(14));
    (shape.0).1.area();
}

impl Shape {
    fn both(&self) -> f64 {
        self.area();
        self.parent.area();
        Self::new(1);
        Self::LIMIT.area();
        (self.on_draw)(self);
        let f = Self::area;
        f(self)
    }
}

fn structs() -> Shape {
    let a = Shape { name: title(), parent: None, ..Default::default() };
    let name = a.name;
    Shape { name, on_draw: Box::new(move |s: &Shape, n| -> f64 { s.area() }) }
}

fn early(x: i32) -> Result<Shape, Error> {
    if x > 0 {
        return Err(Error::new(x));
    }
    let found = find(x)?;
    match found {
        1 => return Ok(Shape::new(1)),
        n if check(n) => {}
        _ => {}
    }
    Ok(Shape::new(2))
}

fn branches(x: bool) -> Shape {
    if x {
        first()
    } else if !x {
        second()
    } else {
        match x {
            true => third(),
            false => {
                let s = fourth();
                s
            }
        }
    }
}

fn unit() {
    plain(1)
}

fn tail_statement() -> i32 {
    plain(1);
}

async fn later() -> i32 {
    let task = async move { plain(1).await };
    task.await
}
