//! A crate.

extern crate alloc as heap;

use std::collections::{hash_map::{self, Entry as Slot}, HashMap};
use crate::shapes::*;
pub use self::inner::Maker as Builder;
use super::parent;
use ::outside::thing;
use {a::b, c as _};

mod sibling;
pub mod public_sibling;

/// Something inside.
pub mod inner {
    use super::Point;

    /// Makes points.
    pub trait Maker {
        fn make(&self) -> Point;
    }

    impl Maker for Point {
        fn make(&self) -> Point {
            helper()
        }
    }

    fn helper() -> Point {
        Point::origin()
    }
}

/// A place.
///
/// With two coordinates.
#[derive(Debug, Clone)]
pub struct Point<T: Copy = i32, const N: usize = 2> {
    /// Across.
    pub x: T,
    y: Vec<T>, // not a doc comment
    #[allow(dead_code)]
    on_move: Box<dyn Fn(&Point) -> bool>,
}

struct Pair(pub Point, String);

struct Unit;

union Bits {
    int: u32,
    float: f32,
}

/// What can be drawn.
pub enum Shape {
    /// Round.
    Circle(Point, f64),
    Square { corner: Point, side: f64 },
    Nothing = level(),
}

type Points<T> = Vec<Point<T>>;

/// The most.
pub const MAX: usize = compute(3);
static mut COUNT: Point = Point::origin();
const _: () = check();

/// Draws.
pub trait Draw: Base + fmt::Display + Into<Point> {
    const DEPTH: u8 = 3;
    const WIDTH: u8;
    type Canvas: Clone;

    fn draw(&self, canvas: &mut Self::Canvas) -> bool;

    /// Draws two times.
    fn twice(&mut self, canvas: &mut Self::Canvas) {
        self.draw(canvas);
    }

    fn start() -> Self
    where
        Self: Sized;
}

impl<T: Copy + Draw> Point<T> {
    /// The middle.
    pub const fn origin() -> Self {
        Self { x: 0, y: vec![], on_move: Box::new(|p| p.still()) }
    }

    pub(crate) async fn shift(mut self: Box<Self>, (dx, dy): (T, T), by: &mut Point) -> Result<Point, Error> {
        Ok(*self)
    }

    const HERE: Point = Point::origin();
}

impl Draw for Point {
    type Canvas = Screen;

    fn draw(&self, canvas: &mut Screen) -> bool {
        canvas.put(self.x);
        true
    }
}

impl<T> Draw for Vec<T> where T: Draw {}

impl super::Outside {
    fn reach(&self) {}
}

impl dyn Draw {
    fn anything(&self) {}
}

impl<'a> From<&'a str> for &'a Point {
    fn from(text: &'a str) -> Self {
        parse(text)
    }
}

extern "C" {
    fn c_call(n: i32, ...) -> i32;
    static LIMIT: i32;
}

#[test]
#[tokio::test(flavor = "x")]
fn generic<F, T>(f: F, g: impl Fn(i32) -> T, h: &dyn Draw, k: fn(i32) -> i32) -> impl Iterator<Item = T>
where
    F: Fn() -> T,
    T: Draw,
{
    const LOCAL: usize = 3;
    fn nested(n: usize) -> usize {
        n
    }
    struct Inside {
        n: usize,
    }
    impl Inside {
        fn get(&self) -> usize {
            nested(self.n)
        }
    }
    f()
}
