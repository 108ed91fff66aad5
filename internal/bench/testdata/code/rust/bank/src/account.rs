use std::ops::Add;

#[derive(Clone, Copy, PartialEq)]
pub struct Money(pub u32);

impl Money {
    pub fn plus(self, other: Money) -> Money {
        Money(self.0 + other.0)
    }

    pub fn show(&self) {}

    pub fn is_big(&self) -> bool {
        self.0 > LIMIT.0
    }
}

pub const LIMIT: Money = limit();

const fn limit() -> Money {
    Money(100)
}

impl Add for Money {
    type Output = Money;

    fn add(self, other: Money) -> Money {
        self.plus(other)
    }
}

impl From<u32> for Money {
    fn from(n: u32) -> Self {
        Money(n)
    }
}

impl From<Money> for String {
    fn from(m: Money) -> String {
        m.show();
        m.0.to_string()
    }
}

#[derive(Clone)]
pub enum Kind {
    Savings,
    Checking { fee: Money },
}

pub struct Account {
    kind: Kind,
    money: Money,
    open: bool,
}

#[derive(Default)]
pub struct Builder {
    kind: Option<Kind>,
    limit: u32,
}

impl Builder {
    pub fn kind(mut self, kind: Kind) -> Self {
        self.kind = Some(kind);
        self
    }

    pub fn limit(mut self, n: u32) -> Self {
        self.limit = n;
        self
    }

    pub fn build(self) -> Account {
        Account { kind: self.kind.unwrap_or_else(fallback), money: self.limit.into(), open: true }
    }
}

fn fallback() -> Kind {
    Kind::Savings
}

impl Account {
    pub fn builder() -> Builder {
        Builder::default()
    }

    pub fn deposit(&mut self, money: Money) -> &mut Self {
        self.money = self.money.plus(money);
        self
    }

    pub fn balance(&self) -> Money {
        self.money
    }

    pub fn kind(&self) -> Kind {
        self.kind.clone()
    }

    pub fn is_open(&self) -> bool {
        self.open
    }

    pub fn close(&mut self) {
        self.open = false;
        self.log();
    }
}

trait Log {
    fn log(&self) {
        write_line("log");
    }
}

impl Log for Account {}

fn write_line(_: &str) {}

pub struct Ledger {
    left: u32,
}

impl Ledger {
    pub fn new(left: u32) -> Ledger {
        Ledger { left }
    }
}

impl Iterator for Ledger {
    type Item = Money;

    fn next(&mut self) -> Option<Self::Item> {
        if self.left == 0 {
            return None;
        }
        self.left -= 1;
        Some(Money::from(self.left))
    }
}
