use super::Shape;

pub struct Circle {
    r: f64,
    cache: Cache,
}

#[derive(Default)]
struct Cache {
    hits: u32,
}

impl Cache {
    fn hit(&self) {}
}

impl Circle {
    pub fn new(r: f64) -> Circle {
        let cache = Cache::default();
        Circle { r, cache }
    }

    fn square(&self) -> f64 {
        self.cache.hit();
        self.r * self.r
    }
}

impl Shape for Circle {
    fn area(&self) -> f64 {
        3.0 * self.square()
    }
}
