mod shape;
mod report;

use shape::{circle::Circle, Rect, Shape, Scale};
use report::{self as rep, Report};

fn main() {
    let circle = Circle::new(1.0);
    let rect = Rect { w: 1.0, h: 2.0 };
    circle.area();
    rect.describe();
    let all: Vec<Box<dyn Shape>> = vec![Box::new(circle), Box::new(rect)];
    total(&all);
    largest(&all).area();
    let mut report = Report::default();
    report.add("a").add("b");
    report.finish();
    rep::print(&report);
    double(Rect::square(2.0));
    helper::run();
    let unit = Unit;
    unit.describe();
    Shape::describe(&unit);
    <Unit as Shape>::area(&unit);
}

fn total(all: &[Box<dyn Shape>]) -> f64 {
    let mut sum = 0.0;
    for s in all.iter() {
        sum += s.area();
    }
    sum
}

fn largest(all: &Vec<Box<dyn Shape>>) -> &dyn Shape {
    all[0].as_ref()
}

fn double<T: Scale + Shape>(shape: T) -> T {
    shape.describe();
    shape.scale(2.0)
}

struct Unit;

impl Shape for Unit {
    fn area(&self) -> f64 {
        1.0
    }
}

mod helper {
    use super::total;

    pub fn run() {
        total(&[]);
        inner();
        self::inner();
        super::shape::unit_area();
    }

    fn inner() {
        deep::down();
    }

    mod deep {
        pub fn down() {
            super::super::top();
        }
    }
}

fn top() {}
