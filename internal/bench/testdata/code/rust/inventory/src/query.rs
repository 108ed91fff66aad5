use std::rc::Rc;

use crate::item::Item;
use crate::store::Store;

type Filter<'a> = Box<dyn Fn(&Item) -> bool + 'a>;

pub struct Query<'a> {
    store: &'a Store,
    filters: Vec<Filter<'a>>,
}

impl<'a> Query<'a> {
    pub fn new(store: &'a Store) -> Self {
        Query { store, filters: Vec::new() }
    }

    pub fn when(mut self, f: impl Fn(&Item) -> bool + 'a) -> Self {
        self.filters.push(Box::new(f));
        self
    }

    pub fn first(self) -> Option<Rc<Item>> {
        self.store.iter().find(|i| self.keeps(i)).cloned()
    }

    fn keeps(&self, item: &Item) -> bool {
        self.filters.iter().all(|f| f(item))
    }
}

pub mod by {
    use super::Item;

    pub fn weight(min: f64) -> impl Fn(&Item) -> bool {
        move |i| above(i.weight.kilos(), min)
    }

    fn above(a: f64, b: f64) -> bool {
        a > b
    }
}
