pub enum Node {
    Leaf(u32),
    Pair(Box<Node>, Box<Node>),
}

pub trait Visitor {
    fn leaf(&mut self, n: u32);

    fn enter(&mut self) {}
}

impl Node {
    pub fn pair(a: Node, b: Node) -> Node {
        Node::Pair(Box::new(a), Box::new(b))
    }

    pub fn accept(&self, v: &mut dyn Visitor) {
        match self {
            Node::Leaf(n) => v.leaf(*n),
            Node::Pair(a, b) => {
                v.enter();
                a.accept(v);
                b.accept(v);
            }
        }
    }
}

#[derive(Default)]
pub struct Summer {
    total: u32,
}

impl Visitor for Summer {
    fn leaf(&mut self, n: u32) {
        self.add(n);
    }
}

impl Summer {
    fn add(&mut self, n: u32) {
        self.total += n;
    }
}

#[derive(Default)]
pub struct Printer;

impl Visitor for Printer {
    fn leaf(&mut self, n: u32) {
        line(n);
    }

    fn enter(&mut self) {
        line(0);
    }
}

fn line(_: u32) {}

pub trait Named {
    fn name(&self) -> String;
}

pub trait Create {
    fn create() -> Self;
}

impl Create for Printer {
    fn create() -> Self {
        Printer
    }
}

impl Named for Printer {
    fn name(&self) -> String {
        label("printer")
    }
}

impl Named for Summer {
    fn name(&self) -> String {
        label("summer")
    }
}

fn label(text: &str) -> String {
    text.to_string()
}

pub fn print_all(all: &[&dyn Named]) {
    all.iter().for_each(|n| {
        n.name();
    });
}

pub fn create<T: Create + Named>() -> T {
    T::create()
}

pub fn by_name(name: &str) -> Box<dyn Named> {
    match name {
        "printer" => Box::new(Printer),
        _ => Box::new(Summer::default()),
    }
}
