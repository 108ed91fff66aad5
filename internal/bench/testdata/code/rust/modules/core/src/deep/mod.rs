pub mod inner;

pub enum Level {
    Low,
    High(usize),
}

impl Level {
    pub fn value(&self) -> usize {
        match self {
            Level::Low => 0,
            Level::High(n) => *n + self::inner::limit(),
        }
    }
}
