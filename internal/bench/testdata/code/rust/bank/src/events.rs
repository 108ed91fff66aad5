pub trait Listener {
    fn notify(&self, event: &str);
}

#[derive(Default)]
pub struct Bus {
    listeners: Vec<Box<dyn Listener>>,
    callbacks: Vec<Box<dyn Fn(&str)>>,
}

impl Bus {
    pub fn subscribe<L: Listener + 'static>(&mut self, listener: L) {
        self.listeners.push(Box::new(listener));
    }

    pub fn on(&mut self, f: impl Fn(&str) + 'static) {
        self.callbacks.push(Box::new(f));
    }

    pub fn emit(&self, event: &str) {
        for l in &self.listeners {
            l.notify(event);
        }
        for c in self.callbacks.iter() {
            c(event);
        }
    }
}

pub struct Logger {
    name: &'static str,
}

impl Logger {
    pub fn new(name: &'static str) -> Self {
        Self { name }
    }

    fn format(&self, text: &str) -> String {
        self.name.to_string() + text
    }
}

impl Listener for Logger {
    fn notify(&self, event: &str) {
        self.format(event);
    }
}

pub struct Button<F: Fn()> {
    on_click: F,
}

impl<F: Fn()> Button<F> {
    pub fn new(on_click: F) -> Self {
        Button { on_click }
    }

    pub fn click(&self) {
        (self.on_click)();
    }
}
