mod item;
mod pricing;
mod query;
mod store;

use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;

use item::{Item, ItemBuilder, Kind, Weight as Mass};
use pricing::prelude::*;
use query::{by, Query};
use store::{Observer, Store, StoreError};

macro_rules! stock {
    ($store:expr, $($name:literal => $kg:expr),* $(,)?) => {
        $( $store.put(ItemBuilder::new($name).weight($kg).build()); )*
    };
}

struct Counter {
    seen: usize,
}

impl Observer for Counter {
    fn notify(&mut self, item: &Item) {
        self.seen += item.units();
        self.tick();
    }
}

impl Counter {
    const START: usize = 0;

    fn fresh() -> Self {
        Self { seen: Self::START }
    }

    fn tick(&mut self) {}
}

struct Line<'a>(&'a str, Mass);

impl fmt::Display for Line<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", pad(self.0), self.1.kilos())
    }
}

fn pad(text: &str) -> String {
    format!("{:>8}", text)
}

fn shelves(store: &Store) -> BTreeMap<Kind, Vec<Rc<Item>>> {
    let mut out: BTreeMap<Kind, Vec<Rc<Item>>> = BTreeMap::new();
    for item in store.iter() {
        out.entry(item.kind()).or_default().push(Rc::clone(item));
    }
    out
}

fn summarise(store: &Store, rules: &[Box<dyn Rule>]) -> Money {
    let pricer = Pricer::with(rules.iter().map(|r| r.name()).collect());
    store
        .iter()
        .filter(|i| i.is_heavy() || light_enough(i))
        .map(|i| rules.iter().fold(pricer.base(i), |m, r| r.apply(i, m)))
        .fold(Money::default(), |a, b| a + b)
}

fn light_enough(item: &Item) -> bool {
    item.weight < Mass::from(2.5)
}

fn retry<T, E, F>(times: u32, mut attempt: F) -> Result<T, E>
where
    F: FnMut(u32) -> Result<T, E>,
{
    let mut last = attempt(0);
    for n in 1..times {
        if last.is_ok() {
            break;
        }
        last = attempt(n);
    }
    last
}

fn run() -> Result<(), StoreError> {
    let mut store = Store::default();
    store.watch(Box::new(Counter::fresh()));
    stock!(store, "bolt" => 0.1, "beam" => 40.0);
    store.put("crate:wood".parse::<Item>()?);
    let found = retry(3, |n| store.find(if n == 0 { "bean" } else { "beam" }))?;
    println!("{}", Line(found.name(), found.weight + Mass::from(1.0)));
    let rules: Vec<Box<dyn Rule>> = vec![Box::new(Bulk { over: 10 }), Box::new(Flat::from(3)), discount(by_weight)];
    let total = summarise(&store, &rules);
    let heavy = Query::new(&store).when(by::weight(5.0)).when(|i| i.units() > 0).first();
    if let Some(item) = heavy {
        println!("{} {}", item.kind().label(), -total);
    }
    for (kind, items) in &shelves(&store) {
        println!("{} {}", kind.label(), items.iter().map(|i| i.units()).sum::<usize>());
    }
    let note: String = total.into();
    store.close(note)
}

fn by_weight(item: &Item) -> i64 {
    item.weight.kilos() as i64
}

fn main() {
    if let Err(e) = run() {
        eprintln!("{}", e.explain());
        std::process::exit(e.code());
    }
}
