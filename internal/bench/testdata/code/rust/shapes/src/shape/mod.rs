pub mod circle;

use crate::report::format_number;

/// A thing with an area.
pub trait Shape {
    fn area(&self) -> f64;

    fn describe(&self) -> String {
        self.name() + &format_number(self.area())
    }

    fn name(&self) -> String {
        String::from("shape")
    }
}

pub trait Scale {
    fn scale(self, by: f64) -> Self;
}

pub struct Rect {
    pub w: f64,
    pub h: f64,
}

impl Rect {
    pub const UNIT: Rect = Rect { w: 1.0, h: 1.0 };

    pub fn square(side: f64) -> Self {
        Self::with(side, side)
    }

    fn with(w: f64, h: f64) -> Rect {
        Rect { w, h }
    }
}

impl Shape for Rect {
    fn area(&self) -> f64 {
        self.w * self.h
    }

    fn name(&self) -> String {
        String::from("rect")
    }
}

impl Scale for Rect {
    fn scale(self, by: f64) -> Self {
        Rect::with(self.w * by, self.h * by)
    }
}

pub fn unit_area() -> f64 {
    Rect::UNIT.area()
}
