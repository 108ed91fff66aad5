mod account;
mod events;
mod visitor;

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use account::{Account, Kind::*, Ledger, Money};
use events::{Bus, Button, Logger};
use visitor::*;

struct Bank {
    accounts: HashMap<u32, Rc<RefCell<Account>>>,
    bus: Bus,
    rules: Vec<Box<dyn Fn(&Account) -> bool>>,
}

impl Bank {
    fn open(mut self, id: u32) -> Self {
        let account = Rc::new(RefCell::new(Account::builder().kind(Savings).limit(3).build()));
        account.borrow_mut().deposit(Money(1));
        self.accounts.insert(id, account.clone());
        self.bus.emit("open");
        self
    }

    fn rule(&mut self, rule: impl Fn(&Account) -> bool + 'static) -> &mut Bank {
        self.rules.push(Box::new(rule));
        self
    }

    fn check(&self, id: u32) -> bool {
        let Some(account) = self.accounts.get(&id) else {
            return self.missing(id);
        };
        let account = account.borrow();
        self.rules.iter().all(|r| r(&account))
    }

    fn missing(&self, _: u32) -> bool {
        false
    }

    fn total(&self) -> Money {
        self.accounts.values().map(|a| a.borrow().balance()).fold(Money(0), |a, b| a.plus(b))
    }

    fn richest(&self) -> Option<Rc<RefCell<Account>>> {
        self.accounts.values().max_by_key(|a| a.borrow().balance().0).cloned()
    }
}

fn positive(account: &Account) -> bool {
    account.balance().0 > 0
}

fn main() {
    let mut bank = Bank { accounts: HashMap::new(), bus: Bus::default(), rules: Vec::new() };
    bank.bus.subscribe(Logger::new("log"));
    bank.bus.on(|e| println!("{}", shout(e)));
    bank = bank.open(1).open(2);
    bank.rule(positive).rule(|a| a.is_open());
    if bank.check(1) {
        bank.total().show();
    }
    if let Some(a) = bank.richest() {
        a.borrow_mut().close();
    }
    match bank.accounts.get(&2).map(|a| a.borrow().kind()) {
        Some(Savings) => first(),
        Some(Checking { fee }) => fee.show(),
        _ => {}
    }
    let text: String = Money(3).into();
    let money = Money::from(text.len() as u32);
    money.show();
    let sum = Money(1) + Money(2);
    sum.show();
    for entry in Ledger::new(2) {
        entry.show();
    }
    Ledger::new(3).filter(|m| m.is_big()).for_each(|m| m.show());
    let tree = Node::pair(Node::Leaf(1), Node::Leaf(2));
    tree.accept(&mut Summer::default());
    tree.accept(&mut Printer);
    print_all(&[&Printer, &Summer::default()]);
    create::<Printer>().name();
    let button = Button::new(|| first());
    button.click();
    let shared: Rc<dyn Named> = Rc::new(Printer);
    shared.name();
    let made = by_name("printer");
    made.name();
    let pick = if bank.check(2) { first } else { second };
    pick();
    recurse(3);
    let steps: [fn(); 2] = [first, second];
    for step in steps {
        step();
    }
    let (a, b) = split();
    a.show();
    b.name();
}

fn split() -> (Money, Printer) {
    (Money(1), Printer)
}

fn shout(text: &str) -> String {
    text.to_uppercase()
}

fn first() {}

fn second() {}

fn recurse(n: u32) -> u32 {
    fn inner(n: u32) -> u32 {
        recurse(n - 1)
    }
    if n == 0 { 0 } else { inner(n) }
}
