use std::collections::HashMap;

struct Button {
    label: String,
    on_click: Option<Box<dyn Fn(&str)>>,
}

impl Button {
    fn new(label: &str) -> Self {
        Button { label: label.to_string(), on_click: None }
    }

    fn on_click(mut self, f: impl Fn(&str) + 'static) -> Self {
        self.on_click = Some(Box::new(f));
        self
    }

    fn click(&self) {
        if let Some(f) = &self.on_click {
            f(&self.label);
        }
        if let Some(ref f) = self.on_click {
            f("again");
        }
    }
}

struct Bus {
    handlers: HashMap<String, Vec<Box<dyn Fn(i32)>>>,
}

impl Bus {
    fn on(&mut self, name: &str, f: Box<dyn Fn(i32)>) {
        self.handlers.entry(name.to_string()).or_insert_with(Vec::new).push(f);
    }

    fn emit(&self, name: &str, n: i32) {
        if let Some(list) = self.handlers.get(name) {
            for h in list {
                h(n);
            }
        }
    }
}

fn hello(_: &str) {}
fn first(_: i32) {}
fn second(_: i32) {}

fn main() {
    let b = Button::new("x").on_click(|s| hello(s));
    b.click();
    let mut bus = Bus { handlers: HashMap::new() };
    bus.on("a", Box::new(first));
    bus.on("b", Box::new(|n| second(n)));
    bus.emit("a", 1);
}
