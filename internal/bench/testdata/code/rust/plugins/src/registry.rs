use std::collections::BTreeMap;
use std::ops::Index;

pub trait Plugin {
    fn name(&self) -> &str;
    fn run(&self, input: &str) -> Result<String, String>;
    fn describe(&self) -> String { format!("{}!", self.name()) }
}

type Callback = Box<dyn Fn(&str)>;

pub struct Registry {
    plugins: BTreeMap<String, Box<dyn Plugin>>,
    callbacks: Vec<Callback>,
}

impl Registry {
    pub fn with_capacity(_: usize) -> Self { Self { plugins: BTreeMap::new(), callbacks: vec![] } }

    pub fn add<P: Plugin + 'static>(&mut self, p: P) -> &mut Self {
        let key = normalize(p.name());
        self.plugins.insert(key, Box::new(p));
        self
    }

    pub fn on_run<F>(&mut self, f: F) where F: Fn(&str) + 'static { self.callbacks.push(Box::new(f)); }

    pub fn find(&self, name: &str) -> Option<&dyn Plugin> { self.plugins.get(name).map(|b| b.as_ref()) }

    pub fn run_all(&self, input: &str) -> Vec<Result<String, String>> {
        self.plugins.iter().map(|(name, p)| { self.fire(name); p.run(input) }).collect()
    }

    fn fire(&self, name: &str) { for c in &self.callbacks { c(name); } }
}

impl Index<&str> for Registry {
    type Output = Box<dyn Plugin>;
    fn index(&self, name: &str) -> &Self::Output { &self.plugins[name] }
}

fn normalize(s: &str) -> String { s.to_lowercase() }
