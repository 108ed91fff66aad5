mod registry;
mod plugins;

use plugins::{Echo, Upper};
use registry::{Plugin, Registry};
use std::sync::{Arc, Mutex};

struct Stats { count: usize }
impl Stats { fn bump(&mut self) { self.count += step(); } }
fn step() -> usize { 1 }

fn main() {
    let stats = Arc::new(Mutex::new(Stats { count: 0 }));
    let mut reg = Registry::with_capacity(2);
    reg.add(Echo).add(Upper::default());
    let shared = Arc::clone(&stats);
    reg.on_run(move |name| {
        shared.lock().unwrap().bump();
        log(name);
    });
    let out: Vec<String> = reg.run_all("x").into_iter().filter_map(Result::ok).collect();
    if let Some(p) = reg.find("echo") { p.run("y").ok(); }
    reg["upper"].name();
    drop(out);
}

fn log(_: &str) {}
