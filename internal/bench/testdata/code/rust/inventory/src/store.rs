use std::cell::RefCell;
use std::rc::Rc;

use crate::item::Item;

pub trait Observer {
    fn notify(&mut self, item: &Item);
}

#[derive(Debug)]
pub enum StoreError {
    Missing(String),
    Bad { text: String },
}

impl StoreError {
    pub fn bad(text: &str) -> Self {
        StoreError::Bad { text: text.to_owned() }
    }

    pub fn explain(&self) -> String {
        match self {
            Self::Missing(name) => quoted(name),
            Self::Bad { text } => quoted(text),
        }
    }

    pub fn code(&self) -> i32 {
        if let StoreError::Missing(_) = self {
            1
        } else {
            2
        }
    }
}

fn quoted(text: &str) -> String {
    format!("'{}'", trim(text))
}

fn trim(text: &str) -> &str {
    text.trim()
}

#[derive(Default)]
pub struct Store {
    items: Vec<Rc<Item>>,
    observers: RefCell<Vec<Box<dyn Observer>>>,
}

impl Store {
    pub fn watch(&mut self, o: Box<dyn Observer>) {
        self.observers.borrow_mut().push(o);
    }

    pub fn put(&mut self, item: Item) {
        self.tell(&item);
        self.items.push(Rc::new(item));
    }

    fn tell(&self, item: &Item) {
        for o in self.observers.borrow_mut().iter_mut() {
            o.notify(item);
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = &Rc<Item>> {
        self.items.iter()
    }

    pub fn find(&self, name: &str) -> Result<Rc<Item>, StoreError> {
        self.items
            .iter()
            .find(|i| i.name() == name)
            .cloned()
            .ok_or_else(|| StoreError::Missing(name.to_string()))
    }

    pub fn close(self, note: String) -> Result<(), StoreError> {
        if note.is_empty() {
            return Err(StoreError::bad(&note));
        }
        self.items.iter().for_each(|i| release(i));
        Ok(())
    }
}

fn release(item: &Item) {
    let _ = item.weight;
}
