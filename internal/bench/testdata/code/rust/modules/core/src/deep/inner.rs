use super::Level;
use crate::tools::Describe;

pub struct Engine {
    level: Level,
}

impl Engine {
    pub fn start(n: usize) -> Engine {
        let engine = Engine { level: Level::High(n) };
        engine.speed();
        engine
    }

    pub fn speed(&self) -> usize {
        self.level.value()
    }
}

pub fn limit() -> usize {
    let numbers: Vec<usize> = Vec::new();
    numbers.describe();
    10
}
