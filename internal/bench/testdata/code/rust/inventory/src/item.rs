use std::ops::{Add, Deref};
use std::str::FromStr;

use crate::store::StoreError;

#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Weight(f64);

impl Weight {
    pub fn kilos(&self) -> f64 {
        self.0
    }
}

impl From<f64> for Weight {
    fn from(kilos: f64) -> Self {
        Weight(clamp(kilos))
    }
}

impl Add for Weight {
    type Output = Weight;
    fn add(self, other: Weight) -> Weight {
        Weight::from(self.0 + other.0)
    }
}

fn clamp(v: f64) -> f64 {
    if v < 0.0 {
        0.0
    } else {
        v
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Small,
    Large,
    Other(u8),
}

impl Kind {
    pub fn of(w: Weight) -> Kind {
        match w.kilos() {
            k if k < 1.0 => Kind::Small,
            k if k < 100.0 => Kind::Large,
            k => Kind::Other(grade(k)),
        }
    }

    pub fn label(&self) -> &'static str {
        match self {
            Kind::Small => "small",
            Kind::Large => "large",
            Kind::Other(n) if odd(*n) => "odd",
            _ => "other",
        }
    }
}

fn grade(k: f64) -> u8 {
    (k / 100.0) as u8
}

fn odd(n: u8) -> bool {
    n % 2 == 1
}

#[derive(Clone, Debug)]
pub struct Core {
    name: String,
    units: usize,
}

impl Core {
    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn units(&self) -> usize {
        self.units
    }
}

#[derive(Clone, Debug)]
pub struct Item {
    core: Core,
    pub weight: Weight,
}

impl Deref for Item {
    type Target = Core;
    fn deref(&self) -> &Core {
        &self.core
    }
}

impl Item {
    pub fn kind(&self) -> Kind {
        Kind::of(self.weight)
    }

    pub fn is_heavy(&self) -> bool {
        matches!(self.kind(), Kind::Large | Kind::Other(_))
    }
}

impl FromStr for Item {
    type Err = StoreError;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (name, _) = text.split_once(':').ok_or_else(|| StoreError::bad(text))?;
        Ok(ItemBuilder::new(name).build())
    }
}

#[derive(Default)]
pub struct ItemBuilder {
    name: String,
    kilos: f64,
}

impl ItemBuilder {
    pub fn new(name: &str) -> Self {
        ItemBuilder { name: name.to_string(), ..Default::default() }
    }

    pub fn weight(mut self, kilos: f64) -> Self {
        self.kilos = kilos;
        self
    }

    pub fn build(self) -> Item {
        Item { core: Core { name: self.name, units: Self::units() }, weight: Weight::from(self.kilos) }
    }

    fn units() -> usize {
        1
    }
}
