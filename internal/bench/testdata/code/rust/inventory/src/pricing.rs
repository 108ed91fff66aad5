use std::ops::{Add, Neg};

use crate::item::Item;

pub mod prelude {
    pub use super::rules::{discount, Bulk, Flat};
    pub use super::{Money, Pricer, Rule};
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Money {
    cents: i64,
}

impl Money {
    pub const fn new(cents: i64) -> Self {
        Money { cents }
    }

    pub fn less(self, cents: i64) -> Money {
        Money::new(self.cents - cents)
    }
}

impl Add for Money {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Self::new(self.cents + o.cents)
    }
}

impl Neg for Money {
    type Output = Money;
    fn neg(self) -> Money {
        self.less(self.cents * 2)
    }
}

impl std::fmt::Display for Money {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.cents)
    }
}

impl From<Money> for String {
    fn from(m: Money) -> String {
        show(m.cents)
    }
}

fn show(cents: i64) -> String {
    format!("{cents}")
}

pub trait Rule {
    fn apply(&self, item: &Item, price: Money) -> Money {
        price.less(self.cut(item))
    }

    fn cut(&self, item: &Item) -> i64;

    fn name(&self) -> String {
        "rule".to_string()
    }
}

pub struct Pricer {
    names: Vec<String>,
}

impl Pricer {
    pub fn with(names: Vec<String>) -> Self {
        let p = Pricer { names };
        p.check();
        p
    }

    fn check(&self) {
        assert!(self.names.len() < limit(), "too many rules");
    }

    pub fn base(&self, item: &Item) -> Money {
        Money::new(item.units() as i64 * 100)
    }
}

fn limit() -> usize {
    16
}

pub mod rules {
    use super::*;

    pub struct Bulk {
        pub over: usize,
    }

    impl Rule for Bulk {
        fn cut(&self, item: &Item) -> i64 {
            if item.units() > self.over {
                self.rate()
            } else {
                0
            }
        }
    }

    impl Bulk {
        fn rate(&self) -> i64 {
            5
        }
    }

    pub struct Flat(i64);

    impl From<i64> for Flat {
        fn from(cents: i64) -> Self {
            Flat(cents)
        }
    }

    impl Rule for Flat {
        fn cut(&self, _: &Item) -> i64 {
            self.0
        }

        fn name(&self) -> String {
            super::show(self.0)
        }
    }

    struct Discount<F>(F);

    impl<F: Fn(&Item) -> i64> Rule for Discount<F> {
        fn cut(&self, item: &Item) -> i64 {
            (self.0)(item)
        }
    }

    pub fn discount<F>(f: F) -> Box<dyn Rule>
    where
        F: Fn(&Item) -> i64 + 'static,
    {
        Box::new(Discount(f))
    }
}
